"""Bounds as printed in the papers, where their proofs give others: for experiments, not to be relied on."""

from __future__ import annotations

import math


def prank_mistakes(n_ranks: int, R: float, gamma: float) -> float:
    """Harrington, section 2, which defines R as the largest squared norm; so R is squared twice here.

    It is too small for rows shorter than 1: with norm .64 and two ranks, a single row has loss 1, and this bound is .83.
    """
    return (n_ranks - 1) * (R**4 + 1) / gamma**2


def muprank_loss_at_theory_step(n_ranks: int, n_features: int, gamma: float) -> float:
    """Crammer & Singer, Corollary 2, without the factor 2 that Theorem 4 gives.

    The loss of `halving` with rows of size γ is log₂ n, up to 1.44 times as much: 9 for n = 512 and γ = .99, where this is 6.37.
    """
    return (n_ranks - 1) ** 2 * math.log(n_features + n_ranks - 1) / gamma**2


def predtron_weighted_loss(R: float, gamma: float, heavy: float, light: float) -> float:
    """Jain, Natarajan & Tewari, Corollary 2, with α₂² for α₂.

    It does not depend on the unit of the weights, but the loss does: weights of 30 and 20 with orthogonal rows exceed it.
    """
    return 4 * R**2 * heavy**2 / (light**2 * gamma**2)


def predtron_reject_loss(R: float, gamma: float, dearest: float, cheapest: float) -> float:
    """Jain, Natarajan & Tewari, section 3, for costs of rejecting from ``cheapest`` to ``dearest``.

    It does not follow from Theorem 1, since a wrong label costs 1. It is true nevertheless: nothing is ever rejected, so the
    model is the perceptron of two classes, with at most 2R²/γ² mistakes.
    """
    return 4 * R**2 * dearest**2 / (cheapest**2 * gamma**2)


def slam_loss_inseparable(m: int, R: float, norm: float, v_max: float, surrogate: float) -> float:
    """Chaudhuri & Tewari, Eq. 19, without v_max under the root; Eq. 22 of Theorem 8 has it. No stream is known to exceed it."""
    return surrogate + math.sqrt(4 * norm**2 * m * R**2 * surrogate) + 4 * norm**2 * m * R**2 * v_max
