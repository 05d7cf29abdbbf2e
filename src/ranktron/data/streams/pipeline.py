"""Parsing ahead: blocks are parsed by threads while others are learned from, and come out in order."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any


def parsed(texts: Iterator[Any], parse: Callable[[Any], Any], workers: int) -> Generator[tuple[Any, Any]]:
    """Every text with what ``parse`` makes of it; a single one needs no thread."""
    first = list(itertools.islice(texts, 2)) if workers > 1 else []
    if len(first) < 2:
        for text in itertools.chain(first, texts):
            yield text, parse(text)
        return
    yield from _in_threads(itertools.chain(first, texts), parse, workers)


def _in_threads(texts: Iterator[Any], parse: Callable[[Any], Any], workers: int) -> Generator[tuple[Any, Any]]:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        coming: deque[tuple[Any, Callable[[], Any]]] = deque()
        for text, failure in _with_failure(texts):
            coming.append((text, pool.submit(parse, text).result if failure is None else failure))
            if len(coming) > workers:
                text, result = coming.popleft()
                yield text, result()
        while coming:
            text, result = coming.popleft()
            yield text, result()


def _with_failure(texts: Iterator[Any]) -> Iterator[tuple[Any, Callable[[], Any] | None]]:
    """The texts, and instead of an error something that raises it, so that it comes after what was read before it."""
    try:
        for text in texts:
            yield text, None
    except Exception as error:
        yield None, partial(_fail, error)


def _fail(error: Exception) -> None:
    raise error
