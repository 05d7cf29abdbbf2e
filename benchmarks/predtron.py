"""Predtron compared with scikit-learn and River: one pass, the cost of options, assignment problems, real data."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from river import linear_model, multiclass
from scipy import optimize
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.multioutput import MultiOutputClassifier

import ranktron
from ranktron import Predtron, metrics
from ranktron.data import synthetic
from ranktron.tasks import Binary, Multiclass, Multilabel, Ordinal, SubsetRanking

from . import rankings, real
from .peers import learn_all, mappings
from .problems import SEED, error
from .report import Bar, Line, Section, at_least
from .timing import Race, figures, timed

ROWS, FRESH, FEATURES, CLASSES, LABELS, ROUNDS = 100_000, 20_000, 50, 10, 20, 5
RIVER_ROWS, TRACE_ROWS = 500, 500
LENGTHS, DOCUMENTS, MOST_LISTS = (10, 30, 100, 300, 1_000, 2_000), 200_000, 200
ORDERS, LIST_ORDERS, EPOCHS, PLACES = 5, 3, 5, 10


def sections() -> list[Section]:
    """Speed, then real data if they are there."""
    return [two_classes(), ten_classes(), label_sets(), options(), assignment(), *real_grades(), *real_lists()]


class Problem(NamedTuple):
    """Rows to learn in one pass, and fresh ones."""

    X: np.ndarray
    y: np.ndarray
    fresh: np.ndarray
    truth: np.ndarray


def noisy(n_scores: int, as_target: Callable[[np.ndarray], np.ndarray]) -> Problem:
    """Targets from linear scores with noise."""
    random = np.random.default_rng(SEED)
    X = random.normal(size=(ROWS + FRESH, FEATURES))
    y = as_target(X @ random.normal(size=(FEATURES, n_scores)) + 2 * random.normal(size=(len(X), n_scores)))
    return Problem(X[:ROWS], y[:ROWS], X[ROWS:], y[ROWS:])


# One pass

OURS, LAST, STEEP = "averaged", "last", "Algorithm 1"
Makers = dict[str, Callable[[], Any]]
# What makes a fresh start, and how many rows it is for.
Peers = dict[str, tuple[Callable[[], Any], int]]

PEERS: Makers = {
    'SGDClassifier(loss="perceptron")': partial(SGDClassifier, loss="perceptron", random_state=0),
    "SGDClassifier()": partial(SGDClassifier, random_state=0),
    "Perceptron()": partial(Perceptron, random_state=0),
}
RIVER: Makers = {"Perceptron()": linear_model.Perceptron, "LogisticRegression()": linear_model.LogisticRegression}


def two_classes() -> Section:
    """The sign of one score."""
    problem = noisy(1, lambda scores: (scores[:, 0] > 0).astype(int))
    peers = passes(problem, PEERS, [0, 1]) | streams(problem, RIVER)
    return section("two classes", problem, "Binary()", partial(Predtron, Binary(), classes=[0, 1]), peers)


def ten_classes() -> Section:
    """The highest of ten scores."""
    problem = noisy(CLASSES, lambda scores: scores.argmax(axis=1))
    river = {
        f"OneVsRestClassifier({name})": lambda make=make: multiclass.OneVsRestClassifier(make()) for name, make in RIVER.items()
    }
    peers, make = passes(problem, PEERS, range(CLASSES)) | streams(problem, river), partial(Predtron, Multiclass(CLASSES))
    return section(f"{CLASSES} classes", problem, f"Multiclass({CLASSES})", make, peers, at_least(1))


def label_sets() -> Section:
    """The signs of twenty scores."""
    problem = noisy(LABELS, lambda scores: (scores > 0).astype(int))
    makers = {f"MultiOutputClassifier({name})": lambda make=make: MultiOutputClassifier(make()) for name, make in PEERS.items()}
    peers = passes(problem, makers, [np.arange(2)] * LABELS)
    return section(f"{LABELS} labels", problem, "Multilabel()", partial(Predtron, Multilabel()), peers)


def passes(problem: Problem, makers: Makers, classes: Any) -> Peers:
    """Calls of ``partial_fit``."""
    learn = {name: lambda make=make: partial(make().partial_fit, problem.X, problem.y, classes) for name, make in makers.items()}
    return {f"`{name}`": (prepare, ROWS) for name, prepare in learn.items()}


def streams(problem: Problem, makers: Makers) -> Peers:
    """Loops of River's ``learn_one``."""
    examples, labels = mappings(problem.X[:RIVER_ROWS]), problem.y[:RIVER_ROWS].tolist()
    learn = {name: lambda make=make: partial(learn_all, make().learn_one, examples, labels) for name, make in makers.items()}
    return {f"River's `{name}`": (prepare, RIVER_ROWS) for name, prepare in learn.items()}


