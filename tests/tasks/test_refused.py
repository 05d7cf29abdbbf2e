"""Parameters of tasks out of range are refused by name when the task is made; tasks are values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ranktron.tasks import (
    Binary,
    CostMatrix,
    Finite,
    Multiclass,
    Multilabel,
    MultilabelRanking,
    Ordinal,
    RejectAsPublished,
    SubsetRanking,
)

from ..models.contract import assert_readable

TASKS: dict[str, list[Callable[[], Any]]] = {
    "reject": [
        lambda value=value, task=task: task(reject=value)  # type: ignore[misc]
        for task in (Binary, Multiclass)
        for value in (0, 1, 1.0, -0.1, math.nan, math.inf, "half", True, [0.5])
    ],
    "n_classes": [lambda value=value: Multiclass(value) for value in (1, 0, -3, 2.0, "3", True)],  # type: ignore[misc]
    "n_ranks": [lambda value=value: Ordinal(value) for value in (1, 0, -3, 2.0, "3", True)],  # type: ignore[misc]
    "cost": [
        *(
            lambda value=value: Binary(value)  # type: ignore[misc]
            for value in ((1,), (1, 2, 3), (0, 1), (-1, 1), (1, math.nan), (1, math.inf), "ab", 3.0, [[1, 2]])
        ),
        *(
            lambda value=value: CostMatrix(value)  # type: ignore[misc]
            for value in (
                [[0, -1], [1, 0]],
                [[0, 1, 2], [1, 0, 0]],
                [[0, 1], [1, 0], [1, 1]],
                [[1, 1], [1, 0]],
                [[0, 1], [1, 1]],
                [[0, math.nan], [1, 0]],
                [[0, math.inf], [1, 0]],
                [[0]],
                [],
                [[]],
                "abc",
                None,
                [0, 1],
                np.zeros((2, 2, 2)),
                [["0", "1"], ["1", "0"]],
            )
        ),
        *(
            lambda value=value: RejectAsPublished(value)  # type: ignore[misc]
            for value in ((0.5,), (0, 0.5), (0.5, 1.5), (0.5, math.nan), (), "ab", 0.5, [[0.5, 0.5]], (-0.1, 0.5))
        ),
    ],
    "Finite": [
        lambda value=value: Finite(*value)  # type: ignore[misc]
        for value in (
            ([[1, 1], [0, 1]], [[0, 1], [1, 0]]),
            ([[0, 0], [0, 1]], [[0, 1], [1, 0]]),
            ([[math.nan, 0], [0, 1]], [[0, 1], [1, 0]]),
            ([[1, 0]], [[0, 1], [1, 0]]),
            ([[1, 0], [0, 1]], [[0], [1]]),
            ([[1, 0], [0, 1]], [[0, -1], [1, 0]]),
            ([[1, 0], [0, 1]], [[0, 1], [1, 1]]),
            ([1, 0], [[0, 1], [1, 0]]),
            ("ab", [[0, 1], [1, 0]]),
            ([], []),
        )
    ],
    "loss": [lambda value=value: Multilabel(value) for value in ("zero-one", "Hamming", None, 3, ["hamming"])],  # type: ignore[misc]
    "power": [
        lambda value=value, task=task: task(value)  # type: ignore[misc]
        for task in (MultilabelRanking, SubsetRanking)
        for value in (0, 0.0, 1e3, -1e3, math.nan, math.inf, "1", True, 1j, None)
    ],
    "measure": [
        lambda value=value, task=task: task(measure=value)  # type: ignore[misc]
        for task in (MultilabelRanking, SubsetRanking)
        for value in ("map", "ap", "ndcg@5", "precision", "precision@0", "precision@-1", "ndcg\n", "precision@1.5", None, 3)
    ],
    "ties": [lambda value=value: SubsetRanking(ties=value) for value in ("average", None, 1, ["score"])],  # type: ignore[misc]
    "highest": [
        lambda value=value, task=task: task(highest=value)  # type: ignore[misc]
        for task in (MultilabelRanking, SubsetRanking)
        for value in (-1, 1.5, "x", math.nan, True)
    ],
    "longest": [lambda value=value: SubsetRanking(longest=value) for value in (0, -1, 1.5, "x", True, 10**9)],  # type: ignore[misc]
}


@pytest.mark.parametrize("word", TASKS)
def test_a_task_that_makes_no_sense_cannot_be_made(word: str) -> None:
    for make in TASKS[word]:
        with pytest.raises((ValueError, TypeError)) as caught:
            make()
        assert_readable(str(caught.value), word)


def test_tasks_are_values() -> None:
    assert CostMatrix(np.array([[0, 1], [1, 0]])) == CostMatrix([[0.0, 1.0], [1.0, 0.0]]) == CostMatrix(((0, 1), (1, 0)))
    assert Finite(np.eye(2), 1 - np.eye(2)) == Finite([[1, 0], [0, 1]], [[0, 1], [1, 0]])
    assert Binary(np.array([1, 2])) == Binary((1.0, 2.0))
    assert RejectAsPublished(np.array([0.5, 0.25])) == RejectAsPublished([0.5, 0.25])
    assert {Multiclass(3): 1}[Multiclass(3)] == len({SubsetRanking(), SubsetRanking(1.1)}) == 1
    with pytest.raises(AttributeError):
        Multiclass(3).n_classes = 4  # type: ignore[misc]
    costs = np.array([[0.0, 1.0], [1.0, 0.0]])
    task = CostMatrix(costs)
    costs[:] = 7
    assert task == CostMatrix([[0, 1], [1, 0]])
