"""By which state of a learner an answer is given: who waits for whom, and who does not."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import ranktron
from ranktron import PRank, Rater
from ranktron.collaborative import Recommender
from ranktron.core.scorers.protocol import arrays_of
from ranktron.doors.rater import RaterLearner
from ranktron.models.learners import concurrency

from ..family import make, stream
from .contract import every_variant, model_for
from .predtron import family as predtron
from .rankers import family as lists

# Seconds: after which a thread that has to wait is still waiting, and after which one that need not has failed.
SOON, LATE = 0.05, 60.0

LEARNING = {"fit", "partial_fit", "predict_then_learn", "learn_one", "learn_list", "learn_pair"}
OF_PARAMETERS = {"measure", "sample_weights", "merges_columns", "forgets", "looks_within_lists", "kinds", "usual_step"}
# Those that ask another one, or hold the lock themselves: the races tell whether they do.
BY_ANOTHER = {
    "Model.save",
    "TargetPredtron.save",
    "Recommender.save",
    "RowModel.predict_one",
    "OfRows.predict_one",
    "OrdinalModel.predict_interval_one",
    "ListPredtron.decision_function",
    "MulticlassPerceptron.thresholds_",
    "Ranking.score",
    "Classifying.score",
    "OrdinalClassifier.score",
    "Aggregate.explain",  # which says that there is none
}


class Meeting:
    """A kernel function that calls ``back`` once, in the thread that made it."""

    def __init__(self) -> None:
        self.back: Callable[[], None] | None = None
        self.thread = threading.current_thread()

    def __call__(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        back = self.back if threading.current_thread() is self.thread else None
        if back is not None:
            self.back = None
            back()
        return x @ y.T


class Asking(threading.Thread):
    """A thread that asks once."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self.ask, self.told = ask, list[Any]()

    def run(self) -> None:
        try:
            self.told.append(self.ask())
        except Exception as error:
            self.told.append(error)

    def within(self, seconds: float) -> list[Any]:
        self.join(seconds)
        return self.told


@pytest.fixture
def everything_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "MANY", 1)
    monkeypatch.setattr(concurrency, "FAR_MORE", 0)


def met() -> tuple[Any, Meeting, np.ndarray, np.ndarray]:
    """A model that has learned 20 rows by a kernel, its kernel, and rows to go on with."""
    X, y = stream(40)
    kernel = Meeting()
    return PRank(kernel=kernel).partial_fit(X[:20], y[:20], classes=[1, 2, 3, 4, 5]), kernel, X[20:], y[20:]


def test_an_answer_waits_for_a_short_batch() -> None:
    model, kernel, X, y = met()
    twin, _, _, _ = met()
    asking, early = Asking(lambda: model.project(X).tolist()), list[Any]()

    def ask() -> None:
        asking.start()
        early.append(asking.within(SOON).copy())

    kernel.back = ask
    model.partial_fit(X, y)
    assert early == [[]]
    assert asking.within(LATE) == [twin.partial_fit(X, y).project(X).tolist()]


@pytest.mark.usefixtures("everything_takes_long")
@pytest.mark.parametrize("refused", [False, True])
def test_a_long_batch_lets_the_model_before_it_answer(refused: bool) -> None:
    model, kernel, X, y = met()
    if refused:
        X[-1, 0] = np.nan
    before, snapshots = model.project(X[:-1]).tolist(), list[Any]()
    asking = Asking(lambda: (model.project(X[:-1]).tolist(), model.n_seen_, snapshots.append(model.snapshot())))

    def ask() -> None:
        asking.start()
        assert asking.within(LATE) == [(before, 20, None)]

    kernel.back = ask
    if refused:
        with pytest.raises(ValueError, match="NaN"):
            model.partial_fit(X, y)
    else:
        model.partial_fit(X, y)
    assert snapshots[0].project(X[:-1]).tolist() == before
    assert (model.project(X[:-1]).tolist() == before) is refused
    assert model.n_seen_ == (20 if refused else 40)


