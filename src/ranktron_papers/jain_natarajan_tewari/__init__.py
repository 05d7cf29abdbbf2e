"""Jain, Natarajan & Tewari (2015), Predtron: Figure 1, and the laws, special cases and bounds of sections 2 to 5."""

from __future__ import annotations

from functools import partial

from ..experiment import Claim, Experiment, Paper
from ..judging import Verdict, at_most_consistent, less
from ..results import Results
from .drawing import draw_beside_bounds
from .figure_1 import FIGURE_1A, FIGURE_1B
from .framework import framework
from .judging import ROUNDING, between, never_above, never_below, nothing, number_text
from .links import FIGURE_1C
from .lists import POWERS
from .sets import LOSSES, multilabel, rankings
from .special_cases import BINARY, MULTICLASS, ORDINAL, REJECTING, WEIGHTED

COROLLARIES = [f"loss over Corollary {number}" for number in (5, 6, 7, 8)]
THEOREM_1 = ("loss over Theorem 1, random costs", "loss over Theorem 1, staircase")


def convex(results: Results) -> Verdict:
    """Whether φ is never above a chord nor below 0, for random scores."""
    checks = [("how far surrogates are from convex", -1e9, ROUNDING), ("lowest surrogate", -ROUNDING, 1e9)]
    return at_most_consistent(between(results, checks))


def factor_is_gone(results: Results) -> Verdict:
    """Whether the loss-driven version keeps the bound without C_L / c_L, which Algorithm 1 exceeds."""
    driven = never_above(results, [f"loss-driven loss over its bound, {where}" for where in ("random costs", "staircase")])
    [plain] = set(results.values("loss of Algorithm 1 over the loss-driven bound, staircase"))
    return Verdict(driven.word, f"{driven.reason}; Algorithm 1 reaches {number_text(plain)} of this bound on the staircase")


def inverted(results: Results) -> Verdict:
    """Whether the loss as printed teaches the right sets."""
    return less(results, "sets right, subset loss", "sets right, subset loss as printed")


def less_at_the_bottom(results: Results) -> Verdict:
    """Whether -i^α, α > 1, asks for less separation further down the list."""
    return between(
        results, [(f"separation asked at the bottom over that at the top, {name}", 0.0, 1.0) for name in ("-i^1.1", "-i^2")]
    )


FRAMEWORK = Experiment(
    name="predtron-framework",
    paper="predtron",
    title="Predtron, section 2: the framework and Theorem 1",
    about="Predictions have representations of length 1. The prediction is the one most similar to the scores, and on "
    "mistakes a surrogate of the loss is reduced. The laws of the section are tested on random scores for every kind of "
    "prediction. The total loss is compared with the bounds: for random tables of costs, and on an adversary for which the "
    "loss of Algorithm 1 grows with the ratio of the largest to the smallest loss.",
    trial=framework,
    trials=20,
    quick=3,
    seconds=1.4,
    claims=(
        Claim(
            "Maximum similarity is nearest-neighbour decoding, pred(ct) = pred(t), pred(rep(σ)) = σ.",
            "Section 2.1",
            partial(nothing, names=["tasks that break a law"]),
        ),
        Claim("φ(·, y) is convex and non-negative.", "Section 2.3", convex),
        Claim("The total loss is at most 4R²C_L²/(c_L γ²).", "Theorem 1", partial(never_above, names=THEOREM_1)),
        Claim("The loss-driven version gets rid of the factor C_L/c_L.", "End of section 2", factor_is_gone),
        Claim(
            "The algorithm, just like the original perceptron, can be kernelized.",
            "Section 2.3",
            partial(nothing, names=["rounds in which a kernel differs from its features"]),
        ),
    ),
    draw=partial(
        draw_beside_bounds,
        groups={
            "loss over Theorem 1, random costs": "Theorem 1, random costs",
            "loss over Theorem 1, staircase": "Theorem 1, adversary",
            "loss-driven loss over its bound, random costs": "loss-driven, random costs",
            "loss-driven loss over its bound, staircase": "loss-driven, adversary",
            "loss of Algorithm 1 over the loss-driven bound, staircase": "Algorithm 1 against the\nloss-driven bound, adversary",
        },
    ),
)

