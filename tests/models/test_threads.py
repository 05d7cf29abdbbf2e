"""Answers of every estimator while another thread lets it learn: none is torn, none is refused, none goes back."""

from __future__ import annotations

import functools
import hashlib
import pickle
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ranktron.collaborative import Recommender

from ..collaborative.made import triples
from ..family import NAMES, VARIANT_IDS, VARIANTS, make, stream
from .predtron import family as predtron
from .racing import Ask, Step, race
from .rankers import family as lists

D, NEW_NAMES = 6, 4
river = pytest.importorskip("ranktron.river")


# What is asked of every model


def contents(model: Any) -> Any:
    """What a file of the model would hold."""
    header, arrays = model._content()
    content = [str(header), *((name, array.tobytes()) for name, array in arrays.items())]
    return hashlib.sha256(str(content).encode()).hexdigest()


def state_of(model: Any) -> str:
    """The same of a model that no file can hold."""
    return hashlib.sha256(str(predtron.state(model)).encode()).hexdigest()


def snapshot(model: Any) -> Any:
    return contents(model.snapshot())


def pickled(model: Any) -> Any:
    return contents(pickle.loads(pickle.dumps(model)))


def call(name: str, *args: Any, **named: Any) -> Ask:
    return lambda model: getattr(model, name)(*args, **named)


def look(*names: str) -> list[Ask]:
    """Those of some attributes that a model has."""
    return [functools.partial(lambda model, name: getattr(model, name, None), name=name) for name in names]


EVERY = [*look("n_seen_", "n_updates_", "cumulative_loss_", "n_features_in_"), contents, snapshot, pickled]
EVERY_OWN = [*EVERY[:4], lambda model: state_of(model.snapshot())]
LINEAR = look("coef_", "thresholds_", "intercept_", "feature_names_in_")
KERNEL = look("support_", "dual_coef_")


def rows_asks(model: Any, X: np.ndarray, y: Any) -> list[Ask]:
    """What is asked of models of labels, for rows."""
    names = "predict", "project", "decision_function", "predict_proba", "predict_interval", "predict_set", "vote_shares"
    some = [call(name, X) for name in names if hasattr(model, name)]
    score = [call("score", X, y)] if hasattr(model, "score") else []
    return [*some, *score, *([explained(X)] if hasattr(model, "explain") else [])]


def explained(x: Any) -> Ask:
    """What ``explain`` says, or why it says nothing."""

    def explain(model: Any) -> Any:
        try:
            return model.explain(x)
        except (AttributeError, ValueError) as error:
            return str(error)

    return explain


def one_asks(model: Any, x: Any) -> list[Ask]:
    """The same for one example."""
    names = "predict_one", "predict_proba_one", "predict_interval_one", "predict_set_one"
    return [call(name, x) for name in names if hasattr(model, name)]


# How every model learns, and what is asked of it


def rows_steps(X: np.ndarray, y: Any) -> list[Step]:
    """Batches and single rows in turns."""
    steps = []
    for start in range(0, len(X) - 3, 4):
        batch, single = slice(start, start + 3), start + 3
        steps += [call("partial_fit", X[batch], y[batch]), call("learn_one", X[single], y[single])]
    return steps


def growing(n: int) -> list[dict[str, float]]:
    """Examples of which each has a few names that no earlier one has, and some that all have."""
    X, _ = stream(n, d=D + NEW_NAMES, seed=3)
    names = [[*(f"f{j}" for j in range(D)), *(f"new {i} {j}" for j in range(NEW_NAMES))] for i in range(n)]
    return [dict(zip(own, row)) for own, row in zip(names, X.tolist())]


