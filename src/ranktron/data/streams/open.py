"""Opening streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..svmlight.line import BadDataFile
from . import texts
from .guess import format_of
from .inputs import STANDARD_INPUT, Input
from .options import Options
from .stream import Stream
from .text_files import TextFiles
from .texts import Cutting, Records, Text, prelude


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
        The files, plain or zipped by gzip. ``"-"`` is standard input.
    format : {"svmlight", "csv", "tsv", "parquet", "jsonl"}, optional
        Otherwise it is guessed from the name, or from the first line.
    target, query : str, optional
        The columns that hold what is to be learned, and the list a row belongs to. svmlight has places for them.
    drop, text : sequence of str
        Columns to leave out, and columns to take as text though they look like numbers.
    header : bool
        Whether the first line of a table names the columns; otherwise they are c1, c2 and so on.
    zero_based : bool
        Whether feature 0 of svmlight lines is column 0, or feature 1 is.
    hash_bits : int, optional
        Hash names, or the indices of svmlight lines, into 2^hash_bits columns, as models do with mappings.
    max_features : int, optional
        Refuse data that need more columns. Without it tables have up to 262,144 columns, and other formats as many as there are.
    on_error : {"stop", "skip"}
        What to do with a malformed line.
    labelled : bool
        Whether rows need a target.
    lists : bool, optional
        End blocks where lists end, a list being a run of rows with one query. None: if there are queries.
    names, n_columns
        The columns that a model knows already, with and without names: they keep their places.
    grow : bool
        Whether names that are new get columns.
    schema : mapping, optional
        The ``schema`` of the stream that a model learned from: this one is read in the same way.
    block_rows : int, optional
        The most rows that a block has; it also ends after some 4 MB of text, the first ones of a pipe sooner, or 50,000 rows of
        Parquet, and with whole lists where the list ends.
    buffer : int
        How many rows are held to shuffle what can only be read in order.

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
        kinds=_kinds(known),
        is_known=schema is not None,
    )
    inputs = [Input(path) for path in paths]
    files, reader = _files(format_of(inputs, format), inputs, options, lists, block_rows)
    return Stream(files, reader, on_error == "skip", buffer)


def _check(paths: Sequence[str], on_error: str, block_rows: int | None, buffer: int, hash_bits: int | None) -> None:
    if not paths or list(paths).count(STANDARD_INPUT) > 1:
        raise ValueError("name at least one file" if not paths else "standard input can be read once only: name - once")
    if on_error not in ("stop", "skip"):
        raise ValueError(f'on_error={on_error!r} should be "stop" or "skip"')
    for name, value in (("block_rows", block_rows), ("buffer", buffer)):
        if value is not None and value < 1:
            raise ValueError(f"{name}={value} should be at least 1")
    if hash_bits is not None and not 1 <= hash_bits <= 30:
        raise ValueError(f"hash_bits={hash_bits} should be from 1 to 30")


def _kinds(schema: Mapping[str, Any]) -> dict[str, str]:
    """What columns hold that were seen before."""
    roles = (("numbers", "number"), ("flags", "flag"), ("text", "text"))
    return {column: kind for role, kind in roles for column in schema.get(role, ())}


def _files(name: str, inputs: list[Input], options: Options, lists: bool | None, block_rows: int | None) -> tuple[Any, Any]:
    """The files and their reader, which has seen the first rows."""
    if name == "parquet":
        from .formats.parquet import Parquet, ParquetFiles

        table = Parquet(options, name, inputs[0].name)
        rows = ParquetFiles(inputs, table, block_rows)
        table.settle(rows)
        _settle_lists(table, lists)
        return rows, table
    reader = _reader(name, options, inputs)
    _settle(reader, inputs[0])
    _settle_lists(reader, lists)
    key = reader.key if reader.options.lists else None
    return TextFiles(inputs, reader, Cutting(reader.records, texts.SIZE, block_rows, key)), reader


def _reader(name: str, options: Options, inputs: list[Input]) -> Any:
    if name == "svmlight":
        from .formats.svmlight import Svmlight

        return Svmlight(options, sum(source.size or 0 for source in inputs))
    if name == "jsonl":
        from .formats.jsonlines import JsonLines

        return JsonLines(options, inputs[0].name)
    from .formats.delimited import Delimited

    return Delimited(options, name, inputs[0].name)


def _settle_lists(reader: Any, lists: bool | None) -> None:
    """If nobody said whether there are lists, there are where there are queries."""
    if lists is None:
        reader.options = reader.options._replace(lists=reader.has_queries)


def _settle(reader: Any, source: Input) -> None:
    """Let the reader see as much of the beginning as it asks for, and a row."""
    head = prelude(source, reader.records, reader.has_header)
    reader.begin(source.name, head)
    size = min(reader.looks_at, next(texts.sizes(texts.SIZE, not source.is_regular)))
    while not _has_row(text := _first_text(source, head, Cutting(reader.records, size)), reader.records):
        if text.is_last:
            raise BadDataFile(f"{source.name} holds no rows")
        if text.size >= texts.LONGEST:
            raise BadDataFile(f"{source.name} has no row in its first {texts.LONGEST >> 20} MB; is this text?")
        size *= 2
    reader.settle(text)


def _first_text(source: Input, head: bytes, cutting: Cutting) -> Text:
    data = source.peek(len(head) + cutting.size + texts.MARGIN)[len(head) :]
    ended = len(data) < cutting.size + texts.MARGIN
    stop = cutting.stop(data, ended) or len(data)
    return Text(data, stop, 0, head.count(b"\n"), ended and stop == len(data))


def _has_row(text: Text, records: Records) -> bool:
    return records.first_row(text.data, text.size) < text.size
