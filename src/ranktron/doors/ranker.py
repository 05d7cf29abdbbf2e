"""Ranker: the front door for lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..algorithms.slam import Softened
from ..core.lists import Lists, lists_of
from ..models.features import Features
from ..models.inputs import Table, row_of
from ..models.kinds.ranking import SteppingModel, measure_of
from ..models.learners.concurrency import reads
from ..models.learners.list import VIEWS, ListLearner, ScaledListLearner, above_the_mean
from ..models.learners.parts import Parts
from ..models.parameters import choice_or_none, step_or_adagrad
from ..steps import AdaGrad

MARGIN, TEMPERATURE = 1.0, 2.0


@dataclass(kw_only=True, eq=False, repr=False)
class Ranker(SteppingModel):
    """Orders lists: accepts features of any scale, learns in one pass, and has nothing to tune.

    Every feature is scaled and ranked within each list, so a document is compared with the others of its list. Units, outliers
    and differences between queries do not matter. It learns one weight for the scaled value and one for the rank of each
    feature, by SLAM's loss with a softened maximum and ties shared evenly, in AdaGrad steps, and predicts with the mean over
    time. The page on front doors in the documentation has the measurements.

    Because of this scaling ``predict`` needs whole lists too: pass ``qid`` as for learning, or one list at a time. Scores can be
    compared within a list only.

    Attributes
    ----------
    coef_, rank_coef_ : array of shape (n_features_in_,)
        The weights of the values and of the ranks, both scaled within lists; without ``query_scale`` there are no ranks.

    Examples
    --------
    >>> from ranktron import Ranker
    >>> X = [[100, 2e-6], [300, 1e-6], [200, 9e-6], [7, 1e-3], [9, 5e-3]]
    >>> y, qid = [0, 1, 2, 0, 1], ["a", "a", "a", "b", "b"]
    >>> model = Ranker().fit(X, y, qid=qid)
    >>> model.rank(X, qid=qid).tolist(), model.score(X, y, qid=qid)
    ([2, 1, 0, 4, 3], 1.0)
    >>> model.explain(X, qid=qid)[2].round(2).tolist()  # what each feature adds to the score of the third document
    [0.0, 0.26]

    References
    ----------
    Chaudhuri, S. & Tewari, A. (2015). Perceptron-like algorithms for online learning to rank. arXiv 1508.00842.
    """

    query_scale: str | None = choice_or_none(
        "standard",
        "minmax",
        default="standard",
        help="""
        How features and their ranks are scaled within each list: ``"standard"`` to mean 0 and standard deviation 1, ``"minmax"``
        to the range from 0 to 1. None uses features as they are, without ranks: choose it for features that are scaled already,
        and for pairs, because scaling a pair leaves only which of the two values is larger.
        """,
    )
    step: Any = step_or_adagrad(
        help="The learning rate, or ``AdaGrad(rate)`` for steps that adapt to each weight. None is ``AdaGrad(0.1)``."
    )
    scale: str | None = choice_or_none(
        "standard",
        "settled",
        help="""
        How features are standardised over all lists while learning, by the means and standard deviations of the rows so far.
        ``"standard"`` needs ``query_scale=None``; ``"settled"`` is not supported. None standardises nothing over all lists.
        """,
    )

    takes_kernels: ClassVar[bool] = False
    usual_step: ClassVar[AdaGrad] = AdaGrad(0.1)

    def _parts(self, n_columns: int, n_ranks: int) -> Parts:
        step, scorer = self._stepping(n_columns)
        return Parts(scorer, Softened(step, MARGIN, True, TEMPERATURE), measure_of(self.measure))

    def _new_learner(self, n_features: int, features: Features, labels: Any = None) -> ListLearner:
        if self.query_scale is None:
            return super()._new_learner(n_features, features)
        if self.scale is not None:
            raise ValueError("Ranker: query_scale scales within lists, scale over all rows: leave one of them None")
        return ScaledListLearner(self._assembled(n_features, 1), features, self._plan())

    @property
    def looks_within_lists(self) -> bool:
        """Whether the score of a row depends on the other rows of its list."""
        return self.query_scale is not None

    @property
    @reads
    def coef_(self) -> np.ndarray:
        """The weights of the values, which are scaled within lists unless ``query_scale`` is None."""
        return super().coef_[:: VIEWS if isinstance(self._learned, ScaledListLearner) else 1]

    @property
    @reads
    def rank_coef_(self) -> np.ndarray:
        """The weights of the ranks, which are scaled within lists as the values are."""
        if not isinstance(self._learned, ScaledListLearner):
            raise AttributeError("without query_scale, Ranker has no rank_coef_: it has coef_")
        return super().coef_[1::VIEWS]

    # Answers

    @reads
    def predict(self, X: Any, qid: Any = None) -> np.ndarray:
        """The score of every row: the higher, the nearer to the top of its list; without ``qid`` all rows are one list."""
        learner, table = self._rows_for_prediction(X)
        if not isinstance(learner, ScaledListLearner):
            return super().predict(X)
        scores, refused = learner.predict_lists(table, lists_of(qid, table.n_rows))
        if refused >= 0:
            self._refuse(table, refused)
        return scores

    def _scores(self, X: Any, qid: Any) -> np.ndarray:
        return self.predict(X, qid)

    @reads
    def explain(self, X: Any, qid: Any = None) -> np.ndarray:
        """What each feature adds to the score of each row: one row per row, whose sum is the score up to rounding.

        The difference of two rows of one list says feature by feature why one stands above the other.
        """
        learner, table = self._rows_for_prediction(X)
        shares, weights = np.zeros((table.n_rows, learner.features.count)), learner.hypothesis().coef
        lists = lists_of(qid, table.n_rows)
        for rows, origin in self._seen_within(learner, table, lists):
            for place, row in enumerate(origin.tolist()):
                columns, values = row_of(rows, place)
                np.add.at(shares[row], columns // (learner.n_columns // learner.features.count), values * weights[columns])
        return above_the_mean(shares, lists) if self.looks_within_lists else shares

    def _seen_within(self, learner: Any, table: Table, lists: Lists) -> Any:
        """Rows as the hypothesis sees them, and which rows of the table they are, some at a time."""
        if not isinstance(learner, ScaledListLearner):
            yield table.rows, np.arange(table.n_rows)
            return
        for block in learner.blocks(table, lists, np.arange(len(lists.bounds) - 1)):
            if block.bad >= 0:
                self._refuse(table, block.bad)
            yield block.rows, block.origin
