"""Kernels: time and memory with a budget, and the quality of kernel PRank compared with an SVM and with explicit maps."""

from __future__ import annotations

import os
import warnings
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import ranktron
from ranktron.data import synthetic
from ranktron.kernels import Gaussian

from .problems import CLASSES, SEED, Problem, error, linear, quality
from .report import Line, Section, at_least
from .timing import Race, figures

ROUNDS, SEEDS = 5, 10
ROWS, FEATURES, BUDGET, BLOCK = 100_000, 20, 500, 1_000
MOMENTS, MOMENTS_WITHOUT = (10_000, 20_000, 50_000, 100_000), (10_000, 20_000, 50_000)
WIDE = Gaussian(1 / FEATURES)
GAMMA = 6.0  # about what SVC's gamma="scale" comes to on the unit square
SIZES, FRESH = (500, 2_000, 8_000), 5_000
BUDGETS, POLICIES = (25, 50, 100, 200), ("oldest", "random", "forgetron")
RSS = Path("/proc/self/statm")


def sections() -> list[Section]:
    """Speed, memory, quality, and which rows to drop."""
    warnings.filterwarnings("ignore", "the budget is spent")  # it is shown
    problem = linear(ROWS, FEATURES)
    return [speed(problem), memory(problem), *(worth(size) for size in SIZES), policies()]


def prank(kernel: Gaussian, **parameters: Any) -> ranktron.PRank:
    """A PRank with its classes given."""
    return ranktron.PRank(classes=CLASSES, kernel=kernel, **parameters)


# On a budget


def speed(problem: Problem) -> Section:
    """Learning against computing the kernel values only."""
    ways: dict[str, dict[str, Any]] = {
        "`average=False`": {"average": False},
        '`average=False, policy="random"`': {"average": False, "policy": "random"},
        '`average=False, policy="forgetron"`': {"average": False, "policy": "forgetron"},
        "`average=True`": {},
    }
    race = Race(ROUNDS)
    for name, parameters in ways.items():
        model = partial(prank, WIDE, budget=BUDGET, **parameters)
        race.add(name, lambda model=model: partial(model().partial_fit, problem.X, problem.y))
    race.add("values", lambda: partial(values, problem.X, problem.X[:BUDGET]))
    race.run()
    bars = [at_least(0.3), None, None, None]
    lines = [
        Line(
            f"{name}: share of its speed",
            race.speed(name, "values"),
            bar,
            quality(race.results[name].predict(problem.fresh), problem.truth),
        )
        for name, bar in zip(ways, bars, strict=True)
    ]
    notes = (
        f"`PRank(kernel=Gaussian(1 / {FEATURES}), budget={BUDGET})` learns {ROWS:,} rows; scikit-learn's `rbf_kernel` computes "
        f"as many kernel values, {ROWS:,} × {BUDGET}, {BLOCK:,} rows at a time, and nothing else. The problem is linear, and a "
        "budget does not help: this is about speed. The quality of a last hypothesis on a budget changes from row to row."
    )
    return Section(f"A kernel on a budget, {ROWS:,} × {FEATURES}, against `rbf_kernel`", notes, lines)


def values(X: np.ndarray, points: np.ndarray) -> None:
    """Kernel values, a block of rows at a time."""
    for start in range(0, len(X), BLOCK):
        rbf_kernel(X[start : start + BLOCK], points, gamma=WIDE.gamma)


def memory(problem: Problem) -> Section:
    """Memory after more and more rows."""
    cells = [*kept(problem, BUDGET, MOMENTS), *kept(problem, None, MOMENTS_WITHOUT)]
    notes = "What the model holds, and what the process has grown by since before its first row."
    headings = ["budget", "rows learned", "rows kept", "model, KiB", "process, MiB more"]
    return Section("A kernel on a budget: memory", notes, headings=headings, cells=cells)


def kept(problem: Problem, budget: int | None, moments: tuple[int, ...]) -> list[list[str]]:
    """One line per checkpoint."""
    model, before, cells = prank(WIDE, budget=budget, average=False), resident(), []
    for start, stop in zip((0, *moments), moments):
        model.partial_fit(problem.X[start:stop], problem.y[start:stop])
        held = sum(array.nbytes for array in model._learner.arrays().values())
        more = f"{(resident() - before) / 2**20:.1f}" if before else ""
        cells.append([str(budget or "none"), f"{stop:,}", f"{len(model.support_):,}", f"{held / 2**10:,.0f}", more])
    return cells


