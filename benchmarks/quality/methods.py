"""Methods that learn grades from a training part and predict ranks, and probabilities if they have any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import lightgbm
import mord
import numpy as np
from river import linear_model, multiclass
from sklearn.linear_model import Ridge
from skordinal import classifiers

import ranktron

from ..peers import River, mappings
from ..problems import Problem, nearest
from .measures import spread
from .sets import standardised


class Answer(NamedTuple):
    """The predictions for the fresh rows."""

    ranks: np.ndarray
    shares: np.ndarray | None = None


# Learns a problem with n ranks, from 1, and predicts its fresh rows.
Method = Callable[[Problem, int], Answer]


def classification(make: Callable[[], Any], raw: bool = False) -> Method:
    """A classifier of the ranks that occur, numbered from 0."""

    def method(problem: Problem, n_ranks: int) -> Answer:
        rows = problem if raw else standardised(problem)
        ranks, codes = np.unique(rows.y, return_inverse=True)
        model = make().fit(rows.X, codes)
        shares = spread(model.predict_proba(rows.fresh), ranks, n_ranks) if hasattr(model, "predict_proba") else None
        return Answer(ranks[model.predict(rows.fresh)], shares)

    return method


def regression(make: Callable[[], Any]) -> Method:
    """A regression on the ranks; predictions are rounded."""

    def method(problem: Problem, n_ranks: int) -> Answer:
        rows = standardised(problem)
        return Answer(nearest(make().fit(rows.X, rows.grades).predict(rows.fresh), n_ranks))

    return method


def streaming(make: Callable[[], Any], rounded: bool = False) -> Method:
    """A River model, one pass."""

    def method(problem: Problem, n_ranks: int) -> Answer:
        rows = standardised(problem)
        model = River(make(), n_ranks if rounded else None).learn(mappings(rows.X), rows.y.tolist())
        return Answer(model.predict(rows.fresh))

    return method


def one_against_rest() -> Any:
    return multiclass.OneVsRestClassifier(linear_model.LogisticRegression())


TREES = {"n_jobs": 1, "verbose": -1}
OURS, BATCH = "`Rater()`", "`mord.LogisticAT`"
METHODS: dict[str, Method] = {
    OURS: classification(ranktron.Rater, raw=True),
    BATCH: classification(mord.LogisticAT),
    "skordinal's `LogisticAT`": classification(classifiers.LogisticAT),
    "skordinal's `POM`": classification(classifiers.POM),
    "skordinal's `REDSVM`, Gaussian kernel": classification(classifiers.REDSVM),
    "`Ridge`, rounded": regression(Ridge),
    "`LGBMRegressor`, rounded": regression(lambda: lightgbm.LGBMRegressor(**TREES)),
    "`LGBMClassifier`": classification(lambda: lightgbm.LGBMClassifier(**TREES)),
    "River's `LinearRegression`, rounded": streaming(linear_model.LinearRegression, rounded=True),
    "River's `SoftmaxRegression`": streaming(linear_model.SoftmaxRegression),
    "River's `OneVsRestClassifier(LogisticRegression())`": streaming(one_against_rest),
}
