"""Crammer & Singer, Figure 7: the claims about people's ratings, and the figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from ..experiment import Claim, Experiment, Printed
from ..judging import FAILS, HOLDS, UNDECIDED, Verdict, less
from ..plots import BLACK, BLUE, GREEN, GREY, ORANGE, PINK, SKY, YELLOW, Look, curves, name_ends
from ..results import Results
from ..rules import BY_ROUND, after, beat, by_case, constantly, every, mean_text, means_text
from .ratings import AVERAGED, DATA_SET, MEDIAN, METHODS, MU_PRANK, STEPS, WH, load, trial
from .synthetic import MCP

OURS = ("PRank", "Si-PRank")
# Si-PRank becomes the best after about 60 rounds if it is not after half as many, and is after 100.
START, EARLIER, ABOUT, LATER = 20, 30, 60, 100
# A method is sensitive to its step if the losses of the best and the worst one differ by this many ranks.
CLEARLY = 0.05


def rounds_of(least: int) -> list[int]:
    """The rounds of curves: all of them."""
    return list(range(1, least + 1))


def better_along(results: Results, rivals: Iterable[str], least: int) -> Verdict:
    """Whether PRank and Si-PRank are below each rival at every mark."""
    marks = [mark for mark in (20, 50, 100, 200) if mark <= least]
    cases = {}
    for rival in rivals:
        parts = {ours: constantly(results, rounds_of(least), marks, ours, rival) for ours in OURS}
        reasons = [f"{ours} {part.reason}" for ours, part in parts.items() if part.word != HOLDS]
        cases[rival] = every(parts.values(), "; ".join([mean_text(results, rival), *reasons]))
    return by_case(cases, means_text(results, OURS), "against")


def slightly_lower(results: Results) -> Verdict:
    """Whether Si-PRank is below PRank."""
    return Verdict(less(results, "Si-PRank", "PRank").word, means_text(results, OURS))


def sensitive(results: Results) -> Verdict:
    """Whether the best step is clearly below the worst."""
    order = sorted(MU_PRANK, key=lambda name: results.mean(name).value)
    return Verdict(less(results, order[0], order[-1], CLEARLY).word, means_text(results, order))


def best_step(results: Results, step: float) -> Verdict:
    """Whether a step is better than the other three."""
    chosen = f"Mu-PRank, η {step:g}"
    others = [name for name in MU_PRANK if name != chosen]
    return every([less(results, chosen, other) for other in others], means_text(results, MU_PRANK))


def for_most_steps(results: Results) -> Verdict:
    """Whether three of the four steps beat three of the four others, with the best MCP and the best of each kind of WH."""
    cases = {}
    mcp, *widrow_hoffs = (min(names, key=lambda name: results.mean(name).value) for names in (MCP, *kinds_of_wh()))
    for wh in widrow_hoffs:
        beaten = [[less(results, name, other) for other in (*OURS, mcp, wh)] for name in MU_PRANK]
        cases[wh] = Verdict(most(most(each) for each in beaten).word, mean_text(results, wh))
    return by_case(cases, f"{means_text(results, MU_PRANK)}; {means_text(results, (*OURS, mcp))}", "with")


def kinds_of_wh() -> list[list[str]]:
    """The names of WH, grouped by what it starts from."""
    kinds = dict.fromkeys(name.split(",")[0] for name in WH)
    return [[name for name in WH if name.split(",")[0] == kind] for kind in kinds]


def most(verdicts: Iterable[Verdict]) -> Verdict:
    """Whether all but at most one hold."""
    words = [verdict.word for verdict in verdicts]
    if words.count(HOLDS) >= len(words) - 1:
        return Verdict(HOLDS, "")
    return Verdict(FAILS if words.count(FAILS) > 1 else UNDECIDED, "")


def best_later(results: Results, least: int) -> Verdict:
    """Whether Si-PRank is behind most steps at the start, not the best a little later, and the best of all after that."""
    start, early, late = (after(results, rounds_of(least), count) for count in (START, EARLIER, LATER))
    is_behind = most([less(start, name, "Si-PRank") for name in MU_PRANK])
    ahead_early, ahead_late = (every([less(now, "Si-PRank", name) for name in MU_PRANK], "") for now in (early, late))
    not_yet = Verdict({HOLDS: FAILS, FAILS: HOLDS}.get(ahead_early.word, UNDECIDED), "")
    text = "; ".join(
        f"after {count} rounds {means_text(now, ['Si-PRank', *MU_PRANK])}"
        for count, now in zip((START, EARLIER, LATER), (start, early, late), strict=True)
    )
    return every([is_behind, not_yet, ahead_late], text)


def outperform(results: Results) -> Verdict:
    """Whether PRank, Si-PRank and Mu-PRank with its best step end below WH and MCP."""
    ours = [*OURS, min(MU_PRANK, key=lambda name: results.mean(name).value)]
    return by_case({rival: beat(results, ours, rival) for rival in (*WH, *MCP)}, means_text(results, ours), "against")


def draw(results: Results, figure: Any, least: int) -> None:
    """Draw the additive algorithms, and the multiplicative one with its steps; dashed curves are not in the paper."""
    additive = {
        "PRank": Look(BLUE),
        "Si-PRank": Look(SKY),
        "MCP, max": Look(ORANGE, label="MCP"),
        "WH with a constant, step 1/R²": Look(GREEN, label="WH with a constant"),
        "WH on centred ranks, step 1/R²": Look(GREEN, "--", 1.2, "WH on centred ranks"),
        MEDIAN: Look(GREY, "--", 1.2),
        AVERAGED: Look(BLACK, "--", 1.2),
    }
    colours = (PINK, ORANGE, YELLOW, GREEN)
    steps = {f"Mu-PRank, η {step:g}": Look(colour) for step, colour in zip(STEPS, colours, strict=True)}
    figure.set_size_inches(9.5, 4.4)
    left, right = figure.subplots(1, 2, sharey=True)
    left.set(
        ylim=(0.6 * results.mean("PRank").value, 1.7 * results.mean("PRank").value), ylabel="time-averaged rank loss (ranks)"
    )
    for axes, looks in ((left, additive), (right, {"Si-PRank": Look(SKY), **steps})):
        curves(axes, results, rounds_of(least), looks)
        axes.set(xlim=(0, least), xlabel="rounds")
        name_ends(axes, results, looks)


def claims(least: int) -> tuple[Claim, ...]:
    """The claims about people with at least ``least`` ratings."""
    step, where = (4, "first") if least == 100 else (0.5, "second")
    says: list[tuple[str, str, Callable[[Results], Verdict]]] = [
        (
            "Along the entire run PRank and Si-PRank are significantly better than WH.",
            "Section 6, on Figure 7",
            partial(better_along, rivals=tuple(WH), least=least),
        ),
        (
            "They are consistently better than the multiclass perceptron, whose hypothesis is much bigger.",
            "Section 6, on Figure 7",
            partial(better_along, rivals=tuple(MCP), least=least),
        ),
        (
            "The loss of Si-PRank is slightly lower than that of PRank.",
            "Section 6, on Figure 7; sections 3 and 7",
            slightly_lower,
        ),
        ("Mu-PRank is sensitive to the learning rate.", "Section 6, on Figure 7", sensitive),
        (
            f"The best learning rate is η = {step:g} for the {where} partition.",
            "Section 6, on Figure 7",
            partial(best_step, step=step),
        ),
        ("Mu-PRank outperforms most others for a broad range of learning rates.", "Section 6, on Figure 7", for_most_steps),
        (
            "Both the additive and multiplicative versions of PRank outperform regression and classification.",
            "Section 6, last paragraph; abstract",
            outperform,
        ),
    ]
    if least == 100:
        later = "After about 60 rounds Si-PRank is the best, while at the start it is behind most copies of Mu-PRank."
        says.append((later, "Section 6, on Figure 7, left", partial(best_later, least=least)))
    return tuple(Claim(*each) for each in says)


def figure_7(least: int, viewers: int) -> Experiment:
    """The experiment with people who have at least ``least`` ratings; the paper counts ``viewers`` of them."""
    return Experiment(
        name=f"crammer-singer-figure-7-{least}",
        paper="crammer-singer",
        title=f"Crammer & Singer, Figure 7: people with at least {least} ratings",
        about=f"A person with at least {least} ratings is drawn. The features of a film are the ratings of others with as "
        "many ratings, from -½ to ½, and 0 where there is none. In each round the person's rating of a film is predicted, and "
        "then learned. The experiment runs on your copy of EachMovie, as in the paper, or else of MovieLens, whose sizes "
        "differ. The paper states neither WH's step nor its initial weights, so several are run. The running median of the "
        "person's own ratings and an averaged No-PRank are added.",
        trial=partial(trial, n_rounds=least),
        trials=500,
        quick=40,
        seconds=0.5,
        printed=(
            Printed("people", 61_265, "Section 6: ratings provided by 61,265 people"),
            Printed("films", 1_623, "Section 6: a collection of 1623 titles"),
            Printed("viewers with so many ratings", viewers, f"Section 6: people who have rated at least {least} movies"),
        ),
        claims=claims(least),
        draw=partial(draw, least=least),
        axes={BY_ROUND.format(name): [float(t) for t in rounds_of(least)] for name in (MEDIAN, *METHODS, *WH)},
        load=partial(load, least),
        data_set=DATA_SET,
    )


FIGURE_7 = (figure_7(100, 7_542), figure_7(200, 1_802))
