"""Coins fall by the seed, the example and the member alone, and as often as they should, whichever way one looks at them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from ranktron.core import hashed_random

# The tests are the same at every run: a coin that passes always passes, and one with a flaw of a percent or two never does.
UNLIKELY = 1e-4

SEEDS = (0, 1, 12_345, 2**64 - 1)
TAUS = (0.02, 0.3, 0.5, 0.9)
STEPS = {**{f"tau={tau}": hashed_random.bernoulli(tau) for tau in TAUS}, "poisson": hashed_random.poisson()}


def fallen(steps, examples=1000, members=1000, seed=0, first=0, start=0):
    """How often each member is shown each example, one row an example."""
    counts = np.zeros((examples, members), np.uint32)
    with np.errstate(over="ignore"):
        for t in range(examples):
            hashed_random.coin_flips(counts[t], np.uint64(seed), start + t, first, steps)
    return counts.astype(int)


def law(steps):
    """The probability of 0, 1, … times, the last one of that often or oftener."""
    edges = np.concatenate([[0.0], steps / 2.0**32, [1.0]])
    chances = np.diff(edges)
    rare = np.flatnonzero(chances < 0.01)
    last = rare[0] if len(rare) else len(chances)
    return np.append(chances[: last - 1], chances[last - 1 :].sum())


def assert_follows(counts, chances):
    seen = np.bincount(np.minimum(counts, len(chances) - 1).ravel(), minlength=len(chances))
    assert stats.chisquare(seen, chances * counts.size).pvalue > UNLIKELY, seen / counts.size


def assert_independent(one, other, chances):
    """The pairs occur as often as the product of their chances says."""
    top = len(chances) - 1
    pairs = np.minimum(one, top) * len(chances) + np.minimum(other, top)
    assert_follows(pairs, np.outer(chances, chances).ravel())


def test_a_coin_is_a_pure_function():
    once = fallen(STEPS["poisson"], 20, 50, seed=3)
    np.random.default_rng().random()
    assert (fallen(STEPS["poisson"], 20, 50, seed=3) == once).all()
    assert (fallen(STEPS["poisson"], 8, 50, seed=3, start=5) == once[5:13]).all()


@pytest.mark.parametrize("cuts", [(0, 50), (0, 1, 2, 49, 50), (0, 32, 50)])
def test_members_may_be_asked_in_parts(cuts):
    whole = fallen(STEPS["tau=0.3"], 20, 50, seed=7)
    parts = [fallen(STEPS["tau=0.3"], 20, stop - start, seed=7, first=start) for start, stop in itertools.pairwise(cuts)]
    assert (np.hstack(parts) == whole).all()


@pytest.mark.parametrize("tau", [*TAUS, 1e-9, 0.1, 1 / 3, 1.0])
def test_the_chance_of_being_shown_is_tau_to_32_bits(tau):
    (step,) = hashed_random.bernoulli(tau)
    assert (2**32 - int(step)) / 2**32 == pytest.approx(tau, abs=2.0**-32)


def test_members_with_the_least_tau_are_still_shown_something():
    assert hashed_random.bernoulli(5e-324)[0] == 2**32 - 1


def test_poissons_steps_are_the_distribution_function():
    expected = stats.poisson(1).cdf(np.arange(12))
    assert hashed_random.poisson() / 2.0**32 == pytest.approx(expected, abs=2.0**-32)


@pytest.mark.parametrize("seed", SEEDS)
def test_tau_one_shows_everything_once(seed):
    assert (fallen(hashed_random.bernoulli(1.0), 200, 1000, seed) == 1).all()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", STEPS)
def test_frequencies_are_the_laws(kind, seed):
    counts, chances = fallen(STEPS[kind], 400, 1000, seed), law(STEPS[kind])
    assert_follows(counts, chances)
    for one in (0, 1, 31, 32):  # one member over the examples and one example over the members
        assert_follows(fallen(STEPS[kind], 4000, 1, seed, first=one), chances)
        assert_follows(fallen(STEPS[kind], 1, 100_000, seed, start=one), chances)


@pytest.mark.parametrize("axis", [0, 1], ids=["over examples", "over members"])
@pytest.mark.parametrize("tau", TAUS)
def test_how_many_are_shown_is_binomial(tau, axis):
    """Coins that agree in pairs could still fall together in crowds: then these sums would vary too much or too little."""
    sums = fallen(hashed_random.bernoulli(tau), seed=5).sum(axis=axis)
    spread = 1000 * tau * (1 - tau)
    assert abs(sums.mean() - 1000 * tau) < 4 * math.sqrt(spread / 1000)
    tail = stats.chi2(999).cdf(((sums - 1000 * tau) ** 2).sum() / spread)
    assert UNLIKELY < tail < 1 - UNLIKELY


@pytest.mark.parametrize("apart", [1, 2, 3, 7, 8, 32, 64, 256])
@pytest.mark.parametrize("kind", STEPS)
def test_near_members_and_near_examples_do_not_know_of_each_other(kind, apart):
    counts, chances = fallen(STEPS[kind], 600, 600, seed=apart), law(STEPS[kind])
    lower = np.flatnonzero(np.arange(600 - apart) // apart % 2 == 0)  # so that no coin is in two pairs
    upper = lower + apart
    assert_independent(counts[:, lower], counts[:, upper], chances)
    assert_independent(counts[lower], counts[upper], chances)
    assert_independent(counts[np.ix_(lower, lower)], counts[np.ix_(upper, upper)], chances)
    assert_independent(counts[np.ix_(lower, upper)], counts[np.ix_(upper, lower)], chances)


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 2), (0, 2**32), (7, 2**63)])
@pytest.mark.parametrize("kind", ["tau=0.3", "poisson"])
def test_seeds_do_not_know_of_each_other(kind, one, other):
    counts = [fallen(STEPS[kind], 300, 300, seed) for seed in (one, other)]
    assert_independent(*counts, law(STEPS[kind]))


def chosen(size, numbers, seed):
    with np.errstate(over="ignore"):
        return np.array([hashed_random.below(size, np.uint64(seed), number) for number in range(numbers)])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [2, 3, 7, 64, 100])
def test_below_is_uniform_and_each_number_is_drawn_anew(size, seed):
    numbers = chosen(size, 20_000, seed)
    assert ((numbers >= 0) & (numbers < size)).all()
    assert_follows(numbers, np.full(size, 1 / size))
    if size < 64:
        assert_independent(numbers[:-1:2], numbers[1::2], np.full(size, 1 / size))


def test_below_one_there_is_only_zero():
    assert not chosen(1, 100, seed=0).any()


def test_other_seeds_choose_others():
    draws = [chosen(10, 1000, seed) for seed in SEEDS]
    for i in range(len(draws)):
        for j in range(i):
            assert_independent(draws[i], draws[j], np.full(10, 0.1))
