"""What a scorer does for a mean in which the past counts less and less."""

from __future__ import annotations

from ...compile.generic import generic, inline

__all__ = ["accumulate_weighted", "scale_array", "scale_averages"]


@generic
def accumulate_weighted(scorer, weight):
    """Count the hypothesis held after a row into the sums so many times: what ``hold`` does once."""


@generic
def scale_averages(scorer, factor):
    """Multiply all that was summed up over time, not the hypothesis."""
    scale_array(scorer.lag, factor)


@inline
def scale_array(sums, factor):
    """sums *= factor, in a loop: nothing is allocated."""
    for j in range(sums.shape[0]):
        sums[j] *= factor
