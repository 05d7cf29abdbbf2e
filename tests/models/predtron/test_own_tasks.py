"""Tasks of a user's own: they learn as ours do, whatever they return or raise; and the laws are looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ranktron import Predtron
from ranktron.tasks import Multilabel, Task, check

from .family import CASES, OWN, Case, Wind, every, learn, learn_singly, listed, refused, state

STREAM = CASES["own"].stream(30)
METHODS = ("representation", "decode", "loss_of", "loss_augmented", "correct")


class Twin(Task):
    """One of ours by its plain methods only."""

    def __init__(self, task: Any, n_scores: int) -> None:
        self.task, self.n_scores = task, n_scores

    def representation(self, prediction: Any) -> Any:
        return self.task.representation(prediction)

    def decode(self, scores: np.ndarray) -> Any:
        return self.task.decode(scores)

    def loss_of(self, prediction: Any, label: Any) -> float:
        return float(self.task.loss_of(prediction, label))

    def loss_augmented(self, scores: np.ndarray, label: Any) -> Any:
        return self.task.loss_augmented(scores, label)

    def correct(self, label: Any, scores: np.ndarray) -> Any:
        return self.task.correct(label, scores)


TWINS = ["classes-reject", "ordinal", "finite", "published-reject", "costs-driven", "hamming", "error-set", "subset"]


@every([*TWINS, "labels-ndcg", "labels-precision"])
def test_one_of_ours_as_a_users_own_learns_the_same(case: Case) -> None:
    stream, more = case.stream(), {"average": False, "step": 0.5, "loss_driven": case.more.get("loss_driven", False)}
    ours = learn(Predtron(case.task, **more), stream)
    theirs = learn(Predtron(Twin(case.task, len(ours.coef_)), **more), stream)
    np.testing.assert_allclose(theirs.coef_, ours.coef_, rtol=1e-12, atol=1e-12)
    assert (theirs.n_updates_, theirs.cumulative_loss_) == (ours.n_updates_, pytest.approx(ours.cumulative_loss_))
    if getattr(case.task, "reject", None) is None:
        told = [one if isinstance(one, int) else list(one) for one in theirs.predict(stream.X).tolist()]
        expected = ours.predict(stream.X).tolist()
        assert told == ([3 if one == -1 else one for one in expected] if np.ndim(expected) == 1 else expected)


class Moody(Wind):
    """Its ``method`` does something else at the call of that number."""

    def __init__(self, method: str, at: float, instead: Any) -> None:
        self.method, self.at, self.instead, self.calls = method, at, instead, 0

    def __getattribute__(self, name: str) -> Any:
        usual = super().__getattribute__(name)
        if name not in METHODS or name != self.method:
            return usual

        def called(*given: Any) -> Any:
            self.calls += 1
            if self.calls != self.at:
                return usual(*given)
            if isinstance(self.instead, BaseException):
                raise self.instead
            return self.instead

        return called


def moody(method: str, instead: Any, loss_driven: bool, trained: bool) -> Any:
    """A model whose task goes wrong some way into the next batch."""
    task = Moody(method, np.inf, instead)
    model = Predtron(task, loss_driven=loss_driven)
    if trained:
        learn(model, STREAM.part(0, 10))
    task.calls, task.at = 0, 7
    return model


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("loss_driven", [False, True])
@pytest.mark.parametrize("trained", [False, True], ids=["fresh", "trained"])
def test_a_task_that_raises_midway_leaves_the_model_as_it_was(method: str, loss_driven: bool, trained: bool) -> None:
    if method == "loss_augmented" and loss_driven:
        method = "decode"  # which is asked for instead
    for instead in (RuntimeError("out of wind"), KeyboardInterrupt()):
        model = moody(method, instead, loss_driven, trained)
        before, task = state(model), model.task
        for learning in (model.partial_fit, model.fit, model.predict_then_learn):
            task.calls = 0
            with pytest.raises(type(instead)):
                learning(*STREAM.given())
            assert state(model) == before
        task.calls, task.at = 0, 1
        if trained:
            with pytest.raises(type(instead)):
                learn_singly(model, STREAM)
            assert model.n_seen_ >= 10
        task.at = np.inf
        expected = Predtron(Wind(), loss_driven=loss_driven)
        learn(expected, STREAM.part(0, 10) if trained else STREAM)
        if not trained:
            assert learn(model, STREAM).coef_.tobytes() == expected.coef_.tobytes()


WRONG: dict[str, tuple[Any, ...]] = {
    "representation": (np.zeros(3), np.zeros((2, 1)), None, "west", np.array([np.nan, 0.0]), np.array([np.inf, 0.0])),
    "loss_of": (None, "much", np.zeros(2), float("nan"), float("inf"), -1.0),
}


class Apart(Wind):
    """Decodes without its own representation, so that only the loop asks for that."""

    def decode(self, scores: np.ndarray) -> str:
        return self.names[int(np.argmax([scores[0], scores[1], -scores[0], -scores[1]]))]

    def loss_augmented(self, scores: np.ndarray, label: str) -> str:
        return self.names[(self.names.index(label) + 2) % 4]


@pytest.mark.parametrize("method", WRONG)
@pytest.mark.parametrize("loss_driven", [False, True])
def test_a_task_that_returns_nonsense_midway_is_refused(method: str, loss_driven: bool) -> None:
    for instead in WRONG[method]:
        task = type("Apart", (Moody,), {name: vars(Apart)[name] for name in ("decode", "loss_augmented")})(
            method, np.inf, instead
        )
        model = learn(Predtron(task, loss_driven=loss_driven), STREAM.part(0, 10))
        before = state(model)
        for learning in (model.partial_fit, model.predict_then_learn):
            task.calls, task.at = 0, 5
            with pytest.raises((ValueError, TypeError)):
                learning(*STREAM.given())
            assert state(model) == before
        task.calls, task.at = 0, np.inf
        assert learn(model, STREAM).n_seen_ == 40


@pytest.mark.parametrize("n_scores", [0, -1, None, "2", 1.5, True])
def test_a_number_of_scores_that_is_none_is_refused(n_scores: Any) -> None:
    model = Predtron(type("Odd", (Wind,), {"n_scores": n_scores})())
    for way in (lambda: learn(model, STREAM), lambda: learn_singly(model, STREAM)):
        with refused(model, "n_scores"):
            way()


def test_a_task_without_a_number_of_scores_is_refused() -> None:
    given = {name: vars(Wind)[name] for name in ("names", "representation", "loss_of", "decode", "loss_augmented")}
    model = Predtron(type("Scoreless", (Task,), given)())
    for way in (lambda: learn(model, STREAM), lambda: learn_singly(model, STREAM)):
        with refused(model, "n_scores"):
            way()


def test_a_representation_of_another_length_is_refused_with_both_lengths() -> None:
    task = type("Long", (Apart,), {"n_scores": 3})()
    task.decode = lambda scores: "north"
    with refused(model := Predtron(task), "(2,)", "(3,)"):
        learn(model, STREAM)


@every(OWN)
def test_targets_that_are_no_sequence_are_refused(case: Case) -> None:
    model = case.trained()
    for y in (None, 3, STREAM.y[:-1], [*STREAM.y, "west"]):
        with refused(model):
            model.partial_fit(STREAM.X, y)
        with refused(model):
            model.score(STREAM.X, y)


def test_predictions_may_be_of_any_kind() -> None:
    class Pairs(Twin):
        """Sets of labels as Python's sets, labels too."""

        def decode(self, scores: np.ndarray) -> Any:
            return frozenset(np.flatnonzero(self.task.decode(scores)).tolist())

        def representation(self, prediction: Any) -> Any:
            return self.task.representation([number in prediction for number in range(3)])

        def loss_of(self, prediction: Any, label: Any) -> float:
            return float(len(prediction ^ label))

        def loss_augmented(self, scores: np.ndarray, label: Any) -> Any:
            y = [number in label for number in range(3)]
            return frozenset(np.flatnonzero(self.task.loss_augmented(scores, y)).tolist())

        def correct(self, label: Any, scores: np.ndarray) -> Any:
            return label

    X, Y = CASES["hamming"].stream().given()
    sets = [frozenset(np.flatnonzero(y[:3]).tolist()) for y in Y]
    task = Pairs(Multilabel(), 3)
    check(task, [frozenset(), frozenset({0}), frozenset({1, 2}), frozenset({0, 1, 2})], every_subset())
    model, plain = Predtron(task).fit(X, sets), Predtron(Multilabel()).fit(X, Y[:, :3])
    assert [sorted(one) for one in model.predict(X)] == [np.flatnonzero(one).tolist() for one in plain.predict(X)]
    assert model.predict(X).shape == (40,)
    assert isinstance(model.predict_one(X[0]), frozenset)
    assert model.score(X, sets) == -np.mean([len(a ^ b) for a, b in zip(model.predict(X), sets)])


def every_subset() -> list[frozenset[int]]:
    return [frozenset(number for number in range(3) if code >> number & 1) for code in range(8)]


@every(OWN)
def test_the_score_is_minus_the_mean_loss(case: Case) -> None:
    model = case.trained()
    losses = [case.task.loss_of(*pair) for pair in zip(model.predict(STREAM.X), STREAM.y)]
    assert model.score(STREAM.X, STREAM.y) == pytest.approx(-np.mean(losses))


def test_a_task_may_change_what_it_is_given() -> None:
    """Scores are lent to a task, and it might write into them."""

    class Rough(Wind):
        def decode(self, scores: np.ndarray) -> str:
            told = super().decode(scores.copy())
            scores[:] = 99.0
            return told

    model, gentle = Predtron(Wind()), Predtron(Wind())
    learn(gentle, STREAM)
    try:
        learn(model.set_params(task=Rough()), STREAM)
    except ValueError:
        assert state(model) == {}
    else:
        assert model.coef_.tobytes() == gentle.coef_.tobytes()
        assert listed(model.predict(STREAM.X)) == listed(gentle.predict(STREAM.X))
