"""Bounds on the expected loss of fresh rows, from the progressive loss on a stream; they hold with high probability.

Each row is predicted before it is learned, so its loss is that of a hypothesis which has never seen it. If the rows are drawn
independently from one distribution, the expected loss of row t is the risk of the hypothesis before it: its expected loss on any
fresh row. So the sum of the losses differs from the sum of the risks by chance only, and the difference can be bounded.

Bounded is the mean risk of the hypotheses held before each row, which is the risk of one of them drawn at random. For a loss that
is convex in the prediction it would bound the risk of their average, too (Cesa-Bianchi, Conconi & Gentile 2004). The ranking loss
and 1 - NDCG are not convex. So the bound does not cover the averaged hypothesis or the last one, though both are mostly better.
For a fixed hypothesis, evaluated on rows that it has not learned, the same bounds hold for that hypothesis.
"""

from __future__ import annotations

import math

import numpy as np

# The λ of `future_loss`. Each is √2 times the one before, so any other λ would be only slightly better than one of these.
TILTS = np.geomspace(2.0**-14, 2.0**5, 39)


def future_loss(total: float, rounds: int, largest: float = 1.0, confidence: float = 0.95) -> float:
    """A bound on the mean risk of the hypotheses of ``rounds`` rounds with losses from 0 to ``largest`` and the sum ``total``.

    It holds with probability ``confidence`` for all lengths of the stream at once, so you may evaluate it as often as you like.

    For losses ℓ_t in [0, 1] with expectations p_t given the past, E exp(-λ ℓ_t) ≤ 1 - c p_t, where c = 1 - exp(-λ). So the
    product of exp(-λ ℓ_t) / (1 - c p_t) is a supermartingale that starts at 1, and so is its mean over the λ of `TILTS`: by
    Ville's inequality the probability that it ever reaches 1/δ is at most δ. As -log(1 - c p) is convex in p, the mean risk p
    satisfies mean_λ exp(-λ Σ ℓ_t) / (1 - c p)^n < 1/δ, and the bound is the p where equality holds.

    >>> round(future_loss(0.0, 1_000), 4), round(future_loss(100.0, 1_000), 4), round(future_loss(100.0, 1_000, 4.0), 4)
    (0.0044, 0.1351, 0.1812)
    """
    share = _checked(total, rounds, largest, confidence)
    log_limit = -math.log1p(-confidence)
    low, high = share, 1.0
    if _log_wealth(share * rounds, rounds, 1.0) < log_limit:
        return largest
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if _log_wealth(share * rounds, rounds, middle) < log_limit else (low, middle)
    return high * largest


def _log_wealth(total: float, rounds: int, risk: float) -> float:
    """The logarithm of the mean over λ of exp(-λ total) / (1 - c risk)^rounds."""
    with np.errstate(divide="ignore"):
        terms = -TILTS * total - rounds * np.log1p(np.expm1(-TILTS) * risk)
    return float(np.logaddexp.reduce(terms) - math.log(len(TILTS)))


def future_loss_fixed(total: float, rounds: int, largest: float = 1.0, confidence: float = 0.95) -> float:
    """Proposition 1 of Cesa-Bianchi, Conconi & Gentile (2004): the same for a number of rounds that was fixed in advance.

    It is the mean loss plus ``largest`` · √(ln(1/δ) / 2n). It is the smaller bound if the mean loss
    is about half of the largest.

    >>> round(future_loss_fixed(100.0, 1_000), 4)
    0.1387
    """
    share = _checked(total, rounds, largest, confidence)
    return largest * min(1.0, share + math.sqrt(-math.log1p(-confidence) / (2 * rounds)))


def _checked(total: float, rounds: int, largest: float, confidence: float) -> float:
    """The mean loss divided by the largest."""
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence={confidence!r} should be above 0 and below 1, such as 0.95")
    if rounds < 1:
        raise ValueError(f"rounds={rounds!r} should be 1 or more")
    if not 0.0 < largest < math.inf:
        raise ValueError(f"largest={largest!r} should be the largest loss of a round, a number above 0")
    if not 0.0 <= total <= largest * rounds * (1 + 1e-9):
        raise ValueError(f"total={total!r} should be between 0 and {rounds} rounds times the largest loss, {largest}")
    return min(1.0, total / largest / rounds)
