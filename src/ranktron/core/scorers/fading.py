"""What a scorer does for a mean in which the past counts less and less."""

from __future__ import annotations

from ...compile.generic import verb

__all__ = ["hold_weighted", "scale_line", "scale_sums"]


@verb
def hold_weighted(scorer, weight):
    """Count the hypothesis held after a row into the sums so many times: what ``hold`` does once."""


@verb
def scale_sums(scorer, factor):
    """Multiply all that was summed up over time, not the hypothesis."""
    scale_line(scorer.lag, factor)


@verb
def scale_line(sums, factor):
    """sums *= factor, in a loop: nothing is allocated."""
    for j in range(sums.shape[0]):
        sums[j] *= factor
