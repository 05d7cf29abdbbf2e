"""What the progressive loss says about the future loss: the bound of a certificate beside the risks that it bounds."""

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
from ..plots import BLUE, ORANGE, curve, tidy
from ..results import Results

ROUNDS, FRESH, CONFIDENCE = 2_000, 5_000, 0.95
POINTS = (10, 20, 50, 100, 200, 300, 500, 700, 1_000, 1_400, 2_000)
ALWAYS, FIXED, MEAN_RISK, LOSS = "bound at any time", "bound for a settled length", "mean risk", "progressive loss"
LAST, AVERAGED = "risk of the last hypothesis", "risk of the averaged hypothesis"
AVERAGED_BOUND = "bound for the averages held on the way"
BROKEN = "points at which the mean risk exceeds the {}"
BY_ROUND = "{} by round"


def trial(seed: int, data: Any = None, rounds: int = ROUNDS, fresh: int = FRESH) -> Numbers:
    """PRank on a stream; each of its hypotheses is tested on fresh rows before it learns the next row."""
    X, y = synthetic.crammer_singer(rounds, seed=2 * seed)
    rows, labels = synthetic.crammer_singer(fresh, seed=2 * seed + 1)
    averaged = ranktron.PRank(classes=range(1, 6))
    predicted = averaged.predict_then_learn(X, y)
    numbers = _learned(X, y, rows, labels)
    numbers[AVERAGED_BOUND] = bounds.future_loss(float(np.abs(predicted - y).sum()), rounds, 4.0, CONFIDENCE)
    return {**numbers, AVERAGED: risk(averaged, rows, labels)}


def _learned(X: np.ndarray, y: np.ndarray, rows: np.ndarray, labels: np.ndarray) -> Numbers:
    model, risks, losses = ranktron.PRank(average=False, classes=range(1, 6)), np.zeros(len(y)), np.zeros(len(y))
    for t, (row, label) in enumerate(zip(X, y)):
        predicted = model.predict_one(row)
        losses[t] = abs(predicted - label)
        risks[t] = risk(model, rows, labels) if t else np.abs(labels - predicted).mean()  # at first, all rows get one rank
        model.learn_one(row, label)
    points = [point for point in POINTS if point <= len(y)]
    return {**_curves(losses.cumsum(), risks.cumsum(), points), LAST: risk(model, rows, labels)}


def risk(model: Any, rows: np.ndarray, labels: np.ndarray) -> float:
    """The mean absolute error of a hypothesis, in ranks."""
    ranks = 1 + np.searchsorted(model.thresholds_, rows @ model.coef_, side="right")
    return float(np.abs(ranks - labels).mean())


def _curves(losses: np.ndarray, risks: np.ndarray, points: list[int]) -> Numbers:
    """Bounds, mean losses and mean risks after ``points`` rounds, and at how many of these a bound is broken."""
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
    """Whether the bound is broken at some point on at most the promised share of streams."""
    return _few(results, results.values(BROKEN.format(ALWAYS)) > 0, "at one of the points looked at")


def covered_at_the_end(results: Results) -> Verdict:
    """The same at the end, for the bound with a length fixed in advance."""
    return _few(results, results.values(MEAN_RISK) > results.values(FIXED), "at the end")


def _few(results: Results, broken: np.ndarray, when: str) -> Verdict:
    text = f"broken {when} on {int(broken.sum())} of {len(results)} streams; at the end the bounds are "
    text += (
        f"{results.mean(ALWAYS).value:.3f} and {results.mean(FIXED).value:.3f}, the mean risk {results.mean(MEAN_RISK).value:.3f}"
    )
    chance = 1 - (QUICK_CONFIDENCE if results.is_quick else SURE)
    at_most, at_least = _tails(len(broken), int(broken.sum()), 1 - CONFIDENCE)
    if min(at_most, at_least) > chance:
        return Verdict(UNDECIDED, f"{text}: too few streams to tell")
    return Verdict(CONSISTENT if at_most <= chance else FAILS, text)


def _tails(n: int, count: int, share: float) -> tuple[float, float]:
    """The probabilities that at most and at least ``count`` of n are broken, if each is broken with probability ``share``.

    >>> [round(tail, 3) for tail in _tails(100, 0, 0.05)]
    [0.006, 1.0]
    """
    chances = [math.comb(n, i) * share**i * (1 - share) ** (n - i) for i in range(n + 1)]
    return math.fsum(chances[: count + 1]), math.fsum(chances[count:])


def draw(results: Results, figure: Any) -> None:
    """Draw the bounds, the mean risk and the progressive loss by the number of rows."""
    axes = figure.add_subplot()
    for name, colour, dashes in ((ALWAYS, ORANGE, "-"), (FIXED, ORANGE, ":"), (MEAN_RISK, BLUE, "-"), (LOSS, "black", "--")):
        curve(axes, results, POINTS, BY_ROUND.format(name), linestyle=dashes, color=colour, label=name)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("rows learned (log scale)")
    axes.set_ylabel("ranks off per row")
    axes.legend(frameon=False)
    tidy(axes)


FUTURE = Experiment(
    name="future-loss",
    paper="bounds",
    title="From the progressive loss to the loss to come",
    about="Each row is predicted before it is learned, so the progressive loss is an unbiased estimate of the loss on fresh "
    "rows. Its deviation by chance can be bounded with confidence 95 %: in one form for a stream of a length that is fixed in "
    "advance, in another for all lengths at once. PRank learns the synthetic problem of Crammer & Singer, and each of its "
    "hypotheses is tested on fresh rows.",
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
