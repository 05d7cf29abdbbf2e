"""One thread learns while two ask: every answer has to be one that the stream up to some example gives."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

from ranktron.models import NotFitted

Ask = Callable[[Any], Any]
Step = Callable[[Any], Any]

# Steps after which the learning thread waits until both others have asked everything once more.
TOGETHER = 8


def race(make: Callable[[], Any], steps: Sequence[Step], asks: Sequence[Ask]) -> None:
    """Check every answer of two threads that ask a model for ``asks`` while a third one lets it learn, step by step."""
    expected = _by_prefix(make(), steps, asks)
    model, done = make(), threading.Event()
    rounds, failures = [0, 0], list[BaseException]()

    def ask(number: int) -> None:
        reached, was_done = 0, False
        while not failures and not was_done:
            was_done = done.is_set()
            for which, one in enumerate(asks):
                reached = _reached(expected[which], told(one, model), len(steps) if was_done else reached, which)
            rounds[number] += 1

    def learn() -> None:
        for number, step in enumerate(steps):
            if number % TOGETHER == 0:
                wait_for_a_round()
            step(model)

    def wait_for_a_round() -> None:
        before = list(rounds)
        while not failures and any(now == then for now, then in zip(rounds, before)):
            time.sleep(0)

    with hasty_threads():
        threads = [threading.Thread(target=_noting(failures, ask, number)) for number in range(2)]
        threads.append(threading.Thread(target=_noting(failures, learn)))
        for thread in threads:
            thread.start()
        threads[-1].join()
        done.set()
        for thread in threads[:-1]:
            thread.join()
    if failures:
        raise failures[0]


@contextmanager
def hasty_threads() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _noting(failures: list[BaseException], run: Callable[..., None], *args: Any) -> Callable[[], None]:
    def noting() -> None:
        try:
            run(*args)
        except BaseException as error:
            failures.append(error)

    return noting


def _by_prefix(model: Any, steps: Sequence[Step], asks: Sequence[Ask]) -> list[dict[Any, list[int]]]:
    """For every ask, after how many steps each answer is given."""
    expected: list[dict[Any, list[int]]] = [{} for _ in asks]
    for count in range(len(steps) + 1):
        if count:
            steps[count - 1](model)
        for which, one in enumerate(asks):
            expected[which].setdefault(told(one, model), []).append(count)
    return expected


def _reached(counts: dict[Any, list[int]], answer: Any, reached: int, which: int) -> int:
    """The fewest steps after which a model answers so, and not fewer than those that earlier answers tell of."""
    assert answer in counts, f"no part of the stream gives this answer to question {which}: {answer!s:.300}"
    later = [count for count in counts[answer] if count >= reached]
    assert later, f"question {which} was answered as after {counts[answer][-1]} steps, when {reached} had been learned"
    return later[0]


def told(ask: Ask, model: Any) -> Any:
    """An answer that can be looked up."""
    try:
        return frozen(ask(model))
    except (NotFitted, NotFittedError):
        return "nothing learned yet"


def frozen(answer: Any) -> Any:
    if isinstance(answer, dict):
        return tuple((name, frozen(part)) for name, part in answer.items())
    if isinstance(answer, list | tuple):
        return tuple(map(frozen, answer))
    if isinstance(answer, np.ndarray) and answer.dtype.kind != "O":
        return answer.shape, answer.tobytes()
    return frozen(answer.tolist()) if isinstance(answer, np.ndarray) else answer if answer is None else str(answer)
