"""Lists: Ranker compared with trees and ridge regression, and the effect of scaling the features on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import lightgbm
import numpy as np
import xgboost
from sklearn.linear_model import Ridge

import ranktron
from ranktron import metrics
from ranktron.statistics import Mean, mean_of

from ..rankings import Fold, Part
from ..report import Line, Section, at_least, at_most
from .list_sets import FOLDERS, MQ2008, REPEATS, SCALINGS, SETS, WINES, Scaling, scaled, unchanged

ORDERS, PLACES, BAR, CLOSE = 10, 10, 0.505, 0.01
TREES, PATIENCE = 300, 50
LEAVES, LEVELS = (4, 8, 16, 31), (2, 4, 6)
# Scores of a fold's test part, after learning its lists in some order.
Method = Callable[[Fold, int], np.ndarray]


# Methods


def ours(fold: Fold, order: int) -> np.ndarray:
    train = fold.train.in_order(order)
    model = ranktron.Ranker().fit(train.X, train.y, qid=train.qid)
    return model.predict(fold.test.X, qid=fold.test.qid)


def ridge(fold: Fold, order: int) -> np.ndarray:
    """Ridge regression by document, on features scaled within each list, which suit it better."""
    within = Fold(*(part._replace(X=ranktron.QueryScaler().fit_transform(part.X, qid=part.qid)) for part in fold))
    return Ridge().fit(within.train.X, within.train.y).predict(within.test.X)


def light(fold: Fold, order: int) -> np.ndarray:
    model = lightgbm.LGBMRanker(n_jobs=1, verbose=-1).fit(fold.train.X, fold.train.y, group=fold.train.sizes)
    return model.predict(fold.test.X)


def light_chosen(fold: Fold, order: int) -> np.ndarray:
    """LightGBM; the numbers of trees and leaves are chosen on the validation part."""
    train, judge = (lightgbm.Dataset(part.X, part.y, group=part.sizes, free_raw_data=False) for part in fold[:2])
    models = []
    for leaves in LEAVES:
        stop = lightgbm.early_stopping(PATIENCE, verbose=False)
        models.append(lightgbm.train(LIGHT | {"num_leaves": leaves}, train, TREES, [judge], callbacks=[stop]))
    return max(models, key=lambda model: model.best_score["valid_0"][f"ndcg@{PLACES}"]).predict(fold.test.X)


def extreme(fold: Fold, order: int) -> np.ndarray:
    model = xgboost.XGBRanker(n_jobs=1).fit(fold.train.X, fold.train.y, qid=consecutive(fold.train))
    return model.predict(fold.test.X)


def extreme_chosen(fold: Fold, order: int) -> np.ndarray:
    """XGBoost; the numbers of trees and levels are chosen on the validation part."""
    judge = [(fold.validation.X, fold.validation.y)]
    models = []
    for levels in LEVELS:
        model = xgboost.XGBRanker(max_depth=levels, n_estimators=TREES, early_stopping_rounds=PATIENCE, **EXTREME)
        groups = {"qid": consecutive(fold.train), "eval_qid": [consecutive(fold.validation)]}
        models.append(model.fit(fold.train.X, fold.train.y, eval_set=judge, verbose=False, **groups))
    return max(models, key=lambda model: model.best_score).predict(fold.test.X)


def consecutive(part: Part) -> np.ndarray:
    """Ids in ascending order, as XGBoost needs them."""
    return np.repeat(np.arange(len(part.sizes)), part.sizes)


LIGHT = {
    "objective": "lambdarank",
    "metric": "ndcg",
    "eval_at": [PLACES],
    "num_threads": 1,
    "verbose": -1,
    "feature_pre_filter": False,
}
EXTREME = {"eval_metric": f"ndcg@{PLACES}", "n_jobs": 1}
OURS, LIGHTGBM, CHOSEN = "`Ranker()`", "`LGBMRanker()`", "LightGBM, chosen"
METHODS: dict[str, Method] = {
    OURS: ours,
    "`Ridge()`, by document": ridge,
    LIGHTGBM: light,
    CHOSEN: light_chosen,
    "`XGBRanker()`": extreme,
    "XGBoost, chosen": extreme_chosen,
}


# Measuring


class Result:
    """NDCG@10 of every test list, as means over orders and repeats."""

    def __init__(self, method: Method, name: str, scaling: Scaling = unchanged) -> None:
        folds = [scaled(fold, scaling) for fold in SETS[name]()]
        orders = range(ORDERS if method is ours else 1)
        sums: dict[int, list[float]] = {}
        for fold in folds:
            for order in orders:
                scores = method(fold, order)
                worths = metrics.ndcg(fold.test.y, scores, qid=fold.test.qid, k=PLACES, empty=0.0, per_list=True)
                for query, worth in zip(fold.test.qid[fold.test.starts].tolist(), worths, strict=True):
                    sums.setdefault(query, []).append(worth)
        self._sums = sums

    @cached_property
    def by_list(self) -> np.ndarray:
        return np.array([np.mean(self._sums[query]) for query in sorted(self._sums)])

    @property
    def mean(self) -> float:
        return float(self.by_list.mean())

    def beyond(self, other: Result) -> Mean:
        """The mean difference to another method, paired by list, and half the width of its 95 % interval."""
        return mean_of(self.by_list - other.by_list)


# The report


def sections() -> list[Section]:
    """The bars and the table for the sets that are there."""
    names = [name for name in SETS if FOLDERS[name].is_dir()]
    if len(names) < len(SETS):
        print(f"Quality of lists: without {', '.join(sorted(SETS.keys() - set(names)))}, for there is no folder of data.")
    results = {name: {method: Result(run, name) for method, run in METHODS.items()} for name in names}
    return [bars(results), table(results)] if names else []


def bars(results: dict[str, dict[str, Result]]) -> Section:
    """The bars."""
    lines = []
    if MQ2008 in results:
        mean = results[MQ2008][OURS].mean
        lines.append(Line(f"{OURS}: NDCG@{PLACES}, {MQ2008}", mean, at_least(BAR), f"{mean:.4f}"))
    for name, each in results.items():
        for other in (LIGHTGBM, CHOSEN):
            difference, half = each[OURS].beyond(each[other])
            bar = None if name == WINES else at_least(-1)
            what = f"{OURS} and {other}, {name}: difference in half its 95 % interval"
            lines.append(Line(what, difference / half, bar, f"{difference:+.4f} ±{half:.4f}"))
    for name, each in results.items():
        means = [each[OURS].mean, *(Result(ours, name, scaling).mean for scaling in list(SCALINGS.values())[1:])]
        said = ", ".join(f"{scaling} {mean:.4f}" for scaling, mean in zip(SCALINGS, means, strict=True))
        lines.append(Line(f"{OURS}, {name}: what scalings change", max(means) - min(means), at_most(CLOSE), said))
    return Section("Lists, nothing of ours tuned", ABOUT, lines)


def table(results: dict[str, dict[str, Result]]) -> Section:
    """All methods, and the difference to Ranker."""
    cells = []
    for method in METHODS:
        row = [method]
        for each in results.values():
            beyond = each[OURS].beyond(each[method])
            row += [f"{each[method].mean:.4f}", "" if method == OURS else f"{beyond.value:+.4f} ±{beyond.half:.4f}"]
        cells.append(row)
    headings = ["what", *(heading for name in results for heading in (name, f"{OURS} beyond it"))]
    return Section(f"Lists: NDCG@{PLACES}", NOTES, headings=headings, cells=cells)


ABOUT = f"""\
NDCG@{PLACES}, lists without relevant documents count 0. LETOR's MQ2008: 784 lists in its five folds. LightGBM's example: its
251 lists, {REPEATS} × 5-fold by list. White wines in lists of 20, five folds: not a search engine's lists, and a set on
which trees are much better than linear rules; it has no bar. {OURS} gets raw features, means of {ORDERS} orders of the lists;
scalings are fitted to the training lists. Differences are paired by list, with half the 95 % interval after ±."""

NOTES = f"""\
As above. `LGBMRanker()` and `XGBRanker()` with their defaults; for those chosen the number of trees, up to {TREES}, and of
leaves or levels is the best on the fold's validation part, which no other method uses. `Ridge()` gets features scaled by list."""
