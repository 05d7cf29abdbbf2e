"""Chaudhuri & Tewari, Theorem 9: an adversary that costs every deterministic learner the same."""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

import ranktron
from ranktron import bounds, metrics

from ..experiment import Claim, Experiment, Numbers, Printed
from ..judging import Verdict, at_most_consistent
from ..results import Results
from .drawing import draw_lower
from .judging import exact

# R² / γ², which is one more than the adversary's rounds.
SIZES = (10, 30, 100, 300)
# The numbers of documents in a list.
LENGTHS = (2, 5, 20)
# The least loss of a round.
NDCG_COST, AP_COST = 1.0 - 1.0 / math.log2(3.0), 0.5
ROUNDING = 1e-12

RANKERS: dict[str, tuple[str, dict[str, Any]]] = {
    "SLAM for NDCG": ("SLAM", {"measure": "ndcg", "step": 1.0, "average": False}),
    "SLAM for AP": ("SLAM", {"measure": "ap", "step": 1.0, "average": False}),
    "MinimaxRank": ("MinimaxRank", {"measure": "ndcg", "average": False}),
    "ListNet": ("ListNet", {"step": 0.1, "average": False}),
    "SLAM averaged": ("SLAM", {"measure": "ndcg"}),
    "ListNet averaged": ("ListNet", {}),
}


def trial(seed: int, data: Any = None, sizes: tuple[int, ...] = SIZES, lengths: tuple[int, ...] = LENGTHS) -> Numbers:
    """Every ranker against the adversary, by the number of documents and of rounds; nothing is random."""
    numbers: Numbers = {}
    duels: list[Duel] = []
    for name, m in itertools.product(RANKERS, lengths):
        found = [duel(name, size, m) for size in sizes]
        numbers[f"1 - NDCG in all, {name}, {m} documents"] = [float(one.ndcg.sum()) for one in found]
        numbers[f"1 - AP in all, {name}, {m} documents"] = [float(one.ap.sum()) for one in found]
        duels += found
    least = {
        "least 1 - NDCG of a round": min(float(one.ndcg.min()) for one in duels),
        "least 1 - AP of a round": min(float(one.ap.min()) for one in duels),
        "least margin over γ": min(one.margin for one in duels),
    }
    return numbers | least | pairs(sizes[0])


class Duel(NamedTuple):
    """The losses of all rounds, and the margin of the adversary's ranker over the promised γ."""

    ndcg: np.ndarray
    ap: np.ndarray
    margin: float


def duel(name: str, size: int, m: int) -> Duel:
    """A new ranker against the adversary, with lists of m documents of length 1."""
    gamma = 1.0 / math.sqrt(size + 0.5)  # so that rounding cannot take a round away
    X, y, qid, direction = bounds.list_duel(fresh(name), 1.0, gamma, m)
    scores = fresh(name).predict_then_learn(X, y, qid)
    ndcg, ap = metrics.ndcg(y, scores, qid, per_list=True), metrics.average_precision(y, scores, qid, per_list=True)
    return Duel(1.0 - ndcg, 1.0 - ap, bounds.list_margin(direction, X, y, qid) / gamma)


def fresh(name: str) -> Any:
    """A new ranker."""
    kind, settings = RANKERS[name]
    return getattr(ranktron, kind)(**settings)


def pairs(size: int) -> Numbers:
    """The measures of a round with lists of two documents, averaged over all rankers and rounds."""
    duels = [duel(name, size, 2) for name in RANKERS]
    ndcg, ap = np.mean([one.ndcg for one in duels]), np.mean([one.ap for one in duels])
    return {"NDCG of a round, 2 documents": 1.0 - float(ndcg), "AP of a round, 2 documents": 1.0 - float(ap)}


# Claims


def costs_each(results: Results) -> Verdict:
    """Whether every ranker loses at least that much in every round."""
    ndcg, ap = (float(results.values(f"least 1 - {measure} of a round").min()) for measure in ("NDCG", "AP"))
    holds = ndcg >= NDCG_COST - ROUNDING and ap >= AP_COST - ROUNDING
    reason = f"{len(RANKERS)} rankers lose at least {ndcg:.4f} in NDCG and {ap:.4f} in AP in every round"
    return at_most_consistent(exact(holds, reason))


def is_separable(results: Results) -> Verdict:
    """Whether the adversary's ranker has the margin."""
    least = float(results.values("least margin over γ").min())
    return exact(
        least >= 1.0 - ROUNDING, f"with the index of w* corrected, and its norm brought to 1, the margin is {least:.4g} γ"
    )


def has_no_length(results: Results) -> Verdict:
    """Whether the loss is as large for long lists as for short ones."""
    totals = {m: min(last(results, f"1 - NDCG in all, {name}, {m} documents") for name in RANKERS) for m in LENGTHS}
    lower = NDCG_COST * (SIZES[-1] - 1)
    text = ", ".join(f"{total:.1f} with {m} documents" for m, total in totals.items())
    text = f"at R²/γ² = {SIZES[-1]} the least total is {text}; the bound is {lower:.1f}"
    return exact(min(totals.values()) >= lower - 1e-9, text)


def is_reached(results: Results) -> Verdict:
    """Whether MinimaxRank stays below its upper bound, a multiple of the lower one, at every size and length."""
    upper = [bounds.minimax_loss(1.0, size**-0.5) for size in SIZES]
    totals = [results.values(f"1 - NDCG in all, MinimaxRank, {m} documents") for m in LENGTHS]
    share = max(float((total / upper).max()) for total in totals)
    really = share * float(results.values("least margin over γ").min()) ** 2
    text = f"it loses {share:.3f} of 4R²/γ² at most, and {really:.3f} of 4R²/margin² by the margin that the lists have"
    return at_most_consistent(exact(share <= 1.0, text))


def last(results: Results, name: str) -> float:
    """The last value of a curve."""
    return float(results.values(name)[:, -1].min())


LOWER = Experiment(
    name="chaudhuri-tewari-lower-bound",
    paper="chaudhuri-tewari",
    title="Chaudhuri & Tewari, Theorem 9: what nobody can avoid",
    about="An adversary shows lists whose first two documents lie along a direction that did not occur before. It waits for "
    "the ranking, and then makes a document relevant that is not ranked first. A ranker of norm 1 orders all these lists with "
    "margin γ, but every deterministic learner is wrong in every round, and there are R²/γ² - 1 rounds. Six of our rankers "
    "are run.",
    trial=trial,
    trials=1,
    quick=1,
    seconds=6.0,
    printed=(
        Printed("NDCG of a round, 2 documents", 0.6309, "Proof of Theorem 9: at most (1 / log2 3) / (1 / log2 2)"),
        Printed("AP of a round, 2 documents", 0.5, "Proof of Theorem 9: at most 1/2"),
    ),
    claims=(
        Claim("Any deterministic online algorithm suffers Ω(R²/γ²) cumulative NDCG or AP loss.", "Theorem 9", costs_each),
        Claim("The data of the lower bound are separable with margin γ.", "Proof of Theorem 9", is_separable),
        Claim("The lower bound is independent of the number of documents per query.", "Section 1, third item", has_no_length),
        Claim("Algorithm 3 achieves the lower bound.", "Section 6.2, Theorem 10 and Corollary 11", is_reached),
    ),
    draw=draw_lower,
    axes={
        f"1 - {measure} in all, {name}, {m} documents": [float(size) for size in SIZES]
        for measure in ("NDCG", "AP")
        for name in RANKERS
        for m in LENGTHS
    },
)
