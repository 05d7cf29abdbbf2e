"""Chaudhuri & Tewari, Figure 1: lists that a ranker orders with a margin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..experiment import Claim, Experiment, Numbers
from ..judging import Verdict, below, less
from ..results import Results
from ..rules import by_case, every, of_case, part
from .drawing import draw_figure_1
from .judging import behind, exact, in_each
from .lists import NDCG, READINGS, Rows, Separable, best_step, curves_by_step, decades, learner, online_curve

N_LISTS = 10_000
STEPS = decades(-4, 2)
# Features are multiplied by these powers of two, which cause no rounding.
SCALES = (1 / 16, 16.0)
SMALL = 0.001
LARGE = 1.0
# A time average has converged if it is this close to 1.
NEAR_ONE = 0.01
# The largest distance of two curves that look alike in a figure of 0.1 or more in height.
IMPERCEPTIBLE = 0.01
# The curves are compared from these percentages of the lists on.
SHARES = (1, 10)


def marks(n_lists: int) -> list[int]:
    """The numbers of lists at which curves are read, evenly on a logarithmic scale."""
    return sorted({round(n_lists ** (i / 120)) for i in range(36, 121)})


def early(n_lists: int) -> int:
    """The first tenth of the lists."""
    return n_lists // 10


def trial(seed: int, data: Any = None, n_lists: int = N_LISTS) -> Numbers:
    """The three learners on one stream per reading; two of them use the step with the best final value."""
    numbers: Numbers = {}
    for reading in READINGS:
        rows = Separable(reading, seed).draw(n_lists)
        numbers |= of_case(reading, compared(rows))
    return numbers


def compared(rows: Rows) -> Numbers:
    """Time-averaged NDCG@10 of all learners, and of each step."""
    numbers: Numbers = {}
    curves = {"MinimaxRank": online_curve(learner("MinimaxRank", NDCG), rows, NDCG)}
    for name in ("SLAM", "ListNet"):
        by_step = curves_by_step(name, rows, NDCG, STEPS)
        chosen = best_step(by_step)
        curves[name] = by_step[chosen]
        numbers[f"log10 of the step of {name}"] = math.log10(chosen)
        numbers |= {f"{name}, step {step:g}": float(curve[-1]) for step, curve in by_step.items()}
    for name, curve in curves.items():
        numbers |= as_numbers(name, curve)
    apart = np.abs(curves["SLAM"] - curves["MinimaxRank"])
    for share in SHARES:
        numbers[f"SLAM and MinimaxRank apart, from {share} % on"] = float(apart[len(apart) * share // 100 :].max())
    return numbers | scaled(rows)


def as_numbers(name: str, curve: np.ndarray) -> Numbers:
    """A curve as numbers: its end, its value after a tenth of the lists, and its points."""
    places = np.array(marks(len(curve))) - 1
    at = early(len(curve))
    return {name: float(curve[-1]), f"{name}, after a tenth": float(curve[at - 1]), f"{name}, by round": curve[places].tolist()}


def scaled(rows: Rows) -> Numbers:
    """How much NDCG@10 over all lists changes if features are multiplied by c, which multiplies the step by c²."""
    X, y, qid = rows
    numbers: Numbers = {}
    settings: dict[str, dict[str, Any]] = {"SLAM": {"step": SMALL}, "MinimaxRank": {}}
    for name, given in settings.items():
        ends = [online_curve(learner(name, NDCG, **given), (c * X, y, qid), NDCG)[-1] for c in (1.0, *SCALES)]
        numbers[f"{name}, moved by the step"] = float(np.ptp(ends))
    return numbers


# Claims


def near_one(results: Results) -> Verdict:
    """Whether both perceptrons' time averages are within a hundredth of 1 at the end."""
    return in_each(results, READINGS, lambda one: every(has_converged(one, name) for name in OURS))


