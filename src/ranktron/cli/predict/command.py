"""``ranktron predict``: the label or the score of every row."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ..shared.options import FILE, data_argument, model_argument, option, options
from ..shared.reading import ReadingOptions
from ..startup.commands import Command

if TYPE_CHECKING:
    from ...data.streams import Block, Stream
    from .answers import Answers

_answer = functools.partial(option, section="Answers")
_APPEND = (
    "Write the rows too, with the column prediction and, if requested, score, place, low and high. CSV, TSV and JSON Lines keep "
    "their format, Parquet becomes CSV."
)
_INTERVAL = "Also the lowest and the highest label of an interval that holds the true label with this probability, such as 0.9."


@click.command(cls=Command, no_args_is_help=True)
@model_argument
@data_argument
@_answer("--scores", is_flag=True, help="The score that rows are sorted by, instead of the label.")
@_answer("--rank", is_flag=True, help="The place in the row's list; 1 is the first.")
@_answer("--interval", type=float, metavar="COVERAGE", help=_INTERVAL)
@_answer("--append", is_flag=True, help=_APPEND)
@_answer("--output", "-o", type=FILE, metavar="FILE", help="Write to this file, which is complete or not there at all.")
@_answer("--quiet", is_flag=True, help="No notes.")
@options(reading=ReadingOptions)
def predict(
    model: str,
    data: Sequence[str],
    scores: bool,
    rank: bool,
    interval: float | None,
    append: bool,
    output: str | None,
    quiet: bool,
    reading: ReadingOptions,
) -> None:
    """Predict the label of every row, or its score if the model ranks lists: one per line, in constant memory.

    The data need no labels. They are read in the same way as the data that the model learned from.

    Examples:

        ranktron predict stars.ranktron new.csv > stars.txt
        ranktron predict stars.ranktron new.csv --append --scores -o predictions.csv
        ranktron predict stars.ranktron new.csv --interval 0.9
        zcat new.letor.gz | ranktron predict search.ranktron - --rank
    """
    from ..shared.algorithms import load_model, looks_within_lists
    from ..shared.messages import be_quiet
    from ..shared.output import written
    from ..shared.reading import opened_for

    be_quiet(quiet)
    loaded = load_model(model)
    stream = opened_for(loaded, data, reading, labelled=False, lists=rank or looks_within_lists(loaded))
    try:
        skip = reading.on_error == "skip"
        with written(output) as file:
            _write_all(loaded, stream, _names(scores, rank, interval, append), interval, file, append, skip)
    except BrokenPipeError:  # the reader closed the pipe, as head does: this is not an error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _names(scores: bool, rank: bool, interval: float | None, append: bool) -> list[str]:
    """The names of the requested answers."""
    more = [name for name, wanted in (("score", scores), ("place", rank)) if wanted]
    ends = [] if interval is None else ["low", "high"]
    return ["prediction", *more, *ends] if append or not more else [*more, *ends]


def _write_all(model: Any, stream: Stream, names: list[str], interval: float | None, file: Any, append: bool, skip: bool) -> None:
    from ..shared.messages import note
    from ..shared.reading import answered, note_skipped
    from .answers import appending, lines

    write = appending(stream.format, stream.schema.get("header", True)) if append else lines
    for block, answers in answered(model, stream, lambda block: _answers(model, block, names, interval), skip):
        file.write(write(block, answers))
    note_skipped(stream.bad.count, stream.bad.first)
    if stream.bad.count and not append:
        note("Skipped lines have no line in the output.")


def _answers(model: Any, block: Block, names: list[str], interval: float | None) -> Answers:
    from ...models import streaming
    from .answers import plain_labels

    answers: Answers = {}
    if "prediction" in names:
        predicted = streaming.answer(model, block)
        answers["prediction"] = plain_labels(predicted) if hasattr(model, "classes_") else predicted
    if "score" in names or "place" in names:
        answers["score"] = streaming.project(model, block)
    if "place" in names:
        answers["place"] = _places(answers["score"], block.qid)
    if interval is not None:
        answers["low"], answers["high"] = map(plain_labels, streaming.interval(model, block, interval))
    return {name: answers[name] for name in names}


def _places(scores: Any, qid: Any) -> Any:
    """The place of every row in its list; of equal scores the earlier row is first."""
    import numpy as np

    from ...core.lists import lists_of

    lists = lists_of(qid, len(scores))
    rows, sizes = lists.order, np.diff(lists.bounds)
    of_list = np.repeat(np.arange(len(sizes)), sizes)
    places = np.empty(len(scores), np.int64)
    places[rows[np.lexsort((-scores[rows], of_list))]] = np.arange(len(scores)) - np.repeat(lists.bounds[:-1], sizes) + 1
    return places
