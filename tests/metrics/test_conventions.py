"""What metrics of lists say where conventions differ, what rows they take, and what they refuse."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ranktron.compile import policy
from ranktron.compile.machine_code import flatten
from ranktron.metrics import average_precision, err, mrr, ndcg, precision_at
from ranktron.metrics.list_values import write_values

from .lists import ragged

METRICS: dict[str, Callable[..., Any]] = {
    "ndcg": ndcg,
    "ndcg@3": partial(ndcg, k=3),
    "ndcg, linear": partial(ndcg, gain="linear"),
    "ndcg, ties averaged": partial(ndcg, ties="average"),
    "ndcg@3, ties averaged": partial(ndcg, k=3, ties="average"),
    "average precision": average_precision,
    "err": partial(err, highest=4),
    "err@3": partial(err, highest=4, k=3),
    "mrr": mrr,
    "mrr@2": partial(mrr, k=2),
    "precision@4": lambda y, scores, qid=None, **settings: precision_at(y, scores, 4, qid, **settings),
}
every_metric = pytest.mark.parametrize("metric", list(METRICS.values()), ids=METRICS)


def worth(*values: float) -> Any:
    """Every metric, with what it should be."""
    return pytest.mark.parametrize(("metric", "worth"), list(zip(METRICS.values(), values, strict=True)), ids=METRICS)


@worth(1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0)
def test_a_list_without_relevant_documents(metric: Any, worth: float) -> None:
    y, scores, qid = [0, 0, 1, 0], [1, 2, 3, 4], [1, 1, 2, 2]
    other = metric(y[2:], scores[2:])
    assert 0 < other < 1
    assert metric(y, scores, qid) == (worth + other) / 2
    assert metric(y, scores, qid, empty=0.25) == (0.25 + other) / 2
    assert metric(y, scores, qid, empty="skip") == other
    assert metric([0], [1.0]) == worth
    assert math.isnan(metric(y[:2], scores[:2], empty="skip"))
    np.testing.assert_array_equal(metric(y, scores, qid, empty="skip", per_list=True), [math.nan, other])


@worth(1, 1, 1, 1, 1, 1, 15 / 16, 15 / 16, 1, 1, 1 / 4)
def test_a_list_of_one_relevant_document(metric: Any, worth: float) -> None:
    assert metric([4], [-3.5]) == worth


@every_metric
def test_equal_scores_stand_in_the_order_of_rows(metric: Any) -> None:
    y = [0, 1, 4, 0, 2]
    falling = metric(y, [5, 4, 3, 2, 1])
    if "ties" in repr(metric):
        assert metric(y, [1] * 5) == metric(y[::-1], [1] * 5) != falling
    else:
        assert metric(y, [1] * 5) == falling != metric(y[::-1], [1] * 5)


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("ties", ["first", "average"])
@pytest.mark.parametrize("k", [None, 1, 2, 3, 50])
def test_a_perfect_order_counts_exactly_one(gain: str, ties: str, k: int | None) -> None:
    y = np.sort(np.random.default_rng(0).integers(0, 5, 40) * 0.1)[::-1]
    assert ndcg(y, y, k=k, gain=gain, ties=ties) == 1.0
    assert ndcg(y, -np.arange(40), k=k, gain=gain, ties=ties) == 1.0


@every_metric
def test_each_list_is_judged_by_itself_in_the_order_of_first_appearance(metric: Any) -> None:
    y, scores, qid = ragged(25, 12)
    values = metric(y, scores, qid, per_list=True)
    alone = [metric(y[qid == q], scores[qid == q]) for q in dict.fromkeys(qid.tolist())]
    assert values.tolist() == alone
    assert metric(y, scores, qid) == math.fsum(alone) / len(alone)
    assert metric(y, scores) == metric(y, scores, np.zeros(len(y)))


@every_metric
def test_the_order_of_lists_does_not_matter(metric: Any) -> None:
    y, scores, qid = ragged(40, 9)
    order = np.argsort(-qid, kind="stable")
    assert metric(y[order], scores[order], qid[order]) == metric(y, scores, qid)


@pytest.mark.parametrize(
    "kind",
    [np.array, list, pd.Series, pl.Series, partial(np.array, dtype=object), lambda given: pd.Series(given, index=[3, 1, 2, 0])],
)
def test_rows_of_many_kinds(kind: Any) -> None:
    expected = ndcg([0, 1, 2, 0], [0.5, 0.25, 0.75, 1.0], [1, 2, 2, 1])
    assert ndcg(kind([0, 1, 2, 0]), kind([0.5, 0.25, 0.75, 1.0]), kind([1, 2, 2, 1])) == expected
    words, pairs = ["a", "b", "b", "a"], [("a", 1), ("b", 1), ("b", 1), ("a", 1)]
    assert ndcg([0, 1, 2, 0], [0.5, 0.25, 0.75, 1.0], words) == ndcg([0, 1, 2, 0], [0.5, 0.25, 0.75, 1.0], pairs) == expected
    assert ndcg(kind([False, True, True, False]), kind([2, 1, 3, 4]), kind(words), gain="linear") == pytest.approx(
        ndcg([0, 1, 1, 0], [2, 1, 3, 4], words)
    )


def test_grades_may_be_fractions_and_large() -> None:
    assert ndcg([0.5, 1.5], [1, 2]) == 1.0
    assert ndcg([0.5, 1.5], [2, 1]) == pytest.approx(ndcg([2**0.5 - 1, 2**1.5 - 1], [2, 1], gain="linear"))
    assert ndcg([1000, 999], [1, 2]) == pytest.approx((0.5 + 1 / math.log2(3)) / (1 + 0.5 / math.log2(3)))
    assert ndcg([1e300, 0], [1, 2], gain="linear") == pytest.approx(1 / math.log2(3))


REFUSED = {
    "y and scores should both have one value per row; they have 2 and 3": ([1, 0], [1.0, 2.0, 3.0]),
    "scores should hold finite numbers; row 1 is NaN": ([1, 0], [1.0, math.nan]),
    "scores should hold finite numbers; row 0 is infinite": ([1, 0], [-math.inf, 1.0]),
    "y should hold finite numbers; row 1 is NaN": ([1, math.nan], [1.0, 2.0]),
    "y holds -1 in row 1; a grade should be 0 (irrelevant) or more": ([1, -1], [1.0, 2.0]),
    "y should hold one value per row, in one dimension; its shape is (1, 2)": ([[1, 0]], [1.0, 2.0]),
    "scores should hold one value per row, in one dimension; its shape is (2, 1)": ([1, 0], [[1.0], [2.0]]),
    "scores should hold one value per row, in one dimension; its shape is ()": ([1, 0], 3.0),
    "y should hold numbers, not 'good'": (["good", "bad"], [1.0, 2.0]),
    "scores should hold numbers, not '1'": ([1, 0], ["1", 2.0]),
    "scores should hold numbers, not (1+2j)": ([1, 0], [1 + 2j, 2.0]),
    "scores should hold one number per row: ": ([1, 0], [1.0, {}]),
    "y is empty; a metric needs at least one row": ([], []),
    "qid should hold one id a row, 2; its shape is (3,)": ([1, 0], [1.0, 2.0], [1, 1, 2]),
}


@every_metric
@pytest.mark.parametrize(("sentence", "rows"), list(REFUSED.items()), ids=REFUSED)
def test_bad_rows_get_one_sentence(metric: Any, sentence: str, rows: Any) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as refusal:
        metric(*rows)
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (partial(ndcg, k=0), "k should be a whole number of places, 1 or more, or None for all; not 0"),
        (partial(mrr, k=2.5), "k should be a whole number of places"),
        (partial(err, k=True), "k should be a whole number of places"),
        (partial(precision_at, k=None), "k should be a whole number of places, 1 or more, not None"),
        (partial(ndcg, gain="quadratic"), "gain should be 'exponential' or 'linear', not 'quadratic'"),
        (partial(ndcg, ties=None), "ties should be 'first' or 'average', not None"),
        (partial(average_precision, empty="zero"), "empty should be a number from 0 to 1, or 'skip', not 'zero'"),
        (partial(ndcg, empty=1.5), "empty should be a number from 0 to 1, or 'skip', not 1.5"),
        (partial(ndcg, empty=math.nan), "empty should be a number from 0 to 1, or 'skip', not nan"),
        (partial(err, highest=1), "y holds 2 in row 1; no grade should be above highest=1"),
        (partial(err, highest=0), "highest should be the highest grade of the scale, above 0 and up to 1000, not 0"),
        (partial(err, highest="four"), "highest should be the highest grade of the scale"),
    ],
)
def test_bad_settings_get_one_sentence(call: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as refusal:
        call([1, 2], [1.0, 2.0])
    assert str(refusal.value).startswith(sentence)


@pytest.mark.parametrize("metric", [ndcg, err])
def test_gains_that_no_number_can_hold_are_refused(metric: Any) -> None:
    with pytest.raises(ValueError, match="y holds 1001 in row 1; exponential gains need grades up to 1000"):
        metric([1, 1001], [1.0, 2.0])
    assert ndcg([1, 1001], [1.0, 2.0], gain="linear") == 1.0


@pytest.mark.compiled
@every_metric
def test_compiled_code_judges_as_interpreted_code_does(metric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    y, scores, qid = ragged(150, 300, seed=3)
    results = []
    for patience in (math.inf, 0):
        monkeypatch.setattr(policy, "PATIENCE", patience)
        results.append(metric(y * 0.75, scores, qid, empty="skip", per_list=True).tobytes())
    assert results[0] == results[1]


@pytest.mark.compiled
def test_one_kind_of_metric_is_compiled_once_whatever_the_arrays_are(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: list[Any] = []
    bind = write_values.compiled.bind  # type: ignore[attr-defined]
    monkeypatch.setattr(policy, "PATIENCE", 0)
    told = lambda args, *more: kinds.append(flatten(args)[0]) or bind(args, *more)  # noqa: E731
    monkeypatch.setattr(write_values.compiled, "bind", told)  # type: ignore[attr-defined]
    y, scores, qid = ragged(50, 30)
    y, scores = y.astype(np.float64), scores.astype(np.float64)
    expected = ndcg(y, scores, qid, gain="linear")
    scores.flags.writeable = False
    assert ndcg(y, scores, qid, gain="linear") == ndcg(y.astype(np.float32), scores, qid, gain="linear") == expected
    assert ndcg(list(y), list(scores), list(qid), gain="linear") == expected
    assert (len(kinds), len(set(kinds))) == (4, 1)