def race_raters(name: str, parameters: dict[str, Any], form: str, seed: int, n: int = 36) -> None:
    fresh, X, y = make(name, **parameters), *stream(n, d=D, seed=seed)
    if form == "rows":
        asks = [*rows_asks(fresh, X[:3], y[:3]), *one_asks(fresh, X[5]), *EVERY, *LINEAR, *KERNEL]
        race(lambda: make(name, **parameters).partial_fit(X, y), rows_steps(X[::-1], y[::-1]), asks)
    else:
        examples = growing(n)
        asks = [*one_asks(fresh, examples[n // 2]), explained(examples[-1]), *look("classes_"), *EVERY, *LINEAR]
        race(lambda: make(name, **parameters), one_by_one(examples, y), asks)


def one_by_one(examples: list[Any], y: Any) -> list[Step]:
    return [call("learn_one", x, label) for x, label in zip(examples, y.tolist())]


def race_rankers(name: str, parameters: dict[str, Any], form: str, seed: int) -> None:
    X, y, qid = lists.stream(16, d=D, seed=seed)
    if form == "rows":
        some, probe = qid < qid[0] + 4, (X[:5], y[:5], qid[:5])
        steps = [call("partial_fit", X[qid == one], y[qid == one], qid[qid == one]) for one in dict.fromkeys(qid.tolist())]
        asks = [*lists_asks(name, parameters, X[:5]), call("score", *probe), call("rank", X[:5], qid[:5]), explained(X[:5])]
        race(lambda: lists.make(name, **parameters).partial_fit(X[some], y[some], qid[some]), steps, [*asks, *EVERY, *LINEAR])
    else:
        examples = growing(len(X))
        rows = [np.flatnonzero(qid == one).tolist() for one in dict.fromkeys(qid.tolist())]
        steps = [call("learn_list", [examples[row] for row in some], y[some]) for some in rows]
        asks = [*lists_asks(name, parameters, examples[:4]), call("rank", examples[:4]), *EVERY, *LINEAR]
        race(lambda: lists.make(name, **parameters), steps, asks)


def lists_asks(name: str, parameters: dict[str, Any], X: Any) -> list[Ask]:
    return [call("predict", X), *look("rank_coef_"), *(KERNEL if "kernel" in parameters else [])]


def race_predtrons(case: predtron.Case, form: str, seed: int, n: int = 24) -> None:
    known, more = case.stream(20, seed=7), case.stream(n, seed=seed)
    if form == "names" and more.qid is None:
        examples = [dict(zip([*map(str, range(5)), *(f"new {i} {j}" for j in range(4))], x)) for i, x in enumerate(more.X)]
        asks: list[Ask] = [*one_asks(case.make(), examples[n // 2]), *EVERY_OWN, *LINEAR]
        race(case.make, [call("learn_one", x, y) for x, y in zip(examples, more.y)], asks)
    else:
        probe = known.part(0, 3)
        asks = [call("predict", probe.X), call("decision_function", probe.X), call("score", *probe.given()), *EVERY_OWN, *LINEAR]
        steps = [call("partial_fit", *one.given()) for one in more.each()]
        race(lambda: predtron.learn(case.make(), known), steps, [*asks, *KERNEL, *look("threshold_", "classes_")])


def race_river(name: str, seed: int, n: int = 36) -> None:
    """What River asks: of the first example on, and of mappings."""
    make_one = functools.partial(make, name, river)
    examples, (_, y) = growing(n), stream(n, seed=seed)
    asks = [call("predict_one", examples[n // 2]), call("predict_proba_one", examples[n // 2])]
    race(make_one, one_by_one(examples, y), asks)


def race_recommenders(parameters: dict[str, Any], seed: int, n: int = 40) -> None:
    people, items, stars = triples(n, seed=seed)
    steps = [call("learn_one", *triple) for triple in zip(people, items, stars)]
    names = "predict_one", "predict_mean_one", "explain"
    asks = [*(call(name, people[0], items[0]) for name in names), call("recommend", people[0], 5, among=items, seen=True)]
    asks += [call(name, people[:3], items[:3]) for name in ("predict", "predict_proba", "predict_interval", "predict_mean")]
    every = [*look("people_", "items_", "classes_", "n_seen_"), contents, snapshot, pickled]
    race(lambda: Recommender(**parameters), steps, [*asks, *every])


every_form = pytest.mark.parametrize("form", ["rows", "names"])
every_rater = pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=VARIANT_IDS)


@every_form
@every_rater
def test_raters_answer_while_they_learn(name: str, parameters: dict[str, Any], form: str) -> None:
    race_raters(name, parameters, form, seed=1)


@every_form
@lists.every_variant
def test_rankers_answer_while_they_learn(name: str, parameters: dict[str, Any], form: str) -> None:
    race_rankers(name, parameters, form, seed=1)


@every_form
@predtron.every_case
def test_predtrons_answer_while_they_learn(case: predtron.Case, form: str) -> None:
    race_predtrons(case, form, seed=1)


@pytest.mark.parametrize("name", river.CLASSIFIERS)
def test_classifiers_of_river_answer_while_they_learn(name: str) -> None:
    race_river(name, seed=1)


@pytest.mark.parametrize("parameters", [{}, {"per_person": True}], ids=["shared", "per person"])
def test_recommenders_answer_while_they_learn(parameters: dict[str, Any]) -> None:
    race_recommenders(parameters, seed=1)


@pytest.mark.gate(1)
@pytest.mark.compiled
@every_form
@pytest.mark.parametrize(("name", "parameters"), [("Rater", {}), ("PRank", {"scale": "standard"})], ids=["Rater", "PRank"])
def test_compiled_raters_answer_while_they_learn(name: str, parameters: dict[str, Any], form: str) -> None:
    race_raters(name, parameters, form, seed=1, n=48)


@pytest.mark.compiled
def test_a_compiled_ranker_answers_while_it_learns() -> None:
    race_rankers("Ranker", {}, "rows", seed=1)


# A minute each: as many races, with other streams, as there is time for


def for_a_minute(race_once: Callable[[int], None]) -> None:
    end, seed = time.monotonic() + 60.0, 100
    while time.monotonic() < end:
        race_once(seed)
        seed += 1


@pytest.mark.full
@every_form
@pytest.mark.parametrize("name", NAMES)
def test_raters_answer_for_a_minute(name: str, form: str) -> None:
    for_a_minute(lambda seed: race_raters(name, {}, form, seed, n=120))


@pytest.mark.full
@every_form
@lists.every_name
def test_rankers_answer_for_a_minute(name: str, form: str) -> None:
    for_a_minute(lambda seed: race_rankers(name, {}, form, seed))


@pytest.mark.full
@pytest.mark.parametrize("kind", ["classes-reject", "hamming", "lists-ndcg", "own"])
def test_predtrons_answer_for_a_minute(kind: str) -> None:
    for_a_minute(lambda seed: race_predtrons(predtron.CASES[kind], "rows", seed, n=60))


@pytest.mark.full
def test_recommenders_answer_for_a_minute() -> None:
    for_a_minute(lambda seed: race_recommenders({}, seed, n=200))
