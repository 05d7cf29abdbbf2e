"""Shares of a score: exact, and told in the way that the example came."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import ranktron
from ranktron.kernels import Gaussian
from tests.family import stream

MODELS = [ranktron.Rater(), ranktron.PRank(), ranktron.NoPRank(scale="standard"), ranktron.OrdinalLogit(), ranktron.ROMMAPRank()]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)


@every_model
def test_shares_add_up_to_the_projection(model) -> None:
    X, y = stream(200)
    model.fit(X * [1, 100, 1e-3, 1] + [0, 7, 0, 1e4], y)
    rows = X[:20] * [1, 100, 1e-3, 1] + [0, 7, 0, 1e4]
    shares = model.explain(rows)
    assert shares.shape == rows.shape
    np.testing.assert_allclose(shares.sum(axis=1), model.project(rows), rtol=1e-9, atol=1e-9 * abs(shares).max())
    np.testing.assert_array_equal(model.explain(rows[0]), shares[0])
    np.testing.assert_array_equal(model.explain(sparse.csr_array(rows)), shares)


@every_model
def test_the_difference_of_two_is_that_of_their_shares(model) -> None:
    X, y = stream(100)
    model.fit(X, y)
    np.testing.assert_array_equal(model.explain(X[0], X[1]), model.explain(X[0]) - model.explain(X[1]))
    np.testing.assert_array_equal(model.explain(X[:3], X[3:6]), model.explain(X[:3]) - model.explain(X[3:6]))


@pytest.mark.parametrize("bits", [None, 10])
def test_of_mappings_names_are_told_the_largest_share_first(bits: int | None) -> None:
    X, y = stream(100)
    model = ranktron.PRank(hash_bits=bits)
    for x, label in zip(X, y.tolist()):
        model.learn_one(dict(zip("abcd", x.tolist())), label)
    example = {"a": 1.0, "b": -2.0, "new": 5.0}
    shares = model.explain(example)
    assert set(shares) <= {"a", "b", "new"}
    assert [abs(share) for share in shares.values()] == sorted(map(abs, shares.values()), reverse=True)
    known = {name: value for name, value in example.items() if bits or name != "new"}
    assert shares["b"] == pytest.approx(-2 * model.explain({"b": 1.0})["b"])
    less = model.explain(example, {"a": 1.0})
    assert less == pytest.approx({name: share for name, share in shares.items() if name != "a" and name in known})


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("scale", [None, "standard"])
def test_a_constant_is_a_share_of_its_own(average: bool, scale: str | None) -> None:
    X, y = stream(200)
    model = ranktron.WidrowHoff(step=0.05, fit_intercept=True, average=average, scale=scale).fit(X, y)
    shares = model.explain(X[:20])
    assert model.intercept_ != 0.0
    assert shares[:, -1].tolist() == [model.intercept_] * 20
    np.testing.assert_allclose(shares.sum(axis=1), model.project(X[:20]), rtol=1e-9)
    np.testing.assert_array_equal(model.explain(X[0]), shares[0])
    np.testing.assert_array_equal(model.explain(sparse.csr_array(X[:20])), shares)
    assert model.explain(X[0], X[1])[-1] == 0.0
    assert ranktron.WidrowHoff().fit(X, y).explain(X[:20]).shape == (20, 4)


@pytest.mark.parametrize("bits", [None, 10])
def test_of_mappings_a_constant_has_a_name(bits: int | None) -> None:
    X, y = stream(100)
    model = ranktron.WidrowHoff(step=0.05, fit_intercept=True, hash_bits=bits, classes=range(1, 6))
    for x, label in zip(X, y.tolist()):
        model.learn_one(dict(zip("abcd", x.tolist())), label)
    example, other = {"a": 1.0, "b": -2.0}, {"a": 3.0}
    assert model.explain({}) == {"intercept_": model.intercept_}
    assert sum(model.explain(example).values()) == pytest.approx(model.intercept_ + sum(model.explain(example, {}).values()))
    assert set(model.explain(example, other)) == {"a", "b"}


def test_what_has_no_one_direction_says_so() -> None:
    X, y = stream(60)
    with pytest.raises(ValueError, match="explain needs one direction, and MulticlassPerceptron has one per class"):
        ranktron.MulticlassPerceptron().fit(X, y).explain(X)
    with pytest.raises(AttributeError, match="has no coef_"):
        ranktron.PRank(kernel=Gaussian(1.0)).fit(X, y).explain(X)
    with pytest.raises(ValueError, match="has not learned anything yet"):
        ranktron.Rater().explain(X)


def test_examples_of_two_kinds_are_not_compared() -> None:
    model = ranktron.PRank(classes=[1, 2])
    model.learn_one({"a": 1.0}, 1)
    model.learn_one({"a": 2.0}, 2)
    with pytest.raises(TypeError, match="explain compares two mappings, two arrays or two tables"):
        model.explain({"a": 1.0}, [1.0])
