"""Certificates: a model's loss so far compared with the bound of a theorem, and a bound on its future loss."""

from __future__ import annotations

from typing import Any, NamedTuple

from .evidence import CertificateData
from .future import future_loss
from .guarantees import Guarantee, guaranteed, shown
from .predtron_guarantees import largest_loss


class Certificate(NamedTuple):
    """The loss of a model's rounds, its guaranteed bound, and a bound on the expected loss of a fresh round.

    ``guarantee`` is None if no theorem applies, ``future`` if its assumptions do not hold; ``remarks`` has the reasons.
    """

    model: str
    unit: str
    rounds: int
    loss: float
    guarantee: Guarantee | None
    future: float | None
    confidence: float
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The certificate in sentences."""
        counted = f"{self.model} has learned {self.rounds:,} {self.unit}s with a loss of {shown(self.loss)}"
        sentences = [f"{counted}, {self.loss / self.rounds:.3g} per {self.unit}."]
        if self.guarantee is not None:
            sentences.append(str(self.guarantee))
        if self.future is not None:
            sentences.append(
                f"With confidence {self.confidence:.0%}, the expected loss of a fresh {self.unit} is at most {self.future:.3g}, "
                f"if {self.unit}s are independent draws, for a hypothesis drawn from those held before each {self.unit}."
            )
        return "\n".join([*sentences, *self.remarks])


def certificate(
    model: Any,
    X: Any = None,
    y: Any = None,
    qid: Any = None,
    *,
    comparator: Any = None,
    margin: float | None = None,
    radius: float | None = None,
    largest: float | None = None,
    confidence: float = 0.95,
) -> Certificate:
    """The cumulative loss of a model with its guaranteed bound, and a bound on its future loss.

    The guarantee holds for any stream. It depends on how well some rule does on it. By default this is the best rule for the rows
    ``X`` with labels ``y`` that the model has learned (``qid`` for lists). It may also be ``comparator``: (coef, thresholds) for
    grades, a direction for lists, a matrix for classes. Or pass only the ``margin`` that you assume, and ``radius``, the largest
    norm of a row, if you do not pass ``X``.

    The bound on the future is `future_loss` of the progressive loss. It assumes that rows (or lists) are independent draws from
    one distribution, and that each was learned once. It holds for a hypothesis drawn at random from those held before each row,
    not for the last one or the average. ``largest`` is the largest loss of a round, if the model does not know it.

    >>> from ranktron import PRank
    >>> from ranktron.data import separable
    >>> X, y = separable.ordinal(500, 4, 3, margin=0.3, seed=0)
    >>> print(certificate(PRank().partial_fit(X, y), X, y))
    PRank has learned 500 rows with a loss of 19, 0.038 per row.
    The ranking loss is at most 385, measured 19: Theorem 2 of Crammer & Singer 2005;
    the best rule has margin 0.2825, and the bound uses 0.49.
    With confidence 95%, the expected loss of a fresh row is at most 0.094, if rows are independent draws,
    for a hypothesis drawn from those held before each row.
    """
    given = CertificateData(X, y, qid, comparator, margin, radius)
    guarantee, why_not = guaranteed(model, given)
    future, why_none = _future(model, given, largest, confidence)
    unit = "list" if hasattr(model, "learn_list") else "row"
    seen = int(model.n_seen_), float(model.cumulative_loss_)
    remarks = tuple(remark for remark in (why_not, why_none) if remark)
    return Certificate(type(model).__name__, unit, *seen, guarantee, future, confidence, remarks)


def _future(model: Any, given: CertificateData, largest: float | None, confidence: float) -> tuple[float | None, str]:
    most = largest_loss(model) if largest is None else largest
    if most is None:
        return None, "The future loss is not bounded: the largest loss of a round is not known; pass largest=."
    if (given.X is None and model.epochs > 1) or (given.X is not None and given.passes(model) > 1):
        return None, "The future loss is not bounded: some rows were learned more than once; learn each once."
    return future_loss(float(model.cumulative_loss_), int(model.n_seen_), float(most), confidence), ""
