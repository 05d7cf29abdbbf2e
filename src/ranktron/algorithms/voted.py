"""The voted perceptron, for any ordinal estimator."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from ..core.decisions import FirstUnmet, Highest
from ..core.scorers.protocol import Hypothesis
from ..core.scorers.voted import hypotheses, voted
from ..core.scorers.votes import COMBINATIONS, MEAN
from ..models.kinds.ensemble import Aggregate
from ..models.kinds.single import SingleModel
from ..models.learners.concurrency import reads
from ..models.learners.parts import Parts
from ..models.parameters import choice, one_of_ours, whole
from .prank import PRank

# What a count begins with; the row at which the hypothesis was made adds one.
STARTS = {"survival+1": 0, "survival": -1}


@dataclass(eq=False, repr=False)
class Voted(Aggregate):
    """The voted perceptron (Freund & Schapire 1999) for ranks: every hypothesis votes as often as it survived a row.

    What averaging approximates with one hypothesis. Memory grows with the updates, and learning and predicting cost as many inner
    products a row as there are hypotheses, unless there is a ``limit``.

    Parameters
    ----------
    estimator : ordinal estimator of one hypothesis, optional
        What learns; :class:`PRank` if none is given. Its ``average`` plays no part: the hypotheses it learns with vote.
    combine : {"mean", "plurality", "median"}
        The nearest rank to the mean vote, halves up; the rank with the most votes, the lowest of equals; the median, halves up.
    count : {"survival+1", "survival"}
        A hypothesis has the votes of the rows it survived, and one for the row at which it was made (Freund & Schapire), or not.
    limit : int, optional
        The most hypotheses that are kept. When there is one too many, that which survived the fewest rows goes with its votes,
        the oldest of equals, but never the newest.

    The other parameters are as in :class:`PRank`. ``cumulative_loss_`` is that of the combined prediction. ``coef_`` and
    ``thresholds_`` are the mean by votes, the averaged perceptron's: near to what many votes say, and not what ``predict`` uses.

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

    estimator: Any = one_of_ours(lambda: SingleModel, "None or an ordinal estimator of one hypothesis, such as PRank()")
    _: KW_ONLY
    combine: str = choice("mean", "plurality", "median")
    count: str = choice(*STARTS)
    limit: int | None = whole(None, at_least=1)

    def _base(self) -> SingleModel:
        return PRank() if self.estimator is None else self.estimator

    def _assembled(self, n_features: int, n_ranks: int) -> Parts:
        parts = self._member_parts(n_features, n_ranks, average=False)
        how = int(self.limit or 0), STARTS[self.count], COMBINATIONS[self.combine]
        decision = Highest() if self.combine == "plurality" else FirstUnmet()
        return parts._replace(scorer=voted(parts.scorer, parts.decision, n_ranks, *how), decision=decision)

    def _voters(self, combine: int) -> Any:
        return self._learned.scorer._replace(combine=combine)

    @reads
    def project(self, X: Any) -> np.ndarray:
        """The mean rank by votes: what to sort by."""
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
        """The direction of every hypothesis, (H, d); with a kernel, its coefficients, one a row of the support."""
        return self._hypotheses().coef

    @property
    @reads
    def hypotheses_thresholds_(self) -> np.ndarray:
        """The thresholds of every hypothesis, (H, k - 1)."""
        return self._hypotheses().thresholds

    def _hypotheses(self) -> Hypothesis:
        learner = self._learned
        return learner.in_order(hypotheses(learner.scorer, len(learner.labels))[0])
