"""The scikit-learn face: every algorithm as a classifier of ordered labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import algorithms, models
from .classifier import OrdinalClassifier

__all__ = ["load", *algorithms.__all__]

CLASSIFIERS = {name: OrdinalClassifier.of(getattr(algorithms, name), __name__) for name in algorithms.__all__}
globals().update(CLASSIFIERS)


def load(path: str | Path) -> Any:
    """The estimator that ``save`` wrote to a file; it goes on learning bit for bit where it was.

    Nothing in the file is executed; one that is truncated, foreign, damaged or from a newer version is refused.
    """
    return models.load(path, CLASSIFIERS)
