"""Harrington, section 3: on separable rows OAP continues to learn when PRank has stopped."""

from __future__ import annotations

from typing import Any

import numpy as np

import ranktron
from ranktron.bounds import margin
from ranktron.data import synthetic

from ..experiment import Claim, Experiment, Numbers
from ..judging import FAILS, HOLDS, Verdict, less
from ..plots import BLACK, BLUE, GREEN, GREY, ORANGE, PINK, SKY, Look, curves
from ..results import Results
from ..rules import by_case, mean_text, means_text, rising
from .judging import at_place
from .methods import AVERAGED, BPM, MEMBERS, PRANK

CLASSES, ROWS, GAP = [1, 2, 3, 4, 5], 500, 0.05
TIMES, TAUS = (1, 2, 4, 8, 16), (0.1, 0.3, 0.6, 0.9)
ROMMA = "ROMMA-PRank"
# The most rows that are learned in one call.
CHUNK = 25_000
# The rule 10 (x₁ - ½)(x₂ - ½), as weights of the map's features.
RULE = np.array([2.5, -5 / np.sqrt(2), -5 / np.sqrt(2), 0.0, 10 / np.sqrt(2), 0.0])
THRESHOLDS = np.array(synthetic.CRAMMER_SINGER_THRESHOLDS)
NAMES = (PRANK, AVERAGED, ROMMA, *(BPM.format(tau) for tau in TAUS))
MARGIN, BEFORE, LATER, EPOCHS = "{}, margin", "{}, updates before", "{}, updates after", "epochs until PRank stops"


def trial(
    seed: int, data: Any = None, n_rows: int = ROWS, gap: float = GAP, times: tuple[int, ...] = TIMES, members: int = MEMBERS
) -> Numbers:
    """Margins after multiples of the epochs that PRank needs until it makes no mistake, and the updates of a member."""
    X, y = separable(seed, n_rows, gap)
    epochs = epochs_to_stop(X, y)
    possible = margin(RULE, THRESHOLDS, X, y)
    numbers: Numbers = {EPOCHS: float(epochs)}
    for name, model in fresh_models(seed, members).items():
        margins, updates = [], []
        for start, stop in zip((0, *times), times):
            learn(model, X, y, (stop - start) * epochs)
            margins.append(margin(model.coef_, model.thresholds_, X, y) / possible)
            updates.append(model.n_updates_ / (members if name.startswith("OAP") else 1))
        numbers |= {MARGIN.format(name): margins, BEFORE.format(name): updates[0], LATER.format(name): updates[-1] - updates[0]}
    return numbers


