"""Crammer & Singer, Figures 1 and 4: one update of PRank, and the margin that No-PRank requires."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import ranktron
from ranktron.data import synthetic

from ..experiment import Claim, Experiment, Numbers, Printed
from ..judging import FAILS, HOLDS, Verdict, at_most_consistent
from ..results import Results
from ..rules import by_case, exactly
from .lines import draw_margins, draw_update

ROWS = [[-1.5, 1.75], [-1.5, 0.75], [-1.5, -1.75], [-2.0, 0.0], [1.75, 0.0], [-0.75, 1.5]]
# After these rows every variant gives ``ROW`` rank 1, as in the paper's figure, and PRank gives it rank 3 after one update.
RANKS = [4, 3, 2, 2, 1, 4]
ROW, RANK = [[1.0, -0.25]], 4
CLASSES = [1, 2, 3, 4, 5]
MARGINS = ("fixed", "loss", "distance")
WIDTH, RELATIVE_WIDTH = "width of rank 4, β {}", "width of rank 4 by the length of (w, b), β {}"


def update_trial(seed: int, data: Any = None) -> Numbers:
    """A row of rank 4 to which PRank gives rank 1, before and after the update; nothing is random."""
    model = ranktron.PRank(average=False, classes=CLASSES).partial_fit(ROWS, RANKS)
    numbers, coef = _state(model, "before"), model.coef_.copy()
    model.partial_fit(ROW, [RANK])
    numbers |= _state(model, "after")
    length = float(np.sum(np.square(ROW)))
    falls = {f"fall of b{r}": numbers[f"b{r} before"] - numbers[f"b{r} after"] for r in range(1, 5)}
    times = float((model.coef_ - coef) @ ROW[0]) / length
    return {"true rank": float(RANK), "‖x‖²": length, "times x added to w": times, **falls, **numbers}


def _state(model: Any, when: str) -> dict[str, float]:
    """The projection of the row, the thresholds, and the predicted rank."""
    thresholds = {f"b{r} {when}": float(b) for r, b in enumerate(model.thresholds_, 1)}
    return {f"predicted rank {when}": float(model.predict(ROW)[0]), f"w·x {when}": float(model.project(ROW)[0]), **thresholds}


def margin_trial(seed: int, data: Any = None, n_rows: int = 300) -> Numbers:
    """The same row and No-PRank with its three margins; then a stream, to check every update."""
    numbers: dict[str, float] = {}
    for margin in MARGINS:
        model = ranktron.NoPRank(average=False, classes=CLASSES, margin=margin).partial_fit(ROWS, RANKS)
        numbers |= _state(model, f"before, {margin}")
        model.partial_fit(ROW, [RANK])
        numbers |= _state(model, f"after, {margin}")
        numbers[f"least margin over the margin asked for, {margin}"] = least_margin(margin, n_rows)
    return {**numbers, **separations()}


def least_margin(margin: str, n_rows: int) -> float:
    """The least distance of a row from a threshold after an update of a stream, in units of the required margin."""
    model, least = ranktron.NoPRank(average=False, classes=CLASSES, margin=margin), np.inf
    for row, rank in zip(*synthetic.crammer_singer(n_rows, seed=0), strict=True):
        predicted = model.predict_one(row)
        model.learn_one(row, rank)
        if predicted != rank:
            r = np.arange(1, 5)
            sides = np.where(rank > r, 1.0, -1.0)
            wanted = {"fixed": 1.0, "loss": abs(rank - predicted), "distance": np.where(rank > r, rank - r, r + 1 - rank)}[margin]
            least = min(least, float((sides * (model.project([row])[0] - model.thresholds_) / wanted).min()))
    return least


def separations(betas: tuple[float, float] = (1.0, 2.0)) -> dict[str, float]:
    """The width of the interval of the row's rank, absolute and relative to the length of (w, b)."""
    numbers: dict[str, float] = {}
    for beta in betas:
        model = ranktron.NoPRank(average=False, classes=CLASSES, beta=beta).partial_fit(ROWS + ROW, [*RANKS, RANK])
        gap = float(model.thresholds_[RANK - 1] - model.thresholds_[RANK - 2])
        length = float(np.linalg.norm([*model.coef_, *model.thresholds_]))
        numbers |= {WIDTH.format(f"{beta:g}"): gap, RELATIVE_WIDTH.format(f"{beta:g}"): gap / length}
    return numbers


