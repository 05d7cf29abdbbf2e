"""All methods of Harrington's tables: they learn the same rows, and their losses on fresh rows are measured."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import ranktron

MEMBERS = 100
# How many rows the voted perceptron learns at a time. A row costs more, the more hypotheses there are.
BLOCK = 250

PRANK, AVERAGED, PRANK_VP, WH = "PRank", "averaged PRank", "PRank-VP", "WH, step {}"
BPM, BAGG, VP = "OAP-BPM, tau {}", "OAP-Bagg, tau {}", "OAP-VP by {}, tau {}"
VOTES = ("correct", "survival")
PLUS_ONE = "survival + 1"
# The name of a loss of predictions that are not rounded to ranks.
REAL = "{}, real"

# The loss of a regression that diverges is cut off here.
DIVERGED = 10.0


class Methods:
    """The methods of the paper's section 4, with one τ or step each; labels are ranks from 1."""

    def __init__(
        self, n_ranks: int, steps: Sequence[float], taus: Sequence[float], seed: int, members: int = MEMBERS, voted: bool = True
    ) -> None:
        ranks = list(range(1, n_ranks + 1))
        self.n_ranks, self.taus = n_ranks, taus
        self._models: dict[str, Any] = {
            PRANK: ranktron.PRank(average=False, classes=ranks),
            AVERAGED: ranktron.PRank(classes=ranks),
            **{WH.format(step): ranktron.WidrowHoff(step=step, average=False, classes=ranks) for step in steps},
        }
        if voted:
            self._models[PRANK_VP] = ranktron.Voted(classes=ranks)
        for tau in taus:
            self._models |= ensembles(tau, n_members=members, random_state=seed, classes=ranks)

    def learn(self, X: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
        """Every method learns these rows; returns the absolute error of each on every row before it learned it."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "WidrowHoff diverges", RuntimeWarning)  # its loss shows that
            return {name: np.abs(online(model, X, y) - y) for name, model in self._models.items()}

    def losses(self, X: np.ndarray, y: np.ndarray) -> dict[str, float]:
        """The mean absolute errors on fresh rows, of predicted ranks and of real-valued predictions."""
        return dict(self._losses(X, y))

    def _losses(self, X: np.ndarray, y: np.ndarray) -> Iterator[tuple[str, float]]:
        for name, model in self._models.items():
            yield name, loss(model.predict(X), y)
            if isinstance(model, ranktron.WidrowHoff):
                yield REAL.format(name), loss(model.project(X), y)
            elif hasattr(model, "predict_mean") and name not in map(BPM.format, self.taus):
                yield REAL.format(name), loss(model.predict_mean(X), y)
        for tau in self.taus:
            mean = self._one_more(tau, X)
            yield VP.format(PLUS_ONE, tau), loss(np.floor(mean + 0.5), y)
            yield REAL.format(VP.format(PLUS_ONE, tau)), loss(mean, y)

    def _one_more(self, tau: float, X: np.ndarray) -> np.ndarray:
        """The mean rank if every member has one vote more than the rows that it survived."""
        bagged, voting = self._models[BAGG.format(tau)], self._models[VP.format("survival", tau)]
        votes, members = voting.members_votes_.sum(), len(voting.members_votes_)
        return np.asarray((votes * voting.predict_mean(X) + members * bagged.predict_mean(X)) / (votes + members))


def ensembles(tau: float, **parameters: Any) -> dict[str, Any]:
    """OAP with every way to combine its members."""
    voting = {VP.format(votes, tau): {"combine": "voting", "votes": votes} for votes in VOTES}
    ways: dict[str, dict[str, Any]] = {BPM.format(tau): {}, BAGG.format(tau): {"combine": "bagging"}, **voting}
    return {name: ranktron.OAP(tau=tau, **way, **parameters) for name, way in ways.items()}


def online(model: Any, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The prediction for every row before the model learns it."""
    if not isinstance(model, ranktron.Voted):
        return np.asarray(model.predict_then_learn(X, y))
    starts = range(0, len(y), BLOCK)
    return np.concatenate([model.predict_then_learn(X[start : start + BLOCK], y[start : start + BLOCK]) for start in starts])


def online_mean(model: Any, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The mean of the members' ranks, weighted by their votes, for every row before it is learned."""
    predicted = np.asarray(model.predict_then_learn(X[:1], y[:1]), float).tolist()  # all members agree before they learn
    for row, label in zip(X[1:], y[1:], strict=True):
        predicted.append(sum(rank * share for rank, share in model.predict_proba_one(row).items()))
        model.learn_one(row, label)
    return np.array(predicted)


def loss(answers: np.ndarray, truth: np.ndarray) -> float:
    """The mean absolute error, at most ``DIVERGED``."""
    return min(DIVERGED, float(np.abs(np.asarray(answers, float) - truth).mean()))


def so_far(off: np.ndarray, rounds: Sequence[int]) -> list[float]:
    """The mean of the losses up to each of these rounds."""
    sums = np.cumsum(off)
    return [float(sums[count - 1] / count) for count in rounds]