MULTILABEL = Experiment(
    name="predtron-multilabel",
    paper="predtron",
    title="Predtron, section 3: sets of labels",
    about="Sets of five labels are predicted with three losses: wrong labels, wrong sets, and wrong pairs. The prediction "
    "that maximises the surrogate is found without trying all sets, and compared with the best of all. Losses are compared "
    "with Theorem 1. The loss of wrong sets is also run as printed, where a correct set has loss 1.",
    trial=multilabel,
    trials=30,
    quick=4,
    seconds=0.3,
    claims=(
        Claim(
            "The surrogate and its gradient can be efficiently computed for all of these losses.",
            "Section 3, multilabel (appendix C.2): without enumerating 2^m sets, and as right",
            partial(nothing, names=[f"off the worst set, {loss}" for loss in LOSSES], close=ROUNDING),
        ),
        Claim(
            "The total loss is at most 4R²C_L²/(c_L γ²).",
            "Theorem 1 for the Hamming and the subset loss",
            partial(never_above, names=["loss over Theorem 1, hamming", "loss over Theorem 1, subset"]),
        ),
        Claim(
            "Multilabel classification generalizes: with one label it is the perceptron.",
            "Abstract; section 3",
            partial(nothing, names=["rounds in which one label differs from the perceptron"]),
        ),
        Claim(
            "Subset 0-1 loss: 1 if σ = y, or 0 otherwise.",
            "Section 3, multilabel (i), as printed: it should be learned",
            inverted,
        ),
    ),
)

RANKINGS = Experiment(
    name="predtron-rankings",
    paper="predtron",
    title="Predtron, sections 4 and 5: orders of documents and of labels",
    about="Orders of five documents or labels are predicted, with the loss 1 - NDCG. The assignment of Lemma 3 and the "
    "margin of Lemma 4 are compared with trying all orders. Total losses at the theory's steps are compared with Corollaries "
    "5 to 8, on streams with a known margin and 40 uninformative features.",
    trial=rankings,
    trials=20,
    quick=3,
    seconds=0.7,
    claims=(
        Claim(
            "The surrogate reduces to a linear assignment problem.",
            "Lemma 3",
            partial(nothing, names=[f"off the worst order, {name}" for name in POWERS], close=ROUNDING),
        ),
        Claim(
            "t has margin γ iff it is compatible and t(i_j - 1) ≥ t(i_j) + γZ / (f(i_j - 1) - f(i_j)).",
            "Lemma 4",
            partial(nothing, names=[f"difference of margins, {name}" for name in POWERS], close=ROUNDING),
        ),
        Claim(
            "f₂(i - 1) - f₂(i) is increasing with i for -i^1.1, and decreasing for 1/i.",
            "Section 6, on Figure 1(a); for the first 20 places",
            partial(nothing, names=["steps of -i^1.1 that do not grow", "steps of 1/i that do not fall"]),
        ),
        Claim(
            "With f = -i^α, α > 1, less separation is required down the list than at the top.", "Section 4", less_at_the_bottom
        ),
        Claim(
            "The total 1 - NDCG is at most 2^(Y+3) m² log₂²(2m) R²/γ², times 9 log p for the links.",
            "Corollaries 5 to 8",
            partial(never_above, names=COROLLARIES),
        ),
        Claim(
            "No loss above 0 is below 1 / (2^(Y+1) m² log₂²(2m)).",
            "Implied by Corollaries 5 to 8 with Theorem 1; for up to 50 documents and 5 grades",
            partial(never_below, names=["smallest loss over the one in Corollary 5"]),
        ),
    ),
    draw=partial(draw_beside_bounds, groups={name: name.removeprefix("loss over ") for name in COROLLARIES}),
)

PAPER = Paper(
    name="predtron",
    title="Predtron: A Family of Online Algorithms for General Prediction Problems",
    authors="Prateek Jain, Nagarajan Natarajan, Ambuj Tewari",
    published="Advances in Neural Information Processing Systems 28, 2015",
    experiments=(
        FIGURE_1A, FIGURE_1B, FIGURE_1C, FRAMEWORK, BINARY, WEIGHTED, REJECTING, MULTICLASS, ORDINAL, MULTILABEL, RANKINGS,
    ),
    about="One perceptron for many problems: say what may be predicted, how predictions are represented by vectors, and "
    "what mistakes cost, and an online algorithm with a bound on its total loss follows. The paper derives known "
    "perceptrons as special cases, and simulates orders of documents. It leaves open how its data are drawn, so the "
    "figures are run in several readings.",
)  # fmt: skip