def grows_by_its_length(results: Results) -> Verdict:
    """Whether w·x grew by 3 ‖x‖²."""
    before, after, length, times = (
        float(results.values(name)[0]) for name in ("w·x before", "w·x after", "‖x‖²", "times x added to w")
    )
    is_so = abs(times - 3) < 1e-9 and abs(after - before - 3 * length) < 1e-9
    return Verdict(
        HOLDS if is_so else FAILS, f"w + {times:g}x, and w·x grows from {before:g} by {after - before:g}, ‖x‖² being {length:g}"
    )


def is_met(results: Results) -> Verdict:
    """Whether every update reaches the required margin."""
    least = {margin: float(results.values(f"least margin over the margin asked for, {margin}").min()) for margin in MARGINS}
    cases = {margin: Verdict(HOLDS if value > 1 - 1e-9 else FAILS, f"{value:.6g}") for margin, value in least.items()}
    lead = "the least distance after an update, in units of the margin asked for"
    return at_most_consistent(by_case(cases, lead, "with the margin"))


def separates_better(results: Results) -> Verdict:
    """Whether a larger β gives a wider interval."""
    widths = {
        "distances as they are": WIDTH,
        "distances by the length of (w, b), which is what predictions depend on": RELATIVE_WIDTH,
    }
    cases = {}
    for case, name in widths.items():
        narrow, wide = (float(results.values(name.format(beta))[0]) for beta in (1, 2))
        cases[case] = Verdict(HOLDS if wide > narrow * (1 + 1e-9) else FAILS, f"{narrow:.4g} with β 1, {wide:.4g} with β 2")
    return by_case(cases)


FIGURE_1 = Experiment(
    name="crammer-singer-figure-1",
    paper="crammer-singer",
    title="Crammer & Singer, Figure 1: an update of PRank",
    about="A rule ranks a row by the place of its projection w·x among ordered thresholds. Here the projection of a row of "
    "rank 4 is below all four thresholds, so the prediction is rank 1. PRank lowers each of the three thresholds that should "
    "be below the projection by one, and adds 3x to w. The paper's figure has no scale; here the state is that of PRank after "
    "six rows.",
    trial=update_trial,
    trials=1,
    quick=1,
    seconds=0.1,
    printed=(
        Printed("true rank", 4, "Figure 1, caption"),
        Printed("predicted rank before", 1, "Figure 1, caption"),
        Printed("predicted rank after", 3, "Figure 1, caption"),
        Printed("times x added to w", 3, "Section 2: w becomes w + 3x"),
        *(Printed(f"fall of b{r}", 1, "Section 2: b1, b2 and b3 decrease by a unit value") for r in (1, 2, 3)),
    ),
    claims=(
        Claim(
            "The update decreases b1, b2 and b3 by one unit and leaves b4.",
            "Section 2 and Figure 1, centre",
            partial(exactly, wanted={"fall of b1": 1.0, "fall of b2": 1.0, "fall of b3": 1.0, "fall of b4": 0.0}),
        ),
        Claim("w becomes w + 3x, so w·x increases by 3‖x‖².", "Section 2 and Figure 1, centre", grows_by_its_length),
        Claim(
            "After the update the predicted rank is 3, closer to the true rank 4 than 1 was.",
            "Section 2 and Figure 1, bottom",
            partial(exactly, wanted={"predicted rank before": 1.0, "predicted rank after": 3.0, "true rank": 4.0}),
        ),
    ),
    draw=draw_update,
)

FIGURE_4 = Experiment(
    name="crammer-singer-figure-4",
    paper="crammer-singer",
    title="Crammer & Singer, Figure 4: the margin of No-PRank",
    about="No-PRank makes the smallest change after which the row has its rank and lies at least a margin away from every "
    "threshold. The margin is β, β times the size of the mistake, or β times the number of ranks to the threshold; section 4 "
    "proposes the last two at its end. The state is that after the same six rows as in Figure 1.",
    trial=margin_trial,
    trials=1,
    quick=1,
    seconds=0.6,
    claims=(
        Claim(
            "After an update the row lies at least the margin away from every threshold.",
            "Section 4, equation 4.1 and Figure 4",
            is_met,
        ),
        Claim(
            "The larger β is, the better is the separation between the rank levels.",
            "Section 4, after Theorem 3",
            separates_better,
        ),
    ),
    draw=draw_margins,
)
