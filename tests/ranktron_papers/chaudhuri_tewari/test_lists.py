"""Lists with a margin, and learners that meet lists one by one."""

from __future__ import annotations

import numpy as np
import pytest

import ranktron
from ranktron import bounds, metrics
from ranktron_papers.chaudhuri_tewari.lists import (
    AP,
    EVEN,
    MARGIN,
    NARROW,
    NDCG,
    READINGS,
    WIDE,
    Separable,
    best_step,
    curves_by_step,
    decades,
    learner,
    measured_lists,
    online_curve,
    time_averaged,
)


@pytest.mark.parametrize("reading", READINGS)
def test_the_ranker_orders_every_list_with_the_margin(reading):
    stream = Separable(reading, seed=3)
    X, y, qid = stream.draw(200)
    assert np.linalg.norm(stream.ranker) == pytest.approx(1.0)
    assert bounds.list_margin(stream.ranker, X, y, qid) >= MARGIN - 1e-9
    assert np.linalg.norm(X, axis=1).max() < READINGS[reading].longest
    assert X.shape == (4000, 20)
    assert np.bincount(qid).tolist() == [20] * 200
    assert np.abs(np.bincount(y) / len(y) - 0.2).max() < 0.03  # five grades, uniform: 0.03 is five deviations


@pytest.mark.parametrize("reading", READINGS)
def test_beside_the_ranker_each_grade_is_a_gaussian_around_its_centre(reading):
    stream = Separable(reading, seed=5)
    X, y, _ = stream.draw(500)
    away = np.eye(20) - np.outer(stream.ranker, stream.ranker)
    for grade, centre in enumerate(stream.centres):
        rows = (X[y == grade] - centre) @ away
        assert np.abs(rows.mean(axis=0)).max() < 0.15 * READINGS[reading].spread
        assert np.mean(rows**2) == pytest.approx(READINGS[reading].spread ** 2 * 19 / 20, rel=0.05)


def test_even_grades_are_steps_along_the_ranker():
    stream = Separable(EVEN, seed=1)
    X, y, _ = stream.draw(50)
    along = X @ stream.ranker - y
    assert -1e-9 < along.min() < 0.05
    assert 0.85 < along.max() < 0.9 + 1e-9


@pytest.mark.parametrize("reading", [WIDE, NARROW])
def test_gaussians_are_cut_in_the_middle_between_centres_that_are_two_margins_apart(reading):
    stream = Separable(reading, seed=2)
    places = stream.centres @ stream.ranker
    assert np.diff(places).min() >= 2 * MARGIN
    X, y, _ = stream.draw(300)
    along = X @ stream.ranker
    for grade in range(4):
        middle = (places[grade] + places[grade + 1]) / 2
        assert along[y == grade].max() <= middle - MARGIN / 2 + 1e-9
        assert along[y == grade + 1].min() >= middle + MARGIN / 2 - 1e-9


def test_a_seed_is_a_stream_whose_lists_never_come_again():
    first, again = Separable(WIDE, seed=7), Separable(WIDE, seed=7)
    assert np.array_equal(first.draw(3)[0], again.draw(3)[0])
    assert not np.array_equal(first.draw(3)[0], Separable(WIDE, seed=7).draw(3)[0])
    assert not np.array_equal(Separable(WIDE, seed=7).draw(3)[0], Separable(WIDE, seed=8).draw(3)[0])


def test_the_average_over_time():
    assert time_averaged(np.array([1.0, 0.0, 0.5])).tolist() == [1.0, 0.5, 0.5]


@pytest.mark.parametrize("measure", [NDCG, AP])
def test_lists_are_ranked_before_they_are_learned(measure):
    """Beside a loop that ranks a list by what was learned up to then, and then learns it."""
    X, y, qid = rows = Separable(EVEN, seed=0).draw(12)
    model, values = ranktron.SLAM(measure=measure, step=0.5, average=False), []
    for q in range(12):
        own = qid == q
        scores = model.predict(X[own]) if q else np.zeros(own.sum())
        if measure == AP:
            values.append(metrics.average_precision(y[own], scores))
        else:
            values.append(metrics.ndcg(y[own], scores, k=10))
        model.learn_list(X[own], y[own])
    assert measured_lists(np.zeros(len(y)), rows, measure)[0] == values[0]
    assert online_curve(learner("SLAM", measure, step=0.5), rows, measure) == pytest.approx(np.cumsum(values) / np.arange(1, 13))


def test_steps_are_tried_in_their_unit_and_the_best_is_that_of_the_end():
    rows = Separable(EVEN, seed=0).draw(6)
    curves = curves_by_step("ListNet", rows, NDCG, (1.0, 2.0), unit=0.01)
    assert np.array_equal(curves[2.0], online_curve(learner("ListNet", NDCG, step=0.02), rows, NDCG))
    assert best_step({0.1: np.array([1.0, 0.2]), 1.0: np.array([0.0, 0.3]), 10.0: np.array([0.5, 0.3])}) == 1.0


def test_decades():
    assert decades(-1, 1) == (0.1, 0.316, 1.0, 3.16, 10.0)
