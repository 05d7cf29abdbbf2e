"""Metrics of grades against scikit-learn and their definitions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from hypothesis import assume, given
from hypothesis import strategies as st

from ranktron.metrics import accuracy, macro_mae, mean_absolute_error, quadratic_weighted_kappa, ranked_probability_score

WORDS = ["awful", "bad", "fair", "good", "great"]  # in the order of the alphabet too, which scikit-learn goes by


def pairs(labels: Any) -> Any:
    return st.lists(st.tuples(labels, labels), min_size=1, max_size=40).map(lambda rows: tuple(map(list, zip(*rows))))


numbers = pairs(st.integers(1, 5)) | pairs(st.floats(-1e6, 1e6).map(lambda number: number + 0.0))  # -0.0 is 0.0


@given(numbers)
def test_mean_absolute_error_is_scikit_learns(rows: Any) -> None:
    assert mean_absolute_error(*rows) == pytest.approx(sklearn.metrics.mean_absolute_error(*rows), rel=1e-12)


@given(numbers | pairs(st.sampled_from(WORDS)))
def test_accuracy_is_scikit_learns(rows: Any) -> None:
    words = [[str(label) for label in column] for column in rows]  # which it takes whatever the number is
    assert accuracy(*rows) == pytest.approx(sklearn.metrics.accuracy_score(*words), rel=1e-15)


@given(numbers)
def test_macro_mae_is_the_mean_of_scikit_learns_for_each_label(rows: Any) -> None:
    true, predicted = map(np.array, rows)
    each = [sklearn.metrics.mean_absolute_error(true[true == label], predicted[true == label]) for label in np.unique(true)]
    assert macro_mae(true, predicted) == pytest.approx(np.mean(each), rel=1e-12)


@given(pairs(st.integers(0, 4)))
def test_kappa_is_scikit_learns(ranks: Any) -> None:
    assume(len({*ranks[0], *ranks[1]}) > 1)
    theirs = sklearn.metrics.cohen_kappa_score(*ranks, labels=range(5), weights="quadratic")
    assert quadratic_weighted_kappa(*ranks) == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    words = [[WORDS[rank] for rank in column] for column in ranks]
    assert quadratic_weighted_kappa(*words, classes=WORDS) == quadratic_weighted_kappa(*ranks)


def test_kappa_goes_by_numbers_and_by_steps_of_classes() -> None:
    true, predicted = [1, 2, 5, 5], [2, 2, 5, 1]
    closed = sklearn.metrics.cohen_kappa_score(true, predicted, weights="quadratic")
    wide = sklearn.metrics.cohen_kappa_score(true, predicted, labels=[1, 2, 3, 4, 5], weights="quadratic")
    assert quadratic_weighted_kappa(true, predicted) == pytest.approx(wide)
    assert quadratic_weighted_kappa(true, predicted, classes=[1, 2, 5]) == pytest.approx(closed)
    assert abs(closed - wide) > 0.01


@given(pairs(st.integers(0, 3) | st.floats(-3, 3)))
def test_kappa_is_its_definition(rows: Any) -> None:
    true, predicted = ([Fraction(label) for label in column] for column in rows)
    found = sum((a - b) ** 2 for a, b in zip(true, predicted)) / len(true)
    by_chance = sum((a - b) ** 2 for a, b in itertools.product(true, predicted)) / len(true) ** 2
    kappa = quadratic_weighted_kappa(*rows)
    assert kappa == float(1 - found / by_chance) if by_chance else math.isnan(kappa)


def test_kappa_is_exact_far_from_zero() -> None:
    true, predicted = np.array([1, 2, 3, 3, 1]), np.array([1, 3, 3, 2, 1])
    near = quadratic_weighted_kappa(true, predicted)
    for far in (10**9, 2**50, -(2**52)):
        assert quadratic_weighted_kappa(true + far, predicted + far) == near
    huge = quadratic_weighted_kappa(true * 1e30, predicted * 1e30)
    assert huge == pytest.approx(near, rel=1e-12)


@given(pairs(st.sampled_from(WORDS)), st.permutations(WORDS))
def test_classes_give_the_order_and_steps_are_counted(words: Any, order: list[str]) -> None:
    ranks = [[order.index(label) for label in column] for column in words]
    for metric in (mean_absolute_error, macro_mae, quadratic_weighted_kappa, accuracy):
        assert metric(*words, classes=order) == pytest.approx(metric(*ranks), abs=0, nan_ok=True)


def test_labels_that_never_are_true_do_not_count_in_the_macro_mean() -> None:
    assert macro_mae([1, 1, 3], [2, 2, 3], classes=[1, 2, 3, 4]) == 0.5
    assert macro_mae([2], [1], classes=[1, 2, 3, 4]) == 1.0


@st.composite
def forecasts(draw: st.DrawFn, fewest: int = 1, most: int = 11) -> tuple[list[int], np.ndarray]:
    n, k = draw(st.integers(1, 12)), draw(st.integers(fewest, most))
    shares = np.array(draw(st.lists(st.lists(st.integers(1, 9), min_size=k, max_size=k), min_size=n, max_size=n)), float)
    return draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n)), shares / shares.sum(axis=1, keepdims=True)


@given(forecasts())
def test_ranked_probability_score_is_the_distance_of_cumulated_chances(forecast: Any) -> None:
    ranks, shares = forecast
    k = shares.shape[1]
    reached = np.cumsum(shares, axis=1) - np.cumsum(np.eye(k)[ranks], axis=1)
    expected = np.square(reached[:, :-1]).sum(axis=1).mean()
    assert ranked_probability_score(ranks, shares) == pytest.approx(expected, rel=1e-9, abs=1e-15)
    names = [f"label {r}" for r in range(k)]
    assert ranked_probability_score([names[r] for r in ranks], shares, classes=names) == ranked_probability_score(ranks, shares)


@given(forecasts(2, 2))
def test_ranked_probability_score_of_two_labels_is_the_brier_score(forecast: Any) -> None:
    ranks, shares = forecast
    theirs = sklearn.metrics.brier_score_loss(ranks, shares[:, 1], labels=[0, 1])
    assert ranked_probability_score(ranks, shares) == pytest.approx(theirs, rel=1e-9, abs=1e-15)


@given(pairs(st.integers(0, 4)))
def test_all_on_one_label_the_ranked_probability_score_is_the_absolute_error(rows: Any) -> None:
    true, predicted = rows
    assert ranked_probability_score(true, np.eye(5)[predicted]) == mean_absolute_error(true, predicted)


def test_labels_of_many_kinds() -> None:
    plain = mean_absolute_error([1, 3, 5], [2, 3, 1])
    for kind in (np.array, pd.Series, lambda given: np.array(given, np.uint8), lambda given: np.array(given, object)):
        assert mean_absolute_error(kind([1, 3, 5]), kind([2, 3, 1])) == plain
        assert mean_absolute_error(kind([1, 3, 5]), kind([2, 3, 1]), classes=kind([1, 2, 3, 4, 5])) == plain
    mixed = ["none", 1, 2]
    assert mean_absolute_error(["none", 2], [2, 2], classes=mixed) == 1.0
    assert accuracy(["none", 2], [2, 2]) == 0.5
    assert accuracy(["2", 2], [2, 2]) == 0.5
    category = pd.Series(["bad", "good"], dtype=pd.CategoricalDtype(["bad", "good"], ordered=True))
    assert mean_absolute_error(category, category[::-1], classes=category.cat.categories) == 1.0


ERRORS = (mean_absolute_error, macro_mae, quadratic_weighted_kappa)
REFUSED = [
    ([1, 2], [1], {}, "y_true and y_pred should both have one value per row; they have 2 and 1"),
    ([], [], {}, "y_true is empty; a metric needs at least one row"),
    ([[1]], [1], {}, "y_true should hold one value per row, in one dimension; its shape is (1, 1)"),
    ([1, 2], [1, math.nan], {}, "y_pred should hold finite numbers; row 1 is NaN"),
    (
        ["a"],
        ["a"],
        {},
        "y_true should hold numbers, not 'a'; labels that are not numbers need classes=, all labels in ascending order",
    ),
    ([1, 2], ["1", 2], {}, "y_pred should hold numbers, not '1'; labels that"),
    ([1, 7], [1, 1], {"classes": [1, 2]}, "y_true holds 7 in row 1, which is not among classes [1, 2]"),
    ([1, 1], [1, None], {"classes": [1, 2]}, "y_pred holds None in row 1, which is not among classes [1, 2]"),
    ([1], [1], {"classes": [1, 1]}, "classes should name every label once, in ascending order, not [1, 1]"),
    ([1], [1], {"classes": "12"}, "classes should be the labels in ascending order, not '12'"),
    ([1], [1], {"classes": 5}, "classes should be the labels in ascending order, not 5"),
    ([1], [1], {"classes": [[1]]}, "classes should be the labels in ascending order, not [[1]]"),
]


@pytest.mark.parametrize("metric", ERRORS)
@pytest.mark.parametrize(("true", "predicted", "settings", "sentence"), REFUSED, ids=[case[-1] for case in REFUSED])
def test_bad_labels_get_one_sentence(metric: Any, true: Any, predicted: Any, settings: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as refusal:
        metric(true, predicted, **settings)
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize("missing", [None, math.nan])
def test_a_missing_label_is_refused(missing: Any) -> None:
    with pytest.raises(ValueError, match=f"y_pred holds {missing} in row 1, which is not a label"):
        accuracy(["a", "b"], np.array(["a", missing], object))
    with pytest.raises(ValueError, match=f"y_true holds {missing} in row 0, which is not a label"):
        accuracy(np.array([missing, 1], object), [1, 1])


@pytest.mark.parametrize(
    ("true", "shares", "settings", "sentence"),
    [
        ([0], [0.5, 0.5], {}, "probabilities should be a matrix of numbers, one row per example, not float64 (2,)"),
        ([0], [["a", "b"]], {}, "probabilities should be a matrix of numbers, one row per example, not <U1 (1, 2)"),
        ([0, 1], [[0.5, 0.5], [0.5, 0.6]], {}, "probabilities should not be negative and add up to 1; row 1 is [0.5, 0.6]"),
        ([0], [[1.5, -0.5]], {}, "probabilities should not be negative and add up to 1; row 0 is"),
        ([0], [[math.nan, 0.5]], {}, "probabilities should not be negative and add up to 1; row 0 is"),
        ([0, 2], [[1, 0], [1, 0]], {}, "y_true holds 2 in row 1, which is not among classes [0, 1]"),
        (["a"], [[1, 0]], {"classes": "abc"}, "classes should be the labels in ascending order, not 'abc'"),
        (["a"], [[1, 0]], {"classes": ["a", "b", "c"]}, "probabilities should have one column per label, 3; they have 2"),
        ([0, 1], [[1, 0]], {}, "y_true and probabilities should both have one value per row; they have 2 and 1"),
    ],
)
def test_bad_probabilities_get_one_sentence(true: Any, shares: Any, settings: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as refusal:
        ranked_probability_score(true, shares, **settings)
    assert str(refusal.value).startswith(sentence)
