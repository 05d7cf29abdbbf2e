"""Targets that a task cannot have: one line of error that says where, and a model that has not changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from ranktron import Predtron
from ranktron.tasks import Binary, Multiclass, Multilabel, MultilabelRanking

from .family import CASES, CLASSES, LISTS, Case, every, fresh_and_trained, refused

LEARNING = ("fit", "partial_fit", "predict_then_learn")
N = 20


def with_value(y: np.ndarray, value: Any, kind: Any = None) -> np.ndarray:
    """The targets with one that is wrong, in row 12 and column 3."""
    spoiled = y.astype(kind or y.dtype)
    spoiled[(12, 3)[: y.ndim]] = value
    return spoiled


HERE = ("row 12", "column 3")
Y = CASES["hamming"].stream(N).y
BAD_MATRICES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "one column": (Y[:, 0], ("matrix", "(20,)")),
    "three dimensions": (Y[:, :, None], ("matrix", "(20, 5, 1)")),
    "no column": (Y[:, :0], ("matrix", "(20, 0)")),
    "none": (None, ("y",)),
    "a number": (3, ("matrix",)),
    "a word": ("words", ("matrix",)),
    "ragged": ([[1, 0]] * (N - 1) + [[1]], ()),
    "too few": (Y[:-1], ("19", "20")),
    "too many": (np.vstack([Y, Y]), ("40", "20")),
    "negative": (with_value(Y, -1), ("-1", *HERE)),
    "NaN": (with_value(Y, np.nan, float), ("nan", *HERE)),
    "infinity": (with_value(Y, np.inf, float), ("inf", *HERE)),
    "NaN among objects": (with_value(Y, np.nan, object), HERE),
    "None among objects": (with_value(Y, None, object), HERE),
    "words": (Y.astype(str), ()),
    "words among objects": (with_value(Y, "high", object), ()),
    "bytes": (Y.astype("S"), ()),
    "dates": (np.full(Y.shape, np.datetime64("2020-01-01")), ()),
    "spans of time": (Y.astype("m8[s]"), ()),
    "complex": (Y + 0j, ()),
    "sparse": (sp.csr_array(with_value(Y, -1)), ("-1", *HERE)),
    "sets": ([{0, 1}] * N, ("matrix",)),
    "mappings": ([{"a": 1}] * N, ()),
    "pandas' null": (pd.DataFrame(Y).astype("Int64").where(Y != 1), ()),
    "a name twice": (pd.DataFrame(Y, columns=list("aacde")), ("'a'",)),
}
BAD_SETS = {"a grade": (with_value(Y, 2), ("2", *HERE)), "half": (with_value(Y, 0.5, float), ("0.5", *HERE))}
BAD_GRADES = {"too high": (with_value(Y, 1001), ("1001", *HERE)), "hardly negative": (with_value(Y, -1e-300, float), HERE)}


@every(["hamming", "error-set", "labels-ndcg", "labels-precision"])
@fresh_and_trained
def test_matrices_that_are_none_are_refused(case: Case, trained: bool) -> None:
    X = case.stream(N).X
    model = case.trained() if trained else case.make()
    more = BAD_SETS if isinstance(case.task, Multilabel) else BAD_GRADES
    for given, words in {**BAD_MATRICES, **more}.values():
        for method in LEARNING:
            with refused(model, *words):
                getattr(model, method)(X, given)


@every(["hamming", "labels-ndcg"])
def test_the_value_that_is_wrong_is_told_plainly(case: Case) -> None:
    X = case.stream(N).X
    for given in (with_value(Y, -1), with_value(Y, -0.5, float), with_value(Y, np.float32(-2), object)):
        with pytest.raises(ValueError, match=r"-\d") as caught:
            case.make().fit(X, given)
        assert "np." not in str(caught.value)


@every(["hamming", "labels-ndcg", "hamming-trace"])
def test_another_number_of_labels_is_refused(case: Case) -> None:
    X, Y = case.stream(N).given()
    model, m = case.trained(), case.stream(1).y.shape[1]
    for given in (Y[:, :3], np.hstack([Y, Y]), sp.csr_array(Y[:, :3])):
        for method in LEARNING[1:]:
            with refused(model, str(given.shape[1]), str(m)):
                getattr(model, method)(X, given)
        with refused(model, str(given.shape[1]), str(m)):
            model.score(X, given)
        with refused(model):
            model.learn_one(X[0], given[[0]].toarray()[0] if sp.issparse(given) else given[0])
    with refused(model, "19", "20"):
        model.score(X, Y[:-1])


@pytest.mark.parametrize("task", [Multilabel(), MultilabelRanking()])
def test_names_of_labels_that_differ_are_refused(task: Any) -> None:
    X, names = CASES["hamming"].stream(N).X, list("abcde")
    for model in (Predtron(task, classes=names).fit(X, Y), Predtron(task).fit(X, pd.DataFrame(Y, columns=names))):
        for other in (names[::-1], list("abcdf"), [0, 1, 2, 3, 4]):
            with refused(model, "differ", "'a'"):
                model.partial_fit(X, pd.DataFrame(Y, columns=other))
        with refused(model, "differ"):
            model.partial_fit(X, pl.DataFrame(Y, list("vwxyz")))
        with refused(model, "differ"):
            model.partial_fit(X, Y, classes=list("vwxyz"))
        assert model.partial_fit(X, pd.DataFrame(Y, columns=names)).n_seen_ == 2 * N


@pytest.mark.parametrize("task", [Multilabel(), MultilabelRanking()])
@pytest.mark.parametrize("classes", [list("abcd"), list("aabcd"), 5, [None] * 5, [[1]] * 5, [np.nan, 1, 2, 3, 4], [], [{}] * 5])
def test_names_that_name_no_columns_are_refused(task: Any, classes: Any) -> None:
    model, X = Predtron(task, classes=classes), CASES["hamming"].stream(N).X
    for way in (lambda: model.fit(X, Y), lambda: model.partial_fit(X, Y), lambda: model.learn_one(X[0], Y[0])):
        with refused(model, "classes" if classes == 5 else ""):
            way()


@pytest.mark.parametrize("task", [Multilabel(), MultilabelRanking()])
@pytest.mark.parametrize("named", [False, True])
def test_a_target_of_one_example_that_is_none_is_refused(task: Any, named: bool) -> None:
    X, names = CASES["hamming"].stream(N).X, list("abcde")
    model = Predtron(task, classes=names if named else None).fit(X, Y)
    targets: list[Any] = [Y[0, :4], Y[[0]], 1, None, "abcde", [1, 0, -1, 0, 1], [1, 0, "x", 0, 1], [1, 0, np.nan, 0, 1], []]
    targets += [{"a": 1, "z": 1}, {"a": -1}, {"a": "x"}] if named else [{"a": 1}, {0: -1}]
    for target in targets:
        with refused(model):
            model.learn_one(X[0], target)


@pytest.mark.parametrize("task", [Multilabel(), MultilabelRanking()])
def test_a_first_target_that_is_none_is_refused(task: Any) -> None:
    model = Predtron(task)
    for target in (1, None, "abcde", [], {}, [[1, 0]], {"a": -1}, {"a": "x"}, [1, -1], {"a": 1, 2: 0}):
        with refused(model):
            model.learn_one([1.0, 2.0], target)
    model.learn_one([1.0, 2.0], [1, 0])
    assert model.n_features_in_ == 2


@every(CLASSES)
@fresh_and_trained
def test_labels_that_are_not_there_are_refused(case: Case, trained: bool) -> None:
    X, y = case.stream(N).given()
    model = case.trained() if trained else case.make()
    for value in ("not there", 77, np.nan, None):
        for method in LEARNING:
            with refused(model, "row 12"):
                getattr(model, method)(X, with_value(y, value, object))
        with refused(model):
            model.learn_one(X[0], value)
    for given in (np.column_stack([y, y]), y[:-1], None, [*y[:-1].tolist(), [1]], np.linspace(0.1, 0.9, N), [{}] * N):
        for method in LEARNING:
            with refused(model):
                getattr(model, method)(X, given)
    for label in ([1], {}, 1j):
        with refused(model):
            model.learn_one(X[0], label)


@every(CLASSES)
def test_a_score_needs_as_many_labels_as_rows(case: Case) -> None:
    model, (X, y) = case.trained(), case.stream(N).given()
    for given in (y[:-1], y[:1], None, np.column_stack([y, y]), y[0]):
        with refused(model):
            model.score(X, given)
    assert 0 <= model.score(X, y) <= 1


def test_labels_and_their_number_have_to_agree() -> None:
    X = np.eye(6)
    cases = [
        (Predtron(Multiclass(3), classes=["a", "b"]), ["a", "b"] * 3, ("3", "2")),
        (Predtron(Binary()), [1, 2, 3] * 2, ("2", "3")),
        (Predtron(Binary(), classes=[1, 2, 3]), [1, 2] * 3, ("2", "3")),
        (Predtron(Binary()), [1] * 6, ("one class",)),
        (Predtron(Multiclass(3)), [1, 2, 3] * 2, ("3", "[0, 1, 2]")),
        (CASES["costs"].make(classes=None), ["x", "y", "z"] * 2, ("[0, 1, 2]",)),
        (CASES["finite"].make(), [0, 1, 2] * 2, ("[0, 1]",)),
    ]
    for model, labels, words in cases:
        for method in LEARNING:
            with refused(model, *words):
                getattr(model, method)(X, labels)
    with refused(model := Predtron(Binary()), "both labels", "classes="):
        model.learn_one(X[0], 1)


@pytest.mark.parametrize("labels", [[-1, 1], [-1.0, 1.0], [1, -1, 3]])
def test_what_rejects_cannot_have_minus_one_for_a_label(labels: list[Any]) -> None:
    X, y = np.eye(6), (labels * 3)[:6]
    for task in (Multiclass(reject=0.2), Multiclass(len(labels), reject=0.2)):
        for model in (Predtron(task, classes=labels), *([Predtron(task)] if task.n_classes is None else [])):
            for way in (lambda model=model: model.fit(X, y), lambda model=model: model.learn_one(X[0], -1)):
                with refused(model, "-1", "rejected"):
                    way()
    growing = Predtron(Multiclass(reject=0.2))
    growing.learn_one(X[0], 1)
    with refused(growing, "-1"):
        growing.learn_one(X[0], -1)


@every(LISTS)
@fresh_and_trained
def test_grades_that_are_none_are_refused(case: Case, trained: bool) -> None:
    X, y, qid = case.stream(N).given()
    model = case.trained() if trained else case.make()
    for value, kind in ((-1, int), (np.nan, float), (np.inf, float), (1001, int), ("good", object), (None, object)):
        for method in LEARNING:
            with refused(model, "" if kind is object and value else "row 12"):
                getattr(model, method)(X, with_value(y, value, kind), qid)
    for given in (y[:-1], None, np.column_stack([y, y]), y.astype(str), 3):
        with refused(model):
            model.partial_fit(X, given, qid)
        with refused(model):
            model.learn_list(X, given)
