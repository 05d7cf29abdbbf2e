"""How a learner goes back to what it was before a batch that is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.rows import CSR, Rows
from ...core.scorers.protocol import arrays_of, clear_buffers
from ..inputs import Table
from .concurrency import still

if TYPE_CHECKING:
    from .learner import Learner

# Of these numpy does not warn: a batch that leaves a number that is not finite is refused in the end.
IGNORED: dict[str, Any] = {"over": "ignore", "invalid": "ignore"}


def atomically(learner: Learner, table: Table, run: Callable[[], int]) -> int:
    """Let ``run`` learn the rows; if one cannot be learned, undo the others and return which it was, otherwise -1."""
    with learner.lock, np.errstate(**IGNORED):
        learner.view = still(learner) if learner.takes_long(table.rows) else None
        before = Rollback(learner, table.rows)
        try:
            refused = run()
            # Each row was fine on its own, but the sum of huge rows may not be finite: the largest one is named.
            if refused < 0 and before.has_overflowed():
                refused = row_of_largest(table.rows)
        except BaseException:
            before.restore()
            raise
        finally:
            learner.view = None
        if refused >= 0:
            before.restore()
        return refused


class Rollback:
    """A learner as it was, or what of it learning some rows can change: of a sparse batch only the columns that it touches."""

    def __init__(self, learner: Learner, rows: Rows) -> None:
        self._learner, self._trail = learner, learner.trail
        self._parts = learner.scorer, learner.kernel_view, learner.moments
        # A dense batch may change every column, and a copy of all of them is smaller than the batch.
        touched = learner.touched(rows) if isinstance(rows, CSR) else None
        self._kept = [_kept(one.array, touched if one.is_local else None) for one in learner.facts.arrays]
        self._tallies = [(part, part.copy()) for part in learner.facts.tallies.values()]
        if learner.kernel_view is not None:
            self._kept += [(part, ..., part.copy()) for part in learner.kernel_view.support]
        self._scaling = [_kept(part, touched) for part in (learner.moments or ())[:6]]

    def restore(self) -> None:
        """Make the learner as it was."""
        for part, where, before in self._kept + self._scaling:
            part[where] = before
        self._learner.scorer, self._learner.kernel_view, self._learner.moments = self._parts
        self._learner.trail = self._trail
        clear_buffers(self._learner.scorer)
        for part, before in self._tallies:
            part[...] = before
        self._learner.unbind()

    def has_overflowed(self) -> bool:
        """Whether a number that was learned since is not finite."""
        now, before = self._learner.scorer, self._parts[0]
        # Learning may replace the scorer by one with larger buffers; then all of it is looked at.
        kept = [part[where] for part, where, _ in self._kept] if now is before else [one.array for one in arrays_of(now)]
        return not all(np.isfinite(part).all() for part in kept)


def _kept(array: np.ndarray, touched: np.ndarray | None) -> tuple[np.ndarray, Any, np.ndarray]:
    """An array, where of it something may change, and what is there now."""
    if touched is None or len(touched) >= array.shape[-1]:
        return array, ..., array.copy()
    return array, (..., touched), array[..., touched]


def row_of_largest(rows: Rows) -> int:
    """The row with the largest number: the one to blame for an overflow."""
    if isinstance(rows, CSR):
        return int(np.searchsorted(rows.indptr, np.abs(rows.values).argmax(), side="right")) - 1
    return int(np.abs(rows).max(axis=1).argmax())
