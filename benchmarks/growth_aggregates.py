"""How the time per row grows with OAP's members, features, τ and rows, and with a kernel's budget."""

from __future__ import annotations

from functools import partial
from typing import Any

import ranktron
from ranktron.kernels import Gaussian

from .growth import growth
from .problems import CLASSES, Problem, linear
from .report import Section
from .timing import Race

ROUNDS = 5
MEMBERS, FEATURES = (10, 30, 100, 300, 1_000), (2, 6, 20, 60, 136)
TAUS, ROWS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.6, 0.9, 1.0), (1_000, 5_000, 20_000, 100_000, 500_000)
BUDGETS, SUPPORT_ROWS = (50, 100, 200, 500, 1_000, 2_000), (5_000, 20_000, 100_000)
USUAL_ROWS, USUAL_FEATURES, USUAL_BUDGET = 20_000, 20, 500
NOTES = (
    "Time per row of `partial_fit` relative to the first line of its kind, dense rows. OAP has 100 members, τ = 0.3; a "
    f"kernel is Gaussian with a budget of {USUAL_BUDGET} and no averaging; {USUAL_FEATURES} features and {USUAL_ROWS:,} rows "
    "unless stated otherwise."
)


def sections() -> list[Section]:
    """Time per row relative to the first line of its kind."""
    usual = linear(USUAL_ROWS, USUAL_FEATURES, fresh=1)
    by_features = {features: linear(USUAL_ROWS, features, fresh=1) for features in FEATURES}
    long = linear(ROWS[-1], USUAL_FEATURES, fresh=1)
    by_rows = {rows: first(long, rows) for rows in (*ROWS, *SUPPORT_ROWS)}
    cells = [
        *growth("OAP's members, N", race({number: (oap(n_members=number), usual) for number in MEMBERS}), MEMBERS),
        *growth("OAP's features, d", race({number: (oap(), by_features[number]) for number in FEATURES}), FEATURES),
        *growth("OAP's share of rows, τ", race({tau: (oap(tau=tau), usual) for tau in TAUS}), TAUS),
        *growth("OAP's rows, T", race({number: (oap(), by_rows[number]) for number in ROWS}), ROWS),
        *growth("a kernel's budget, B", race({number: (kernel(number), usual) for number in BUDGETS}), BUDGETS),
        *growth("a kernel's features, d", race({number: (kernel(), by_features[number]) for number in FEATURES}), FEATURES),
        *growth("a kernel's rows, T", race({number: (kernel(), by_rows[number]) for number in SUPPORT_ROWS}), SUPPORT_ROWS),
    ]
    return [Section("How cost grows: many members, kernels", NOTES, headings=["of", "number", "time per row"], cells=cells)]


def race(entries: dict[Any, tuple[Any, Problem]]) -> Race:
    """A race with a new model for each number."""
    contest = Race(ROUNDS)
    for number, (make, problem) in entries.items():
        contest.add(str(number), partial(learning, make, problem), len(problem.y))
    return contest


def learning(make: Any, problem: Problem) -> Any:
    """One pass of a new model."""
    return partial(make().partial_fit, problem.X, problem.y)


def first(problem: Problem, rows: int) -> Problem:
    """The first rows of a problem."""
    return problem._replace(X=problem.X[:rows], y=problem.y[:rows])


def oap(**parameters: Any) -> partial[ranktron.OAP]:
    """A function that makes an OAP with its classes given."""
    return partial(ranktron.OAP, classes=CLASSES, **parameters)


def kernel(budget: int = USUAL_BUDGET) -> partial[ranktron.PRank]:
    """A function that makes a kernel PRank with a budget."""
    return partial(ranktron.PRank, classes=CLASSES, average=False, kernel=Gaussian(1 / USUAL_FEATURES), budget=budget)
