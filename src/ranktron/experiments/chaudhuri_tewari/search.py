"""What Chaudhuri & Tewari's Figures 2 and 3 measure, on any lists with grades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

import ranktron
from ranktron.data import synthetic
from ranktron.data.sets import Fold, Lists

from ..experiment import Numbers
from .lists import AP, NDCG, Rows, best_of, decades, judged, learner, online, tried

MEASURES = {"NDCG@10": NDCG, "AP": AP}
STEPS = decades(-3, 2)
"""In units of 1 / (the mean squared length of a document)."""
PLACES = [float(place) for place in range(1, 101)]
"""Per cent of the stream after which curves are read."""
GIVEN, SCALED = "as given", "scaled"
NAMES = ("SLAM", "MinimaxRank", "ListNet")


# Lists


def relevant(lists: Any) -> Lists:
    """The lists that have a relevant document: from the others there is nothing to learn, and their measures are 0/0."""
    X, y, qid = lists
    _, number = np.unique(qid, return_inverse=True)
    rows = np.flatnonzero(np.bincount(number, y > 0)[number] > 0)
    return Lists(X, y, qid) if len(rows) == len(y) else Lists(X[rows], y[rows], qid[rows])


def whole(fold: Fold) -> Lists:
    """All parts of a fold as one stream."""
    parts = [lists for lists in fold if len(lists.y)]
    if hasattr(parts[0].X, "tocsr"):
        from scipy import sparse

        return relevant((sparse.vstack([lists.X for lists in parts], format="csr"), *joined(parts)))
    return relevant((np.concatenate([lists.X for lists in parts]), *joined(parts)))


def joined(parts: Sequence[Lists]) -> tuple[np.ndarray, np.ndarray]:
    """Grades and ids of all parts."""
    return np.concatenate([lists.y for lists in parts]), np.concatenate([lists.qid for lists in parts])


def in_order(lists: Lists, seed: int) -> Lists:
    """The lists as they stand for seed 0, otherwise in the random order of that seed."""
    if seed == 0:
        return lists
    _, number = np.unique(lists.qid, return_inverse=True)
    place = np.random.default_rng(seed).permutation(int(number.max()) + 1)
    rows = np.argsort(place[number], kind="stable")
    return Lists(lists.X[rows], lists.y[rows], lists.qid[rows])


def within_lists(lists: Lists) -> Lists:
    """Every feature from 0 to 1 in each list."""
    return lists._replace(X=ranktron.QueryScaler().fit_transform(lists.X, qid=lists.qid))


def made(seed: int, n_lists: int, n_documents: int = 120, n_features: int = 136) -> Lists:
    """Lists as long, as wide and as graded as MSLR-WEB10K's, whose grades a ranker explains in part only."""
    return relevant(synthetic.search(n_lists, n_documents=n_documents, n_features=n_features, seed=seed))


# Trials


def stream_trial(seed: int, data: Lists, readings: tuple[str, ...] = (GIVEN,)) -> Numbers:
    """All learners on the lists of a data set; the seed is the order that they come in."""
    lists = in_order(data, seed)
    numbers: Numbers = {}
    for reading in readings:
        rows = within_lists(lists) if reading == SCALED else lists
        found = measured(rows, seed)
        numbers |= {f"{reading}: {name}": value for name, value in found.items()}
    return numbers


def made_trial(seed: int, data: Any = None, n_lists: int = 1_000, n_documents: int = 120, n_features: int = 136) -> Numbers:
    """The same on lists that are made."""
    return {f"{GIVEN}: {name}": value for name, value in measured(made(seed, n_lists, n_documents, n_features), seed).items()}


def measured(rows: Rows, seed: int) -> Numbers:
    """Both measures of all learners, and of an order that is drawn by lot."""
    lot = np.random.default_rng([seed, 1]).random(len(rows[1]))
    numbers: Numbers = {}
    for title, measure in MEASURES.items():
        found = {**compared(rows, measure), "random order": float(judged(lot, rows, measure).mean())}
        numbers |= {f"{title}, {name}": value for name, value in found.items()}
    return numbers


def compared(rows: Rows, measure: str) -> Numbers:
    """Time averages, of the paper's last hypotheses and of averaged ones."""
    numbers: Numbers = {}
    unit = 1.0 / squared_length(rows[0])
    for average, ending in ((False, ""), (True, " averaged")):
        numbers |= told(f"MinimaxRank{ending}", online(learner("MinimaxRank", measure, average), rows, measure))
        for name in ("SLAM", "ListNet"):
            by_step = tried(name, rows, measure, STEPS, unit, average)
            chosen = best_of(by_step)
            numbers |= told(f"{name}{ending}", by_step[chosen]) | {f"log10 of the step of {name}{ending}": math.log10(chosen)}
            numbers |= {f"{name}{ending}, step {step:g}": last_ten(curve) for step, curve in by_step.items()}
    return numbers


def squared_length(X: Any) -> float:
    """The mean over the documents."""
    total = X.multiply(X).sum() if hasattr(X, "multiply") else np.einsum("ij,ij->", X, X)
    return float(total) / X.shape[0]


def last_ten(curve: np.ndarray) -> float:
    """The mean of the time average over the last ten lists, which is what the paper prints."""
    return float(curve[-10:].mean())


def told(name: str, curve: np.ndarray) -> Numbers:
    """A time average: its end, and the way there in per cent of the stream."""
    places = np.ceil(np.array(PLACES) / 100 * len(curve)).astype(int) - 1
    return {name: last_ten(curve), f"{name}, by round": curve[places].tolist()}


def axes_of(readings: Sequence[str] = (GIVEN,)) -> dict[str, list[float]]:
    """Where the points of all curves lie."""
    names = [f"{name}{ending}" for name in NAMES for ending in ("", " averaged")]
    return {f"{reading}: {title}, {name}, by round": PLACES for reading in readings for title in MEASURES for name in names}
