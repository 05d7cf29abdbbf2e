"""Reading and parsing ahead: threads do both while others are learned from, and blocks come out in order.

Whoever waits for a block works on others meanwhile. So there are no more threads than cores, and none has to wait for one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from typing import Any


def parsed(texts: Iterator[Any], parse: Callable[[Any], Any], workers: int) -> Generator[tuple[Any, Any]]:
    """Every text with what ``parse`` makes of it; the one who asks is one of the ``workers``."""
    ahead = _Ahead(texts, parse, workers + 2)
    threads = [threading.Thread(target=ahead.work, name="ranktron reader") for _ in range(workers - 1)]  # sooner than a pool
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


def _tried(errors: type[BaseException], do: Callable[..., Any], *args: Any) -> Any:
    try:
        return do(*args)
    except errors as error:
        return _Failed(error)


class _Ahead:
    """What is done: one after the other takes the next text, all parse, and no more than ``room`` results wait."""

    def __init__(self, texts: Iterator[Any], parse: Callable[[Any], Any], room: int) -> None:
        self._texts, self._parse, self._room = texts, parse, room
        self._changed = threading.Condition()
        self._there: dict[int | None, Any] = {}
        self._taken = self._given = 0
        self._is_taking = self._is_over = False

    def work(self) -> None:
        """Take texts and parse them until there are no more."""
        while self._step(None):
            pass

    def results(self) -> Iterator[tuple[Any, Any]]:
        """What the texts became, in their order."""
        while True:
            while self._step(self._given):
                pass
            with self._changed:
                found = self._there.pop(self._given)
                self._given += 1
                self._changed.notify_all()
            if found is None:
                return
            if isinstance(found, _Failed):
                raise found.error
            yield found

    def _step(self, wanted: int | None) -> bool:
        """Take a text and parse it; if there is none to be taken, or the result that is ``wanted`` is there, do nothing."""
        with self._changed:
            self._changed.wait_for(lambda: wanted in self._there or self._may_take or (wanted is None and self._is_over))
            if wanted in self._there or not self._may_take:
                return False
            number, self._is_taking = self._taken, True
            self._taken += 1
        errors = BaseException if wanted is None else Exception  # who asks may be interrupted at once
        text = _tried(errors, next, self._texts, None)
        is_text = not (text is None or isinstance(text, _Failed))
        with self._changed:
            self._is_taking, self._is_over = False, self._is_over or not is_text
            self._changed.notify_all()
        found = _tried(errors, self._parsed, text) if is_text else text
        with self._changed:
            self._there[number] = found
            self._changed.notify_all()
        return True

    @property
    def _may_take(self) -> bool:
        """Whether there may be another text, and room for it, and nobody takes one at the moment."""
        return not self._is_over and not self._is_taking and self._taken - self._given < self._room

    def _parsed(self, text: Any) -> tuple[Any, Any]:
        return text, self._parse(text)

    def end(self) -> None:
        """Nothing more is wanted."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
