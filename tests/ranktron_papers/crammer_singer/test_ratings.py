"""Figure 7 of Crammer & Singer, on ratings made up here: rows, trials, verdicts and pictures."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from ranktron.data.sets import MissingData, Ratings
from ranktron_papers.crammer_singer import ratings as ratings_module
from ranktron_papers.crammer_singer.figure_7 import FIGURE_7, STEPS, kinds_of_wh, most
from ranktron_papers.crammer_singer.ratings import (
    AVERAGED,
    MCP,
    MEDIAN,
    METHODS,
    MU_PRANK,
    WH,
    centred_widrow_hoff,
    load,
    rows_of,
    running_median,
    trial,
    viewers_of,
    widrow_hoff,
)
from ranktron_papers.judging import DEPENDS, FAILS, HOLDS, UNDECIDED, Verdict
from ranktron_papers.results import Results
from ranktron_papers.rules import BY_ROUND

LEAST = 12


def made_ratings(n_people=14, n_films=25, seed=0):
    """Everybody rates some films with 1 to 5 stars, the last two people only three."""
    random = np.random.default_rng(seed)
    counts = [*(LEAST + random.integers(0, 5, n_people - 2)), 3, 3]
    people = np.repeat(np.arange(n_people), counts)
    films = np.concatenate([random.permutation(n_films)[:count] for count in counts])
    stars = random.integers(1, 6, len(people)).astype(float)
    stars[:5] = [1, 2, 3, 4, 5]
    return Ratings(people, films, stars, np.arange(n_people), np.arange(n_films))


@pytest.fixture(scope="module")
def ratings():
    return made_ratings()


@pytest.fixture(scope="module")
def viewers(ratings):
    return viewers_of(ratings, LEAST, "MovieLens")


# Data


def test_only_those_with_enough_ratings_are_viewers(viewers):
    assert viewers.people.tolist() == list(range(12))
    assert (viewers.n_people, viewers.n_films) == (14, 25)


def test_the_longest_row_is_found(viewers, ratings):
    table = np.zeros((viewers.n_films, viewers.n_people))
    table[ratings.items, ratings.people] = (ratings.ratings - 3) / 4
    assert viewers.longest == pytest.approx((table[:, viewers.people] ** 2).sum(axis=1).max())


def test_rows_are_what_the_others_say_of_the_persons_films(viewers, ratings):
    X, y, ranks = rows_of(viewers, 5)
    person = int(np.random.default_rng(5).choice(viewers.people))
    own = ratings.people == person
    assert sorted(y.tolist()) == sorted(ratings.ratings[own].astype(int).tolist())
    assert ranks == [1, 2, 3, 4, 5]
    assert X.shape == (own.sum(), len(viewers.people) - 1)
    others = np.isin(ratings.people, viewers.people) & ~own & np.isin(ratings.items, ratings.items[own])
    expected = sorted(((ratings.ratings[others] - 3) / 4).tolist())
    stored = sorted(X.data.tolist())
    assert stored == expected


def test_without_data_both_sets_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("RANKTRON_DATA", str(tmp_path))
    with pytest.raises(MissingData, match=r"MovieLens is not at .*; EachMovie, which the paper used, is not there either"):
        load(100)


def test_movielens_does_where_eachmovie_is_missing(tmp_path, monkeypatch):
    folder = tmp_path / "movielens" / "ml-latest-small"
    folder.mkdir(parents=True)
    lines = ["userId,movieId,rating,timestamp", "1,10,0.5,1", "1,11,5.0,2", "2,10,4.0,3"]
    (folder / "ratings.csv").write_text("\n".join(lines) + "\n")
    monkeypatch.setenv("RANKTRON_DATA", str(tmp_path))
    found = load(2)
    assert found.people.tolist() == [0]
    assert found.table.levels.tolist() == [0.5, 4.0, 5.0]


def test_eachmovie_goes_first(monkeypatch, ratings):
    monkeypatch.setattr(ratings_module, "load_eachmovie", lambda: ratings)
    monkeypatch.setattr(ratings_module, "load_movielens", lambda: pytest.fail("not asked for"))
    assert load(LEAST).n_people == 14


# Trials


def test_a_trial_is_a_function_of_its_seed(viewers):
    first = trial(1, viewers, LEAST)
    assert trial(1, viewers, LEAST) == first
    assert trial(2, viewers, LEAST) != first
    assert all(len(first[BY_ROUND.format(name)]) == LEAST for name in (MEDIAN, *METHODS, *WH))
    assert {printed.number for printed in FIGURE_7[0].printed} <= set(first)
    assert first["people"] == 14
    assert first["viewers with so many ratings"] == 12


def test_the_median_looks_at_what_was_told_before():
    y = np.random.default_rng(0).integers(1, 7, 30)
    told = running_median(y, 6)
    assert told[0] == 3
    assert all(told[t] == np.quantile(y[:t], 0.5, method="inverted_cdf") for t in range(1, 30))
    assert len(running_median(y[:1], 6)) == 1


def test_centred_ranks_are_learned_as_others_are(viewers):
    """The same as ranks of which the middle is 0, learned from dense rows."""
    X, y, _ = rows_of(viewers, 0)
    weights, told = np.zeros(X.shape[1]), []
    for row, rank in zip(X.toarray(), y - 3.0, strict=True):
        told.append(np.clip(np.rint(weights @ row), -2, 2) + 3)
        weights += 0.5 * (rank - weights @ row) * row
    assert centred_widrow_hoff(X, y, 5, 0.5).tolist() == told
    assert centred_widrow_hoff(X, y, 5, 0.5)[0] == 3


def test_kinds_of_widrow_hoff_are_told_by_name(viewers):
    X, y, ranks = rows_of(viewers, 0)
    plain, constant, centred = kinds_of_wh()
    assert len(plain) == len(constant) == len(centred) == 3
    assert [widrow_hoff(names[-1], X, y, ranks, 1.0)[0] for names in (plain, constant, centred)] == [1, 1, 3]
    assert not np.array_equal(widrow_hoff(plain[-1], X, y, ranks, 1.0), widrow_hoff(constant[-1], X, y, ranks, 1.0))


# Verdicts


def estimator(least, is_quick=False, trials=3, **others):
    """Results as the paper tells them."""
    best = 4 if least == 100 else 0.5
    told = {name: lambda t: 2.0 for name in (MEDIAN, *METHODS, *WH, *MCP)}
    told |= {"PRank": lambda t: 1.2, "Si-PRank": lambda t: 1.0 if t > 60 else 1.3}
    told |= {f"Mu-PRank, η {step:g}": lambda t, step=step: 1.1 + 0.01 * abs(step - best) for step in STEPS} | others
    one = {BY_ROUND.format(name): [curve(t) for t in range(1, least + 1)] for name, curve in told.items()}
    one |= {name: curve(least) for name, curve in told.items()}
    return Results([one] * trials, is_quick)


def words(results, least):
    experiment = FIGURE_7[0 if least == 100 else 1]
    return {getattr(claim.judge, "func", claim.judge).__name__ + str(place): claim.judge(results).word
            for place, claim in enumerate(experiment.claims)}  # fmt: skip


@pytest.mark.parametrize("least", [100, 200])
def test_a_run_as_the_paper_tells_it_bears_it_out(least):
    assert set(words(estimator(least), least).values()) == {HOLDS}


@pytest.mark.parametrize(
    ("rule", "others"),
    [
        ("better_along0", {name: lambda t: 0.1 for name in WH}),
        ("better_along1", {name: lambda t: 0.1 if t < 50 else 2.0 for name in MCP}),
        ("slightly_lower2", {"Si-PRank": lambda t: 1.2}),
        ("sensitive3", {name: lambda t: 1.1 for name in MU_PRANK}),
        ("best_step4", {"Mu-PRank, η 1": lambda t: 0.1}),
        ("for_most_steps5", {"Mu-PRank, η 1": lambda t: 5.0, "Mu-PRank, η 4": lambda t: 5.0}),
        ("outperform6", {"PRank": lambda t: 3.0}),
        ("best_later7", {"Mu-PRank, η 1": lambda t: 0.1}),
        ("best_later7", {"Si-PRank": lambda t: 1.0}),
    ],
)
def test_a_run_that_tells_the_opposite_does_not(rule, others):
    assert words(estimator(100, **others), 100)[rule] == FAILS


def test_a_claim_that_hangs_on_what_wh_starts_from_depends():
    found = words(estimator(100, **{kinds_of_wh()[2][0]: lambda t: 0.2}), 100)
    assert found["better_along0"] == found["outperform6"] == DEPENDS


def test_one_quick_trial_decides_nothing():
    assert set(words(estimator(100, is_quick=True, trials=1), 100).values()) == {UNDECIDED}


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ([HOLDS, HOLDS, HOLDS, FAILS], HOLDS),
        ([HOLDS, HOLDS, FAILS, FAILS], FAILS),
        ([HOLDS, HOLDS, FAILS, UNDECIDED], UNDECIDED),
    ],
)
def test_most_are_all_but_one(given, whole):
    assert most(Verdict(word, "") for word in given).word == whole


@pytest.mark.parametrize("experiment", FIGURE_7)
def test_the_picture_names_its_curves(experiment):
    least = experiment.trial.keywords["n_rounds"]
    figure = Figure(layout="constrained")
    experiment.draw(estimator(least), figure)
    left, right = figure.axes
    assert {text.get_text() for text in left.texts} >= {"PRank", "Si-PRank", "MCP", MEDIAN, AVERAGED}
    assert {text.get_text() for text in right.texts} == {"Si-PRank", *MU_PRANK}
    assert left.get_xlim() == (0, least)
