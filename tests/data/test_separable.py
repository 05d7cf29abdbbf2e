"""Separable streams: their margin, and that a perceptron comes to an end on them."""

from __future__ import annotations

import numpy as np
import pytest

from ranktron import bounds
from ranktron.data import separable

SLACK = 1 + 1e-9
MARGINS = [0.05, 0.4, 3.0]


@pytest.fixture
def truth(monkeypatch):
    """What the generators drew to separate their rows, in turn."""
    drawn = []
    for name in ("_unit", "_rows_at_right_angles"):
        draw = getattr(separable, name)
        monkeypatch.setattr(separable, name, lambda *sizes, draw=draw: drawn.append(draw(*sizes)) or drawn[-1])
    return drawn


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("seed", [0, 1])
def test_rows_have_the_margin_asked_for(truth, margin, seed):
    X, y = separable.binary(200, 3, margin=margin, seed=seed)
    assert bounds.predtron_binary_margin(truth[-1], X, y) * SLACK >= margin
    X, y = separable.classes(200, 6, 5, margin=margin, seed=seed)
    assert bounds.predtron_class_margin(truth[-1], X, y) * SLACK >= margin
    X, Y = separable.multilabel(200, 6, 5, margin=margin, seed=seed)
    assert bounds.predtron_multilabel_margin(truth[-1], X, Y) * SLACK >= margin


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("margin", MARGINS)
def test_ranks_have_the_margin_asked_for_and_lie_along_one_direction(truth, k, margin):
    X, y = separable.ordinal(300, 4, k, margin=margin, seed=0)
    [w], width = truth, X[0, -1]
    along = X[:, :-1] @ w
    thresholds = width * (np.arange(1, k) - k / 2)
    assert (y == np.searchsorted(thresholds, along)).all()
    assert (X[:, -1] == width).all()
    W = np.array([[*(r * w), -thresholds[:r].sum() / width] for r in range(k)])
    assert bounds.predtron_class_margin(W - W.mean(axis=0), X, y) * SLACK >= margin


@pytest.mark.parametrize("margin", MARGINS)
@pytest.mark.parametrize("power", [1.1, -1.0])
def test_rankings_have_the_margin_asked_for_and_equal_scores_inside_a_grade(truth, margin, power):
    X, Y = separable.multilabel_ranking(100, 6, 5, margin=margin, power=power, seed=0)
    assert bounds.predtron_label_ranking_margin(truth[-1], X, Y, power) * SLACK >= margin
    scores = X @ truth[-1].T
    same = Y[:, :, None] == Y[:, None, :]
    assert np.abs((scores[:, :, None] - scores[:, None, :])[same]).max() < 1e-9
    X, y, qid = separable.subset_ranking(40, 5, 3, margin=margin, power=power, seed=0)
    assert bounds.predtron_list_margin(truth[-1], X, y, qid, power) * SLACK >= margin
    assert np.bincount(qid).tolist() == [5] * 40


def test_rows_that_had_the_margin_are_left_where_they_were():
    (X, y), (again, same) = (separable.classes(100, 6, 3, margin=margin, seed=0) for margin in (0.0, 0.1))
    moved = (np.abs(X - again) > 1e-12).any(axis=1)
    assert (y == same).all()
    assert 0 < moved.sum() < 50


def test_too_few_features_are_refused():
    with pytest.raises(ValueError, match="3 features cannot separate 4 scores; use at least 4 features"):
        separable.classes(10, 3, 4)


@pytest.mark.parametrize(("documents", "relevant"), [(5, 1), (8, 4)])
def test_sparse_lists_have_the_papers_grades(truth, documents, relevant):
    X, y, qid = separable.sparse_lists(60, documents, 30, relevant, seed=0)
    [direction] = truth
    edges = {1: np.inf, documents + 1: -np.inf} | {j: 1 / j for j in range(2, documents + 1)}  # zeta of section 6
    for x, grade in zip(X, y):
        j = documents - grade
        assert edges[j + 1] <= x[:relevant] @ direction <= edges[j]
    assert np.abs(X).max() <= 1
    assert X.min(axis=0).max() < -0.9  # all of [-1, 1] in every feature
    assert np.linalg.norm(direction) == pytest.approx(1)
    assert np.bincount(qid).tolist() == [documents] * 60


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: separable.binary(20, 3, seed=seed),
        lambda seed: separable.classes(20, 3, seed=seed),
        lambda seed: separable.ordinal(20, 3, seed=seed),
        lambda seed: separable.multilabel(20, 3, seed=seed),
        lambda seed: separable.multilabel_ranking(20, 4, seed=seed),
        lambda seed: separable.subset_ranking(5, 4, 3, seed=seed),
        lambda seed: separable.sparse_lists(5, 4, 3, 2, seed=seed),
    ],
)
def test_a_seed_gives_the_same_stream(make):
    first, again, other = make(1), make(1), make(2)
    assert all((a == b).all() for a, b in zip(first, again, strict=True))
    assert (first[0] != other[0]).any()
