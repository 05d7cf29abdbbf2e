"""The voted perceptron, for any ordinal estimator."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from ..core.decisions import FirstUnmet, Highest
from ..core.scorers.protocol import Hypothesis
from ..core.scorers.voted import COMBINATIONS, MEAN, hypotheses, voted
from ..models.kinds.ensemble import Aggregate, one_hypothesis
from ..models.kinds.ordinal import OrdinalModel
from ..models.learners.concurrency import reads
from ..models.learners.parts import Parts
from ..models.parameters import choice, estimator_or_none, whole
from .prank import PRank

# Where a count begins; the row at which the hypothesis was made adds one.
STARTS = {"survival+1": 0, "survival": -1}


@dataclass(eq=False, repr=False)
class Voted(Aggregate):
    """The voted perceptron (Freund & Schapire 1999) for ranks: every hypothesis votes as often as it survived a row.

    What averaging approximates with one hypothesis. Memory grows with the updates, and learning and predicting cost as many inner
    products a row as there are hypotheses, unless there is a ``limit``.

    ``cumulative_loss_`` is that of the combined prediction. ``coef_`` and ``thresholds_`` are the mean weighted by votes, which
    is the averaged perceptron's: its predictions are near to those of many votes, but ``predict`` does not use it.

    Examples
    --------
    >>> from ranktron import Voted
    >>> model = Voted().partial_fit([[1.0], [2.0], [3.0], [1.5]], [1, 2, 3, 1], classes=[1, 2, 3])
    >>> model.survived_, model.hypotheses_thresholds_.shape
    (array([0, 1, 1, 1, 1]), (5, 2))

    References
    ----------
    Freund, Y. & Schapire, R. E. (1999). Large margin classification using the perceptron algorithm. Machine Learning 37(3).
    """

    estimator: Any = estimator_or_none(
        one_hypothesis,
        "None or an ordinal estimator of one hypothesis, such as PRank()",
        help="""
        The ordinal estimator of one hypothesis that learns. None is :class:`PRank`. Its ``average`` has no effect: the hypotheses
        that it learns with vote.
        """,
    )
    _: KW_ONLY
    combine: str = choice(
        "mean",
        "plurality",
        "median",
        help="""
        How the votes make a prediction: the nearest rank to their mean, halves up; the rank with the most votes, the lowest of
        equals; or their median, halves up.
        """,
    )
    count: str = choice(
        *STARTS,
        help="""
        The votes of a hypothesis: one per row that it survived, and one for the row at which it was made (Freund & Schapire), or
        without the latter.
        """,
    )
    limit: int | None = whole(
        None,
        at_least=1,
        help="""
        The largest number of hypotheses that are kept. When there is one too many, the one that survived the fewest rows is
        dropped with its votes, the oldest of equals, but never the newest. None keeps all of them.
        """,
    )

    def _base(self) -> OrdinalModel:
        return PRank() if self.estimator is None else self.estimator

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        parts = self._member_parts(n_features, n_ranks, average=False)
        how = int(self.limit or 0), STARTS[self.count], COMBINATIONS[self.combine]
        decision = Highest() if self.combine == "plurality" else FirstUnmet()
        return parts._replace(scorer=voted(parts.scorer, parts.decision, n_ranks, *how), decision=decision)

    def _voters(self, combine: int) -> Any:
        return self._learned.scorer._replace(combine=combine)

    @reads
    def project(self, X: Any) -> np.ndarray:
        """The mean rank by votes, for sorting."""
        scores, votes = self._polled(X, MEAN)
        mean: np.ndarray = scores[:, -1] / votes
        return mean

    @reads
    def decision_function(self, X: Any) -> np.ndarray:
        """How far inside the interval of each label a row is; with ``"plurality"``, each label's share of the votes."""
        if self.combine != "plurality":
            return super().decision_function(X)
        shares = self._scores(X)
        return shares[:, 1] - shares[:, 0] if shares.shape[1] == 2 else shares

    @property
    @reads
    def survived_(self) -> np.ndarray:
        """The votes of every hypothesis, in the order in which they were made."""
        return hypotheses(self._learned.scorer, len(self._labels))[1]

    @property
    @reads
    def hypotheses_coef_(self) -> np.ndarray:
        """The direction of every hypothesis, (H, d); with a kernel, its coefficients, one per row of the support."""
        return self._hypotheses().coef

    @property
    @reads
    def hypotheses_thresholds_(self) -> np.ndarray:
        """The thresholds of every hypothesis, (H, k - 1)."""
        return self._hypotheses().thresholds

    def _hypotheses(self) -> Hypothesis:
        learner = self._learned
        return learner.in_order(hypotheses(learner.scorer, len(learner.labels))[0])
