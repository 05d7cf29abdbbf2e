"""The arithmetic behind the tables of quality: ratios with intervals, and calibration."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

FILE = Path(__file__).parents[1] / "benchmarks" / "quality" / "measures.py"


@pytest.fixture(scope="module")
def measures():
    """The file alone: the package around it sets threads and patience for the whole process."""
    spec = importlib.util.spec_from_file_location("quality_measures", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("overlap", [0.0, 0.25])
def test_half_width_is_the_corrected_t_interval(measures, overlap):
    values = np.random.default_rng(0).normal(size=20)
    expected = stats.t.ppf(0.975, 19) * values.std(ddof=1) * np.sqrt(1 / 20 + overlap)
    assert measures.half_width(values, overlap) == pytest.approx(expected, rel=1e-9)


def test_a_quotient_is_the_geometric_mean_of_ratios_of_means(measures):
    ours, theirs = np.random.default_rng(1).uniform(0.1, 1.0, size=(2, 4, 6))
    expected = stats.gmean(ours.mean(axis=1) / theirs.mean(axis=1))
    assert measures.quotient(ours, theirs).value == pytest.approx(expected, rel=1e-12)


def test_a_quotient_does_not_ask_in_what_unit_errors_are(measures):
    ours, theirs = np.random.default_rng(2).uniform(0.1, 1.0, size=(2, 3, 5))
    units = np.array([[1.0], [10.0], [0.01]])
    assert measures.quotient(units * ours, units * theirs) == pytest.approx(measures.quotient(ours, theirs), rel=1e-12)


def test_the_other_way_round_a_quotient_is_one_over_it(measures):
    ours, theirs = np.random.default_rng(3).uniform(0.1, 1.0, size=(2, 3, 5))
    there, back = measures.quotient(ours, theirs, 0.25), measures.quotient(theirs, ours, 0.25)
    assert (there.value * back.value, there.low * back.high) == pytest.approx((1.0, 1.0), rel=1e-12)


def test_intervals_hold_the_true_ratio_as_often_as_they_say(measures):
    random, hits, trials = np.random.default_rng(4), 0, 2_000
    for _ in range(trials):
        common = random.uniform(0.5, 1.5, size=(3, 10))
        theirs = common + random.normal(scale=0.05, size=(3, 10))
        found = measures.quotient(0.9 * common + random.normal(scale=0.05, size=(3, 10)), theirs)
        hits += found.low <= 0.9 <= found.high
    assert abs(hits / trials - 0.95) < 0.02  # four standard errors


def test_the_calibration_error_is_the_mean_gap_of_tenths(measures):
    random = np.random.default_rng(5)
    shares, ranks = random.dirichlet(np.ones(4), size=200), random.integers(1, 5, size=200)
    gaps = np.zeros(10)
    for row, rank in zip(shares, ranks, strict=True):
        for r in (1, 2, 3):
            above = row[r:].sum()
            gaps[min(int(10 * above), 9)] += above - (rank > r)
    assert measures.calibration_error(ranks, shares) == pytest.approx(np.abs(gaps).sum() / 600, rel=1e-9)


def test_who_is_sure_and_wrong_is_off_by_one(measures):
    assert measures.calibration_error(np.array([1, 1]), np.array([[0.0, 1.0], [0.0, 1.0]])) == 1.0


def test_ranks_that_were_never_seen_have_no_share(measures):
    wide = measures.spread(np.array([[0.2, 0.8], [1.0, 0.0]]), np.array([2, 4]), 5)
    np.testing.assert_array_equal(wide, [[0, 0.2, 0, 0.8, 0], [0, 1.0, 0, 0, 0]])