def section(what: str, problem: Problem, task: str, make: Callable[..., Any], peers: Peers, bar: Bar | None = None) -> Section:
    """Predtron against each other method; all learn the same rows with new models."""
    race, ours = Race(ROUNDS), f"`Predtron({task})`"
    for name, average in ((OURS, True), (LAST, False)):
        race.add(name, lambda average=average: partial(make(average=average).partial_fit, problem.X, problem.y), ROWS)
    for name, (prepare, rows) in peers.items():
        race.add(name, prepare, rows)
    worths = {name: worth(model, problem) for name, model in race.run().results.items()}
    bars = {name: bar for name in peers if "SGD" in name}
    lines = [
        Line(f"{ours} against {name}: times as fast", race.speed(OURS, name), bars.get(name), worths[name]) for name in peers
    ]
    lines.append(Line(f"`Predtron({task}, average=False)` against {ours}: time", race.cost(LAST, OURS), None, worths[LAST]))
    return Section(f"Predtron: {what}, {ROWS:,} × {FEATURES}", f"{PASS} {ours} has {worths[OURS]}.", lines)


def worth(model: Any, problem: Problem) -> str:
    """The share of correct labels; River's models are skipped."""
    return "" if model is None else f"{np.mean(model.predict(problem.fresh) == problem.truth):.1%} right"


# Options

CLASSIFIER = partial(Predtron, Multiclass(CLASSES))
OPTIONS: dict[str, Callable[[], Any]] = {
    'link="l1"': partial(CLASSIFIER, link="l1"),
    'link="group"': partial(CLASSIFIER, link="group"),
    "loss_driven=True": partial(CLASSIFIER, loss_driven=True),
    f"Multiclass({CLASSES}, reject=0.2)": partial(Predtron, Multiclass(CLASSES, reject=0.2)),
    f"Ordinal({CLASSES})": partial(Predtron, Ordinal(CLASSES)),
    "MulticlassPerceptron()": partial(ranktron.MulticlassPerceptron, classes=range(CLASSES)),
}


def options() -> Section:
    """The time that each option adds to a pass."""
    problem, race = noisy(CLASSES, lambda scores: scores.argmax(axis=1)), Race(ROUNDS)
    contenders = {OURS: (CLASSIFIER, ROWS)} | {f"`{name}`": (make, ROWS) for name, make in OPTIONS.items()}
    contenders[f'`link="trace"`, {TRACE_ROWS} rows'] = (partial(CLASSIFIER, link="trace"), TRACE_ROWS)
    for name, (make, rows) in contenders.items():
        race.add(name, lambda make=make, rows=rows: partial(make().partial_fit, problem.X[:rows], problem.y[:rows]), rows)
    shares = {name: f"{model.n_updates_ / model.n_seen_:.0%} updates" for name, model in race.run().results.items()}
    lines = [Line(name, race.cost(name, OURS), None, shares[name]) for name in contenders if name != OURS]
    notes = f"Time of a row against that of `Predtron(Multiclass({CLASSES}))`, which has {shares[OURS]}; {ROWS:,} × {FEATURES}."
    return Section("Predtron: what options cost", notes, lines)


# The assignment problem


class Times(NamedTuple):
    """The time per list of Algorithm 1, of its solver, and of the loss-driven version."""

    length: int
    steep: float
    solver: float
    driven: float

    def cells(self, first: Times, before: Times | None) -> list[str]:
        """The time relative to the shortest lists, and its growth from line to line."""
        power = before and math.log(self.steep / before.steep) / math.log(self.length / before.length)
        return [
            *(f"{self.length:,}", figures(self.steep / first.steep), f"{power:.1f}" if power else ""),
            *(f"{self.solver / self.steep:.0%}", figures(self.driven / first.driven), figures(self.steep / self.driven)),
        ]


def assignment() -> Section:
    """How the time of a list grows with its length."""
    _, *measured = (times(length) for length in (LENGTHS[0], *LENGTHS))  # once untimed
    cells = [one.cells(measured[0], before) for before, one in pairwise([None, *measured])]
    headings = ["documents", STEEP, "grows as m to the", "share of the solver", "loss-driven", f"{STEEP} against loss-driven"]
    return Section("Predtron: orders, by the length of a list", ASSIGNMENT, headings=headings, cells=cells)


