"""Jain, Natarajan & Tewari, Figure 1(c): a margin in the ℓ1 norm and one in the ℓ2 norm, where few features matter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ranktron import bounds
from ranktron.data import separable
from ranktron.tasks import SubsetRanking

from ..experiment import Claim, Experiment, Numbers, Printed
from ..growth import logarithmic
from ..judging import CONSISTENT, FAILS, UNDECIDED, Verdict, less
from ..results import Results
from ..rules import by_case, every
from .drawing import draw_links
from .judging import number_text, numbers_text, picked
from .lists import TIES, loss
from .models import predtron

LINKS = {"ℓ1": "l1", "ℓ2": "euclidean"}
WIDTHS, SPARSITIES, RELEVANT, WIDE = (25, 50, 100, 200, 400), (2, 5, 10, 25, 50, 100), 5, 200
# Bounds are computed at these, without learning: a logarithm and a small power differ over a wide range only.
MORE_WIDTHS = (*WIDTHS, 800, 1_600, 3_200)
LISTS, DOCUMENTS, TESTS, STEPS = 100, 10, 100, (1.0, 0.1)
# The loss of ℓ1 rises little if that of ℓ2 rises by this factor more.
MINOR = 3.0
READINGS = [f"ties by {ties}, step {step:g}" for ties in TIES for step in STEPS]
PLAIN = [f"ties by {ties}, step 1" for ties in TIES]
FIRST, LAST = 0, len(WIDTHS) - 1
BOUND = "R² of the bound, {}"


def sparse(
    seed: int,
    data: Any = None,
    widths: Sequence[int] = WIDTHS,
    more_widths: Sequence[int] = MORE_WIDTHS,
    sparsities: Sequence[int] = SPARSITIES,
    wide: int = WIDE,
    lists: int = LISTS,
    tests: int = TESTS,
) -> Numbers:
    """The loss of test lists by the number of features, of which 5 are relevant, and by the number of relevant ones of 200."""
    numbers: Numbers = {}
    problems = [_drawn(seed, width, RELEVANT, lists + tests) for width in widths]
    for ties in TIES:
        for step in STEPS:
            for name, link in LINKS.items():
                curve = [_loss(problem, link, ties, step, lists) for problem in problems]
                numbers[f"{name}, ties by {ties}, step {step:g}"] = curve
                numbers[f"{name}, ties by {ties}, step {step:g}, {widths[-1]} features"] = curve[-1]
    problems = [_drawn(seed, wide, relevant, lists + tests) for relevant in sparsities]
    for ties in TIES:
        for name, link in LINKS.items():
            curve = [_loss(problem, link, ties, 1.0, lists) for problem in problems]
            numbers[f"{name} by sparsity, ties by {ties}, step 1"] = curve
    return numbers | _growth(seed, widths, more_widths, lists)


def _drawn(seed: int, features: int, relevant: int, lists: int) -> tuple[np.ndarray, ...]:
    return separable.sparse_lists(lists, DOCUMENTS, features, relevant, seed=seed)


def _loss(problem: tuple[np.ndarray, ...], link: str, ties: str, step: float, lists: int) -> float:
    """The loss of the last hypothesis after the first lists, on the others."""
    train, test = zip(*(np.split(part, [lists * DOCUMENTS]) for part in problem))
    model = predtron(SubsetRanking(power=1.1, ties=ties), link=link, step=step).partial_fit(*train)
    return loss(model, *test)


def _growth(seed: int, widths: Sequence[int], more_widths: Sequence[int], lists: int) -> Numbers:
    """R², the only part of the bounds that changes, by the number of features, and the power of ``widths`` by which it grows."""
    radii = np.array([_squared_radii(_drawn(seed, width, RELEVANT, lists)[0], width) for width in more_widths])
    last = len(widths) - 1
    powers = np.log(radii[last] / radii[0]) / math.log(widths[-1] / widths[0])
    curves = {BOUND.format(name): curve.tolist() for name, curve in zip(LINKS, radii.T)}
    return {**curves, **{f"power of p₀ in the bound, {name}": float(power) for name, power in zip(LINKS, powers)}}


def _squared_radii(X: np.ndarray, features: int) -> tuple[float, float]:
    """R² in Corollary 6, with its factor log p₀, and in Corollary 5."""
    matrices = X.reshape(-1, DOCUMENTS, features)
    column = float(np.linalg.norm(matrices, axis=1).max())
    return bounds.predtron_link_radius(column, features) ** 2, float(np.linalg.norm(matrices, 2, axis=(1, 2)).max()) ** 2


# Claims


def more_accurate(results: Results) -> Verdict:
    """Whether ℓ1 loses less than ℓ2 with the most features."""
    return by_case({reading: _ahead(results, "{}, " + reading, LAST) for reading in READINGS})


def _ahead(results: Results, name: str, place: int) -> Verdict:
    now = picked(results, {link: name.format(link) for link in LINKS}, place)
    return Verdict(less(now, "ℓ1", "ℓ2").word, numbers_text(now))


def rises_little(results: Results) -> Verdict:
    """Whether the loss of ℓ2 rises, and by several times as much as that of ℓ1."""
    return by_case({reading: _rises(results, reading) for reading in READINGS})


def _rises(results: Results, reading: str) -> Verdict:
    curves = {link: results.values(f"{link}, {reading}") for link in LINKS}
    rises = {link: curve[:, LAST] - curve[:, FIRST] for link, curve in curves.items()}
    found = results.of_columns({"minor": MINOR * rises["ℓ1"], "none": np.zeros(len(results)), "ℓ2": rises["ℓ2"]})
    reason = ", ".join(f"{link} {_from_to(curve)}" for link, curve in curves.items())
    return every([less(found, "minor", "ℓ2"), less(found, "none", "ℓ2")], reason)


def _from_to(curve: np.ndarray) -> str:
    return f"{number_text(float(curve[:, FIRST].mean()))} to {number_text(float(curve[:, LAST].mean()))}"


def whatever_the_sparsity(results: Results) -> Verdict:
    """Whether ℓ1 loses less than ℓ2, by the number of relevant features."""
    return by_case({f"{relevant} of {WIDE}": _ahead_in_both(results, place) for place, relevant in enumerate(SPARSITIES)})


def _ahead_in_both(results: Results, place: int) -> Verdict:
    parts = {reading: _ahead(results, "{} by sparsity, " + reading, place) for reading in PLAIN}
    return every(parts.values(), "; ".join(f"{reading}: {part.reason}" for reading, part in parts.items()))


def slower_bound(results: Results) -> Verdict:
    """Whether the bound of ℓ1 grows like a logarithm rather than like a power."""
    return logarithmic(results, BOUND.format("ℓ1"), MORE_WIDTHS, "p₀")


def root_of_features(results: Results) -> Verdict:
    """Whether the bound of ℓ2 grows like √p₀ in every trial."""
    powers = results.values("power of p₀ in the bound, ℓ2")
    least, most = float(powers.min()), float(powers.max())
    word = FAILS if least > 0.55 or most < 0.45 else CONSISTENT if least >= 0.45 and most <= 0.55 else UNDECIDED
    text = f"R², which the bound has, grows like p₀ to the power of {least:.2f} to {most:.2f}"
    return Verdict(word, text)


FIGURE_1C = Experiment(
    name="predtron-figure-1c",
    paper="predtron",
    title="Predtron, Figure 1(c): margins in ℓ1 and in ℓ2",
    about="Lists of 10 documents have features from -1 to 1, and grades by a direction in which only a few features matter. "
    "100 lists are learned, with the plain step and with the link of Corollary 6, and 100 others are tested. In the text the "
    "number of features grows while 5 matter; in the caption the number that matter grows. Both are run. The paper states "
    "neither the order within a grade that is aimed at nor a step for the link, so two of each are run.",
    trial=sparse,
    trials=30,
    quick=6,
    seconds=3.4,
    printed=(Printed("power of p₀ in the bound, ℓ2", 0.5, "Section 6: √p₀ dependency in the error bounds"),),
    claims=(
        Claim(
            "By selecting the appropriate notion of margin, Predtron obtains more accurate solutions.",
            "Section 6, last paragraph",
            more_accurate,
        ),
        Claim(
            "More features with fixed s lead to a minor increase in the loss for ℓ1, but to significantly higher loss for ℓ2.",
            "Section 6, last sentence; Figure 1(c)",
            rises_little,
        ),
        Claim(
            "ℓ1 is ahead of ℓ2 on data of varying sparsity of w*.",
            "Figure 1(c), caption; it does not say how sparse",
            whatever_the_sparsity,
        ),
        Claim("The ℓ2 margin has √p₀ dependency in the error bounds.", "Section 6, last paragraph", root_of_features),
        Claim(
            "The ℓ1 margin has only s log p₀ dependence.",
            "Section 6, last paragraph; Corollary 6; of p₀ only, as s is 5",
            slower_bound,
        ),
    ),
    draw=partial(draw_links, widths=WIDTHS, sparsities=SPARSITIES),
    axes={f"{link}, {reading}": [float(width) for width in WIDTHS] for link in LINKS for reading in READINGS}
    | {f"{link} by sparsity, {reading}": [float(count) for count in SPARSITIES] for link in LINKS for reading in PLAIN}
    | {BOUND.format(link): [float(width) for width in MORE_WIDTHS] for link in LINKS},
)
