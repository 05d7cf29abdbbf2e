"""Jain, Natarajan & Tewari, Figure 1 (a) and (b): the claims about lists that are learned with three representations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ..experiment import Claim, Experiment
from ..judging import FAILS, HOLDS, UNDECIDED, Verdict, below, less
from ..results import Results
from ..rules import by_case, every, rising
from .drawing import draw_by_count, draw_by_length
from .judging import number_text, numbers_text, picked
from .lists import (
    ALMOST_ZERO,
    CENTRES,
    COUNTS,
    DOCUMENTS,
    FEATURES,
    LARGE,
    LENGTHS,
    LENGTHS_LISTS,
    POWERS,
    READINGS,
    TESTS,
    learning,
    lengthening,
)

F1, F2, F3 = POWERS
EARLY, LATE = COUNTS.index(60), COUNTS.index(100)
# A bound is called tight if a hundredth of it is reached.
TIGHT = 0.01


def by_reading(results: Results, judge: Callable[[Results, str], Verdict]) -> Verdict:
    """The verdict on a claim, by reading."""
    return by_case({reading: judge(results, reading) for reading in READINGS})


def _losses(results: Results, reading: str, place: int | None = None) -> Results:
    """The losses of the three representations, at a place of their curves or on average."""
    return picked(results, {name: f"{name}, {reading}" for name in POWERS}, place)


def more_accurate(results: Results, reading: str) -> Verdict:
    """Whether -i^1.1 loses less than 1/i, on average over the curve."""
    losses = _losses(results, reading)
    return Verdict(less(losses, F2, F1).word, numbers_text(losses, (F1, F2)))


# Figure 1(a)


def almost_0(results: Results, reading: str) -> Verdict:
    """Whether f₂ and f₃ are almost without loss after 60 lists."""
    losses = _losses(results, reading, EARLY)
    return every([below(losses, name, ALMOST_ZERO) for name in (F2, F3)], numbers_text(losses, (F2, F3)))


def still_large(results: Results, reading: str) -> Verdict:
    """Whether f₁ still has a large loss after 100 lists."""
    losses = _losses(results, reading, LATE)
    large = losses.of_columns({"loss": -losses.values(F1)})
    return Verdict(below(large, "loss", -LARGE).word, numbers_text(losses, (F1,)))


def all_in_one(results: Results) -> Verdict:
    """Whether the description of Figure 1(a) is right in some reading."""
    parts = more_accurate, almost_0, still_large
    words = {reading: every([part(results, reading) for part in parts], "").word for reading in READINGS}
    fitting = [reading for reading, word in words.items() if word == HOLDS]
    if fitting:
        return Verdict(
            HOLDS, f"so it is with {' and with '.join(fitting)}; not with the other {len(words) - len(fitting)} readings"
        )
    word = UNDECIDED if UNDECIDED in words.values() else FAILS
    return Verdict(word, f"with none of {len(words)} readings{' for sure' if word == UNDECIDED else ''}")


def larger_margins(results: Results) -> Verdict:
    """Whether w* has a larger γ in Lemma 4 under f₂ and f₃ than under f₁."""
    cases = {}
    for centres in CENTRES:
        margins = picked(results, {name: f"margin, {name}, {centres}" for name in POWERS})
        cases[centres] = every([less(margins, F1, name) for name in (F2, F3)], numbers_text(margins))
    return by_case(cases)


def separable(results: Results) -> Verdict:
    """Whether w* is compatible with all lists, which it needs for a margin."""
    shares = {centres: float(results.values(f"lists that w* is compatible with, {centres}").mean()) for centres in CENTRES}
    listed = ", ".join(f"{centres} {number_text(share)}" for centres, share in shares.items())
    word = HOLDS if min(shares.values()) == 1 else FAILS
    return Verdict(word, f"the share of lists inside whose grades w* scores all documents alike: {listed}")


def tight(results: Results) -> Verdict:
    """Whether a hundredth of Corollary 5's bound is reached, for -i^1.1."""
    most = max(float(results.values(f"total loss over the bound, {reading}").max()) for reading in READINGS)
    text = f"the total loss of {COUNTS[-1]} lists is at most {number_text(most)} of the bound, in any reading"
    return Verdict(HOLDS if most >= TIGHT else FAILS, text)


def worse_below(results: Results, reading: str) -> Verdict:
    """Whether neighbours of low grades are in wrong order more often than those of high grades."""
    halves = picked(results, {half: f"{half} grades in wrong order, {reading}" for half in ("high", "low")})
    return Verdict(less(halves, "high", "low").word, numbers_text(halves))


# Figure 1(b)


def rises(results: Results, reading: str) -> Verdict:
    """Whether each of the three losses rises from the shortest lists to the longest and falls nowhere between."""
    curves = {name: results.values(f"{name}, {reading}") for name in POWERS}
    return every([_rise(results, curve) for curve in curves.values()], _listed(curves))


def _rise(results: Results, curve: np.ndarray) -> Verdict:
    columns = {str(place): column for place, column in enumerate(curve.T)}
    return rising(results.of_columns(columns), list(columns))


