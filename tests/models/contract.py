"""What the tests of models share: refusals that change nothing, and models that are the same."""

from __future__ import annotations

import copy
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

from ..family import LINEAR_IDS, LINEAR_VARIANTS, VARIANT_IDS, VARIANTS, make, state, stream

every_variant = pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=VARIANT_IDS)
every_linear_variant = pytest.mark.parametrize(("name", "parameters"), LINEAR_VARIANTS, ids=LINEAR_IDS)
fresh_and_trained = pytest.mark.parametrize("trained", [False, True], ids=["fresh", "trained"])

LEARNING = ("fit", "partial_fit", "predict_then_learn")
ANSWERING = ("predict", "decision_function", "project")
every_way_to_learn = pytest.mark.parametrize("method", LEARNING)


def model_for(name: str, parameters: dict[str, Any], trained: bool, **more: Any) -> Any:
    """A fresh model, or one that has learned 30 rows of four features in five ranks."""
    model = make(name, **parameters, **more)
    return model.partial_fit(*stream(30, seed=7)) if trained else model


@contextmanager
def refused(model: Any, *words: str, state: Any = state, goes_on: Any = None) -> Iterator[None]:
    """An error of one readable line that holds ``words``, after which ``model`` is, and goes on, as if nothing had been.

    What it is and how it goes on is told for models of rows; others bring their own way to tell.
    """
    before, twin = state(model), copy.deepcopy(model)
    with pytest.raises((ValueError, TypeError)) as caught:
        yield
    assert_readable(str(caught.value), *words)
    assert state(model) == before
    (goes_on or assert_goes_on_like)(model, twin)


def assert_readable(message: str, *words: str) -> None:
    assert "\n" not in message
    assert 10 < len(message) < 300
    assert len(message.split()) > 2
    for word in words:
        assert word.lower() in message.lower(), (word, message)


def assert_goes_on_like(model: Any, twin: Any) -> None:
    """Both learn some more, from copies, and are the same in the end."""
    if twin._learner is None or twin._frozen:
        return
    count, label = twin.n_features_in_, twin.classes_.tolist()[0]
    models = [copy.deepcopy(one) for one in (model, twin)]
    for one in models:
        one.learn_one(np.linspace(-1.0, 1.0, count), label)
        one.learn_one(np.linspace(1.0, -1.0, count), twin.classes_.tolist()[-1])
    assert state(models[0]) == state(models[1])


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
