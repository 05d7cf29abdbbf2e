"""Ranker with its defaults on raw features, compared with LightGBM's defaults, and the measurements behind Ranker's rules."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import lightgbm
import numpy as np
from scipy import stats
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from ranktron import ListNet, QueryScaler, Ranker, metrics
from ranktron.data import read_letor

from . import rankings
from .list_defaults import LIGHTGBM, sparse_lists
from .rankings import FOLDS, Fold, Part, joined
from .report import Line, Section, at_least, at_most
from .timing import Race

CYSTIC_FIBROSIS = Path(os.environ.get("RANKTRON_CYSTIC_FIBROSIS", "../shared/data/cystic_fibrosis"))
ORDERS, PLACES, BAR, CLOSE, ROUNDS = 5, 10, 0.505, 0.01, 11
# What lists without relevant documents do.
EMPTY = {"count 0": 0.0, "are left out": "skip"}

Fit = Callable[[Part], Callable[[Part], np.ndarray]]


class Set(NamedTuple):
    """Lists in folds: one part is learned and another tested."""

    name: str
    folds: list[Fold]


# Sets, features as they come


def letor() -> Set:
    parts = {name: Part(*read_letor(rankings.FOLDER / f"S{name}.txt", dense=True)) for name in "12345"}
    return Set("MQ2008", [Fold(*(joined(parts[name] for name in names) for names in fold.split())) for fold in FOLDS])


def lightgbm_example() -> Set:
    train, test = (sparse_lists(LIGHTGBM / f"rank.{name}") for name in ("train", "test"))
    return Set("LightGBM's example", [Fold(train, test, test)])


def cystic_fibrosis() -> Set:
    """The first judge's ratings of a query's documents, from the three others' ratings; every fifth query is tested."""
    table = np.loadtxt(CYSTIC_FIBROSIS / "judgements.tsv", skiprows=1)
    table = table[table[:, 3:].any(axis=1)]  # all others are listed because the first judge found them relevant
    whole = Part(table[:, 3:], table[:, 2].astype(np.int64), table[:, 0].astype(np.int64))
    count = np.arange(len(whole.starts))
    folds = [(whole.of_lists(count[count % 5 != fold]), whole.of_lists(count[count % 5 == fold])) for fold in range(5)]
    return Set("cystic fibrosis", [Fold(train, test, test) for train, test in folds])


def sets() -> list[Set]:
    """The sets whose data are there."""
    makers = {rankings.FOLDER: letor, LIGHTGBM: lightgbm_example, CYSTIC_FIBROSIS: cystic_fibrosis}
    return [make() for folder, make in makers.items() if folder.is_dir()]


# Contenders


def ranker(train: Part, **setting: Any) -> Callable[[Part], np.ndarray]:
    model = Ranker(**setting).fit(train.X, train.y, qid=train.qid)
    return lambda part: model.predict(part.X, qid=part.qid)


def list_net(train: Part, **setting: Any) -> Callable[[Part], np.ndarray]:
    """ListNet on features scaled within lists, as its documentation recommends."""
    model = ListNet(**setting).fit(QueryScaler().fit_transform(train.X, qid=train.qid), train.y, qid=train.qid)
    return lambda part: model.predict(QueryScaler().fit_transform(part.X, qid=part.qid))


def trees(train: Part) -> Callable[[Part], np.ndarray]:
    model = lightgbm.LGBMRanker(n_jobs=1, verbose=-1).fit(train.X, train.y, group=train.sizes)
    return lambda part: model.predict(part.X)


OURS, TREES = "`Ranker()`", "`LGBMRanker()`"
CONTENDERS: dict[str, Fit] = {
    OURS: ranker,
    "`Ranker(epochs=5)`": partial(ranker, epochs=5),
    '`Ranker(query_scale="minmax")`': partial(ranker, query_scale="minmax"),
    "`Ranker(average=False)`": partial(ranker, average=False),
    "`ListNet()`": list_net,
    "`ListNet(epochs=5)`": partial(list_net, epochs=5),
    TREES: trees,
}


# Other scales


def over_all(scaler: Any, fold: Fold) -> Fold:
    known = scaler.fit(fold.train.X)
    return Fold(*(part._replace(X=known.transform(part.X)) for part in fold))


def within(method: str, fold: Fold) -> Fold:
    return Fold(*(part._replace(X=QueryScaler(method).fit_transform(part.X, qid=part.qid)) for part in fold))


SCALES: dict[str, Callable[[Fold], Fold]] = {
    "raw": lambda fold: fold,
    "min–max over all rows": lambda fold: over_all(MinMaxScaler(), fold),
    "z-scores over all rows": lambda fold: over_all(StandardScaler(), fold),
    "min–max within lists": partial(within, "minmax"),
    "z-scores within lists": partial(within, "standard"),
}


# Measuring


def values(folds: list[Fold], fit: Fit) -> np.ndarray:
    """NDCG@10 of every test list, as the mean over the orders of learning; NaN if nothing is relevant."""
    by_order = []
    for order in range(1 if fit is trees else ORDERS):  # trees do not care
        scored = [(fold.test, fit(fold.train.in_order(order))(fold.test)) for fold in folds]
        by_order.append(np.concatenate([ndcg(part, scores) for part, scores in scored]))
    return np.mean(by_order, axis=0)


