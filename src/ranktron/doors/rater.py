"""Rater: the front door for grades."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ..algorithms.noprank import MARGINS, SmallestStep
from ..algorithms.ordinal_logit import AllThresholds
from ..core.calibration import learned_slope
from ..core.scorers.forgetting_average import forgetting_average
from ..core.scorers.gaussian import gaussian_belief
from ..core.scorers.protocol import hypothesis
from ..core.scorers.thresholded import thresholded
from ..models.features import Features
from ..models.kinds import probabilities
from ..models.kinds.ordinal import OrdinalModel
from ..models.labels import Labels
from ..models.learners.parts import Parts
from ..models.learners.row import RowLearner
from ..models.parameters import choice_or_none, flag

# Features up to which a belief is held over all of them, at O(k d²) a row.
MOST_FEATURES = 128

PRIOR, GAP, FIXED = 100.0, 2.0, MARGINS.index("fixed")


@dataclass(kw_only=True, eq=False, repr=False)
class Rater(OrdinalModel):
    """Predicts ordered labels: accepts features of any scale, learns in one pass, and has nothing to tune.

    Features are standardised by the rows so far. With up to 128 features it is ordinal logistic regression with a Gaussian
    belief over all weights and thresholds (:class:`OrdinalLogit` of order 2), which after one pass is about as good as a batch
    fit. With more features it predicts with the mean of No-PRank's hypotheses, and learns a slope that turns scores into
    probabilities. A model whose mappings grow beyond 128 features switches from the first to the second. The page on front
    doors in the documentation has the rules and their measurements.

    Examples
    --------
    >>> from ranktron import Rater
    >>> from ranktron.data import synthetic
    >>> X, y = synthetic.linear(1_500, 5, seed=0)
    >>> model = Rater().fit(X[:1_000], y[:1_000])
    >>> model.predict(X[1_000:1_005]).tolist(), y[1_000:1_005].tolist()
    ([1, 2, 2, 3, 5], [1, 1, 3, 3, 5])
    >>> model.predict_proba(X[1_000:1_001]).round(2)
    array([[0.59, 0.4 , 0.01, 0.  , 0.  ]])
    >>> low, high = model.predict_interval(X[1_000:1_005])  # where nine of ten labels are
    >>> low.tolist(), high.tolist()
    ([1, 2, 2, 2, 5], [2, 2, 3, 3, 5])
    >>> model.explain(X[1_000]).round(1)  # what each feature adds to the score
    array([-0.5, -1.6, -0.1, -4.4,  0.1])
    """

    average: bool | None = flag(  # type: ignore[assignment]
        None,
        help="""
        Whether to predict with the mean of the hypotheses held after each row, or with the last one. None averages only beyond
        128 features, where that predicts better.
        """,
    )
    scale: str | None = choice_or_none(
        "standard",
        "settled",
        default="settled",
        help="""
        How features are standardised while learning, by the means and standard deviations of the rows so far. ``"settled"``
        updates the scaling only at 8, 16, 32, … rows and rescales the hypothesis with it; ``"standard"`` scales each row by all
        rows up to it. None uses features as they are, which is right if they are scaled already.
        """,
    )

    takes_kernels: ClassVar[bool] = False
    calibrates_every_row: ClassVar[bool] = True
    forgets: ClassVar[bool] = True
    merges_columns: ClassVar[bool] = True

    slope_ = probabilities.slope_
    predict_proba, predict_proba_one = probabilities.predict_proba, probabilities.predict_proba_one

    def _parts(self, n_features: int, n_ranks: int) -> Parts:
        return parts_for(n_features, n_ranks, self.average, self.forget)

    def _few_columns(self, n_columns: int) -> int:
        return super()._few_columns(n_columns) + (MOST_FEATURES if n_columns > MOST_FEATURES else 0)

    def _new_learner(self, n_features: int, features: Features, labels: Labels) -> RowLearner:
        return RaterLearner(self._calibrated_parts(n_features, len(labels)), features, labels, self._plan())


def parts_for(n_features: int, n_ranks: int, average: bool | None, forget: float | None) -> Parts:
    """The parts that rate rows of ``n_features`` best."""
    if n_features <= MOST_FEATURES:
        keep = 1.0 if forget is None else 1.0 - float(forget)
        return Parts(gaussian_belief(n_features, n_ranks, average is True, PRIOR, GAP, keep), AllThresholds(1.0), learned_slope())
    return Parts(thresholded(n_features, n_ranks, average is not False), SmallestStep(1.0, FIXED, True), learned_slope())


class RaterLearner(RowLearner):
    """Switches from the belief to No-PRank when there are too many features for it."""

    def _make_columns(self) -> None:
        if self.features.count > MOST_FEATURES and isinstance(self.rule, AllThresholds):
            self._simplify()
        super()._make_columns()

    def _simplify(self) -> None:
        """Hold what predicts now, as if it had been held all along; what was forgotten before that is forgotten."""
        now, n_ranks, forget = hypothesis(self.scorer, len(self.labels), self.age), len(self.labels), self.plan["forget"]
        line, self.rule, _, _ = parts_for(self.features.count, n_ranks, self.plan["average"], None)
        line.w[: len(now.coef)], line.b[:] = now.coef, now.thresholds
        self.scorer, held = line, float(self.age)
        if forget is not None and len(line.lag):
            self.scorer, held = forgetting_average(line, forget), 1.0
            self.scorer.clock[:] = self.age, held, self.scorer.growth
        line.total[:] = held * line.b[: len(line.total)]

    def adopt(self, parts: Parts) -> None:
        """Nothing depends on the number of ranks."""
