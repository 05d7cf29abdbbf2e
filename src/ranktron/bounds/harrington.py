"""Harrington (2003): OAP, an ensemble of PRanks that each see a part of the stream."""

from __future__ import annotations

from .crammer_singer import prank_loss_tighter


def oap_updates(n_members: int, n_ranks: int, R: float, gamma: float) -> float:
    """The updates of all members together, on a stream with margin gamma; each has PRank's bound of section 2.

    A part of the rows has at least the margin of all. Where the paper defines R as the largest squared norm, it means the largest
    norm.
    """
    return n_members * prank_loss_tighter(n_ranks, R, gamma)
