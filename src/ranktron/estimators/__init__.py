"""The models as scikit-learn estimators: classifiers of ordered labels, rankers of lists, and scaling within lists."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import doors, models
from ..collaborative import Recommender
from . import predtron
from .classifier import OrdinalClassifier
from .query_scaler import QueryScaler as QueryScaler
from .ranker import Ranking

if TYPE_CHECKING:  # what each is made of below
    from ..algorithms import *  # noqa: F403
    from ..doors import Ranker as Ranker
    from ..doors import Rater as Rater
else:
    __all__ = ["QueryScaler", "load", *doors.MODELS]


def _estimator(mixin: type, model: Any) -> Any:
    return type(model.__name__, (mixin, model), {"__doc__": model.__doc__, "__module__": __name__})


CLASSIFIERS = {name: _estimator(OrdinalClassifier, model) for name, model in doors.RATERS.items()}
RANKERS = {name: _estimator(Ranking, model) for name, model in doors.RANKERS.items()}
ESTIMATORS: dict[str, Any] = {**CLASSIFIERS, **RANKERS, "Predtron": predtron.Predtron}
globals().update(ESTIMATORS)


def load(path: str | Path) -> Any:
    """The estimator that ``save`` wrote to a file; it goes on learning bit for bit where it was.

    Nothing in the file is executed; one that is truncated, foreign, damaged or from a newer version is refused.
    """
    return models.load(path, {**ESTIMATORS, "Recommender": Recommender})
