"""Batches of the wrong shape or kind, bad labels, damaged matrices: one line of error and nothing changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from ..family import NAMES, make, stream
from .contract import ANSWERING, every_variant, every_way_to_learn, fresh_and_trained, model_for, refused

ROWS, LABELS = stream(50)


def with_object(value: Any) -> np.ndarray:
    X = ROWS.astype(object)
    X[49, 1] = value
    return X


BAD_ROWS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "no rows": (np.empty((0, 4)), ("0 sample",)),
    "no columns": (np.empty((50, 0)), ("0 feature",)),
    "no rows, sparse": (sp.csr_array((0, 4)), ("0 sample",)),
    "no columns, sparse": (sp.csr_array((50, 0)), ("0 feature",)),
    "one dimension": (ROWS[:, 0], ("2D", "1D", "Reshape")),
    "three dimensions": (ROWS[:, :, None], ("2D", "3D", "Reshape")),
    "a number": (1.0, ("2D", "0D")),
    "nothing": (None, ("2D", "0D")),
    "complex": (ROWS + 1j, ("Complex",)),
    "complex, sparse": (sp.csr_array(ROWS + 1j), ("Complex",)),
    "a mapping inside": (with_object({"a": 1}), ("number",)),
    "a word inside": (with_object("high"), ("number",)),
    "words": (np.full((50, 4), "high"), ("number",)),
    "bytes": (np.full((50, 4), b"high"), ("number",)),
    "dates": (np.full((50, 4), np.datetime64("2020-01-01")), ("number",)),
    "ragged": ([[1.0, 2.0, 3.0, 4.0]] * 49 + [[1.0]], ()),
}
WRONG_WIDTH = {"narrow": ROWS[:, :3], "wide": np.hstack([ROWS, ROWS]), "narrow, sparse": sp.csr_array(ROWS[:, :3])}


@every_variant
@fresh_and_trained
@pytest.mark.parametrize("case", BAD_ROWS)
def test_rows_that_are_none_are_refused(name: str, parameters: Any, trained: bool, case: str) -> None:
    rows, words = BAD_ROWS[case]
    model = model_for(name, parameters, trained)
    for method in ("fit", "partial_fit", "predict_then_learn"):
        with refused(model, *words):
            getattr(model, method)(rows, LABELS)
    for method in ANSWERING if trained else ():
        with refused(model, *words):
            getattr(model, method)(rows)


@every_variant
@pytest.mark.parametrize("case", WRONG_WIDTH)
def test_another_number_of_features_is_refused(name: str, parameters: Any, case: str) -> None:
    model, rows = model_for(name, parameters, trained=True), WRONG_WIDTH[case]
    for method in ("partial_fit", "predict_then_learn"):
        with refused(model, f"{rows.shape[1]} features", "4 features"):
            getattr(model, method)(rows, LABELS)
    for method in ANSWERING:
        with refused(model, f"{rows.shape[1]} features", "4 features"):
            getattr(model, method)(rows)


def with_label(label: Any, dtype: Any) -> np.ndarray:
    y = LABELS.astype(dtype)
    y[49] = label
    return y


BAD_LABELS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "too few": (LABELS[:49], ("49", "50")),
    "too many": (np.r_[LABELS, 1], ("51", "50")),
    "none": (None, ("y",)),
    "a number": (3, ()),
    "an array of no dimension": (np.array(3), ("shape",)),
    "two columns": (np.column_stack([LABELS, LABELS]), ()),
    "NaN": (with_label(np.nan, float), ("nan", "row 49")),
    "infinity": (with_label(np.inf, float), ("inf",)),
    "NaN among objects": (with_label(np.nan, object), ("nan", "row 49")),
    "None among objects": (with_label(None, object), ()),
    "complex": (LABELS + 0j + 1j, ()),
    "lists": ([[label] * (1 + label % 2) for label in LABELS], ()),
    "a mapping among them": (with_label({"a": 1}, object), ()),
}


@every_variant
@fresh_and_trained
@pytest.mark.parametrize("case", BAD_LABELS)
def test_labels_that_are_none_are_refused(name: str, parameters: Any, trained: bool, case: str) -> None:
    labels, words = BAD_LABELS[case]
    model = model_for(name, parameters, trained)
    for method in ("fit", "partial_fit", "predict_then_learn"):
        with refused(model, *words):
            getattr(model, method)(ROWS, labels)


@every_variant
@fresh_and_trained
@every_way_to_learn
def test_a_label_outside_classes_in_the_last_row_changes_nothing(name: str, parameters: Any, trained: bool, method: str) -> None:
    for rows in (ROWS, sp.csr_array(ROWS)):
        model = model_for(name, parameters, trained, classes=[1, 2, 3, 4, 5])
        with refused(model, "label 6", "row 49"):
            getattr(model, method)(rows, with_label(6, int))


def damaged(part: str, place: int, value: int) -> Any:
    X = sp.csr_matrix(ROWS)
    getattr(X, part)[place] = value
    return X


DAMAGED = {
    "column too large": lambda: damaged("indices", 199, 4),
    "column huge": lambda: damaged("indices", 199, 2**31 - 1),
    "column negative": lambda: damaged("indices", 199, -1),
    "column most negative": lambda: damaged("indices", 0, -(2**31)),
    "rows that end after the values": lambda: damaged("indptr", -1, 1000),
    "rows that run backwards": lambda: damaged("indptr", 25, 0),
    "rows that start below the values": lambda: damaged("indptr", 0, -4),
    "rows that jump beyond the values": lambda: damaged("indptr", 25, 2**31 - 1),
}


@every_variant
@fresh_and_trained
@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_sparse_matrix_is_refused(name: str, parameters: Any, trained: bool, case: str) -> None:
    model = model_for(name, parameters, trained)
    for method in ("fit", "partial_fit", "predict_then_learn"):
        with refused(model, "damaged"):
            getattr(model, method)(DAMAGED[case](), LABELS)
    for method in ANSWERING if trained else ():
        with refused(model, "damaged"):
            getattr(model, method)(DAMAGED[case]())


@pytest.mark.parametrize("name", NAMES)
def test_a_matrix_with_fewer_values_than_columns_is_refused(name: str) -> None:
    X, model = sp.csr_matrix(ROWS), make(name)
    X.data = X.data[:-1]
    with refused(model, "damaged"):
        model.partial_fit(X, LABELS)


@every_variant
def test_a_refused_first_batch_leaves_a_model_that_can_start_anew(name: str, parameters: Any) -> None:
    model = make(name, **parameters)
    with refused(model):
        model.partial_fit(np.where(np.arange(200).reshape(50, 4) == 199, np.nan, 1.0), np.array(list("ab") * 25))
    assert not hasattr(model, "classes_")
    assert not hasattr(model, "n_features_in_")
    assert model.partial_fit(ROWS[:, :2], LABELS).n_features_in_ == 2


@every_variant
def test_a_snapshot_refuses_to_learn(name: str, parameters: Any) -> None:
    snapshot = model_for(name, parameters, trained=True).snapshot()
    for method in ("fit", "partial_fit", "predict_then_learn"):
        with refused(snapshot, "snapshot"):
            getattr(snapshot, method)(ROWS, LABELS)
    with refused(snapshot, "snapshot"):
        snapshot.learn_one(ROWS[0], 1)