def has_converged(results: Results, name: str) -> Verdict:
    """Whether a time average is within a hundredth of 1."""
    missing = results.of_columns({name: 1.0 - results.values(name)})
    return below(missing, name, NEAR_ONE)._replace(reason=f"{name} {results.mean(name).value:.4f}")


OURS = ("SLAM", "MinimaxRank")


def slower(results: Results) -> Verdict:
    """Whether ListNet is below both perceptrons, after a tenth of the lists and at the end."""
    endings = {f"after {early(N_LISTS):,} lists": ", after a tenth", f"after {N_LISTS:,} lists": ""}
    return by_case(
        {
            f"{reading} {when}": behind(part(results, reading), "ListNet", OURS, ending)
            for reading in READINGS
            for when, ending in endings.items()
        }
    )


def together(results: Results) -> Verdict:
    """Whether the curves of both perceptrons differ nowhere visibly."""
    cases = {}
    for reading in READINGS:
        for share in SHARES:
            name = f"{reading}: SLAM and MinimaxRank apart, from {share} % on"
            text = f"they are {results.mean(name).value:.3f} apart at most"
            cases[f"{reading} from {N_LISTS * share // 100:,} lists on"] = below(results, name, IMPERCEPTIBLE)._replace(
                reason=text
            )
    return by_case(cases)


def step_matters(results: Results) -> Verdict:
    """Whether a small step is worse than a larger one. Both are fixed: the best of many would lead by being chosen."""
    return in_each(results, READINGS, lambda one: less(one, f"SLAM, step {SMALL:g}", f"SLAM, step {LARGE:g}"))


def step_does_not_matter(results: Results) -> Verdict:
    """Whether nothing changes for MinimaxRank, while SLAM changes."""
    moved = {name: max(results.values(f"{reading}: {name}, moved by the step").max() for reading in READINGS) for name in OURS}
    reason = ", ".join(f"{name} moves by {value:.3g} at most" for name, value in moved.items())
    return exact(moved["MinimaxRank"] == 0.0 < moved["SLAM"], f"with features times 1/16, 1 and 16 NDCG@10 of {reason}")


FIGURE_1 = Experiment(
    name="chaudhuri-tewari-figure-1",
    paper="chaudhuri-tewari",
    title="Chaudhuri & Tewari, Figure 1: lists that some ranker orders perfectly",
    about="In each of 10,000 rounds a list of 20 documents with 20 features and five grades is ranked, and then learned. The "
    "figure shows NDCG@10, averaged over the lists so far. A hidden ranker orders all lists with a margin of 0.1. The paper "
    "does not say how documents are distributed, so there are three readings: grades in even steps along the ranker, or a "
    "wide or a narrow Gaussian for each grade, without the documents inside the margin. As in the paper, steps are those that "
    "are best at the end: from 0.0001 to 100 in half powers of ten.",
    trial=trial,
    trials=30,
    quick=4,
    seconds=3.5,
    claims=(
        Claim(
            "The NDCG@10 values of the perceptron-like algorithms rapidly converge to 1.",
            "Section 8, on the simulated data",
            near_one,
        ),
        Claim(
            "The convergence of online ListNet is significantly slower than that of the perceptron-like algorithms.",
            "Section 8, on the simulated data, and Figure 1",
            slower,
        ),
        Claim("The two perceptron-like algorithms have imperceptible difference.", "Figure 1, caption", together),
        Claim("Unlike the classification perceptron, Algorithm 2 depends on its learning rate.", "Section 5.1.1", step_matters),
        Claim(
            "Like the classification perceptron, and unlike Algorithm 2, Algorithm 3 does not depend on its learning rate.",
            "Section 6.2, after Corollary 11",
            step_does_not_matter,
        ),
    ),
    draw=draw_figure_1,
    axes={
        f"{reading}: {name}, by round": [float(mark) for mark in marks(N_LISTS)]
        for reading in READINGS
        for name in (*OURS, "ListNet")
    },
)
