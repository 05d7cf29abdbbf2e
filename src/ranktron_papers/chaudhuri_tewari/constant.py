"""Chaudhuri & Tewari around Figure 1: on lists with a margin the total loss is bounded by a constant for any number of lists."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ranktron import bounds

from ..experiment import Claim, Experiment, Numbers
from ..judging import CONSISTENT, HOLDS, UNDECIDED, Verdict, at_most_consistent, below, less
from ..results import Results
from ..rules import every, of_case, part
from .drawing import draw_constant
from .judging import exact, in_each
from .lists import AP, MARGIN, NDCG, READINGS, Rows, Separable, learner

# The numbers of lists after which totals are read. The last is twice the one before it.
MARKS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
PIECE = 5_000
N_DOCUMENTS, CUTOFF, N_GRADES = 20, 10, 5
# A learner has stopped misranking if it misranks fewer lists in the second half of the stream, in the mean over trials.
FEW = 1.0

LISTNET_STEPS = (0.00316, 0.01, 0.0316, 0.1)
SLAM, MINIMAX = "SLAM for NDCG@10", "MinimaxRank for NDCG@10"
FINITE = (SLAM, "SLAM for NDCG", "SLAM for AP", MINIMAX, "MinimaxRank for AP")
SLOW = "SLAM for NDCG@10, theory step"
LISTNETS = tuple(f"ListNet, step {step:g}" for step in LISTNET_STEPS)


def v_max(measure: str) -> float:
    """The largest ratio of weights that a list can have: one document of the best grade, all others of the grade above 0."""
    return bounds.weight_ratio(np.array([N_GRADES - 1] + [1] * (N_DOCUMENTS - 1)), measure)


def theory_step(longest: float) -> float:
    """The step that Theorem 8 is proved with."""
    return bounds.slam_theory_step(CUTOFF, longest, v_max(NDCG))


def learners(longest: float) -> dict[str, Any]:
    """The learners of a stream, by name. SLAM's step is 1, in the middle of those that Figure 1 chooses."""
    slams = {f"SLAM for {name}": learner("SLAM", measure, step=1.0) for name, measure in MEASURES.items()}
    minimax = {f"MinimaxRank for {name}": learner("MinimaxRank", MEASURES[name]) for name in ("NDCG@10", "AP")}
    listnets = {name: learner("ListNet", NDCG, step=step) for name, step in zip(LISTNETS, LISTNET_STEPS, strict=True)}
    return {**slams, SLOW: learner("SLAM", NDCG, step=theory_step(longest)), **minimax, **listnets}


MEASURES = {"NDCG@10": NDCG, "NDCG": "ndcg", "AP": AP}


def guarantees(longest: float) -> Numbers:
    """The bounds on the total loss, by the learner's name."""
    return {
        f"bound, {SLAM}": bounds.slam_loss_at_cutoff(CUTOFF, longest, MARGIN, v_max(NDCG)),
        "bound, SLAM for NDCG": bounds.slam_loss(N_DOCUMENTS, longest, MARGIN, v_max("ndcg")),
        "bound, SLAM for AP": bounds.slam_loss(N_DOCUMENTS, longest, MARGIN),
        f"bound, {MINIMAX}": bounds.minimax_loss(longest, MARGIN),
        "bound, MinimaxRank for AP": bounds.minimax_loss(longest, MARGIN),
    }


def trial(seed: int, data: Any = None, marks: tuple[int, ...] = MARKS) -> Numbers:
    """One long stream of each reading."""
    numbers: Numbers = {}
    for reading, given in READINGS.items():
        found = learn_stream(Separable(reading, seed), learners(given.longest), marks) | guarantees(given.longest)
        numbers |= of_case(reading, found)
    return numbers


def learn_stream(stream: Separable, models: dict[str, Any], marks: tuple[int, ...]) -> Numbers:
    """The total losses of all learners at every mark, and the lists that the perceptrons misrank in either half."""
    totals: dict[str, list[float]] = {name: [] for name in models}
    updates: dict[str, list[int]] = {name: [] for name in models}
    longest = 0.0
    for done, mark in itertools.pairwise((0, *marks)):
        for rows in batches(stream, mark - done):
            longest = max(longest, float(np.linalg.norm(rows[0], axis=1).max()))
            for model in models.values():
                model.partial_fit(*rows)
        for name, model in models.items():
            totals[name].append(model.cumulative_loss_)
            updates[name].append(model.n_updates_)
    numbers: Numbers = {"longest document": longest}
    for name, total in totals.items():
        numbers |= {f"{name}, total": total[-1], f"{name}, half-way": total[-2], f"{name}, by round": total}
    for name in FINITE:
        numbers |= {f"{name}, misranked": updates[name][-1], f"{name}, misranked half-way": updates[name][-2]}
    return numbers


def batches(stream: Separable, n_lists: int) -> Iterator[Rows]:
    """Lists of the stream in batches, which need little memory."""
    for start in range(0, n_lists, PIECE):
        yield stream.draw(min(PIECE, n_lists - start))


# Claims


def stops(results: Results) -> Verdict:
    """Whether hardly any list is misranked in the second half of the stream; no finite stream can prove more, or refute it."""
    verdict = in_each(results, READINGS, lambda one: every(has_stopped(one, name) for name in FINITE))
    return verdict._replace(reason=f"lists misranked in the second half of the stream, of all: {verdict.reason}")


