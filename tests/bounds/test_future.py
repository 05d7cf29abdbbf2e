"""What the progressive loss says of the future: bounds that are broken no more often than promised."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest

from ranktron import bounds

DELTA = 0.05


def lucky(share, streams):
    """More breaches than this happen once in a thousand if each stream has at most this share."""
    return share + 3.1 * math.sqrt(share * (1 - share) / streams)


def wandering(random, streams, rounds, restless):
    """Risks that depend on the losses before, and losses from 0 to 1 with these risks: binary, or beta distributed."""
    risk, risks, losses = np.full(streams, 0.3), [], []
    for t in range(rounds):
        loss = random.beta(2 * risk, 2 * (1 - risk)) if t % 2 else (random.random(streams) < risk).astype(float)
        risks.append(risk)
        losses.append(loss)
        risk = np.clip(risk + restless * (0.3 - loss), 0.01, 0.9)  # after luck it gets worse, so that luck is not told
    return np.array(risks), np.array(losses)


@pytest.mark.gate(2)
@pytest.mark.parametrize(("rounds", "restless"), [(30, 0.0), (30, 0.3), (200, 0.05), (200, 0.5)])
def test_the_mean_risk_exceeds_its_bound_no_more_often_than_promised(rounds, restless):
    streams = 2_000
    risks, losses = wandering(np.random.default_rng(rounds), streams, rounds, restless)
    mean, totals = risks.mean(axis=0), losses.sum(axis=0)
    for bound in (bounds.future_loss, bounds.future_loss_fixed):
        limits = np.array([bound(total, rounds, 1.0, 1 - DELTA) for total in totals])
        assert (mean > limits).mean() <= lucky(DELTA, streams)


def test_it_does_so_at_no_time_at_all():
    streams, rounds, random = 1_000, 200, np.random.default_rng(5)
    bound, broken = functools.cache(lambda total, t: bounds.future_loss(total, t, 1.0, 0.8)), np.zeros(streams, bool)
    risks, losses, risk = np.zeros(streams), np.zeros(streams), np.full(streams, 0.3)
    for t in range(1, rounds + 1):
        loss = random.random(streams) < risk
        risks, losses = risks + risk, losses + loss
        risk = np.clip(risk + 0.1 * (0.3 - loss), 0.01, 0.9)
        if t in (1, 2, 5, 10, 20, 40, 70, 100, 150, 200):
            broken |= risks / t > [bound(total, t) for total in losses]
    assert broken.mean() <= lucky(0.2, streams)


def test_of_a_fixed_hypothesis_the_exact_chance_of_a_breach_is_below_delta():
    """200 rounds that err with probability p: the sum of the binomial chances of those totals whose bound is below p."""
    rounds = 200
    limits = np.array([bounds.future_loss(total, rounds, 1.0, 1 - DELTA) for total in range(rounds + 1)])
    for p in (0.01, 0.1, 0.3, 0.7):
        chances = [math.comb(rounds, s) * p**s * (1 - p) ** (rounds - s) for s in range(rounds + 1)]
        assert sum(chance for chance, limit in zip(chances, limits) if limit < p) <= DELTA


def test_the_bound_is_where_the_mean_of_the_wealths_is_1_over_delta():
    risk = bounds.future_loss(7.0, 50, 1.0, 0.9)
    wealths = [math.exp(-l * 7) / (1 - (1 - math.exp(-l)) * risk) ** 50 for l in 2.0 ** (np.arange(39) / 2 - 14)]
    assert np.mean(wealths) == pytest.approx(10, rel=1e-6)


def test_the_bound_for_a_settled_length_is_that_of_the_paper():
    assert bounds.future_loss_fixed(12.0, 100, 4.0, 0.99) == pytest.approx(0.12 + 4 * math.sqrt(math.log(100) / 200))
    assert bounds.future_loss_fixed(99.0, 100) == 1.0


def test_more_loss_is_worse_and_more_rounds_are_better():
    by_loss = [bounds.future_loss(total, 100) for total in range(0, 101, 10)]
    assert all(a < b for a, b in itertools.pairwise(by_loss[:-1]))
    assert by_loss[-1] == 1.0
    by_rounds = [bounds.future_loss(0.1 * n, n) for n in (10, 100, 1_000, 10_000, 1_000_000)]
    assert all(a > b for a, b in itertools.pairwise(by_rounds))
    assert by_rounds[-1] < 0.102
    by_confidence = [bounds.future_loss(10, 100, 1.0, c) for c in (0.5, 0.9, 0.99, 0.999999)]
    assert all(a < b for a, b in itertools.pairwise(by_confidence))
    assert bounds.future_loss(40.0, 100, 4.0) == pytest.approx(4 * bounds.future_loss(10.0, 100))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((1.0, 10, 1.0, 1.0), "confidence=1.0 should be above 0 and below 1"),
        ((1.0, 0), "rounds=0 should be 1 or more"),
        ((1.0, 10, 0.0), "largest=0.0 should be the largest loss"),
        ((11.0, 10), "total=11.0 should be between 0 and 10 rounds times the largest loss, 1.0"),
    ],
)
def test_bad_numbers_get_one_sentence(values, sentence):
    for bound in (bounds.future_loss, bounds.future_loss_fixed):
        with pytest.raises(ValueError, match=sentence):
            bound(*values)
