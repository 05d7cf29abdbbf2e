"""The generic functions of learning: every algorithm scores a row, decides, and on a mistake corrects and updates.

``scores`` and ``correction`` have one place per rank. Where thresholds cut a direction, place r < k - 1 stands for threshold r
and the last one for the direction: ``scores`` holds w·x - b_r and w·x, ``correction`` what to subtract from b_r and how far to
move w along x. Where every class has its own weights, place r stands for class r.

Lists of documents are learned by the same functions: ``scores`` and ``correction`` then have one place per document, the
prediction is their order and the label is their ``Grades``.

A default that raises NotImplementedError is mandatory for those whom it concerns; ``scorers.protocol`` lists what a scorer needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..compile.generic import generic, inline
from .rows import AnyRows, squared_norm

# NamedTuples of arrays, numbers and other such tuples, which numba passes without a box. They have bodies of the functions below.
Scorer = Any
Rule = Any
Decision = Any

# Single rows with higher scores are learned as batches, because a batch can be undone and a sum of such scores may overflow.
LARGEST_SCORE = 2.0**400


# Scoring


@generic
def evaluate_kernel(X: AnyRows, i: int) -> None:
    """Compute the kernel values of row ``i``; rows without a kernel need nothing."""


@generic
def score(scorer: Scorer, X: AnyRows, i: int, scores: np.ndarray) -> float:
    """Write the scores of row ``i``; returns a number that is finite if and only if the scorer can learn from the row."""
    raise NotImplementedError


@generic
def score_mean(scorer: Scorer, X: AnyRows, i: int, age: float, scores: np.ndarray) -> float:
    """Write the scores by the hypothesis that predicts: the sum over time, or the last one where nothing is averaged."""
    raise NotImplementedError


@generic
def score_mean_and_current(scorer: Scorer, X: AnyRows, i: int, age: float, means: np.ndarray, scores: np.ndarray) -> float:
    """Write the scores of ``score_mean`` into ``means`` and those of ``score`` into ``scores``; returns as ``score`` does."""
    score_mean(scorer, X, i, age, means)
    return score(scorer, X, i, scores)


@inline
def are_moderate(scores: np.ndarray) -> bool:
    """Whether thresholds and projections are so small that no sum of them overflows, in a stream of any length."""
    moderate = True
    for r in range(scores.shape[0]):
        moderate = moderate and abs(scores[r]) < LARGEST_SCORE
    return moderate


# Deciding


@generic
def decide(decision: Decision, scores: np.ndarray) -> int:
    """The predicted rank, from 0."""
    raise NotImplementedError


@generic
def decide_without_reject(decision: Decision, scores: np.ndarray) -> int:
    """The rank to learn by, also where the decision would reject the row."""
    return decide(decision, scores)


@generic
def write_prediction(decision: Decision, scores: np.ndarray, predictions: np.ndarray, i: int) -> None:
    """Write the prediction of row ``i``."""
    predictions[i] = decide(decision, scores)


@generic
def next_calibration_row(decision: Decision, age: float) -> int:
    """The number of the next row that the decision is calibrated on, ``age`` rows having been seen; -1 if it learns nothing."""
    return -1


@generic
def calibrate(decision: Decision, scorer: Scorer, scores: np.ndarray, label: int, age: float) -> None:
    """Learn from the scores by which a row was predicted, where the decision learns."""


@generic
def pause_calibration(decision: Decision, known: bool) -> Decision:
    """The decision for rows that were learned before, if they are ``known``: they say little about the errors on new ones."""
    return decision


@generic
def calibration_state(decision: Decision) -> dict[str, np.ndarray]:
    """What the decision has learned, by name."""
    return {}


# Learning


class Example(NamedTuple):
    """A row to learn, with its scores and a buffer for its correction, which is multiplied by ``scale``.

    A ``single`` row is checked before anything moves, because no copy is kept to restore; a batch is checked as a whole when it
    is finished.
    """

    X: AnyRows
    i: int
    label: int
    scale: float
    single: bool
    scores: np.ndarray
    correction: np.ndarray


@generic
def learn(scorer: Scorer, rule: Rule, example: Example, prediction: int, age: float) -> int:
    """Learn a row after it was scored and predicted, ``age`` rows having been seen before it.

    Returns the number of updates, or -1 for a row that is too large to learn from.
    """
    if not needs_update(rule, example.scores, prediction, example.label) or example.scale == 0.0:
        return 0
    norm = squared_norm(example.X, example.i)
    if example.single and not is_small_enough(scorer, norm):
        return -1
    write_correction(rule, example, prediction, norm)
    update(scorer, example.X, example.i, example.correction, age)
    return 1


@inline
def write_correction(rule: Rule, example: Example, prediction: Any, norm: float) -> None:
    """Write the correction of a row of this squared norm, multiplied by its scale."""
    correct(rule, example.scores, prediction, example.label, norm, example.correction)
    if example.scale != 1.0:
        for r in range(example.correction.shape[0]):
            example.correction[r] *= example.scale


@generic
def is_small_enough(scorer: Scorer, norm: float) -> bool:
    """Whether a row of this squared norm is small enough to learn from."""
    return math.isfinite(norm)


@generic
def needs_update(rule: Rule, scores: np.ndarray, prediction: Any, label: Any) -> bool:
    """Whether to learn from this row; by default the rule is conservative: only if the prediction was wrong."""
    return prediction != label


@generic
def prediction_loss(rule: Rule, scores: np.ndarray, prediction: int, label: int) -> float:
    """The loss of the learning hypothesis on a row; by default the number of ranks between prediction and label."""
    return abs(prediction - label)


@generic
def depends_on_rank_only(rule: Rule) -> bool:
    """Whether ``needs_update`` depends on the predicted rank alone; then it can be found for many members at once."""
    return True


@generic
def correct(rule: Rule, scores: np.ndarray, prediction: Any, label: Any, norm: float, correction: np.ndarray) -> None:
    """Write the correction for ``label``, where ``norm`` is the squared norm of the row."""
    raise NotImplementedError


@generic
def update(scorer: Scorer, X: AnyRows, i: int, correction: np.ndarray, age: float) -> None:
    """Move the hypothesis along row ``i`` by ``correction``."""
    raise NotImplementedError


@generic
def move(scorer: Scorer, X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float) -> None:
    """Move the hypothesis along some rows of a list, each by its push."""
    raise NotImplementedError


@generic
def store_in_support(X: AnyRows, i: int, scorer: Scorer, age: float) -> None:
    """Add row ``i`` to the support of a kernel if the hypothesis was moved along it."""


@generic
def accumulate_average(scorer: Scorer, weight: float) -> None:
    """Count the hypothesis after a row into the mean, with a weight that is not 1 where the past is forgotten.

    Nothing to do where ``update`` does it.
    """


@inline
def store_and_average(scorer: Scorer, X: AnyRows, i: int, age: float) -> None:
    """Finish row ``i``: store it in the support if the hypothesis was moved along it, and count the hypothesis into the mean."""
    store_in_support(X, i, scorer, age)
    accumulate_average(scorer, 1.0)


# Around the loops


def delegate(cls: type, inner: Callable[[Any], Any], *functions: Any) -> None:
    """Let a wrapper answer ``functions`` as the scorer or the decision that ``inner`` finds in it does."""
    for function in functions:
        function.on(cls)(_delegated(function, inner))


def _delegated(function: Callable[..., Any], inner: Callable[[Any], Any]) -> Callable[..., Any]:
    def delegated(wrapper: Any, *args: Any) -> Any:
        return function(inner(wrapper), *args)

    return delegated


@generic
def compiles(part: Any) -> bool:
    """Whether a rule or a scorer can be compiled; one that calls a library, or a user's function, cannot."""
    return True


@generic
def check_learned(part: Any, prefix: str, n_features: int) -> None:
    """Raise ValueError if a scorer or a decision of a model file holds numbers that no stream leads to.

    Called once for every part, however deep; the part's arrays are called ``prefix`` + field in the file. Finite numbers, and
    counts that are not negative, have been checked before.
    """
