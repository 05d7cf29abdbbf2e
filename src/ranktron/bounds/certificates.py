"""What a model can be sure of: its loss so far beside what a theorem allows, and what it says of the loss to come."""

from __future__ import annotations

from typing import Any, NamedTuple

from .evidence import Given
from .future import future_loss
from .guarantees import Guarantee, guaranteed, shown
from .predtron_guarantees import largest_loss


class Certificate(NamedTuple):
    """The loss of a model's rounds, what it is guaranteed not to exceed, and a bound on the loss to be expected of a fresh round.

    ``guarantee`` is None where no theorem applies, ``future`` where its assumptions do not hold; ``remarks`` say why.
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
        """All of it in sentences."""
        counted = f"{self.model} has learned {self.rounds:,} {self.unit}s with a loss of {shown(self.loss)}"
        told = [f"{counted}, {self.loss / self.rounds:.3g} a {self.unit}."]
        if self.guarantee is not None:
            told.append(str(self.guarantee))
        if self.future is not None:
            told.append(
                f"With confidence {self.confidence:.0%}, a fresh {self.unit} costs at most {self.future:.3g} on average, if "
                f"{self.unit}s are independent draws, for a hypothesis drawn from those held before each {self.unit}."
            )
        return "\n".join([*told, *self.remarks])


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
    """The running loss of a model beside what is guaranteed, and a bound on its loss in future.

    The guarantee holds whatever the stream is like. It is made by a rule that does well on it: the best one for the rows ``X``
    with labels ``y`` that the model has learned (``qid`` for lists), which is found; or ``comparator``, which is (coef,
    thresholds) for grades, a direction for lists and a matrix for classes; or one with an assumed ``margin``, of which nothing
    is known, where ``radius`` is the largest norm of a row if ``X`` is not there to tell.

    The bound on the future is `future_loss` of the progressive loss. It asks that rows (or lists) are independent draws from one
    distribution and each was learned once. It speaks of the hypotheses held before each row, one of them drawn at random: not of
    the last one, nor of the average. ``largest`` is the largest loss of a round, where the model does not know it.

    >>> from ranktron import PRank
    >>> from ranktron.data import separable
    >>> X, y = separable.ordinal(500, 4, 3, margin=0.3, seed=0)
    >>> print(certificate(PRank().partial_fit(X, y), X, y))
    PRank has learned 500 rows with a loss of 19, 0.038 a row.
    The ranking loss is at most 385, measured 19: Theorem 2 of Crammer & Singer 2005;
    the best rule has margin 0.2825, and is asked for 0.49.
    With confidence 95%, a fresh row costs at most 0.094 on average, if rows are independent draws,
    for a hypothesis drawn from those held before each row.
    """
    given = Given(X, y, qid, comparator, margin, radius)
    guarantee, why_not = guaranteed(model, given)
    future, why_none = _future(model, given, largest, confidence)
    unit = "list" if hasattr(model, "learn_list") else "row"
    seen = int(model.n_seen_), float(model.cumulative_loss_)
    remarks = tuple(remark for remark in (why_not, why_none) if remark)
    return Certificate(type(model).__name__, unit, *seen, guarantee, future, confidence, remarks)


def _future(model: Any, given: Given, largest: float | None, confidence: float) -> tuple[float | None, str]:
    most = largest_loss(model) if largest is None else largest
    if most is None:
        return None, "Nothing is said of the future: the largest loss of a round is not known, pass largest=."
    if (given.X is None and model.epochs > 1) or (given.X is not None and given.passes(model) > 1):
        return None, "Nothing is said of the future: rows that are learned again tell nothing of fresh ones, learn each once."
    return future_loss(float(model.cumulative_loss_), int(model.n_seen_), float(most), confidence), ""