def resident() -> int:
    """Bytes of this process that are in memory; 0 where the system does not tell."""
    return int(RSS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if RSS.exists() else 0


# Beside an SVM and explicit maps


def raw(size: int, seed: int) -> Problem:
    """The papers' synthetic problem by its two inputs."""
    X, y = synthetic.crammer_singer(size + FRESH, explicit=False, seed=seed)
    return Problem(X[:size], y[:size], X[size:], y[size:])


class Mapped:
    """PRank on the six features whose inner products are (x·z + 1)²."""

    def __init__(self, **parameters: Any) -> None:
        self.model = ranktron.PRank(classes=CLASSES, **parameters)

    def fit(self, X: np.ndarray, y: np.ndarray) -> Mapped:
        self.model.fit(synthetic.quadratic_map(X), y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.model.predict(synthetic.quadratic_map(X))


def mapped_by(mapping: type, components: int) -> Any:
    """Averaged PRank on an explicit map that stands for the kernel."""
    return make_pipeline(mapping(gamma=GAMMA, n_components=components, random_state=0), ranktron.PRank(classes=CLASSES))


SVM = "`SVC(gamma=…)`"
METHODS: dict[str, Callable[[], Any]] = {
    SVM: lambda: SVC(gamma=GAMMA),
    **{
        f"kernel PRank, {'no budget' if budget is None else f'budget {budget}'}, {'averaged' if average else 'last'}": partial(
            prank, Gaussian(GAMMA), budget=budget, average=average
        )
        for budget in (None, 100, 500)
        for average in (False, True)
    },
    "quadratic map, PRank, last": partial(Mapped, average=False),
    "quadratic map, PRank, averaged": Mapped,
    **{
        f"`{mapping.__name__}({components})`, PRank, averaged": partial(mapped_by, mapping, components)
        for mapping in (Nystroem, RBFSampler)
        for components in (25, 100, 400)
    },
}


def worth(size: int) -> Section:
    """Time to fit relative to the SVM's, and the mean quality over some streams."""
    race, first, times = Race(ROUNDS), raw(size, SEED), SIZES[-1] // size
    for name, make in METHODS.items():
        race.add(name, lambda make=make: lambda: [make().fit(first.X, first.y) for _ in range(times)])
    race.run()
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for seed in range(SEEDS):
        problem = raw(size, seed)
        for name, make in METHODS.items():
            answers = make().fit(problem.X, problem.y).predict(problem.fresh)
            found[name].append((error(answers, problem.truth), float(np.mean(answers == problem.truth))))
    lines = [Line(name, race.cost(name, SVM), None, summary(found[name])) for name in METHODS]
    notes = (
        f"The synthetic problem by its two inputs, one pass; the kernel is exp(-{GAMMA:g} ‖x - z‖²) everywhere. Time to fit "
        f"against that of {SVM}; quality on {FRESH:,} fresh rows, mean of {SEEDS} streams. Once a budget is full, averaging "
        "fails and warns."
    )
    return Section(f"Kernel PRank beside an SVM and explicit maps, {size:,} rows", notes, lines)


def summary(found: list[tuple[float, float]]) -> str:
    """The means as text."""
    loss, accuracy = np.mean(found, axis=0)
    return f"MAE {loss:.4f}, accuracy {accuracy:.1%}"


# Which rows to let go


def policies() -> Section:
    """Mean progressive error by policy and budget."""
    cells = []
    for policy in POLICIES:
        for average in (False, True):
            losses = [progressive(budget=budget, policy=policy, average=average) for budget in BUDGETS]
            cells.append([f"{policy}, {'averaged' if average else 'last'}", *map(figures, losses)])
    for average in (False, True):
        cells.append([f"no budget, {'averaged' if average else 'last'}", *[figures(progressive(average=average))] * len(BUDGETS)])
    notes = (
        f"Mean absolute error of `predict_then_learn` over {SIZES[-1]:,} rows of the same problem, mean of {SEEDS} streams. "
        "A row that is dropped leaves the mean too, so averaging fails once the budget is full."
    )
    headings = ["policy", *(f"budget {budget}" for budget in BUDGETS)]
    return Section("Which rows to let go", notes, headings=headings, cells=cells)


def progressive(**parameters: Any) -> float:
    """The mean error of predictions made before learning."""
    losses = []
    for seed in range(SEEDS):
        problem = raw(SIZES[-1], seed)
        model = prank(Gaussian(GAMMA), random_state=seed, **parameters)
        losses.append(error(model.predict_then_learn(problem.X, problem.y), problem.y))
    return float(np.mean(losses))
