"""Copies of rankers: clones, pickles and snapshots, which are whole even while another thread lets the model learn."""

from __future__ import annotations

import copy
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
from ranktron import AdaGrad

from ..contract import as_mappings, watched
from .family import both_averages, every_name, every_variant, make, model_for, refused, state, stream, told

X, Y, QID = stream(16)
HALF = QID < 108


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@every_variant
def test_clone_keeps_parameters_and_forgets_what_was_learned(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters).partial_fit(X, Y, QID)
    again = clone(model)
    assert again.get_params() == model.get_params()
    assert state(again) == {}
    assert state(again.partial_fit(X, Y, QID)) == state(model)


@every_variant
def test_parameters_round_trip(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters)
    assert {key: model.get_params()[key] for key in parameters} == parameters
    other = make(name, average=False, epochs=3, shuffle=True, random_state=1, missing="zero", hash_bits=4, measure="ap")
    assert other.set_params(**model.get_params()) is other
    assert other.get_params() == model.get_params() == type(model)(**model.get_params()).get_params()


@every_name
def test_an_unknown_parameter_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Invalid parameter 'speed'"):
        make(name).set_params(speed=1)
    with pytest.raises(TypeError, match="speed"):
        make(name, speed=1)


@every_name
def test_the_constructor_keeps_parameters_as_they_are(name: str) -> None:
    kernel = object()
    model = make(name, kernel=kernel, epochs="never checked here")
    assert model.kernel is kernel
    assert model.epochs == "never checked here"


def test_repr_shows_what_differs_from_the_defaults() -> None:
    assert repr(ranktron.SLAM()) == "SLAM()"
    assert repr(ranktron.SLAM(ties="average", step=AdaGrad(0.5))) == "SLAM(step=AdaGrad(rate=0.5), ties='average')"


COPIES: dict[str, Callable[[Any], Any]] = {"pickle": lambda model: pickle.loads(pickle.dumps(model)), "deepcopy": copy.deepcopy}


@every_variant
@both_averages
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_made_mid_stream_goes_on_bit_for_bit(name: str, parameters: dict[str, Any], average: bool, way: str) -> None:
    model = make(name, **parameters, average=average).partial_fit(X[HALF], Y[HALF], QID[HALF])
    model.learn_list(X[:6], [0, 1, 2, 3, 2, 1])
    twin, before = COPIES[way](model), state(model)
    assert type(twin) is type(model)
    assert state(twin) == before
    twin.partial_fit(X[~HALF], Y[~HALF], QID[~HALF]).learn_list(X, Y)
    assert state(model) == before
    model.partial_fit(X[~HALF], Y[~HALF], QID[~HALF]).learn_list(X, Y)
    assert state(twin) == state(model)
    assert twin.predict(X).tobytes() == model.predict(X).tobytes()
    with refused(twin, "qid"):
        twin.score(X, Y)


@every_variant
def test_a_snapshot_does_not_follow_the_model_nor_the_model_its_snapshot(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters).partial_fit(X[HALF], Y[HALF], QID[HALF])
    snapshot, before, scores = model.snapshot(), state(model), model.predict(X).tobytes()
    assert type(snapshot) is type(model)
    assert snapshot.get_params() == model.get_params()
    model.partial_fit(X, Y, QID).learn_list(X, Y)
    assert state(snapshot) == before
    assert snapshot.predict(X).tobytes() == scores
    after = state(model)
    for array in (*snapshot._learner.arrays().values(), *snapshot._learner.tallies.values()):
        array[...] = 0
    assert state(model) == after


@every_name
def test_a_snapshot_is_frozen_and_stays_so(name: str) -> None:
    snapshot = model_for(name, {}, trained=True).snapshot()
    for frozen in (snapshot, snapshot.snapshot(), *(copied(snapshot) for copied in COPIES.values())):
        for learn in (frozen.fit, frozen.partial_fit, frozen.predict_then_learn, frozen.learn_list):
            with refused(frozen, "snapshot"):
                learn(X, Y)
        assert frozen.predict(X).tobytes() == snapshot.predict(X).tobytes()
        assert frozen.rank(X, QID).tolist() == snapshot.rank(X, QID).tolist()
        assert frozen.score(X, Y, QID) == snapshot.score(X, Y, QID)
        with refused(frozen, "qid"):
            frozen.score(X, Y)
    assert state(clone(snapshot).fit(X, Y, QID)) == state(make(name).fit(X, Y, QID))


@every_name
def test_there_is_no_snapshot_of_nothing(name: str) -> None:
    with pytest.raises(NotFittedError, match="has not learned anything"):
        make(name).snapshot()


@pytest.mark.usefixtures("hasty_threads")
@every_name
@both_averages
def test_snapshots_taken_while_batches_are_learned_are_whole(name: str, average: bool) -> None:
    rows, grades, ids = stream(60, seed=9)
    batches = [np.flatnonzero((ids - 100) // 3 == batch) for batch in range(20)]
    model, twin, by_age = make(name, average=average), make(name, average=average), {}
    for batch in batches:
        twin.partial_fit(rows[batch], grades[batch], ids[batch])
        by_age[twin.n_seen_] = told(twin), twin.predict(X).tobytes()
    model.partial_fit(rows[batches[0]], grades[batches[0]], ids[batches[0]])

    def learn() -> None:
        for batch in batches[1:]:
            model.partial_fit(rows[batch], grades[batch], ids[batch])

    snapshots = watched(model, learn)
    for snapshot in snapshots[:: max(1, len(snapshots) // 40)] + snapshots[-1:]:
        assert (told(snapshot), snapshot.predict(X).tobytes()) == by_age[snapshot.n_seen_]


@pytest.mark.usefixtures("hasty_threads")
@every_name
def test_snapshots_taken_while_names_arrive_are_whole(name: str) -> None:
    lists = [[{f"n{i // 2}": 1.0, "x": i % 7}, {f"n{i // 3}": -0.5, "x": i % 5}, {"x": 1.0}] for i in range(80)]
    model, twin, by_age = make(name), make(name), {}
    model.learn_list(lists[0], [0, 1, 2])
    for rows in lists:
        twin.learn_list(rows, [0, 1, 2])
        by_age[twin.n_seen_] = told(twin), twin.feature_names_in_.tolist()

    def learn() -> None:
        for rows in lists[1:]:
            model.learn_list(rows, [0, 1, 2])

    for snapshot in watched(model, learn):
        assert (told(snapshot), snapshot.feature_names_in_.tolist()) == by_age[snapshot.n_seen_]


@every_variant
def test_several_threads_may_ask_one_snapshot(name: str, parameters: dict[str, Any]) -> None:
    mapped = as_mappings(X)
    snapshot = make(name, **parameters).fit(mapped, Y, QID).snapshot()
    answers: dict[int, Any] = {}

    def ask(number: int) -> None:
        answers[number] = snapshot.predict(mapped).tobytes(), [snapshot.predict(mapped[row:])[0] for row in range(len(mapped))]

    ask(-1)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[number] for number in range(4)] == [answers[-1]] * 4
