"""Harrington, section 4.2: one person's ratings are predicted by others', learned in one pass and tested on fresh rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..experiment import Numbers
from .methods import BAGG, BPM, MEMBERS, PRANK, REAL, VOTES, VP, WH, Methods, ensembles, loss, online_mean, so_far

STEPS, TAUS, TAU = (0.2, 0.05, 0.01, 0.001), (0.1, 0.2, 0.3), 0.2
LOWEST, TRAINING, BY_ROUND = "always the lowest rank", "{}, in training", "{}, by round"
OAPS = [BPM, BAGG, *(VP.replace("{}", votes, 1) for votes in VOTES)]
# The methods that are measured round by round.
METHODS = (PRANK, *(WH.format(step) for step in STEPS), *(form.format(tau) for form in OAPS for tau in TAUS))
# Those of them that are also measured without rounding.
MEANS = (BAGG.format(TAU), *(VP.format(votes, TAU) for votes in VOTES))


class RatingTask(NamedTuple):
    """Rows in the order of learning; those after the first ``learned`` ones are for the test."""

    X: np.ndarray
    y: np.ndarray
    learned: int
    n_ranks: int


class CurvePoints(NamedTuple):
    """The rounds at which averages are taken, and the last one at which they are also taken without rounding."""

    rounds: Sequence[int] = ()
    early: int = 0


NO_POINTS = CurvePoints()


def measure(task: RatingTask, seed: int, points: CurvePoints = NO_POINTS, members: int = MEMBERS, voted: bool = True) -> Numbers:
    """The losses of all methods on the test rows and while learning."""
    (X, fresh), (y, truth) = np.split(task.X, [task.learned]), np.split(task.y, [task.learned])
    methods = Methods(task.n_ranks, STEPS, TAUS, seed, members, voted)
    off = methods.learn(X, y)
    numbers: Numbers = {**methods.losses(fresh, truth), LOWEST: loss(np.ones(len(truth)), truth)}
    numbers |= {TRAINING.format(BPM.format(tau)): float(off[BPM.format(tau)].mean()) for tau in TAUS}
    if points.rounds:
        numbers |= {BY_ROUND.format(name): so_far(off[name], points.rounds) for name in METHODS}
        early = [count for count in points.rounds if count <= points.early]
        numbers |= early_means(RatingTask(X, y, early[-1], task.n_ranks), seed, early, members)
    return numbers


def early_means(task: RatingTask, seed: int, rounds: Sequence[int], members: int) -> Numbers:
    """The averages of bagging and voting without rounding, round by round."""
    models = ensembles(TAU, n_members=members, random_state=seed, classes=list(range(1, task.n_ranks + 1)))
    X, y = task.X[: task.learned], task.y[: task.learned]
    predicted = {name: online_mean(models[name], X, y) for name in MEANS}
    return {BY_ROUND.format(REAL.format(name)): so_far(np.abs(mean - y), rounds) for name, mean in predicted.items()}


def axes_of(case: str, points: CurvePoints) -> dict[str, list[float]]:
    """The x values of a case's curves."""
    early = [float(count) for count in points.rounds if count <= points.early]
    found = {BY_ROUND.format(name): [float(count) for count in points.rounds] for name in METHODS}
    found |= {BY_ROUND.format(REAL.format(name)): early for name in MEANS}
    return {f"{case}: {name}": places for name, places in found.items()}
