"""Crammer & Singer, Figure 6: the claims about the synthetic stream, and the figure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..experiment import Claim, Experiment, Printed
from ..judging import FAILS, HOLDS, UNDECIDED, Verdict, less
from ..plots import BLACK, BLUE, GREEN, ORANGE, PINK, SKY, Look, curves, name_ends
from ..results import Results
from ..rules import BY_ROUND, after, beat, beaten, by_case, constantly, every, exactly, mean_text, means_text
from .synthetic import MARKS, MCP, METHODS, NO_PRANK, POINTS, ROUNDS, WH, trial

OURS = ("PRank", "Si-PRank")
INITIALLY = (100, 200)
# PRank overtakes after about 500 rounds if it is behind after half as many and ahead after twice as many.
EARLIER, ABOUT, LATER = 250, 500, 1_000
# The height of a symbol, as a share of the axis.
SYMBOL = 1 / 30
DRAWN = ("PRank", "Si-PRank", "MCP, max", "WH, step 0.05")


def worse_constantly(results: Results, than: tuple[str, ...]) -> Verdict:
    """Whether MCP is above each of these at every mark."""
    pairs = {f"{mcp} against {rival}": (rival, mcp) for mcp in MCP for rival in than}
    text = [
        f"after {count:,} rounds {means_text(after(results, POINTS, count), (*MCP, *than))}" for count in (MARKS[0], MARKS[-1])
    ]
    return by_case({case: constantly(results, POINTS, MARKS, *pair) for case, pair in pairs.items()}, "; ".join(text))


def smallest_initially(results: Results) -> Verdict:
    """Whether WH is below the others at the start, for each of its steps."""
    others = "; ".join(f"{name} {_early(results, name)}" for name in (*OURS, *MCP))
    lead = f"after {' and '.join(map(str, INITIALLY))} rounds ({others})"
    return by_case({name: _is_smallest(results, name) for name in WH}, lead)


def _is_smallest(results: Results, wh: str) -> Verdict:
    parts = [beaten(after(results, POINTS, count), wh, (*OURS, *MCP)) for count in INITIALLY]
    return every(parts, _early(results, wh))


def _early(results: Results, name: str) -> str:
    return " and ".join(mean_text(after(results, POINTS, count), name) for count in INITIALLY)


def overtaken(results: Results) -> Verdict:
    """Whether PRank and Si-PRank overtake each rival at about the claimed round."""
    return by_case({name: _is_overtaken(results, name) for name in (*WH, *MCP)}, link="against")


def _is_overtaken(results: Results, rival: str) -> Verdict:
    early, late = after(results, POINTS, EARLIER), after(results, POINTS, LATER)
    parts = [less(late, ours, rival) for ours in OURS]
    parts += [less(early, rival, ours) for ours in OURS if rival in WH]
    return every(parts, " and ".join(f"{ours} {crossing(results, ours, rival)}" for ours in OURS))


def crossing(results: Results, low: str, high: str) -> str:
    """The round from which on one mean curve is below another, as text."""
    under = results.curve(BY_ROUND.format(low))[0] < results.curve(BY_ROUND.format(high))[0]
    if not under[-1]:
        return "not ahead in the end"
    above = np.flatnonzero(~under)
    return f"ahead from round {POINTS[above[-1] + 1] if len(above) else 1:,}"


def lower_eventually(results: Results) -> Verdict:
    """Whether PRank and Si-PRank end below each rival."""
    return by_case({name: beat(results, OURS, name) for name in (*WH, *MCP)}, means_text(results, OURS), "against")


def with_one_step(results: Results) -> Verdict:
    """Whether all claims about WH hold with some step."""
    cases = {
        name: every([_is_smallest(results, name), _is_overtaken(results, name), beat(results, OURS, name)], "") for name in WH
    }
    fitting = [name for name, verdict in cases.items() if verdict.word == HOLDS]
    if fitting:
        others = ", ".join(name for name in WH if name not in fitting)
        return Verdict(HOLDS, f"so it is with {' and with '.join(fitting)}" + (f", and not with {others}" if others else ""))
    if any(verdict.word == UNDECIDED for verdict in cases.values()):
        return Verdict(UNDECIDED, "too few trials to tell")
    return Verdict(FAILS, f"with none of {', '.join(WH)}")


def better_single(results: Results) -> Verdict:
    """Whether Si-PRank is below PRank, early, later and in the end."""
    cases = {}
    for count in (100, ABOUT, 2_000, ROUNDS):
        now = after(results, POINTS, count)
        word = less(now, "Si-PRank", "PRank").word
        cases[f"{count:,} rounds"] = Verdict(word, f"{mean_text(now, 'Si-PRank')} against {mean_text(now, 'PRank')}")
    return by_case(cases, link="after")


def improved_margins(results: Results) -> Verdict:
    """Whether No-PRank loses less with margins that are not fixed."""
    fixed, *others = NO_PRANK
    return by_case({name: beaten(results, name, [fixed]) for name in others}, means_text(results, [fixed]))


def narrower_than_symbols(results: Results) -> Verdict:
    """Whether the intervals are narrower than symbols whose height is a thirtieth of the axis."""
    if len(results) < 100:
        return Verdict(UNDECIDED, "it is said of 100 runs")
    first, bands = POINTS.index(ABOUT), [results.curve(BY_ROUND.format(name)) for name in DRAWN]
    widest = 2 * max(float(half[first:].max()) for _, half in bands)
    symbol = SYMBOL * max(float(value[first:].max()) for value, _ in bands)
    text = f"from round {ABOUT} on the widest interval is {widest:.3f} ranks; a thirtieth of the axis is {symbol:.3f}"
    return Verdict(HOLDS if widest < symbol else FAILS, text)


def draw(results: Results, figure: Any) -> None:
    """Draw the whole run as in the paper, and the first 1,000 rounds beside it; dashed curves are not in the paper."""
    looks = {
        "PRank": Look(BLUE),
        "Si-PRank": Look(SKY),
        "MCP, max": Look(ORANGE, label="MCP"),
        **{name: Look(GREEN, ":", 1.1) for name in WH},
        "WH, step 0.05": Look(GREEN),
        "No-PRank, loss": Look(PINK, "--", 1.2),
        "averaged PRank": Look(BLACK, "--", 1.2),
    }
    figure.set_size_inches(9.5, 4.4)
    whole, start = figure.subplots(1, 2, width_ratios=(3, 2))
    for axes in (start, whole):
        curves(axes, results, POINTS, looks)
        axes.set_xlabel("rounds")
    whole.set(xlim=(0, ROUNDS), ylim=(0.2, 1.4), ylabel="time-averaged rank loss (ranks)")
    start.set(xlim=(0, LATER), ylim=(0.6, 1.6), title="the first 1,000 rounds")
    name_ends(whole, results, looks)


_SAYS: tuple[tuple[str, str, Callable[[Results], Verdict]], ...] = (
    (
        "PRank has n + k − 1 parameters, MCP kn and WH n: MCP builds the most complex hypothesis, WH the simplest.",
        "Section 6, first paragraph",
        partial(exactly, wanted={"parameters of PRank": 10.0, "parameters of MCP": 30.0, "parameters of WH": 6.0}),
    ),
    ("MCP is constantly worse than PRank.", "Section 6, on Figure 6", partial(worse_constantly, than=("PRank",))),
    ("MCP is constantly worse than WH.", "Section 6, on Figure 6", partial(worse_constantly, than=tuple(WH))),
    ("WH initially suffers the smallest loss.", "Section 6, on Figure 6", smallest_initially),
    ("After about 500 rounds both PRank and Si-PRank start to outperform MCP and WH.", "Section 6, on Figure 6", overtaken),
    (
        "Eventually the loss of PRank and Si-PRank is significantly lower than that of both WH and MCP.",
        "Section 6, on Figure 6; abstract: our algorithms outperform online regression and classification",
        lower_eventually,
    ),
    (
        "WH's step is one constant, so one step bears out all that is said of WH.",
        "Section 6, first paragraph: we fixed its learning rate to a constant value",
        with_one_step,
    ),
    ("In practice Si-PRank performs slightly better than PRank.", "End of section 3; section 7", better_single),
    ("The symbols are larger than the 95 % intervals.", "Section 6, on Figure 6", narrower_than_symbols),
    (
        "Margins of β|y − ŷ|, or that grow with the distance to the threshold, may improve No-PRank.",
        "End of section 4, left to future research",
        improved_margins,
    ),
)

FIGURE_6 = Experiment(
    name="crammer-singer-figure-6",
    paper="crammer-singer",
    title="Crammer & Singer, Figure 6: the synthetic stream",
    about="Points of a square have ranks 1 to 5: the product of their coordinates, with a little noise, cut at four places. "
    "In each of 8,000 rounds the model predicts the rank of a point, and then learns it. The measure is the mean distance "
    "from the true rank so far. The kernel (x·z + 1)² is the map to six features. The paper states neither WH's step nor "
    "MCP's update, so several are run. No-PRank and averages, which the paper does not run, are added.",
    trial=trial,
    trials=100,
    quick=100,
    seconds=0.1,
    printed=(
        Printed("parameters of PRank", 10, "Section 6: n + k − 1 with n = 6, k = 5"),
        Printed("parameters of MCP", 30, "Section 6: kn with n = 6, k = 5"),
        Printed("parameters of WH", 6, "Section 6: n with n = 6"),
    ),
    claims=tuple(Claim(*each) for each in _SAYS),
    draw=draw,
    axes={BY_ROUND.format(name): [float(count) for count in POINTS] for name in METHODS},
)
