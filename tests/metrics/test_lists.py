"""Metrics of lists against scikit-learn, trec_eval, and their definitions by brute force."""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

from ranktron.metrics import average_precision, err, mrr, ndcg, precision_at
from tests.covering import examples

from .lists import ragged, trec


@st.composite
def one_list(draw: st.DrawFn, longest: int = 30, highest: int = 4, levels: int = 6) -> tuple[list[int], list[float]]:
    """Grades, and scores of which some are equal."""
    n = draw(st.integers(1, longest))
    numbers = st.integers(0, levels).map(lambda level: level / 4 - 0.5)
    return (
        draw(st.lists(st.integers(0, highest), min_size=n, max_size=n)),
        draw(st.lists(numbers, min_size=n, max_size=n)),
    )


@st.composite
def queries(draw: st.DrawFn) -> tuple[list[int], list[float], list[str]]:
    """Several lists, their rows mixed."""
    lists = draw(st.lists(one_list(longest=12), min_size=1, max_size=6))
    rows = [(grade, score, f"query {q}") for q, own in enumerate(lists) for grade, score in zip(*own)]
    return tuple(map(list, zip(*draw(st.permutations(rows)))))  # type: ignore[return-value]


@given(one_list(), st.none() | st.integers(1, 35), st.sampled_from(["linear", "exponential"]))
def test_ndcg_with_averaged_ties_is_scikit_learns(documents: Any, k: int | None, gain: str) -> None:
    y, scores = documents
    gains = y if gain == "linear" else [2**grade - 1 for grade in y]
    ours = ndcg(y, scores, k=k, gain=gain, ties="average", empty=0.0)
    if len(y) > 1:
        assert ours == pytest.approx(ndcg_score([gains], [scores], k=k), rel=1e-12, abs=1e-12)
    else:  # which scikit-learn refuses
        assert ours == float(y[0] > 0)


@given(one_list(levels=10**6), st.none() | st.integers(1, 35))
def test_ndcg_of_scores_that_differ_is_scikit_learns(documents: Any, k: int | None) -> None:
    y, scores = documents
    scores = [score + 1e-9 * row for row, score in enumerate(scores)]
    if len(y) > 1:
        theirs = ndcg_score([y], [scores], k=k, ignore_ties=True)
        assert ndcg(y, scores, k=k, gain="linear", empty=0.0) == pytest.approx(theirs, rel=1e-12, abs=1e-12)


@given(one_list())
def test_average_precision_of_scores_that_differ_is_scikit_learns(documents: Any) -> None:
    y, scores = documents
    scores = np.array(scores) - 1e-6 * np.arange(len(scores))  # equal scores in the order of rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # no relevant document
        theirs = average_precision_score(np.array(y) > 0, scores)
    assert average_precision(y, scores, empty=0.0) == pytest.approx(theirs, rel=1e-12)


@given(queries(), st.integers(1, 14))
@settings(max_examples=examples(60))
def test_all_of_trec_evals(rows: Any, k: int) -> None:
    y, scores, qid = rows
    theirs = trec(y, scores, qid, k)
    ours = {
        "map": average_precision(y, scores, qid, empty=0.0, per_list=True),
        "ndcg": ndcg(y, scores, qid, gain="linear", empty=0.0, per_list=True),
        f"ndcg_cut_{k}": ndcg(y, scores, qid, k=k, gain="linear", empty=0.0, per_list=True),
        "recip_rank": mrr(y, scores, qid, per_list=True),
        f"P_{k}": precision_at(y, scores, k, qid, per_list=True),
    }
    for name, values in ours.items():
        assert values.tolist() == pytest.approx(theirs[name], rel=1e-12, abs=1e-12), name


@pytest.mark.compiled
def test_trec_eval_on_large_ragged_lists() -> None:
    y, scores, qid = ragged(300, 400, seed=1)
    theirs = trec(y.tolist(), scores.tolist(), qid.tolist(), 10)
    assert ndcg(y, scores, qid, gain="linear", empty=0.0) == pytest.approx(np.mean(theirs["ndcg"]), rel=1e-12)
    assert ndcg(y, scores, qid, 10, gain="linear", empty=0.0) == pytest.approx(np.mean(theirs["ndcg_cut_10"]), rel=1e-12)
    assert average_precision(y, scores, qid, empty=0.0) == pytest.approx(np.mean(theirs["map"]), rel=1e-12)
    assert mrr(y, scores, qid) == pytest.approx(np.mean(theirs["recip_rank"]), rel=1e-12)
    assert precision_at(y, scores, 10, qid) == pytest.approx(np.mean(theirs["P_10"]), rel=1e-12)


@given(one_list(longest=6, levels=2), st.none() | st.integers(1, 7), st.sampled_from(["linear", "exponential"]))
@settings(max_examples=examples(60))
def test_averaged_ties_are_the_mean_over_all_orders(documents: Any, k: int | None, gain: str) -> None:
    y, scores = documents
    values = []
    for permutation in itertools.permutations(range(len(y))):
        shuffled = [y[i] for i in permutation], [scores[i] for i in permutation]
        values.append(ndcg(*shuffled, k=k, gain=gain, ties="first"))
    assert ndcg(y, scores, k=k, gain=gain, ties="average") == pytest.approx(np.mean(values), rel=1e-12)


def reader(grades: list[int], highest: int) -> Fraction:
    """The expected reciprocal rank by all that a reader may find: for each document, in order, satisfied or not."""
    chances = [Fraction(2**grade - 1, 2**highest) for grade in grades]
    expected = Fraction(0)
    for finds in itertools.product([False, True], repeat=len(grades)):
        chance = math.prod(own if found else 1 - own for found, own in zip(finds, chances))
        expected += chance * (Fraction(1, 1 + finds.index(True)) if True in finds else 0)
    return expected


@given(one_list(longest=7), st.none() | st.integers(1, 8), st.integers(0, 3))
@settings(max_examples=examples(60))
def test_err_is_what_a_reader_may_expect(documents: Any, k: int | None, more: int) -> None:
    y, scores = documents
    highest = max(1, *y) + more
    ranked = [y[i] for i in sorted(range(len(y)), key=lambda i: (-scores[i], i))][:k]
    expected = pytest.approx(float(reader(ranked, highest)), rel=1e-12)
    assert err(y, scores, k=k, highest=highest) == expected
    if more == 0 and max(y) > 0:
        assert err(y, scores, k=k) == expected


@given(queries())
def test_first_relevant_and_share_by_hand(rows: Any) -> None:
    y, scores, qid = rows
    reciprocal, share = [], []
    for q in dict.fromkeys(qid):
        own = [i for i in range(len(y)) if qid[i] == q]
        relevant = [y[i] > 0 for i in sorted(own, key=lambda i: (-scores[i], i))]
        reciprocal.append(1 / (1 + relevant.index(True)) if True in relevant[:3] else 0.0)
        share.append(sum(relevant[:3]) / 3)
    assert mrr(y, scores, qid, k=3, per_list=True).tolist() == reciprocal
    assert precision_at(y, scores, 3, qid, per_list=True).tolist() == share
