"""Every theorem and corollary of the papers: measured losses beside bounds, on random streams and on adversaries."""

from __future__ import annotations

import functools
from typing import Any

from ..experiment import Claim, Experiment, Numbers, Paper
from . import adversaries, predtron, streams
from .future import FUTURE
from .judging import ADVERSARY, BOUND, LOSS, STREAMS, draw, never, within
from .streams import Measured, StreamSizes

SIZE, ROUNDS = StreamSizes(), 100
DISORDER = "rounds with thresholds out of order"


def trial(seed: int, data: Any = None, size: StreamSizes = SIZE, rounds: int = ROUNDS) -> Numbers:
    """All measured losses, their bounds and their ratios; the seed gives the random streams and the sizes of adversaries."""
    drawn = streams.streams(seed, size) | predtron.streams(seed, size)
    estimator = adversaries.adversaries(seed, rounds) | predtron.adversaries(seed, rounds)
    disorder = float(streams.out_of_order(seed, size))
    return {DISORDER: disorder, **_numbers(STREAMS, drawn), **_numbers(ADVERSARY, estimator)}


def _numbers(kind: str, found: Measured) -> Numbers:
    numbers: Numbers = {}
    for key, (loss, bound) in found.items():
        name = kind.format(key)
        numbers |= {name: loss / bound, LOSS.format(name): float(loss), BOUND.format(name): float(bound)}
    return numbers


CS, H, P, CT = "Crammer & Singer 2005", "Harrington 2003", "Jain, Natarajan & Tewari 2015", "Chaudhuri & Tewari 2015"

