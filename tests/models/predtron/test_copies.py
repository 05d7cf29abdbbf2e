"""Copies: clones, pickles and snapshots of every kind of Predtron; and a task that is changed before or after learning."""

from __future__ import annotations

import copy
import itertools
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import ranktron
from ranktron import Predtron
from ranktron.tasks import Binary, Multiclass, Multilabel, SubsetRanking

from ..contract import assert_readable, watched
from .family import CASES, Case, answers, every, every_case, learn, learn_singly, learned, refused, state

COPIES: dict[str, Callable[[Any], Any]] = {"pickle": lambda model: pickle.loads(pickle.dumps(model)), "deepcopy": copy.deepcopy}
KINDS = ["classes", "hamming", "lists-ndcg", "own"]
PAIRS = [*itertools.permutations(KINDS, 2), ("binary", "classes"), ("hamming", "labels-ndcg"), ("costs", "binary-reject")]


@every_case
def test_clone_keeps_parameters_and_forgets_what_was_learned(case: Case) -> None:
    model = learn(case.make(), case.stream())
    again = clone(model)
    assert type(again) is type(model)
    assert again.get_params() == model.get_params()
    assert state(again) == {}
    assert state(learn(again, case.stream())) == state(model)


@every_case
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_made_mid_stream_goes_on_bit_for_bit(case: Case, way: str) -> None:
    stream = case.stream()
    model = learn_singly(learn(case.make(), stream.part(0, 12)), stream.part(12, 20))
    twin, before = COPIES[way](model), state(model)
    assert type(twin) is type(model)
    assert isinstance(twin, Predtron)
    learn_singly(learn(twin, stream.part(20, 30)), stream.part(30, 40))
    assert state(model) == before
    learn_singly(learn(model, stream.part(20, 30)), stream.part(30, 40))
    assert state(twin) == state(model)
    assert answers(twin, stream.X) == answers(model, stream.X)


@every_case
def test_an_unfitted_copy_is_unfitted(case: Case) -> None:
    for copied in COPIES.values():
        twin = copied(case.make())
        assert type(twin) is type(case.make())
        assert state(twin) == {}
        assert state(learn(twin, case.stream(12))) == state(learn(case.make(), case.stream(12)))


@every_case
def test_a_snapshot_does_not_follow_the_model_nor_the_model_its_snapshot(case: Case) -> None:
    stream = case.stream()
    model = learn(case.make(), stream.part(0, 20))
    snapshot, before, told = model.snapshot(), state(model), answers(model, stream.X)
    assert type(snapshot) is type(model)
    learn_singly(learn(model, stream), stream)
    assert state(snapshot) == before
    assert answers(snapshot, stream.X) == told
    after = state(model)
    for array in (*snapshot._learner.arrays().values(), *snapshot._learner.tallies.values()):
        array[...] = 0
    assert state(model) == after


@every(KINDS)
def test_a_snapshot_is_frozen_and_stays_so(case: Case) -> None:
    stream = case.stream(20)
    snapshot = case.trained().snapshot()
    for frozen in (snapshot, snapshot.snapshot(), *(copied(snapshot) for copied in COPIES.values())):
        for learning in (frozen.fit, frozen.partial_fit, frozen.predict_then_learn):
            with refused(frozen, "snapshot"):
                learning(*stream.given())
        with refused(frozen, "snapshot"):
            learn_singly(frozen, stream)
        assert answers(frozen, stream.X) == answers(snapshot, stream.X)
    assert state(learn(clone(snapshot), stream)) == state(learn(case.make(), stream))


