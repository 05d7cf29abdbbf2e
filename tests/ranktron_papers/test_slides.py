"""The slides' experiments: online, in batch, and on ratings."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.svm import SVR

from ranktron.data import synthetic
from ranktron.data.sets import Ratings
from ranktron_papers import slides
from ranktron_papers.crammer_singer.ratings import viewers_of
from ranktron_papers.crammer_singer.synthetic import POINTS
from ranktron_papers.judging import DEPENDS, FAILS, HOLDS, UNDECIDED
from ranktron_papers.results import Results
from ranktron_papers.rules import BY_ROUND, BY_ROWS
from ranktron_papers.slides import batch as slides_batch
from ranktron_papers.slides.batch import BATCH, LEARNERS, RATINGS, RATINGS_LEARNERS, READINGS, RIVALS, SIZES
from ranktron_papers.slides.machines import PRANKS, by_machine, machines, ours, regression


def test_all_of_the_slides_experiments_are_there():
    names = [experiment.name for experiment in slides.PAPER.experiments]
    assert names == ["slides-figure-4", "slides-batch", "slides-batch-ratings"]
    assert all(experiment.paper == slides.PAPER.name for experiment in slides.PAPER.experiments)
    assert set(READINGS) == set(PRANKS)


# Machines


def test_the_map_is_the_kernel_for_machines_too():
    points, y = synthetic.crammer_singer(60, explicit=False, seed=0)
    X, _ = synthetic.crammer_singer(60, seed=0)
    kernel = SVR(kernel="poly", degree=2, gamma=1.0, coef0=1.0, C=1.0, epsilon=0.1).fit(points[:40], y[:40])
    mapped = regression(1.0, 0.1).fit(X[:40], y[:40])
    assert mapped.predict(X[40:]) == pytest.approx(kernel.predict(points[40:]), abs=5e-3)  # their tolerance is 1e-3


# Those that do not forgive half a rank.
EXACT = {name: learner for name, learner in machines((100.0,)).items() if not name.endswith("ε 0.5")}


@pytest.mark.parametrize("learner", EXACT.values(), ids=EXACT)
def test_machines_learn_what_is_plain(learner):
    X = np.column_stack([np.repeat([0.0, 5.0, 10.0], 4), np.ones(12)])
    y = np.repeat([1, 2, 3], 4)
    assert learner(X, y, X[::4], 3).tolist() == [1, 2, 3]


def test_a_machine_that_has_seen_one_rank_says_it():
    told = by_machine(np.ones((3, 2)), np.array([2, 2, 2]), np.zeros((2, 2)), 5, make=pytest.fail)
    assert told.tolist() == [2, 2]


def test_regressions_are_rounded_into_the_ranks():
    X = np.arange(1.0, 6.0)[:, None]
    told = by_machine(X, np.arange(1, 6), np.array([[-50.0], [2.2], [50.0]]), 5, make=lambda: regression(100.0, 0.01))
    assert told.tolist() == [1, 2, 5]


def test_passes_are_passes():
    X, y = synthetic.crammer_singer(30, seed=0)
    once, twice = ours("PRank"), ours("PRank", epochs=2)
    again = twice(X, y, X, 5)
    assert np.array_equal(again, once(np.vstack([X, X]), np.append(y, y), X, 5))
    assert not np.array_equal(again, once(X, y, X, 5))


# Trials


def test_a_batch_is_a_function_of_its_seed():
    found = slides_batch.trial(2, None, (10, 20), 30)
    assert slides_batch.trial(2, None, (10, 20), 30) == found
    assert slides_batch.trial(3, None, (10, 20), 30) != found
    assert set(found) == set(LEARNERS) | set(BATCH.axes)
    assert all(found[BY_ROWS.format(name)][-1] == found[name] for name in LEARNERS)


def test_online_the_slides_run_what_the_paper_runs():
    from ranktron_papers.crammer_singer import synthetic as crammer_singer_synthetic

    theirs = crammer_singer_synthetic.trial(1, None, 50)
    found = slides.trial(1, None, 50)
    assert found == {name: theirs[name] for name in found}
    assert {one.number: found[one.number] for one in slides.FIGURE_4.printed} == {
        one.number: one.value for one in slides.FIGURE_4.printed
    }


def test_ratings_are_learned_from_three_quarters():
    random = np.random.default_rng(0)
    people, films = np.divmod(np.arange(6 * 20), 20)
    ratings = Ratings(people, films, random.integers(1, 4, 120).astype(float), np.arange(6), np.arange(20))
    viewers = viewers_of(ratings, 20, "MovieLens")
    found = slides_batch.ratings_trial(0, viewers)
    assert set(found) == {*RATINGS_LEARNERS, "median"}
    assert slides_batch.ratings_trial(0, viewers) == found
    assert all(loss * 5 == pytest.approx(round(loss * 5)) for loss in found.values())  # five ratings are left to judge by


# Verdicts


def batch(is_quick=False, trials=3, **losses):
    told = {name: 0.3 for name in PRANKS} | {name: 0.5 for name in LEARNERS if name not in PRANKS} | losses
    one = {BY_ROWS.format(name): [loss] * len(SIZES) for name, loss in told.items()} | told
    return Results([one] * trials, is_quick)


def words(experiment, results):
    return [claim.judge(results).word for claim in experiment.claims]


def test_batch_verdicts_follow_the_numbers():
    worse, better = dict.fromkeys(RIVALS, 0.1), {"SVR, C 1, ε 0.1": 0.1}
    assert words(BATCH, batch()) == [HOLDS] * 4
    assert words(BATCH, batch(**worse)) == [FAILS] * 4
    assert words(BATCH, batch(**better)) == [DEPENDS] * 4
    assert words(BATCH, batch(**{"PRank": 0.9})) == [FAILS, HOLDS, HOLDS, HOLDS]
    assert words(BATCH, batch(is_quick=True, trials=1)) == [UNDECIDED] * 4


def test_being_behind_with_few_rows_is_not_outperforming():
    results = batch()
    for numbers in results.trials:
        numbers[BY_ROWS.format("PRank")] = [9.0, *numbers[BY_ROWS.format("PRank")][1:]]
    assert words(BATCH, results) == [FAILS, HOLDS, HOLDS, HOLDS]
    assert "not after 10 rows" in BATCH.claims[0].judge(results).reason


def on_ratings(**losses):
    told = {name: 0.3 for name in PRANKS} | {name: 0.5 for name in RATINGS_LEARNERS if name not in PRANKS} | {"median": 0.4}
    return Results([told | losses] * 3, False)


def test_verdicts_on_ratings_follow_the_numbers():
    assert words(RATINGS, on_ratings()) == [HOLDS] * 4
    assert words(RATINGS, on_ratings(**{"SVR, C 1, ε 0.5": 0.1})) == [DEPENDS] * 4
    assert words(RATINGS, on_ratings(**{"averaged PRank": 0.7})) == [HOLDS, HOLDS, FAILS, HOLDS]


def online(**losses):
    told = {name: 0.5 for name in slides.METHODS} | {"PRank": 0.4} | losses
    one = {BY_ROUND.format(name): [told[name]] * len(POINTS) for name in slides.METHODS}
    return Results([one | {printed.number: float(printed.value) for printed in slides.FIGURE_4.printed} | told] * 3, False)


def test_online_verdicts_follow_the_numbers():
    assert words(slides.FIGURE_4, online()) == [HOLDS] * 3
    assert words(slides.FIGURE_4, online(**{"WH, step 0.2": 0.1})) == [HOLDS, HOLDS, DEPENDS]
    assert words(slides.FIGURE_4, online(**{"PRank": 0.7})) == [HOLDS, FAILS, FAILS]
    assert words(slides.FIGURE_4, online(**{"parameters of WH": 7.0})) == [FAILS, HOLDS, HOLDS]


# Pictures


def drawn(experiment, results):
    figure = Figure(layout="constrained")
    experiment.draw(results, figure)
    [axes] = figure.axes
    return axes


def test_pictures_name_what_they_show():
    assert {text.get_text() for text in drawn(slides.FIGURE_4, online()).texts} == set(slides.METHODS)
    batches = drawn(BATCH, batch())
    assert batches.get_xscale() == "log"
    assert "multi-class SVM, C 100" in {text.get_text() for text in batches.texts}
    people = drawn(RATINGS, on_ratings(**{"SVR, C 1, ε 0.5": 0.1}))
    assert [label.get_text() for label in people.get_yticklabels()][-1] == "SVR, C 1, ε 0.5"  # the best is on top
    assert len(people.get_yticks()) == len(RATINGS_LEARNERS) + 1


@pytest.mark.full
@pytest.mark.compiled
def test_a_whole_trial():
    found = slides_batch.trial(0, None)
    assert len(found["PRank, by rows"]) == len(SIZES)
    assert found["averaged PRank, 100 passes"] < found["multi-class SVM, C 1"]
