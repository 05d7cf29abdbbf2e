"""Explicit feature maps are scikit-learn's: in a pipeline they make a linear model of a kernel."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem, PolynomialCountSketch, RBFSampler
from sklearn.pipeline import make_pipeline

from ranktron import OAP, PRank
from ranktron.data import synthetic
from ranktron.kernels import Gaussian

MAPS = {
    "Nystroem": Nystroem(gamma=4.0, n_components=60, random_state=0),
    "RBFSampler": RBFSampler(gamma=4.0, n_components=300, random_state=0),
    "PolynomialCountSketch": PolynomialCountSketch(degree=2, coef0=1, n_components=300, random_state=0),
}


@pytest.fixture(scope="module")
def problem() -> tuple[np.ndarray, np.ndarray]:
    mapped, grades = synthetic.crammer_singer(1_500, seed=0)
    return mapped[:, 1:3] / np.sqrt(2), grades


def loss(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    return float(np.abs(model.predict(X) - y).mean())


@pytest.mark.parametrize("name", MAPS)
def test_a_map_learns_what_a_line_cannot(name: str, problem: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = problem
    model = make_pipeline(MAPS[name], PRank(epochs=2)).fit(X[:1_000], y[:1_000])
    line = PRank(epochs=2).fit(X[:1_000], y[:1_000])
    assert loss(model, X[1_000:], y[1_000:]) < 0.5 * loss(line, X[1_000:], y[1_000:])


def test_many_landmarks_come_near_to_the_kernel_itself(problem: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = problem
    kernel = PRank(kernel=Gaussian(4.0)).fit(X[:1_000], y[:1_000])
    mapped = make_pipeline(MAPS["Nystroem"], PRank()).fit(X[:1_000], y[:1_000])
    assert loss(mapped, X[1_000:], y[1_000:]) < 1.5 * loss(kernel, X[1_000:], y[1_000:])


@pytest.mark.parametrize("name", MAPS)
def test_a_map_of_the_first_rows_serves_a_stream(name: str, problem: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = problem
    seen, model = MAPS[name].fit(X[:100]), OAP(n_members=10, classes=range(1, 6))
    early = model.predict_then_learn(seen.transform(X[:750]), y[:750])
    again = pickle.loads(pickle.dumps(model))
    late = again.predict_then_learn(seen.transform(X[750:]), y[750:])
    assert (late == model.predict_then_learn(seen.transform(X[750:]), y[750:])).all()
    assert np.abs(late - y[750:]).mean() < np.abs(early - y[:750]).mean()
