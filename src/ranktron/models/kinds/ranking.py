"""Models that rank lists by one direction."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, ClassVar

from ...core.measures import NDCG, AveragePrecision, PrecisionAt, discounts
from ...core.scorers.direction import direction
from ...steps import AdaGrad
from ..parameters import ranking_measure, step_or_adagrad
from .list import ListModel


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class RankingModel(ListModel, abc.ABC):
    """A ranker that learns towards a measure."""

    measure: str = ranking_measure(
        "ndcg@10",
        help="""
        The measure of a ranked list that learning aims at and that ``score`` and ``cumulative_loss_`` report: ``"ndcg"``,
        ``"ndcg@10"`` or any other cut-off, or ``"ap"``, for which grades above 0 are relevant.
        """,
    )


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class SteppingModel(RankingModel, abc.ABC):
    """A ranker that goes down a gradient, in steps of its own choice."""

    step: Any = step_or_adagrad(
        help="""
        The learning rate, or steps that adapt to each weight. None is the algorithm's own ``AdaGrad`` rate, and 1 with a kernel.
        """,
    )

    # The default where there is no kernel: ``benchmarks/list_defaults.py`` has what else was tried.
    usual_step: ClassVar[AdaGrad]

    def _stepping(self, n_columns: int) -> tuple[float, Any]:
        """The step that corrections are multiplied by, and a scorer that makes it."""
        step = self.step if self.step is not None else self.usual_step if self.kernel is None else 1.0
        if not isinstance(step, AdaGrad):
            return float(step), direction(n_columns, self.average)
        if self.kernel is not None:
            raise ValueError(f"{type(self).__name__}: {step} adapts to features, and a kernel has none; pass a number as step")
        return 1.0, direction(n_columns, self.average, float(step.rate))


def measure_of(name: str) -> Any:
    """The measure of that name."""
    kind, _, cutoff = name.partition("@")
    if kind == "precision":
        return PrecisionAt(int(cutoff))
    return AveragePrecision() if kind == "ap" else NDCG(int(cutoff or 0), discounts(16))
