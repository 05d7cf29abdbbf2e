"""Guesses the format of a file: from the ending of its name if that is known, else from its first line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..svmlight.line import LONGEST, BadDataFile
from .formats import FORMATS
from .inputs import Input
from .records import Lines

_FORMAT_OF = {ending: name for name, format in FORMATS.items() for ending in format.endings}
_LOOKED_AT = 1 << 16
_SVMLIGHT = re.compile(rb"\s*(qid:\S+\s+)?[^\s:,]+(\s+(qid:\S+|[0-9]+:[^\s:,]+))*\s*(#.*)?")
_PAIR = re.compile(rb"\s(qid|[0-9]+):")


def format_of(inputs: Sequence[Input], given: str | None) -> str:
    """The format that was given, or the one that all inputs have."""
    if given is not None:
        if given not in FORMATS:
            raise ValueError(f"there is no format {given!r}; expected one of {', '.join(FORMATS)}")
        return given
    found = [_guess(source) for source in inputs]
    for source, other in zip(inputs, found, strict=True):
        if other != found[0]:
            raise BadDataFile(f"{source.name} looks like {other}, and {inputs[0].name} like {found[0]}; a stream has one format")
    return found[0]


def _guess(source: Input) -> str:
    ending = source.path.lower().removesuffix(".gz").rpartition(".")[2]
    return _FORMAT_OF.get(ending) or _guess_content(source)


def _guess_content(source: Input) -> str:
    if source.peek(4) == b"PAR1":
        return "parquet"
    text = _from_first_row(source)
    if not text:
        raise BadDataFile(f"{source.name} holds no rows")
    return _guess_line(text.partition(b"\n")[0])


def _from_first_row(source: Input) -> bytes:
    """The text from the line of its first row on; empty if there is no row."""
    size, mark = _LOOKED_AT, b"\xef\xbb\xbf"
    while True:
        data = source.peek(size).removeprefix(mark)
        row = Lines().first_row(data, len(data))
        if row < len(data):
            return data[data.rfind(b"\n", 0, row) + 1 :]
        if len(data) < size - len(mark) or size >= LONGEST:
            return b""
        size *= 2


def _guess_line(line: bytes) -> str:
    """
    >>> [_guess_line(line) for line in (b'{"a": 1}', b"1 qid:3 1:0.5 # a,b", b"4,2.5", b"a\\tb", b"3 1:5")]
    ['jsonl', 'svmlight', 'csv', 'tsv', 'svmlight']
    """
    if line.lstrip().startswith(b"{"):
        return "jsonl"
    if _SVMLIGHT.fullmatch(line) and (_PAIR.search(line) or b"\t" not in line):
        return "svmlight" if _PAIR.search(line) or _is_number(line) else "csv"
    return "tsv" if line.count(b"\t") > line.count(b",") else "csv"


def _is_number(line: bytes) -> bool:
    try:
        float(line.partition(b"#")[0])
    except ValueError:
        return False
    return True
