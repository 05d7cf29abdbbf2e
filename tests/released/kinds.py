"""Every kind of model of which a released version left a file, made through public names only: so any version can write it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import ranktron
from ranktron import tasks
from ranktron.kernels import Gaussian, Polynomial
from tests.family import NAMES, make, stream

LABELS = np.array(["awful", "bad", "fair", "good", "great"])
QUERIES = np.arange(60) // 7
# Features beyond which a ``Rater`` goes by another method.
WIDE = 132


class Kind(NamedTuple):
    """How to make a model, and what it learns: 50 rows, and later 10 more."""

    make: Callable[[], Any]
    learned: tuple[np.ndarray, ...]


def rows(width: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """The rows and their ranks, 1 to 5."""
    return stream(60, width, seed=11)


def rater(name: str, width: int = 4, **parameters: Any) -> Kind:
    """A model of labels."""
    X, y = rows(width)
    return Kind(lambda: make(name, **parameters).set_params(classes=LABELS.tolist()), (X, LABELS[y - 1]))


def ranker(name: str, **parameters: Any) -> Kind:
    """A model of lists."""
    return Kind(lambda: getattr(ranktron, name)(**parameters), (*rows(), QUERIES))


def predtron(task: Any, *targets: np.ndarray, **parameters: Any) -> Kind:
    """A Predtron."""
    return Kind(lambda: ranktron.Predtron(task, **parameters), (rows()[0], *targets))


def kinds() -> dict[str, Kind]:
    """All of them: each algorithm as it comes, and each way to average, forget, scale, expand, combine and link."""
    y = rows()[1]
    sets = np.stack([y > 2, y % 2 == 0, y == 1], axis=1).astype(int)
    costs = np.abs(np.subtract.outer(np.arange(5), np.arange(5))) ** 2.0
    return {
        **{name: rater(name) for name in NAMES},
        "PRank on a budget": rater("PRank", kernel=Gaussian(0.1), budget=20, policy="forgetron"),
        "PRank on a random budget": rater("PRank", kernel=Polynomial(2), budget=12, policy="random", average=False),
        "PRank with a kernel": rater("PRank", kernel=Polynomial(2)),
        "PRank, last hypothesis": rater("PRank", average=False, ties="strict"),
        "PRank, standard": rater("PRank", scale="standard"),
        "PRank that forgets": rater("PRank", forget=0.05),
        "SiPRank, last hypothesis": rater("SiPRank", average=False),
        "NoPRank, settled": rater("NoPRank", scale="settled", trigger="margin"),
        "NoPRank, settled, that forgets": rater("NoPRank", scale="settled", forget=0.05, margin="distance"),
        "MulticlassPerceptron, uniform": rater("MulticlassPerceptron", update="uniform", fit_intercept=True, scale="standard"),
        "MuPRank of both signs": rater("MuPRank", signed=True),
        "WidrowHoff with a constant": rater("WidrowHoff", fit_intercept=True, step=0.01),
        "OrdinalLogit of order 1": rater("OrdinalLogit", order=1),
        "OrdinalLogit, standard, that forgets": rater("OrdinalLogit", scale="standard", forget=0.05),
        "AROWPRank that forgets": rater("AROWPRank", forget=0.05),
        "ROMMAPRank, last hypothesis": rater("ROMMAPRank", average=False),
        "OAP that votes": rater("OAP", combine="voting", votes="survival", sampling="poisson"),
        "OAP of bags, standard": rater("OAP", combine="bagging", scale="standard"),
        "OAP of OrdinalLogit": rater("OAP", estimator=ranktron.OrdinalLogit(average=False)),
        "Voted, plurality": rater("Voted", combine="plurality", limit=7),
        "Voted with a kernel": rater("Voted", estimator=ranktron.PRank(kernel=Gaussian(0.1)), combine="median"),
        "Rater of many features": rater("Rater", WIDE),
        "Rater that forgets": rater("Rater", forget=0.02, scale="standard"),
        **{name: ranker(name) for name in ranktron.doors.RANKERS},
        "SLAM on a budget": ranker("SLAM", kernel=Gaussian(0.1), budget=20, policy="random"),
        "SLAM, softened": ranker("SLAM", soften=0.5, measure="ap", ties="average", scale="standard"),
        "ListNet, last hypothesis": ranker("ListNet", average=False, step=0.05),
        "MinimaxRank that forgets": ranker("MinimaxRank", forget=0.05),
        "Ranker without scaling": ranker("Ranker", query_scale=None),
        "Ranker, minmax": ranker("Ranker", query_scale="minmax", forget=0.05),
        "Predtron": predtron(tasks.Multiclass(reject=0.3), y),
        "Predtron of sets": predtron(tasks.Multilabel("subset"), sets, link="group"),
        "Predtron of orders": predtron(tasks.MultilabelRanking(), sets, loss_driven=True),
        "Predtron of lists": predtron(tasks.SubsetRanking(power=2), y, QUERIES, link="l1"),
        "Predtron of two classes": predtron(tasks.Binary(), y > 2, step="theory", radius=9.0),
        "Predtron of ranks": predtron(tasks.Ordinal(), y, fit_intercept=True, average=False),
        "Predtron of costs": predtron(tasks.CostMatrix(costs), y - 1, link="trace"),
        "Predtron with a kernel": predtron(tasks.Multiclass(), y, kernel=Gaussian(0.1), budget=20),
    }
