"""scikit-learn's own checks of rankers and of scaling within lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import check_is_fitted

from ranktron import QueryScaler
from ranktron.estimators.classifier import expected_failed_checks

from .family import every_name, every_variant, make, state, stream

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")


def outcomes(model: Any) -> dict[str, set[str]]:
    """The names of the checks, by how they ended."""
    ended: dict[str, set[str]] = {"passed": set(), "failed": set(), "skipped": set()}
    for result in check_estimator(model, on_fail=None):
        ended[result["status"]].add(result["check_name"])
    return ended


@every_variant
def test_every_check_passes(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters)
    ended = outcomes(model)
    assert ended["failed"] == set(expected_failed_checks(model))
    assert len(ended["passed"]) > 35
    assert ended["skipped"] <= {"check_array_api_input"}


@every_name
@pytest.mark.parametrize(
    "parameters", [{"average": False}, {"missing": "zero"}, {"shuffle": True, "epochs": 2, "random_state": 0}]
)
def test_other_parameters_pass_the_same_checks(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters)
    assert outcomes(model)["failed"] == set(expected_failed_checks(model))


@pytest.mark.parametrize("method", ["minmax", "standard"])
def test_every_check_of_the_scaler_passes_but_one(method: str) -> None:
    ended = outcomes(QueryScaler(method))
    assert ended["failed"] == set(expected_failed_checks(QueryScaler(method))) == {"check_methods_subset_invariance"}
    assert len(ended["passed"]) > 35


def test_the_check_that_takes_lists_apart_is_declared_with_its_reason() -> None:
    reason = "a row is scaled by the other rows of its list, so a part of a list is another list"
    assert expected_failed_checks(make("Ranker")) == {"check_methods_subset_invariance": reason}
    assert expected_failed_checks(make("Ranker", query_scale=None)) == {}


@every_name
def test_tags(name: str) -> None:
    tags = get_tags(make(name))
    assert not is_classifier(make(name))
    assert not is_regressor(make(name))
    assert tags.input_tags.sparse
    assert not tags.input_tags.allow_nan
    assert get_tags(make(name, missing="zero")).input_tags.allow_nan
    assert tags.target_tags.required
    assert get_tags(QueryScaler()).input_tags.sparse


@every_name
def test_one_list_makes_a_fitted_model(name: str) -> None:
    model = make(name)
    with pytest.raises(NotFittedError):
        check_is_fitted(model)
    model.learn_list(np.eye(3), [0, 1, 2])
    check_is_fitted(model)
    assert model.n_features_in_ == 3
    assert not hasattr(model, "feature_names_in_")


@every_name
def test_a_column_of_grades_is_read_with_a_warning(name: str) -> None:
    X, y, qid = stream()
    with pytest.warns(DataConversionWarning, match="column-vector"):
        model = make(name).fit(X, y[:, None], qid)
    assert state(model) == state(make(name).fit(X, y, qid))
