"""What some W gets right is learned: to no further loss, but for error-set size; and by l1 soonest if W is sparse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ranktron import Predtron
from ranktron.data import separable
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

from .family import COSTS, Stream, Wind, learn, listed

HOW = {"margin": 0.5, "seed": 0}
THREE = Stream(*separable.classes(40, 9, 3, **HOW))
TWO = Stream(*separable.binary(40, 9, **HOW))
SETS = Stream(*separable.multilabel(40, 9, 3, **HOW))
ORDERS = Stream(*separable.multilabel_ranking(30, 9, 4, **HOW))
LISTS = Stream(*separable.subset_ranking(15, 4, 9, **HOW))
LEARNED: dict[str, tuple[Any, Stream]] = {
    "binary": (Binary(), TWO),
    "binary-weights": (Binary((0.5, 3.0)), TWO),
    "binary-reject": (Binary(reject=0.3), Stream(TWO.X, TWO.y > 0)),
    "classes": (Multiclass(), THREE),
    "classes-reject": (Multiclass(reject=0.3), THREE),
    "ordinal": (Ordinal(), Stream(*separable.ordinal(40, 9, 4, **HOW))),
    "costs": (CostMatrix(COSTS), THREE),
    "finite": (Finite(np.eye(3), COSTS), THREE),
    "published-reject": (RejectAsPublished((0.3, 0.5, 0.7)), THREE),
    "hamming": (Multilabel("hamming"), SETS),
    "subset": (Multilabel("subset"), SETS),
    "labels-ndcg": (MultilabelRanking(), ORDERS),
    "labels-index": (MultilabelRanking(ties="index"), ORDERS),
    "labels-precision": (MultilabelRanking(measure="precision@2"), ORDERS),
    "lists-ndcg": (SubsetRanking(), LISTS),
    "lists-precision": (SubsetRanking(measure="precision@2"), LISTS),
}
HOWS: dict[str, dict[str, Any]] = {
    "algorithm 1": {"step": 0.1},
    "loss-driven": {"loss_driven": True},
    "l1": {"link": "l1", "step": 0.1},
    "group": {"link": "group", "loss_driven": True},
    "trace": {"link": "trace", "step": 0.1},
}


def passes(model: Any, stream: Stream, most: int) -> int:
    """How many passes it takes until one brings no loss."""
    for number in range(1, most + 1):
        before = model.cumulative_loss_ if number > 1 else 0.0
        if learn(model, stream).cumulative_loss_ == before:
            return number
    raise AssertionError(f"there is still loss after {most} passes")


@pytest.mark.parametrize("name", LEARNED)
@pytest.mark.parametrize("how", HOWS)
def test_what_is_separable_is_learned_to_no_further_loss(name: str, how: str) -> None:
    task, stream = LEARNED[name]
    model = Predtron(task, average=False, **HOWS[how])
    assert 1 < passes(model, stream, 150) <= 150
    told, final = model.predict(stream.X), (model.n_updates_, model.cumulative_loss_)
    learn(model, stream)
    assert (model.n_updates_, model.cumulative_loss_) == final
    if getattr(task, "reject", None) is None:  # which may reject what it has right
        assert listed(model.predict(stream.X)) == listed(told)
        assert model.score(*stream.given()) == pytest.approx(1.0)


@pytest.mark.parametrize("how", ["algorithm 1", "loss-driven"])
def test_an_own_task_is_learned_to_no_further_loss(how: str) -> None:
    X = THREE.X.copy()
    X[:, :2] = np.copysign(np.maximum(np.abs(X[:, :2]), 0.3), X[:, :2])
    y = np.array([["south", "west"], ["east", "north"]])[tuple((X[:, :2] > 0).astype(int).T)]
    X[:, :2] = np.column_stack([X[:, 0] + X[:, 1], X[:, 0] - X[:, 1]])  # so that a corner is an axis
    model = Predtron(Wind(), average=False, **HOWS[how])
    passes(model, Stream(X, y), 150)
    assert model.score(X, y) == 0.0


def test_error_set_size_may_stop_at_sets_of_all_or_none_which_cost_nothing() -> None:
    model = Predtron(Multilabel("error-set"), average=False, loss_driven=True)
    passes(model, SETS, 150)
    told = model.predict(SETS.X)
    task = Multilabel("error-set")
    assert all(task.loss_of(one, y) == 0 for one, y in zip(told, SETS.y))
    assert 0 < (told == SETS.y).all(axis=1).mean() < 1


@pytest.mark.parametrize("name", ["binary", "classes", "ordinal", "hamming", "labels-ndcg", "lists-ndcg"])
def test_the_mean_over_time_learns_it_too(name: str) -> None:
    task, stream = LEARNED[name]
    model = Predtron(task, loss_driven=True, epochs=60).fit(*stream.given())
    assert model.score(*stream.given()) > 0.97


def cumulative(seed: int, relevant: int, **how: Any) -> float:
    X, y, qid = separable.sparse_lists(100, 10, 400, relevant, seed=seed)
    return float(Predtron(SubsetRanking(), average=False, **how).fit(X, y, qid).cumulative_loss_)


def test_the_l1_link_finds_the_features_that_matter_sooner() -> None:
    """Figure 1(c): 2 of 400 features matter; each link at the best of the steps that were tried."""
    losses = {
        link: [min(cumulative(seed, 2, link=link, step=step) for step in (0.01, 0.1)) for seed in range(5)]
        for link in ("euclidean", "l1")
    }
    ratios = np.divide(losses["euclidean"], losses["l1"])
    assert np.mean(losses["euclidean"]) >= 5 * np.mean(losses["l1"])
    assert np.median(ratios) >= 5
    assert min(ratios) > 3


def test_where_no_step_can_be_chosen_the_l1_link_is_ahead_all_the_same() -> None:
    """The loss-driven version, which no step changes, on lists of which 1 of 400 features matters."""
    assert cumulative(0, 1, link="l1", loss_driven=True) == pytest.approx(
        cumulative(0, 1, link="l1", loss_driven=True, step=0.01)
    )
    ratios = [
        cumulative(seed, 1, link="euclidean", loss_driven=True) / cumulative(seed, 1, link="l1", loss_driven=True)
        for seed in range(5)
    ]
    assert np.median(ratios) >= 5


def test_features_that_do_not_matter_cost_the_l1_link_little() -> None:
    """p grows eightfold and the features that matter stay: log p against √p."""
    growth = {}
    for link in ("euclidean", "l1"):
        few, many = (
            sum(
                Predtron(SubsetRanking(), link=link, loss_driven=True, average=False)
                .fit(*separable.sparse_lists(100, 10, p, 1, seed=seed))
                .cumulative_loss_
                for seed in range(4)
            )
            for p in (50, 400)
        )
        growth[link] = many / few
    assert growth["l1"] < growth["euclidean"]
