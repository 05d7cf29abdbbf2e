"""Reading and parsing ahead: threads do both while others are learned from, and blocks come out in order."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import Any


def parsed(texts: Iterator[Any], parse: Callable[[Any], Any], workers: int) -> Generator[tuple[Any, Any]]:
    """Every text with what ``parse`` makes of it; a single one needs no thread."""
    first = list(itertools.islice(texts, 2)) if workers > 1 else []
    if len(first) < 2:
        for text in itertools.chain(first, texts):
            yield text, parse(text)
        return
    yield from _in_threads(_Ahead(itertools.chain(first, texts), parse), workers)


class _Ahead:
    """What threads do: one after the other takes the next text, and all parse."""

    def __init__(self, texts: Iterator[Any], parse: Callable[[Any], Any]) -> None:
        self._texts, self._parse, self._turn, self._taken = texts, parse, threading.Lock(), 0

    def __call__(self) -> tuple[int, Callable[[], Any]]:
        """The number of a text, and how to get it, with what it was parsed into: None at the end, or an error."""
        with self._turn:
            number = self._taken
            self._taken += 1
            try:
                text = next(self._texts, None)
            except BaseException as error:
                return number, _raising(error)
        try:
            found = None if text is None else (text, self._parse(text))
        except BaseException as error:
            return number, _raising(error)
        return number, lambda: found


def _raising(error: BaseException) -> Callable[[], Any]:
    def fail() -> None:
        raise error

    return fail


def _in_threads(ahead: _Ahead, workers: int) -> Generator[tuple[Any, Any]]:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        coming = deque(pool.submit(ahead) for _ in range(2 * workers + 1))
        there: dict[int, Callable[[], Any]] = {}
        for number in itertools.count():
            while number not in there:  # one may have overtaken another
                done, get = coming.popleft().result()
                there[done] = get
                coming.append(pool.submit(ahead))
            found = there.pop(number)()
            if found is None:
                return
            yield found
