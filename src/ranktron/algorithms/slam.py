"""SLAM: the perceptron for lists, towards NDCG or average precision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..compile.generic import inline
from ..core.exponential import logistic
from ..core.grades import best_below, count_grades, misordered, weigh
from ..core.protocol import Rule, correct, needs_update
from ..models.kinds.ranking import SteppingModel, measure_of
from ..models.learners.parts import Parts
from ..models.parameters import choice, not_negative, positive, step_or_adagrad
from ..steps import AdaGrad


class Outscored(NamedTuple):
    """A step down Σ_i v_i max(0, max_j Δ + s_j - s_i), j over the documents of lower grades."""

    step: float
    margin: float
    share: bool


class Softened(NamedTuple):
    """The same with T log(1 + Σ_j exp((Δ + s_j - s_i) / T)) for the maximum, T the temperature."""

    step: float
    margin: float
    share: bool
    temperature: float


@needs_update.on(Softened)
@needs_update.on(Outscored)
def needs_update_outscored_or_softened(rule: Outscored | Softened, scores: np.ndarray, ranking: Any, grades: Any) -> bool:
    return misordered(grades)


@correct.on(Outscored)
def correct_outscored(
    rule: Outscored, scores: np.ndarray, ranking: Any, grades: Any, norm: float, correction: np.ndarray
) -> None:
    weigh(grades.measure, grades, rule.share)
    best_below(grades, scores, ranking)
    for i in range(scores.shape[0]):
        correction[i] = 0.0
    for place in range(scores.shape[0] if rule.share else grades.by_gain.shape[0]):
        i = place if rule.share else grades.by_gain[place]  # all others have no weight
        v = rule.step * grades.weights[i]
        k = grades.best[grades.codes[i]]
        if v > 0.0 and k >= 0 and rule.margin + scores[k] - scores[i] > 0.0:
            correction[i] += v
            correction[k] -= v


# Places in ``Grades.sums``.
TOP, OWN, BELOW, FORCE, PULL = range(5)


@correct.on(Softened)
def correct_softened(rule: Softened, scores: np.ndarray, ranking: Any, grades: Any, norm: float, correction: np.ndarray) -> None:
    count_grades(grades)
    weigh(grades.measure, grades, rule.share)
    sum_up_below(rule, grades, scores, correction)
    for i in range(scores.shape[0]):
        if grades.weights[i] > 0.0:
            g = grades.codes[i]
            over = (rule.margin - scores[i]) / rule.temperature + grades.sums[BELOW, g]
            grades.weights[i] *= logistic(over)
            grades.sums[FORCE, g] += grades.weights[i]
    pull_down(rule, grades)
    for i in range(scores.shape[0]):
        correction[i] = rule.step * (grades.weights[i] - correction[i] * grades.sums[PULL, grades.codes[i]])


@inline
def sum_up_below(rule: Rule, grades: Any, scores: np.ndarray, likeness: Any) -> None:
    """Write log Σ exp(s_j / T) over the lower grades for every grade, and exp((s_i - the best of its grade) / T) for each i."""
    top, own, below = grades.sums[TOP], grades.sums[OWN], grades.sums[BELOW]
    for g in range(top.shape[0]):
        top[g], own[g], grades.sums[FORCE, g] = -math.inf, 0.0, 0.0
    for i in range(scores.shape[0]):
        top[grades.codes[i]] = max(top[grades.codes[i]], scores[i])
    for i in range(scores.shape[0]):
        likeness[i] = math.exp((scores[i] - top[grades.codes[i]]) / rule.temperature)
        own[grades.codes[i]] += likeness[i]
    total = -math.inf
    for g in range(top.shape[0]):
        below[g] = total
        if grades.counts[g]:
            here = top[g] / rule.temperature + math.log(own[g])
            total = max(total, here) + math.log1p(math.exp(-abs(total - here)))


@inline
def pull_down(rule: Rule, grades: Any) -> None:
    """Write the pull of the documents above on each grade, for a document with the score of its grade's best."""
    pulled, at = 0.0, 0.0  # Σ force · exp(at - below), over the grades above
    for g in range(grades.counts.shape[0] - 1, -1, -1):
        if grades.counts[g] == 0:
            continue
        grades.sums[PULL, g] = pulled * math.exp(grades.sums[TOP, g] / rule.temperature - at) if pulled > 0.0 else 0.0
        if grades.sums[FORCE, g] > 0.0:
            pulled = grades.sums[FORCE, g] + (pulled * math.exp(grades.sums[BELOW, g] - at) if pulled > 0.0 else 0.0)
            at = grades.sums[BELOW, g]


@dataclass(kw_only=True, eq=False, repr=False)
class SLAM(SteppingModel):
    """SLAM (Chaudhuri & Tewari 2015, Algorithm 2): a linear ranker, corrected on every list that is not in perfect order.

    Each document should outscore all documents of lower grades by a margin; missing that costs what its place is worth in the
    measure, so with a margin of 1 the loss is never below 1 - NDCG, or 1 - AP. On streams that some direction ranks with a margin
    the total loss is bounded, however long they are. On long lists of noisy documents the worst outlier drives every update of
    the paper's rule: use ``soften=0.5`` there, or :class:`ListNet`. Scale the features within each list: see ``QueryScaler``.

    With a kernel every document that is moved along joins the support.

    Examples
    --------
    >>> from ranktron import SLAM
    >>> model = SLAM(step=1.0, average=False)
    >>> model.learn_list([[1, 0], [0, 1], [1, 1]], [0, 1, 2])  # three documents and their grades
    >>> model.coef_.round(2)
    array([-0.17,  1.  ])
    >>> model.learn_pair([2, 0], [0, 1])  # a click: the first one is preferred
    >>> model.rank([[1, 0], [0, 1], [1, 1]]).tolist()
    [0, 2, 1]

    References
    ----------
    Chaudhuri, S. & Tewari, A. (2015). Perceptron-like algorithms for online learning to rank. arXiv 1508.00842.
    """

    margin: float = positive(
        1.0, help="Δ of Eq. 8, by how much scores should differ. From 1 on, the loss is at least 1 - measure."
    )
    ties: str = choice(
        "index",
        "average",
        help="""
        How documents of one grade share the weights of their places: by the order in the list, or evenly. Evenly, that order
        does not matter, but Theorem 8's bound for a cut-off then grows with the length of the lists.
        """,
    )
    soften: float = not_negative(
        0.0,
        help="""
        The temperature T of T log(1 + Σ_j exp((Δ + s_j - s_i) / T)) in place of the paper's max(0, max_j Δ + s_j - s_i), which is
        T = 0. The loss stays convex and above 1 - measure, but no direction has a loss of 0 any more, so a larger constant takes
        the place of the bound's, which grows with T² log² of the list's length. 0.5 suits long lists of noisy documents.
        """,
    )
    step: Any = step_or_adagrad(
        help="The learning rate η, or steps that adapt to each feature. None is ``AdaGrad(0.1)``, and 1 with a kernel."
    )

    usual_step: ClassVar[AdaGrad] = AdaGrad(0.1)

    def _parts(self, n_columns: int, n_ranks: int) -> Parts:
        step, scorer = self._stepping(n_columns)
        given = (step, float(self.margin), self.ties == "average")
        rule = Softened(*given, float(self.soften)) if self.soften else Outscored(*given)
        return Parts(scorer, rule, measure_of(self.measure))
