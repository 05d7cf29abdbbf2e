"""Measures how well scores order lists of graded documents.

Every function takes the grade and the score of each document, as finite numbers, and ``qid``, the id of its list. Ids may have
any hashable type, in any order of rows; ``None`` means that all documents are one list. Grades are 0 for irrelevant documents and
higher for relevant ones. A higher score is a better place; of equal scores the first document has the better place. The result is
the mean over lists, with the same weight for lists of any length. Sums are exact, so the order of the lists does not matter.

With ``per_list=True`` a function returns the value of each list instead, in the order in which the ids first appear (that of
``dict.fromkeys(qid)``), and NaN for skipped lists. So two systems can be compared list by list on the same rows.

``empty`` is the value of a list without relevant documents: a number from 0 to 1, or ``"skip"`` to leave such lists out; the mean
is NaN if none remains. The formulas of NDCG and average precision are 0/0 for such lists, and conventions differ: 1 in the papers
on online ranking (no order is wrong), 0 in LETOR's tool, scikit-learn and trec_eval. The formulas of the others give 0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.lists import lists_of
from ..core.measures import NDCG, AveragePrecision
from .inputs import choice, cutoff_of, exponential_gains, grades_of, highest_grade, numbers, same_length, value_of_empty
from .list_values import ExpectedNDCG, ExpectedReciprocalRank, ReciprocalRank, TrecPrecision, discounts, values_of


def ndcg(
    y: Any,
    scores: Any,
    qid: Any = None,
    k: int | None = None,
    gain: str = "exponential",
    ties: str = "first",
    empty: float | str = 1.0,
    per_list: bool = False,
) -> Any:
    """Normalised discounted cumulative gain: Σ gain / log2(1 + place) down to place k, divided by its highest possible value.

    A list of one relevant document has the value 1. An order with no better document below a worse one has exactly 1.

    Parameters
    ----------
    y, scores, qid, empty, per_list
        As in all functions of `ranktron.metrics.lists`. Exponential gains need grades up to 1000.
    k : int, optional
        The number of places that count, in the sum and in the ideal one. By default all, as in lists with fewer places.
    gain : {"exponential", "linear"}
        2^grade - 1, as in LETOR, LightGBM and the papers, or the grade itself, as in scikit-learn and trec_eval.
    ties : {"first", "average"}
        Rank equal scores in the order of their rows, or take the mean over all their orders, as scikit-learn does.

    Examples
    --------
    >>> from ranktron.metrics import ndcg
    >>> ndcg([0, 2, 1], [0.1, 0.2, 0.3])  # (1 + 3 / log2 3) / (3 + 1 / log2 3)
    0.7967075809905066
    >>> ndcg([0, 2, 1], [0.1, 0.3, 0.2], k=1)
    1.0
    >>> ndcg([1, 0, 0, 0], [0.1, 0.2, 0.1, 0.2], qid=["a", "a", "b", "b"], empty="skip", per_list=True).round(4)
    array([0.6309,    nan])

    References
    ----------
    Järvelin, K. & Kekäläinen, J. (2002). Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4).
    McSherry, F. & Najork, M. (2008). Computing information retrieval performance measures efficiently in the presence of tied
    scores. ECIR.
    """
    kind: Any = {"first": NDCG, "average": ExpectedNDCG}[choice(ties, "ties", "first", "average")]
    is_linear = choice(gain, "gain", "exponential", "linear") == "linear"
    cutoff, worth = cutoff_of(k), value_of_empty(empty)
    grades, scores = _documents(y, scores)
    lists = lists_of(qid, len(grades))
    gains = grades if is_linear else exponential_gains(grades)
    return _result(values_of(kind(cutoff, discounts(lists, cutoff)), scores, gains, lists), worth, per_list)


def average_precision(y: Any, scores: Any, qid: Any = None, empty: float | str = 1.0, per_list: bool = False) -> Any:
    """Mean average precision (MAP): the precision down to each relevant document, averaged over these, then over the lists.

    Documents with a grade above 0 are relevant. All documents of a list count as retrieved. A list of one relevant document has
    the value 1. Without equal scores this is scikit-learn's ``average_precision_score`` and trec_eval's ``map``.

    Examples
    --------
    >>> from ranktron.metrics import average_precision
    >>> average_precision([1, 0, 2], [0.9, 0.8, 0.7])  # (1/1 + 2/3) / 2
    0.8333333333333333
    """
    worth = value_of_empty(empty)
    grades, scores = _documents(y, scores)
    gains = (grades > 0).astype(np.float64)
    return _result(values_of(AveragePrecision(), scores, gains, lists_of(qid, len(grades))), worth, per_list)


def err(
    y: Any,
    scores: Any,
    qid: Any = None,
    k: int | None = None,
    highest: float | None = None,
    empty: float | str = 0.0,
    per_list: bool = False,
) -> Any:
    """Expected reciprocal rank of the document that satisfies a reader. Each does so with probability (2^grade - 1) / 2^highest.

    Documents below place ``k`` are not read. ``highest`` is the highest grade of the scale, which need not occur. By default it
    is the highest in ``y``; then values of different data are not comparable. The result is not normalised: a list of one
    document of the highest grade has the value 1 - 2^-highest.

    Examples
    --------
    >>> from ranktron.metrics import err
    >>> err([0, 1, 2], [0.3, 0.2, 0.1])  # 1/4 · 1/2 + (1 - 1/4) · 3/4 · 1/3
    0.3125

    References
    ----------
    Chapelle, O., Metzler, D., Zhang, Y. & Grinspan, P. (2009). Expected reciprocal rank for graded relevance. CIKM.
    """
    cutoff, worth = cutoff_of(k), value_of_empty(empty)
    grades, scores = _documents(y, scores)
    gains = exponential_gains(grades) / 2.0 ** _scale_top(highest, grades)
    return _result(values_of(ExpectedReciprocalRank(cutoff), scores, gains, lists_of(qid, len(grades))), worth, per_list)


def mrr(y: Any, scores: Any, qid: Any = None, k: int | None = None, empty: float | str = 0.0, per_list: bool = False) -> Any:
    """Mean reciprocal rank: one over the place of the first document with a grade above 0, or 0 if it is below place ``k``.

    A list of one relevant document has the value 1.

    Examples
    --------
    >>> from ranktron.metrics import mrr
    >>> mrr([0, 1, 0, 1], [0.9, 0.1, 0.2, 0.3], qid=[1, 1, 2, 2])  # second place, first place
    0.75
    """
    cutoff, worth = cutoff_of(k), value_of_empty(empty)
    grades, scores = _documents(y, scores)
    return _result(values_of(ReciprocalRank(cutoff), scores, grades, lists_of(qid, len(grades))), worth, per_list)


def precision_at(y: Any, scores: Any, k: int, qid: Any = None, empty: float | str = 0.0, per_list: bool = False) -> Any:
    """The share of documents with a grade above 0 in the first ``k`` places.

    It is divided by ``k`` for shorter lists, too, as trec_eval does: one relevant document alone has the value 1/k.

    Examples
    --------
    >>> from ranktron.metrics import precision_at
    >>> precision_at([1, 0, 2], [0.9, 0.8, 0.7], k=2)
    0.5
    """
    if k is None:
        raise ValueError("k should be a whole number of places, 1 or more, not None")
    cutoff, worth = cutoff_of(k), value_of_empty(empty)
    grades, scores = _documents(y, scores)
    return _result(values_of(TrecPrecision(cutoff), scores, grades, lists_of(qid, len(grades))), worth, per_list)


def _documents(y: Any, scores: Any) -> tuple[np.ndarray, np.ndarray]:
    grades, predicted = grades_of(y), numbers(scores, "scores")
    same_length(grades, "y", predicted, "scores")
    return grades, predicted


def _scale_top(highest: Any, grades: np.ndarray) -> float:
    top = float(grades.max())
    scale_top = top if highest is None else highest_grade(highest)
    if top > scale_top:
        raise ValueError(f"y holds {top:g} in row {int(np.argmax(grades))}; no grade should be above highest={highest}")
    return scale_top


def _result(values: np.ndarray, worth: float, per_list: bool) -> Any:
    if not math.isnan(worth):
        values[np.isnan(values)] = worth
    if per_list:
        return values
    counted = values[~np.isnan(values)]
    return math.fsum(counted.tolist()) / len(counted) if len(counted) else math.nan
