"""Harrington's synthetic experiment (2003), and his claims about small τ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import ranktron
from ranktron.data import synthetic

from . import diversity
from .problems import CLASSES, error
from .report import Line, Section, at_most
from .trials import ABOUT_VOTES, BPM, Answer, Losses, Printed, oap_answers, oap_names, oap_printed, with_tau

TAUS = (0.3, 0.6, 0.9)
STEPS = (0.2, 0.1, 0.05, 0.01)
ROWS, FRESH, TRIALS = 5_000, 1_000, 200
ROWS_AS_PRINTED, TRIALS_AS_PRINTED = 50_000, 20
PRANK, SIPRANK, AVERAGED, VOTED = "PRank", "Si-PRank", "averaged PRank", "PRank-VP"
WH = "WH, step {}"
# The paper's section 4.1 and Table 1.
PRINTED = {
    PRANK: Printed(0.37, 0.07),
    WH.format(0.1): Printed(0.30, 0.2),
    VOTED: Printed(0.31, 0.00),
    **oap_printed(
        TAUS,
        bpm=(Printed(0.23, 0.01), Printed(0.24, 0.03), Printed(0.26, 0.03)),
        bagg=(Printed(0.33, 0.01), Printed(0.31, 0.02), Printed(0.32, 0.03)),
        vp=(Printed(0.32, 0.01), Printed(0.31, 0.02), Printed(0.31, 0.03)),
    ),
}


def sections() -> list[Section]:
    """His Table 1 and his claims."""
    short = run(ROWS, TRIALS, with_voted=True)
    long = run(ROWS_AS_PRINTED, TRIALS_AS_PRINTED, with_voted=False)
    return [bars(short), table(short, long), *diversity.sections()]


def run(rows: int, trials: int, with_voted: bool) -> Losses:
    """The losses of all methods on fresh rows; data and members have the seed of the trial."""
    losses = Losses()
    for seed in range(trials):
        X, y = synthetic.crammer_singer(rows + FRESH, seed=seed)
        for answer in answers(seed, X[:rows], y[:rows], X[rows:], with_voted):
            losses.add(answer, y[rows:])
    return losses


def answers(seed: int, X: np.ndarray, y: np.ndarray, fresh: np.ndarray, with_voted: bool) -> Iterator[Answer]:
    """The predictions of all methods for the fresh rows."""
    for name, make in METHODS.items():
        model = make(classes=CLASSES).partial_fit(X, y)
        yield Answer(name, model.predict(fresh), model.project(fresh) if name.startswith("WH") else None)
    if with_voted:
        voted = ranktron.Voted(classes=CLASSES).partial_fit(X, y)
        yield Answer(VOTED, voted.predict(fresh), voted.predict_mean(fresh))
    for tau in TAUS:
        yield from oap_answers(tau, seed, CLASSES, X, y, fresh)


def last(name: str, **parameters: float) -> Callable[..., ranktron.PRank]:
    """A model that predicts with its last hypothesis."""
    return partial(getattr(ranktron, name), average=False, **parameters)


METHODS: dict[str, Callable[..., ranktron.PRank]] = {
    PRANK: last("PRank"),
    SIPRANK: last("SiPRank"),
    **{WH.format(step): last("WidrowHoff", step=step) for step in STEPS},
    "No-PRank": last("NoPRank"),
    "ROMMA-PRank": last("ROMMAPRank"),
    AVERAGED: ranktron.PRank,
}


def bars(losses: Losses) -> Section:
    """The bars: what must be reproduced."""
    ours = with_tau(BPM, 0.3)
    rivals = (PRANK, SIPRANK, WH.format(0.1))
    lines = [
        Line(f"{ours}: mean loss", losses.mean(ours), at_most(0.26)),
        *(Line(f"{ours} against {rival}: mean loss", losses.mean(ours) / losses.mean(rival), at_most(1)) for rival in rivals),
        Line(f"{ours} against PRank: deviation", losses.deviation(ours) / losses.deviation(PRANK), at_most(0.6)),
        Line("averaged PRank: mean loss", losses.mean(AVERAGED), at_most(0.19)),
        Line("averaged PRank against PRank: deviation", losses.deviation(AVERAGED) / losses.deviation(PRANK), at_most(0.2)),
    ]
    best = f"no rule has a lower expected error than {best_possible():.4f}"
    notes = f"Mean absolute error in ranks on fresh rows, over {TRIALS} trials; {best}."
    return Section("Harrington's synthetic experiment", notes, lines)


def best_possible() -> float:
    """The loss of the rule that made the ranks: the noise is symmetric, so the rank without it is the median."""
    rule, noisy = (synthetic.crammer_singer(1_000_000, seed=0, **noise)[1] for noise in ({"noise": 0.0}, {}))
    return error(rule, noisy)


def table(short: Losses, long: Losses) -> Section:
    """The paper's column and ours."""
    order = [name for name in short.names if not name.startswith("OAP")] + oap_names(TAUS)
    cells = [
        [
            name,
            str(PRINTED.get(name, "")),
            *(short.cell(name, kind, PRINTED.get(name), deviation=True) for kind in ("ranks", "real")),
            *(long.cell(name, kind, PRINTED.get(name)) for kind in ("ranks", "real")),
        ]
        for name in order
    ]
    kinds = [f"{kind}, {rows:,} rows" for rows in (ROWS, ROWS_AS_PRINTED) for kind in ("ranks", "real numbers")]
    return Section("Harrington's Table 1", NOTES, headings=["what", "the paper prints", *kinds], cells=cells)


NOTES = f"""\
Mean absolute error on {FRESH:,} fresh rows with its 95 % interval, N = 100 members. After {ROWS:,} rows the means are of {TRIALS}
trials and the deviation over them is given; after {ROWS_AS_PRINTED:,}, of {TRIALS_AS_PRINTED}. A star: the mean lies in the
interval that the paper prints, which is of 20 trials. Bagging and voting predict ranks, which are the rounded mean, or the mean
itself; WH's real number is its projection. {ABOUT_VOTES} The thresholds and the noise are the paper's. It says 50,000 training
rows once and 5,000 twice: the printed numbers are those of 5,000 rows, with the aggregates scored as real numbers. As ranks,
which are what a user gets, bagging is about as good as the Bayes point, and voting by survival a little better. PRank-VP keeps
all hypotheses, which are too many after {ROWS_AS_PRINTED:,} rows."""
