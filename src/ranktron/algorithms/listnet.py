"""ListNet: the cross entropy between the probabilities of documents to be ranked first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..compile.generic import inline
from ..core.grades import count_grades
from ..core.protocol import correct, needs_update
from ..models.kinds.ranking import SteppingModel, measure_of
from ..models.learners.parts import Parts
from ..models.parameters import ranking_measure, step_or_adagrad
from ..steps import AdaGrad


class CrossEntropy(NamedTuple):
    """A step down -Σ_i P_i(grades) log P_i(scores), where P_i is the probability of document i to be first, a softmax."""

    step: float


@needs_update.on(CrossEntropy)
def needs_update_cross_entropy(rule: CrossEntropy, scores: np.ndarray, ranking: Any, grades: Any) -> bool:
    count_grades(grades)
    return grades.counts[grades.codes[0]] < scores.shape[0]


@correct.on(CrossEntropy)
def correct_cross_entropy(
    rule: CrossEntropy, scores: np.ndarray, ranking: Any, grades: Any, norm: float, correction: np.ndarray
) -> None:
    chances(grades, grades.sums[0])
    total, top = 0.0, scores[0]
    for i in range(1, scores.shape[0]):
        top = max(top, scores[i])
    for i in range(scores.shape[0]):
        correction[i] = math.exp(scores[i] - top)
        total += correction[i]
    for i in range(scores.shape[0]):
        correction[i] = rule.step * (grades.sums[0, grades.codes[i]] - correction[i] / total)


@inline
def chances(grades: Any, chance: Any) -> None:
    """Write the probability to be first of a document of each grade."""
    total, top = 0.0, 0.0
    for g in range(chance.shape[0]):
        if grades.counts[g]:
            top = grades.levels[g]
    for g in range(chance.shape[0]):
        chance[g] = math.exp(grades.levels[g] - top) if grades.counts[g] else 0.0
        total += grades.counts[g] * chance[g]
    for g in range(chance.shape[0]):
        chance[g] /= total


@dataclass(kw_only=True, eq=False, repr=False)
class ListNet(SteppingModel):
    """ListNet (Cao et al. 2007) online, as Chaudhuri & Tewari compare with: a step on every list whose grades differ.

    Steady on long and noisy lists, and it scores a document by itself, as :class:`Ranker` does not. Scale features within each
    list first: see ``QueryScaler``.

    With a kernel every document of every list joins the support, so give it a budget.

    Examples
    --------
    >>> from ranktron import ListNet
    >>> X, y, qid = [[3, 0], [1, 1], [0, 2], [1, 0], [2, 3]], [2, 1, 0, 0, 1], ["a", "a", "a", "b", "b"]
    >>> model = ListNet(epochs=20).fit(X, y, qid=qid)
    >>> model.rank(X, qid=qid).tolist(), model.score(X, y, qid=qid)
    ([0, 1, 2, 4, 3], 1.0)

    References
    ----------
    Cao, Z. et al. (2007). Learning to rank: from pairwise approach to listwise approach. ICML.
    """

    measure: str = ranking_measure(
        "ndcg@10",
        help="""
        The measure that ``score`` and ``cumulative_loss_`` report: ``"ndcg"``, ``"ndcg@10"`` or any other cut-off, or ``"ap"``.
        It does not change what is learned, except that for ``"ap"`` all grades above 0 are alike, in learning too.
        """,
    )
    step: Any = step_or_adagrad(
        help="The learning rate, or steps that adapt to each feature. None is ``AdaGrad(0.05)``, and 1 with a kernel."
    )

    usual_step: ClassVar[AdaGrad] = AdaGrad(0.05)

    def _parts(self, n_columns: int, n_ranks: int) -> Parts:
        step, scorer = self._stepping(n_columns)
        return Parts(scorer, CrossEntropy(step), measure_of(self.measure))
