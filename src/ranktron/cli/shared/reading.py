"""Reads data for an existing model in the same way as the data that it learned from; bad rows are reported or skipped."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .messages import note
from .options import check_words, field, known_columns

if TYPE_CHECKING:
    import numpy as np

    from ...data.streams import BadLines, Block, Stream

_data = functools.partial(field, section="Data (by default read as the data that the model learned from)")

TABLES = ("csv", "tsv", "parquet")


@dataclasses.dataclass
class ReadingOptions:
    """How the data for an existing model are read."""

    format: str | None = _data(metavar="WORD", help="svmlight (also LETOR), csv, tsv, parquet or jsonl.")
    target: str | None = _data("--target", "-t", metavar="NAME", help="The column of the labels.")
    query: str | None = _data("--query", "-q", metavar="NAME", help="The column with the list of each row.")
    header: bool | None = _data("--header/--no-header", help="Whether the first line names the columns.")
    missing: str | None = _data(metavar="WORD", help="Treat an empty number as error or zero.")
    on_error: str = _data(default="stop", metavar="WORD", help="On a malformed line, stop, or skip and count it.")

    def __post_init__(self) -> None:
        check_words(self, missing=("error", "zero"), on_error=("stop", "skip"))


def opened_for(model: Any, paths: Sequence[str], reading: ReadingOptions, *, labelled: bool, lists: bool) -> Stream:
    """The stream of these files, with the columns that ``model`` knows."""
    from ...data.streams import open_stream
    from ...models.kinds.target import TargetModel

    if isinstance(model, TargetModel):
        raise ValueError(f"this {type(model).__name__} does not predict one label per row; use it from Python with ranktron.load")
    if reading.missing is not None:
        model.missing = reading.missing
    given = {name: getattr(reading, name) for name in ("format", "target", "query", "header")}
    settings: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    settings |= {"on_error": reading.on_error, "labelled": labelled, "lists": lists, "grow": False}
    stream = open_stream(list(paths), **known_columns(model), **settings)
    _check_columns(model._learned.features, stream)
    return stream


def _check_columns(features: Any, stream: Stream) -> None:
    """Refuse data without the features of the model; ``stream`` checks this itself if it knows how the model's data were read."""
    if features.hash_bits is not None:
        return
    if (features.names is None) != (stream.names is None):
        named, numbered = "features with names", "features by number"
        has, gets = (numbered, named) if features.names is None else (named, numbered)
        raise ValueError(f"the model has learned {has}, but the data have {gets}; use data like those that it learned from")
    if stream.format in TABLES:
        numbers = {*stream.schema["numbers"], *stream.schema["flags"]}
        missing = next((name for name in features.names if name not in numbers and "=" not in str(name)), None)
        if missing is not None:
            raise ValueError(f"the data have no numeric column {missing!r:.60}, which the model has learned from")


def answered(model: Any, stream: Stream, ask: Callable[[Block], Any], skip: bool) -> Iterator[tuple[Block, Any]]:
    """Every block of a stream with its answers by ``ask``; notes columns that the model does not know."""

    def blocks() -> Iterator[Block]:
        for number, block in enumerate(stream.blocks()):
            if number == 0 and stream.format in TABLES:
                _note_unknown(model, stream, block.source.columns)
            yield block

    return accepted(blocks(), stream.bad, ask, skip)


def accepted(blocks: Iterable[Block], bad: BadLines, ask: Callable[[Block], Any], skip: bool) -> Iterator[tuple[Block, Any]]:
    """Blocks with their answers by ``ask``; rows that it refuses are skipped and counted in ``bad``, or raise an error."""
    from ...models.streaming import BadRow

    for block in blocks:
        try:
            answers = ask(block)
        except BadRow as error:
            if not skip:
                raise ValueError(f"{block.where(error.row)}: {error.reason}") from None
            block = block.without(_refused(block, bad, ask))
            if not len(block):
                continue
            answers = ask(block)
        yield block, answers


def _note_unknown(model: Any, stream: Stream, columns: list[str]) -> None:
    """Note the columns that the model does not know; they are ignored."""
    from ...data.svmlight.line import cropped

    names, learned = model._learned.features.names, model._metadata.get("data", stream.schema)
    known = {part for name in names or () for part in (name, str(name).partition("=")[0])}
    roles = {column for role in ("target", "query") for column in (learned.get(role), stream.schema[role])}
    kinds = () if names is not None and "data" not in model._metadata else ("numbers", "flags", "text", "drop")
    roles |= {column for kind in kinds for column in learned.get(kind, ())}
    unknown = [column for column in columns if column not in known | roles]
    if unknown:
        shown = ", ".join(map(cropped, unknown[:5])) + (", …" if len(unknown) > 5 else "")
        note(f"ignored, because the model has not learned from {'it' if len(unknown) == 1 else 'them'}: {shown}")


def _refused(block: Block, bad: BadLines, ask: Callable[[Block], Any]) -> list[int]:
    """The rows that ``ask`` refuses; they are counted as bad."""
    from ...models.streaming import BadRow

    rows: list[int] = []
    start = 0
    while start < len(block):
        try:
            ask(block.part(start, len(block)))
            break
        except BadRow as error:
            rows.append(start + error.row)
            bad.add(f"{block.where(rows[-1])}: {error.reason}")
            start = rows[-1] + 1
    return rows


def label_ranks(model: Any, y: np.ndarray) -> np.ndarray:
    """The rank of every label among the labels of the model."""
    from ...models.labels import as_labels, short
    from ...models.streaming import BadRow
    from .figures import plain_label

    labels = model._labels
    try:
        ranks: np.ndarray = labels.encode(as_labels(y.tolist()) if y.dtype.kind == "O" else y)
    except ValueError:
        row = next(row for row, label in enumerate(y.tolist()) if label not in labels.rank_of)
        reason = f"label {short(plain_label(y.tolist()[row]))} is not among the labels of the model, {short(labels.names)}"
        raise BadRow(row, reason) from None
    return ranks


def note_skipped(count: int, first: Sequence[str]) -> None:
    """Note the number of skipped lines, and the first ones."""
    if count:
        shown = "".join(f"\n  {sentence}" for sentence in first)
        note(f"{count:,} {'line was' if count == 1 else 'lines were'} skipped:{shown}")
