"""What is learned from a stream, however it comes: at once, in parts or one by one; and what is said of it on the way."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest

from ranktron import Predtron
from ranktron.tasks import Binary, Finite, Multiclass, MultilabelRanking, SubsetRanking

from .family import (
    CASES,
    LISTS,
    Case,
    Stream,
    Wind,
    answers,
    every,
    every_case,
    every_linear_case,
    learn,
    learn_singly,
    learned,
    listed,
    state,
)

ROWS = CASES.keys() - LISTS


@every_case
def test_a_batch_is_its_parts_and_its_examples_bit_for_bit(case: Case) -> None:
    stream = case.stream()
    whole, parts, singly = learn(case.make(), stream), case.make(), learn_singly(case.make(), stream)
    for start, stop in itertools.pairwise([0, 8, 9, 25, 40]):
        learn(parts, stream.part(start, stop))
    assert state(parts) == state(whole)
    assert learned(singly) == learned(whole)
    assert answers(singly, stream.X) == answers(parts, stream.X) == answers(whole, stream.X)
    assert 5 < whole.n_updates_ <= whole.n_seen_ == 40


@every_case
def test_predict_then_learn_tells_what_predict_would_have_told(case: Case) -> None:
    first, more = case.stream(8), case.stream(30, seed=1)
    model, twin = learn(case.make(), first), learn(case.make(), first)
    told, expected = listed(model.predict_then_learn(*more.given())), []
    for one in more.each():
        expected += listed(twin.predict(one.X))
        learn(twin, one)
    assert told == expected
    assert state(model) == state(twin)
    assert len({str(one) for one in told}) > 1


@every(ROWS)
def test_one_example_is_told_as_a_row(case: Case) -> None:
    stream = case.stream()
    model = learn(case.make(), stream)
    told = [model.predict_one(x) for x in stream.X]
    assert listed(told) == listed(model.predict(stream.X))


@every(ROWS)
def test_the_first_row_is_told_from_scores_of_zero(case: Case) -> None:
    stream, task = case.stream(), case.task or Multiclass(4)
    model = case.make()
    told = model.predict_then_learn(*stream.given())[0]
    decoded = task.decode(np.zeros(len(np.atleast_2d(model._learner.scorer[0]))))
    if is_class(case, decoded) and not isinstance(case.task, Finite):
        decoded = model.classes_.tolist()[decoded]
    assert listed([told]) == listed([decoded])


@every_case
def test_fit_is_so_many_passes_and_forgets_what_was_before(case: Case) -> None:
    stream = case.stream()
    passes = learn(learn(case.make(), stream), stream)
    fitted = case.trained(epochs=2).fit(*stream.given())
    assert state(fitted) == state(passes)
    assert fitted.n_seen_ == 80


class Backwards:
    """A random state that knows one permutation."""

    def permutation(self, n: int) -> np.ndarray:
        return np.arange(n)[::-1]

    def integers(self, high: int) -> int:
        return 0


@every_case
def test_shuffled_examples_are_learned_in_the_shuffled_order(case: Case) -> None:
    stream = case.stream(20)
    shuffled = case.make(shuffle=True, random_state=Backwards()).fit(*stream.given())
    backwards = case.make()
    for one in [*stream.each()][::-1]:
        learn(backwards, one)
    assert learned(shuffled) == learned(backwards)


@every(["classes", "classes-forgetron", "hamming", "labels-ndcg", "lists-ndcg", "own"])
def test_shuffled_fits_depend_on_the_random_state_alone(case: Case) -> None:
    given = case.stream().given()
    first, again, other = (state(case.make(shuffle=True, random_state=seed, epochs=2).fit(*given)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert first != state(case.make(epochs=2).fit(*given))


@every(ROWS)
def test_a_weight_is_so_many_presentations(case: Case) -> None:
    stream = case.stream()
    counts = np.random.default_rng(3).integers(0, 4, len(stream))
    rows = np.repeat(np.arange(len(stream)), counts)
    repeated = Stream(stream.X[rows], np.asarray(stream.y)[rows])
    start = case.stream(8, seed=5)
    weighed = learn(case.make(), start).partial_fit(*stream.given(), sample_weight=counts)
    assert state(weighed) == state(learn(learn(case.make(), start), repeated))
    fitted = case.make().fit(*stream.given(), sample_weight=counts.astype(float))
    assert state(fitted) == state(learn(case.make(classes=case.more.get("classes")), repeated))
    before = state(weighed)
    assert state(weighed.partial_fit(*stream.given(), sample_weight=np.zeros(40))) == before


@every_case
def test_averaging_does_not_change_what_is_learned(case: Case) -> None:
    stream = case.stream()
    mean, last = (learn(case.make(average=average), stream) for average in (True, False))
    assert (mean.n_updates_, mean.cumulative_loss_) == (last.n_updates_, last.cumulative_loss_)
    assert mean.decision_function(stream.X).tolist() != last.decision_function(stream.X).tolist()


@every_linear_case
def test_the_mean_is_that_of_the_hypotheses_held_after_each_example(case: Case) -> None:
    stream, held = case.stream(25), []
    mean, last = case.make(average=True), case.make(average=False)
    for one in stream.each():
        learn(mean, one)
        held.append(learn(last, one).coef_)
        np.testing.assert_allclose(mean.coef_, np.mean(held, axis=0), rtol=1e-9, atol=1e-12)


@every_linear_case
def test_scores_are_those_of_the_weights(case: Case) -> None:
    stream = case.stream()
    model = learn(case.make(), stream)
    scores = stream.X @ model.coef_.T + getattr(model, "intercept_", 0.0)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if isinstance(case.task, Finite):
        scores = scores[:, 1] - scores[:, 0]
    np.testing.assert_allclose(model.decision_function(stream.X), scores, rtol=1e-9, atol=1e-12)


SHAPES = {
    "binary": (1, 9),
    "classes": (4, 9),
    "costs": (3, 9),
    "finite": (2, 9),
    "published-reject": (3, 9),
    "hamming": (5, 9),
    "hamming-trace": (8, 9),
    "labels-ndcg": (5, 9),
    "lists-ndcg": (9,),
    "own": (2, 9),
}


@pytest.mark.parametrize("name", SHAPES)
def test_weights_have_a_row_a_score(name: str) -> None:
    model = CASES[name].trained()
    assert model.coef_.shape == SHAPES[name]
    assert model.coef_.dtype == np.float64
    if len(SHAPES[name]) == 2:
        assert model.intercept_.shape == SHAPES[name][:1]
        assert bool(model.intercept_.any()) == bool(CASES[name].more.get("fit_intercept"))


def loss_of(case: Case, model: Any, one: Stream) -> float:
    """L(pred(t), y) by the task's own plain methods."""
    task = case.task or Multiclass()
    if isinstance(task, SubsetRanking):
        return float(task.loss_of(task.decode(model.predict(one.X)), one.y))
    scores = np.atleast_1d(model.decision_function(one.X)[0])
    if isinstance(task, Finite):
        scores = one.X[0] @ model.coef_.T
    label: Any = one.y[0]
    return float(task.loss_of(task.decode(scores), model.classes_.tolist().index(label) if is_class(case, label) else label))


