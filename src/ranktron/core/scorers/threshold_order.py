"""Thresholds in order."""

from __future__ import annotations

from ...compile.generic import inline


@inline
def put_in_order(b):
    """Move the thresholds to the nearest ones that are in order: neighbours that are not are pooled at their mean."""
    for r in range(1, b.shape[0]):
        start, total, mean = r, b[r], b[r]
        while start > 0 and b[start - 1] > mean:
            start -= 1
            total += b[start]
            mean = total / (r + 1 - start)
        for s in range(start, r + 1):
            b[s] = mean
