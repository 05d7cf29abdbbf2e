"""Coverage and width of intervals, against counting."""

from __future__ import annotations

import numpy as np
import pytest

from ranktron.metrics import interval_coverage, interval_width


def test_numbers_and_names_are_counted_alike():
    rng = np.random.default_rng(0)
    names = np.array(["bad", "fair", "good", "great"])
    y, ends = rng.integers(4, size=200), np.sort(rng.integers(4, size=(200, 2)), axis=1)
    covered = sum(low <= label <= high for label, (low, high) in zip(y.tolist(), ends.tolist()))
    width = sum(high - low for low, high in ends.tolist())
    assert interval_coverage(y, *ends.T) == covered / 200
    assert interval_width(*ends.T) == width / 200
    assert interval_coverage(names[y], *names[ends].T, classes=names) == covered / 200
    assert interval_width(*names[ends].T, classes=names) == width / 200


def test_the_distance_of_numbers_is_their_difference():
    assert interval_width([1, 10], [2, 10]) == 0.5
    assert interval_coverage([1.5, 3.0], [1, 3], [2, 3]) == 1.0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([1, 2], [1, 3], [2, 2]), "low should not be above high; in row 1 low is 3 and high is 2"),
        (([1, 2], [1], [2]), "y_true and low should both have one value per row"),
        (([1], [1, 1], [2]), "low and high should both have one value per row"),
        ((["a"], ["a"], ["b"]), "labels that are not numbers need classes="),
        (([1], [float("nan")], [2]), "low should hold finite numbers; row 0 is NaN"),
    ],
)
def test_what_is_no_interval_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        interval_coverage(*arguments)


def test_a_label_that_is_not_among_the_classes_is_refused():
    with pytest.raises(ValueError, match="high holds 'best' in row 0"):
        interval_width(["bad"], ["best"], classes=["bad", "good"])
