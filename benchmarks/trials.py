"""Many trials of one experiment: losses, their mean and its interval, next to the number that a paper prints."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

import ranktron

from .problems import error, nearest

# No loss in ranks is larger, unless a regression diverged.
ABSURD = 10.0

BPM, BAGG, VP, PLUS_ONE = "OAP-BPM", "OAP-Bagg", "OAP-VP, votes: {}", "survival + 1"
VOTES = ("correct", "survival")
OAPS = (BPM, BAGG, *(VP.format(votes) for votes in (*VOTES, PLUS_ONE)))
ABOUT_VOTES = (
    'A member\'s votes are the rows that it ranked correctly, in all (`votes="correct"`) or since its last update '
    '(`votes="survival"`), or one more than that; the paper does not say which.'
)


class Printed(NamedTuple):
    """A paper's number with its 95 % interval, both rounded."""

    value: float
    interval: float

    def __str__(self) -> str:
        return f"{self.value:.2f} ±{self.interval:.2f}"

    def holds(self, mean: float) -> bool:
        """Whether a mean lies in the interval, to two decimals."""
        return abs(mean - self.value) <= self.interval + 0.005


class Answer(NamedTuple):
    """A method's predictions for the test rows: ranks, and real numbers if it has any."""

    name: str
    ranks: np.ndarray | None
    real: np.ndarray | None = None


class Losses:
    """The mean absolute errors of every trial, by name and kind."""

    def __init__(self) -> None:
        self._by_name: dict[tuple[str, str], list[float]] = defaultdict(list)

    def add(self, answer: Answer, truth: np.ndarray) -> None:
        """One method's answers in one trial."""
        for kind in ("ranks", "real"):
            said = getattr(answer, kind)
            if said is not None:
                self._by_name[answer.name, kind].append(error(said, truth))

    @property
    def names(self) -> list[str]:
        """All methods in the order of their results."""
        return list(dict.fromkeys(name for name, _ in self._by_name))

    def mean(self, name: str, kind: str = "ranks") -> float:
        return float(np.mean(self._by_name[name, kind]))

    def deviation(self, name: str, kind: str = "ranks") -> float:
        """The standard deviation over the trials."""
        return float(np.std(self._by_name[name, kind], ddof=1))

    def interval(self, name: str, kind: str = "ranks") -> float:
        """Half the width of Student's 95 % interval of the mean."""
        trials = len(self._by_name[name, kind])
        return float(stats.t.ppf(0.975, trials - 1)) * self.deviation(name, kind) / math.sqrt(trials)

    def cell(self, name: str, kind: str, printed: Printed | None = None, deviation: bool = False) -> str:
        """The mean as text, with a star if it lies in the paper's interval."""
        if (name, kind) not in self._by_name:
            return ""
        mean = self.mean(name, kind)
        if not mean < ABSURD:
            return "diverges"
        spread = f" sd {self.deviation(name, kind):.3f}" if deviation else ""
        return f"{mean:.3f} ±{self.interval(name, kind):.3f}{spread}{' *' if printed and printed.holds(mean) else ''}"


def with_tau(method: str, tau: float) -> str:
    """The name of a method with its τ."""
    return f"{method}, τ = {tau}"


def oap_names(taus: tuple[float, ...]) -> list[str]:
    """The names of the methods in the order of ``oap_answers``."""
    return [with_tau(method, tau) for method in OAPS for tau in taus]


def oap_printed(taus: tuple[float, ...], **columns: tuple[Printed, ...]) -> dict[str, Printed]:
    """A paper's numbers for ``bpm``, ``bagg`` and ``vp``, the last for every way to count votes."""
    of = {BPM: columns["bpm"], BAGG: columns["bagg"]}
    return {with_tau(name, tau): number for name in OAPS for tau, number in zip(taus, of.get(name, columns["vp"]), strict=True)}


def oap_answers(tau: float, seed: int, classes: list[int], X: np.ndarray, y: np.ndarray, fresh: np.ndarray) -> Iterator[Answer]:
    """Predictions by the mean of a hundred hypotheses, by the mean of their ranks, and by three ways to vote."""
    model = ranktron.OAP(tau=tau, random_state=seed, classes=classes).partial_fit(X, y)
    bagged = model.predict_mean(fresh)
    yield Answer(with_tau(BPM, tau), model.predict(fresh))
    yield Answer(with_tau(BAGG, tau), nearest(bagged, len(classes)), bagged)
    for votes in VOTES:
        model = ranktron.OAP(tau=tau, random_state=seed, classes=classes, combine="voting", votes=votes).partial_fit(X, y)
        yield Answer(with_tau(VP.format(votes), tau), model.predict(fresh), model.predict_mean(fresh))
    one_more = 1.0 + model._learner.arrays()["members.right"]
    voted = one_more @ members_ranks(model, fresh) / one_more.sum()
    yield Answer(with_tau(VP.format(PLUS_ONE), tau), nearest(voted, len(classes)), voted)


def members_ranks(model: Any, X: np.ndarray) -> np.ndarray:
    """The rank that every member of an OAP gives to every row, of shape (N, n)."""
    projections = model.members_coef_ @ X.T
    ranks: np.ndarray = 1 + (projections[:, :, None] >= model.members_thresholds_[:, None, :]).sum(axis=2)
    return ranks
