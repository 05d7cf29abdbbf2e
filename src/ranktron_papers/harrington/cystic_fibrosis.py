"""Harrington, Table 2 and Figure 3 (b): one judge's rating of a document by those of three others, cystic fibrosis collection."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ranktron.data.sets import load_cystic_fibrosis

from ..experiment import Claim, DataSet, Experiment, Numbers, Printed
from ..plots import BLUE, GREEN, ORANGE, SKY
from ..results import Results
from ..rules import of_case
from .cells import ROUNDED, UNROUNDED, Mark, claims_of, oap_cells, prank_cells, printed_of, wh_cells
from .methods import BPM, MEMBERS, PLUS_ONE, WH
from .ratings import NO_POINTS, CurvePoints, RatingTask, axes_of, measure
from .ratings_claims import comparable, draw_column, fastest, in_table_order, is_lowest, shared_claims

N_RANKS, LEARNED, TESTED = 3, 4_247, 582
# The number that is added to ratings of 0, 1 and 2, for the paper's ranks, centred ones, and the collection's own.
ENCODINGS = {"1 2 3": 1.0, "-1 0 1": -1.0, "0 1 2": 0.0}
# The judge is drawn for every pair, as the text says, or once per trial, like the person in the paper's third experiment.
LETTER, CLOSEST = "any judge, 1 2 3", "one judge, 1 2 3"
PLAIN = tuple(f"{judge}, {encoding}" for judge in ("any judge", "one judge") for encoding in ENCODINGS)
WITH_ONES = tuple(f"{case}, with ones" for case in PLAIN)
FOLLOWED = (LETTER, CLOSEST)
POINTS = CurvePoints((25, 50, 100, 200, 400, 700, *range(1_000, LEARNED, 500), LEARNED), early=400)
MARKS = (50, 100, 200, 400)

COLUMN = [
    *wh_cells({0.2: (0.75, 0.02), 0.05: (0.48, 0.02), 0.01: (0.43, 0.02), 0.001: (0.41, 0.02)}),
    *prank_cells(prank=(0.50, 0.02), prank_vp=(0.52, 0.01)),
    *oap_cells(
        bpm={0.1: (0.40, 0.01), 0.2: (0.39, 0.01), 0.3: (0.40, 0.02)},
        bagg={0.1: (0.50, 0.01), 0.2: (0.48, 0.01), 0.3: (0.47, 0.01)},
        vp={0.1: (0.47, 0.01), 0.2: (0.45, 0.01), 0.3: (0.45, 0.01)},
    ),
]


def load(path: str | None = None, partial: bool = False) -> np.ndarray:
    """The grades, one column per judge."""
    return load_cystic_fibrosis(path, partial=partial).grades


def trial(seed: int, grades: np.ndarray, learned: int = LEARNED, points: CurvePoints = POINTS, members: int = MEMBERS) -> Numbers:
    """The losses of all methods in every reading; pairs come in random order, the first are learned, the others tested."""
    random = np.random.default_rng(seed)
    shuffled = random.permutation(grades)
    any_judge, one_judge = random.integers(grades.shape[1], size=len(grades)), np.full(len(grades), seed % grades.shape[1])
    numbers: Numbers = {"pairs learned": float(learned), "pairs tested": float(len(grades) - learned)}
    for judge, target in (("any judge", any_judge), ("one judge", one_judge)):
        y, others = targets_and_others(shuffled, target)
        for encoding, shift in ENCODINGS.items():
            case, X = f"{judge}, {encoding}", others + shift
            followed = points if case in FOLLOWED else NO_POINTS
            task = RatingTask(X, y, learned, N_RANKS)
            numbers |= of_case(case, measure(task, seed, followed, members))
            task = task._replace(X=np.column_stack([X, np.ones(len(X))]))
            numbers |= of_case(f"{case}, with ones", measure(task, seed, members=members, voted=False))
    return numbers


def targets_and_others(grades: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rank that one judge gives each pair, and the grades of the other judges in their order."""
    judges = grades.shape[1]
    others = np.array([[other for other in range(judges) if other != judge] for judge in range(judges)])
    return 1 + grades[np.arange(len(grades)), target], np.take_along_axis(grades, others[target], 1)


def draw(results: Results, figure: Any) -> None:
    """The column of Table 2 beside the measured numbers, and Figure 3 (b)."""
    marks = [
        Mark(CLOSEST, UNROUNDED, BLUE, "one judge, real numbers"),
        Mark(CLOSEST, ROUNDED, SKY, "one judge, ranks"),
        Mark(LETTER, UNROUNDED, ORANGE, "any judge, real numbers"),
        Mark(LETTER, ROUNDED, GREEN, "any judge, ranks"),
    ]
    left, right = draw_column(figure, results, COLUMN, POINTS, marks, "pairs", legend="center right")
    left.set(xlim=(0.3, 1.05))
    right.set(ylim=(0.35, 0.9), xlabel="rounds, one judge a trial")


CLAIMS = (
    *claims_of(COLUMN, (*PLAIN, *WITH_ONES), "Table 2, cystic fibrosis"),
    Claim(
        "OAP-BPM has the lowest average rank loss on the test set.",
        "Section 4.2, on Table 2",
        functools.partial(is_lowest, cases=PLAIN),
    ),
    Claim(
        "OAP-BPM is ahead of OAP-VP, this of OAP-Bagg, and this of PRank (τ = 0.2).",
        "Table 2, cystic fibrosis",
        functools.partial(in_table_order, cases=PLAIN),
    ),
    Claim(
        "WH's performance on the test examples is comparable to that of OAP-BPM.",
        "Section 4.2, last paragraph",
        functools.partial(comparable, cases=(*PLAIN, *WITH_ONES), low=WH, high=BPM),
    ),
    Claim(
        "WH has the fastest convergence.",
        "Section 4.2, on Figure 3 (b)",
        functools.partial(fastest, cases=FOLLOWED, points=POINTS, marks=MARKS),
    ),
    *shared_claims(PLAIN, FOLLOWED, POINTS, MARKS),
)

CYSTIC_FIBROSIS = Experiment(
    name="harrington-cystic-fibrosis",
    paper="harrington",
    title="Harrington, Table 2 and Figure 3 (b): cystic fibrosis",
    about="Four judges graded 4,819 pairs of a medical question and a document: not, marginally or highly relevant. The "
    "grade of one judge is predicted from those of the three others. 4,247 pairs in random order are learned, and the others "
    "are tested. The text does not say whether the judge is drawn for every pair or once per trial, and whether grades are 1, "
    "2, 3, are centred, or have a constant column beside them. All of these are run; with one judge per trial, the four "
    "judges take turns.",
    trial=trial,
    trials=500,
    quick=12,
    seconds=1.5,
    printed=(
        Printed("pairs learned", LEARNED, "Section 4.2: the training and test set sizes were 4247 and 582"),
        Printed("pairs tested", TESTED, "Section 4.2: the training and test set sizes were 4247 and 582"),
        *printed_of(COLUMN, LETTER, "Table 2, cystic fibrosis, by the letter", "correct"),
        *printed_of(COLUMN, CLOSEST, "Table 2, cystic fibrosis, as one judge a trial", PLUS_ONE),
    ),
    claims=CLAIMS,
    draw=draw,
    axes={name: places for case in FOLLOWED for name, places in axes_of(case, POINTS).items()},
    load=load,
    data_set=DataSet("the cystic fibrosis collection"),
)
