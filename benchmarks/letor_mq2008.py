"""Ranking lists: the five folds of LETOR's MQ2008 compared with LightGBM and XGBoost, if the data are there."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import Any, NamedTuple

import lightgbm
import numpy as np
import xgboost
from scipy import stats
from sklearn.linear_model import Ridge

import ranktron
from ranktron import AdaGrad, metrics

from .rankings import FOLDER, Fold, Part, folds
from .report import Line, Section, at_least, at_most
from .timing import Race

EPOCHS, ORDERS, ROUNDS = 5, 5, 5
PLACES, CLOSE, BAR = 10, 0.01, 0.505
MOST_TREES, PATIENCE = 300, 50
Scores = Callable[[np.ndarray], np.ndarray]


class Method(NamedTuple):
    """A function that learns a fold's training part in an order with one setting; returns what scores documents."""

    fit: Callable[..., Scores]
    grid: tuple[dict[str, Any], ...] = ({},)

    def chosen(self, fold: Fold) -> dict[str, Any]:
        """The setting that is best on the validation part, learning in the order of the files."""
        if len(self.grid) == 1:
            return self.grid[0]
        return max(self.grid, key=lambda setting: ndcg(fold.validation, self.fit(fold, 0, **setting)).mean())


def grid(**values: Iterable[Any]) -> tuple[dict[str, Any], ...]:
    """All combinations of the values."""
    return tuple(dict(zip(values, some, strict=True)) for some in itertools.product(*values.values()))


# Methods


def lists(name: str, fold: Fold, order: int, **setting: Any) -> Scores:
    """One of Ranktron's rankers."""
    train = fold.train.in_order(order)
    return getattr(ranktron, name)(epochs=EPOCHS, **setting).fit(train.X, train.y, qid=train.qid).predict


def documents(fold: Fold, order: int, **setting: Any) -> Scores:
    """PRank on documents, without their lists."""
    model = ranktron.PRank(epochs=EPOCHS, shuffle=True, random_state=order, **setting)
    return model.fit(fold.train.X, fold.train.y).project


def ridge(fold: Fold, order: int, **setting: Any) -> Scores:
    train = fold.train.in_order(order)
    return Ridge(**setting).fit(train.X, train.y).predict


def light(fold: Fold, order: int, **setting: Any) -> Scores:
    """Boosted trees; their number is chosen on the validation part."""
    train, judge = light_data(fold.train.in_order(order)), light_data(fold.validation)
    stop = lightgbm.early_stopping(PATIENCE, verbose=False)
    return lightgbm.train(LIGHT | setting, train, MOST_TREES, [judge], callbacks=[stop]).predict


def light_as_it_comes(fold: Fold, order: int) -> Scores:
    """A hundred trees; the validation part is not used."""
    return lightgbm.train(LIGHT, light_data(fold.train.in_order(order))).predict


def light_data(part: Part) -> lightgbm.Dataset:
    return lightgbm.Dataset(part.X, part.y, group=part.sizes)


def extreme(fold: Fold, order: int, **setting: Any) -> Scores:
    """Boosted trees; their number is chosen on the validation part."""
    parts = (fold.train.in_order(order), fold.validation)
    train, judge = (xgboost.DMatrix(part.X, part.y, group=part.sizes) for part in parts)
    settings = EXTREME | setting | {"seed": order}
    watched: dict[str, Any] = {"evals": [(judge, "judge")], "early_stopping_rounds": PATIENCE, "verbose_eval": False}
    model = xgboost.train(settings, train, MOST_TREES, **watched)
    return lambda X: model.predict(xgboost.DMatrix(X), iteration_range=(0, model.best_iteration + 1))


LIGHT = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [PLACES], "num_threads": 1, "verbose": -1}
EXTREME = {"objective": "rank:ndcg", "eval_metric": f"ndcg@{PLACES}", "nthread": 1}
STEPS = (*map(AdaGrad, (0.01, 0.03, 0.1, 0.3, 1.0)), 0.01, 0.1, 1.0)
TEMPERATURES, RIDGES = (0.1, 0.3, 1.0, 3.0), (1.0, 10.0, 100.0, 1000.0)
SOFT = 0.5
LISTNET, SOFTENED, LIGHTGBM = "`ListNet()`", f"`SLAM(soften={SOFT})`", "LightGBM, tuned"
METHODS = {
    LISTNET: Method(partial(lists, "ListNet")),
    "`ListNet(average=False)`": Method(partial(lists, "ListNet", average=False)),
    "`ListNet()`, step tuned": Method(partial(lists, "ListNet"), grid(step=STEPS)),
    SOFTENED: Method(partial(lists, "SLAM", soften=SOFT)),
    f"`SLAM(soften={SOFT}, average=False)`": Method(partial(lists, "SLAM", soften=SOFT, average=False)),
    "`SLAM()`, temperature and step tuned": Method(partial(lists, "SLAM"), grid(soften=TEMPERATURES, step=STEPS)),
    "`SLAM()`": Method(partial(lists, "SLAM")),
    "`SLAM(average=False)`, constant step tuned": Method(partial(lists, "SLAM", average=False), grid(step=STEPS[5:])),
    "`MinimaxRank()`": Method(partial(lists, "MinimaxRank")),
    "`MinimaxRank(average=False)`": Method(partial(lists, "MinimaxRank", average=False)),
    "`PRank()`, by document": Method(documents),
    "`PRank(average=False)`, by document": Method(partial(documents, average=False)),
    "scikit-learn's `Ridge`, by document, tuned": Method(ridge, grid(alpha=RIDGES)),
    LIGHTGBM: Method(light, grid(learning_rate=(0.03, 0.1), num_leaves=(4, 8, 16, 31), min_data_in_leaf=(20, 50, 100))),
    "LightGBM": Method(light_as_it_comes),
    "XGBoost, tuned": Method(extreme, grid(learning_rate=(0.03, 0.1), max_depth=(2, 3, 4, 6), min_child_weight=(1, 10, 50))),
}


