"""Results on another data set than the paper's say so: by the data that were loaded, whatever the experiment."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import ranktron_papers
from ranktron.data.sets import MissingData, Ratings
from ranktron_papers import DataSet, Printed, Results, pages
from ranktron_papers.crammer_singer import FIGURE_7, ratings
from ranktron_papers.judging import FAILS, HOLDS, NOT_COMPARABLE
from ranktron_papers.runs import worker
from ranktron_papers.runs.run import Observer, Run
from ranktron_papers.slides.batch import RATINGS
from ranktron_papers.tables import claims_of, numbers_of

from . import madeup

EVERY = {one.name: one for paper in ranktron_papers.all_papers().values() for one in paper.experiments}
ON_MOVIELENS = "MovieLens, standing in for EachMovie"


@pytest.mark.parametrize("name", EVERY)
def test_whoever_loads_data_or_stands_in_for_some_says_which_the_paper_used(name):
    one = EVERY[name]
    assert one.load is None or one.data_set is not None
    stands_in = one.data_set is not None and (callable(one.data_set.used) or one.data_set.stand_in() != "")
    assert stands_in == any(word in f"{one.title} {one.about}" for word in ("stand-in", "or else of MovieLens", "or MovieLens"))
    assert (pickle.loads(pickle.dumps(one.data_set)) is None) == (one.data_set is None)  # processes ask it


def test_an_experiment_that_does_not_say_it_fails(tmp_path, monkeypatch):
    (tmp_path / "number").write_text("7.5")
    monkeypatch.setenv(madeup.DATA, str(tmp_path / "number"))
    failed = worker.inspect(madeup.loaded, None)
    assert failed.sentence == "ValueError: the experiment loads data but has no data_set, which names the one its paper used"
    assert not failed.is_missing


def test_films_are_rated_on_what_is_there(monkeypatch):
    """EachMovie where the user has it; otherwise MovieLens, and then every result says so."""
    rated = Ratings(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([1.0, 2.0, 2.0, 1.0]), np.arange(2), np.arange(2))

    def missing():
        raise MissingData("not there")

    monkeypatch.setattr(ratings, "load_movielens", lambda: rated)
    for load, told in ((lambda: rated, ""), (missing, ON_MOVIELENS)):
        monkeypatch.setattr(ratings, "load_eachmovie", load)
        for one in (*FIGURE_7, RATINGS):
            assert one.data_set.stand_in(ratings.load(1)) == told
            worker._loaded.clear()


def film_results(stand_in):
    """Figure 7's numbers, of MovieLens' size."""
    experiment = FIGURE_7[0]
    one = {name: [0.5] * len(places) for name, places in experiment.axes.items()}
    one |= {name.removesuffix(", by round"): 0.5 for name in one}
    sizes = {"people": 6_040.0, "films": 3_706.0, "viewers with so many ratings": 2_945.0}
    return experiment, Results([{**one, **sizes}] * 3, False, stand_in)


def test_sizes_of_eachmovie_are_not_asked_of_movielens():
    rows = [row for row in numbers_of(*film_results(ON_MOVIELENS)) if row.printed is not None]
    assert [(row.mean, row.printed, row.verdict, row.data) for row in rows] == [
        (6_040.0, 61_265, NOT_COMPARABLE, ON_MOVIELENS),
        (3_706.0, 1_623, NOT_COMPARABLE, ON_MOVIELENS),
        (2_945.0, 7_542, NOT_COMPARABLE, ON_MOVIELENS),
    ]
    rows = [row for row in numbers_of(*film_results("")) if row.printed is not None]
    assert [(row.verdict, row.data) for row in rows] == [(FAILS, "")] * 3


@pytest.mark.parametrize("stand_in", ["", ON_MOVIELENS])
def test_every_claim_that_is_judged_on_a_stand_in_says_so(stand_in):
    rows = claims_of(*film_results(stand_in))
    assert {row.data for row in rows} == {stand_in}
    assert [row.verdict for row in rows] == [row.verdict for row in claims_of(*film_results(""))]


def test_a_run_asks_the_data(tmp_path, monkeypatch):
    (tmp_path / "number").write_text("7.5")
    monkeypatch.setenv(madeup.DATA, str(tmp_path / "number"))
    other = madeup.DATA_SET._replace(data_set=DataSet("the paper's", "ours"), printed=(Printed("value", 9.0, "Table 2"),))
    drawn = madeup.CONSTANT._replace(data_set=DataSet("the paper's", "drawn"))
    found = Run([other, drawn, madeup.COIN], True, 1, tmp_path / "trials").do(Observer())
    told = [({row.data for row in one.claims}, {row.data for row in one.numbers if row.printed is not None}) for one in found]
    assert told == [
        ({"ours, standing in for the paper's"},) * 2,
        ({"drawn, standing in for the paper's"},) * 2,
        ({""},) * 2,
    ]
    assert {row.verdict for one in found[:2] for row in one.numbers if row.printed is not None} == {NOT_COMPARABLE}


def test_pages_say_so_beside_the_verdict():
    experiment, results = film_results(ON_MOVIELENS)
    claims, numbers = claims_of(experiment, results), numbers_of(experiment, results)
    table = pages._claims([row._replace(verdict=HOLDS) for row in claims])
    assert table.count(f"| on {ON_MOVIELENS}: **holds** |") == len(experiment.claims)
    printed = pages._printed([row for row in numbers if row.printed is not None])
    assert f"| people | 61265 | 6040 on {ON_MOVIELENS} | not comparable |" in printed
