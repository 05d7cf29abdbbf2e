"""Jain, Natarajan & Tewari, section 3: the claims about classes and ranks as special cases."""

from __future__ import annotations

from functools import partial

from ..experiment import Claim, Experiment, Printed
from ..judging import FAILS, HOLDS, Verdict, always
from ..results import Results
from .classes import MISLABELLED, REJECTS, WEIGHTS, binary, rejecting, weighted
from .drawing import draw_beside_bounds, draw_by_ranks, draw_mislabelled
from .judging import ROUNDING, between, never_above, nothing, number_text
from .ranks import RANKS, multiclass, ordinal

# Bounds differ by a constant if their ratio changes by this factor at most.
CONSTANT = 4.0

RUNS = ("rounds that differ, separable rows", "rounds that differ, a tenth mislabelled", "largest difference of weights")
ROW_KINDS, PAIRS = ("random", "orthogonal"), [f"{heavy:g} and {light:g}" for heavy, light in WEIGHTS]
PRICES = [" ".join(f"{cost:g}" for cost in each) for each in REJECTS]


def different_weights(results: Results) -> Verdict:
    """Whether weights change any prediction."""
    cases = {}
    for version in ("Algorithm 1", "loss-driven"):
        share = results.values(f"share of answers changed, {version}")
        cases[version] = Verdict(HOLDS if share.min() > 0 else FAILS, f"{number_text(float(share.mean()))} of the answers change")
    return always(cases)


def printed_corollary_2(results: Results) -> Verdict:
    """Whether the bound as printed holds; one stream can refute it."""
    return never_above(results, [f"loss over the printed bound, {rows} rows, {pair}" for rows in ROW_KINDS for pair in PAIRS])


def ever_rejects(results: Results) -> Verdict:
    """Whether REJECT is ever predicted."""
    most = max(float(results.values(f"rejected{of}, costs {name}").max()) for of in ("", " of noisy rows") for name in PRICES)
    return Verdict(HOLDS if most > 0 else FAILS, f"at most {number_text(most)} of the rows are rejected, separable or noisy")


def more_rounds(results: Results) -> Verdict:
    """Whether L_ErrSet is above L_{0-1} in some rounds; it is never below."""
    ties = results.values("rounds with an error set and no mistake")
    text = f"{number_text(float(ties.mean()))} such rounds a trial, beside {number_text(results.mean('mistakes').value)} mistakes"
    return Verdict(HOLDS if ties.max() > 0 else FAILS, text)


def up_to_constants(results: Results) -> Verdict:
    """Whether the bounds of Predtron and PRank keep their ratio with more ranks."""
    few, many = (results.mean(f"bound of Predtron over that of PRank, {which} ranks").value for which in ("fewest", "most"))
    text = (
        f"Predtron's bound is {number_text(few)} times PRank's for {RANKS[0]} ranks and {number_text(many)} times for {RANKS[-1]}"
    )
    return Verdict(HOLDS if many < CONSTANT * few else FAILS, f"{text}, by the rule that made the stream")


BINARY = Experiment(
    name="predtron-binary",
    paper="predtron",
    title="Predtron, section 3: two classes, the perceptron",
    about="Predtron with two classes is compared with a literal implementation of the perceptron on 1,000 rows of whole "
    "numbers, so equal means equal to the last bit. Mistakes are compared with the classical bound: on random rows, on "
    "orthogonal rows that always get the label that is not predicted, and with more and more wrong labels.",
    trial=binary,
    trials=30,
    quick=5,
    seconds=0.2,
    printed=(
        Printed("margin over the classical one", 2.0, "Section 3: if the classical margin is γ, ours works out to be 2γ"),
        Printed("bound of Theorem 1 over R²/γ²", 1.0, "Section 3: Theorem 1 yields the identical mistake bound"),
    ),
    claims=(
        Claim(
            "Algorithm 1 reduces to the original perceptron.", "Section 3, binary classification", partial(nothing, names=RUNS)
        ),
        Claim(
            "Theorem 1 yields the identical mistake bound R²/γ²; our margin is twice the classical one.",
            "Section 3, binary classification",
            partial(
                between,
                checks=[
                    ("bound of Theorem 1 over R²/γ²", 1 - ROUNDING, 1 + ROUNDING),
                    ("margin over the classical one", 2 - ROUNDING, 2 + ROUNDING),
                ],
            ),
        ),
        Claim(
            "There are at most R²/γ² mistakes.",
            "Section 3, binary classification",
            partial(never_above, names=["mistakes over R²/γ², random rows", "mistakes over R²/γ², orthogonal rows"]),
        ),
        Claim(
            "The bound degrades gracefully when there is not enough margin.",
            "Section 2.3, after Theorem 1; with the hinge losses H of the best rule, M - R√M/γ ≤ H",
            partial(never_above, names=["mistakes over those allowed"]),
        ),
    ),
    draw=partial(draw_mislabelled, shares=MISLABELLED),
    axes={name: list(MISLABELLED) for name in ("mistakes", "mistakes allowed")},
)

