"""Harrington, section 4.2: one judge's or viewer's rating by those of others, learned in one pass and tried on fresh rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..experiment import Numbers
from .field import BAGG, BPM, MEMBERS, PRANK, REAL, VOTES, VP, WH, Field, crowds, loss, online_mean, so_far

STEPS, TAUS, TAU = (0.2, 0.05, 0.01, 0.001), (0.1, 0.2, 0.3), 0.2
LOWEST, TRAINING, BY_ROUND = "always the lowest rank", "{}, in training", "{}, by round"
OAPS = [BPM, BAGG, *(VP.replace("{}", votes, 1) for votes in VOTES)]
METHODS = (PRANK, *(WH.format(step) for step in STEPS), *(form.format(tau) for form in OAPS for tau in TAUS))
"""Those that are followed round by round."""
MEANS = (BAGG.format(TAU), *(VP.format(votes, TAU) for votes in VOTES))
"""Those that are followed as real numbers, too."""


class Task(NamedTuple):
    """Rows in the order in which they are learned, those to be tried at the end."""

    X: np.ndarray
    y: np.ndarray
    learned: int
    n_ranks: int


class Course(NamedTuple):
    """The rounds at which averages are taken, and the last one up to which real numbers are followed, too."""

    rounds: Sequence[int] = ()
    early: int = 0


UNFOLLOWED = Course()


def run(task: Task, seed: int, course: Course = UNFOLLOWED, members: int = MEMBERS, voted: bool = True) -> Numbers:
    """Everybody's losses on the rows left over and while learning."""
    (X, fresh), (y, truth) = np.split(task.X, [task.learned]), np.split(task.y, [task.learned])
    field = Field(task.n_ranks, STEPS, TAUS, seed, members, voted)
    off = field.learn(X, y)
    numbers: Numbers = {**field.losses(fresh, truth), LOWEST: loss(np.ones(len(truth)), truth)}
    numbers |= {TRAINING.format(BPM.format(tau)): float(off[BPM.format(tau)].mean()) for tau in TAUS}
    if course.rounds:
        numbers |= {BY_ROUND.format(name): so_far(off[name], course.rounds) for name in METHODS}
        early = [count for count in course.rounds if count <= course.early]
        numbers |= early_means(Task(X, y, early[-1], task.n_ranks), seed, early, members)
    return numbers


def early_means(task: Task, seed: int, rounds: Sequence[int], members: int) -> Numbers:
    """Bagging and voting round by round where their mean is not rounded."""
    models = crowds(TAU, n_members=members, random_state=seed, classes=list(range(1, task.n_ranks + 1)))
    X, y = task.X[: task.learned], task.y[: task.learned]
    told = {name: online_mean(models[name], X, y) for name in MEANS}
    return {BY_ROUND.format(REAL.format(name)): so_far(np.abs(mean - y), rounds) for name, mean in told.items()}


def named_after(case: str, numbers: Numbers) -> Numbers:
    """The numbers of a case under its name."""
    return {f"{case}: {name}": value for name, value in numbers.items()}


def axes_of(case: str, course: Course) -> dict[str, list[float]]:
    """Where the points of a case's curves lie."""
    early = [float(count) for count in course.rounds if count <= course.early]
    found = {BY_ROUND.format(name): [float(count) for count in course.rounds] for name in METHODS}
    found |= {BY_ROUND.format(REAL.format(name)): early for name in MEANS}
    return {f"{case}: {name}": places for name, places in found.items()}
