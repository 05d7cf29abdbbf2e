"""Made ratings are of the size and kind of MovieLens 100k."""

from __future__ import annotations

import numpy as np

from ranktron.data.sets import Collaboration
from ranktron.data.synthetic import ratings


def test_they_are_like_movielens() -> None:
    """Its 100,000 ratings have the mean 3.53 and the deviation 1.13; half of the 943 people give 65 at most, one of them 737."""
    made = ratings(seed=0)
    assert abs(len(made.ratings) - 100_000) < 500
    assert abs(made.ratings.mean() - 3.53) < 0.1
    assert abs(made.ratings.std() - 1.13) < 0.05
    counts = Collaboration(made).counts  # which refuses a pair that is rated twice
    assert counts.min() >= 20
    assert 55 < np.median(counts) < 75
    assert 600 < counts.max() < 900


def test_a_seed_gives_the_same_again() -> None:
    one, again, other = (ratings(500, people=20, items=40, seed=seed) for seed in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(one[:5], again[:5]))
    assert one.ratings.tolist() != other.ratings.tolist()
