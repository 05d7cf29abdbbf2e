"""Harrington's claims about small τ: members differ more, convergence is slower, and learning goes on after PRank stops."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

import ranktron
from ranktron.bounds import margin
from ranktron.data import synthetic

from .problems import CLASSES, error
from .report import Section
from .timing import figures
from .trials import members_ranks

TAUS = (0.05, 0.1, 0.3, 0.6, 0.9)
TRIALS, MOMENTS, LATE, FRESH = 40, (250, 1_000, 5_000, 20_000), 2, 5_000
SEPARABLE_TRIALS, SEPARABLE_ROWS, GAP, TIMES = 10, 500, 0.05, (1, 2, 4, 8, 16)
# 10 (x₁ - ½)(x₂ - ½) in the features of the map.
RULE = np.array([2.5, -5 / np.sqrt(2), -5 / np.sqrt(2), 0.0, 10 / np.sqrt(2), 0.0])
THRESHOLDS = np.array(synthetic.CRAMMER_SINGER_THRESHOLDS)


def sections() -> list[Section]:
    """Two tables."""
    return [by_tau(), after_prank_stops()]


def makers() -> dict[str, dict[str, Any]]:
    """OAP with each τ, and single PRanks for comparison."""
    return {f"τ = {tau}": {"tau": tau} for tau in TAUS} | {"PRank": {"average": False}, "averaged PRank": {}}


def made(parameters: dict[str, Any], seed: int) -> Any:
    """A new model."""
    if "tau" in parameters:
        return ranktron.OAP(classes=CLASSES, random_state=seed, **parameters)
    return ranktron.PRank(classes=CLASSES, **parameters)


# Diversity and convergence


def by_tau() -> Section:
    """The loss over the stream, and how the members differ at its end."""
    found = {name: run(parameters) for name, parameters in makers().items()}
    cells = [[name, *(f"{loss:.3f}" for loss in losses), *likeness] for name, (losses, likeness) in found.items()]
    headings = ["OAP-BPM", *(f"after {rows:,} rows" for rows in MOMENTS), "a member's own", "two differ on", "angle of two"]
    best = [min(TAUS, key=lambda tau: found[f"τ = {tau}"][0][moment]) for moment in range(len(MOMENTS))]
    notes = (
        f"Loss on {FRESH:,} fresh rows of the synthetic problem after the given numbers of rows, mean of {TRIALS} trials, N = "
        f"100; then of the members after {MOMENTS[LATE]:,} rows: their mean loss, the share of fresh rows to which two of them "
        "give different ranks, and the angle between the directions of two of them. With smaller τ the members differ more and "
        f"more rows are needed, as Harrington says; the τ with the least loss is {', '.join(map(str, best))} at these points."
    )
    return Section("Small τ: diversity and convergence", notes, headings=headings, cells=cells)


def run(parameters: dict[str, Any]) -> tuple[np.ndarray, list[str]]:
    """The mean losses at the checkpoints, and the statistics of the members."""
    losses, likenesses = [], []
    for seed in range(TRIALS):
        X, y = synthetic.crammer_singer(MOMENTS[-1] + FRESH, seed=seed)
        fresh, truth = X[MOMENTS[-1] :], y[MOMENTS[-1] :]
        model = made(parameters, seed)
        for start, stop in zip((0, *MOMENTS), MOMENTS):
            model.partial_fit(X[start:stop], y[start:stop])
            losses.append(error(model.predict(fresh), truth))
            if stop == MOMENTS[LATE] and "tau" in parameters:
                likenesses.append(likeness(model, fresh, truth))
    mean = np.array(losses).reshape(TRIALS, len(MOMENTS)).mean(axis=0)
    if not likenesses:
        return mean, ["", "", ""]
    own, differ, angle = np.mean(likenesses, axis=0)
    return mean, [f"{own:.3f}", f"{differ:.1%}", f"{angle:.1f}°"]


def likeness(model: Any, fresh: np.ndarray, truth: np.ndarray) -> tuple[float, float, float]:
    """The mean loss of a member, how often two members disagree, and the mean angle between two, in degrees."""
    ranks = members_ranks(model, fresh)
    count = len(ranks)
    alike = sum((said * (said - 1)).sum() for said in ((ranks == rank).sum(axis=0) for rank in CLASSES))
    directions = model.members_coef_ / np.linalg.norm(model.members_coef_, axis=1, keepdims=True)
    cosines = (directions @ directions.T)[np.triu_indices(count, 1)]
    angle = np.degrees(np.arccos(np.clip(cosines, -1, 1))).mean()
    return error(ranks, truth), 1 - alike / (count * (count - 1) * len(truth)), float(angle)


# Learning on


class Course(NamedTuple):
    """A model on separable rows, epoch by epoch."""

    margins: list[float]  # at multiples of the epochs that PRank took, in the margin of the rule that made the ranks
    updates: list[int]


def after_prank_stops() -> Section:
    """Updates and margins after PRank's last mistake."""
    names = [*makers(), "ROMMA-PRank"]
    courses: dict[str, list[Course]] = defaultdict(list)
    epochs = []
    for seed in range(SEPARABLE_TRIALS):
        X, y = separable(seed)
        epochs.append(epochs_to_stop(X, y))
        for name in names:
            courses[name].append(course(model_of(name, seed), X, y, epochs[-1]))
    cells = [[name, *summary(courses[name], 100 if "τ" in name else 1)] for name in names]
    headings = ["OAP-BPM", "updates before", "updates after", *(f"margin at {times}×" for times in TIMES)]
    notes = (
        f"{SEPARABLE_ROWS} rows of the synthetic problem without noise and at least {GAP} from every threshold, again and again, "
        f"mean of {SEPARABLE_TRIALS} trials. PRank makes its last mistake in epoch {np.mean(epochs):.0f}; updates are those of "
        f"one member up to there, and from there to {TIMES[-1]} times as many epochs. Margins are of the combined rule on these "
        "rows, as a share of the margin of the rule that made the ranks; below 0 some row is still ranked wrongly. OAP "
        "continues to learn after PRank has stopped, up to a margin that is several times as wide."
    )
    return Section("After PRank stops", notes, headings=headings, cells=cells)


