"""Crammer & Singer, Figure 6: ranks of points in a square, learned online."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

import ranktron
from ranktron.data import synthetic

from ..experiment import Numbers
from ..rules import BY_ROUND

ROUNDS = 8_000
CLASSES = [1, 2, 3, 4, 5]
MARKS = (50, 100, 200, 250, 500, 1_000, 2_000, 4_000, 8_000)
# The rounds at which curves have points.
POINTS = sorted({*MARKS, *np.geomspace(1, ROUNDS, 120).astype(int).tolist()})

# The paper does not state WH's step. Above 0.22 it may diverge, because the largest squared length of a row is 9.
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)


class Method(NamedTuple):
    """An estimator of ranktron and its parameters."""

    kind: str
    parameters: dict[str, Any] = {}

    def estimator(self, classes: Any) -> Any:
        """A new estimator, by default with its last hypothesis."""
        return getattr(ranktron, self.kind)(classes=classes, **{"average": False, **self.parameters})


WH = {f"WH, step {step}": Method("WidrowHoff", {"step": step}) for step in STEPS}
MCP = {f"MCP, {update}": Method("MulticlassPerceptron", {"update": update}) for update in ("max", "uniform")}
NO_PRANK = {f"No-PRank, {margin}": Method("NoPRank", {"margin": margin}) for margin in ("fixed", "loss", "distance")}
METHODS = {
    "PRank": Method("PRank"),
    "Si-PRank": Method("SiPRank"),
    **WH,
    **MCP,
    "PRank, strict ties": Method("PRank", {"ties": "strict"}),
    **NO_PRANK,
    **{f"{name}, updates on margins": Method(kind, {**more, "trigger": "margin"}) for name, (kind, more) in NO_PRANK.items()},
    "averaged PRank": Method("PRank", {"average": True}),
    "averaged No-PRank": Method("NoPRank", {"average": True, "trigger": "margin"}),
}


def trial(seed: int, data: Any = None, n_rounds: int = ROUNDS) -> Numbers:
    """The time-averaged loss of every method on a new stream, and how many parameters a hypothesis has."""
    X, y = synthetic.crammer_singer(n_rounds, seed=seed)
    numbers = measured(METHODS, X, y, ("PRank", "MCP, max", "WH, step 0.05"))
    rule = synthetic.crammer_singer(n_rounds, noise=0.0, seed=seed)[1]
    return {**numbers, "the rule that made the ranks": float(np.abs(rule - y).mean())}


def measured(methods: Mapping[str, Method], X: np.ndarray, y: np.ndarray, counted: Collection[str]) -> Numbers:
    """The time-averaged losses of methods, and how many parameters the ``counted`` ones learn."""
    numbers: Numbers = {}
    for name, method in methods.items():
        model = method.estimator(CLASSES)
        numbers |= time_averaged(name, model.predict_then_learn(X, y), y)
        if name in counted:
            numbers[f"parameters of {name.split(',')[0]}"] = float(parameters(model))
    return numbers


def time_averaged(name: str, predicted: np.ndarray, y: np.ndarray, rounds: Sequence[int] = POINTS) -> Numbers:
    """The loss per round at the end, and its curve over ``rounds``."""
    losses = np.abs(predicted - y).cumsum() / np.arange(1, len(y) + 1)
    return {name: float(losses[-1]), BY_ROUND.format(name): [float(losses[t - 1]) for t in rounds if t <= len(y)]}


def parameters(model: Any) -> int:
    """How many parameters a hypothesis learns; the thresholds of WH are fixed."""
    is_cut = not isinstance(model, ranktron.WidrowHoff | ranktron.MulticlassPerceptron)
    return int(model.coef_.size + (model.thresholds_.size if is_cut else 0))
