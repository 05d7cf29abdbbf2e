"""scikit-learn's own checks of every kind of Predtron, and what its tags say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import check_is_fitted

from ranktron import Predtron
from ranktron.estimators.classifier import expected_failed_checks
from ranktron.kernels import Polynomial
from ranktron.tasks import Binary, Multiclass, Multilabel, MultilabelRanking, Ordinal, SubsetRanking

from .family import CASES, Wind, state

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
CLASSIFIERS: dict[str, Any] = {
    "default": Predtron(),
    "last": Predtron(average=False, loss_driven=True, fit_intercept=True),
    "missing": Predtron(Multiclass(), missing="zero", link="group"),
    "ordinal": Predtron(Ordinal(), link="l1"),
    "kernel": Predtron(kernel=Polynomial(2)),
    "binary": Predtron(Binary()),
    "binary-trace": Predtron(Binary(), link="trace"),
}
OTHERS: dict[str, Any] = {
    "sets": Predtron(Multilabel()),
    "sets-l1": Predtron(Multilabel("subset"), link="l1", missing="zero"),
    "orders": Predtron(MultilabelRanking(), average=False),
    "lists": Predtron(SubsetRanking()),
    "lists-driven": Predtron(SubsetRanking(measure="precision@2"), loss_driven=True, link="group", average=False),
}


def outcomes(model: Any) -> dict[str, set[str]]:
    """The names of the checks, by how they ended."""
    ended: dict[str, set[str]] = {"passed": set(), "failed": set(), "skipped": set()}
    for result in check_estimator(model, on_fail=None):
        ended[result["status"]].add(result["check_name"])
    return ended


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_pass_every_check_but_the_declared(name: str) -> None:
    ended = outcomes(CLASSIFIERS[name])
    assert ended["failed"] == set(expected_failed_checks(CLASSIFIERS[name]))
    assert len(ended["failed"]) <= 2
    assert len(ended["passed"]) > 50 - 5 * name.startswith("binary")
    assert ended["skipped"] <= {"check_array_api_input"}


@pytest.mark.parametrize("name", OTHERS)
def test_the_others_pass_every_check(name: str) -> None:
    ended = outcomes(OTHERS[name])
    declared = set() if name.startswith("lists") else set(expected_failed_checks(OTHERS[name]))
    assert ended["failed"] <= declared
    assert len(ended["passed"]) > 35
    assert ended["skipped"] <= {"check_array_api_input", "check_classifiers_multilabel_output_format_predict_proba"}


def test_kinds_are_told_by_tags() -> None:
    for name in CLASSIFIERS:
        assert is_classifier(CLASSIFIERS[name])
        assert get_tags(CLASSIFIERS[name]).classifier_tags.multi_class != name.startswith("binary")
    sets = get_tags(Predtron(Multilabel()))
    assert is_classifier(Predtron(Multilabel()))
    assert (sets.classifier_tags.multi_label, sets.target_tags.multi_output) == (True, True)
    for task in (MultilabelRanking(), SubsetRanking(), Wind()):
        assert not is_classifier(Predtron(task))
    for model in (*CLASSIFIERS.values(), *OTHERS.values(), Predtron(Wind())):
        tags = get_tags(model)
        assert not is_regressor(model)
        assert tags.input_tags.sparse
        assert tags.input_tags.allow_nan == (model.missing == "zero")
        assert tags.target_tags.required


@pytest.mark.parametrize("kind", ["classes", "hamming", "labels-ndcg", "lists-ndcg", "own"])
def test_what_has_learned_is_fitted(kind: str) -> None:
    model = CASES[kind].make()
    with pytest.raises(NotFittedError):
        check_is_fitted(model)
    check_is_fitted(CASES[kind].trained())
    assert CASES[kind].trained().n_features_in_ == 9
    assert not hasattr(CASES[kind].trained(), "feature_names_in_")


@pytest.mark.parametrize("kind", ["classes", "binary-reject", "lists-ndcg"])
def test_a_column_of_labels_is_read_with_a_warning(kind: str) -> None:
    X, y, *more = CASES[kind].stream(20).given()
    plain = CASES[kind].make().fit(X, y, *more)
    with pytest.warns(DataConversionWarning, match="column-vector"):
        model = CASES[kind].make().fit(X, np.asarray(y)[:, None], *more)
    assert state(model) == state(plain)
