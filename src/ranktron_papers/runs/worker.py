"""What the worker processes of a run do: inspect data, run trials and store them. They end with the run, however it ends."""

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

from ranktron.data.sets import MissingData

from ..experiment import DataSet
from .fingerprints import digest_of
from .trials import Trial, TrialFolder, validated


class Failure(NamedTuple):
    """An error as a sentence, with its traceback."""

    sentence: str
    trace: str
    # Whether data are missing, which is not a fault.
    is_missing: bool = False


class TrialTask(NamedTuple):
    """One trial to run."""

    trial: Callable[[int, Any], Any]
    load: Callable[[], Any] | None
    seed: int
    # The folder that it is stored in.
    folder: str


# The data that were used last, by the digest of the function that loads them.
_loaded: dict[str, Any] = {}


def start(parent: Connection) -> None:
    """Prepare a worker process: it ignores Ctrl-C, which the run handles, and ends when the run closes its end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # a warning would not say which trial it belongs to
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        parent.recv()
    os._exit(1)


class DataInfo(NamedTuple):
    """What a run needs to know about the data of an experiment."""

    digest: str = ""
    stand_in: str = ""


def inspect(load: Callable[[], Any] | None, data_set: DataSet | None) -> DataInfo | Failure:
    """Load the data of an experiment; their digest, and the data set that they stand in for."""
    try:
        if load is not None and data_set is None:
            raise ValueError("the experiment loads data but has no data_set, which names the one its paper used")
        data = _data(load)
        return DataInfo("" if load is None else digest_of(data), data_set.stand_in(data) if data_set is not None else "")
    except Exception as error:
        return failure_of(error)


def run(task: TrialTask) -> Trial | Failure:
    """Run a trial and store it."""
    try:
        data = _data(task.load)
        began = time.perf_counter()
        numbers = validated(task.trial(task.seed, data))
        trial = Trial(task.seed, numbers, round(time.perf_counter() - began, 6))
        TrialFolder(Path(task.folder)).write(trial)
        return trial
    except Exception as error:
        failed = failure_of(error)
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


def failure_of(error: Exception) -> Failure:
    """Describe an error."""
    is_missing = isinstance(error, MissingData)
    text = " ".join(str(error).split())
    sentence = text if is_missing and text else f"{type(error).__name__}{': ' if text else ''}{text}"
    return Failure(sentence, "".join(traceback.format_exception(error)), is_missing)
