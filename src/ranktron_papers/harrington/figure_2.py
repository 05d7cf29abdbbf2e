"""Harrington, Figure 2: the average rank loss on the synthetic problem, round by round."""

from __future__ import annotations

from typing import Any

import numpy as np

from ranktron.data import synthetic

from ..experiment import Claim, Experiment, Numbers
from ..judging import HOLDS, Verdict, less
from ..plots import BLACK, BLUE, GREEN, GREY, ORANGE, PINK, Look, curves, name_ends
from ..results import Results
from ..rules import BY_ROUND, by_case, every, mean_text, means_text
from .judging import at_place, lowest
from .methods import BAGG, BPM, MEMBERS, PRANK, REAL, VOTES, VP, WH, Methods, ensembles, online_mean, so_far

RANKS, ROWS = 5, 5_000
TAU, TAUS = 0.3, (0.3, 0.6, 0.9)
STEP, STEPS = 0.1, (0.2, 0.1, 0.05, 0.01)
# According to Harrington, the only step that Crammer & Singer tried.
LONG_STEP = 1.0
ROUNDS = list(range(100, ROWS + 1, 100))
EARLY = (200, 400, 600, 800, 1_000)


def trial(seed: int, data: Any = None, rounds: list[int] = ROUNDS, members: int = MEMBERS) -> Numbers:
    """The average losses of all methods; the members' mean is also used without rounding, as in the paper's formula."""
    X, y = synthetic.crammer_singer(rounds[-1], seed=seed)
    off = Methods(RANKS, (*STEPS, LONG_STEP), TAUS, seed, members).learn(X, y)
    for name, model in ensembles(TAU, n_members=members, random_state=seed, classes=list(range(1, RANKS + 1))).items():
        if name != BPM.format(TAU):
            off[REAL.format(name)] = np.abs(online_mean(model, X, y) - y)
    ends: Numbers = {name: float(one.mean()) for name, one in off.items()}
    return ends | {BY_ROUND.format(name): so_far(off[name], rounds) for name in CURVES}


SINGLES = (PRANK, WH.format(STEP))
# What the paper leaves open about bagging and voting: whether the mean is rounded, τ in the figure, and what gives votes.
READINGS = {
    f"{kind}, tau {tau}, votes {votes}": (form.format(BAGG.format(tau)), form.format(VP.format(votes, tau)))
    for kind, form, taus in (("ranks", "{}", TAUS), ("real numbers", REAL, (TAU,)))
    for tau in taus
    for votes in VOTES
}
OURS = BPM.format(TAU)
CURVES = (*SINGLES, OURS, *dict.fromkeys(name for pair in READINGS.values() for name in pair))


def at(results: Results, count: int) -> Results:
    """The averages after ``count`` rounds."""
    return at_place(results, {name: BY_ROUND.format(name) for name in CURVES}, ROUNDS.index(count))


def best_step(results: Results) -> Verdict:
    """Whether the figure's step is the best of the four."""
    names = [WH.format(step) for step in STEPS]
    best = WH.format(STEP)
    return every([less(results, best, name) for name in names if name != best], means_text(results, names))


def lowest_at_the_end(results: Results) -> Verdict:
    """Whether OAP-BPM is the lowest of the five."""
    cases = {reading: lowest(results, OURS, (*SINGLES, *pair)) for reading, pair in READINGS.items()}
    return by_case(cases, OURS, "where the others are")


def lowest_at_first(results: Results) -> Verdict:
    """Whether OAP-VP is the lowest of the five at all early marks."""
    cases = {}
    for reading, (bagged, voted) in READINGS.items():
        marks = {count: lowest(at(results, count), voted, (*SINGLES, OURS, bagged)) for count in EARLY}
        mark = next((count for count, verdict in marks.items() if verdict.word != HOLDS), EARLY[-1])
        cases[reading] = every(marks.values(), f"after {mark:,} {marks[mark].reason}")
    return by_case(cases, link="as")


def better_than_others(results: Results) -> Verdict:
    """Whether OAP-BPM ends below PRank and WH, by τ."""
    return by_case({f"tau {tau}": lowest(results, BPM.format(tau), SINGLES) for tau in TAUS})


def slightly(results: Results) -> Verdict:
    """Whether WH ends below PRank."""
    return less(results, WH.format(STEP), PRANK)._replace(reason=means_text(results, (WH.format(STEP), PRANK)))


def much_better_than_long(results: Results) -> Verdict:
    """Whether the figure's step is better than 1."""
    names = WH.format(STEP), WH.format(LONG_STEP)
    ours, other = (mean_text(results, name) for name in names)
    text = f"{ours} with a step of {STEP}, {other} with {LONG_STEP:g}, where it diverges"
    return Verdict(less(results, *names).word, text)


def draw(results: Results, figure: Any) -> None:
    """Draw the five methods; dashed are bagging and voting without rounding."""
    bagged, voted = BAGG.format(TAU), VP.format("survival", TAU)
    looks = {
        PRANK: Look(BLACK),
        WH.format(STEP): Look(GREY),
        BPM.format(TAU): Look(BLUE, label="OAP-BPM"),
        bagged: Look(ORANGE, label="OAP-Bagg"),
        voted: Look(GREEN, label="OAP-VP, survival"),
        REAL.format(bagged): Look(ORANGE, "--", 1.4, label="OAP-Bagg, real"),
        REAL.format(voted): Look(GREEN, "--", 1.4, label="OAP-VP, survival, real"),
        VP.format("correct", TAU): Look(PINK, ":", 1.4, label="OAP-VP, correct"),
    }
    axes = figure.subplots()
    curves(axes, results, ROUNDS, looks)
    axes.set(xlim=(0, ROWS), ylim=(0.3, 1.25), xlabel="rounds", ylabel="average rank loss so far (ranks)")
    name_ends(axes, results, looks)


CLAIMS = (
    Claim(
        "WH has its lowest loss with η = 0.1, of 0.2, 0.1, 0.05 and 0.01.", "Section 4.1, Figure 2 and its description", best_step
    ),
    Claim(
        "WH is significantly better than with η = 1, the only one Crammer and Singer tried.", "Section 4.1", much_better_than_long
    ),
    Claim("WH with η = 0.1 is slightly better than PRank after 5000 examples.", "Section 4.1", slightly),
    Claim("OAP-BPM has the lowest averaged rank loss of the five after 5000 examples.", "Section 4.1", lowest_at_the_end),
    Claim("OAP-VP has the lowest until 1000 examples.", "Section 4.1", lowest_at_first),
    Claim("OAP-BPM performs better than PRank and online regression.", "Abstract, on Figure 2", better_than_others),
)

FIGURE_2 = Experiment(
    name="harrington-figure-2",
    paper="harrington",
    title="Harrington, Figure 2: the synthetic problem, round by round",
    about="Points of a square have one of five ranks, by a curved rule with noise. Every method predicts the rank of a point "
    "before it learns it; the figure shows the mean error so far. OAP has 100 members. Bagging and voting predict the mean of "
    "the members' ranks, rounded to a rank or not, and votes count all correct ranks or those since the last update. The "
    "paper leaves both open.",
    trial=trial,
    trials=100,
    quick=6,
    seconds=2.0,
    claims=CLAIMS,
    draw=draw,
    axes={BY_ROUND.format(name): [float(count) for count in ROUNDS] for name in CURVES},
)
