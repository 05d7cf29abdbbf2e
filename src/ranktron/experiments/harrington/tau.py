"""What Harrington says of τ, of N and of the cost: measured on the synthetic problem as rows come in."""

from __future__ import annotations

from typing import Any

import numpy as np

import ranktron
from ranktron.data import synthetic

from ..experiment import Claim, Experiment, Numbers
from ..judging import CONSISTENT, FAILS, Verdict, at_most_consistent, below, less
from ..looks import BLACK, BLUE, GREEN, GREY, ORANGE, PINK, SKY, Look, curves
from ..results import Results
from ..rules import every, named, rising, shown, sorted_out
from .field import AVERAGED, BPM, MEMBERS, PRANK, loss
from .judging import at_place
from .margin import ROMMA, RULE, THRESHOLDS

CLASSES, FRESH = [1, 2, 3, 4, 5], 2_000
MOMENTS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
LOOK_AT = 5_000
"""Rows after which members are looked at."""
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
    """The loss on fresh rows after so many rows; then what members are like, what they cost, and fewer of them."""
    X, y = synthetic.crammer_singer(moments[-1] + fresh, seed=seed)
    test = X[moments[-1] :], y[moments[-1] :]
    losses: dict[str, list[float]] = {name: [] for name in NAMES}
    numbers: Numbers = {}
    models, gaps = made(seed, members), []
    for start, stop in zip((0, *moments), moments):
        for name, model in models.items():
            losses[name].append(loss(model.partial_fit(X[start:stop], y[start:stop]).predict(test[0]), test[1]))
            gaps.append(float(np.diff(model.thresholds_).min()))
        if stop == look_at:
            numbers |= looked_at(models, *test)
    true = ranks_by(RULE[None], THRESHOLDS[None], test[0])[0]
    return {GAP: min(gaps), TRUTH: loss(true, test[1])} | numbers | {LOSS.format(name): losses[name] for name in NAMES}


def made(seed: int, members: int) -> dict[str, Any]:
    """Fresh models."""
    crowd: dict[str, Any] = {"n_members": members, "random_state": seed, "classes": CLASSES}
    return {
        PRANK: ranktron.PRank(average=False, classes=CLASSES),
        AVERAGED: ranktron.PRank(classes=CLASSES),
        **{BPM.format(tau): ranktron.OAP(tau=tau, **crowd) for tau in TAUS},
        ROMMA: ranktron.ROMMAPRank(average=False, classes=CLASSES),
        OAP_ROMMA: ranktron.OAP(estimator=ranktron.ROMMAPRank(average=False), tau=TAU, **crowd),
    }


def looked_at(models: dict[str, Any], X: np.ndarray, y: np.ndarray) -> Numbers:
    """What there is to say of the members by τ, and of the first of them."""
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
    crowd = models[BPM.format(TAU)]
    for size in SIZES:
        rule = crowd.members_coef_[:size].mean(axis=0), crowd.members_thresholds_[:size].mean(axis=0)
        numbers[FIRST.format(size)] = loss(ranks_by(rule[0][None], rule[1][None], X)[0], y)
    return numbers | {OFF.format(name): off_middle(models[name], X, y) for name in (PRANK, BPM.format(TAU))}


def ranks_by(coef: np.ndarray, thresholds: np.ndarray, X: np.ndarray) -> np.ndarray:
    """What every rule says of every row, a line a rule."""
    return np.asarray(1 + ((X @ coef.T).T[:, :, None] >= thresholds[:, None, :]).sum(axis=2))


def differing(ranks: np.ndarray) -> float:
    """The share of rows on which two members differ, for any two."""
    count = len(ranks)
    alike = sum(int((said * (said - 1)).sum()) for said in ((ranks == rank).sum(axis=0) for rank in CLASSES))
    return 1.0 - alike / max(1, count * (count - 1) * ranks.shape[1])


def turned(coef: np.ndarray) -> float:
    """The mean angle between the directions of two members, in degrees."""
    directions = coef / np.maximum(np.linalg.norm(coef, axis=1, keepdims=True), 1e-300)
    cosines = (directions @ directions.T)[np.triu_indices(len(coef), 1)]
    return float(np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))).mean())


