"""Harrington, Table 1 and the numbers of section 4.1: losses on fresh rows of the synthetic problem."""

from __future__ import annotations

from typing import Any

from ranktron.data import synthetic

from ..experiment import Claim, Experiment, Numbers
from ..judging import HOLDS, Verdict
from ..plots import BLUE, ORANGE, SKY, YELLOW
from ..results import Results
from ..rules import beaten, by_case, every, means_text, of_case, part, rising
from .cells import ROUNDED, UNROUNDED, Mark, claims_of, draw_cells, oap_cells, prank_cells, printed_of, wh_cells
from .judging import lowest, spreads
from .methods import BAGG, BPM, MEMBERS, PLUS_ONE, PRANK, PRANK_VP, REAL, VOTES, VP, WH, Methods

RANKS, FRESH, SIZES = 5, 1_000, (5_000, 50_000)
STEP, STEPS, TAUS = 0.1, (0.2, 0.1, 0.05, 0.01), (0.3, 0.6, 0.9)
# The text says 50,000 examples where it describes the data, and 5000 twice where it describes the results.
FEWER, MORE = CASES = tuple(f"after {size:,} rows" for size in SIZES)
KINDS = {ROUNDED: "{}", UNROUNDED: REAL}

TEXT = [*prank_cells(prank=(0.37, 0.07), prank_vp=(0.31, 0.00)), *wh_cells({STEP: (0.30, 0.2)})]
TABLE = oap_cells(
    bpm={0.3: (0.23, 0.01), 0.6: (0.24, 0.03), 0.9: (0.26, 0.03)},
    bagg={0.3: (0.33, 0.01), 0.6: (0.31, 0.02), 0.9: (0.32, 0.03)},
    vp={0.3: (0.32, 0.01), 0.6: (0.31, 0.02), 0.9: (0.31, 0.03)},
)


def trial(seed: int, data: Any = None, sizes: tuple[int, ...] = SIZES, fresh: int = FRESH, members: int = MEMBERS) -> Numbers:
    """The losses of all methods on the same fresh rows, after fewer rows and after more."""
    X, y = synthetic.crammer_singer(sizes[-1] + fresh, seed=seed)
    methods = Methods(RANKS, STEPS, TAUS, seed, members)
    numbers: Numbers = {}
    for start, stop in zip((0, *sizes), sizes):
        methods.learn(X[start:stop], y[start:stop])
        losses = methods.losses(X[sizes[-1] :], y[sizes[-1] :])
        numbers |= of_case(f"after {stop:,} rows", losses)
    return numbers


def bpm_is_lowest(results: Results) -> Verdict:
    """Whether OAP-BPM is below all others at every τ, by the number of rows, the kind of vote, and with and without rounding."""
    cases = {}
    for case in CASES:
        own = part(results, case)
        for kind, form in KINDS.items():
            for votes in VOTES:
                verdicts = [lowest(own, BPM.format(tau), rivals(form, tau, votes)) for tau in TAUS]
                text = next((verdict.reason for verdict in verdicts if verdict.word != HOLDS), verdicts[-1].reason)
                cases[f"{kind}, votes {votes}, {case}"] = every(verdicts, text)
    return by_case(cases)


def rivals(form: str, tau: float, votes: str) -> list[str]:
    """The other methods in the comparison."""
    return [PRANK, WH.format(STEP), *(form.format(name) for name in (PRANK_VP, BAGG.format(tau), VP.format(votes, tau)))]


def better_than_singles(results: Results) -> Verdict:
    """Whether OAP-BPM is below PRank and WH at every τ."""
    cases = {}
    for case in CASES:
        for tau in TAUS:
            cases[f"tau {tau} {case}"] = lowest(part(results, case), BPM.format(tau), (PRANK, WH.format(STEP)))
    return by_case(cases)


def narrower(results: Results) -> Verdict:
    """Whether the losses vary less between trials for smaller τ."""
    methods = {"OAP-BPM": BPM, "OAP-Bagg": REAL.format(BAGG)}
    methods |= {f"OAP-VP by {votes}": REAL.format(VP).replace("{}", votes, 1) for votes in VOTES}
    cases = {}
    for case in CASES:
        for method, form in methods.items():
            names = [form.format(tau) for tau in TAUS]
            cases[f"{method} {case}"] = rising(spreads(part(results, case), names), names)
    return by_case(cases, "mean distance from the median, by τ")


def best_step(results: Results) -> Verdict:
    """Whether the text's step is the best of the four on fresh rows."""
    names = [WH.format(step) for step in STEPS]
    cases = {}
    for case in CASES:
        own = part(results, case)
        others = [name for name in names if name != WH.format(STEP)]
        cases[case] = beaten(own, WH.format(STEP), others)._replace(reason=means_text(own, names))
    return by_case(cases)


def draw(results: Results, figure: Any) -> None:
    """Draw the printed numbers and the measured ones."""
    marks = [
        Mark(FEWER, UNROUNDED, BLUE, "5,000 rows, real numbers"),
        Mark(FEWER, ROUNDED, SKY, "5,000 rows, ranks"),
        Mark(MORE, UNROUNDED, ORANGE, "50,000 rows, real numbers"),
        Mark(MORE, ROUNDED, YELLOW, "50,000 rows, ranks"),
    ]
    axes = figure.subplots()
    draw_cells(axes, results, [*TEXT, *TABLE], marks)
    axes.set_xlim(0.1, 0.52)
    axes.set_xlabel("mean rank loss on fresh rows (ranks); grey: as printed; OAP-VP has a dot for each kind of vote")
    axes.legend(frameon=False, fontsize=9, loc="lower right")


CLAIMS = (
    *claims_of(TEXT, CASES, "Section 4.1, text"),
    *claims_of(TABLE, CASES, "Table 1"),
    Claim(
        "OAP-BPM has the lowest averaged rank loss over the three choices of τ.",
        "Section 4.1, on Table 1; section 5",
        bpm_is_lowest,
    ),
    Claim("OAP-BPM performs better than PRank and online regression.", "Abstract; section 5", better_than_singles),
    Claim("As τ is made smaller so is the confidence interval.", "Section 4.1, on Table 1", narrower),
    Claim("WH is best with η = 0.1, of 0.2, 0.1, 0.05 and 0.01.", "Section 4.1, text: the step that is given", best_step),
)

TABLE_1 = Experiment(
    name="harrington-table-1",
    paper="harrington",
    title="Harrington, Table 1: fresh rows of the synthetic problem",
    about="All methods learn the same stream of ranked points in one pass, and then rank 1,000 fresh points. The paper gives "
    "50,000 rows in one place and 5,000 in two others, so both are run. OAP has 100 members, each of which sees a row with "
    "probability τ. Bagging and voting predict the mean of the members' ranks: as a real number, as in the paper's formulas, "
    "or rounded to a rank. The votes of a member of OAP-VP are its correct predictions in all, those since its last update, "
    "or one more than these.",
    trial=trial,
    trials=100,
    quick=4,
    seconds=9.0,
    printed=(
        *printed_of(TEXT, MORE, "Section 4.1", "correct"),
        *printed_of(TABLE, MORE, "Table 1", "correct"),
        *printed_of(TEXT, FEWER, "Section 4.1, read as 5,000 rows", "survival"),
        *printed_of(TABLE, FEWER, "Table 1, read as 5,000 rows", PLUS_ONE),
    ),
    claims=CLAIMS,
    draw=draw,
)
