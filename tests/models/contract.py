"""What the tests of models share: refusals that change nothing, and models that are the same."""

from __future__ import annotations

import copy
import functools
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ranktron
from ranktron.models.files import BadModelFile

from ..family import LINEAR_IDS, LINEAR_VARIANTS, VARIANT_IDS, VARIANTS, make, state, stream

every_variant = pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=VARIANT_IDS)
every_linear_variant = pytest.mark.parametrize(("name", "parameters"), LINEAR_VARIANTS, ids=LINEAR_IDS)
fresh_and_trained = pytest.mark.parametrize("trained", [False, True], ids=["fresh", "trained"])

LEARNING = ("fit", "partial_fit", "predict_then_learn")
ANSWERING = ("predict", "decision_function", "project")
every_way_to_learn = pytest.mark.parametrize("method", LEARNING)


def learned_once(train: Callable[..., Any]) -> Callable[..., Any]:
    """``train``, which gives copies of one model where it is asked for the same again: learning takes longer than copying."""
    models: dict[str, Any] = {}

    @functools.wraps(train)
    def copied(*args: Any, **more: Any) -> Any:
        told = repr((args, more))
        models[told] = models[told] if told in models else train(*args, **more)
        return copy.deepcopy(models[told])

    return copied


@learned_once
def model_for(name: str, parameters: dict[str, Any], trained: bool, **more: Any) -> Any:
    """A fresh model, or one that has learned 30 rows of four features in five ranks."""
    model = make(name, **parameters, **more)
    return model.partial_fit(*stream(30, seed=7)) if trained else model


@contextmanager
def refused(model: Any, *words: str, state: Any = state, later: Any = None) -> Iterator[None]:
    """An error of one readable line that holds ``words``, after which ``model`` is, and goes on, as if nothing had been.

    What it is and how it goes on is told for models of rows; others bring their own way to tell.
    """
    later = later or state_later
    before = state(model)
    expected = _foreseen(model, before, later)
    with pytest.raises((ValueError, TypeError)) as caught:
        yield
    assert_readable(str(caught.value), *words)
    assert state(model) == before
    assert later(model) == expected


_last: list[Any] = [None, None, None]


def _foreseen(model: Any, before: dict[str, Any], later: Any) -> Any:
    """How ``model`` goes on from its state ``before``; it is asked once, however often it is refused something in between."""
    if _last[0] is not model or _last[1] != before:
        _last[:] = [model, before, later(model)]
    return _last[2]


def assert_readable(message: str, *words: str) -> None:
    assert "\n" not in message
    assert 10 < len(message) < 300
    assert len(message.split()) > 2
    for word in words:
        assert word.lower() in message.lower(), (word, message)


def assert_refused(path: Path, *words: str) -> None:
    """A model file is refused in a readable line that names it."""
    with pytest.raises(BadModelFile) as caught:
        ranktron.load(path)
    assert isinstance(caught.value, ValueError)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert_readable(message.removeprefix(str(path)), *words)


def state_later(model: Any) -> dict[str, Any]:
    """The state of a copy that has learned some more."""
    if model._learner is None or model._frozen:
        return {}
    model = copy.deepcopy(model)
    count, labels = model.n_features_in_, model.classes_.tolist()
    model.learn_one(np.linspace(-1.0, 1.0, count), labels[0])
    model.learn_one(np.linspace(1.0, -1.0, count), labels[-1])
    return state(model)


def watched(model: Any, learn: Callable[[], None]) -> list[Any]:
    """Snapshots of ``model``, one after another, while a thread runs ``learn``."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            learn()
        except BaseException as error:
            failures.append(error)

    thread, snapshots = threading.Thread(target=run), []
    thread.start()
    while thread.is_alive() or not snapshots:
        snapshots.append(model.snapshot())
    thread.join()
    assert not failures
    return [*snapshots, model.snapshot()]


def known(model: Any) -> dict[str, Any]:
    """What a model says of itself, bit for bit, however much room it keeps."""
    told = {name: getattr(model, name).tobytes() for name in ("coef_", "thresholds_") if hasattr(model, name)}
    counts = {name: getattr(model, name) for name in ("n_seen_", "n_updates_", "cumulative_loss_", "n_features_in_")}
    return {**told, **counts, "intercept": str(getattr(model, "intercept_", None)), "classes": model.classes_.tolist()}


def as_mappings(X: np.ndarray, names: list[Any] | None = None) -> list[dict[Any, float]]:
    """Every row as a mapping; the names sort as the columns do."""
    names = names or [f"f{column:02}" for column in range(X.shape[1])]
    return [dict(zip(names, row.tolist())) for row in X]


def run_process(code: str, *arguments: str, **environment: str) -> str:
    """What a fresh process prints."""
    settings = {"PYTHONPATH": str(Path(ranktron.__file__).parents[1]), "NUMBA_DISABLE_JIT": "1", **environment}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
