"""Predtron's guarantees and adversaries once more, for the estimator: it reaches the bounds, and learns what can be learned."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ranktron import Predtron, bounds, tasks
from ranktron.data import separable

SLACK = 1 + 1e-9


@pytest.mark.parametrize("loss_driven", [False, True])
def test_two_labels_reach_theorem_1(loss_driven):
    model = Predtron(tasks.Binary(), average=False, classes=[-1, 1], step="theory", radius=3.0, loss_driven=loss_driven)
    X, codes, W = bounds.predtron_duel(model, 20, 3.0)
    gamma = bounds.predtron_binary_margin(W[1] - W[0], X, 2 * codes - 1)
    assert model.cumulative_loss_ == 20 == pytest.approx(bounds.predtron_loss(3.0, gamma))


def test_weights_reach_the_loss_driven_bound():
    model = Predtron(tasks.Binary(weights=(30.0, 20.0)), average=False, classes=["no", "yes"], loss_driven=True)
    X, codes, W = bounds.predtron_duel(model, 12, 2.0)
    gamma = bounds.predtron_binary_margin(W[1] - W[0], X, 2 * codes - 1)
    assert model.cumulative_loss_ == 12 * 30 == pytest.approx(bounds.predtron_loss_driven(2.0, gamma, 30.0))


@pytest.mark.parametrize(
    ("task", "k", "largest", "share"),
    [
        (tasks.Multiclass(), 2, 1.0, 1 / SLACK),
        (tasks.Multiclass(), 4, 1.0, 0.8),
        (tasks.Ordinal(), 4, 3.0, 0.8),
        (tasks.CostMatrix([[0, 1, 7], [2, 0, 3], [7, 1, 0]]), 3, 7.0, 0.8),
    ],
)
@pytest.mark.parametrize("loss_driven", [False, True])
def test_classes_come_near_the_loss_driven_bound(task, k, largest, share, loss_driven):
    step = bounds.predtron_best_step(1.0, largest, 2.0)
    model = Predtron(task, average=False, classes=list(range(k)), step=step, loss_driven=loss_driven)
    X, codes, W = bounds.predtron_duel(model, 50)
    gamma = bounds.predtron_class_margin(W, X, codes)
    bound = bounds.predtron_loss_driven(1.0, gamma, largest, 2.0)
    assert share * bound <= model.cumulative_loss_ <= bound * SLACK


@pytest.mark.parametrize("loss_driven", [False, True])
def test_several_labels_reach_one_mth_of_their_bound(loss_driven):
    model = Predtron(tasks.Multilabel(), average=False, step="theory", radius=1.0, loss_driven=loss_driven)
    X, Y, W = bounds.predtron_label_duel(model, 20, 3)
    gamma = bounds.predtron_multilabel_margin(W, X, Y)
    assert model.cumulative_loss_ == 60 == pytest.approx(bounds.predtron_hamming_loss(1.0, gamma) / 3)


@pytest.mark.parametrize("loss_driven", [False, True])
def test_lists_of_two_nearly_reach_their_bound(loss_driven):
    model = Predtron(tasks.SubsetRanking(), average=False, loss_driven=loss_driven)
    X, y, qid, direction = bounds.list_duel(model, 1.0, 0.15)
    gamma = bounds.predtron_list_margin(direction, X, y, qid)
    bound = bounds.predtron_loss_driven(math.sqrt(2.0), gamma, 1 - 1 / math.log2(3), bounds.predtron_ranking_spread(2))
    assert 0.95 * bound <= model.cumulative_loss_ <= bound * SLACK


def test_the_staircase_is_climbed():
    representations, losses, W = bounds.predtron_staircase(4)
    task = tasks.Finite(representations, losses)
    model = Predtron(task, average=False, step=bounds.predtron_theory_step(2.0, 0.2))
    model.fit(np.full((700, 1), 2.0), np.zeros(700, int))
    gamma = bounds.predtron_margin(task, W, [[2.0]], [0], range(len(losses)))
    spread = max(((a - b) ** 2).sum() for a, b in itertools.combinations(representations, 2))
    bound = bounds.predtron_loss_at_step(2.0, gamma, bounds.predtron_theory_step(2.0, 0.2), 0.2, 1.0, spread)
    assert 0.67 * bound <= model.cumulative_loss_ <= bound
    assert model.n_updates_ < 700


def test_the_margin_by_trying_all_predictions_is_that_of_the_formulas():
    random = np.random.default_rng(0)
    W, X, m = random.standard_normal((3, 5)), random.standard_normal((8, 5)), 3
    Y, codes = random.integers(2, size=(8, m)), random.integers(m, size=8)
    sets, orders = (np.array(list(tried)) for tried in (itertools.product([0, 1], repeat=m), itertools.permutations(range(m))))
    assert bounds.predtron_margin(tasks.Ordinal(m), W, X, codes, range(m)) == bounds.predtron_class_margin(W, X, codes)
    by_sets = bounds.predtron_margin(tasks.Multilabel(), W, X, Y, sets)
    assert by_sets == pytest.approx(bounds.predtron_multilabel_margin(W, X, Y))
    graded = Y[(Y.max(axis=1) > 0) & (Y.min(axis=1) == 0)]
    by_orders = bounds.predtron_margin(tasks.MultilabelRanking(), W, X, graded, orders)
    assert by_orders == pytest.approx(bounds.predtron_label_ranking_margin(W, X, graded))


STREAMS = {
    "binary": (tasks.Binary(), separable.binary(60, 6, margin=0.5, seed=0), 1.0, 1.0),
    "multiclass": (tasks.Multiclass(), separable.classes(60, 6, 4, margin=0.5, seed=0), 1.0, 1.0),
    "ordinal": (tasks.Ordinal(), separable.ordinal(60, 6, 4, margin=0.5, seed=0), 1.0, 3.0),
    "cost matrix": (
        tasks.CostMatrix([[0, 1, 5], [1, 0, 1], [5, 1, 0]]),
        separable.classes(60, 6, 3, margin=0.5, seed=0),
        1.0,
        5.0,
    ),
    "hamming": (tasks.Multilabel(), separable.multilabel(60, 6, 3, margin=0.5, seed=0), 1.0, 3.0),
    "subset": (tasks.Multilabel("subset"), separable.multilabel(60, 6, 3, margin=0.5, seed=0), 1.0, 1.0),
    "labels": (
        tasks.MultilabelRanking(),
        separable.multilabel_ranking(60, 6, 4, margin=0.5, seed=0),
        bounds.ndcg_smallest_loss(4, 2),
        1.0,
    ),
    "lists": (
        tasks.SubsetRanking(),
        separable.subset_ranking(20, 4, 6, margin=0.5, seed=0),
        bounds.ndcg_smallest_loss(4, 2),
        1.0,
    ),
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("loss_driven", [False, True])
def test_separable_streams_are_learned_to_no_further_loss(name, loss_driven):
    """The bounds' R is that of rows, or the largest singular value of a list; 4 is more than the spread of any task."""
    task, stream, smallest, largest = STREAMS[name]
    model, losses = Predtron(task, average=False, loss_driven=loss_driven), [0.0, math.inf]
    while losses[-1] != losses[-2] and len(losses) < 300:
        model.partial_fit(*stream)
        losses.append(model.cumulative_loss_)
    assert losses[-1] == losses[-2] > 0
    X = stream[0]
    R = (
        max(np.linalg.norm(rows, 2) for rows in X.reshape(len(X) // 4, 4, -1))
        if name == "lists"
        else np.linalg.norm(X, axis=1).max()
    )
    driven = bounds.predtron_loss_driven(R, 0.5, largest)
    assert losses[-1] <= (driven if loss_driven else bounds.predtron_loss_at_step(R, 0.5, 1.0, smallest, largest)) * SLACK
