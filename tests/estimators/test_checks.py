"""scikit-learn's own checks."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_decision_proba_consistency, check_estimator
from sklearn.utils.validation import check_is_fitted

from ranktron import OAP
from ranktron.estimators.classifier import EXPECTED_FAILED_CHECKS, expected_failed_checks

from ..family import NAMES, make, stream
from ..models.contract import every_variant

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")


def run_checks(model: Any, **how: Any) -> list[dict[str, Any]]:
    if "radius" in model.get_params():
        model.set_params(radius=1024.0)  # scikit-learn's data are no smaller
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "WidrowHoff diverges")
        results: list[dict[str, Any]] = check_estimator(model, **how)
    return results


def declared(model: Any) -> dict[str, str]:
    failed = expected_failed_checks(model)
    assert len(failed) <= 2 + hasattr(model, "predict_proba") + (model.get_params().get("combine") == "bpm")
    return failed


# The declared checks that some models pass on scikit-learn's few rows.
BY_CHANCE = {"check_classifiers_train", "check_decision_proba_consistency"}


def test_at_most_two_checks_are_declared_to_fail_and_say_why() -> None:
    assert len(EXPECTED_FAILED_CHECKS) <= 2
    assert all(len(reason) > 20 for reason in EXPECTED_FAILED_CHECKS.values())


@every_variant
def test_every_check_passes_but_the_declared(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters)
    results = run_checks(model, on_fail=None)
    failed = {result["check_name"] for result in results if result["status"] == "failed"}
    assert failed - BY_CHANCE == set(declared(model)) - BY_CHANCE
    assert failed <= set(declared(model))
    assert sum(result["status"] == "passed" for result in results) > 50
    assert {result["check_name"] for result in results if result["status"] == "skipped"} <= {"check_array_api_input"}


def test_votes_of_many_members_are_in_another_order_than_the_margin_of_their_mean() -> None:
    model = OAP()
    reason = expected_failed_checks(model)["check_decision_proba_consistency"]
    with pytest.raises(AssertionError, match="Arrays are not equal"):
        check_decision_proba_consistency("OAP", model)
    assert "shares of the members' votes" in reason
    for combine in ("bagging", "voting"):
        assert "check_decision_proba_consistency" not in expected_failed_checks(OAP(combine=combine))
        check_decision_proba_consistency("OAP", OAP(combine=combine))


@pytest.mark.parametrize("name", NAMES)
def test_the_last_hypothesis_passes_the_same_checks(name: str) -> None:
    model = make(name, average=False)
    run_checks(model, expected_failed_checks=declared(model), on_fail="raise")


@pytest.mark.parametrize("name", NAMES)
def test_zero_for_missing_passes_the_same_checks(name: str) -> None:
    model = make(name, missing="zero")
    assert get_tags(model).input_tags.allow_nan
    run_checks(model, expected_failed_checks=declared(model), on_fail="raise")


@pytest.mark.parametrize("name", ["NoPRank", "ROMMAPRank"])
def test_where_a_row_is_learned_once_there_is_no_exception(name: str) -> None:
    assert not declared(make(name))
    assert all(result["status"] in ("passed", "skipped") for result in run_checks(make(name), on_fail="raise"))


@pytest.mark.parametrize("name", NAMES)
def test_tags_tell_a_classifier_that_takes_sparse_rows_but_no_nan(name: str) -> None:
    tags = get_tags(make(name))
    assert is_classifier(make(name))
    assert tags.input_tags.sparse
    assert not tags.input_tags.allow_nan
    assert tags.classifier_tags.poor_score


@pytest.mark.parametrize("name", NAMES)
def test_a_fresh_model_is_not_fitted_and_has_no_learned_attributes(name: str) -> None:
    model = make(name)
    with pytest.raises(NotFittedError):
        check_is_fitted(model)
    for attribute in ("classes_", "coef_", "thresholds_", "n_features_in_", "feature_names_in_", "n_seen_", "n_updates_"):
        assert not hasattr(model, attribute)
    for method in ("predict", "decision_function", "project", "predict_one", "score"):
        with pytest.raises(NotFittedError, match="has not learned anything yet"):
            getattr(model, method)(*([[[1.0]], [1]] if method == "score" else [[[1.0]]]))


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_learned_one_row_is_fitted(name: str) -> None:
    X, y = stream(1)
    model = make(name).partial_fit(X, y, classes=[1, 2, 3, 4, 5])
    check_is_fitted(model)
    assert model.n_features_in_ == 4
    assert not hasattr(model, "feature_names_in_")
