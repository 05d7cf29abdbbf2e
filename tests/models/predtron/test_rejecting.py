"""Predictions that are none: what is told of a row that is rejected, by whatever face, and what a score makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ranktron
from ranktron import Predtron
from ranktron.tasks import Binary, Multiclass, RejectAsPublished

from .family import state


def noisy(n: int = 600, k: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose label is the largest of the first features, and a coin's where the best two are close."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, 9))
    best = np.sort(X[:, :k], axis=1)
    y = np.where(best[:, -1] - best[:, -2] < 0.6, random.integers(0, k, n), X[:, :k].argmax(axis=1))
    return X, y


TASKS = {"binary": (Binary(reject=0.2), 2), "classes": (Multiclass(reject=0.2), 3)}


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("link", ["euclidean", "l1", "trace"])
def test_what_is_rejected_is_told_as_minus_one_and_pays(name: str, link: str) -> None:
    task, k = TASKS[name]
    X, y = noisy(k=k)
    model = Predtron(task, link=link).fit(X, y)
    more, labels = noisy(k=k, seed=1)
    told = model.predict(more)
    assert told.dtype.kind == "i"
    assert set(told.tolist()) == {-1, *range(k)}
    silent = told == -1
    guessed = Predtron(type(task)(), link=link).fit(X, y).predict(more)
    assert (told[~silent] == guessed[~silent]).all()
    assert (guessed[silent] != labels[silent]).mean() > 0.2 > (guessed[~silent] != labels[~silent]).mean()
    assert model.threshold_ > 0


@pytest.mark.parametrize("name", TASKS)
def test_learning_is_that_of_the_task_that_always_answers(name: str) -> None:
    task, k = TASKS[name]
    X, y = noisy(k=k)
    rejecting, plain = Predtron(task).fit(X, y), Predtron(type(task)()).fit(X, y)
    assert rejecting.coef_.tobytes() == plain.coef_.tobytes()
    assert (rejecting.n_updates_, rejecting.cumulative_loss_) == (plain.n_updates_, plain.cumulative_loss_)
    assert rejecting.decision_function(X).tobytes() == plain.decision_function(X).tobytes()


@pytest.mark.parametrize("name", TASKS)
def test_the_rule_is_that_of_the_gap(name: str) -> None:
    task, k = TASKS[name]
    model = Predtron(type(task)(reject=0.05)).fit(*noisy(60, k))
    X, _ = noisy(2000, k, seed=1)
    scores = model.decision_function(X)
    gaps = 2 * np.abs(scores) if k == 2 else np.sort(scores, axis=1)[:, -1] - np.sort(scores, axis=1)[:, -2]
    clear = np.abs(gaps / model.threshold_ - 1) > 1e-9
    assert ((model.predict(X) == -1) == (gaps < model.threshold_))[clear].all()
    assert 0 < (gaps < model.threshold_).mean() < 1


SPELLINGS: dict[str, tuple[Any, Any]] = {
    "words": (np.array(["a", "b", "c"]), None),
    "objects": (np.array(["a", 2, "c"], object), None),
    "whole": (np.array([5, 7, 9], np.int8), -1),
    "unsigned": (np.array([0, 1, 2], np.uint8), -1),
    "floats": (np.array([1.0, 2.0, 3.0]), -1.0),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_answer_is_none_where_labels_are_words(spelling: str) -> None:
    labels, silent = SPELLINGS[spelling]
    X, y = noisy()
    model = Predtron(Multiclass(reject=0.2), classes=labels).fit(X, labels[y])
    told = model.predict(X).tolist()
    assert set(map(repr, told)) == set(map(repr, [silent, *labels.tolist()]))
    assert [model.predict_one(x) for x in X[:50]] == told[:50]
    assert set(map(repr, model.predict_then_learn(X, labels[y]).tolist())) <= set(map(repr, told))
    right = np.array([one == label for one, label in zip(told, labels[y].tolist())])
    assert model.snapshot().score(X, labels[y]) == pytest.approx(right.mean(), abs=0.05)


@pytest.mark.parametrize("classes", [[False, True], None])
def test_truth_values_that_are_not_told_are_minus_one(classes: Any) -> None:
    X, y = noisy(k=2)
    model = Predtron(Binary(reject=0.2), classes=classes).fit(X, y > 0)
    assert set(model.predict(X).tolist()) == {-1, 0, 1}


def test_a_score_counts_a_rejected_row_as_wrong() -> None:
    X, y = noisy()
    model = Predtron(Multiclass(reject=0.2)).fit(X, y)
    told = model.predict(X)
    assert model.score(X, y) == (told == y).mean() < ((told == y) | (told == -1)).mean()
    weights = np.arange(len(y))
    assert model.score(X, y, sample_weight=weights) == pytest.approx(np.average(told == y, weights=weights))


def test_the_higher_the_cost_the_fewer_are_rejected() -> None:
    X, y = noisy()
    rejected = [(Predtron(Multiclass(reject=cost)).fit(X, y).predict(X) == -1).sum() for cost in (0.05, 0.2, 0.5, 0.65)]
    assert rejected == sorted(rejected, reverse=True)
    assert rejected[0] > rejected[-1]


def test_nothing_is_rejected_before_there_is_a_reason() -> None:
    model = Predtron(Multiclass(3, reject=0.01))
    assert model.predict_one([1.0, 0.0]) == 0
    assert model.predict_then_learn(*noisy(5))[0] == 0


def test_a_model_that_always_answers_has_no_threshold() -> None:
    model = Predtron(Multiclass(3)).fit(*noisy(30))
    assert not hasattr(model, "threshold_")
    assert not hasattr(Predtron(RejectAsPublished((0.1, 0.2, 0.3))).fit(*noisy(30)), "threshold_")


def test_labels_may_appear_while_rows_are_rejected(tmp_path: Path) -> None:
    X, y = noisy(300)
    model = Predtron(Multiclass(reject=0.2))
    for x, label in zip(X, y):
        model.learn_one(x, "abc"[label])
    assert model.classes_.tolist() == ["a", "b", "c"]
    model.save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model")
    for one in (model, loaded):
        one.learn_one(X[0], "aa")
    assert state(loaded) == state(model)
    assert loaded.predict_one(X[1]) in {"a", "aa", "b", "c", None}
