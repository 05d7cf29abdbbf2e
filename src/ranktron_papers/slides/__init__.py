"""The slides on "Pranking with ranking": online and batch comparisons with regression and classification."""

from __future__ import annotations

from functools import partial
from typing import Any

from ranktron.data import synthetic

from ..crammer_singer.synthetic import MCP, POINTS, ROUNDS, WH, Method, measured
from ..experiment import Claim, Experiment, Numbers, Paper, Printed
from ..judging import Verdict
from ..plots import BLUE, GREEN, ORANGE, Look, curves, name_ends
from ..results import Results
from ..rules import BY_ROUND, beat, by_case, exactly, means_text
from .batch import BATCH, RATINGS

METHODS = {"PRank": Method("PRank"), **MCP, **WH}


def trial(seed: int, data: Any = None, n_rounds: int = ROUNDS) -> Numbers:
    """The three models of the slides on a new synthetic stream."""
    return measured(METHODS, *synthetic.crammer_singer(n_rounds, seed=seed), METHODS)


def better(results: Results, rivals: tuple[str, ...]) -> Verdict:
    """Whether PRank ends below each rival."""
    cases = {rival: beat(results, ["PRank"], rival) for rival in rivals}
    return by_case(cases, means_text(results, ["PRank"]), "against")


def draw(results: Results, figure: Any) -> None:
    """Draw the curves of the three models."""
    looks = {
        "PRank": Look(BLUE),
        "MCP, max": Look(ORANGE),
        "MCP, uniform": Look(ORANGE, ":", 1.1),
        **{name: Look(GREEN, ":", 1.1) for name in WH},
        "WH, step 0.05": Look(GREEN),
    }
    axes = figure.subplots()
    curves(axes, results, POINTS, looks)
    axes.set(xlim=(0, ROUNDS), ylim=(0.3, 1.4), xlabel="rounds", ylabel="time-averaged rank loss (ranks)")
    name_ends(axes, results, looks)


FIGURE_4 = Experiment(
    name="slides-figure-4",
    paper="slides",
    title="The slides, Figure 4: MCP, WH and PRank online",
    about="The multiclass perceptron, Widrow and Hoff's regression and PRank learn Crammer and Singer's synthetic stream, "
    "one point per round. The measure is the mean distance from the true rank so far. WH's step and MCP's update are not "
    "stated, so several are run. The slides' panels with EachMovie are Crammer and Singer's Figure 7.",
    trial=trial,
    trials=100,
    quick=100,
    seconds=0.05,
    printed=(
        Printed("parameters of MCP", 30, "Slide Experiments: kn parameters, with n = 6 and k = 5"),
        Printed("parameters of WH", 6, "Slide Experiments: n parameters, with n = 6"),
        Printed("parameters of PRank", 10, "Slide Experiments: n + k − 1 parameters, with n = 6 and k = 5"),
    ),
    claims=(
        Claim(
            "MCP has kn parameters, WH n and PRank n + k − 1.",
            "Slide Experiments, models",
            partial(exactly, wanted={"parameters of MCP": 30.0, "parameters of WH": 6.0, "parameters of PRank": 10.0}),
        ),
        Claim(
            "PRank performs better than classification models for ranking.",
            "Key takeaways, 3; Figure 4",
            partial(better, rivals=tuple(MCP)),
        ),
        Claim(
            "PRank performs better than regression models for ranking.",
            "Key takeaways, 3; Figure 4",
            partial(better, rivals=tuple(WH)),
        ),
    ),
    draw=draw,
    axes={BY_ROUND.format(name): [float(count) for count in POINTS] for name in METHODS},
)

PAPER = Paper(
    name="slides",
    title="Pranking with ranking: slides",
    authors="Soham Dan, after Koby Crammer and Yoram Singer",
    published="slides on Pranking with ranking, NIPS 2001",
    experiments=(FIGURE_4, BATCH, RATINGS),
    about="Slides on PRank's first publication. Beside the online comparison they say in one line that PRank outperforms "
    "multi-class support vector machines and support vector regression where all examples are given at once.",
)
