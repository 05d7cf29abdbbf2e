"""Harrington, Table 2 and Figure 3 (a): one judge's grade of a document by those of two others, OHSUMED."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ranktron.data.sets import MissingData, load_ohsumed

from ..experiment import Claim, DataSet, Experiment, Numbers
from ..plots import BLUE, SKY
from ..results import Results
from ..rules import of_case
from .cells import ROUNDED, UNROUNDED, Mark, claims_of, oap_cells, prank_cells, printed_of, wh_cells
from .methods import BPM, MEMBERS, WH
from .ratings import CurvePoints, RatingTask, axes_of, measure
from .ratings_claims import comparable, draw_column, fastest, shared_claims

N_RANKS, LEARNED, TESTED = 3, 1_000, 100
CASE = "1 2 3, 0 for none"
POINTS = CurvePoints((25, *range(50, LEARNED + 1, 50)), early=400)
MARKS = (50, 100, 200, 400)

COLUMN = [
    *wh_cells({0.2: (0.43, 0.01), 0.05: (0.38, 0.01), 0.01: (0.38, 0.01), 0.001: (0.38, 0.01)}),
    *prank_cells(prank=(0.53, 0.02), prank_vp=(0.49, 0.00)),
    *oap_cells(
        bpm={0.1: (0.41, 0.01), 0.2: (0.41, 0.01), 0.3: (0.41, 0.01)},
        bagg={0.1: (0.53, 0.01), 0.2: (0.50, 0.01), 0.3: (0.49, 0.01)},
        vp={0.1: (0.47, 0.01), 0.2: (0.46, 0.01), 0.3: (0.46, 0.01)},
    ),
]


def load(path: str | None = None, partial: bool = False) -> np.ndarray:
    """The grades of pairs with two or three grades, one column per judge; -1 where a judge gave none."""
    judgements = load_ohsumed(path, partial=partial)
    if judgements.grades.shape[1] < 3:
        raise MissingData(
            "this copy of OHSUMED has one grade per pair; the experiment needs up to three, which only the file judged has"
        )
    return judged_twice(judgements.grades)


def judged_twice(grades: np.ndarray) -> np.ndarray:
    """The pairs that have at least two grades."""
    return np.asarray(grades[(grades >= 0).sum(axis=1) >= 2])


def trial(
    seed: int,
    grades: np.ndarray,
    learned: int = LEARNED,
    tested: int = TESTED,
    points: CurvePoints = POINTS,
    members: int = MEMBERS,
) -> Numbers:
    """Random pairs: the grade of one judge is learned, and those of the two others (0 if missing) are the features."""
    random = np.random.default_rng(seed)
    X, y = rows_of(random.permutation(grades)[: learned + tested], random)
    numbers = measure(RatingTask(X, y, learned, N_RANKS), seed, points, members)
    return {"pairs judged twice": float(len(grades)), **of_case(CASE, numbers)}


def rows_of(grades: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The grades of the other judges, and the rank by one of those who graded the pair."""
    target = np.where(grades >= 0, random.random(grades.shape), -1.0).argmax(axis=1)
    others = np.array([[1, 2], [0, 2], [0, 1]])[target]
    return 1.0 + np.take_along_axis(grades, others, 1), 1 + grades[np.arange(len(grades)), target]


def draw(results: Results, figure: Any) -> None:
    """The column of Table 2 beside the measured numbers, and Figure 3 (a)."""
    marks = [Mark(CASE, UNROUNDED, BLUE, "real numbers"), Mark(CASE, ROUNDED, SKY, "ranks")]
    draw_column(figure, results, COLUMN, POINTS, marks, "pairs")


OHSUMED = Experiment(
    name="harrington-ohsumed",
    paper="harrington",
    title="Harrington, Table 2 and Figure 3 (a): OHSUMED",
    about="Up to three judges graded how relevant documents are for 106 medical queries: not, possibly or definitely. For "
    "each pair with two or three grades, one grade is drawn to be predicted from the others, with 0 for a judge without a "
    "grade. 1,000 pairs are learned, and 100 are tested. The experiment needs the file judged of the first collection.",
    trial=trial,
    trials=500,
    quick=40,
    seconds=0.3,
    printed=tuple(printed_of(COLUMN, CASE, "Table 2, OHSUMED", "correct")),
    claims=(
        *claims_of(COLUMN, (CASE,), "Table 2, OHSUMED"),
        Claim(
            "OAP-BPM is close to the better WH.",
            "Section 4.2, on Table 2",
            functools.partial(comparable, cases=(CASE,), low=BPM, high=WH),
        ),
        Claim(
            "WH has the fastest convergence.",
            "Section 4.2, on Figure 3 (a)",
            functools.partial(fastest, cases=(CASE,), points=POINTS, marks=MARKS),
        ),
        *shared_claims((CASE,), (CASE,), POINTS, MARKS),
    ),
    draw=draw,
    axes=axes_of(CASE, POINTS),
    load=load,
    data_set=DataSet("OHSUMED"),
)
