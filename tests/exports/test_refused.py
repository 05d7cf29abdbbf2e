"""What cannot be exported is refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, StandardScaler

import ranktron
from ranktron import export, tasks
from ranktron.kernels import Gaussian

from .readers import READERS, numbered, rows, with_weights

targets = pytest.mark.parametrize("target", READERS)


def fitted(*steps: Any) -> Any:
    X, y, _ = rows()
    return make_pipeline(*steps).fit(X, y)


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "a kernel": (lambda: fitted(ranktron.PRank(kernel=Gaussian(1.0), budget=9)), ValueError, "has a kernel"),
    "a kernel in OAP": (
        lambda: fitted(ranktron.OAP(estimator=ranktron.PRank(kernel=Gaussian(1.0)), n_members=2)),
        ValueError,
        "has a k",
    ),
    "Voted": (lambda: fitted(ranktron.Voted(limit=5)), ValueError, "this Voted sorts by the votes"),
    "bagging": (lambda: fitted(ranktron.OAP(combine="bagging", n_members=3)), ValueError, "this OAP sorts by the votes"),
    "hashing": (lambda: hashed(), ValueError, "learn without hash_bits"),
    "unfitted": (lambda: ranktron.PRank(), ValueError, "this PRank has not learned anything yet"),
    "foreign": (lambda: LogisticRegression(), TypeError, "not LogisticRegression"),
    "no model at the end": (lambda: fitted(StandardScaler()), TypeError, "not StandardScaler"),
    "within queries": (
        lambda: fitted(ranktron.QueryScaler(), ranktron.PRank()),
        ValueError,
        "step 'queryscaler' scales within each query",
    ),
    "polynomials": (
        lambda: fitted(PolynomialFeatures(), ranktron.PRank()),
        ValueError,
        "step 'polynomialfeatures' is a Polynomial",
    ),
    "clipping": (lambda: fitted(MinMaxScaler(clip=True), ranktron.PRank()), ValueError, "step 'minmaxscaler' clips"),
    "unfitted scaler": (
        lambda: Pipeline([("scale", StandardScaler()), ("rank", fitted(ranktron.PRank()))]),
        ValueError,
        "'scale' has not",
    ),
}


def hashed() -> Any:
    model = ranktron.PRank(hash_bits=4)
    model.learn_one({"a": 1.0}, 1)
    return model


@targets
@pytest.mark.parametrize("why", REFUSED)
def test_what_is_no_weighted_sum_is_refused(why: str, target: str) -> None:
    make, error, says = REFUSED[why]
    with pytest.raises(error, match=says):
        export(make(), target)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (("onnx",), ValueError, "target='onnx' should be one of 'elasticsearch', 'opensearch', 'solr', 'ranklib', 'json'"),
        ((None,), ValueError, "target=None should be one of"),
        (("solr", {"name": ""}), ValueError, "name='' should be a string"),
        (("solr", {"feature_names": "ab"}), TypeError, "feature_names='ab' should be a sequence of names"),
        (("solr", {"feature_names": ["a"]}), ValueError, "feature_names should be 2 names, one a feature, not 1"),
        (("solr", {"feature_names": ["a", "a"]}), ValueError, "the feature name 'a' is there twice"),
        (("solr", {"feature_names": ["a", ""]}), ValueError, "the feature name '' is empty"),
        (("json", {"sample": np.ones((1, 2))}), ValueError, '"json" holds the model as it is'),
        (("solr", {"sample": np.ones(2)}), ValueError, "sample should be rows of 2 features"),
        (("solr", {"sample": np.ones((0, 2))}), ValueError, "sample should be rows of 2 features"),
        (("solr", {"sample": np.ones((3, 1))}), ValueError, "sample should be rows of 2 features"),
        (("solr", {"sample": [[1.0, np.nan]]}), ValueError, "sample holds NaN or infinity"),
        (("solr", {"sample": [[1.0, -np.inf]]}), ValueError, "sample holds NaN or infinity"),
    ],
)
def test_bad_arguments_get_one_sentence(arguments: tuple[Any, ...], error: type[Exception], says: str) -> None:
    target, options = arguments if len(arguments) == 2 else (arguments[0], {})
    with pytest.raises(error, match=says):
        export(with_weights([1.0, -2.0]), target, **options)


@pytest.mark.parametrize("target", ["elasticsearch", "opensearch", "solr"])
@pytest.mark.parametrize(
    ("weights", "mean", "says"),
    [
        ([1.0, 1e39], 0.0, "the weight of feature 'f2' would be 1e\\+39, too large for float32"),
        ([1e-39, 1e-300], 0.0, "the weights are all too small for float32"),
        ([1e-60, 0.0], 0.0, "the weights are all too small for float32"),
        ([1.0, 1.0], 1e39, "the mean of feature 'f1' would be 1e\\+39, too large for float32"),
    ],
)
def test_what_float32_cannot_hold_is_refused(target: str, weights: list[float], mean: float, says: str) -> None:
    scaler = StandardScaler(with_std=False).fit(np.zeros((1, 2)))
    scaler.mean_ = np.array([mean, 0.0])
    model = make_pipeline(scaler, with_weights(weights))
    with pytest.raises(ValueError, match=says):
        export(model, target)
    for wide in ("json", "ranklib"):
        assert READERS[wide](export(model, wide), numbered(2))(np.ones((1, 2))) == pytest.approx(sum(weights) - weights[0] * mean)


@pytest.mark.parametrize(
    ("weight", "mean", "scale", "says"),
    [
        (1e150, 0.0, 1e-200, "the weight of feature 'f1' overflows with the scaling folded in"),
        (1e150, 1e200, 1.0, "the weight of feature 'f1' overflows with the scaling folded in"),
        (1e150, -1.5e158, 1.0, "the constant overflows with the scaling folded in"),
    ],
)
@targets
def test_scaling_that_overflows_is_refused(target: str, weight: float, mean: float, scale: float, says: str) -> None:
    scaler = StandardScaler().fit(np.zeros((1, 2)))
    scaler.mean_, scaler.scale_ = np.full(2, mean), np.full(2, scale)
    with pytest.raises(ValueError, match=says):
        export(make_pipeline(scaler, with_weights([weight, weight])), target)


def test_a_predtron_is_exported_if_it_has_one_score() -> None:
    X, y = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 0.0], [2.0, 2.0]]), np.array([0, 1, 2, 1])
    for task in (tasks.Multiclass(), tasks.Ordinal()):
        with pytest.raises(ValueError, match="has a score for each of 3 labels and none to sort by"):
            ranktron.export(ranktron.Predtron(task).fit(X, y), "json")
    for task, labels in ((tasks.SubsetRanking(), y), (tasks.Binary(), y % 2)):
        model = ranktron.Predtron(task).fit(X, labels)
        weights = json.loads(ranktron.export(model, "json"))["weights"]
        assert list(weights.values()) == np.ravel(model.coef_).tolist()
        assert any(weights.values())
