"""Runs experiments in worker processes. Stored trials are not run again, and an experiment that fails stops no other."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, Self

from ..experiment import Experiment
from ..results import Results
from ..tables import ClaimRow, NumberRow, claims_of, numbers_of, unjudged, unmeasured
from . import worker
from .fingerprints import fingerprint
from .trials import Trial, TrialFolder

# These limit the libraries that would start a thread per core in each process.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMBA_NUM_THREADS")

# Why claims are not judged. It is short, because the full reason may name folders of this machine.
LEFT_OUT, MISSING, FAILED = "a quick run leaves it out", "its data are not there", "it failed"


class Outcome(NamedTuple):
    """The outcome of an experiment: its results, or why there are none."""

    experiment: Experiment
    results: Results | None
    numbers: list[NumberRow]
    claims: list[ClaimRow]
    # Why there are no results.
    why: str = ""
    # The traceback, if it failed.
    trace: str = ""
    fingerprint: str = ""
    # The time of all trials together.
    seconds: float = 0.0
    # How many trials were stored before the run.
    kept: int = 0

    @property
    def has_failed(self) -> bool:
        """Whether it failed. An experiment whose data are missing did not."""
        return bool(self.trace)


class Observer:
    """Is called when something happens in a run; the methods of this class do nothing."""

    def begun(self, experiment: Experiment, kept: int, wanted: int) -> None:
        """An experiment begins, and ``kept`` of the ``wanted`` trials are stored already."""

    def trial_done(self, experiment: Experiment) -> None:
        """A trial of an experiment is done."""

    def ended(self, outcome: Outcome) -> None:
        """An experiment has ended."""


class Workers:
    """Worker processes with one thread each. They end at once if an error leaves the ``with``, or if this process is killed."""

    def __init__(self, jobs: int) -> None:
        context = get_context("spawn")
        listener, self._line = context.Pipe(duplex=False)
        self._listener = listener
        self._pool = ProcessPoolExecutor(jobs, context, worker.start, (listener,))
        self._before = {name: os.environ.get(name) for name in ONE_THREAD}

    def __enter__(self) -> Self:
        os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
        return self

    def submit(self, function: Any, *arguments: Any) -> Future[Any]:
        """Call a function in a worker process."""
        with _signals_deferred():
            return self._pool.submit(function, *arguments)

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._line.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._line.close()
        self._listener.close()
        for name, value in self._before.items():
            os.environ.pop(name, None)
            os.environ.update({} if value is None else {name: value})


@contextlib.contextmanager
def _signals_deferred() -> Iterator[None]:
    """Signals that stop a run take effect after the block, and processes that are started inside ignore Ctrl-C from then on.

    A process whose start is broken off halfway prints a traceback.
    """
    came: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()  # only there do signals have an effect
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM) if is_main}
    before = {number: handler for number, handler in handlers.items() if callable(handler)}
    # The mask is for the new processes. Here it is not enough: another thread may receive the signal for the main one.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        for number in before:
            signal.signal(number, lambda came_now, _: came.append(came_now))
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)
        for signal_number in came:
            signal.raise_signal(signal_number)


class ExperimentRun:
    """One experiment of a run."""

    def __init__(self, experiment: Experiment, quick: bool, folder: Path) -> None:
        self.experiment, self._folder = experiment, folder
        self.wanted = experiment.quick if quick else experiment.trials
        self.is_quick = quick and experiment.quick < experiment.trials
        self.trials: dict[int, Trial] = {}
        self.waiting: set[Future[Any]] = set()
        self.fingerprint, self.kept, self.stand_in = "", 0, ""
        self.failure: worker.Failure | None = None

    def begin(self, data: worker.DataInfo) -> list[worker.TrialTask]:
        """Read the stored trials; returns the tasks that are left."""
        experiment = self.experiment
        self.fingerprint, self.stand_in = fingerprint(experiment.trial, data.digest), data.stand_in
        kept = TrialFolder(self._folder / experiment.name / self.fingerprint)
        kept.delete_stale()
        self.trials = {seed: trial for seed in range(self.wanted) if (trial := kept.read(seed))}
        self.kept = len(self.trials)
        missing = [seed for seed in range(self.wanted) if seed not in self.trials]
        return [worker.TrialTask(experiment.trial, experiment.load, seed, str(kept.folder)) for seed in missing]

    def fail(self, failure: worker.Failure) -> None:
        """Cancel the trials that were not started."""
        self.failure = failure
        for future in list(self.waiting):
            future.cancel()

    def outcome(self) -> Outcome:
        """The outcome, when no trial is waiting."""
        if self.failure is None:
            try:
                return self._judged()
            except Exception as error:
                failed = worker.failure_of(error)
                self.failure = failed._replace(sentence=f"its numbers cannot be judged: {failed.sentence}", is_missing=False)
        why, trace, is_missing = self.failure
        claims = unjudged(self.experiment, why if why == LEFT_OUT else MISSING if is_missing else FAILED, self.is_quick)
        return Outcome(
            self.experiment, None, unmeasured(self.experiment), claims, why, "" if is_missing else trace, self.fingerprint
        )

    def _judged(self) -> Outcome:
        done = [self.trials[seed] for seed in range(self.wanted)]
        results = Results([trial.numbers for trial in done], self.is_quick, self.stand_in)
        numbers, claims = numbers_of(self.experiment, results), claims_of(self.experiment, results)
        seconds = sum(trial.seconds for trial in done)
        return Outcome(self.experiment, results, numbers, claims, "", "", self.fingerprint, seconds, self.kept)


class Run:
    """Runs experiments and stores their trials in ``folder``."""

    def __init__(self, experiments: Sequence[Experiment], quick: bool, jobs: int, folder: Path) -> None:
        self.parts = [ExperimentRun(experiment, quick, folder) for experiment in experiments]
        self._jobs = jobs
        self._observers: tuple[Observer, ...] = ()
        self._outcomes: dict[str, Outcome] = {}
        self._pending: dict[Future[Any], ExperimentRun] = {}
        self._answers: SimpleQueue[Future[Any]] = SimpleQueue()

    @property
    def done(self) -> int:
        """How many trials are done."""
        return sum(len(part.trials) for part in self.parts)

    @property
    def wanted(self) -> int:
        """How many trials are to be done, without those that cannot be run."""
        return sum(part.wanted if part.failure is None else len(part.trials) for part in self.parts)

    def do(self, *observers: Observer) -> list[Outcome]:
        """Run everything, long trials first so that no core idles at the end; returns the outcomes in the experiments' order."""
        self._observers = observers
        try:
            with Workers(self._jobs) as workers:
                data = self._inspect_data(workers)
                for part in sorted(self.parts, key=lambda part: -part.experiment.seconds):
                    self._begin(part, data.get(part.experiment.name, worker.DataInfo()), workers)
                while self._pending:
                    future = self._answers.get()
                    self._take(future, self._pending.pop(future))
        except BrokenProcessPool:
            raise ValueError(
                "a worker process was killed, perhaps because memory ran out; repeat the command with fewer --jobs, "
                "it continues after the trials that are done"
            ) from None
        return [self._outcomes[part.experiment.name] for part in self.parts]

    def _inspect_data(self, workers: Workers) -> dict[str, worker.DataInfo | worker.Failure]:
        """Facts about the data by the names of experiments, or why there are none."""
        asked = [part.experiment for part in self.parts if part.wanted]
        futures = {one.name: workers.submit(worker.inspect, one.load, one.data_set) for one in asked if one.load or one.data_set}
        return {name: _answer(future) for name, future in futures.items()}

    def _begin(self, part: ExperimentRun, data: worker.DataInfo | worker.Failure, workers: Workers) -> None:
        tasks: list[worker.TrialTask] = []
        if not part.wanted:
            part.fail(worker.Failure(LEFT_OUT, "", True))
        elif isinstance(data, worker.Failure):
            part.fail(data)
        else:
            tasks = part.begin(data)
            for observer in self._observers:
                observer.begun(part.experiment, part.kept, part.wanted)
        for task in tasks:
            self._submit(part, task, workers)
        if not tasks:
            self._end(part)

    def _submit(self, part: ExperimentRun, task: worker.TrialTask, workers: Workers) -> None:
        future = workers.submit(worker.run, task)
        part.waiting.add(future)
        self._pending[future] = part
        future.add_done_callback(self._answers.put)

    def _take(self, future: Future[Any], part: ExperimentRun) -> None:
        """Handle the answer of a process."""
        part.waiting.discard(future)
        answer = _answer(future)
        if isinstance(answer, Trial):
            part.trials[answer.seed] = answer
            for observer in self._observers:
                observer.trial_done(part.experiment)
        elif answer is not None and part.failure is None:
            part.fail(answer)
        if not part.waiting:
            self._end(part)

    def _end(self, part: ExperimentRun) -> None:
        outcome = self._outcomes[part.experiment.name] = part.outcome()
        for observer in self._observers:
            observer.ended(outcome)


def _answer(future: Future[Any]) -> Any:
    """The answer of a process; None if the task was cancelled."""
    if future.cancelled():
        return None
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as error:  # such as a function that cannot be pickled
        return worker.failure_of(error)
