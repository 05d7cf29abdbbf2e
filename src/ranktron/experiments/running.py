"""Experiments run in processes, trial by trial: what is kept is not run again, and what fails stops nothing else."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, Self

from . import working
from .experiment import Experiment
from .fingerprints import fingerprint
from .keeping import Kept, Trial
from .results import Results
from .tables import ClaimRow, NumberRow, claims_of, numbers_of, unjudged, unmeasured

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "NUMBA_NUM_THREADS")
"""Libraries that would start threads of their own on every core are told so by these."""

LEFT_OUT, MISSING, FAILED = "a quick run leaves it out", "its data are not there", "it failed"
"""Why claims are not judged, in short: the whole sentence names folders of this machine."""


class Outcome(NamedTuple):
    """What became of an experiment."""

    experiment: Experiment
    results: Results | None
    numbers: list[NumberRow]
    claims: list[ClaimRow]
    why: str = ""
    """Why there are no results."""
    trace: str = ""
    """Where it failed, if it did."""
    fingerprint: str = ""
    seconds: float = 0.0
    """What the trials took, all together."""
    kept: int = 0
    """How many of them were there before."""

    @property
    def has_failed(self) -> bool:
        """Whether something is wrong; otherwise it was run, or could not be here."""
        return bool(self.trace)


class Watch:
    """Is told what happens in a run; this one does not care."""

    def found(self, experiment: Experiment, kept: int, wanted: int) -> None:
        """So many of the trials wanted are there already."""

    def gone_on(self, experiment: Experiment) -> None:
        """Another trial is done."""

    def ended(self, outcome: Outcome) -> None:
        """An experiment has come to its end."""


class Workers:
    """Processes that run what is submitted, each on one thread; they end at once if that fails, or if this process is killed."""

    def __init__(self, jobs: int) -> None:
        context = get_context("spawn")
        listener, self._line = context.Pipe(duplex=False)
        self._listener = listener
        self._pool = ProcessPoolExecutor(jobs, context, working.begin, (listener,))
        self._before = {name: os.environ.get(name) for name in ONE_THREAD}

    def __enter__(self) -> Self:
        os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
        return self

    def submit(self, function: Any, *arguments: Any) -> Future[Any]:
        """Have a function called."""
        with _ctrl_c_waits():
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
def _ctrl_c_waits() -> Iterator[None]:
    """Processes that are started meanwhile do not hear Ctrl-C, not even while they begin; this one hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Course:
    """One experiment on its way."""

    def __init__(self, experiment: Experiment, quick: bool, folder: Path) -> None:
        self.experiment, self._folder = experiment, folder
        self.wanted = experiment.quick if quick else experiment.trials
        self.is_quick = quick and experiment.quick < experiment.trials
        self.trials: dict[int, Trial] = {}
        self.waiting: set[Future[Any]] = set()
        self.fingerprint, self.kept, self.stand_in = "", 0, ""
        self.failure: working.Failure | None = None

    def begin(self, data: working.Looked) -> list[working.Task]:
        """Look what is there already; the trials that are still to be run."""
        experiment = self.experiment
        self.fingerprint, self.stand_in = fingerprint(experiment.trial, data.digest), data.stand_in
        kept = Kept(self._folder / experiment.name / self.fingerprint)
        kept.clear_leftovers()
        self.trials = {seed: trial for seed in range(self.wanted) if (trial := kept.read(seed))}
        self.kept = len(self.trials)
        missing = [seed for seed in range(self.wanted) if seed not in self.trials]
        return [working.Task(experiment.trial, experiment.load, seed, str(kept.folder)) for seed in missing]

    def fail(self, failure: working.Failure) -> None:
        """Give up what was not begun yet."""
        self.failure = failure
        for future in list(self.waiting):
            future.cancel()

    def outcome(self) -> Outcome:
        """What there is to tell in the end."""
        if self.failure is None:
            try:
                return self._judged()
            except Exception as error:
                failed = working.failure(error)
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
    """Experiments to be run; trials are kept in ``folder``."""

    def __init__(self, experiments: Sequence[Experiment], quick: bool, jobs: int, folder: Path) -> None:
        self.courses = [Course(experiment, quick, folder) for experiment in experiments]
        self._jobs = jobs
        self._outcomes: dict[str, Outcome] = {}
        self._pending: dict[Future[Any], Course] = {}
        self._answers: SimpleQueue[Future[Any]] = SimpleQueue()

    @property
    def done(self) -> int:
        """Trials that are there."""
        return sum(len(course.trials) for course in self.courses)

    @property
    def wanted(self) -> int:
        """Trials that are asked for and can be run."""
        return sum(course.wanted if course.failure is None else len(course.trials) for course in self.courses)

    def do(self, watch: Watch) -> list[Outcome]:
        """Run everything, long trials first, so that no core idles in the end; the outcomes in the order of the experiments."""
        try:
            with Workers(self._jobs) as workers:
                data = self._look(workers)
                for course in sorted(self.courses, key=lambda course: -course.experiment.seconds):
                    self._begin(course, data.get(course.experiment.name, working.Looked()), workers, watch)
                while self._pending:
                    future = self._answers.get()
                    self._take(future, self._pending.pop(future), watch)
        except BrokenProcessPool:
            raise ValueError(
                "one of the processes was killed, perhaps for want of memory: repeat the command with fewer --jobs, "
                "it goes on from the trials that are done"
            ) from None
        return [self._outcomes[course.experiment.name] for course in self.courses]

    def _look(self, workers: Workers) -> dict[str, working.Looked | working.Failure]:
        """What there is to know of the data, by the names of experiments, or why there are none."""
        asked = [course.experiment for course in self.courses if course.wanted]
        futures = {one.name: workers.submit(working.look, one.load, one.data_set) for one in asked if one.load or one.data_set}
        return {name: _answer(future) for name, future in futures.items()}

    def _begin(self, course: Course, data: working.Looked | working.Failure, workers: Workers, watch: Watch) -> None:
        tasks: list[working.Task] = []
        if not course.wanted:
            course.fail(working.Failure(LEFT_OUT, "", True))
        elif isinstance(data, working.Failure):
            course.fail(data)
        else:
            tasks = course.begin(data)
            watch.found(course.experiment, course.kept, course.wanted)
        for task in tasks:
            self._submit(course, task, workers)
        if not tasks:
            self._end(course, watch)

    def _submit(self, course: Course, task: working.Task, workers: Workers) -> None:
        future = workers.submit(working.run, task)
        course.waiting.add(future)
        self._pending[future] = course
        future.add_done_callback(self._answers.put)

    def _take(self, future: Future[Any], course: Course, watch: Watch) -> None:
        """Go on with what a process has answered."""
        course.waiting.discard(future)
        answer = _answer(future)
        if isinstance(answer, Trial):
            course.trials[answer.seed] = answer
            watch.gone_on(course.experiment)
        elif answer is not None and course.failure is None:
            course.fail(answer)
        if not course.waiting:
            self._end(course, watch)

    def _end(self, course: Course, watch: Watch) -> None:
        outcome = self._outcomes[course.experiment.name] = course.outcome()
        watch.ended(outcome)


def _answer(future: Future[Any]) -> Any:
    """What a process has answered; None if it was not asked in the end."""
    if future.cancelled():
        return None
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as error:  # what cannot be sent to a process
        return working.failure(error)
