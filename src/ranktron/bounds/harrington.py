"""Harrington (2003): OAP, many copies of PRank that each see a part of the stream."""

from __future__ import annotations

from .crammer_singer import prank_loss_tighter


def oap_updates(n_members: int, n_ranks: int, R: float, gamma: float) -> float:
    """The updates of all members together, on a stream with margin gamma: each has the bound of section 2, PRank's own.

    A member that sees a part of the rows has at least their margin on it. The paper means the largest norm where it says that
    R is the largest squared norm.
    """
    return n_members * prank_loss_tighter(n_ranks, R, gamma)