def times(length: int) -> Times:
    """The times with new models and compiled code; the slow one learns fewer lists."""
    many, few = DOCUMENTS // length, max(2, min(MOST_LISTS, 4_000 // length))
    lists = synthetic.search(many, n_documents=length, n_features=20, noise=1.0, seed=length)
    make = partial(Predtron, SubsetRanking(), loss_driven=True)
    make().partial_fit(*lists)
    driven, _ = timed(partial(make().partial_fit, *lists))
    with watched() as seconds:
        steep, _ = timed(partial(Predtron(SubsetRanking()).partial_fit, *(array[: few * length] for array in lists)))
    return Times(length, steep / few, sum(seconds) / few, driven / many)


@contextmanager
def watched() -> Iterator[list[float]]:
    """Record the seconds of every assignment problem."""
    seconds, solve = [], optimize.linear_sum_assignment

    def solved(*args: Any, **given: Any) -> Any:
        began = time.thread_time()
        order = solve(*args, **given)
        seconds.append(time.thread_time() - began)
        return order

    with mock.patch.object(optimize, "linear_sum_assignment", solved):
        yield seconds


# Real data

RATER = partial(Predtron, Ordinal(), fit_intercept=True)
RATERS: dict[str, Callable[..., Any]] = {
    "`PRank()`": ranktron.PRank,
    "`MulticlassPerceptron(fit_intercept=True)`": partial(ranktron.MulticlassPerceptron, fit_intercept=True),
    "`Predtron(Ordinal(), fit_intercept=True)`": RATER,
    "the same, `step=0.01`": partial(RATER, step=0.01),
    "the same, `loss_driven=True`": partial(RATER, loss_driven=True),
}
RANKERS: dict[str, Callable[..., Any]] = {
    "`ListNet()`": ranktron.ListNet,
    "`SLAM()`": ranktron.SLAM,
    "`Predtron(SubsetRanking(), loss_driven=True)`": partial(Predtron, SubsetRanking(), loss_driven=True),
    "`Predtron(SubsetRanking())`": partial(Predtron, SubsetRanking()),
    "`Predtron(SubsetRanking(), step=0.1)`": partial(Predtron, SubsetRanking(), step=0.1),
}


def real_grades() -> list[Section]:
    """Mean absolute error; each row is predicted before it is learned."""
    if not real.FOLDER.is_dir():
        return []
    cells, paths = [[name] for name in RATERS], sorted(real.FOLDER.glob("*.csv"))
    for path in paths:
        X, y = real.read(path)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        for row, make in zip(cells, RATERS.values(), strict=True):
            errors = [on_the_way(make(classes=range(1, y.max() + 1)), X, y, order) for order in range(ORDERS)]
            row.append(f"{np.mean(errors):.3f}")
    headings = ["what", *(real.NICKNAMES.get(path.stem, path.stem) for path in paths)]
    return [Section("Predtron: real grades", GRADES, headings=headings, cells=cells)]


def on_the_way(model: Any, X: np.ndarray, y: np.ndarray, order: int) -> float:
    rows = np.random.default_rng(order).permutation(len(y))
    return error(model.predict_then_learn(X[rows], y[rows]), y[rows])


def real_lists() -> list[Section]:
    """NDCG@10 on the first fold of MQ2008."""
    if not rankings.FOLDER.is_dir():
        return []
    fold = rankings.folds()[0]
    cells = [[name, *judged(make, fold)] for name, make in RANKERS.items()]
    headings = ["what", f"NDCG@{PLACES}, validation part", "test part"]
    return [Section("Predtron: the first fold of MQ2008", LISTS, headings=headings, cells=cells)]


def judged(make: Callable[..., Any], fold: rankings.Fold) -> list[str]:
    """The mean and the standard deviation over orders of learning, on both parts."""
    models = [make(epochs=EPOCHS).fit(*fold.train.in_order(order)) for order in range(LIST_ORDERS)]
    values = [[ndcg(model, part) for model in models] for part in (fold.validation, fold.test)]
    return [f"{np.mean(each):.3f} sd {np.std(each, ddof=1):.3f}" for each in values]


def ndcg(model: Any, part: rankings.Part) -> float:
    return float(metrics.ndcg(part.y, model.predict(part.X), part.qid, k=PLACES, empty=0.0))


PASS = f"One pass of `partial_fit`, per row; River learns the first {RIVER_ROWS} rows. Quality on {FRESH:,} fresh rows:"
ASSIGNMENT = f"""\
Time of a list against that of a list of {LENGTHS[0]}: × 20 features, noisy grades 0 to 4, one run each. {STEEP} solves an
assignment problem a list, by scipy; the rest of it is interpreted. The loss-driven version is compiled."""
GRADES = f"Mean absolute error in ranks, each row predicted before it is learned; standardised features, {ORDERS} random orders."
LISTS = f"""\
Features scaled within each query, {EPOCHS} epochs, {LIST_ORDERS} orders of learning, not tuned. A query without relevant
documents counts 0."""
