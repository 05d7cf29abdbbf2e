"""Student's t against scipy's, and what counts as sure against its paired test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ranktron.statistics import behind, inside, mean_of, quantile


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 7, 10, 29, 100, 999])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99, 1 - 0.05 / 300])
def test_quantiles_are_those_of_scipy(degrees, confidence):
    assert quantile(confidence, degrees) == pytest.approx(stats.t.ppf((1 + confidence) / 2, degrees), rel=1e-9)


@pytest.mark.parametrize("degrees", [1, 2, 5, 8, 31])
def test_probabilities_are_those_of_scipy(degrees):
    for t in (0.0, 0.01, 0.5, 1.0, 3.0, 40.0):
        assert inside(t, degrees) == pytest.approx(stats.t.cdf(t, degrees) - stats.t.cdf(-t, degrees), abs=1e-13)


def test_intervals_are_those_of_scipy():
    values = np.random.default_rng(1).normal(size=6)
    low, high = stats.t.interval(0.95, 5, values.mean(), stats.sem(values))
    mean = mean_of(values)
    assert (mean.value - mean.half, mean.value + mean.half) == pytest.approx((low, high), rel=1e-9)


def test_one_repeat_has_no_interval():
    mean = mean_of([0.25])
    assert mean.value == 0.25
    assert math.isnan(mean.half)
    assert behind([0.25], [0.5], 3).sure is None


@pytest.mark.parametrize("comparisons", [1, 4, 10])
def test_a_difference_is_sure_where_the_paired_test_with_bonferroni_says_so(comparisons):
    random = np.random.default_rng(comparisons)
    seen = set()
    for _ in range(200):
        best = random.normal(size=5)
        other = best + random.normal(0.6, 0.5, size=5)
        p = stats.ttest_rel(other, best).pvalue
        gap = behind(best, other, comparisons)
        assert gap.sure == (p * comparisons < 0.05 and gap.difference > 0)
        seen.add(gap.sure)
    assert seen == {True, False}


def test_what_always_differs_by_the_same_is_sure_and_what_never_differs_is_not():
    assert behind([0.5, 0.25], [0.75, 0.5], 9).sure is True
    assert behind([0.5, 0.25], [0.5, 0.25], 9).sure is False
