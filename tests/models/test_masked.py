"""Masked arrays: a masked feature is missing, a masked target, weight or id is refused, and no mask is dropped in silence."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from ranktron import PRank, Predtron, QueryScaler, metrics
from ranktron.collaborative import Recommender
from ranktron.tasks import Multilabel

from ..family import NAMES, make, state, stream
from .contract import ANSWERING, LEARNING, refused
from .rankers import family as lists

ROW, COLUMN = 7, 2
X, Y = stream(30)
MASK = np.zeros(X.shape, bool)
MASK[ROW, COLUMN] = True
HIDDEN = np.ma.array(np.where(MASK, 1e6, X), mask=MASK)
WHERE = "a masked value in row 7, column 2", 'missing="zero"'
every_name = pytest.mark.parametrize("name", NAMES)
every_learning = pytest.mark.parametrize("method", LEARNING)


def masked(values: Any) -> np.ma.MaskedArray:
    """The same with the eighth value masked."""
    return np.ma.array(values, mask=np.arange(len(values)) == ROW)


@every_name
@every_learning
def test_rows_with_a_masked_value_are_refused(name: str, method: str) -> None:
    model = make(name).partial_fit(X, Y)
    with refused(model, *WHERE):
        getattr(model, method)(HIDDEN, Y)
    with refused(model, *WHERE):
        getattr(model, method)(list(HIDDEN), Y)


@every_name
def test_answers_for_rows_with_a_masked_value_are_refused(name: str) -> None:
    model = make(name).partial_fit(X, Y)
    for method in ANSWERING:
        with refused(model, *WHERE):
            getattr(model, method)(HIDDEN)
    for one in (lambda: model.predict_one(HIDDEN[ROW]), lambda: model.learn_one(HIDDEN[ROW], 1)):
        with refused(model, "a masked value in row 0, column 2", 'missing="zero"'):
            one()


@every_name
def test_a_masked_value_is_0_where_missing_ones_are(name: str) -> None:
    model, zeros = make(name, missing="zero"), make(name)
    model.partial_fit(HIDDEN, Y).learn_one(HIDDEN[ROW], 1)
    zeros.partial_fit(np.where(MASK, 0.0, X), Y).learn_one(np.where(MASK, 0.0, X)[ROW], 1)
    assert state(model) == state(zeros)
    assert model.predict(HIDDEN).tolist() == zeros.predict(np.where(MASK, 0.0, X)).tolist()
    assert model.predict_one(HIDDEN[ROW]) == zeros.predict_one(np.where(MASK, 0.0, X)[ROW])


@every_name
@every_learning
def test_an_array_without_a_masked_value_is_taken_as_it_is(name: str, method: str) -> None:
    model, plain = make(name), make(name)
    getattr(model, method)(np.ma.array(X), np.ma.array(Y))
    getattr(plain, method)(X, Y)
    assert state(model) == state(plain)
    assert model.score(np.ma.array(X), np.ma.array(Y)) == plain.score(X, Y)


@every_name
def test_masked_labels_are_refused(name: str) -> None:
    model = make(name).partial_fit(X, Y)
    for learn in (model.fit, model.partial_fit, model.predict_then_learn, model.score):
        with refused(model, "y has a masked value in row 7"):
            learn(X, masked(Y))
    with refused(model, "y has a masked value in row 7, column 0"):
        model.partial_fit(X, masked(Y)[:, None])


def test_masked_weights_are_refused() -> None:
    model = PRank().partial_fit(X, Y)
    for learn in (model.fit, model.partial_fit, model.score):
        with refused(model, "sample_weight has a masked value in row 7"):
            learn(X, Y, sample_weight=masked(np.ones(len(Y), int)))


@lists.every_name
def test_rankers_refuse_what_is_masked(name: str) -> None:
    rows, grades, qid = lists.stream(6)
    hidden = np.ma.array(rows, mask=np.arange(rows.size).reshape(rows.shape) == 7 * rows.shape[1] + 2)
    model = lists.make(name).partial_fit(rows, grades, qid)
    for learn in (model.fit, model.partial_fit, model.predict_then_learn, model.score):
        for words, given in [
            (WHERE, (hidden, grades, qid)),
            (["y has a masked value in row 7"], (rows, masked(grades), qid)),
            (["qid has a masked value in row 7"], (rows, grades, masked(qid))),
        ]:
            with lists.refused(model, *words):
                learn(*given)
    with lists.refused(model, "a masked value in row 0, column 2"):  # the list of the worse one and the better one
        model.learn_pair(rows[0], hidden[7])
    plain = lists.make(name).partial_fit(np.ma.array(rows), np.ma.array(grades), np.ma.array(qid))
    assert lists.state(plain) == lists.state(model)


def test_predtrons_refuse_masked_targets() -> None:
    tags = np.ma.array(np.stack([Y > 2, Y > 3], axis=1).astype(int), mask=MASK[:, 1:3])
    model = Predtron(Multilabel())
    with pytest.raises(ValueError, match="y has a masked value in row 7, column 1"):
        model.fit(X, tags)
    model.fit(X, tags.data)
    with pytest.raises(ValueError, match="y has a masked value in row 1"):
        model.learn_one(X[0], tags[ROW])
    with pytest.raises(ValueError, match="y has a masked value in row 7"):
        Predtron().fit(X, Y).score(X, masked(Y))


def test_the_scaler_of_lists_refuses_masked_values() -> None:
    for scale in (QueryScaler().fit, QueryScaler().fit_transform, QueryScaler().fit(X).transform):
        with pytest.raises(ValueError, match="X has a masked value in row 7, column 2; leave it out, or fill it"):
            scale(HIDDEN)
    assert QueryScaler().fit_transform(np.ma.array(X)).tolist() == QueryScaler().fit_transform(X).tolist()


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        (lambda: metrics.accuracy(masked(Y), Y), "y_true"),
        (lambda: metrics.mean_absolute_error(Y, masked(Y)), "y_pred"),
        (lambda: metrics.quadratic_weighted_kappa(masked(Y), Y), "y_true"),
        (lambda: metrics.ranked_probability_score(Y, np.ma.array(np.full((30, 5), 0.2), mask=MASK[:, [0] * 4 + [2]])), "probab"),
        (lambda: metrics.ndcg(masked(Y), X[:, 0]), "y"),
        (lambda: metrics.average_precision(Y, masked(X[:, 0])), "scores"),
        (lambda: metrics.mrr(Y, X[:, 0], masked(Y)), "qid"),
    ],
)
def test_metrics_refuse_masked_values(ask: Any, name: str) -> None:
    with pytest.raises(ValueError, match=rf"{re.escape(name)}\w* has a masked value in row 7"):
        ask()


def test_a_recommender_refuses_masked_ratings() -> None:
    with pytest.raises(ValueError, match="ratings has a masked value in row 7"):
        Recommender().fit([f"p{i % 5}" for i in range(30)], list(range(30)), masked(Y))
