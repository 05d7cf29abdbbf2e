"""Harrington's claims about τ, N and the cost, measured on the synthetic problem after more and more rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import ranktron
from ranktron.data import synthetic

from ..experiment import Claim, Experiment, Numbers
from ..judging import CONSISTENT, FAILS, Verdict, at_most_consistent, below, less
from ..plots import BLACK, BLUE, GREEN, GREY, ORANGE, PINK, SKY, Look, curves, tidy
from ..results import Results
from ..rules import by_case, every, mean_text, means_text, rising
from .judging import at_place
from .margin import ROMMA, RULE, THRESHOLDS
from .methods import AVERAGED, BPM, MEMBERS, PRANK, loss

CLASSES, FRESH = [1, 2, 3, 4, 5], 2_000
MOMENTS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
# The number of rows after which the members are inspected.
LOOK_AT = 5_000
TAU, TAUS = 0.3, (0.05, 0.1, 0.3, 0.6, 0.9)
SIZES = (1, 3, 10, 30, 100)
LOSS = "{}, by rows"
DIFFER, TURN, OWN = (
    "tau {}, share of rows on which two members differ",
    "tau {}, degrees between two members",
    "tau {}, loss of a member",
)
COST, OFF = "tau {}, updates of all members over tau N times PRank's", "{}, distance from the middle of the interval"
FIRST, GAP = "{} of the members, tau 0.3", "least gap between mean thresholds"
TRUTH = "the rule that made the ranks"
OAP_ROMMA = "OAP-BPM of ROMMA-PRanks, tau 0.3"


def trial(
    seed: int,
    data: Any = None,
    moments: tuple[int, ...] = MOMENTS,
    look_at: int = LOOK_AT,
    fresh: int = FRESH,
    members: int = MEMBERS,
) -> Numbers:
    """The losses on fresh rows; how much members differ, what they cost, and how good the first few are."""
    X, y = synthetic.crammer_singer(moments[-1] + fresh, seed=seed)
    test = X[moments[-1] :], y[moments[-1] :]
    losses: dict[str, list[float]] = {name: [] for name in NAMES}
    numbers: Numbers = {}
    models, gaps = fresh_models(seed, members), []
    for start, stop in zip((0, *moments), moments):
        for name, model in models.items():
            losses[name].append(loss(model.partial_fit(X[start:stop], y[start:stop]).predict(test[0]), test[1]))
            gaps.append(float(np.diff(model.thresholds_).min()))
        if stop == look_at:
            numbers |= looked_at(models, *test)
    true = ranks_by(RULE[None], THRESHOLDS[None], test[0])[0]
    return {GAP: min(gaps), TRUTH: loss(true, test[1])} | numbers | {LOSS.format(name): losses[name] for name in NAMES}


def fresh_models(seed: int, members: int) -> dict[str, Any]:
    """New models by name."""
    oap: dict[str, Any] = {"n_members": members, "random_state": seed, "classes": CLASSES}
    return {
        PRANK: ranktron.PRank(average=False, classes=CLASSES),
        AVERAGED: ranktron.PRank(classes=CLASSES),
        **{BPM.format(tau): ranktron.OAP(tau=tau, **oap) for tau in TAUS},
        ROMMA: ranktron.ROMMAPRank(average=False, classes=CLASSES),
        OAP_ROMMA: ranktron.OAP(estimator=ranktron.ROMMAPRank(average=False), tau=TAU, **oap),
    }


def looked_at(models: dict[str, Any], X: np.ndarray, y: np.ndarray) -> Numbers:
    """How much members differ and cost, by τ, and the losses of the first few of them."""
    numbers: Numbers = {}
    for tau in TAUS:
        model = models[BPM.format(tau)]
        ranks = ranks_by(model.members_coef_, model.members_thresholds_, X)
        shown_to = tau * len(ranks)
        numbers |= {
            DIFFER.format(tau): differing(ranks),
            TURN.format(tau): turned(model.members_coef_),
            OWN.format(tau): loss(ranks, y),
            COST.format(tau): float(model.n_updates_ / models[PRANK].n_updates_ / shown_to),
        }
    oap = models[BPM.format(TAU)]
    for size in SIZES:
        rule = oap.members_coef_[:size].mean(axis=0), oap.members_thresholds_[:size].mean(axis=0)
        numbers[FIRST.format(size)] = loss(ranks_by(rule[0][None], rule[1][None], X)[0], y)
    return numbers | {OFF.format(name): off_middle(models[name], X, y) for name in (PRANK, BPM.format(TAU))}


def ranks_by(coef: np.ndarray, thresholds: np.ndarray, X: np.ndarray) -> np.ndarray:
    """The rank of every row by every rule, one line per rule."""
    return np.asarray(1 + ((X @ coef.T).T[:, :, None] >= thresholds[:, None, :]).sum(axis=2))


def differing(ranks: np.ndarray) -> float:
    """The share of rows that two members rank differently, over all pairs."""
    count = len(ranks)
    alike = sum(int((counts * (counts - 1)).sum()) for counts in ((ranks == rank).sum(axis=0) for rank in CLASSES))
    return 1.0 - alike / max(1, count * (count - 1) * int(ranks.shape[1]))


def turned(coef: np.ndarray) -> float:
    """The mean angle between the directions of two members, in degrees."""
    directions = coef / np.maximum(np.linalg.norm(coef, axis=1, keepdims=True), 1e-300)
    cosines = (directions @ directions.T)[np.triu_indices(len(coef), 1)]
    return float(np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))).mean())


def off_middle(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """The median distance of projections from the middle of the true rank's interval, 1 at its ends; for inner ranks."""
    inner = (y > CLASSES[0]) & (y < CLASSES[-1])
    low, high = model.thresholds_[y[inner] - 2], model.thresholds_[y[inner] - 1]
    return float(np.median(np.abs(2 * model.project(X[inner]) - low - high) / np.maximum(high - low, 1e-300)))


