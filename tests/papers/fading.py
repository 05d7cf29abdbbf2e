"""Exponential forgetting, said literally: all hypotheses are kept, and each counts by how long ago it was held."""

from __future__ import annotations

from fractions import Fraction

from .crammer_singer import mapped


def faded_averages(run, forget):
    """After each round of a run, the mean ``(w, b)`` of the rules held after every row, that of t rows ago by (1 - forget)^t."""
    kept = []
    for _, w, b in run:
        kept.append(mapped(Fraction, (w, b)))
        yield mapped(lambda *values: weighted_mean(values, 1 - Fraction(forget)), *kept)


def weighted_mean(values, base):
    """The mean of values of which the last counts once, and each one before it ``base`` times the next."""
    weights = [base**ago for ago in reversed(range(len(values)))]
    return sum(weight * value for weight, value in zip(weights, values)) / sum(weights)
