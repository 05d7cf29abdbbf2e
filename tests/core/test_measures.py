"""Orders and measures of one list: what they are by definition, and compiled code the same as interpreted."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ranktron.compile.policy import Loop
from ranktron.core.measures import NDCG, AveragePrecision, best_first, discounts, exponential, ndcg_smallest_loss, reach, value_of

few_scores = st.lists(st.sampled_from([-1.5, -0.0, 0.0, 0.25, 2.0]), min_size=1, max_size=40)
scores_of_any_kind = few_scores | st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=60)
grades = st.lists(st.integers(0, 4), min_size=1, max_size=30)


def by_definition(scores: list[float], count: int) -> list[int]:
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:count]


def order(values: Any, count: int) -> np.ndarray:
    places = np.full(len(values), -1)
    best_first(np.asarray(values, np.float64), count, places)
    return places


def value(measure: Any, gains: Any, scores: Any) -> float:
    gains, count = np.asarray(gains, np.float64), reach(measure, len(gains))
    return float(value_of(measure, gains, order(scores, count)[:count], order(gains, count)[:count]))


@given(scores_of_any_kind, st.data())
def test_the_best_come_first_and_of_equals_the_lower_index(scores: list[float], data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(scores)))
    places = order(scores, count)
    assert places[:count].tolist() == by_definition(scores, count)
    assert (places[count:] == -1).all()


def test_discounts() -> None:
    assert discounts(4).tolist() == [1.0, 1 / math.log2(3), 0.5, 1 / math.log2(5)]
    assert discounts(0).shape == (0,)


def test_reach() -> None:
    table = discounts(9)
    assert [reach(NDCG(0, table), count) for count in (1, 9)] == [1, 9]
    assert [reach(NDCG(5, table), count) for count in (1, 5, 9)] == [1, 5, 5]
    assert [reach(AveragePrecision(), count) for count in (1, 9)] == [1, 9]


@given(grades, st.data())
def test_ndcg_is_its_formula(gains: list[int], data: st.DataObject) -> None:
    scores = data.draw(st.lists(st.integers(0, 5), min_size=len(gains), max_size=len(gains)))
    cutoff = data.draw(st.integers(0, len(gains) + 2))
    top = cutoff or len(gains)
    got = sum(gains[i] / math.log2(place + 2) for place, i in enumerate(by_definition(scores, top)))
    best = sum(gain / math.log2(place + 2) for place, gain in enumerate(sorted(gains, reverse=True)[:top]))
    expected = got / best if best else math.nan
    assert value(NDCG(cutoff, discounts(len(gains))), gains, scores) == pytest.approx(expected, rel=1e-13, nan_ok=True)


@given(st.lists(st.integers(0, 1), min_size=1, max_size=30), st.data())
def test_average_precision_is_its_formula(gains: list[int], data: st.DataObject) -> None:
    scores = data.draw(st.lists(st.integers(0, 5), min_size=len(gains), max_size=len(gains)))
    ranked = [gains[i] for i in by_definition(scores, len(gains))]
    precisions = [Fraction(sum(ranked[: place + 1]), place + 1) for place in range(len(ranked)) if ranked[place]]
    expected = float(sum(precisions) / len(precisions)) if precisions else math.nan
    assert value(AveragePrecision(), gains, scores) == pytest.approx(expected, rel=1e-13, nan_ok=True)


@given(st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=40), st.integers(0, 12))
@example([0.1, 0.1, 0.1], 0)
def test_a_perfect_order_counts_exactly_one(gains: list[float], cutoff: int) -> None:
    perfect = value(NDCG(cutoff, discounts(len(gains))), gains, gains)
    assert perfect == 1.0 if any(gains) else math.isnan(perfect)
    relevant = np.array(gains) > 0.5
    perfect = value(AveragePrecision(), relevant, relevant)
    assert perfect == 1.0 if relevant.any() else math.isnan(perfect)


@Loop
def judge(measure: Any, scores: Any, gains: Any, counts: Any, by_score: Any, by_gain: Any, places: Any, values: Any) -> None:
    for q in range(values.shape[0]):
        own = scores[q]
        best_first(own, counts[q], by_score)
        for place in range(counts[q]):
            places[q, place] = by_score[place]
        count = reach(measure, own.shape[0])
        best_first(own, count, by_score)
        best_first(gains[q], count, by_gain)
        values[q] = value_of(measure, gains[q], by_score[:count], by_gain[:count])


# Around the lengths where compiled code changes its way.
LENGTHS = (1, 2, 3, 10, 31, 32, 33, 47, 48, 49, 64, 100, 255, 256, 257, 300)


@pytest.mark.compiled
@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("spread", [1, 3, 10**6], ids=["all equal", "many equal", "few equal"])
def test_compiled_code_orders_and_judges_as_interpreted_code_does(length: int, spread: int) -> None:
    random = np.random.default_rng(length)
    scores = np.concatenate([random.integers(0, spread, (70, length)), [np.arange(length), -np.arange(length)]]) / 3
    gains = random.integers(0, 2, scores.shape) * 1.0
    counts = random.integers(0, length + 1, len(scores))
    counts[::5], counts[1::5] = length, np.minimum(32, length)
    for measure in (AveragePrecision(), NDCG(0, discounts(length)), NDCG(10, discounts(10))):
        results = []
        for loop in (judge.interpreted, judge.compiled):
            by_score, by_gain, places = np.full(length, -7), np.full(length, -7), np.full(scores.shape, -1)
            values = np.empty(len(scores))
            loop(measure, scores, gains, counts, by_score, by_gain, places, values)
            results.append((places.tolist(), values.tobytes()))
        assert results[0] == results[1]


@pytest.mark.compiled
@pytest.mark.parametrize(("length", "count"), [(20, 20), (60, 10)])
def test_a_score_that_is_no_number_leads_compiled_code_nowhere_else(length: int, count: int) -> None:
    scores = np.full((1, length), np.nan)
    scores[0, ::9] = 1.0
    by_score, by_gain, places = np.full(length, 10**12), np.full(length, 10**12), np.zeros((1, length), np.int64)
    values, counts = np.empty(1), np.array([count])
    judge.compiled(NDCG(10, discounts(10)), scores, np.ones((1, length)), counts, by_score, by_gain, places, values)
    assert places.min() >= 0
    assert places.max() < length


@pytest.mark.parametrize("m", [1, 2, 3, 10, 257, 3000])
@pytest.mark.parametrize("highest", [0, 1, 4, 30])
def test_the_smallest_loss_of_ndcg_is_that_of_some_exchange_of_neighbours(m: int, highest: int) -> None:
    weights, gains, losses = discounts(m), exponential(np.arange(highest + 1.0)), [math.inf]
    before = np.cumsum(weights) - weights
    behind = weights.sum() - before - weights
    for low, high in itertools.pairwise(gains):
        best = gains[-1] * before + high * weights + low * behind
        losses += ((high - low) * -np.diff(weights) / best[:-1]).tolist()
    assert ndcg_smallest_loss(m, highest) == min(losses)
