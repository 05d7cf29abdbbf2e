"""Results of trials: means, curves and their intervals, beside scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ranktron_papers import Results

LOSSES = [3.0, 1.0, 2.5, 2.0]
CURVES = [[1.0, 2.0], [3.0, 5.0], [2.0, 2.0], [4.0, 0.5]]
TRIALS = [{"loss": loss, "curve": curve} for loss, curve in zip(LOSSES, CURVES)]


def test_values_are_in_the_order_of_the_seeds():
    results = Results(TRIALS, False)
    assert results.values("loss").tolist() == LOSSES
    assert results.values("curve").tolist() == CURVES
    assert (len(results), results.names, results.is_quick) == (4, ["loss", "curve"], False)


def test_means_have_students_intervals():
    mean = Results(TRIALS, False).mean("loss")
    low, high = stats.ttest_1samp(LOSSES, 0.0).confidence_interval(0.95)
    assert mean.value == pytest.approx(np.mean(LOSSES))
    assert (mean.value - mean.half, mean.value + mean.half) == pytest.approx((low, high))


def test_curves_have_them_point_by_point():
    mean, half = Results(TRIALS, False).curve("curve")
    intervals = stats.ttest_1samp(np.array(CURVES), 0.0).confidence_interval(0.95)
    assert np.allclose(mean - half, intervals.low)
    assert np.allclose(mean + half, intervals.high)


def test_one_trial_says_nothing_of_others():
    mean = Results(TRIALS[:1], True).mean("loss")
    assert mean.value == 3.0
    assert np.isnan(mean.half)


@pytest.mark.parametrize("is_quick", [False, True])
def test_numbers_that_are_made_of_others(is_quick):
    results = Results([{"a": 1.0, "b": 5.0}, {"a": 2.0, "b": 5.0}], is_quick)
    by_trial = results.derived(lambda one: {"b less a": one["b"] - one["a"]})
    by_column = results.of_columns({"b less a": results.values("b") - results.values("a")})
    assert by_trial.trials == by_column.trials == [{"b less a": 4.0}, {"b less a": 3.0}]
    assert by_trial.is_quick == by_column.is_quick == is_quick
