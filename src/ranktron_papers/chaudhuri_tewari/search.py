"""The measurements of Chaudhuri & Tewari's Figures 2 and 3, on any graded lists."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import ranktron
from ranktron.data import synthetic
from ranktron.data.sets import Fold, Lists

from ..experiment import Numbers
from ..rules import of_case
from .lists import AP, NDCG, Rows, best_step, curves_by_step, decades, learner, measured_lists, online_curve

MEASURES = {"NDCG@10": NDCG, "AP": AP}
# In units of 1 / (the mean squared length of a document).
STEPS = decades(-3, 2)
# Curves are read after these percentages of the stream.
PLACES = [float(place) for place in range(1, 101)]
GIVEN, SCALED = "as given", "scaled"
NAMES = ("SLAM", "MinimaxRank", "ListNet")


# Lists


def with_relevant(lists: Any) -> Lists:
    """The lists that have a relevant document. The others teach nothing, and their measures are 0/0."""
    X, y, qid = lists
    _, number = np.unique(qid, return_inverse=True)
    rows = np.flatnonzero(np.bincount(number, y > 0)[number] > 0)
    return Lists(X, y, qid) if len(rows) == len(y) else Lists(X[rows], y[rows], qid[rows])


def concatenated(fold: Fold) -> Lists:
    """All parts of a fold as one stream."""
    parts = [lists for lists in fold if len(lists.y)]
    if hasattr(parts[0].X, "tocsr"):
        from scipy import sparse

        return with_relevant((sparse.vstack([lists.X for lists in parts], format="csr"), *joined(parts)))
    return with_relevant((np.concatenate([lists.X for lists in parts]), *joined(parts)))


def joined(parts: Sequence[Lists]) -> tuple[np.ndarray, np.ndarray]:
    """The grades and ids of all parts."""
    return np.concatenate([lists.y for lists in parts]), np.concatenate([lists.qid for lists in parts])


def in_order(lists: Lists, seed: int) -> Lists:
    """The lists in their given order for seed 0, otherwise in a random order."""
    if seed == 0:
        return lists
    _, number = np.unique(lists.qid, return_inverse=True)
    place = np.random.default_rng(seed).permutation(int(number.max()) + 1)
    rows = np.argsort(place[number], kind="stable")
    return Lists(lists.X[rows], lists.y[rows], lists.qid[rows])


def within_lists(lists: Lists) -> Lists:
    """The lists with every feature scaled to 0–1 within each list."""
    return lists._replace(X=ranktron.QueryScaler().fit_transform(lists.X, qid=lists.qid))


def synthetic_lists(seed: int, n_lists: int, n_documents: int = 120, n_features: int = 136) -> Lists:
    """Lists with the sizes and grades of MSLR-WEB10K's, whose grades a ranker explains only in part."""
    return with_relevant(synthetic.search(n_lists, n_documents=n_documents, n_features=n_features, seed=seed))


# Trials


def stream_trial(seed: int, data: Lists, readings: tuple[str, ...] = (GIVEN,)) -> Numbers:
    """All learners on the lists of a data set; the seed gives their order."""
    lists = in_order(data, seed)
    numbers: Numbers = {}
    for reading in readings:
        rows = within_lists(lists) if reading == SCALED else lists
        numbers |= of_case(reading, measured(rows, seed))
    return numbers


def made_trial(seed: int, data: Any = None, n_lists: int = 1_000, n_documents: int = 120, n_features: int = 136) -> Numbers:
    """The same on synthetic lists."""
    return of_case(GIVEN, measured(synthetic_lists(seed, n_lists, n_documents, n_features), seed))


def measured(rows: Rows, seed: int) -> Numbers:
    """Both measures of all learners and of a random order."""
    lot = np.random.default_rng([seed, 1]).random(len(rows[1]))
    numbers: Numbers = {}
    for title, measure in MEASURES.items():
        found = {**compared(rows, measure), "random order": float(measured_lists(lot, rows, measure).mean())}
        numbers |= of_case(title, found, ", ")
    return numbers


def compared(rows: Rows, measure: str) -> Numbers:
    """Time averages of all learners, with the paper's last hypothesis and with averaged ones."""
    numbers: Numbers = {}
    unit = 1.0 / squared_length(rows[0])
    for average, ending in ((False, ""), (True, " averaged")):
        numbers |= as_numbers(f"MinimaxRank{ending}", online_curve(learner("MinimaxRank", measure, average), rows, measure))
        for name in ("SLAM", "ListNet"):
            by_step = curves_by_step(name, rows, measure, STEPS, unit, average)
            chosen = best_step(by_step)
            numbers |= as_numbers(f"{name}{ending}", by_step[chosen]) | {
                f"log10 of the step of {name}{ending}": math.log10(chosen)
            }
            numbers |= {f"{name}{ending}, step {step:g}": last_ten(curve) for step, curve in by_step.items()}
    return numbers


def squared_length(X: Any) -> float:
    """The mean squared length of a document."""
    total = X.multiply(X).sum() if hasattr(X, "multiply") else np.einsum("ij,ij->", X, X)
    return float(total / X.shape[0])


def last_ten(curve: np.ndarray) -> float:
    """The mean of the time average over the last ten lists, which the paper prints."""
    return float(curve[-10:].mean())


def as_numbers(name: str, curve: np.ndarray) -> Numbers:
    """A time average as numbers: its end, and its values after each per cent of the stream."""
    places = np.ceil(np.array(PLACES) / 100 * len(curve)).astype(int) - 1
    return {name: last_ten(curve), f"{name}, by round": curve[places].tolist()}


def axes_of(readings: Sequence[str] = (GIVEN,)) -> dict[str, list[float]]:
    """The x values of all curves."""
    names = [f"{name}{ending}" for name in NAMES for ending in ("", " averaged")]
    return {f"{reading}: {title}, {name}, by round": PLACES for reading in readings for title in MEASURES for name in names}