NAMES = (PRANK, AVERAGED, *(BPM.format(tau) for tau in TAUS), ROMMA, OAP_ROMMA)


def after(results: Results, rows: int) -> Results:
    """The losses after ``rows`` rows."""
    return at_place(results, {name: LOSS.format(name) for name in NAMES}, MOMENTS.index(rows))


def more_diverse(results: Results) -> Verdict:
    """Whether members differ more for smaller τ."""
    forms = {"degrees between two members": TURN, "share of rows on which two differ": DIFFER}
    return by_case({what: rising(results, [form.format(tau) for tau in TAUS[::-1]]) for what, form in forms.items()}, BY_TAU)


BY_TAU = f"from τ = {TAUS[-1]} down to {TAUS[0]}"


def slower(results: Results) -> Verdict:
    """Whether the loss is higher for smaller τ, after few rows."""
    names = [BPM.format(tau) for tau in TAUS[::-1]]
    return by_case({f"after {rows:,} rows": rising(after(results, rows), names) for rows in (200, 500, 1_000, 2_000)}, BY_TAU)


def better_in_the_end(results: Results) -> Verdict:
    """Whether the loss is lower for smaller τ, among the three of Table 1."""
    names = [BPM.format(tau) for tau in TAUS if tau >= TAU]
    cases = {f"after {rows:,} rows": rising(after(results, rows), names) for rows in (1_000, 5_000, 20_000)}
    return by_case(cases, "with τ = 0.3, 0.6 and 0.9")


def cost(results: Results) -> Verdict:
    """Whether all members together make at most twice τN times the updates of PRank."""
    verdicts = [below(results, COST.format(tau), 2.0) for tau in TAUS]
    text = ", ".join(f"{mean_text(results, COST.format(tau))} τN with τ = {tau}" for tau in TAUS)
    lead = f"a row is shown to τN members, here N = {MEMBERS}; updates of all by those of one PRank"
    return at_most_consistent(every(verdicts, f"{lead}: {text}"))