# Measures


def ndcg(part: Part, scores: Scores, **given: Any) -> np.ndarray:
    """NDCG of each query, 0 for queries without relevant documents."""
    return metrics.ndcg(part.y, scores(part.X), qid=part.qid, k=PLACES, empty=0.0, per_list=True, **given)


def average_precision(part: Part, scores: Scores) -> np.ndarray:
    return metrics.average_precision(part.y, scores(part.X), qid=part.qid, empty=0.0, per_list=True)


NDCG, LINEAR, MAP = f"NDCG@{PLACES}", "with linear gains", "MAP"
MEASURES = {NDCG: ndcg, LINEAR: partial(ndcg, gain="linear"), MAP: average_precision}


class Result:
    """A method's measures of every test query, after each order of learning."""

    def __init__(self, method: Method, data: list[Fold]) -> None:
        self.settings = [method.chosen(fold) for fold in data]
        self._by_measure: dict[str, list[np.ndarray]] = {name: [] for name in MEASURES}
        for order in range(ORDERS):
            learned = [(fold.test, method.fit(fold, order, **setting)) for fold, setting in zip(data, self.settings, strict=True)]
            for name, measure in MEASURES.items():
                self._by_measure[name].append(np.concatenate([measure(*one) for one in learned]))

    def mean(self, measure: str = NDCG) -> float:
        return float(np.mean(self._by_measure[measure]))

    def cell(self, measure: str) -> str:
        """The mean over the queries and its deviation over the orders."""
        by_order = np.mean(self._by_measure[measure], axis=1)
        return f"{by_order.mean():.4f} sd {by_order.std(ddof=1):.4f}"

    @cached_property
    def by_query(self) -> np.ndarray:
        """The mean NDCG over the orders."""
        return np.mean(self._by_measure[NDCG], axis=0)

    def beyond(self, other: Result) -> tuple[float, float]:
        """The mean difference to another method, paired by query, and half the width of its 95 % interval."""
        differences = self.by_query - other.by_query
        return float(differences.mean()), float(stats.t.ppf(0.975, len(differences) - 1) * stats.sem(differences))


# The report


def sections() -> list[Section]:
    """The bars and the table; nothing without the data."""
    if not FOLDER.is_dir():
        print("LETOR MQ2008: skipped, for there is no folder of data; RANKTRON_LETOR_MQ2008 may name one.")
        return []
    data = folds()
    results = {name: Result(method, data) for name, method in METHODS.items()}
    return [bars(results), table(results, times(results, data[0]))]


def bars(results: dict[str, Result]) -> Section:
    """The bars."""
    ours, soft = results[LISTNET], results[SOFTENED]
    difference, interval = ours.beyond(results[LIGHTGBM])
    paired = f"{difference:+.4f} ±{interval:.4f}"
    lines = [
        Line(f"{LISTNET}: {NDCG}", ours.mean(), at_least(BAR)),
        Line(f"{LISTNET}: {NDCG} {LINEAR}", ours.mean(LINEAR)),
        Line(f"{LISTNET} and {LIGHTGBM}: difference in half its 95 % interval", abs(difference) / interval, at_most(1), paired),
        Line(f"{SOFTENED} below {LISTNET}: {NDCG}", ours.mean() - soft.mean(), at_most(CLOSE)),
    ]
    return Section("LETOR MQ2008, nothing of ours tuned", ABOUT, lines)


def table(results: dict[str, Result], race: Race) -> Section:
    """The table of all methods."""
    cells = []
    for name, result in results.items():
        paired = "" if name == LIGHTGBM else "{:+.4f} ±{:.4f}".format(*result.beyond(results[LIGHTGBM]))
        cells.append([name, *map(result.cell, MEASURES), paired, str(race.cost(name, LISTNET))])
    headings = ["what", *MEASURES, f"{NDCG} beyond {LIGHTGBM}", f"time to fit against {LISTNET}"]
    return Section("LETOR MQ2008", NOTES, headings=headings, cells=cells)


def times(results: dict[str, Result], fold: Fold) -> Race:
    """One fit with the settings that were chosen."""
    race = Race(ROUNDS)
    for name, method in METHODS.items():
        fit = partial(method.fit, fold, 0, **results[name].settings[0])
        race.add(name, lambda fit=fit: fit)
    return race.run()


def said(step: AdaGrad | float) -> str:
    return f"`AdaGrad({step.rate:g})`" if isinstance(step, AdaGrad) else f"{step:g}"


ABOUT = f"""\
784 queries in five folds, three parts to learn from, one to choose settings and one to test; features scaled within each
query by `QueryScaler()`, {EPOCHS} epochs. A query without relevant documents counts 0; 220 have none, so .719 is the best
possible value. Means over the queries of all folds and over {ORDERS} orders of learning, that of the files and random ones.
Differences are paired by query."""

NOTES = f"""\
{ABOUT} The deviation is over the orders. What is tuned is chosen for each fold by {NDCG} on its validation part, among steps of
{", ".join(map(said, STEPS))}; temperatures of {", ".join(f"{one:g}" for one in TEMPERATURES)}; ridges of
{", ".join(f"{one:g}" for one in RIDGES)}; for trees learning rates of 0.03 and 0.1, 4 to 31 leaves or 2 to 6 levels, and three
least sizes of a leaf, with up to {MOST_TREES} trees, stopped where the validation part says so. After ± stands half the 95 %
interval. Times are of one fit on the first fold with the setting chosen there, one thread."""
