"""Harrington, Table 2 and Figure 3 (c): one viewer's scores of films by those of 546 others, EachMovie."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from ranktron.data.sets import Collaboration, Ratings, load_eachmovie, people_with

from ..experiment import Claim, DataSet, Experiment, Numbers, Printed
from ..plots import BLUE, SKY
from ..results import Results
from ..rules import of_case
from .cells import ROUNDED, UNROUNDED, Mark, claims_of, oap_cells, prank_cells, printed_of, wh_cells
from .methods import MEMBERS
from .ratings import CurvePoints, RatingTask, axes_of, measure
from .ratings_claims import draw_column, is_lowest, shared_claims

# Viewers rated more than OVER films. The first FILMS are used, and LEARNED of these are learned.
OVER, FILMS, LEARNED = 300, 300, 210
CASE = "scores less 0.5"
POINTS = CurvePoints(tuple(range(10, LEARNED + 1, 10)), early=100)
MARKS = (20, 50, 100)

COLUMN = [
    *wh_cells({0.2: (2.19, 0.06), 0.05: (1.92, 0.07), 0.01: (2.25, 0.08), 0.001: (2.74, 0.10)}),
    *prank_cells(prank=(1.06, 0.03), prank_vp=(1.13, 0.03)),
    *oap_cells(
        bpm={0.1: (0.89, 0.03), 0.2: (0.89, 0.03), 0.3: (0.90, 0.03)},
        bagg={0.1: (0.96, 0.03), 0.2: (0.95, 0.03), 0.3: (0.96, 0.03)},
        vp={0.1: (0.95, 0.03), 0.2: (0.95, 0.03), 0.3: (0.95, 0.03)},
    ),
]


class Viewers(NamedTuple):
    """The viewers who rated many films, among all people in the data set."""

    scores: Collaboration
    people: np.ndarray
    n_people: int
    n_films: int


def load(path: str | None = None, partial: bool = False) -> Viewers:
    """The user's EachMovie."""
    return viewers_of(load_eachmovie(path, partial=partial))


def viewers_of(ratings: Ratings, over: int = OVER) -> Viewers:
    """The viewers who rated more than ``over`` films."""
    sizes = len(ratings.names_people), len(ratings.names_items)
    return Viewers(Collaboration(ratings), people_with(ratings, over + 1), *sizes)


def trial(
    seed: int, viewers: Viewers, films: int = FILMS, learned: int = LEARNED, points: CurvePoints = POINTS, members: int = MEMBERS
) -> Numbers:
    """Somebody's first films in random order: some to learn, the others to test; features are the other viewers' scores."""
    random = np.random.default_rng(seed)
    X, y, _ = viewers.scores.rows(int(random.choice(viewers.people)), viewers.people)
    order = random.permutation(films)
    numbers = measure(RatingTask(X[:films][order], y[:films][order], learned, len(viewers.scores.levels)), seed, points, members)
    sizes: Numbers = {"viewers": float(len(viewers.people)), "people": float(viewers.n_people), "films": float(viewers.n_films)}
    return sizes | of_case(CASE, numbers)


def draw(results: Results, figure: Any) -> None:
    """The column of Table 2 with ours, and Figure 3 (c)."""
    marks = [Mark(CASE, UNROUNDED, BLUE, "real numbers"), Mark(CASE, ROUNDED, SKY, "ranks")]
    draw_column(figure, results, COLUMN, POINTS, marks, "films")


EACHMOVIE = Experiment(
    name="harrington-eachmovie",
    paper="harrington",
    title="Harrington, Table 2 and Figure 3 (c): EachMovie",
    about="People scored films in six steps. A person with more than 300 scores is drawn. The first 300 are predicted from "
    "the scores that the other such people gave to the same film, less one half, or 0 where there is no score. 210 films in "
    "random order are learned, and 90 are tested. The experiment needs a copy of EachMovie, which is no longer published.",
    trial=trial,
    trials=500,
    quick=20,
    seconds=0.5,
    printed=(
        Printed("people", 72_916, "Section 4.2: 72916 people were involved"),
        Printed("films", 1_628, "Section 4.2: ratings from a possible 1628 movies"),
        Printed("viewers", 547, "Section 4.2: people who rated over 300 movies, totaling 547"),
        *printed_of(COLUMN, CASE, "Table 2, EachMovie", "correct"),
    ),
    claims=(
        *claims_of(COLUMN, (CASE,), "Table 2, EachMovie"),
        Claim(
            "OAP-BPM has the lowest average rank loss on the test set.",
            "Section 4.2, on Table 2",
            functools.partial(is_lowest, cases=(CASE,)),
        ),
        *shared_claims((CASE,), (CASE,), POINTS, MARKS),
    ),
    draw=draw,
    axes=axes_of(CASE, POINTS),
    load=load,
    data_set=DataSet("EachMovie"),
)