@pytest.mark.parametrize("ask", ["predict_one", "project"])
def test_who_waits_already_when_a_long_batch_begins_is_answered_too(ask: str) -> None:
    model, _, X, _ = met()
    expected = {"predict_one": model.predict_one(X[0]), "project": model.project(X[:1]).tolist()}
    asking = Asking(lambda: model.predict_one(X[0]) if ask == "predict_one" else model.project(X[:1]).tolist())
    with model._learner.lock:
        asking.start()
        assert asking.within(SOON) == []
        model._learner.view = concurrency.still(model._learner)
        assert asking.within(LATE) == [expected[ask]]


@pytest.mark.usefixtures("everything_takes_long")
def test_a_long_answer_lets_the_model_learn() -> None:
    model, kernel, X, y = met()
    before, learning = model.project(X).tolist(), Asking(lambda: model.learn_one(X[0], y[0]))

    def learn() -> None:
        learning.start()
        assert learning.within(LATE) == [None]

    kernel.back = learn
    assert model.project(X).tolist() == before
    assert kernel.back is None
    assert model.n_seen_ == 21


def test_a_snapshot_answers_several_threads_at_once() -> None:
    model, kernel, X, _ = met()
    snapshot = model.snapshot()
    asking = Asking(lambda: (snapshot.predict(X).tolist(), snapshot.predict_one(X[0])))

    def ask() -> None:
        asking.start()
        assert asking.within(LATE) == [(model.predict(X).tolist(), model.predict_one(X[0]))]

    expected, kernel.back = model.snapshot().predict(X).tolist(), ask
    assert snapshot.predict(X).tolist() == expected
    assert kernel.back is None


def test_mappings_that_outgrow_a_rater_are_answered_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the 129th name comes, the rater goes over to another method; a question that comes right then gets an answer."""
    examples = [{f"x{j}": float((i * j) % 7) for j in range(100 + 5 * i)} for i in range(8)]
    model, twin = Rater(), Rater()
    answers, asking = [], Asking(lambda: model.predict_proba_one(examples[0]))
    simplify = RaterLearner._simplify

    def simplify_and_ask(learner: Any) -> None:
        simplify(learner)
        if not asking.told and threading.current_thread() is threading.main_thread() and learner is model._learner:
            asking.start()
            asking.join(SOON)

    monkeypatch.setattr(RaterLearner, "_simplify", simplify_and_ask)
    for i, x in enumerate(examples):
        model.learn_one(x, i % 3)
        twin.learn_one(x, i % 3)
        answers.append(twin.predict_proba_one(examples[0]))
    assert asking.within(LATE)[0] in answers


@every_variant
def test_a_copy_that_stands_still_is_laid_out_as_the_learner_is(name: str, parameters: dict[str, Any]) -> None:
    learner = model_for(name, parameters, trained=True)._learner
    assert [kind(one.array) for one in arrays_of(learner.scorer)] == [
        kind(one.array) for one in arrays_of(concurrency.still(learner).scorer)
    ]


def kind(array: np.ndarray) -> tuple[Any, ...]:
    """What compiled code is chosen by."""
    return array.dtype, array.ndim, array.flags.c_contiguous, array.flags.f_contiguous, array.flags.writeable


def public() -> Iterator[tuple[str, Any]]:
    """Every public method and property of the library's own models, as it was written."""
    made = [make(name) for name in ranktron.doors.RATERS] + [lists.make(name) for name in ranktron.doors.RANKERS]
    for model in [*made, *(case.make() for case in predtron.CASES.values()), Recommender()]:
        for cls in type(model).__mro__:
            if cls.__module__.startswith("ranktron."):
                yield from ((f"{cls.__qualname__}.{name}", part) for name, part in vars(cls).items() if name[0] != "_")


def test_every_answer_is_of_one_state() -> None:
    unread = set()
    for name, part in public():
        method = part.fget if isinstance(part, property) else part
        if inspect.isfunction(method) and not hasattr(method, "__wrapped__"):
            unread.add(name)
    assert {name for name in unread if name.rpartition(".")[2] not in LEARNING | OF_PARAMETERS} == BY_ANOTHER