# By paper and by the name of the numbers: the claim, its source, and a note for the reason.
CLAIMS: dict[str, dict[str, tuple[str, str, str]]] = {
    CS: {
        "CS Theorem 1": ("PRank's ranking loss is at most (k - 1)(R² + 1)/γ².", "Theorem 1", ""),
        "CS Theorem 2": (
            "Where rows miss the margin by D in all, it is at most (k - 1)(D + √(R² + 1))²/γ².",
            "Theorem 2",
            "; the rule is the best one for the bound",
        ),
        "CS Theorem 1 for Si-PRank": ("The bound of PRank also holds for Si-PRank.", "Section 3, last paragraph", ""),
        "CS footnote 2": ("Si-PRank errs in at most (R² + 1)/γ² rounds.", "Footnote 2", ""),
        "CS Theorem 3": ("The weights of No-PRank add up to at most 2β/γ².", "Theorem 3", "; it learns on the margin"),
        "CS Corollary 1": ("No-PRank errs in at most 2(R² + 1)/γ² rounds.", "Corollary 1", ""),
        "CS after Corollary 1": (
            "The ranking loss of No-PRank is at most twice the bound of Theorem 1.",
            "Section 4, after the proof of Corollary 1",
            "",
        ),
        "CS Theorem 4": (
            "Mu-PRank's ranking loss is at most log(n + k - 1)/(ηγ - log cosh η(k - 1)), for a rule without negative numbers.",
            "Theorem 4, with what it leaves unsaid",
            "",
        ),
        "CS Theorem 4, any rule": (
            "Mu-PRank's ranking loss is at most log(n + k - 1)/(ηγ - log cosh η(k - 1)), for any rule.",
            "Theorem 4, as printed",
            ": the rule that is right has a negative weight, which Mu-PRank cannot have",
        ),
        "CS Theorem 4, signed": (
            "With two weights for each, one of either sign, the same holds for any rule with log 2(n + k - 1).",
            "Theorem 4, for signed=True",
            "",
        ),
        "CS Corollary 2": (
            "At the step of the corollary the loss is at most 2(k - 1)² log(n + k - 1)/γ².",
            "Corollary 2, with the factor that Theorem 4 gives",
            "",
        ),
        "CS Corollary 2, as printed": (
            "At the step of the corollary the loss is at most (k - 1)² log(n + k - 1)/γ².",
            "Corollary 2, as printed",
            ": half of the features are contradicted each time",
        ),
    },
    H: {
        "H section 2": ("PRank makes at most (k - 1)(R² + 1)/γ² updates, R the largest norm.", "Section 2, second result", ""),
        "H section 2, as printed": (
            "PRank makes at most (k - 1)(R² + 1)/γ² updates, R the largest squared norm.",
            "Section 2, second result, as printed",
            ": one row of norm .64",
        ),
        "H section 3": (
            "The mistake bound of OAP is driven by that of its members: N times PRank's for all of them.",
            "Section 3, sixth paragraph",
            "; updates of all members",
        ),
    },
    P: {
        "P Theorem 1": ("The total loss is at most 4R²C²/(cγ²), c and C the smallest and the largest loss.", "Theorem 1", ""),
        "P loss-driven": ("The loss-driven version gets rid of C/c: at most 4R²C/γ².", "Section 2.3, after Theorem 1", ""),
        "P binary": ("On two labels it makes at most R²/γ² mistakes, γ the classical margin.", "Section 3", ""),
        "P Corollary 2": (
            "With weights the loss is at most 4R²α₁²/(α₂γ²).",
            "Corollary 2, with the α₂ that Theorem 1 gives",
            "",
        ),
        "P Corollary 2, as printed": (
            "With weights the loss is at most 4R²α₁²/(α₂²γ²).",
            "Corollary 2, as printed",
            ": weights of 30 and 20, orthogonal rows",
        ),
        "P reject": ("With a REJECT option the loss is at most 4R²/(β₂γ²).", "Section 3, as it follows from Theorem 1", ""),
        "P reject, as printed": (
            "With a REJECT option the loss is at most 4R²β₁²/(β₂²γ²).",
            "Section 3, as printed",
            "; it does not follow from Theorem 1, but as nothing is ever rejected 2R²/γ² holds too",
        ),
        "P multiclass": ("For several classes the bound is that of the 0/1 loss, 4R²/γ².", "Section 3", ""),
        "P footnote 2": ("The perceptron of Crammer & Singer 2003 errs at most 2R²/γ² times.", "Section 3, footnote 2", ""),
        "P ordinal": ("For ranks by a reduction to classes the loss is at most 4(l - 1)²R²/γ².", "Section 3", ""),
        "P Hamming": (
            "For sets by Hamming loss Theorem 1 applies; without the squared number of labels it holds still.",
            "Section 3, Theorem 1",
            "",
        ),
        "P Corollary 5": ("For lists 1 - NDCG adds up to at most 2^(Y+3) m² log₂²(2m) R²/γ².", "Corollary 5", ""),
        "P Corollary 6": ("For lists and the 1-norm, to 9 log p times that.", "Corollary 6", ""),
        "P Corollary 7": ("For rankings of labels, to as much as in Corollary 5.", "Corollary 7", ""),
        "P Corollary 8": ("For rankings of labels and the group norm, to as much as in Corollary 6.", "Corollary 8", ""),
    },
    CT: {
        "CT Theorem 1": (
            "The perceptron errs at most F + R‖u‖√F + R²‖u‖² times, F being u's hinge loss.",
            "Theorem 1, Eq. 5",
            "",
        ),
        "CT Corollary 2": ("With a margin the perceptron errs at most R²/γ² times.", "Corollary 2", ""),
        "CT Theorem 4": ("SLAM's loss is never below 1 - AP or 1 - NDCG.", "Theorem 4", "; a list at a time"),
        "CT Lemma 5": ("The squared gradient is at most 4 m R² v_max times the loss.", "Lemma 5", "; an update at a time"),
        "CT Theorem 6, AP": (
            "At the best step 1 - AP adds up to at most F + √(cF) + c, c = 4‖w‖² m R² v_max.",
            "Theorem 6, with v_max under the root",
            "",
        ),
        "CT Theorem 6, NDCG": ("The same for 1 - NDCG.", "Theorem 6, with v_max under the root", ""),
        "CT Eq. 19, as printed": (
            "The same without v_max under the root.",
            "Theorem 6, Eq. 19 as printed",
            "; the proof does not give it, but no stream was found that exceeds it",
        ),
        "CT Corollary 7, NDCG": ("With a margin 1 - NDCG adds up to at most 4 m R² v_max/γ².", "Corollary 7", ""),
        "CT Corollary 7, AP": ("With a margin 1 - AP adds up to at most 4 m R²/γ².", "Corollary 7", ""),
        "CT Theorem 8": ("For NDCG@k the bound of Theorem 6 holds with k for m.", "Theorem 8, Eq. 22", ""),
        "CT Theorem 8, Eq. 23": ("For NDCG@k and a margin it holds with k for m.", "Theorem 8, Eq. 23", ""),
        "CT Theorem 9": (
            "Whatever the ranker, there are lists on which it loses at least (⌊R²/γ²⌋ - 1)(1 - 1/log₂ 3) in NDCG.",
            "Theorem 9",
            "; here the bound is a lower one, and its share of the least loss of four rankers is told",
        ),
        "CT Theorem 10": ("MinimaxRank's loss is at most F + 2‖w‖R√F + 4‖w‖²R².", "Theorem 10", ""),
        "CT Corollary 11": ("With a margin MinimaxRank's loss is at most 4R²/γ².", "Corollary 11", ""),
    },
}

ORDER = Claim("The thresholds of PRank, No-PRank and Mu-PRank stay in order.", f"{CS}: Lemmas 1, 3 and 4", never(DISORDER))

THEOREMS = Experiment(
    name="theorems",
    paper="bounds",
    title="Every bound of the papers beside what is measured",
    about="Every theorem gives a bound on a loss for any stream. Each is tested on random streams that some rule ranks "
    "correctly (or nearly, if the theorem allows that), with the best margin on the data, and on a stream constructed to "
    "reach the bound. A share of 1 means that the bound cannot be improved. A share above 1 means that the bound is wrong, "
    "which happens where the printed formula differs from what its proof gives.",
    trial=trial,
    trials=100,
    quick=5,
    seconds=1.5,
    claims=(
        *(
            Claim(text, f"{paper}: {source}", within(key, note))
            for paper, claims in CLAIMS.items()
            for key, (text, source, note) in claims.items()
        ),
        ORDER,
    ),
    draw=functools.partial(draw, groups={paper: list(claims) for paper, claims in CLAIMS.items()}),
)

PAPER = Paper(
    name="bounds",
    title="Every theorem and corollary",
    authors="Crammer & Singer; Harrington; Jain, Natarajan & Tewari; Chaudhuri & Tewari",
    published="2003 to 2015",
    experiments=(THEOREMS, FUTURE),
)
