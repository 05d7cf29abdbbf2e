"""Models without a face: what the command line and other wrappers stand on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from ranktron import doors, models
from tests.family import NAMES, PLAIN, make, state, stream


def plain(name: str, **parameters: Any) -> Any:
    return make(name, PLAIN, **parameters)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_learns_what_its_classifier_learns(name: str) -> None:
    X, y = stream()
    model, face = plain(name), make(name)
    assert model.predict_then_learn(X, y).tolist() == face.predict_then_learn(X, y).tolist()
    assert state(model) == state(face)
    assert model.fit(X, y).predict(X).tolist() == face.fit(X, y).predict(X).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_a_model_refuses_other_columns(name: str) -> None:
    X, y = stream()
    model = plain(name).partial_fit(pd.DataFrame(X, columns=list("abcd")), y)
    before = state(model)
    with pytest.raises(ValueError, match=r"X has 3 features, but \w+ is expecting 4"):
        model.partial_fit(X[:, :3], y)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(pd.DataFrame(X, columns=list("dcba")))
    assert state(model) == before
    assert model.partial_fit(X, y).n_seen_ == 120  # columns without names are taken as they stand


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_has_not_learned_says_so(name: str) -> None:
    with pytest.raises(models.NotFitted, match="has not learned anything yet"):
        plain(name).predict([[1.0]])
    assert not hasattr(plain(name), "coef_")


@pytest.mark.parametrize("name", NAMES)
def test_a_model_comes_back_from_its_file(name: str, tmp_path: Path) -> None:
    X, y = stream()
    model = plain(name).partial_fit(X, y)
    model.save(tmp_path / "model")
    loaded = models.load(tmp_path / "model", {name: doors.RATERS[name]})
    assert type(loaded) is doors.RATERS[name]
    assert state(loaded.partial_fit(X, y)) == state(model.partial_fit(X, y))


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_a_batch_whose_last_row_makes_the_weights_overflow_is_refused(storage: Any) -> None:
    rows = np.array([[0.0, 1.0], [0.0, 2.0], [1.7e308, 0.0]])
    model = plain("PRank", classes=[1, 2, 3, 4, 5]).partial_fit(rows[:1], [5])
    before = state(model)
    with pytest.raises(ValueError, match="row 2 overflows"):  # w = 0 - 4 x, where the score was 0
        model.partial_fit(storage(rows), [5, 5, 1])
    assert state(model) == before