def has_stopped(results: Results, name: str) -> Verdict:
    """Whether the second half of the stream adds fewer than one misranked list."""
    all_of_them, before = f"{name}, misranked", f"{name}, misranked half-way"
    added = results.of_columns({"added": results.values(all_of_them) - results.values(before)})
    text = f"{name} {added.mean('added').value:.3g} of {results.mean(all_of_them).value:.3g}"
    return Verdict(CONSISTENT if below(added, "added", FEW).word == HOLDS else UNDECIDED, text)


def is_bounded(results: Results) -> Verdict:
    """Whether no total is above its bound."""
    ratios, limits = {}, []
    for reading, given in READINGS.items():
        one = part(results, reading)
        if one.values("longest document").max() > given.longest:
            return exact(False, f"{reading}: a document is longer than {given.longest:g}, so the bounds do not speak of it")
        for name in (*FINITE, SLOW):
            bound = one.values(f"bound, {SLAM if name == SLOW else name}")
            limits.append(float(bound.min()))
            ratios[f"{name}, {reading}"] = float((one.values(f"{name}, total") / bound).max())
    worst = max(ratios, key=ratios.__getitem__)
    text = f"the largest share of its bound that any total reaches is {ratios[worst]:.2g} ({worst})"
    text += f"; but the bounds are {min(limits):,.0f} and more, and {MARKS[-1]:,} lists came"
    return at_most_consistent(exact(ratios[worst] <= 1.0, text))


def outlasted(results: Results) -> Verdict:
    """Whether ListNet with its best step continues to lose where the perceptrons do not."""
    verdict = in_each(results, READINGS, lambda one: every(goes_on_less(one, name) for name in (SLAM, MINIMAX)))
    return verdict._replace(reason=f"lost in the second half of the stream, of all: {verdict.reason}")


def goes_on_less(results: Results, name: str) -> Verdict:
    """Whether a perceptron loses less in the second half than the ListNet that loses least in all."""
    rival = min(LISTNETS, key=lambda one: results.mean(f"{one}, total").value)
    added = results.of_columns({one: second_half(results, one) for one in (name, rival)})
    text = [f"{one} {added.mean(one).value:.3g} of {results.mean(f'{one}, total').value:.3g}" for one in (name, rival)]
    return less(added, name, rival)._replace(reason=" against ".join(text))


def second_half(results: Results, name: str) -> np.ndarray:
    """The loss of a learner in the second half of the stream."""
    return np.asarray(results.values(f"{name}, total") - results.values(f"{name}, half-way"))


def has_the_better_bound(results: Results) -> Verdict:
    """Whether Algorithm 3's bound is below Algorithm 2's, which grows with the lists' length; the reason adds their losses."""
    text, better = [], []
    for reading in READINGS:
        one = part(results, reading)
        slam, minimax = (one.mean(f"{name}, total").value for name in (SLAM, MINIMAX))
        bound, rival = (float(one.values(f"bound, {name}").max()) for name in (MINIMAX, SLAM))
        better.append(bound < rival)
        text.append(f"{reading}: bounds {bound:,.0f} and {rival:,.0f}, measured {minimax:.3g} and {slam:.3g}")
    longest = READINGS[next(iter(READINGS))].longest
    bound, longer = (bounds.slam_loss(m, longest, MARGIN) for m in (N_DOCUMENTS, 2 * N_DOCUMENTS))
    lead = f"SLAM's bound for AP is {bound:,.0f} with {N_DOCUMENTS} documents and {longer:,.0f} with twice as many"
    return exact(all(better) and longer > bound, f"{lead}; MinimaxRank and SLAM, {'; '.join(text)}")


CONSTANT = Experiment(
    name="chaudhuri-tewari-constant-loss",
    paper="chaudhuri-tewari",
    title="Chaudhuri & Tewari, around Figure 1: a loss that does not grow with the stream",
    about="These are lists as in Figure 1, but 100,000 different ones, and the total loss is measured. By the theorems, with "
    "a margin both perceptrons' total loss stays below a constant, so they misrank finitely many lists; there is no such "
    "theorem for ListNet. SLAM learns with a step of 1, and with the tiny step for which its bound is proved. No document is "
    "longer than the R of the bounds.",
    trial=trial,
    trials=16,
    quick=2,
    seconds=10.0,
    claims=(
        Claim(
            "On separable lists both algorithms rank all but a finite number of instances correctly.",
            "Section 8, first item; section 1 and Corollary 7",
            stops,
        ),
        Claim(
            "For separable data the cumulative loss is bounded by a constant, however long the sequence is.",
            "Section 8, on the simulated data; Corollaries 7 and 11, Theorem 8",
            is_bounded,
        ),
        Claim(
            "ListNet's gradient descent has only a regret guarantee of O(√t), so it converges more slowly than the perceptrons.",
            "Section 8, on the simulated data (in the long run)",
            outlasted,
        ),
        Claim(
            "Algorithm 3 achieves the minimax bound, unlike Algorithm 2, whose bound scales with the number of documents.",
            "Section 6.2, comparison of both",
            has_the_better_bound,
        ),
    ),
    draw=draw_constant,
    axes={
        f"{reading}: {name}, by round": [float(mark) for mark in MARKS]
        for reading in READINGS
        for name in (*FINITE, SLOW, *LISTNETS)
    },
)
