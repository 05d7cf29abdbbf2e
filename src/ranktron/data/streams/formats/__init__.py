"""The file formats of streams, one file each: a class that derives from `Reader` or `TextReader`, and a line below."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....compile.generic import found_at
from ..reader import Reader


class Format(NamedTuple):
    """Where the reader of a format is, and the file name endings that mean this format."""

    place: str
    endings: tuple[str, ...]


# By the name for ``open_stream(format=)``. A reader is imported when a file of its format is opened.
FORMATS = {
    "svmlight": Format("svmlight:Svmlight", ("svm", "svmlight", "libsvm", "letor")),
    "csv": Format("csv:Csv", ("csv",)),
    "tsv": Format("csv:Tsv", ("tsv", "tab")),
    "parquet": Format("parquet:Parquet", ("parquet", "pq")),
    "jsonl": Format("jsonlines:JsonLines", ("jsonl", "ndjson", "json")),
}


def reader_class(name: str) -> type[Reader[Any]]:
    """The reader of a format."""
    reader: type[Reader[Any]] = found_at(f"{__name__}.{FORMATS[name].place}")
    return reader
