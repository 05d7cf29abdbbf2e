"""The bars of coverage: against their definition step by step, and against adversaries."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.core.conformal import (
    LEVELS,
    MEAN,
    RIGHT,
    THETA,
    conformal,
    nonconformities,
    nonconformity,
    prediction_set,
    reach_of,
)
from ranktron.core.decisions import FirstUnmet, Highest
from ranktron.core.protocol import calibrate, calibration_state, decide, next_calibration_row
from ranktron.core.scorers.thresholded import thresholded

# A scorer whose scores are one hypothesis's.
LAST = thresholded(1, 2, average=False)

MEANS = thresholded(1, 2, average=True)
NINETY = LEVELS.index(0.9)


class Oracle:
    """Every row ever noted is kept, and u is counted anew for each: the definition, in the slowest way."""

    def __init__(self) -> None:
        self.rows: list[tuple[float | None, float]] = []  # the place of the label among all bins, None if it was right; weight
        self.bars = {level: level for level in LEVELS}
        self.mean, self.behind_it, self.seen = 0.0, 0.0, 0

    def place(self, strange: float) -> float:
        ratio = strange / self.mean if self.mean else 0.0
        if ratio < 2.0**-10:
            return 0.0
        if ratio >= 2.0**6:
            return 64.0
        octave = math.floor(math.log2(ratio))
        return 4.0 * (octave + 10) + 4.0 * (ratio / 2.0**octave - 1.0)

    def below(self, place: float) -> float:
        """The weight of rows less strange, those in the same bin being spread evenly over it."""
        weight = 0.0
        for other, own in self.rows:
            if other is None or math.floor(other) < math.floor(place):
                weight += own
            elif math.floor(other) == math.floor(place):
                weight += own * (place - math.floor(place))
        return weight

    def note(self, strange: float, widest: float, right: bool) -> None:
        self.seen += 1
        weight = (1 + 1 / 1000) ** max(0, self.seen - 1000)
        total = weight + sum(own for _, own in self.rows)
        place = None if right else self.place(strange)
        chance = (weight + sum(own for other, own in self.rows if other is None)) / total
        u = 0.0 if place is None else self.below(place) / total
        for level, bar in self.bars.items():
            missed = max(0.0, 1 - bar / chance) if right else float(u >= bar)
            self.bars[level] = max(0.0, bar + max(0.008, 0.5 / math.sqrt(self.seen + 25)) * (missed - (1 - level)))
        self.rows.append((place, weight))
        most = 8 * self.mean if self.mean else math.inf
        self.behind_it = min(self.behind_it + 1, 32)
        self.mean += (min(widest, most) - self.mean) / self.behind_it
        if widest > most:
            self.behind_it /= 2

    def share_below(self, strange: float) -> float:
        weight = (1 + 1 / 1000) ** max(0, self.seen - 999)
        return self.below(self.place(strange)) / (weight + sum(own for _, own in self.rows))

    def bar(self, level: float) -> float:
        """Sets of a higher coverage hold those of a lower one."""
        return max(bar for other, bar in self.bars.items() if other <= level)


def scores_of(kind: str, rng: np.random.Generator, ranks: int = 4) -> np.ndarray:
    if kind == "classes":
        return rng.standard_normal(ranks)
    projection = 2 * rng.standard_normal()
    return np.append(projection - np.linspace(-1.0, 1.0, ranks - 1), projection)


DECISIONS = {"thresholds": FirstUnmet(), "classes": Highest()}
every_kind = pytest.mark.parametrize("kind", DECISIONS)


@every_kind
@pytest.mark.parametrize("rows", [250, 2100], ids=["young", "fading"])
def test_bars_are_as_defined_step_by_step(kind, rows):
    rng, decision, oracle = np.random.default_rng(rows), conformal(DECISIONS[kind]), Oracle()
    for row in range(rows):
        scores = np.zeros(4) if row < 3 else scores_of(kind, rng)  # ties first
        if rng.random() < 0.05:
            scores *= 1e3
        label, predicted = int(rng.integers(4)), decide(decision, scores)
        strange = [nonconformity(decision.decision, scores, predicted, rank) for rank in range(4)]
        if row < 250 or row % 100 == 0:
            shares = np.array([oracle.share_below(one) for one in strange])
            for level in LEVELS:
                is_in = (shares < oracle.bar(level)) | (np.arange(4) == predicted)
                sure = np.abs(shares - oracle.bar(level)) > 1e-9  # not a matter of rounding
                assert (prediction_set(decision, scores[None], 1.0, level)[0] == is_in)[sure].all()
        calibrate(decision, LAST, scores, label, row)
        oracle.note(strange[label], max(strange[0], strange[-1]), label == predicted)
        np.testing.assert_allclose(decision.state[THETA:RIGHT], list(oracle.bars.values()), rtol=0, atol=1e-9)


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=6), st.floats(-12, 12))
def test_strangeness_is_how_far_the_projection_is_from_a_rank(thresholds, projection):
    scores = np.append(projection - np.sort(thresholds), projection)
    predicted = decide(FirstUnmet(), scores)
    for rank in range(len(scores)):
        far, way = nonconformity(FirstUnmet(), scores, predicted, rank), np.sign(rank - predicted)
        beyond = decide(FirstUnmet(), scores + way * (far + 1e-9))
        before = decide(FirstUnmet(), scores + way * max(0.0, far - 1e-9))
        assert far >= 0.0
        assert way * (beyond - rank) >= 0
        assert rank == predicted or far <= 1e-9 or way * (before - rank) < 0


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=6))
def test_strangeness_is_what_a_class_or_one_beyond_it_is_behind(scores):
    scores = np.array(scores)
    predicted = decide(Highest(), scores)
    for rank in range(len(scores)):
        outward = scores[rank:] if rank > predicted else scores[: rank + 1]
        expected = min(scores.max() - outward)
        assert nonconformity(Highest(), scores, predicted, rank) == expected


@every_kind
def test_a_table_is_as_strange_as_its_rows(kind):
    rng = np.random.default_rng(5)
    table = np.array([scores_of(kind, rng).round(1) for _ in range(200)] + [np.zeros(4)])
    strange, predicted = nonconformities(DECISIONS[kind], table)
    for scores, own, rank in zip(table, strange, predicted):
        assert rank == decide(DECISIONS[kind], scores)
        others = [r for r in range(4) if r != rank]
        assert [own[r] for r in others] == [nonconformity(DECISIONS[kind], scores, rank, r) for r in others]


def adversarial(choose, rows, kind="thresholds"):
    """The misses of each level after every row, where ``choose`` sees the sets before it names the label."""
    rng, decision, misses = np.random.default_rng(3), conformal(DECISIONS[kind]), np.zeros((rows, len(LEVELS)))
    for row in range(rows):
        scores = scores_of(kind, rng) * math.exp(row / 300)
        sets = [prediction_set(decision, scores[None], 1.0, level)[0] for level in LEVELS]
        label = choose(row, sets)
        misses[row] = [not own[label] for own in sets]
        calibrate(decision, LAST, scores, label, 0)
    return misses.cumsum(axis=0)


def outside(row, sets, level=NINETY):
    """A label that the interval leaves out, if there is one: the furthest."""
    return int(np.argmin(sets[level])) if row % 2 else 3 - int(np.argmin(sets[level][::-1]))


ADVERSARIES = {
    "always outside of 90 %": outside,
    "outside of 50 %": lambda row, sets: outside(row, sets, 0),
    "harmless, then outside": lambda row, sets: int(np.argmax(sets[0])) if row < 1000 else outside(row, sets),
    "in turns": lambda row, sets: outside(row, sets) if row // 100 % 2 else int(np.argmax(sets[0])),
}


@every_kind
@pytest.mark.parametrize("choose", ADVERSARIES.values(), ids=ADVERSARIES)
def test_no_stream_at_all_is_missed_more_often_than_the_bound_says(choose, kind):
    missed, rows = adversarial(choose, 2000, kind), np.arange(1, 2001)
    for level, own in zip(LEVELS, missed.T):
        step = np.maximum(0.008, 0.5 / np.sqrt(rows + 25))
        assert (own <= (1 - level) * rows + (1 + step) / step).all(), level


def test_who_is_always_outside_if_possible_is_so_as_often_as_asked_for():
    missed = adversarial(outside, 4000)[:, NINETY]
    assert 0.08 <= missed[-1] / 4000 <= 0.12


@pytest.mark.parametrize("scores", [[math.nan, 0.0, 1.0], [math.inf, 1.0, 2.0], [math.inf, -math.inf, 0.0]])
@every_kind
def test_scores_that_are_not_finite_teach_nothing(kind, scores):
    decision = conformal(DECISIONS[kind])
    before = decision.state.copy()
    with np.errstate(all="ignore"):
        calibrate(decision, LAST, np.array(scores), 1, 0)
    assert decision.state.tolist() == before.tolist()


def test_a_monstrous_row_does_not_widen_what_others_are_told():
    rng, decision = np.random.default_rng(0), conformal(FirstUnmet())
    for _ in range(500):
        calibrate(decision, LAST, scores_of("thresholds", rng), int(rng.integers(4)), 0)
    before, reach = decision.state[MEAN], reach_of(decision.state, 0.9)
    calibrate(decision, LAST, 1e300 * scores_of("thresholds", rng), 1, 0)
    assert decision.state[MEAN] == pytest.approx(before * (1 + 7 / 32))
    assert reach <= reach_of(decision.state, 0.9) < 1.5 * reach


def test_where_all_rows_grow_at_once_the_mean_follows_in_a_few():
    rng, decision = np.random.default_rng(0), conformal(FirstUnmet())
    for _ in range(500):
        calibrate(decision, LAST, scores_of("thresholds", rng), int(rng.integers(4)), 0)
    before = decision.state[MEAN]
    for _ in range(12):
        calibrate(decision, LAST, 1e6 * scores_of("thresholds", rng), 1, 0)
    assert 1e5 < decision.state[MEAN] / before < 1e7


def test_sums_over_many_hypotheses_are_as_strange_as_their_mean():
    rng, sums, means = np.random.default_rng(2), conformal(FirstUnmet()), conformal(FirstUnmet())
    for age in range(1, 300):
        scores, label = scores_of("thresholds", rng), int(rng.integers(4))
        calibrate(means, LAST, scores, label, age)
        calibrate(sums, MEANS, 256.0 * scores, label, 256)
    assert sums.state.tolist() == means.state.tolist()
    assert (prediction_set(sums, 256.0 * scores[None], 256.0, 0.8) == prediction_set(means, scores[None], 1.0, 0.8)).all()


def noted_from(start, stop, **how):
    """The rows that are noted, each found from the one before."""
    decision, noted = conformal(FirstUnmet(), **how), []
    with np.errstate(all="ignore"):
        while (start := next_calibration_row(decision, start)) < stop:
            noted.append(int(start))
            start += 1
    return noted


def test_all_first_rows_are_noted_and_then_one_of_a_block_in_step_with_no_period():
    noted = np.zeros(1_000_000, bool)
    noted[noted_from(0, len(noted))] = True
    assert noted[: 2**11].all()
    for power in range(11, 19):
        size = min(2 ** (power - 10), 64)
        assert (noted[2**power : 2 ** (power + 1)].reshape(-1, size).sum(axis=1) == 1).all()
    assert noted_from(10**6, 10**6 + 100, all_rows=True) == list(range(10**6, 10**6 + 100))
    for period in range(2, 65):
        shares = [noted[2**16 + start :: period].mean() for start in range(period)]
        assert max(shares) < 1.2 / 64
        assert min(shares) > 0.8 / 64


@pytest.mark.parametrize("start", [2_000, 4_000, 65_000, 2**31 - 512, 2**40])
def test_rows_are_noted_by_their_number_alone(start):
    stop = np.int64(start + 1000)
    noted = noted_from(np.int64(start), stop)
    for between in range(start, start + 1000, 7):
        assert noted_from(np.int64(between), stop) == [age for age in noted if age >= between]


def test_the_state_of_what_it_wraps_is_kept_too():
    assert set(calibration_state(conformal(FirstUnmet()))) == {"intervals"}
