"""``check`` names the law that a task breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ranktron.tasks import Finite, check

from ..models.predtron.family import FOUR_FOR_TWO, Wind

BROKEN: dict[str, tuple[str, Callable[..., Any]]] = {
    "length 1": ("representation", lambda self, prediction: 2.0 * Wind.representation(self, prediction)),
    "gives it back": ("decode", lambda self, scores: "north"),
    "more similar": ("decode", lambda self, scores: Wind.decode(self, scores if np.abs(scores).max() == 1 else -scores)),
    "is negative": (
        "loss_of",
        lambda self, prediction, label: Wind.loss_of(self, prediction, label) * (-1.0 if label == "east" else 1),
    ),
    "has no loss": ("correct", lambda self, label, scores: "west"),
    "highest loss + similarity": ("loss_augmented", lambda self, scores, label: label),
}


@pytest.mark.parametrize("words", BROKEN)
def test_broken_laws_are_named(words: str) -> None:
    method, broken = BROKEN[words]
    check(Wind(), Wind.names)
    with pytest.raises(ValueError, match="breaks a law") as caught:
        check(type("Broken", (Wind,), {method: broken})(), Wind.names)
    assert words in str(caught.value)


def test_laws_that_only_some_scores_break_are_found() -> None:
    class Nearly(Wind):
        def loss_augmented(self, scores: np.ndarray, label: str) -> str:
            """The right one but for a corner of the plane."""
            return label if scores[0] > 1.5 and scores[1] > 0 else super().loss_augmented(scores, label)

    check(Nearly(), ["west"], Wind.names, trials=1)
    with pytest.raises(ValueError, match="highest loss"):
        check(Nearly(), ["west"], Wind.names, trials=300)


def test_scores_that_scale_differently_are_no_decoding() -> None:
    class Shy(Wind):
        def decode(self, scores: np.ndarray) -> str:
            return "north" if np.linalg.norm(scores) > 2.0 else super().decode(scores)

    with pytest.raises(ValueError, match="breaks a law"):
        check(Shy(), Wind.names)


def test_the_laws_of_a_finite_task_with_equal_representations_are_broken() -> None:
    twins = Finite([[1, 0], [1, 0], [0, 1]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    with pytest.raises(ValueError, match="gives it back"):
        check(twins, range(3))
    check(FOUR_FOR_TWO, range(2), range(4))
