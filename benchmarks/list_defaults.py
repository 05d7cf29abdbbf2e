"""Why the rankers' default steps were chosen: what each step loses against the best one, over data sets and scalings."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.preprocessing import StandardScaler

import ranktron
from ranktron import AdaGrad, metrics
from ranktron.data import read_svmlight, synthetic

from . import rankings, real
from .rankings import Part
from .report import Section

LIGHTGBM = Path(os.environ.get("RANKTRON_LIGHTGBM_RANK", "../shared/data/lightgbm_rank"))
EPOCHS, DRAWS, PLACES = (1, 5), 2, 10
STEPS = (*map(AdaGrad, (0.01, 0.03, 0.05, 0.1, 0.3, 1.0)), 0.01, 0.1, 1.0)
DEFAULT = "by default"
TEMPERATURES = (0.1, 0.3, 0.5, 1.0, 3.0)
LEARNERS: dict[str, tuple[str, dict[str, Any]]] = {
    "`ListNet()`": ("ListNet", {}),
    "`ListNet(average=False)`": ("ListNet", {"average": False}),
    "`SLAM()`": ("SLAM", {}),
    "`SLAM(average=False)`": ("SLAM", {"average": False}),
    **{f"`SLAM(soften={one})`": ("SLAM", {"soften": one}) for one in TEMPERATURES},
}
SHOWN = ("`ListNet()`", "`SLAM()`", "`SLAM(soften=0.5)`", "`SLAM(soften=1.0)`")


class Problem(NamedTuple):
    """Lists to learn from and lists to test."""

    train: Part
    test: Part


# Sets


def divided(lists: Part, share: float = 2 / 3) -> Problem:
    """Split the lists: the first ones for learning, the rest for testing."""
    count = len(lists.starts)
    learned = int(share * count)
    return Problem(lists.of_lists(np.arange(learned)), lists.of_lists(np.arange(learned, count)))


def letor(draw: int) -> Problem:
    """Two of the folds, tested on the validation part, as one chooses a step."""
    fold = all_folds()[draw]
    return Problem(fold.train.in_order(draw), fold.validation)


all_folds = cache(rankings.folds)


def lightgbm_example(draw: int) -> Problem:
    train, test = (sparse_lists(LIGHTGBM / f"rank.{name}") for name in ("train", "test"))
    return Problem(train.in_order(draw), test)


def sparse_lists(path: Path) -> Part:
    X, y = read_svmlight(path, n_features=301, dense=True, zero_based=True)
    sizes = np.loadtxt(f"{path}.query", dtype=np.int64)
    return Part(X, y, np.repeat(np.arange(len(sizes)), sizes))


def wine(draw: int) -> Problem:
    """Wines in lists of 20."""
    X, y = real.read(real.FOLDER / "winequality-white.csv")
    rows = np.random.default_rng(draw).permutation(len(y) // 20 * 20)
    return divided(Part(X[rows], y[rows] - 1.0, np.repeat(np.arange(len(rows) // 20), 20)))


def separable(draw: int) -> Problem:
    return divided(Part(*synthetic.chaudhuri_tewari(600, seed=draw)))


def long_graded(draw: int) -> Problem:
    return divided(heavy_tailed(Part(*synthetic.search(300, n_documents=150, n_features=60, noise=1.0, seed=draw)), draw))


def long_binary(draw: int) -> Problem:
    """Only grades 3 and 4 count as relevant: 3 % of the documents."""
    lists = Part(*synthetic.search(120, n_documents=500, n_features=40, noise=1.0, seed=draw))
    return divided(heavy_tailed(lists._replace(y=(lists.y >= 3).astype(float)), draw))


def heavy_tailed(lists: Part, draw: int) -> Part:
    """Positive features of all scales, like raw counts and lengths; the scale of a third of them differs between lists."""
    random = np.random.default_rng(draw)
    count = lists.X.shape[1]
    shifts = random.standard_normal((len(lists.starts), count)) * (np.arange(count) % 3 == 1)
    X = np.exp(lists.X + np.repeat(shifts, lists.sizes, axis=0)) * 10.0 ** random.uniform(-2, 3, size=count)
    return lists._replace(X=X)


SETS: dict[str, tuple[Callable[[int], Problem], Path | None]] = {
    "MQ2008": (letor, rankings.FOLDER),
    "LightGBM's example": (lightgbm_example, LIGHTGBM),
    "white wines": (wine, real.FOLDER),
    "separable": (separable, None),
    "long lists, grades 0 to 4": (long_graded, None),
    "long lists, 3 % relevant": (long_binary, None),
}


# Scalings


def within_lists(method: str) -> Callable[[Problem], Problem]:
    def scaled(problem: Problem) -> Problem:
        scaler = ranktron.QueryScaler(method=method)
        return Problem(*(part._replace(X=scaler.fit_transform(part.X, qid=part.qid)) for part in problem))

    return scaled


def over_all(problem: Problem) -> Problem:
    scaler = StandardScaler().fit(problem.train.X)
    return Problem(*(part._replace(X=scaler.transform(part.X)) for part in problem))


SCALINGS: dict[str, Callable[[Problem], Problem]] = {
    "min–max within lists": within_lists("minmax"),
    "standardised within lists": within_lists("standard"),
    "standardised over all rows": over_all,
    "raw": lambda problem: problem,
}


# Measuring

# Set, scaling, epochs, learner, step.
Key = tuple[str, str, int, str, str]


def measured(names: list[str]) -> dict[Key, float]:
    """NDCG@10 of each setting on each problem, as the mean over the draws."""
    values: dict[Key, list[float]] = {}
    for name, draw in itertools.product(names, range(DRAWS)):
        problem = SETS[name][0](draw)
        for scaling, scaled in SCALINGS.items():
            rows = scaled(problem)
            for epochs, learner, step in itertools.product(EPOCHS, LEARNERS, (None, *STEPS)):
                values.setdefault((name, scaling, epochs, learner, said(step)), []).append(worth(rows, learner, step, epochs))
    return {key: float(np.mean(each)) for key, each in values.items()}


def worth(rows: Problem, learner: str, step: AdaGrad | float | None, epochs: int) -> float:
    """NDCG@10 on the test lists; those without relevant documents are skipped."""
    name, setting = LEARNERS[learner]
    model = getattr(ranktron, name)(step=step, epochs=epochs, **setting).fit(rows.train.X, rows.train.y, qid=rows.train.qid)
    return metrics.ndcg(rows.test.y, model.predict(rows.test.X), qid=rows.test.qid, k=PLACES, empty="skip")


def said(step: AdaGrad | float | None) -> str:
    if step is None:
        return DEFAULT
    return f"AdaGrad({step.rate:g})" if isinstance(step, AdaGrad) else f"{step:g}"


def best(values: dict[Key, float], name: str, scaling: str, epochs: int, learner: str) -> float:
    """The result of the best step for this problem, and of the best temperature for softened rankers."""
    averaged = [one for one in LEARNERS if kind_of(one) == kind_of(learner) and "average" not in one]
    return max(values[name, scaling, epochs, one, said(step)] for one in averaged for step in STEPS)


def kind_of(learner: str) -> tuple[str, bool]:
    name, setting = LEARNERS[learner]
    return name, "soften" in setting


# The report


def sections() -> list[Section]:
    """The loss of every step, overall and on each set."""
    names = [name for name, (_, folder) in SETS.items() if folder is None or folder.is_dir()]
    if len(names) < len(SETS):
        print(f"Steps for lists: without {', '.join(sorted(SETS.keys() - set(names)))}, for there is no folder of data.")
    values = measured(names)
    return [losses(values, names), by_set(values, names)]


def losses(values: dict[Key, float], names: list[str]) -> Section:
    """The maximum and the mean over sets and epochs."""
    first, second, *others = SCALINGS
    kinds = {"scaled within lists": [first, second], "otherwise": others}
    cells = []
    for (kind, scalings), learner in itertools.product(kinds.items(), LEARNERS):
        cases = list(itertools.product(names, scalings, EPOCHS))
        row = []
        for step in map(said, (None, *STEPS)):
            lost = [best(values, *case, learner) - values[*case, learner, step] for case in cases]
            row.append(f"{max(lost):.3f} ({np.mean(lost):.3f})")
        cells.append([f"{learner}, {kind}", *row])
    return Section("Steps for lists: what they lose", NOTES, headings=["what", *map(said, (None, *STEPS))], cells=cells)


def by_set(values: dict[Key, float], names: list[str]) -> Section:
    """The defaults compared with the best step."""
    cells = []
    for name, scaling in itertools.product(names, SCALINGS):
        case = (name, scaling, EPOCHS[-1])
        pairs = [f"{values[*case, learner, DEFAULT]:.3f} / {best(values, *case, learner):.3f}" for learner in SHOWN]
        cells.append([f"{name}, {scaling}", *pairs])
    notes = f"NDCG@{PLACES} after {EPOCHS[-1]} epochs, by default / with the best step and temperature for this set and scaling."
    return Section("Steps for lists: set by set", notes, headings=["what", *SHOWN], cells=cells)


NOTES = f"""\
How much NDCG@{PLACES} a step loses against the best of all these steps for the same set, scaling, epochs and learner, averaged;
softened SLAM against the best of all temperatures, too. The most over all sets, and the mean in brackets, after
{" and ".join(map(str, EPOCHS))} epochs, {DRAWS} draws or orders each. Plain numbers are constant steps.

The sets: two folds of LETOR's MQ2008, judged on the validation part; LightGBM's example; white wines in lists of 20; the
separable lists of Chaudhuri & Tewari; and long noisy lists with heavy-tailed features of all scales. Temperature and rate go
together: ten times the one needs ten times the other. No step is good for raw features of all scales."""
