"""What readers of all formats give: lines that were parsed, and the rows made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...core.rows import Rows
from ..svmlight.line import BadLine
from .texts import Records, Text


class Parsed:
    """A text that was read, and where in it the bad lines begin, with the reasons."""

    def __init__(self, bad: list[tuple[int, str]]) -> None:
        self.bad = bad


class Filled(NamedTuple):
    """Rows with their columns."""

    rows: Rows
    n_columns: int
    names: list[str] | None
    y: np.ndarray | None
    qid: np.ndarray | None
    source: Callable[[], Any] | None = None


def bad_line(place: int, why: str) -> BadLine:
    """A line at that place of its text cannot be read."""
    error = BadLine(why)
    error.place = place
    return error


def too_many(features: int, most: int) -> str:
    """Why data with so many features are refused, and what to do."""
    remedy = f"hash them (--hash-bits 20), or allow them (--max-features {features})"
    return f"{features:,} features, and a model may have {most:,}; {remedy}"


def begin_of(records: Records, text: Text, bad: set[int], row: int) -> int:
    """Where the record of a row begins: those that are blank or bad have none."""
    begin = 0
    for end in records.ends(text.data, text.size, True).tolist():
        if begin not in bad and not records.is_blank(text.data[begin:end]):
            if row == 0:
                return begin
            row -= 1
        begin = end
    raise IndexError("the block has fewer rows")
