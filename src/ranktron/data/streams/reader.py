"""What a file format has to provide: a `Reader`, or a `TextReader` from ``text_files``, which opens a `Source` of parts.

A new format is one file in ``formats/`` with a class that derives from one of them, and one line in ``formats/__init__.py``. A
stream calls ``open`` once. Then it calls ``parse`` for each part, in several threads, and ``to_block`` in the order of the
parts.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import numpy as np

from .block import Block, Place
from .inputs import Input
from .shuffle import Index, Record, through_buffer


class Options(NamedTuple):
    """The arguments of ``open_stream`` that concern readers."""

    target: str | None = None
    query: str | None = None
    drop: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    header: bool = True
    zero_based: bool = False
    hash_bits: int | None = None
    max_features: int | None = None
    labelled: bool = True
    lists: bool = False
    names: tuple[str, ...] | None = None
    n_columns: int | None = None
    grow: bool = True
    # What columns hold, if another file decided it: "number", "flag" or "text".
    kinds: Mapping[str, str] = MappingProxyType({})
    # Whether the options come from the schema of another file. Then columns that they name may be absent here.
    is_known: bool = False

    @property
    def most_features(self) -> int | None:
        """The limit of columns; None without ``grow``, since a model drops the columns that it does not know."""
        return self.max_features if self.grow else None


class Part(Protocol):
    """Some rows of a source: a `TextBlock`, or a data frame."""

    @property
    def file(self) -> int:
        """Which of the files they come from."""

    def at(self, place: int) -> tuple[int, int]:
        """The file, and the number from 1 of the line or row, of a place in the part."""


class Parsed(NamedTuple):
    """The good rows of a part in the format's own form, and its bad lines: where each begins, and the reason."""

    rows: Any
    bad: list[tuple[int, str]]
    # The place in the part where a row begins.
    begin_of: Callable[[int], int]
    # The `Block.read` of the rows.
    read: Callable[[], Any] | None = None


Item = tuple[Any, Place]
PartT = TypeVar("PartT", contravariant=True)


class Source(abc.ABC):
    """The files of a stream, as parts with the place where each ends.

    ``index`` and ``permuted`` are for seekable sources; others shuffle ``through_buffer``.
    """

    # What messages count: "line" or "row".
    unit: ClassVar[str]
    # Whether records can be read in any order.
    is_seekable: bool = False

    @abc.abstractmethod
    def in_order(self, start: Place) -> Iterator[Item]:
        """The parts from a place on."""

    @abc.abstractmethod
    def records(self, part: Any) -> list[Record]:
        """The rows of a part, or its lists, one by one."""

    @abc.abstractmethod
    def joined(self, records: list[Record]) -> Any:
        """A part of records from different places."""

    @abc.abstractmethod
    def n_together(self, records: list[Record]) -> int:
        """How many of these records make a part."""

    @abc.abstractmethod
    def progress(self, place: Place) -> float | None:
        """The share of the input before a place, if it is known."""

    def through_buffer(self, parts: Iterator[Item], start: Place, random: np.random.Generator, capacity: int) -> Iterator[Item]:
        """The records of all parts, shuffled in a buffer of ``capacity`` rows."""
        chunks = (self.records(part) for part, _ in parts)
        for records, position in through_buffer(chunks, capacity, random, self.n_together):
            if position > start.offset:
                yield self.joined(records), Place(0, position)

    def index(self, parts: Iterator[Item]) -> Index:
        """The places of the records of all parts."""
        raise NotImplementedError

    def permuted(self, index: Index, start: Place, seed: int, epoch: int) -> Iterator[Item]:
        """Parts of all records in random order."""
        raise NotImplementedError


class Reader(Protocol[PartT]):
    """The reader of one format. Derive from it: then the optional members have these defaults.

    ==================  =========  ===========================================================================
    member              default    meaning
    ==================  =========  ===========================================================================
    ``format``          mandatory  the name for ``open_stream(format=)``
    ``open``            mandatory  look at the first rows, and return the source of the parts
    ``parse``           mandatory  parse a part; runs in threads, so it must not change the reader
    ``to_block``        mandatory  rows with the columns known by now, new ones added; runs in order
    ``schema``          mandatory  plain data from which ``open_stream(schema=)`` reads another file alike
    ``names``           None       the names of the columns so far
    ``encoding``        ""         a sentence on how text becomes numbers
    ``has_queries``     ``query``  whether rows name their list: by default, whether ``query=`` was passed
    ``is_threaded``     True       whether several threads should parse: False where Python's lock would stop them
    ==================  =========  ===========================================================================
    """

    format: ClassVar[str]
    is_threaded: ClassVar[bool] = True
    options: Options
    inputs: list[Input]
    has_queries: bool

    def __init__(self, options: Options, inputs: list[Input]) -> None:
        self.options, self.inputs = options, inputs
        self.has_queries = options.query is not None

    @abc.abstractmethod
    def open(self, lists: bool | None, block_rows: int | None) -> Source: ...

    @abc.abstractmethod
    def parse(self, part: PartT, skip: bool) -> Parsed: ...

    @abc.abstractmethod
    def to_block(self, parsed: Parsed) -> Block: ...

    @property
    @abc.abstractmethod
    def schema(self) -> dict[str, Any]: ...

    @property
    def names(self) -> list[str] | None:
        """None: columns have no names."""
        return None

    @property
    def encoding(self) -> str:
        """Nothing: there is no text to encode."""
        return ""

    @property
    def name(self) -> str:
        """The name of the first file, for messages."""
        return self.inputs[0].name

    def decide_lists(self, lists: bool | None) -> None:
        """Make blocks of whole lists where rows have queries, unless the caller decided it."""
        if lists is None:
            self.options = self.options._replace(lists=self.has_queries)


def too_many(features: int, most: int) -> str:
    """The message for data with too many features."""
    remedy = f"hash them (--hash-bits 20), or allow them (--max-features {features})"
    return f"{features:,} features, and a model may have {most:,}; {remedy}"
