"""What the processes of a run do: look at data, run trials, keep them; and end with the run, however it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from ..data.sets import MissingData
from .experiment import DataSet
from .fingerprints import digest_of
from .keeping import Kept, Trial, checked


class Failure(NamedTuple):
    """Something was raised."""

    sentence: str
    trace: str
    is_missing: bool = False
    """Whether it was data that are not there."""


class Task(NamedTuple):
    """One trial to run."""

    trial: Callable[[int, Any], Any]
    load: Callable[[], Any] | None
    seed: int
    folder: str
    """Where it is to be kept."""


_loaded: dict[str, Any] = {}
"""The data that were used last, by the digest of what loads them."""


def begin(parent: Connection) -> None:
    """Be a process of a run: Ctrl-C is the run's affair, and when the run closes its end of the line all is over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # nobody could tell whose they are
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        parent.recv()
    os._exit(1)


class Looked(NamedTuple):
    """What a run has to know of the data of an experiment."""

    digest: str = ""
    stand_in: str = ""


def look(load: Callable[[], Any] | None, data_set: DataSet | None) -> Looked | Failure:
    """The digest of data, and which data set they stand in for."""
    try:
        if load is not None and data_set is None:
            raise ValueError("the experiment loads data and does not say which data set its paper used")
        data = _data(load)
        return Looked("" if load is None else digest_of(data), data_set.stand_in(data) if data_set is not None else "")
    except Exception as error:
        return failure(error)


def run(task: Task) -> Trial | Failure:
    """Run a trial and keep it."""
    try:
        data = _data(task.load)
        began = time.perf_counter()
        numbers = checked(task.trial(task.seed, data))
        trial = Trial(task.seed, numbers, round(time.perf_counter() - began, 6))
        Kept(Path(task.folder)).write(trial)
        return trial
    except Exception as error:
        failed = failure(error)
        return (
            failed if failed.is_missing else failed._replace(sentence=f"the trial of seed {task.seed} failed: {failed.sentence}")
        )


def _data(load: Callable[[], Any] | None) -> Any:
    if load is None:
        return None
    name = digest_of(load)
    if name not in _loaded:
        _loaded.clear()
        _loaded[name] = load()
    return _loaded[name]


def failure(error: Exception) -> Failure:
    """An error as a sentence."""
    is_missing = isinstance(error, MissingData)
    told = " ".join(str(error).split())
    sentence = told if is_missing and told else f"{type(error).__name__}{': ' if told else ''}{told}"
    return Failure(sentence, "".join(traceback.format_exception(error)), is_missing)
