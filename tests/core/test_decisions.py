"""Decisions against the papers' definitions, ties included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.core.decisions import FirstUnmet, Highest
from ranktron.core.protocol import decide

from ..papers import crammer_singer as paper

tied = st.sampled_from([-2.0, -1.0, -0.0, 0.0, 1.0, 2.0])


@given(b=st.lists(tied, max_size=6).map(sorted), f=tied)
def test_the_first_unmet_threshold_is_section_2s_prediction(b, f):
    scores = np.array([f - b_r for b_r in b] + [f])
    assert 1 + decide(FirstUnmet(), scores) == paper.first_unmet(f, b)


@pytest.mark.parametrize(
    ("scores", "rank"),
    [
        ([0.0, 0.0, 0.0], 2),  # on every threshold is above every threshold
        ([1.0, 0.0, -9.0], 2),
        ([1.0, -5e-324, 9.0], 1),  # the last place is the projection, no threshold
        ([-1.0, -1.0, 9.0], 0),
        ([-0.0, -1.0, -9.0], 1),
        ([3.0], 0),  # one rank only
    ],
)
def test_a_projection_on_a_threshold_is_above_it(scores, rank):
    assert decide(FirstUnmet(), np.array(scores)) == rank


@given(scores=st.lists(tied, min_size=1, max_size=6))
def test_the_highest_class_is_the_lowest_of_equals(scores):
    assert 1 + decide(Highest(), np.array(scores)) == paper.highest(scores)


@pytest.mark.parametrize(("scores", "rank"), [([0.0, 0.0], 0), ([-0.0, 0.0], 0), ([1.0, 2.0, 2.0], 1), ([-3.0, -2.0, -1.0], 2)])
def test_highest_by_hand(scores, rank):
    assert decide(Highest(), np.array(scores)) == rank