def off_middle(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """How far projections are from the middle of the interval of the true rank, 1 at its ends; a median, of inner ranks."""
    inner = (y > CLASSES[0]) & (y < CLASSES[-1])
    low, high = model.thresholds_[y[inner] - 2], model.thresholds_[y[inner] - 1]
    return float(np.median(np.abs(2 * model.project(X[inner]) - low - high) / np.maximum(high - low, 1e-300)))


NAMES = (PRANK, AVERAGED, *(BPM.format(tau) for tau in TAUS), ROMMA, OAP_ROMMA)


def after(results: Results, rows: int) -> Results:
    """The losses after so many rows."""
    return at_place(results, {name: LOSS.format(name) for name in NAMES}, MOMENTS.index(rows))


def more_diverse(results: Results) -> Verdict:
    """Whether members differ the more, the smaller τ is."""
    forms = {"degrees between two members": TURN, "share of rows on which two differ": DIFFER}
    return sorted_out({what: rising(results, [form.format(tau) for tau in TAUS[::-1]]) for what, form in forms.items()}, BY_TAU)


BY_TAU = f"from τ = {TAUS[-1]} down to {TAUS[0]}"


def slower(results: Results) -> Verdict:
    """Whether the loss is the higher, the smaller τ is, while there are few rows."""
    names = [BPM.format(tau) for tau in TAUS[::-1]]
    return sorted_out({f"after {rows:,} rows": rising(after(results, rows), names) for rows in (200, 500, 1_000, 2_000)}, BY_TAU)


def better_in_the_end(results: Results) -> Verdict:
    """Whether the loss is the lower, the smaller τ is, for the three of Table 1."""
    names = [BPM.format(tau) for tau in TAUS if tau >= TAU]
    cases = {f"after {rows:,} rows": rising(after(results, rows), names) for rows in (1_000, 5_000, 20_000)}
    return sorted_out(cases, "with τ = 0.3, 0.6 and 0.9")


def cost(results: Results) -> Verdict:
    """Whether all members together make no more than twice τN times the updates of PRank."""
    verdicts = [below(results, COST.format(tau), 2.0) for tau in TAUS]
    told = ", ".join(f"{shown(results, COST.format(tau))} τN with τ = {tau}" for tau in TAUS)
    lead = f"a row is shown to τN members, here N = {MEMBERS}; updates of all by those of one PRank"
    return at_most_consistent(every(verdicts, f"{lead}: {told}"))


def in_order(results: Results) -> Verdict:
    """Whether no mean threshold was ever above the next."""
    least = float(results.values(GAP).min())
    return Verdict(CONSISTENT if least >= 0 else FAILS, f"the least gap was {least:g} in {len(results)} trials")


def fewer(results: Results) -> Verdict:
    """Whether all members are better than the first alone."""
    names = [FIRST.format(size) for size in SIZES]
    return Verdict(less(results, names[-1], names[0]).word, f"{named(results, names)}, after {LOOK_AT:,} rows")


def centred(results: Results) -> Verdict:
    """Whether OAP-BPM's projections are nearer to the middle than PRank's."""
    ours, other = (OFF.format(name) for name in (BPM.format(TAU), PRANK))
    told = f"median distance {shown(results, ours)} half widths, PRank {shown(results, other)}"
    return Verdict(less(results, ours, other).word, told)


def draw(results: Results, figure: Any) -> None:
    """Losses as rows come in, and how members differ."""
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
    right.spines[["top", "right"]].set_visible(False)
    right.grid(color="#E5E5E5", linewidth=0.6)


TAU_AND_N = Experiment(
    name="harrington-tau",
    paper="harrington",
    title="Harrington, section 3: what τ and N do, and what they cost",
    about="The paper argues that a smaller τ, the probability that a member sees a row, makes the members differ more and learn "
    "more slowly, and that N members cost about τN times as much as one PRank. Here the loss on fresh rows of the synthetic "
    "problem is measured as rows come in; after 5,000 rows, how much the 100 members differ, how often they were updated, "
    "and how good the first few of them would be alone.",
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
