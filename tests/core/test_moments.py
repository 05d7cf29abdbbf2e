"""What is known of columns, against exact statistics: for large numbers that hardly differ, for very many rows, and for noise."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ranktron.core.moments import CENTRED, HEAVY, NEXT, WEIGHT, Moments, moments, restore_moments, scaling_now, update_moments
from ranktron.core.rows import CSR

CENTRES = [True, False]


def started(n_columns: int, centred: bool, forget: float | None = None) -> Moments:
    known = moments(n_columns, forget)
    known.tally[CENTRED] = float(centred)
    return known


def as_room(row: np.ndarray, centred: bool) -> Any:
    """One row as it is taken in: sparse where it is not centred."""
    if centred:
        return row[None, :]
    (columns,) = np.nonzero(row)
    return CSR(np.array([0, len(columns)]), columns, row[columns])


def taken_in(known: Moments, rows: np.ndarray) -> np.ndarray:
    """Let rows count; returns what was there before the last."""
    old = np.empty((6, max(rows.shape[1], 2)))
    for row in rows:
        update_moments(as_room(row, known.tally[CENTRED] == 1.0), 0, known, old)
    return old


def exact(column: np.ndarray, weights: list[Fraction] | None = None) -> tuple[Fraction, Fraction]:
    """The mean and the variance without rounding."""
    values = [Fraction(value) for value in column.tolist()]
    weights = weights or [Fraction(1)] * len(values)
    mean = sum(weight * value for weight, value in zip(weights, values)) / sum(weights)
    return mean, sum(weight * (value - mean) ** 2 for weight, value in zip(weights, values)) / sum(weights)


def deviation(variance: Fraction) -> float:
    return math.sqrt(float(variance))


@pytest.mark.parametrize("centred", CENTRES)
@pytest.mark.parametrize(
    ("centre", "spread", "tolerance"), [(0.0, 1.0, 1e-14), (1e9, 1.0, 1e-6), (1e9, 1e-3, 1e-3), (-1e-9, 1e-3, 1e-14)]
)
def test_means_and_deviations_are_the_exact_ones(centre: float, spread: float, tolerance: float, centred: bool) -> None:
    """Numbers of 1e9 are 1.2e-7 apart, and so is what a mean of them can be: a part of the deviation that shows."""
    rows = centre + spread * np.random.default_rng(0).standard_normal((400, 2))
    known = started(2, centred)
    taken_in(known, rows)
    centres, inverses = scaling_now(known)
    for column in range(2):
        mean, variance = exact(rows[:, column])
        assert inverses[column] * deviation(variance) == pytest.approx(1.0, rel=tolerance)
        assert centres[column] == pytest.approx(float(mean) if centred else 0.0, abs=tolerance * spread)


@pytest.mark.parametrize("share", [0.02, 0.5])
def test_sparse_columns_count_the_zeros_between(share: float) -> None:
    random = np.random.default_rng(1)
    rows = np.where(random.random((500, 3)) < share, 5.0 + random.standard_normal((500, 3)), 0.0)
    rows[:300, 1] = 0.0
    known = started(3, False)
    taken_in(known, rows)
    _, inverses = scaling_now(known)
    assert inverses == pytest.approx([1.0 / deviation(exact(column)[1]) for column in rows.T], rel=1e-13)


@pytest.mark.parametrize("centred", CENTRES)
def test_after_a_billion_rows_nothing_drifts(centred: bool) -> None:
    """They were as if the first hundred rows had come ten million times over: what is added then is merged exactly."""
    random = np.random.default_rng(2)
    first, more = 3.0 + random.standard_normal((100, 1)), 3.5 + random.standard_normal((500, 1))
    known, times = started(1, centred), 10_000_000
    mean, variance = exact(first[:, 0])
    known.mean[0], known.squares[0] = float(mean), float(variance) * 100 * times
    known.stored[0] = known.tally[WEIGHT] = 100.0 * times
    taken_in(known, more)
    mean, variance = exact(np.concatenate([first[:, 0], more[:, 0]]), [Fraction(times)] * 100 + [Fraction(1)] * 500)
    assert known.mean[0] == pytest.approx(float(mean), rel=1e-14)
    assert scaling_now(known)[1][0] == pytest.approx(1.0 / deviation(variance), rel=1e-13)


@pytest.mark.parametrize("centred", CENTRES)
def test_forgetting_is_to_weigh_by_age(centred: bool) -> None:
    """Over so many rows, half of the past being forgotten with each, weights are made light again three times."""
    rows = np.random.default_rng(3).integers(1, 9, (1_000, 1)).astype(float)
    known = started(1, centred, forget=0.5)
    taken_in(known, rows)
    mean, variance = exact(rows[-80:, 0], [Fraction(1, 2) ** age for age in range(80)][::-1])  # 2**-80 is less than rounding
    assert known.mean[0] == pytest.approx(float(mean), rel=1e-13)
    assert scaling_now(known)[1][0] == pytest.approx(1.0 / deviation(variance), rel=1e-13)
    assert known.tally[WEIGHT] <= 2 * HEAVY


@pytest.mark.parametrize("values", [(0.1 + 0.2, 0.3), (7.0, 7.0), (1e9, math.nextafter(1e9, 2e9)), (0.0, 0.0)])
@pytest.mark.parametrize("centred", CENTRES)
def test_columns_that_differ_by_rounding_are_constant(values: tuple[float, float], centred: bool) -> None:
    known = started(1, centred)
    taken_in(known, np.array([values] * 50).reshape(-1, 1))
    assert scaling_now(known)[1][0] == 0.0


def test_columns_that_differ_by_more_are_not() -> None:
    known = started(1, True)
    taken_in(known, np.array([[1.0], [1.0 + 2.0**-48]] * 50))
    assert scaling_now(known)[1][0] == pytest.approx(2.0**49, rel=1e-3)


@pytest.mark.parametrize("forget", [None, 0.25])
@pytest.mark.parametrize("centred", CENTRES)
def test_a_row_that_is_put_back_was_never_there(centred: bool, forget: float | None) -> None:
    rows = np.random.default_rng(4).integers(0, 3, (30, 4)).astype(float)
    known = started(4, centred, forget)
    taken_in(known, rows[:29])
    before = [part.copy() for part in known[:7]]
    old = taken_in(known, rows[29:])
    assert known.tally[NEXT] >= 1.0
    assert any((part != kept).any() for part, kept in zip(known[:7], before))
    restore_moments(as_room(rows[29], centred), known, old)
    assert [part.tobytes() for part in known[:7]] == [part.tobytes() for part in before]
