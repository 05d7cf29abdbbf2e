"""The slides' batch setting: all learn from the same rows, then rank fresh ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ranktron.data import synthetic

from ..crammer_singer.ratings import DATA_SET, Viewers, load, rows_of
from ..experiment import Claim, Experiment, Numbers
from ..judging import Verdict, less
from ..plots import BLACK, BLUE, GREEN, ORANGE, PINK, SKY, Look, curves, name_ends
from ..results import Results
from ..rules import BY_ROWS, by_case, constantly, mean_text, means_text
from .machines import BASELINES, PASSES, PRANKS, machines

SIZES = (10, 20, 50, 100, 200, 500, 1_000)
FRESH = 1_000
LEAST = 100
HELD_OUT = 0.25
SOURCE = "Slide Experiments: evaluation in batch setting"
# The slides do not state C: these are a small and a large one. Larger ones take minutes on ratings and are no better.
RIVALS, RATINGS_RIVALS = machines((1.0, 100.0)), machines((0.1, 1.0))
LEARNERS, RATINGS_LEARNERS = ({**PRANKS, **BASELINES, **rivals} for rivals in (RIVALS, RATINGS_RIVALS))


def trial(seed: int, data: Any = None, sizes: Sequence[int] = SIZES, n_fresh: int = FRESH) -> Numbers:
    """The losses on fresh rows after learning from more and more rows of the synthetic problem."""
    X, y = synthetic.crammer_singer(max(sizes) + n_fresh, seed=seed)
    fresh, truth = X[-n_fresh:], y[-n_fresh:]
    numbers: Numbers = {}
    for name, learner in LEARNERS.items():
        losses = [float(np.abs(learner(X[:size], y[:size], fresh, 5) - truth).mean()) for size in sizes]
        numbers |= {name: losses[-1], BY_ROWS.format(name): losses}
    return numbers


def ratings_trial(seed: int, viewers: Viewers) -> Numbers:
    """The losses on a quarter of a person's ratings after learning from the others."""
    X, y, ranks = rows_of(viewers, seed)
    size = round((1 - HELD_OUT) * len(y))
    rows, fresh = X[:size], X[size:]
    predicted = {name: learner(rows, y[:size], fresh, len(ranks)) for name, learner in RATINGS_LEARNERS.items()}
    predicted["median"] = np.full(len(y) - size, np.sort(y[:size])[(size - 1) // 2])
    return {name: float(np.abs(answers - y[size:]).mean()) for name, answers in predicted.items()}


def outperforms(results: Results, prank: str) -> Verdict:
    """Whether PRank in one reading is below every machine, for any number of rows."""
    cases = {}
    for rival in RIVALS:
        word, where = constantly(results, SIZES, SIZES, prank, rival, BY_ROWS)
        cases[rival] = Verdict(word, f"{mean_text(results, rival)}, {where}")
    return by_case(cases, f"after {SIZES[-1]:,} rows {means_text(results, [prank])}", "against")


def outperforms_on_ratings(results: Results, prank: str) -> Verdict:
    """The same for ratings."""
    cases = {rival: Verdict(less(results, prank, rival).word, mean_text(results, rival)) for rival in RATINGS_RIVALS}
    return by_case(cases, means_text(results, [prank]), "against")


def draw(results: Results, figure: Any) -> None:
    """Draw the losses by the number of rows to learn from."""
    looks = {
        "PRank": Look(BLUE),
        f"PRank, {PASSES} passes": Look(SKY),
        f"averaged PRank, {PASSES} passes": Look(BLACK, "--"),
        "multi-class SVM, C 1": Look(ORANGE, ":", 1.2),
        "multi-class SVM, C 100": Look(ORANGE),
        "SVR, C 1, ε 0.1": Look(GREEN, ":", 1.2),
        "SVR, C 100, ε 0.1": Look(GREEN),
        "MCP": Look(PINK),
    }
    axes = figure.subplots()
    curves(axes, results, SIZES, looks, BY_ROWS)
    axes.set(xscale="log", xlabel="rows to learn from", ylabel="rank loss on fresh rows (ranks)", xlim=(SIZES[0], SIZES[-1]))
    axes.set_ylim(0.0, 1.4)
    axes.set_xticks(SIZES, [f"{size:,}" for size in SIZES])
    axes.minorticks_off()
    name_ends(axes, results, looks)


def draw_ratings(results: Results, figure: Any) -> None:
    """Draw the loss of every learner as a point with its interval."""
    means = {name: results.mean(name) for name in results.names}
    order = sorted(means, key=lambda name: -means[name].value)
    axes = figure.subplots()
    for place, name in enumerate(order):
        colour = BLUE if name in PRANKS else ORANGE if "SVM" in name else GREEN if "SVR" in name else BLACK
        axes.errorbar(means[name].value, place, xerr=means[name].half, fmt="o", color=colour, capsize=3)
    axes.set_yticks(range(len(order)), order)
    axes.set_xlabel("rank loss on fresh ratings (ranks), with its 95 % interval")
    axes.grid(axis="x", color="#E5E5E5", linewidth=0.6)


READINGS = {
    "PRank": "one pass, last hypothesis",
    f"PRank, {PASSES} passes": f"{PASSES} passes, last hypothesis",
    "averaged PRank": "one pass, averaged",
    f"averaged PRank, {PASSES} passes": f"{PASSES} passes, averaged",
}


def claims(judge: Any) -> tuple[Claim, ...]:
    """The claim, once for every reading of PRank: the slides do not mention passes."""
    return tuple(
        Claim(f"In the batch setting PRank ({reading}) outperforms multi-class SVM and SVR.", SOURCE, partial(judge, prank=prank))
        for prank, reading in READINGS.items()
    )


BATCH = Experiment(
    name="slides-batch",
    paper="slides",
    title="The slides: batch learning of the synthetic problem",
    about="The slides only say that PRank outperforms multi-class SVM and support vector regression if all rows are given at "
    "once. Here all methods learn 10 to 1,000 rows of Crammer and Singer's synthetic problem with the same kernel, and rank "
    "1,000 fresh rows. PRank learns them in one pass or a hundred, and predicts with its last hypothesis or with the mean of "
    "all. The machines are scikit-learn's, with a small and a large cost of errors.",
    trial=trial,
    trials=50,
    quick=12,
    seconds=2.0,
    claims=claims(outperforms),
    draw=draw,
    axes={BY_ROWS.format(name): [float(size) for size in SIZES] for name in LEARNERS},
)

RATINGS = Experiment(
    name="slides-batch-ratings",
    paper="slides",
    title="The slides: batch learning of a person's ratings",
    about=f"A person with at least {LEAST} ratings is drawn from your copy of EachMovie or MovieLens. All methods learn three "
    "quarters of the ratings, with those of the others as features, and predict the last quarter. The median of the three "
    "quarters is added for comparison.",
    trial=ratings_trial,
    trials=200,
    quick=20,
    seconds=1.0,
    claims=claims(outperforms_on_ratings),
    draw=draw_ratings,
    load=partial(load, LEAST),
    data_set=DATA_SET,
)