WEIGHTED = Experiment(
    name="predtron-weights",
    paper="predtron",
    title="Predtron, Corollary 2: weights of classes",
    about="The loss of a mistake is the weight of the label's class. The total loss is compared with the bound as printed, "
    "with α₂², and with the α₂ that follows from Theorem 1: on 1,000 separable random rows, and on orthogonal rows that "
    "always get the heavy label. The experiment also counts the predictions that the weights change, with a tenth of the "
    "labels wrong.",
    trial=weighted,
    trials=30,
    quick=5,
    seconds=0.2,
    claims=(
        Claim("The weighted loss is at most 4R²α₁²/(α₂²γ²).", "Corollary 2, as printed", printed_corollary_2),
        Claim(
            "The weighted loss is at most 4R²α₁²/(α₂γ²).",
            "Corollary 2, corrected",
            partial(
                never_above, names=[f"loss over the corrected bound, {rows} rows, {pair}" for rows in ROW_KINDS for pair in PAIRS]
            ),
        ),
        Claim(
            "Asymmetric losses are incorporated: weights change what is answered.",
            "Section 3, before Corollary 2",
            different_weights,
        ),
    ),
    draw=partial(
        draw_beside_bounds,
        groups={
            f"loss over the {kind} bound, {rows} rows, {pair}": f"{kind} bound, {rows} rows, {pair}"
            for kind in ("printed", "corrected")
            for rows in ROW_KINDS
            for pair in PAIRS
        },
    ),
)

REJECTING = Experiment(
    name="predtron-reject",
    paper="predtron",
    title="Predtron, section 3: the option to reject",
    about="REJECT is a prediction of its own, represented halfway between the classes, with a smaller loss than a wrong "
    "class. It is run as published, for two classes and for four, on 1,000 separable rows, and again with a fifth of the "
    "labels wrong. It is compared with our rule, which rejects if the lead of the best class is too small.",
    trial=rejecting,
    trials=20,
    quick=3,
    seconds=0.3,
    claims=(
        Claim("Predictions have a REJECT option, for two classes and for more.", "Section 3", ever_rejects),
        Claim(
            "The loss is at most 4R²β₁²/(γ²β₂²).",
            "Section 3, REJECT; it does not follow from Theorem 1, which gives 4R²/(β₂γ²)",
            partial(never_above, names=[f"loss over the printed bound, costs {name}" for name in PRICES]),
        ),
        Claim(
            "The loss is at most 4R²/(β₂γ²).",
            "Section 3, REJECT, as it follows from Theorem 1",
            partial(never_above, names=[f"loss over the corrected bound, costs {name}" for name in PRICES]),
        ),
    ),
    draw=partial(
        draw_beside_bounds,
        groups={
            f"loss over the {kind} bound, costs {name}": f"{kind} bound, costs {name}"
            for kind in ("printed", "corrected")
            for name in PRICES
        },
    ),
)

MULTICLASS = Experiment(
    name="predtron-multiclass",
    paper="predtron",
    title="Predtron, section 3: several classes, the multiclass perceptron",
    about="Predtron with five classes is compared, on 1,000 rows of whole numbers, with the multiclass perceptron that "
    "promotes the label and demotes the predicted class. Its margin and its surrogate are compared with those of Crammer and "
    "Singer, and its mistakes with both bounds.",
    trial=multiclass,
    trials=30,
    quick=5,
    seconds=0.2,
    claims=(
        Claim("Multiclass Predtron is the multiclass perceptron.", "Abstract; section 3", partial(nothing, names=RUNS)),
        Claim(
            "The margin is identical to the multiclass margin studied earlier.",
            "Section 3, multiclass",
            partial(nothing, names=["difference of margins"], close=ROUNDING),
        ),
        Claim(
            "The surrogate matches the multiclass extension of the hinge loss.",
            "Section 3, multiclass",
            partial(nothing, names=["difference of surrogates"], close=ROUNDING),
        ),
        Claim(
            "The bound of Crammer and Singer is recovered, up to constants.",
            "Section 3, multiclass; mistakes keep it too",
            partial(
                between,
                checks=[
                    ("bound of Theorem 1 over that of Crammer & Singer", 0.0, CONSTANT),
                    ("mistakes over the bound of Theorem 1, random rows", 0.0, 1.0),
                    ("mistakes over the bound of Theorem 1, adversary", 0.0, 1.0),
                ],
            ),
        ),
        Claim("There can be rounds when L_{0-1} is 0, but L_ErrSet is 1.", "Footnote 2", more_rounds),
    ),
)

ORDINAL = Experiment(
    name="predtron-ordinal",
    paper="predtron",
    title="Predtron, section 3: ranks, beside PRank",
    about="Ranks lie along one direction, in intervals of equal length. Predtron has a score for every rank, and its loss is "
    "the distance in ranks; PRank has one direction and thresholds. Both learn 1,000 rows, for 2 to 20 ranks. Their losses "
    "are compared with the bounds for the rule that generated the rows.",
    trial=ordinal,
    trials=20,
    quick=3,
    seconds=0.3,
    claims=(
        Claim(
            "Algorithm 1 achieves the loss bound 4(ℓ - 1)²R²/γ².",
            "Section 3, ordinal regression; at the step of Theorem 1",
            partial(never_above, names=["Predtron's loss over its bound, theory step"]),
        ),
        Claim(
            "PRank enjoys the bound (ℓ - 1)(R² + 1)/γ̃².",
            "Section 3, ordinal regression",
            partial(never_above, names=["PRank's loss over its bound"]),
        ),
        Claim(
            "A different algorithm than existing counterparts, yet admitting identical loss bounds, up to constants.",
            "Section 3, first paragraph, of ranks",
            up_to_constants,
        ),
    ),
    draw=partial(draw_by_ranks, ranks=RANKS),
    axes={
        name: [float(count) for count in RANKS]
        for name in ("Predtron, theory step", "Predtron, step 1", "PRank", "bound of Predtron", "bound of PRank")
    },
)
