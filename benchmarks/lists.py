"""One epoch over lists, everything included, compared with reading the array once and with an iteration of boosted trees."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import lightgbm
import numpy as np
import xgboost

import ranktron
from ranktron import metrics
from ranktron.data import synthetic

from .report import Line, Section, at_most
from .timing import Race

READING, ROWS, FEATURES = "reading X", 200_000, 136
LENGTHS = (10, 30, 100, 300, 1_000, 5_000)
# Iterations of boosting that are timed together.
ROUNDS = 10

RANKERS = {
    "SLAM()": {},
    "SLAM(step=0.1)": {"step": 0.1},
    "SLAM(step=0.1, average=False)": {"step": 0.1, "average": False},
    "SLAM(soften=1.0)": {"soften": 1.0},
    'SLAM(measure="ap")': {"measure": "ap"},
    "MinimaxRank()": {},
    "ListNet()": {},
}


def sections() -> list[Section]:
    """Lists of a hundred documents, lists of all lengths, and other libraries."""
    return [hundred(), lengths(), trees()]


def ranker(name: str) -> Any:
    """The ranker of that name."""
    return getattr(ranktron, name.partition("(")[0])(**RANKERS[name])


def both() -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Lists of a hundred documents to learn, and 200 more to test."""
    lists = synthetic.search(ROWS // 100 + 200, n_documents=100, n_features=FEATURES, seed=0)
    return tuple(part[:ROWS] for part in lists), tuple(part[ROWS:] for part in lists)


def hundred() -> Section:
    """One epoch of all rankers."""
    (X, y, qid), (fresh, truth, ids) = both()
    race = Race(21)
    for name in RANKERS:
        race.add(name, functools.partial(epoch, name, X, y, qid))
    race.add(READING, lambda: X.sum)
    race.run()
    lines = []
    for name in RANKERS:
        good = f"NDCG@10 {metrics.ndcg(truth, race.results[name].predict(fresh), ids, k=10, empty='skip'):.3f}"
        bar = at_most(1.6) if name == "SLAM()" else None
        lines.append(Line(f"`{name}` against `X.sum()`: time", race.cost(name, READING), bar, good))
    notes = "One pass of `partial_fit`: 2,000 noisy lists of 100 documents × 136 features, grades 0 to 4."
    return Section("Lists, 2,000 × 100 documents × 136 features", f"{notes} Quality: on 200 lists of the same kind.", lines)


def epoch(name: str, *lists: np.ndarray) -> Any:
    """One pass of a new ranker."""
    model = ranker(name)
    return lambda: model.partial_fit(*lists)


def lengths() -> Section:
    """The time per row by the length of the lists."""
    race, base = Race(11), 100
    for length in LENGTHS:
        X, y, qid = synthetic.search(ROWS // length, n_documents=length, n_features=FEATURES, seed=length)
        for name in ("SLAM()", "ListNet()"):
            race.add(f"{name} {length}", functools.partial(epoch, name, X, y, qid), len(y))
    race.run()
    lines = []
    for name in ("SLAM()", "ListNet()"):
        for length in LENGTHS:
            bar = at_most(1.25) if name == "SLAM()" and length == LENGTHS[-1] else None
            ratio = race.cost(f"{name} {length}", f"{name} {base}")
            lines.append(Line(f"`{name}`, lists of {length:,} against lists of 100: time a row", ratio, bar))
    return Section("Lists of all lengths, × 136 features", f"About {ROWS:,} rows each; time a row stays what it is.", lines)


def trees() -> Section:
    """An epoch against an iteration of gradient boosting, on data that is loaded already."""
    (X, y, qid), (fresh, truth, ids) = both()
    sizes = np.full(ROWS // 100, 100)
    light = lightgbm.Dataset(X, y, group=sizes, free_raw_data=False, params={"verbose": -1, "num_threads": 1}).construct()
    extreme = xgboost.DMatrix(X, y, qid=qid, nthread=1)
    race = Race(5)
    for name in ("SLAM()", "ListNet()"):
        race.add(name, functools.partial(epoch, name, X, y, qid))
    settings = {"objective": "lambdarank", "verbose": -1, "num_threads": 1}
    race.add("LightGBM", lambda: lambda: lightgbm.train(settings, light, ROUNDS), ROUNDS)
    race.add("XGBoost", lambda: lambda: xgboost.train({"objective": "rank:ndcg", "nthread": 1}, extreme, ROUNDS), ROUNDS)
    race.run()
    scores = {name: race.results[name].predict(fresh) for name in ("SLAM()", "ListNet()", "LightGBM")}
    scores["XGBoost"] = race.results["XGBoost"].predict(xgboost.DMatrix(fresh))
    good = {name: f"NDCG@10 {metrics.ndcg(truth, predicted, ids, k=10, empty='skip'):.3f}" for name, predicted in scores.items()}
    lines = []
    for ours, peer in itertools.product(("SLAM()", "ListNet()"), ("LightGBM", "XGBoost")):
        quality = f"{good[ours]} / {good[peer]}"
        lines.append(Line(f"`{ours}` epoch against {peer}: times as fast as an iteration", race.speed(ours, peer), None, quality))
    notes = f"The same lists; of the trees {ROUNDS} iterations are timed and divided. Quality: after that, ours / theirs."
    return Section("Lists against boosted trees", notes, lines)
