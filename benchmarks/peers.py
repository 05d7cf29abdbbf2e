"""Other libraries' learners behind one interface: rows in their own form, one pass over them, and ranks for fresh rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import vowpalwabbit
from river import linear_model, multiclass

from .problems import nearest

Mapping = dict[str, float]


def mappings(X: np.ndarray) -> list[Mapping]:
    """Rows as River's mappings."""
    names = [f"f{j}" for j in range(X.shape[1])]
    return [dict(zip(names, row, strict=True)) for row in X.tolist()]


def texts(X: np.ndarray, y: np.ndarray | None = None) -> list[str]:
    """Rows as Vowpal Wabbit's text; without labels for predicting."""
    labels: Iterable[Any] = [""] * len(X) if y is None else y.tolist()
    return [
        f"{label} | " + " ".join([f"{j}:{value:.6g}" for j, value in enumerate(row)])
        for label, row in zip(labels, X.tolist(), strict=True)
    ]


def learn_all(learn_one: Callable[[Any, Any], None], examples: list[Any], labels: list[Any]) -> None:
    """One pass, one example at a time."""
    for x, y in zip(examples, labels, strict=True):
        learn_one(x, y)


class River:
    """A River model; the predictions of a regression are rounded to the ranks 1 to ``n_ranks``."""

    def __init__(self, model: Any, n_ranks: int | None = None) -> None:
        self.model, self.n_ranks = model, n_ranks

    def learn(self, examples: list[Mapping], labels: list[int]) -> River:
        learn_all(self.model.learn_one, examples, labels)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        answers = np.array([self.model.predict_one(x) for x in mappings(X)])
        return answers if self.n_ranks is None else nearest(answers, self.n_ranks)


def river_regression(n_ranks: int = 5) -> River:
    """Least squares."""
    return River(linear_model.LinearRegression(), n_ranks)


def river_classifier() -> River:
    """One perceptron per rank."""
    return River(multiclass.OneVsRestClassifier(linear_model.Perceptron()))


class VowpalWabbit:
    """A Vowpal Wabbit workspace, by default a regression."""

    def __init__(self, options: str = "") -> None:
        self.workspace = vowpalwabbit.Workspace(f"--quiet {options}")

    def parse(self, lines: list[str]) -> list[Any]:
        """Examples ready to be learned."""
        return [self.workspace.parse(line) for line in lines]

    def learn(self, examples: list[Any]) -> VowpalWabbit:
        """One pass over lines of text, or over parsed examples."""
        for example in examples:
            self.workspace.learn(example)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return nearest(np.array([self.workspace.predict(line) for line in texts(X)]))