def separable(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows without noise, with a margin around the thresholds."""
    X, y = synthetic.crammer_singer(4 * SEPARABLE_ROWS, noise=0.0, seed=seed)
    clear = np.abs((X @ RULE)[:, None] - THRESHOLDS).min(axis=1) >= GAP
    return X[clear][:SEPARABLE_ROWS], y[clear][:SEPARABLE_ROWS]


def model_of(name: str, seed: int) -> Any:
    if name == "ROMMA-PRank":
        return ranktron.ROMMAPRank(classes=CLASSES, average=False)
    return made(makers()[name], seed)


def epochs_to_stop(X: np.ndarray, y: np.ndarray) -> int:
    """The epoch in which PRank makes its last mistake."""
    model, epochs, before = made({"average": False}, 0), 0, -1
    while before < (before := model.partial_fit(X, y).n_updates_):
        epochs += 1
    return epochs


def course(model: Any, X: np.ndarray, y: np.ndarray, epochs: int) -> Course:
    """Updates and margins at multiples of ``epochs``."""
    possible = margin(RULE, THRESHOLDS, X, y)
    margins, updates = [], []
    for start, stop in zip((0, *TIMES), TIMES):
        for _ in range((stop - start) * epochs):
            model.partial_fit(X, y)
        margins.append(margin(model.coef_, model.thresholds_, X, y) / possible)
        updates.append(int(model.n_updates_))
    return Course(margins, updates)


def summary(courses: list[Course], members: int) -> list[str]:
    """Means over the trials."""
    updates = np.mean([one.updates for one in courses], axis=0) / members
    margins = np.mean([one.margins for one in courses], axis=0)
    return [figures(updates[0]), figures(updates[-1] - updates[0]), *(f"{share:.2f}" for share in margins)]
