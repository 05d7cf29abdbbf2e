"""The parts of an algorithm."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import kernels
from ...core.kernel_rows import KernelRows, Support
from ...core.rows import Rows


class KernelView(NamedTuple):
    """A kernel, with the rows that it keeps."""

    kernel: Any
    support: Support
    budget: int
    policy: int

    def seen(self, rows: Rows) -> KernelRows:
        """The rows, with buffers for their kernel values."""
        buffers = np.zeros((2, self.support.points.shape[1]))
        kernel = self.kernel._replace(born=self.support.born) if isinstance(self.kernel, kernels.Given) else self.kernel
        return KernelRows(rows, self.support, kernel, buffers, np.zeros(1), self.budget, self.policy)


class Parts(NamedTuple):
    """The parts of an algorithm: NamedTuples that the loops know, and how a kernel sees rows."""

    scorer: Any
    rule: Any
    decision: Any
    kernel_view: KernelView | None = None
