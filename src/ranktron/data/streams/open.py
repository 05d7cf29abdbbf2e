"""Opens files and pipes as streams. The format of a file is guessed from the ending of its name, or else from its first line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..svmlight.line import LONGEST, BadDataFile
from .formats import FORMATS, reader_class
from .inputs import STANDARD_INPUT, Input
from .reader import Options
from .records import Lines
from .stream import Stream

_ENDINGS = {ending: name for name, format in FORMATS.items() for ending in format.endings}
_KINDS = {"numbers": "number", "flags": "flag", "text": "text"}  # what columns hold, by the role of a schema that lists them
_LOOKED_AT = 1 << 16
_SVMLIGHT = re.compile(rb"\s*(qid:\S+\s+)?[^\s:,]+(\s+(qid:\S+|[0-9]+:[^\s:,]+))*\s*(#.*)?")
_PAIR = re.compile(rb"\s(qid|[0-9]+):")


def open_stream(
    paths: Sequence[str],
    *,
    format: str | None = None,
    target: str | None = None,
    query: str | None = None,
    drop: Sequence[str] = (),
    text: Sequence[str] = (),
    header: bool = True,
    zero_based: bool = False,
    hash_bits: int | None = None,
    max_features: int | None = None,
    on_error: str = "stop",
    labelled: bool = True,
    lists: bool | None = False,
    names: Sequence[str] | None = None,
    n_columns: int | None = None,
    grow: bool = True,
    schema: Mapping[str, Any] | None = None,
    block_rows: int | None = None,
    buffer: int = 100_000,
) -> Stream:
    """Open files, or standard input, as a stream of blocks of rows, in constant memory.

    Parameters
    ----------
    paths : sequence of str
        The files, plain or compressed by gzip. ``"-"`` is standard input.
    format : {"svmlight", "csv", "tsv", "parquet", "jsonl"}, optional
        By default it is guessed from the name, or from the first line.
    target, query : str, optional
        The columns of the labels, and of the list that each row belongs to. svmlight lines have places for them.
    drop, text : sequence of str
        Columns to leave out, and columns to treat as text although they look like numbers.
    header : bool
        Whether the first line of a table names the columns; otherwise they are named c1, c2, ….
    zero_based : bool
        Whether feature 0 of svmlight lines is column 0, or feature 1 is.
    hash_bits : int, optional
        Hash names, or the indices of svmlight lines, into 2^hash_bits columns, as models do with mappings.
    max_features : int, optional
        Refuse data that need more columns. By default tables may have 262,144 columns, and other formats have no limit.
    on_error : {"stop", "skip"}
        What to do with a malformed line.
    labelled : bool
        Whether rows need a target.
    lists : bool, optional
        End blocks where lists end: a list is a run of rows with one query. None means True if rows have queries.
    names, n_columns
        The columns that a model knows already, by name or by number: they keep their places.
    grow : bool
        Whether new names get columns.
    schema : mapping, optional
        The ``schema`` of the stream that a model learned from: this one is read alike.
    block_rows : int, optional
        The most rows of a block. A block also ends after some 4 MB of text, the first ones of a pipe sooner, or after 50,000 rows
        of Parquet. With lists it then goes on to the end of its list.
    buffer : int
        How many rows the buffer holds that shuffles what can only be read in order.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("ratings.csv").write_text("stars,price,city\\n4,3.5,Rome\\n5,2,Paris\\n")
    >>> stream = open_stream(["ratings.csv"], target="stars")
    >>> for block in stream.blocks():
    ...     print(block.names, block.y, block.where(1))
    ['price', 'city=Paris', 'city=Rome'] [4 5] ratings.csv, line 3
    """
    _check(paths, on_error, block_rows, buffer, hash_bits)
    known = dict(schema or {})
    options = Options(
        target=known.get("target") if target is None else target,
        query=known.get("query") if query is None else query,
        drop=tuple(drop) or tuple(known.get("drop", ())),
        text=tuple(text) or tuple(known.get("as_text", ())),
        header=header and known.get("header", True),
        zero_based=zero_based or known.get("zero_based", False),
        hash_bits=known.get("hash_bits") if hash_bits is None else hash_bits,
        max_features=max_features,
        labelled=labelled,
        lists=bool(lists),
        names=None if names is None else tuple(names),
        n_columns=known.get("n_columns") if n_columns is None else n_columns,
        grow=grow,
        kinds={column: kind for role, kind in _KINDS.items() for column in known.get(role, ())},
        is_known=schema is not None,
    )
    inputs = [Input(path) for path in paths]
    reader = reader_class(_format_of(inputs, format))(options, inputs)
    return Stream(reader.open(lists, block_rows), reader, on_error == "skip", buffer)


def _check(paths: Sequence[str], on_error: str, block_rows: int | None, buffer: int, hash_bits: int | None) -> None:
    if not paths or list(paths).count(STANDARD_INPUT) > 1:
        raise ValueError("name at least one file" if not paths else "standard input can be read only once; name - once")
    if on_error not in ("stop", "skip"):
        raise ValueError(f'on_error={on_error!r} should be "stop" or "skip"')
    for name, value in (("block_rows", block_rows), ("buffer", buffer)):
        if value is not None and value < 1:
            raise ValueError(f"{name}={value} should be at least 1")
    if hash_bits is not None and not 1 <= hash_bits <= 30:
        raise ValueError(f"hash_bits={hash_bits} should be from 1 to 30")


def _format_of(inputs: Sequence[Input], given: str | None) -> str:
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
    if ending in _ENDINGS:
        return _ENDINGS[ending]
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
