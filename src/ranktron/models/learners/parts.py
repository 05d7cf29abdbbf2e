"""What an algorithm is put together from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...core.kernel_rows import KernelRows, Support
from ...core.rows import Rows


class KernelView(NamedTuple):
    """How a kernel sees rows."""

    kernel: Any
    support: Support
    budget: int
    policy: int

    def seen(self, rows: Rows) -> KernelRows:
        """The rows, with room for their kernel values."""
        room = np.zeros((2, self.support.points.shape[1]))
        kernel = self.kernel._replace(born=self.support.born) if isinstance(self.kernel, kernels.Given) else self.kernel
        return KernelRows(rows, self.support, kernel, room, np.zeros(1), self.budget, self.policy)


class Parts(NamedTuple):
    """What an algorithm is put together from."""

    scorer: Any
    rule: Any
    decision: Any
    kernel_view: KernelView | None = None
