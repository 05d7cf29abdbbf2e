"""Reading and parsing ahead: threads do both while others are learned from, and blocks come out in order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from typing import Any


def parsed(texts: Iterator[Any], parse: Callable[[Any], Any], workers: int) -> Generator[tuple[Any, Any]]:
    """Every text with what ``parse`` makes of it."""
    if workers == 1:
        for text in texts:
            yield text, parse(text)
        return
    ahead = _Ahead(texts, parse, 2 * workers + 1)
    threads = [threading.Thread(target=ahead.work, name="ranktron reader") for _ in range(workers)]  # imported sooner than a pool
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
    """An error that is raised when its turn comes."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _tried(do: Callable[..., Any], *args: Any) -> Any:
    try:
        return do(*args)
    except BaseException as error:
        return _Failed(error)


class _Ahead:
    """What threads do: one after the other takes the next text, all parse, and no more than ``room`` results wait."""

    def __init__(self, texts: Iterator[Any], parse: Callable[[Any], Any], room: int) -> None:
        self._texts, self._parse, self._room = texts, parse, room
        self._turn, self._changed = threading.Lock(), threading.Condition()
        self._there: dict[int, Any] = {}
        self._taken = self._given = 0
        self._is_over = False

    def work(self) -> None:
        """Take texts and parse them until there are no more."""
        found: Any = ()
        while found is not None:
            with self._turn:
                number = self._next_number()
                if number is None:
                    return
                text = _tried(next, self._texts, None)
            found = text if text is None or isinstance(text, _Failed) else _tried(self._parsed, text)
            with self._changed:
                self._there[number] = found
                self._changed.notify_all()

    def _next_number(self) -> int | None:
        """The number of the next text, once there is room for it; None if nobody wants it any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_over or self._taken - self._given < self._room)
            self._taken += 1
            return None if self._is_over else self._taken - 1

    def _parsed(self, text: Any) -> tuple[Any, Any]:
        return text, self._parse(text)

    def results(self) -> Iterator[tuple[Any, Any]]:
        """What the texts became, in their order."""
        while (found := self._next_result()) is not None:
            if isinstance(found, _Failed):
                raise found.error
            yield found

    def _next_result(self) -> Any:
        with self._changed:
            self._changed.wait_for(lambda: self._given in self._there)
            self._given += 1
            self._changed.notify_all()
            return self._there.pop(self._given - 1)

    def end(self) -> None:
        """Nothing more is wanted."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