def separable(seed: int, n_rows: int, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows without noise that keep a distance from the thresholds."""
    X, y = synthetic.crammer_singer(20 * n_rows, noise=0.0, seed=seed)
    clear = np.abs((X @ RULE)[:, None] - THRESHOLDS).min(axis=1) >= gap
    return X[clear][:n_rows], y[clear][:n_rows]


def epochs_to_stop(X: np.ndarray, y: np.ndarray) -> int:
    """How many epochs PRank needs, up to the last one with a mistake."""
    model, epochs, before = ranktron.PRank(average=False, classes=CLASSES), 0, -1
    while before < (before := model.partial_fit(X, y).n_updates_):
        epochs += 1
    return epochs


def fresh_models(seed: int, members: int) -> dict[str, Any]:
    """New models by name."""
    return {
        PRANK: ranktron.PRank(average=False, classes=CLASSES),
        AVERAGED: ranktron.PRank(classes=CLASSES),
        ROMMA: ranktron.ROMMAPRank(average=False, classes=CLASSES),
        **{BPM.format(tau): ranktron.OAP(tau=tau, n_members=members, random_state=seed, classes=CLASSES) for tau in TAUS},
    }


def learn(model: Any, X: np.ndarray, y: np.ndarray, epochs: int) -> None:
    """Learn the rows ``epochs`` times."""
    at_once = max(1, CHUNK // len(y))
    for start in range(0, epochs, at_once):
        count = min(at_once, epochs - start)
        model.partial_fit(np.tile(X, (count, 1)), np.tile(y, count))


def at(results: Results, times: int) -> Results:
    """The margins after ``times`` times PRank's epochs."""
    return at_place(results, {name: MARGIN.format(name) for name in NAMES}, TIMES.index(times))


def goes_on(results: Results) -> Verdict:
    """Whether members are updated after PRank's last mistake, in every trial."""
    cases = {}
    for tau in TAUS:
        name = LATER.format(BPM.format(tau))
        word = HOLDS if results.values(name).min() > 0 else FAILS
        cases[f"τ = {tau}"] = Verdict(word, f"{results.mean(name).value:,.0f} updates of a member")
    text = f"PRank makes its last mistake in epoch {results.mean(EPOCHS).value:.0f}"
    return by_case(cases, f"{text}, and in {TIMES[-1]} times as many there are")


def takes_longer(results: Results) -> Verdict:
    """Whether OAP-BPM still makes mistakes when PRank has stopped, so that its margin is below 0."""
    first = at(results, TIMES[0])
    zero = first.derived(lambda one: {**one, "none": 0.0})
    cases = {f"τ = {tau}": Verdict(less(zero, BPM.format(tau), "none").word, mean_text(first, BPM.format(tau))) for tau in TAUS}
    return by_case(cases, f"margin when PRank, with {mean_text(first, PRANK)}, has stopped")


def wider(results: Results) -> Verdict:
    """Whether OAP-BPM ends with a wider margin than PRank."""
    last = at(results, TIMES[-1])
    cases = {f"τ = {tau}": Verdict(less(last, PRANK, BPM.format(tau)).word, mean_text(last, BPM.format(tau))) for tau in TAUS}
    others = means_text(last, (PRANK, AVERAGED, ROMMA))
    return by_case(cases, f"margin after {TIMES[-1]} times as many epochs, in that of the rule that made the ranks; {others}")


def slower(results: Results) -> Verdict:
    """Whether the margin is the narrower, the smaller τ is, until it is reached."""
    names = [BPM.format(tau) for tau in TAUS]
    cases = {f"{times}× PRank's epochs": rising(at(results, times), names) for times in TIMES[:3]}
    return by_case(cases, f"margins with τ = {', '.join(map(str, TAUS))}", "after")


def draw(results: Results, figure: Any) -> None:
    """Margins as epochs go by."""
    axes = figure.subplots()
    colours = (ORANGE, BLUE, SKY, GREEN)
    looks = {BPM.format(tau): Look(colour, label=f"OAP-BPM, τ = {tau}") for tau, colour in zip(TAUS, colours, strict=True)}
    looks |= {PRANK: Look(BLACK), AVERAGED: Look(GREY, "--"), ROMMA: Look(PINK, "--")}
    curves(axes, results, TIMES, looks, MARGIN)
    for line, look in zip(axes.get_lines(), looks.items(), strict=True):
        line.set_label(look[1].label or look[0])
    axes.axhline(0.0, color="#606060", linewidth=0.8)
    axes.set(xscale="log", xlabel="epochs, in those that PRank took to make its last mistake", ylim=(-1.5, 0.8))
    axes.set_ylabel("margin, in that of the true rule\n(below 0 some row is ranked wrongly)")
    axes.set_xticks(TIMES, [f"{times}×" for times in TIMES], minor=False)
    axes.minorticks_off()
    axes.legend(frameon=False, fontsize=9, loc="lower right")


MARGINS = Experiment(
    name="harrington-margin",
    paper="harrington",
    title="Harrington, section 3: after PRank stops",
    about="500 points of the synthetic problem without noise, none of them near a threshold, are learned in many passes. "
    "PRank stops after some pass, because it makes no more mistakes. OAP's members each see only a part of the rows, so they "
    "continue. The margin of a rule is the least distance of a row from a threshold, negative on the wrong side. It is given "
    "relative to the margin of the rule that generated the ranks.",
    trial=trial,
    trials=60,
    quick=12,
    seconds=0.4,
    claims=(
        Claim("OAP-BPM continues to learn after PRank stops.", "Section 3, before 3.1", goes_on),
        Claim("OAP-BPM takes longer to converge.", "Section 3, before 3.1", takes_longer),
        Claim("OAP-BPM is a large margin version of PRank.", "Abstract; section 3", wider),
        Claim("The smaller τ the slower the convergence to the final target margin.", "Section 3, before 3.1", slower),
    ),
    draw=draw,
    axes={MARGIN.format(name): [float(times) for times in TIMES] for name in NAMES},
)
