"""What the progressive loss says of the loss to come: the bound of a certificate beside the risks that it speaks of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import ranktron
from ranktron import bounds
from ranktron.data import synthetic

from ..experiment import Claim, Experiment, Numbers
from ..judging import CONFIDENCE as SURE
from ..judging import CONSISTENT, FAILS, QUICK_CONFIDENCE, UNDECIDED, Verdict
from ..looks import BLUE, ORANGE
from ..results import Results

ROUNDS, FRESH, CONFIDENCE = 2_000, 5_000, 0.95
POINTS = (10, 20, 50, 100, 200, 300, 500, 700, 1_000, 1_400, 2_000)
ALWAYS, FIXED, MEAN_RISK, LOSS = "bound at any time", "bound for a settled length", "mean risk", "progressive loss"
LAST, AVERAGED = "risk of the last hypothesis", "risk of the averaged hypothesis"
AVERAGED_BOUND = "bound for the averages held on the way"
BROKEN = "points at which the mean risk exceeds the {}"
BY_ROUND = "{} by round"


def trial(seed: int, data: Any = None, rounds: int = ROUNDS, fresh: int = FRESH) -> Numbers:
    """PRank on a stream, each of its hypotheses judged on fresh rows before it learns the next one."""
    X, y = synthetic.crammer_singer(rounds, seed=2 * seed)
    rows, labels = synthetic.crammer_singer(fresh, seed=2 * seed + 1)
    averaged = ranktron.PRank(classes=range(1, 6))
    told = averaged.predict_then_learn(X, y)
    numbers = _learned(X, y, rows, labels)
    numbers[AVERAGED_BOUND] = bounds.future_loss(float(np.abs(told - y).sum()), rounds, 4.0, CONFIDENCE)
    return {**numbers, AVERAGED: risk(averaged, rows, labels)}


def _learned(X: np.ndarray, y: np.ndarray, rows: np.ndarray, labels: np.ndarray) -> Numbers:
    model, risks, losses = ranktron.PRank(average=False, classes=range(1, 6)), np.zeros(len(y)), np.zeros(len(y))
    for t, (row, label) in enumerate(zip(X, y)):
        told = model.predict_one(row)
        losses[t] = abs(told - label)
        risks[t] = risk(model, rows, labels) if t else np.abs(labels - told).mean()  # at first, all rows get the same rank
        model.learn_one(row, label)
    points = [point for point in POINTS if point <= len(y)]
    return {**_curves(losses.cumsum(), risks.cumsum(), points), LAST: risk(model, rows, labels)}


def risk(model: Any, rows: np.ndarray, labels: np.ndarray) -> float:
    """How many ranks a hypothesis is off on average."""
    ranks = 1 + np.searchsorted(model.thresholds_, rows @ model.coef_, side="right")
    return float(np.abs(ranks - labels).mean())


def _curves(losses: np.ndarray, risks: np.ndarray, points: list[int]) -> Numbers:
    """Bounds, mean losses and mean risks after so many rounds, and how often a bound is broken."""
    curves = {
        ALWAYS: [bounds.future_loss(float(losses[t - 1]), t, 4.0, CONFIDENCE) for t in points],
        FIXED: [bounds.future_loss_fixed(float(losses[t - 1]), t, 4.0, CONFIDENCE) for t in points],
        MEAN_RISK: [float(risks[t - 1]) / t for t in points],
        LOSS: [float(losses[t - 1]) / t for t in points],
    }
    numbers: Numbers = {name: curve[-1] for name, curve in curves.items()}
    for name in (ALWAYS, FIXED):
        numbers[BROKEN.format(name)] = float(sum(r > b for r, b in zip(curves[MEAN_RISK], curves[name])))
    return {**numbers, **{BY_ROUND.format(name): curve for name, curve in curves.items()}}


def covered_always(results: Results) -> Verdict:
    """Whether the streams on which the bound is broken at any point are as few as promised."""
    return _few(results, results.values(BROKEN.format(ALWAYS)) > 0, "at one of the points looked at")


def covered_at_the_end(results: Results) -> Verdict:
    """The same for the bound of a settled length, at the end."""
    return _few(results, results.values(MEAN_RISK) > results.values(FIXED), "at the end")


def _few(results: Results, broken: np.ndarray, when: str) -> Verdict:
    told = f"broken {when} on {int(broken.sum())} of {len(results)} streams; at the end the bounds are "
    told += (
        f"{results.mean(ALWAYS).value:.3f} and {results.mean(FIXED).value:.3f}, the mean risk {results.mean(MEAN_RISK).value:.3f}"
    )
    chance = 1 - (QUICK_CONFIDENCE if results.is_quick else SURE)
    at_most, at_least = _tails(len(broken), int(broken.sum()), 1 - CONFIDENCE)
    if min(at_most, at_least) > chance:
        return Verdict(UNDECIDED, f"{told}: too few streams to tell")
    return Verdict(CONSISTENT if at_most <= chance else FAILS, told)


def _tails(n: int, count: int, share: float) -> tuple[float, float]:
    """How likely it is that at most so many of n are broken, and at least so many, if each is with this probability.

    >>> [round(tail, 3) for tail in _tails(100, 0, 0.05)]
    [0.006, 1.0]
    """
    chances = [math.comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(n + 1)]
    return math.fsum(chances[: count + 1]), math.fsum(chances[count:])


def draw(results: Results, figure: Any) -> None:
    """The bounds over the mean risk and the progressive loss, by the rounds."""
    axes = figure.add_subplot()
    for name, colour, dashes in ((ALWAYS, ORANGE, "-"), (FIXED, ORANGE, ":"), (MEAN_RISK, BLUE, "-"), (LOSS, "black", "--")):
        value, half = results.curve(BY_ROUND.format(name))
        axes.plot(POINTS, value, dashes, color=colour, label=name)
        axes.fill_between(POINTS, value - half, value + half, color=colour, alpha=0.15, linewidth=0)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("rows learned (log scale)")
    axes.set_ylabel("ranks off per row")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#E5E5E5", linewidth=0.6)


FUTURE = Experiment(
    name="future-loss",
    paper="bounds",
    title="From the progressive loss to the loss to come",
    about="Each row is predicted before it is learned, so the progressive loss is an honest estimate of what fresh rows cost. "
    "How far chance may lead it astray is known, which makes a bound that holds with confidence 95 %: in one form for a length "
    "of the stream that was settled beforehand, in another for all lengths at once. PRank learns the synthetic problem of "
    "Crammer & Singer, and each of its hypotheses is judged on fresh rows.",
    trial=trial,
    trials=100,
    quick=5,
    seconds=0.3,
    claims=(
        Claim(
            "With confidence 95 %, the mean risk of the hypotheses is below the mean loss and 4 √(ln 20 / 2n).",
            "Cesa-Bianchi, Conconi & Gentile 2004: Proposition 1",
            covered_at_the_end,
        ),
        Claim(
            "With confidence 95 %, it is below the bound of a certificate, whenever one looks.",
            "ranktron.bounds.future_loss",
            covered_always,
        ),
    ),
    draw=draw,
    axes={BY_ROUND.format(name): [float(point) for point in POINTS] for name in (ALWAYS, FIXED, MEAN_RISK, LOSS)},
)
