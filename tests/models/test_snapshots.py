"""Snapshots: independent, frozen, and whole even while another thread lets the model learn."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from ..family import NAMES, make, state, stream
from .contract import every_variant, known, model_for, refused, watched

every_name = pytest.mark.parametrize("name", NAMES)
BATCH = 5


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@every_variant
def test_a_snapshot_does_not_follow_the_model(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40)
    model = model_for(name, parameters, trained=True)
    snapshot, before = model.snapshot(), state(model)
    assert type(snapshot) is type(model)
    assert snapshot.get_params() == model.get_params()
    told = snapshot.predict(X)
    model.partial_fit(X, y).learn_one(X[0], 1)
    assert state(snapshot) == before
    np.testing.assert_array_equal(snapshot.predict(X), told)
    assert snapshot.n_seen_ == 30


@every_variant
def test_a_model_does_not_follow_its_snapshot(name: str, parameters: dict[str, Any]) -> None:
    model = model_for(name, parameters, trained=True)
    snapshot, before = model.snapshot(), state(model)
    for array in snapshot._learner.arrays().values():
        array[...] = 0
    snapshot._learner.counts[:] = 0
    assert state(model) == before


@every_name
def test_a_snapshot_is_frozen_and_stays_so(name: str) -> None:
    X, y = stream(20)
    snapshot = model_for(name, {}, trained=True).snapshot()
    for frozen in (snapshot, snapshot.snapshot(), copy.deepcopy(snapshot), pickle.loads(pickle.dumps(snapshot))):
        for learn in (frozen.fit, frozen.partial_fit, frozen.predict_then_learn):
            with refused(frozen, "snapshot"):
                learn(X, y)
        with refused(frozen, "snapshot"):
            frozen.learn_one(X[0], 1)
        assert frozen.predict_one(X[0]) == snapshot.predict(X)[0]


@every_name
def test_the_model_goes_on_learning_after_a_snapshot(name: str) -> None:
    X, y = stream(40)
    model, twin = (model_for(name, {}, trained=True) for _ in range(2))
    for start in range(0, 40, 10):
        model.snapshot()
        model.partial_fit(X[start : start + 10], y[start : start + 10])
    assert state(model) == state(twin.partial_fit(X, y))
    assert state(clone(model.snapshot()).fit(X, y)) == state(make(name).fit(X, y))


@every_name
def test_there_is_no_snapshot_of_nothing(name: str) -> None:
    with pytest.raises(NotFittedError, match="has not learned anything"):
        make(name).snapshot()


@pytest.mark.usefixtures("hasty_threads")
@every_name
@pytest.mark.parametrize("average", [True, False])
def test_snapshots_taken_while_batches_are_learned_are_whole(name: str, average: bool) -> None:
    X, y = stream(60 * BATCH)
    model = make(name, average=average).partial_fit(X[:BATCH], y[:BATCH], classes=[1, 2, 3, 4, 5])
    by_age, twin = {}, make(name, average=average)
    for start in range(0, len(X), BATCH):
        twin.partial_fit(X[start : start + BATCH], y[start : start + BATCH], classes=[1, 2, 3, 4, 5])
        by_age[twin.n_seen_] = known(twin), twin.predict(X[:20]).tolist()

    def learn() -> None:
        for start in range(BATCH, len(X), BATCH):
            model.partial_fit(X[start : start + BATCH], y[start : start + BATCH])

    snapshots = watched(model, learn)
    for snapshot in snapshots[:: max(1, len(snapshots) // 40)] + snapshots[-1:]:
        assert snapshot.n_seen_ % BATCH == 0
        assert (known(snapshot), snapshot.predict(X[:20]).tolist()) == by_age[snapshot.n_seen_]


@pytest.mark.usefixtures("hasty_threads")
@every_name
def test_snapshots_taken_while_names_and_labels_arrive_are_whole(name: str) -> None:
    examples = [({f"n{i // 2}": 1.0, f"n{i // 3}": -0.5, "x": i % 7}, i % (2 + i // 20)) for i in range(160)]
    model, twin = make(name), make(name)
    model.learn_one(*examples[0])
    by_age = {}
    for example in examples:
        twin.learn_one(*example)
        by_age[twin.n_seen_] = known(twin), twin.feature_names_in_.tolist(), twin.predict_one({"x": 3.0})

    def learn() -> None:
        for example in examples[1:]:
            model.learn_one(*example)

    for snapshot in watched(model, learn):
        told = known(snapshot), snapshot.feature_names_in_.tolist(), snapshot.predict_one({"x": 3.0})
        assert told == by_age[snapshot.n_seen_]


@every_name
def test_several_threads_may_ask_one_snapshot(name: str) -> None:
    X, _ = stream(60)
    snapshot = model_for(name, {}, trained=True).snapshot()
    expected, answers = snapshot.predict(X).tolist(), {}

    def ask(number: int) -> None:
        answers[number] = [snapshot.predict_one(x) for x in X], snapshot.predict(X).tolist()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[number] for number in range(4)] == [(expected, expected)] * 4
