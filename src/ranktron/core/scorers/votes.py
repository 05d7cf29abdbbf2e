"""Votes of many hypotheses, and what they come to."""

from __future__ import annotations

from ...compile.generic import inline

# How votes are combined: their mean and their median cut ranks like thresholds, the others are one number a rank.
MEAN, MEDIAN, PLURALITY, SHARES = range(4)

COMBINATIONS = {"mean": MEAN, "median": MEDIAN, "plurality": PLURALITY}


@inline
def count_votes(votes, combine):
    """Turn votes, one number a rank, into scores, in place.

    The mean and the median are on or above mark r + ½ if score r is not negative, so that halves go up; the last place gets the
    mean rank times all votes.
    """
    k = votes.shape[0]
    if combine >= PLURALITY:
        return
    total, ranks = 0.0, 0.0
    for r in range(k):
        total += votes[r]
        ranks += r * votes[r]
    above = total
    for r in range(k - 1):
        above -= votes[r]
        votes[r] = ranks - (r + 0.5) * total if combine == MEAN else 2.0 * above - total
    votes[k - 1] = ranks
