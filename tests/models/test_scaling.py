"""scale="standard": a plain model on rows that are standardised by all rows up to them learns and says the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import ranktron
from ranktron.core.scorers.protocol import hypothesis
from ranktron.kernels import Gaussian
from ranktron.models.streaming import feed

from ..family import PLAIN, make, state, stream
from .contract import refused
from .standardising import folded, predicted_then_learned, scaled_by
from .test_streaming import Block, csr

LINEAR = [
    ("PRank", {}),
    ("NoPRank", {"trigger": "margin", "average": False}),
    ("MuPRank", {"radius": 64.0}),
    ("WidrowHoff", {"fit_intercept": True, "step": 0.01}),
    ("OrdinalLogit", {}),
    ("OAP", {"tau": 0.5}),
]
OTHERS = [("PRank", {"kernel": Gaussian(0.1)}), ("Voted", {}), ("MulticlassPerceptron", {"fit_intercept": True})]
linear = pytest.mark.parametrize(("name", "parameters"), LINEAR, ids=[name for name, _ in LINEAR])
every_kind = pytest.mark.parametrize(("name", "parameters"), LINEAR + OTHERS)


def rows(n: int = 50) -> tuple[np.ndarray, np.ndarray]:
    """Features of all scales, one of them constant."""
    X, y = stream(n, d=5)
    return X * [1.0, 1e-2, 300.0, 5.0, 0.0] + [0.0, 1.0, -7000.0, 2.0, 0.1], y


def both(name: str, parameters: dict[str, Any], forget: float | None = None) -> tuple[Any, Any]:
    common = {**parameters, "classes": range(1, 6)}
    return make(name, **common, scale="standard", **({} if forget is None else {"forget": forget})), make(name, **common)


def assert_says(model: Any, plain: Any, X: np.ndarray, given: Any, **how: Any) -> None:
    """The weights and the thresholds for rows as they come are those of the plain model for scaled rows, and predict the same."""
    coef, at_zero = folded(plain, X, **how)
    scale = X.std(axis=0)
    np.testing.assert_allclose(model.coef_ * scale, coef * scale, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.thresholds_, plain.thresholds_ - at_zero, rtol=1e-9, atol=1e-9)
    projected = X @ model.coef_ + getattr(model, "intercept_", 0.0)
    np.testing.assert_allclose(model.project(given), projected, rtol=1e-9, atol=1e-9)
    assert model.predict(given).tolist() == (1 + (projected[:, None] >= model.thresholds_).sum(axis=1)).tolist()


@every_kind
def test_dense_rows_are_standardised(name: str, parameters: dict[str, Any]) -> None:
    X, y = rows()
    model, plain = both(name, parameters)
    assert model.predict_then_learn(X, y).tolist() == predicted_then_learned(plain, X, y)
    assert model.predict(X).tolist() == plain.predict(scaled_by(X, X)).tolist()
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(scaled_by(X, X)), rtol=1e-9, atol=1e-9)


@linear
def test_what_a_model_shows_is_for_rows_as_they_come(name: str, parameters: dict[str, Any]) -> None:
    X, y = rows()
    model, plain = both(name, parameters)
    predicted_then_learned(plain, X, y)
    assert_says(model.partial_fit(X, y), plain, X, X)


def test_every_class_and_every_member_too() -> None:
    X, y = rows()
    model = ranktron.MulticlassPerceptron(scale="standard", fit_intercept=True).fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), scores, rtol=1e-9, atol=1e-9)
    crowd = make("OAP", combine="voting", tau=0.5, scale="standard").fit(X, y)
    ranks = 1 + ((X @ crowd.members_coef_.T)[:, :, None] >= crowd.members_thresholds_).sum(axis=2)
    shares = crowd.members_votes_ / crowd.members_votes_.sum()
    np.testing.assert_allclose(crowd.predict_mean(X), ranks @ shares, rtol=1e-9)


def sparse_rows() -> tuple[np.ndarray, np.ndarray]:
    """Columns that come late, or not for long, and one that is always there and constant."""
    X, y = rows()
    X[:, :3] *= np.random.default_rng(1).random((len(X), 3)) < 0.4
    X[:20, 1] = X[5:40, 2] = 0.0
    return X, y


@linear
@pytest.mark.parametrize("form", [sp.csr_array, sp.csr_matrix])
def test_sparse_rows_are_scaled_and_not_centred(name: str, parameters: dict[str, Any], form: Any) -> None:
    X, y = sparse_rows()
    model, plain = both(name, parameters)
    assert model.predict_then_learn(form(X), y).tolist() == predicted_then_learned(plain, X, y, centred=False)
    assert_says(model, plain, X, form(X), centred=False)


@pytest.mark.parametrize("scale", ["standard", "settled"])
def test_after_sparse_rows_dense_ones_are_those_without_their_zeros(scale: str) -> None:
    X, y = sparse_rows()
    model, other = (ranktron.PRank(scale=scale).fit(sp.csr_array(np.vstack([X] * 6)), np.tile(y, 6)) for _ in range(2))
    zeros_too = sp.csr_array((X.ravel(), np.tile(np.arange(5), 50), np.arange(0, 251, 5)), shape=X.shape)
    assert model.project(X).tobytes() == model.project(sp.csr_array(X)).tobytes() == model.project(zeros_too).tobytes()
    assert model.predict_then_learn(X, y).tolist() == other.predict_then_learn(sp.csr_array(X), y).tolist()
    assert state(model) == state(other)
    assert state(model.partial_fit(X, y)) == state(other.partial_fit(zeros_too, y))


@pytest.mark.parametrize("scale", ["standard", "settled"])
def test_after_dense_rows_sparse_ones_are_centred(scale: str) -> None:
    X, y = sparse_rows()
    model, other = (ranktron.PRank(scale=scale).fit(X, y) for _ in range(2))
    assert model.project(X).tobytes() == model.project(sp.csr_array(X)).tobytes()
    assert state(model.partial_fit(X, y)) == state(other.partial_fit(sp.csr_array(X), y))


@pytest.mark.parametrize(("name", "parameters"), [one for one in LINEAR if one[0] != "MuPRank"])  # its columns share a sum
def test_mappings_of_few_names_are_centred_late_names_too(name: str, parameters: dict[str, Any]) -> None:
    X, y = rows()
    for column in range(1, 5):
        X[: 7 * column, column] = 0.0  # so names appear in the order of the columns
    X[30:40, 2] = 0.0
    model, plain = both(name, parameters)
    told = []
    for x, label in zip(X, y.tolist()):
        row = {f"f{column}": value for column, value in enumerate(x.tolist()) if value or column == 0}
        told.append(model.predict_one(row))
        model.learn_one(row, label)
    assert told == predicted_then_learned(plain, X, y)
    assert_says(model, plain, X, pd.DataFrame(X, columns=[f"f{column}" for column in range(5)]))


def test_names_of_sparse_blocks_are_not_if_they_are_many_whether_or_not_a_mapping_has_all_of_them() -> None:
    X, y = stream(20, d=1_100)
    X = np.where(np.abs(X) > 1.0, X + 3.0, 0.0)
    names = [f"f{column:04}" for column in range(X.shape[1])]
    few, full, batch = (make("NoPRank", PLAIN, scale="standard", classes=range(1, 6)) for _ in range(3))
    for model in (few, full, batch):
        feed(model, Block(csr(X[:5]), 1_100, names, y[:5]))
    for x, label in zip(X[5:], y[5:].tolist()):
        row = dict(zip(names, x.tolist()))
        full.learn_one(row, label)
        few.learn_one({key: value for key, value in row.items() if value}, label)
    feed(batch, Block(csr(X[5:]), 1_100, names, y[5:]))
    assert state(few) == state(full) == state(batch)
    assert batch.coef_ == pytest.approx(hypothesis(batch._learned.scorer, 5, 20).coef / X.std(axis=0), rel=1e-9)


@pytest.mark.parametrize("name", ["SLAM", "ListNet"])
@pytest.mark.parametrize("centred", [True, False])
def test_lists_are_scaled_by_all_of_their_rows(name: str, centred: bool) -> None:
    (X, y), qid = sparse_rows(), np.repeat(np.arange(10), 5)
    y -= 1
    model, plain = getattr(ranktron, name)(scale="standard"), getattr(ranktron, name)()
    told = model.predict_then_learn(X if centred else sp.csr_array(X), y, qid=qid)
    for start in range(0, 50, 5):
        part = slice(start, start + 5)
        if start:
            expected = plain.predict(scaled_by(X[:start], X[part], centred=centred))
            np.testing.assert_allclose(told[part], expected, rtol=1e-9, atol=1e-9)
        plain.partial_fit(scaled_by(X[: start + 5], X[part], centred=centred), y[part], qid=qid[part])
    np.testing.assert_allclose(np.ptp(model.predict(X) - X @ model.coef_), 0.0, atol=1e-9)


@every_kind
def test_the_scaling_forgets(name: str, parameters: dict[str, Any]) -> None:
    if parameters.get("average") is not False and name not in ("Voted", "OAP"):
        parameters = {**parameters, "average": False}  # so that only the scaling forgets
    X, y = rows()
    model = make(name, **{**parameters, "classes": range(1, 6), "scale": "standard"})
    model.forget = 0.1
    plain = make(name, **parameters, classes=range(1, 6))
    plain.forget = 0.1 if name == "OrdinalLogit" else None  # its belief does so too
    assert model.predict_then_learn(X, y).tolist() == predicted_then_learned(plain, X, y, forget=0.1)
    seen = scaled_by(X, X, forget=0.1)
    np.testing.assert_allclose(model.decision_function(X), plain.decision_function(seen), rtol=1e-9, atol=1e-9)


def test_sparse_columns_are_forgotten_too() -> None:
    X, y = sparse_rows()
    model, plain = both("PRank", {"average": False})
    model.forget = 0.3
    assert model.predict_then_learn(sp.csr_array(X), y).tolist() == predicted_then_learned(plain, X, y, forget=0.3, centred=False)
    assert_says(model, plain, X, sp.csr_array(X), forget=0.3, centred=False)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_weights_count_rows(form: Any) -> None:
    X, y = sparse_rows()
    weights = np.arange(50) % 3
    model, repeated = (ranktron.PRank(scale="standard", classes=range(1, 6)) for _ in range(2))
    model.partial_fit(form(X), y, sample_weight=weights)
    repeated.partial_fit(form(np.repeat(X, weights, axis=0)), np.repeat(y, weights))
    assert state(model) == state(repeated)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("scale", ["standard", "settled"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -1e160])
def test_numbers_that_have_no_square_are_refused_and_leave_no_trace(form: Any, scale: str, bad: float) -> None:
    X, y = rows(200)
    model = ranktron.NoPRank(scale=scale, classes=range(1, 6)).partial_fit(form(X[:100]), y[:100])
    X[170, 2] = bad
    with refused(model, "row 70"):
        model.partial_fit(form(X[100:]), y[100:])
    with refused(model, "row 0"):
        model.learn_one(X[170], 1)
    assert model.partial_fit(form(X[:1]), y[:1]).n_seen_ == 101