def is_class(case: Case, label: Any) -> bool:
    return np.ndim(label) == 0 and not isinstance(case.task, Wind)


@every_linear_case
def test_the_loss_is_that_of_the_learning_hypothesis_before_each_update(case: Case) -> None:
    stream = case.stream(30, seed=2)
    model, loss = case.make(average=False), None
    for one in stream.each():
        loss = None if loss is None else loss + loss_of(case, model, one)
        learn(model, one)
        loss = model.cumulative_loss_ if loss is None else loss
        assert model.cumulative_loss_ == pytest.approx(loss, rel=1e-9, abs=1e-9)
    assert loss is not None
    assert loss > 2


@every_linear_case
def test_updates_are_the_examples_with_a_loss_and_those_alone_move_the_hypothesis(case: Case) -> None:
    stream = case.stream(30, seed=2)
    model = learn(case.make(average=False), stream.part(0, 5))
    for one in stream.part(5, 30).each():
        before = model.coef_.tobytes(), model.n_updates_, model.cumulative_loss_
        learn(model, one)
        moved = model.coef_.tobytes() != before[0]
        assert moved == (model.n_updates_ > before[1]) == (model.cumulative_loss_ > before[2])


def test_two_classes_are_told_by_the_seconds_lead() -> None:
    X, y = CASES["binary"].stream().given()
    model = Predtron(Multiclass(), average=False).fit(X, y)
    lead = model.decision_function(X)
    assert lead.shape == (40,)
    np.testing.assert_allclose(lead, X @ (model.coef_[1] - model.coef_[0]))
    assert (model.predict(X) == np.where(lead > 0, 1, -1)).all()


def test_a_score_of_zero_is_the_second_label_of_two_and_the_first_of_many() -> None:
    zeros = np.zeros((4, 2))
    assert Predtron(Binary()).fit(zeros, [1, 2, 2, 2]).predict(zeros).tolist() == [2] * 4
    assert Predtron().fit(zeros, [1, 2, 3, 3]).predict(zeros).tolist() == [1] * 4
    assert Predtron(MultilabelRanking()).fit(zeros, np.eye(4)).predict(zeros).tolist() == [[0, 1, 2, 3]] * 4


@every(["classes", "binary-reject", "subset", "labels-kernel", "lists-ndcg", "own"])
def test_nothing_is_warned_of(case: Case) -> None:
    stream = case.stream(10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = learn(case.make(epochs=3).fit(*stream.given()), stream)
        answers(model, stream.X)
    assert model.n_seen_ == 40