@every(KINDS)
def test_there_is_nothing_to_tell_before_learning(case: Case) -> None:
    model = case.make()
    for ask in (model.snapshot, lambda: model.predict(np.eye(9)), lambda: model.decision_function(np.eye(9))):
        with pytest.raises(NotFittedError, match="has not learned anything"):
            ask()
    for name in ("coef_", "n_seen_", "n_updates_", "cumulative_loss_", "n_features_in_", "intercept_", "support_"):
        assert not hasattr(model, name)


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty_threads")
@every(["binary-reject", "classes-reject", "finite-budget", "hamming-l1", "labels-ndcg", "lists-trace", "own"])
def test_snapshots_taken_while_batches_are_learned_are_whole(case: Case) -> None:
    stream, X = case.stream(60), case.stream(6, seed=3).X
    batches = [stream.part(start, start + 4) for start in range(0, 60, 4)]
    model, twin, by_age = learn(case.make(), batches[0]), case.make(), {}
    for batch in batches:
        learn(twin, batch)
        by_age[twin.n_seen_] = state(twin), answers(twin, X)

    def run() -> None:
        for batch in batches[1:]:
            learn(model, batch)

    snapshots = watched(model, run)
    for snapshot in snapshots[:: max(1, len(snapshots) // 10)] + snapshots[-1:]:
        assert (state(snapshot), answers(snapshot, X)) == by_age[snapshot.n_seen_]


@pytest.mark.usefixtures("hasty_threads")
@every(["classes-reject", "costs-driven", "hamming-l1", "labels-precision", "lists-driven", "own-driven"])
def test_snapshots_taken_while_names_arrive_are_whole(case: Case) -> None:
    labels = [one.y for one in case.stream(50).each()]
    rows = [{f"n{i // 2}": 1.0, f"n{i // 3}": -0.5, "x": i % 7} for i in range(50)]
    model, twin, by_age = case.make(), case.make(), {}

    def one(learner: Any, i: int) -> None:
        if isinstance(case.task, SubsetRanking):
            learner.learn_list([rows[i]] * len(labels[i]), labels[i])
        else:
            learner.learn_one(rows[i], labels[i][0])

    for i in range(50):
        one(twin, i)
        by_age[twin.n_seen_] = state(twin)
    one(model, 0)
    for snapshot in watched(model, lambda: [one(model, i) for i in range(1, 50)]):
        assert state(snapshot) == by_age[snapshot.n_seen_]


@every(["classes-reject", "subset-budget", "labels-ndcg", "lists-ndcg", "own"])
def test_several_threads_may_ask_one_snapshot(case: Case) -> None:
    stream = case.stream(20)
    snapshot = case.trained().snapshot()
    expected, told = answers(snapshot, stream.X), {}
    threads = [threading.Thread(target=lambda n=n: told.update({n: answers(snapshot, stream.X)})) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == dict.fromkeys(range(3), expected)


def changed(model: Any, case: Case) -> Any:
    """The model with the parameters of another case, its task among them."""
    return model.set_params(**{**Predtron().get_params(), "task": case.task, **case.more})


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_a_task_set_before_learning_is_one_given(before: str, after: str) -> None:
    case = CASES[after]
    model = changed(CASES[before].make(), case)
    assert type(model) is type(case.make())
    assert model.get_params() == case.make().get_params()
    stream = case.stream(15)
    assert state(learn(model, stream)) == state(learn(case.make(), stream))
    assert answers(model, stream.X) == answers(learn(case.make(), stream), stream.X)


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_a_task_set_after_learning_has_to_be_learned_anew(before: str, after: str) -> None:
    case, stream = CASES[after], CASES[after].stream(15)
    model = changed(CASES[before].trained(), case)
    kept = {name: array.tobytes() for name, array in model._learner.arrays().items()}
    ways = [lambda: model.partial_fit(*stream.given()), lambda: model.predict_then_learn(*stream.given())]
    ways += [lambda: model.predict(stream.X), lambda: model.decision_function(stream.X), lambda: model.save("nowhere")]
    ways += [lambda: model.score(*stream.given()), lambda: learn_singly(model, stream)]
    for way in ways:
        with pytest.raises(ValueError, match="changed after learning began") as caught:
            way()
        assert_readable(str(caught.value), "fit the model again")
    assert {name: array.tobytes() for name, array in model._learner.arrays().items()} == kept
    assert state(model.fit(*stream.given())) == state(case.make().fit(*stream.given()))


def test_a_task_set_back_goes_on() -> None:
    case = CASES["classes"]
    model = case.trained()
    model.set_params(task=Multilabel()).set_params(task=None)
    assert learned(learn(model, case.stream())) == learned(learn(case.trained(), case.stream()))


def test_an_equal_task_is_no_change() -> None:
    case = CASES["classes-reject"]
    model = case.trained().set_params(task=Multiclass(4, reject=0.3))
    assert state(learn(model, case.stream())) == state(learn(case.trained(), case.stream()))


@every_case
def test_parameters_round_trip(case: Case) -> None:
    model = case.make()
    assert {key: model.get_params(deep=False)[key] for key in case.more} == case.more
    assert model.get_params()["task"] is case.task
    assert type(model)(**model.get_params()).get_params() == model.get_params()
    assert Predtron(**model.get_params()).get_params() == model.get_params()


def test_parameters_that_shape_learning_are_not_changed_halfway() -> None:
    others = {"link": "l1", "step": 2.0, "radius": 3.0, "loss_driven": True, "fit_intercept": True, "average": False}
    case = CASES["classes"]
    for name, value in {**others, "task": Binary(), "kernel": ranktron.kernels.Linear(), "budget": 3, "hash_bits": 4}.items():
        model = case.trained()
        before = state(model)
        model.set_params(**{name: value})
        with pytest.raises(ValueError, match=f"{name} was changed after learning began"):
            learn(model, case.stream())
        assert state(model) == before


def test_repr_shows_the_task() -> None:
    assert repr(Predtron()) == "Predtron()"
    assert repr(Predtron(Binary(reject=0.1))) == "Predtron(task=Binary(weights=None, reject=0.1))"
    assert type(Predtron()).__name__ == type(Predtron(SubsetRanking())).__name__ == "Predtron"
