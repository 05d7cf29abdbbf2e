"""Probabilities of labels: the methods of ordinal models that have them, which take these as their own.

P(label > r) = 1 / (1 + exp(-a (w·x - b_r))), with a slope a that the decision may learn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.calibration import slope_of
from ..learners.concurrency import reads


@property  # type: ignore[misc]
@reads
def slope_(self: Any) -> float:
    """The slope a of the probabilities: 1 where it is not learned."""
    return slope_of(self._learned.decision)


@reads
def predict_proba(self: Any, X: Any) -> np.ndarray:
    """The probability of every label, in the order of ``classes_``."""
    return label_shares(self.slope_ * self._scores(X))


@reads
def predict_proba_one(self: Any, x: Any) -> dict[Any, float]:
    """The same for one example, as a mapping from labels; with ``classes`` given it answers before any learning."""
    learner = self._known_learner(x)
    scores = self._sums_of(learner, learner.features.row(x, self.missing)[0])
    shares = label_shares(slope_of(learner.decision) * scores / learner.divisor)[0]
    return dict(zip(learner.labels.names, shares.tolist()))


def label_shares(scores: np.ndarray) -> np.ndarray:
    """From the scores of rows to the probabilities of their labels."""
    with np.errstate(over="ignore"):
        above = 1.0 / (1.0 + np.exp(-scores[:, :-1]))
    ends = np.ones((len(above), 1)), np.zeros((len(above), 1))
    return np.maximum(-np.diff(np.hstack([ends[0], above, ends[1]]), axis=1), 0.0)
