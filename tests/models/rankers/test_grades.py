"""Grades of any kind and size, lists of any length: what is learned depends on what they say, not on how it is written."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ranktron.kernels import Gaussian

from .family import (
    LINEAR_VARIANTS,
    both_averages,
    each,
    every_linear_variant,
    every_name,
    every_variant,
    ids_of,
    learned,
    make,
    state,
    stream,
)

KINDS: dict[str, Any] = {
    "list": lambda y: y.tolist(),
    "tuple": lambda y: tuple(y.tolist()),
    "int8": lambda y: y.astype(np.int8),
    "uint8": lambda y: y.astype(np.uint8),
    "uint64": lambda y: y.astype(np.uint64),
    "float16": lambda y: y.astype(np.float16),
    "float64": lambda y: y.astype(np.float64),
    "longdouble": lambda y: y.astype(np.longdouble),
    "objects": lambda y: y.astype(object),
    "pandas": lambda y: pd.Series(y, index=y),
    "pandas nullable": lambda y: pd.Series(y, dtype="Int64"),
    "polars": pl.Series,
    "read only": lambda y: np.broadcast_to(y, y.shape),
    "every other": lambda y: np.repeat(y, 2)[::2],
    "range of objects": lambda y: np.array([float(one) if one % 2 else int(one) for one in y], object),
}
SCALES = {
    "halves": [0.0, 0.5, 1.0, 1.5, 2.0],
    "thirds": [0.0, 1 / 3, 2 / 3, 1.0, 4 / 3],
    "large": [0, 7, 31, 32, 40],
    "huge": [0, 1, 40, 900, 1000],
    "close": [0.0, 0.1, 0.1 + 1e-9, 0.2, 1.0],
    "from one on": [1, 2, 3, 4, 5],
    "high and close": [999.0, 999.25, 999.5, 999.75, 1000.0],
}
LONG = [*LINEAR_VARIANTS, ("MinimaxRank", {"kernel": Gaussian(0.1), "budget": 4})]
every_scale = pytest.mark.parametrize("scale", SCALES)


@every_name
@pytest.mark.parametrize("kind", KINDS)
def test_types_of_grades_are_one(name: str, kind: str) -> None:
    X, y, qid = stream()
    model = make(name).fit(X, KINDS[kind](y), qid)
    assert state(model) == state(make(name).fit(X, y, qid))
    assert model.score(X, KINDS[kind](y), qid) == model.score(X, y, qid)


@every_variant
def test_flags_are_zero_and_one(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream()
    plain = make(name, **parameters).fit(X, (y > 1).astype(int), qid)
    for flags in (y > 1, (y > 1).tolist(), (y > 1).astype(np.float32), (y > 1).astype(object)):
        assert state(make(name, **parameters).fit(X, flags, qid)) == state(plain)


@every_variant
@both_averages
@every_scale
def test_any_scale_list_by_list_is_all_at_once(name: str, parameters: dict[str, Any], average: bool, scale: str) -> None:
    X, y, qid = stream(16, longest=9)
    grades = np.array(SCALES[scale])[y].astype(float)
    whole, single = (make(name, **parameters, average=average) for _ in range(2))
    whole.partial_fit(X, grades, qid)
    for rows, part in each(X, grades, qid):
        single.learn_list(rows, part)
    assert learned(single) == learned(whole)
    assert np.isfinite(whole.predict(X)).all()
    assert math.isfinite(whole.cumulative_loss_)
    assert (whole.n_updates_ > 0) == (whole.measure != "ap" or min(SCALES[scale]) == 0)


@every_variant
def test_other_lists_do_not_change_how_grades_are_read(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(10)
    plain, beside = make(name, **parameters).partial_fit(X, y, qid), make(name, **parameters)
    more, grades, ids = np.vstack([X, X[:1]]), np.append(y.astype(float), 35.5), np.append(qid, -1)
    beside.partial_fit(more, grades, ids)  # a list of one document, whose grade no table of small numbers holds
    assert beside.n_updates_ == plain.n_updates_
    assert beside._learner.arrays()["w"].tobytes() == plain._learner.arrays()["w"].tobytes()


@every_scale
@pytest.mark.parametrize("measure", ["ndcg", "ndcg@3"])
@both_averages
def test_minimax_rank_sees_the_order_of_grades_alone(scale: str, measure: str, average: bool) -> None:
    X, y, qid = stream(30)
    plain = make("MinimaxRank", measure=measure, average=average).fit(X, y, qid)
    model = make("MinimaxRank", measure=measure, average=average).fit(X, np.array(SCALES[scale])[y], qid)
    assert model.coef_.tobytes() == plain.coef_.tobytes()
    assert model.n_updates_ == plain.n_updates_ > 5


@every_linear_variant
def test_for_average_precision_what_is_relevant_is_alike(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(20)
    models = [make(name, **{**parameters, "measure": "ap"}).fit(X, grades, qid) for grades in (y > 0, y, 0.25 * y, 200 * y)]
    assert all(state(model) == state(models[0]) for model in models)
    assert len({model.score(X, y, qid) for model in models}) == 1


def test_listnet_does_not_see_what_is_added_to_all_grades() -> None:
    X, y, qid = stream(20)
    plain, raised = (make("ListNet").fit(X, grades, qid) for grades in (y, y + 3))
    np.testing.assert_allclose(raised.coef_, plain.coef_, rtol=1e-9)  # softmax(grades) is its target


@every_variant
@both_averages
@pytest.mark.parametrize("grade", [0, 1, 0.5, 4, 40, 1000])
def test_one_document_or_equal_grades_have_nothing_to_learn(
    name: str, parameters: dict[str, Any], average: bool, grade: float
) -> None:
    X, y, qid = stream(8)
    model = make(name, **parameters, average=average).fit(X, y, qid)
    before = model.n_updates_, model.cumulative_loss_, model._learner.arrays()["w"].tobytes()
    model.learn_list(X[:1], [grade])
    model.learn_list(X[:6], [grade] * 6)
    model.partial_fit(X[:9], [grade] * 9, qid=[1, 2, 2, 3, 3, 3, 4, 4, 1])
    assert (model.n_updates_, model.cumulative_loss_, model._learner.arrays()["w"].tobytes()) == before
    assert model.n_seen_ == 14
    assert np.isfinite(model.predict(X)).all()


@every_variant
def test_a_first_list_with_nothing_to_learn(name: str, parameters: dict[str, Any]) -> None:
    for grades in ([0, 0, 0], [2, 2, 2], [1000] * 3):
        model = make(name, **parameters)
        model.learn_list(np.eye(3), grades)
        assert (model.n_seen_, model.n_updates_, model.cumulative_loss_) == (1, 0, 0.0)
        assert model.predict(np.eye(3)).tolist() == [0, 0, 0]
        assert model.rank(np.eye(3)).tolist() == [0, 1, 2]


@pytest.mark.gate(5)
@pytest.mark.parametrize(("name", "parameters"), LONG, ids=ids_of(LONG))
def test_a_list_of_five_thousand_documents(name: str, parameters: dict[str, Any]) -> None:
    random = np.random.default_rng(0)
    X = random.standard_normal((5006, 3))
    y = np.digitize(X @ [1.0, -2.0, 0.5] + random.standard_normal(5006), [1.0, 2.0, 3.0, 4.0])
    qid = np.array([0, 1, 0, 1, 1, *[2] * 5000, 0])
    whole, single = (make(name, **parameters) for _ in range(2))
    whole.partial_fit(X, y, qid)
    for rows, grades in each(X, y, qid):
        single.learn_list(rows, grades)
    assert learned(single) == learned(whole)
    assert whole.n_seen_ == 3
    assert sorted(whole.rank(X).tolist()) == list(range(5006))
    assert 0 < whole.score(X, y, qid) <= 1


@every_linear_variant
def test_as_many_grades_as_documents(name: str, parameters: dict[str, Any]) -> None:
    X, _, qid = stream(20, longest=40)
    grades = X @ [1.0, -2.0, 0.5, 0.0] - (X @ [1.0, -2.0, 0.5, 0.0]).min()
    model = make(name, **parameters, epochs=10).fit(X, grades, qid)
    assert model.score(X, grades, qid) > 0.95
    assert len(np.unique(grades)) == len(grades)
