"""The definition of a line of a LETOR or svmlight file, by ``split`` and ``float``. Its compiled twin is in ``compiled_lines``.

    label [qid:integer] index:number index:number … [# comment]

White space is what ``bytes.split`` splits at, a number is what ``float`` accepts, and a ``#`` begins a comment. The query may
stand anywhere. Indices ascend.
"""

from __future__ import annotations

import re
from typing import NamedTuple

QUERY = b"qid:"
GREATEST = 2**63 - 2  # the highest index: the number of columns, one more, fits in 64 bits too
_INTEGER = re.compile(rb"[+-]?[0-9]+")
_INDEX = re.compile(rb"(?<![0-9])([0-9]++):")  # possessive: a long run of digits takes linear time
_SHOWN = 40
# The most bytes of a line, a header or a record with quoted fields, and so of any field or name in one.
LONGEST = 1 << 26


class BadDataFile(ValueError):
    """A file cannot be read. The message gives its name, the line and the reason."""


class BadLine(Exception):
    """Why a line cannot be parsed; ``place`` is its offset in the text, and ``line`` its number from 1, once they are known."""

    def __init__(self, why: str, *, place: int = 0, line: int = 0) -> None:
        super().__init__(why)
        self.place, self.line = place, line


class Limits(NamedTuple):
    """What lines may hold: the first index, the last one, and whether every row needs a query."""

    first: int
    most: int
    asks: bool


class Line(NamedTuple):
    """The parts of a line."""

    label: float
    query: int
    indices: list[int]
    values: list[float]


def read_line(line: bytes, limits: Limits) -> Line | None:
    """Parse a line; None if it is blank, or only a comment.

    >>> read_line(b"2 qid:7 1:0.5 3:1e-2 #docid = A", Limits(1, GREATEST, True))
    Line(label=2.0, query=7, indices=[1, 3], values=[0.5, 0.01])
    """
    tokens = line.partition(b"#")[0].split()
    if not tokens:
        return None
    queries = [token for token in tokens if token.startswith(QUERY)]
    others = [token for token in tokens if not token.startswith(QUERY)] if queries else tokens
    if not others:
        raise BadLine("there is a qid but no label")
    label, query = _label(others[0]), _query(queries, limits)
    indices, values = _features(others[1:], limits)
    return Line(label, query, indices, values)


def _label(token: bytes) -> float:
    try:
        return float(token.decode())
    except ValueError:
        raise BadLine(f"{shown(token)} is not a label; expected a number") from None


def _query(tokens: list[bytes], limits: Limits) -> int:
    if len(tokens) > 1:
        raise BadLine("there is more than one qid")
    if not tokens:
        if limits.asks:
            raise BadLine("there is no qid; read_svmlight reads files without queries")
        return 0
    digits = tokens[0][len(QUERY) :]
    if not _INTEGER.fullmatch(digits) or len(digits) > 20 or not -(2**63) <= int(digits) < 2**63:
        raise BadLine(f"{shown(tokens[0])} is not a query; expected qid:integer, of 64 bits")
    return int(digits)


def _features(tokens: list[bytes], limits: Limits) -> tuple[list[int], list[float]]:
    indices, values = [], []
    last = limits.first - 1
    for token in tokens:
        digits, _, number = token.partition(b":")
        try:
            value = float(number.decode())
        except ValueError:
            raise BadLine(f"{shown(token)} is not a feature; expected index:number") from None
        index = _index(token, digits)
        if index <= last or index > limits.most:
            raise BadLine(_misplaced(index, last, limits))
        indices.append(index)
        values.append(value)
        last = index
    return indices, values


def _index(token: bytes, digits: bytes) -> int:
    if not digits.isdigit():
        raise BadLine(f"{shown(token)} is not a feature; expected index:number")
    return int(digits) if len(digits) < 19 else int(digits.lstrip(b"0")[:20] or b"0")


def last_index(line: bytes) -> int:
    """The number before the last colon, or -1: the highest index of a well-formed line, found without parsing it.

    >>> last_index(b"2 1:0.5 30:2 qid:7 # 99:1"), last_index(b"2 qid:7")
    (30, -1)
    """
    found = _INDEX.findall(line.partition(b"#")[0])
    if not found:
        return -1
    return int(found[-1]) if len(found[-1]) < 19 else GREATEST


def _misplaced(index: int, last: int, limits: Limits) -> str:
    if index < limits.first:
        return f"index {index} is below {limits.first}"
    if index > GREATEST:
        return "an index does not fit in 64 bits"
    if index > limits.most:
        return f"index {index} is beyond {limits.most}, the last one that n_features allows"
    return f"index {index} comes after {last}; the indices of a line should ascend"


def shown(token: bytes) -> str:
    """A token, quoted and cropped, for a message."""
    return repr(cropped(token[: 4 * _SHOWN].decode(errors="backslashreplace")))


def cropped(text: str, most: int = _SHOWN) -> str:
    """At most the first ``most`` characters of a text, for a message.

    >>> cropped("a" * 100, 10)
    'aaaaaaaaa…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def too_long(what: str, most: int = LONGEST) -> str:
    """The message for a line, a header or a record of more than ``most`` bytes."""
    return f"{what} has more than {most >> 20} MB; is this text?"
