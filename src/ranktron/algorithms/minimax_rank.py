"""MinimaxRank: the perceptron for lists that reaches the lower bound on separable streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..core.grades import best_below, misordered
from ..core.protocol import correct, needs_update
from ..core.scorers.direction import direction
from ..models.kinds.ranking import RankingModel, measure_of
from ..models.learners.parts import Parts
from ..models.parameters import positive, ranking_measure


class WorstPair(NamedTuple):
    """A step down max(0, max_{i,j} Δ + s_j - s_i), over the pairs of a document i and one of a lower grade j."""

    margin: float


@needs_update.on(WorstPair)
def needs_update_worst_pair(rule: WorstPair, scores: np.ndarray, ranking: Any, grades: Any) -> bool:
    return misordered(grades)


@correct.on(WorstPair)
def correct_worst_pair(
    rule: WorstPair, scores: np.ndarray, ranking: Any, grades: Any, norm: float, correction: np.ndarray
) -> None:
    best_below(grades, scores, ranking)
    better = worse = -1
    for i in range(scores.shape[0]):
        correction[i] = 0.0
        j = grades.best[grades.codes[i]]
        if j >= 0 and (worse < 0 or scores[j] - scores[i] > scores[worse] - scores[better]):
            better, worse = i, j
    correction[better], correction[worse] = 1.0, -1.0


@dataclass(kw_only=True, eq=False, repr=False)
class MinimaxRank(RankingModel):
    """MinimaxRank (Chaudhuri & Tewari 2015, Algorithm 3): on a list that is not in perfect order, the worst pair is corrected.

    On streams that some direction ranks with a margin no deterministic algorithm can promise less loss, and there is no step to
    choose: from zero, the order does not depend on it, nor on the margin. On other streams one pair a list is little to learn
    from, and :class:`SLAM` and :class:`ListNet` are ahead.

    Examples
    --------
    >>> from ranktron import MinimaxRank
    >>> model = MinimaxRank(average=False)
    >>> model.learn_list([[1, 0], [2, 1], [0, 3]], [0, 2, 1])
    >>> model.coef_
    array([1., 1.])

    References
    ----------
    Chaudhuri, S. & Tewari, A. (2015). Perceptron-like algorithms for online learning to rank. arXiv 1508.00842.
    """

    measure: str = ranking_measure(
        "ndcg@10",
        help="""
        The measure that decides whether a list is in perfect order: ``"ndcg"``, ``"ndcg@10"`` or any other cut-off, or ``"ap"``,
        for which grades above 0 are relevant. ``score`` and ``cumulative_loss_`` report it.
        """,
    )
    margin: float = positive(
        1.0, help="Δ of Eq. 26, the margin between scores. The order learned from zero does not depend on it."
    )

    def _parts(self, n_columns: int, n_ranks: int) -> Parts:
        return Parts(direction(n_columns, self.average), WorstPair(float(self.margin)), measure_of(self.measure))
