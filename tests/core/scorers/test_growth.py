"""Scorers that get a new rank or a new feature: order is kept, and nothing that was known is lost."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.core.protocol import accumulate_average
from ranktron.core.scorers.fixed_thresholds import fixed_thresholds
from ranktron.core.scorers.multiplicative import multiplicative
from ranktron.core.scorers.per_class import per_class
from ranktron.core.scorers.protocol import hypothesis, insert_rank, resize, with_threshold
from ranktron.core.scorers.thresholded import thresholded

levels = st.integers(-3, 3).map(float)


def with_rank(place, scorer):
    return insert_rank(scorer, place, 0.0, 0.0)


def with_features(count, scorer):
    return resize(scorer, count)


def learned_cut(average=True):
    scorer = thresholded(2, 4, average)
    scorer.w[:], scorer.b[:] = (1.0, -2.0), (-1.0, 0.0, 4.0)
    if average:
        scorer.lag[:], scorer.total[:] = (3.0, 5.0), (-10.0, 2.0, 30.0)
    return scorer


def learned_multiplicative(average=True, signed=False):
    scorer = multiplicative(2, 4, average, 0.5, 1.0, signed)
    scorer.g[:], scorer.u[:] = (1.0, -2.0), (-2.0, 0.0, 1.0)
    return resize(scorer, 2)  # sets the weights from the exponents


@given(b=st.lists(levels, max_size=5).map(sorted), projection=levels, data=st.data())
def test_a_new_threshold_keeps_the_order_and_all_the_others(b, projection, data):
    place = data.draw(st.integers(0, len(b) + 1))
    grown = with_threshold(np.array(b), place, projection).tolist()
    assert grown == sorted(grown)
    added = grown[min(place, len(b))]
    assert sorted([*b, added]) == grown
    if place == 0:
        assert added == min([projection, *b])
    elif place > len(b):
        assert added == max([projection, *b])
    else:
        assert added == b[place - 1]


@pytest.mark.parametrize(
    ("place", "thresholds", "sums"),
    [
        (0, [-5.0, -1.0, 0.0, 4.0], [-70.0, -10.0, 2.0, 30.0]),  # below: the projection, or the lowest if that is lower
        (1, [-1.0, -1.0, 0.0, 4.0], [-10.0, -10.0, 2.0, 30.0]),  # between: the lower neighbour twice
        (2, [-1.0, 0.0, 0.0, 4.0], [-10.0, 2.0, 2.0, 30.0]),
        (3, [-1.0, 0.0, 4.0, 4.0], [-10.0, 2.0, 30.0, 30.0]),
        (4, [-1.0, 0.0, 4.0, 4.0], [-10.0, 2.0, 30.0, 30.0]),  # above: the highest, which is above this projection
    ],
)
def test_a_cut_gets_a_threshold_for_the_rule_and_for_its_sum(place, thresholds, sums):
    grown = insert_rank(learned_cut(), place, -5.0, -70.0)
    assert (grown.b.tolist(), grown.total.tolist()) == (thresholds, sums)


def test_a_rank_above_all_starts_at_its_projection():
    grown = insert_rank(learned_cut(), 4, 6.0, 90.0)
    assert (grown.b.tolist(), grown.total.tolist()) == ([-1.0, 0.0, 4.0, 6.0], [-10.0, 2.0, 30.0, 90.0])


def test_a_cut_without_a_mean_gets_none():
    grown = insert_rank(learned_cut(average=False), 4, 6.0, 90.0)
    assert grown.b.tolist() == [-1.0, 0.0, 4.0, 6.0]
    assert len(grown.total) == len(grown.lag) == 0


@pytest.mark.parametrize("place", range(4))
def test_a_new_class_weighs_nothing(place):
    scorer = per_class(2, 3, True, True)
    for part in scorer:
        part[:] = np.arange(1.0, part.size + 1).reshape(part.shape)
    grown = insert_rank(scorer, place, 0.0, 0.0)
    for part, before in zip(grown, scorer):
        assert not part[place].any()
        assert (np.delete(part, place, axis=0) == before).all()


def test_marks_follow_from_the_number_of_ranks():
    scorer = fixed_thresholds(2, True, False)
    scorer.w[:] = 3.0, 4.0
    grown = insert_rank(scorer, 1, 0.0, 0.0)
    assert hypothesis(grown, 4, 1).thresholds.tolist() == [1.5, 2.5, 3.5]
    assert grown.w.tolist() == [3.0, 4.0]


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("place", range(5))
def test_a_multiplicative_threshold_is_its_neighbours_twin(place, signed):
    scorer = learned_multiplicative(signed=signed)
    grown = insert_rank(scorer, place, 9.0, 99.0)
    assert (np.diff(grown.b) >= 0).all()
    neighbour = min(max(place - 1, 0), 2)
    assert grown.u.tolist() == sorted([*scorer.u, scorer.u[neighbour]])
    shrunk = grown.w[0] / scorer.w[0]  # and all others alike
    np.testing.assert_allclose(grown.w, shrunk * scorer.w, rtol=1e-12)
    np.testing.assert_allclose(grown.b, shrunk * np.sort([*scorer.b, scorer.b[neighbour]]), rtol=1e-12)


@pytest.mark.parametrize(
    "grow", [*(lambda s, place=place: insert_rank(s, place, 0.0, 0.0) for place in (0, 1, 4)), lambda s: resize(s, 5)]
)
@pytest.mark.parametrize("average", [False, True])
def test_multiplicative_components_still_add_up_to_one(grow, average):
    grown = grow(learned_multiplicative(average))
    assert grown.w[: grown.size[0]].sum() + grown.b.sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(("grow", "doubled"), [(partial(with_rank, 2), [0, 1, 1, 2]), (partial(with_features, 5), [0, 1, 2])])
def test_growing_changes_nothing_of_a_multiplicative_mean_so_far(grow, doubled, signed):
    scorer = learned_multiplicative(signed=signed)
    for _ in range(4):
        accumulate_average(scorer, 1.0)
    before, after = hypothesis(scorer, 4, 4), hypothesis(grow(scorer), 4, 4)
    np.testing.assert_allclose(before.coef, scorer.w, rtol=1e-12)  # held four times out of four
    np.testing.assert_allclose(after.coef[:2], before.coef, rtol=1e-12)
    np.testing.assert_allclose(after.thresholds, before.thresholds[doubled], rtol=1e-12)


@pytest.mark.parametrize("grow", [partial(with_rank, 1), partial(with_features, 50)])
@pytest.mark.parametrize("learned", [learned_cut, learned_multiplicative])
def test_growing_leaves_the_smaller_scorer_as_it_was(grow, learned):
    """A refused example has to leave the model untouched, so it grows a copy."""
    scorer = learned()
    before = [np.copy(part) for part in scorer]
    grow(scorer)
    assert all((part == kept).all() for part, kept in zip(scorer, before))


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize(
    "new", [lambda a: thresholded(3, 4, a), lambda a: per_class(3, 4, a, True), lambda a: fixed_thresholds(3, a, True)]
)
def test_new_features_start_at_zero_and_old_ones_stay(new, average):
    scorer = new(average)
    for part in scorer:
        part[:] = 7.0
    wider = resize(scorer, 5)
    w, lag = wider[0], wider[1]
    assert w.shape[-1] >= 5
    assert (w[..., :3] == 7).all()
    assert not w[..., 3:].any()
    assert len(lag) == (len(w) if average else 0)
    assert not lag[..., 3:].any()


def test_room_is_doubled_so_that_growing_stays_cheap():
    scorer, moves = thresholded(1, 3, True), 0
    for n in range(1, 1001):
        wider = resize(scorer, n)
        moves, scorer = moves + (wider is not scorer), wider
    assert moves <= 10  # log2(1000) is below 10
