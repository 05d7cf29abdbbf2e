"""Texts are parsed ahead, and come out in order; so do errors."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from ranktron.data.streams.pipeline import parsed
from tests.waiting import LIMIT, until


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("count", [0, 1, 2, 9])
def test_results_come_in_order(workers: int, count: int) -> None:
    assert list(parsed(iter(range(count)), lambda text: text * 10, workers)) == [(text, text * 10) for text in range(count)]


@pytest.mark.parametrize("workers", [1, 3])
def test_an_error_comes_after_what_was_before_it(workers: int) -> None:
    def texts() -> Iterator[int]:
        yield from range(6)
        raise OSError("the disk is gone")

    found: list[int] = []
    with pytest.raises(OSError, match="the disk is gone"):
        found.extend(text for text, _ in parsed(texts(), str, workers))
    assert found == list(range(6))


@pytest.mark.parametrize("workers", [1, 3])
def test_a_text_that_cannot_be_parsed_fails_in_its_turn(workers: int) -> None:
    found: list[int] = []
    with pytest.raises(ZeroDivisionError):
        found.extend(text for text, _ in parsed(iter([4, 2, 0, 1]), lambda text: 1 / text, workers))
    assert found == [4, 2]


class Panic(BaseException):
    """As libraries written in Rust raise them."""


def test_whatever_a_thread_raises_comes_out() -> None:
    asking, has_failed = threading.current_thread(), threading.Event()

    def parse(text: int) -> int:
        if threading.current_thread() is asking:
            has_failed.wait(LIMIT)
            return text
        has_failed.set()
        raise Panic

    with pytest.raises(Panic):
        list(parsed(iter(range(4)), parse, 2))


def test_who_asks_can_be_interrupted_at_once() -> None:
    asking, is_interrupted = threading.current_thread(), threading.Event()

    def parse(text: int) -> int:
        if threading.current_thread() is asking:
            is_interrupted.set()
            raise KeyboardInterrupt
        is_interrupted.wait(LIMIT)
        return text

    with pytest.raises(KeyboardInterrupt):
        list(parsed(iter(range(1000)), parse, 2))
    assert not any(thread.name == "ranktron reader" for thread in threading.enumerate())


def test_no_more_is_read_ahead_than_there_is_room_for() -> None:
    read: list[int] = []
    workers = 2
    room = workers + 2

    def texts() -> Iterator[int]:
        for text in range(100):
            read.append(text)
            yield text

    items = parsed(texts(), lambda text: text, workers)
    next(items)
    until(lambda: len(read) >= 1 + room)
    time.sleep(0.05)  # for more to come, if more does
    assert len(read) == 1 + room
    items.close()
    assert not any(thread.name == "ranktron reader" for thread in threading.enumerate())
    assert len(read) == 1 + room
