"""The scikit-learn face: classifiers of ordered labels, rankers of lists, and scaling within lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import doors, models
from ..collaborative import Recommender
from .classifier import OrdinalClassifier
from .predtron import Predtron
from .query_scaler import QueryScaler
from .ranker import Ranking

__all__ = ["QueryScaler", "load", *doors.MODELS]

CLASSIFIERS = {name: OrdinalClassifier.of(model, __name__) for name, model in doors.RATERS.items()}
RANKERS = {name: Ranking.of(model, __name__) for name, model in doors.RANKERS.items()}
globals().update({**CLASSIFIERS, **RANKERS})
ESTIMATORS: dict[str, Any] = {**CLASSIFIERS, **RANKERS, "Predtron": Predtron}


def load(path: str | Path) -> Any:
    """The estimator that ``save`` wrote to a file; it goes on learning bit for bit where it was.

    Nothing in the file is executed; one that is truncated, foreign, damaged or from a newer version is refused.
    """
    return models.load(path, {**ESTIMATORS, "Recommender": Recommender})
