"""Reads and parses ahead: threads do both while blocks are learned, and results come out in order.

The caller that waits for a result parses other items meanwhile. So there are no more threads than cores, and none is idle.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from typing import Any


def parsed(texts: Iterator[Any], parse: Callable[[Any], Any], workers: int) -> Generator[tuple[Any, Any]]:
    """Every item with the result of ``parse``, in order; the calling thread is one of the ``workers``."""
    ahead = _Ahead(texts, parse, workers + 2)
    # Plain threads start faster than a pool.
    threads = [threading.Thread(target=ahead.work, name="ranktron reader") for _ in range(workers - 1)]
    try:
        for thread in threads:
            thread.start()
        yield from ahead.results()
    finally:
        ahead.end()
        for thread in threads:
            if thread.is_alive():  # a signal may come before all are started
                thread.join()


class _Failed:
    """An error, to be raised when its result is due."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _tried(errors: type[BaseException], do: Callable[..., Any], *args: Any) -> Any:
    try:
        return do(*args)
    except errors as error:
        return _Failed(error)


class _Ahead:
    """The state that workers share: one at a time reads the next item, all parse, and at most ``capacity`` results wait."""

    def __init__(self, texts: Iterator[Any], parse: Callable[[Any], Any], capacity: int) -> None:
        self._texts, self._parse, self._capacity = texts, parse, capacity
        self._changed = threading.Condition()
        self._results: dict[int | None, Any] = {}
        self._n_read = self._n_returned = 0
        self._is_reading = self._is_over = False

    def work(self) -> None:
        """Read and parse items until there are no more."""
        while self._step(None):
            pass

    def results(self) -> Iterator[tuple[Any, Any]]:
        """The results in the order of the items."""
        while True:
            while self._step(self._n_returned):
                pass
            with self._changed:
                found = self._results.pop(self._n_returned)
                self._n_returned += 1
                self._changed.notify_all()
            if found is None:
                return
            if isinstance(found, _Failed):
                raise found.error
            yield found

    def _step(self, wanted: int | None) -> bool:
        """Read and parse an item; returns False if there are no more, or if the ``wanted`` result is there."""
        with self._changed:
            self._changed.wait_for(lambda: wanted in self._results or self._may_read or (wanted is None and self._is_over))
            if wanted in self._results or not self._may_read:
                return False
            number, self._is_reading = self._n_read, True
            self._n_read += 1
        errors = BaseException if wanted is None else Exception  # the caller may be interrupted at once
        text = _tried(errors, next, self._texts, None)
        is_text = not (text is None or isinstance(text, _Failed))
        with self._changed:
            self._is_reading, self._is_over = False, self._is_over or not is_text
            self._changed.notify_all()
        found = _tried(errors, lambda: (text, self._parse(text))) if is_text else text
        with self._changed:
            self._results[number] = found
            self._changed.notify_all()
        return True

    @property
    def _may_read(self) -> bool:
        return not self._is_over and not self._is_reading and self._n_read - self._n_returned < self._capacity

    def end(self) -> None:
        """Stop: no more results are needed."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