def _listed(curves: dict[str, np.ndarray]) -> str:
    means = {name: curve.mean(axis=0).tolist() for name, curve in curves.items()}
    return "; ".join(f"{name} {', '.join(map(number_text, values))}" for name, values in means.items())


def longer_without_loss(results: Results, reading: str) -> Verdict:
    """Whether f₂ and f₃ are almost without loss on longer lists than f₁ is."""
    found = picked(results, {name: f"longest lists without loss, {name}, {reading}" for name in POWERS})
    return every([less(found, F1, name) for name in (F2, F3)], f"{numbers_text(found)} documents")


def margins_fall(results: Results) -> Verdict:
    """Whether γ of Lemma 4 under w* falls from the shortest lists to the longest and rises nowhere between."""
    cases = {}
    for centres in CENTRES:
        curves = {name: results.values(f"margin, {name}, {centres}") for name in POWERS}
        cases[centres] = every([_rise(results, curve[:, ::-1]) for curve in curves.values()], _listed(curves))
    return by_case(cases)


ABOUT = (
    "Documents are drawn around centres μ_i. Their grades follow from ⟨x, w*⟩ and the thresholds 1/2, 1/3, 1/4, …. "
    "Predtron learns to order lists with step 1 and three representations of places, and its last hypothesis is tested on "
    f"{TESTS} other lists. The paper does not state the centres, the distance of documents from them, the number of features, "
    f"or the order within a grade that is aimed at. Four kinds of centres and two orders are run, with {FEATURES} features. "
    f"A loss below {ALMOST_ZERO:g} is called almost 0, and one above {LARGE:g} large."
)

FIGURE_1A = Experiment(
    name="predtron-figure-1a",
    paper="predtron",
    title="Predtron, Figure 1(a): three representations, by the number of lists",
    about=f"{ABOUT} Here a list has {DOCUMENTS} documents.",
    trial=learning,
    trials=40,
    quick=5,
    seconds=3.2,
    claims=(
        Claim("-i^1.1 is more accurate than 1/i, with varying n.", "Figure 1, caption", partial(by_reading, judge=more_accurate)),
        Claim(
            "The loss goes to almost 0 for f₂ = -i^1.1 and f₃ = -i² with just 60 training points.",
            "Section 6, on Figure 1(a)",
            partial(by_reading, judge=almost_0),
        ),
        Claim(
            "f₁ = 1/i has large loss even with 100 training points.",
            "Section 6, on Figure 1(a)",
            partial(by_reading, judge=still_large),
        ),
        Claim("All three at once, with one way to draw the data.", "Section 6, on Figure 1(a)", all_in_one),
        Claim(
            "By Lemma 4 the mistake bound is better for f₂ and f₃ than for f₁.",
            "Section 6, on Figure 1(a): the γ of Lemma 4's inequality, which the bound has in its denominator",
            larger_margins,
        ),
        Claim(
            "The lists meet the premise of Lemma 4 and Corollary 5: w* is compatible with their grades.",
            "Section 6 with section 2.2; it is implied where the lemmas are said to predict the figure",
            separable,
        ),
        Claim(
            "Results match the trend of the error bounds, hence hinting at tightness.",
            "Section 6, first paragraph; tight if a hundredth is reached",
            tight,
        ),
        Claim(
            "Gaps between lower-ranked documents are small, hence chances of mistakes lower down the list are higher.",
            "Section 6, third paragraph; by -i^1.1 after 100 lists",
            partial(by_reading, judge=worse_below),
        ),
    ),
    draw=draw_by_count,
    axes={f"{name}, {reading}": [float(count) for count in COUNTS] for name in POWERS for reading in READINGS},
)

FIGURE_1B = Experiment(
    name="predtron-figure-1b",
    paper="predtron",
    title="Predtron, Figure 1(b): three representations, by the length of lists",
    about=f"{ABOUT} Here {LENGTHS_LISTS} lists are learned.",
    trial=lengthening,
    trials=40,
    quick=5,
    seconds=2.4,
    claims=(
        Claim("-i^1.1 is more accurate than 1/i, with varying m.", "Figure 1, caption", partial(by_reading, judge=more_accurate)),
        Claim(
            "Predtron with these functions has monotonically increasing loss as m grows.",
            "Section 6, on Figure 1(b); from each length of lists to the next, for each function",
            partial(by_reading, judge=rises),
        ),
        Claim(
            "f₂ and f₃ provide zero-loss solutions for larger m when compared to f₁.",
            "Section 6, on Figure 1(b)",
            partial(by_reading, judge=longer_without_loss),
        ),
        Claim("Increasing m implies reducing the margin.", "Section 6, on Figure 1(b)", margins_fall),
    ),
    draw=draw_by_length,
    axes={f"{name}, {reading}": [float(length) for length in LENGTHS] for name in POWERS for reading in READINGS}
    | {f"margin, {name}, {centres}": [float(length) for length in LENGTHS] for name in POWERS for centres in CENTRES},
)