def in_order(results: Results) -> Verdict:
    """Whether no mean threshold was ever above the next."""
    least = float(results.values(GAP).min())
    return Verdict(CONSISTENT if least >= 0 else FAILS, f"the least gap was {least:g} in {len(results)} trials")


def fewer(results: Results) -> Verdict:
    """Whether all members are better than the first alone."""
    names = [FIRST.format(size) for size in SIZES]
    return Verdict(less(results, names[-1], names[0]).word, f"{means_text(results, names)}, after {LOOK_AT:,} rows")


def centred(results: Results) -> Verdict:
    """Whether OAP-BPM's projections are nearer to the middle than PRank's."""
    ours, other = (OFF.format(name) for name in (BPM.format(TAU), PRANK))
    text = f"median distance {mean_text(results, ours)} half widths, PRank {mean_text(results, other)}"
    return Verdict(less(results, ours, other).word, text)


def draw(results: Results, figure: Any) -> None:
    """Draw the losses by the number of rows, and how much members differ."""
    left, right = figure.subplots(1, 2, width_ratios=(1.6, 1))
    colours = dict(zip(TAUS, (PINK, ORANGE, BLUE, SKY, GREEN), strict=True))
    looks = {BPM.format(tau): Look(colours[tau], label=f"OAP-BPM, τ = {tau}") for tau in TAUS}
    looks |= {PRANK: Look(BLACK), AVERAGED: Look(GREY, "--")}
    curves(left, results, MOMENTS, looks, LOSS)
    for line, look in zip(left.get_lines(), looks.items(), strict=True):
        line.set_label(look[1].label or look[0])
    left.set(xscale="log", xlabel="rows learned", ylabel="mean rank loss on fresh rows (ranks)", ylim=(0.1, 1.3))
    left.legend(frameon=False, fontsize=8)
    for tau in TAUS:
        across, up = results.mean(DIFFER.format(tau)), results.mean(OWN.format(tau))
        right.errorbar(
            100 * across.value, up.value, xerr=100 * across.half, yerr=up.half, fmt="o", color=colours[tau], markersize=5
        )
        right.annotate(f"τ = {tau}", (100 * across.value, up.value), (-6, 6), textcoords="offset points", ha="right", fontsize=8)
    right.set(xlabel="rows on which two members differ (%)", ylabel="mean rank loss of a member (ranks)", xlim=(0, 100))
    right.set_ylim(0, 1.05)
    tidy(right, "both")


TAU_AND_N = Experiment(
    name="harrington-tau",
    paper="harrington",
    title="Harrington, section 3: what τ and N do, and what they cost",
    about="The paper argues that with a smaller τ, the probability that a member sees a row, the members differ more and "
    "learn more slowly, and that N members cost about τN times as much as one PRank. The experiment measures the loss on "
    "fresh rows of the synthetic problem during learning. After 5,000 rows it measures how much the 100 members differ, how "
    "often they were updated, and the loss of the first few of them alone.",
    trial=trial,
    trials=100,
    quick=20,
    seconds=0.3,
    claims=(
        Claim("The smaller τ the greater the diversity.", "Section 3, before 3.1", more_diverse),
        Claim("The smaller τ the slower the convergence.", "Section 3, before 3.1", slower),
        Claim("In exchange a smaller τ generalizes better.", "Section 3, before 3.1: the trade-off", better_in_the_end),
        Claim("The added computational cost is on average of an order of O(τN) more than PRank's.", "Section 5; abstract", cost),
        Claim("Mean thresholds keep their order.", "Section 3, after Algorithm 2", in_order),
        Claim("Averaging the rules of N PRanks improves generalization.", "Section 5; abstract", fewer),
        Claim("It does so by having the prediction in the centre of the subinterval of the true rank.", "Section 5", centred),
    ),
    draw=draw,
    axes={LOSS.format(name): [float(rows) for rows in MOMENTS] for name in NAMES},
)