def ndcg(part: Part, scores: np.ndarray) -> np.ndarray:
    found = metrics.ndcg(part.y, scores, qid=part.qid, k=PLACES, empty="skip", per_list=True)
    return np.asarray(found)


def paired(ours: np.ndarray, others: np.ndarray) -> tuple[float, float]:
    """The mean difference and half its 95 % interval, over the lists that have a relevant document."""
    differences = (ours - others)[~np.isnan(ours)]
    return float(differences.mean()), float(stats.t.ppf(0.975, len(differences) - 1) * stats.sem(differences))


def sections() -> list[Section]:
    """The bars, all methods on all sets, and other scales."""
    found = sets()
    if not found:
        print("The front door for lists: skipped, for there is no folder of data.")
        return []
    results = {(one.name, name): values(one.folds, fit) for one in found for name, fit in CONTENDERS.items()}
    scales = {
        (one.name, name): values([scale(fold) for fold in one.folds], ranker) for one in found for name, scale in SCALES.items()
    }
    return [bars(found, results, scales), table(found, results), other_scales(found, scales), fold_by_fold(found)]


def bars(found: list[Set], results: dict[Any, np.ndarray], scales: dict[Any, np.ndarray]) -> Section:
    lines = []
    for one in found:
        ours, trees = results[one.name, OURS], results[one.name, TREES]
        if one.name == "MQ2008":
            lines.append(Line(f"{one.name}: NDCG@{PLACES}", float(np.nan_to_num(ours).mean()), at_least(BAR)))
        difference, interval = paired(ours, trees)
        lines.append(
            Line(
                f"{one.name}: upper end of the interval beyond {TREES}",
                difference + interval,
                at_least(0),
                f"{difference:+.4f} ±{interval:.4f}",
            )
        )
        means = [float(np.nanmean(scales[one.name, name])) for name in SCALES]
        lines.append(Line(f"{one.name}: most that scales change NDCG@{PLACES}", max(means) - min(means), at_most(CLOSE)))
    lines.append(speed())
    return Section("The front door for lists", NOTES, lines)


def table(found: list[Set], results: dict[Any, np.ndarray]) -> Section:
    cells = []
    for one in found:
        for name in CONTENDERS:
            got = results[one.name, name]
            beyond = "" if name == TREES else "{:+.4f} ±{:.4f}".format(*paired(got, results[one.name, TREES]))
            cells.append([one.name, name, f"{np.nan_to_num(got).mean():.4f}", f"{np.nanmean(got):.4f}", beyond])
    headings = ["set", "what", *(f"NDCG@{PLACES}, empty lists {said}" for said in EMPTY), f"beyond {TREES}"]
    return Section("The front door for lists: all methods", NOTES, headings=headings, cells=cells)


def other_scales(found: list[Set], scales: dict[Any, np.ndarray]) -> Section:
    cells = [[name, *(f"{np.nanmean(scales[one.name, name]):.4f}" for one in found)] for name in SCALES]
    notes = f"NDCG@{PLACES} of {OURS} with features scaled before; lists without relevant documents are left out."
    return Section("The front door for lists: scales", notes, headings=["features", *(one.name for one in found)], cells=cells)


def fold_by_fold(found: list[Set]) -> Section:
    """The folds of LETOR's set, if it is there."""
    cells = []
    for one in found:
        if one.name == "MQ2008":
            for place, fold in enumerate(one.folds, 1):
                got = [np.nan_to_num(values([fold], CONTENDERS[name])).mean() for name in (OURS, "`ListNet()`", TREES)]
                cells.append([f"{place}", *(f"{value:.4f}" for value in got)])
    notes = f"NDCG@{PLACES} on the test part of each fold; a list without relevant documents counts 0."
    return Section("The front door for lists: MQ2008 by fold", notes, headings=["fold", OURS, "`ListNet()`", TREES], cells=cells)


def speed() -> Line:
    """The cost of scaling rows within their lists."""
    random = np.random.default_rng(0)
    X, y, qid = random.uniform(size=(50_000, 46)), random.integers(0, 3, 50_000), np.repeat(np.arange(2_500), 20)
    race = Race(ROUNDS)
    race.add(OURS, lambda: partial(Ranker().partial_fit, X, y, qid))
    race.add("ListNet", lambda: partial(ListNet().partial_fit, X, y, qid))
    return Line("lists of 20, 46 features: time against `ListNet()` without scaling", race.run().cost(OURS, "ListNet"))


NOTES = f"""\
{OURS} learns the lists once, with raw features; {TREES} runs with its defaults, on the same features. MQ2008: LETOR's five
folds, three parts to learn from and one to test on; the validation part is not used. LightGBM's example: its training and its
test part. Cystic fibrosis: the first judge's ratings of a query's documents, predicted from the three others'; every fifth query
is tested in turn. Means over all test lists and {ORDERS} orders of learning; differences are paired by list, over the lists with
a relevant document; after ± stands half the 95 % interval. 220 of the 784 lists of MQ2008 have none: if they count 0, .719 is the
best possible value."""
