"""``ranktron inspect``: what a model is, and why it puts one row above another."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NoReturn

import click

from ..shared.options import FILE, OutputOptions, WholeNumber, model_argument, option, options
from ..shared.output import write_result
from ..shared.reading import ReadingOptions
from ..startup.commands import Command


@click.command(cls=Command, no_args_is_help=True)
@model_argument
@option("--top", "-n", type=WholeNumber(0), default=10, metavar="N", help="The number of features to show.")
@option("--why", type=FILE, metavar="DATA", help="A file with two rows to compare; - is standard input.")
@option("--rows", metavar="A,B", help="The numbers of the two rows, counted from 1.")
@options(reading=ReadingOptions, output=OutputOptions)
def inspect(model: str, top: int, why: str | None, rows: str | None, reading: ReadingOptions, output: OutputOptions) -> None:
    """Describe a model: what it learned, its strongest features, and its thresholds as a picture.

    With --why DATA --rows A,B it explains instead, feature by feature, why row A is above row B: weight times difference, which
    adds up to the difference of their scores. If the model scales rows within their list, both must be in the same list.

    Examples:

        ranktron inspect stars.ranktron
        ranktron inspect stars.ranktron --why reviews.csv --rows 3,7
    """
    from ..shared.algorithms import load_model

    if (why is None) != (rows is None):
        raise ValueError("--why DATA and --rows A,B must be given together: a file and two of its rows")
    loaded = load_model(model)
    if why is not None and rows is not None:
        _explain(loaded, why, _row_numbers(rows), reading, output, top)
        return
    from .description import portrait

    _write(portrait(model, loaded, top), output, "draw_portrait")


def _write(result: dict[str, Any], output: OutputOptions, view: str) -> None:
    def draw(console: Any) -> None:
        from . import terminal as _inspect_views

        getattr(_inspect_views, view)(console, result)

    write_result("inspect", result, output, draw)


def _row_numbers(rows: str) -> tuple[int, int]:
    try:
        first, second = (int(one) for one in rows.split(","))
    except ValueError:
        raise ValueError(f"--rows should be two numbers of rows, such as 3,7, not {rows!r}") from None
    if min(first, second) < 1 or first == second:
        raise ValueError(f"--rows should be two different rows, counted from 1, not {rows!r}")
    return first, second


def _explain(model: Any, path: str, numbers: tuple[int, int], reading: ReadingOptions, output: OutputOptions, top: int) -> None:
    from ...models import streaming
    from ..shared.algorithms import looks_within_lists
    from .explanation import reasons, reasons_within

    if looks_within_lists(model):
        block, rows = _find_list(model, path, numbers, reading)
        pair = [block.part(row, row + 1) for row in rows]
        found = reasons_within(model, block, rows, top)
    else:
        pair = _find(model, path, numbers, reading)
        found = reasons(model, pair, top)
    labels = None if not hasattr(model, "classes_") else [streaming.answer(model, block).tolist()[0] for block in pair]
    result = {"rows": list(numbers), "places": [block.where(0) for block in pair], "labels": labels, **found._asdict()}
    _write(result | {"terms": [term._asdict() for term in found.terms]}, output, "draw_reasons")


def _find(model: Any, path: str, numbers: tuple[int, int], reading: ReadingOptions) -> list[Any]:
    """Two rows of a file, each as a block."""
    from ..shared.reading import answered, opened_for

    stream = opened_for(model, [path], reading, labelled=False, lists=False)
    found: dict[int, Any] = {}
    done = 0
    for block, _ in answered(model, stream, lambda block: None, skip=False):
        for number in numbers:
            if done < number <= done + len(block):
                found[number] = block.part(number - done - 1, number - done)
        done += len(block)
        if len(found) == 2:
            return [found[number] for number in numbers]
    _refuse(path, done, numbers)


def _find_list(model: Any, path: str, numbers: tuple[int, int], reading: ReadingOptions) -> tuple[Any, tuple[int, int]]:
    """The list that holds both rows, as a block, and their places in it."""
    from ..shared.figures import list_bounds
    from ..shared.reading import answered, opened_for

    stream = opened_for(model, [path], reading, labelled=False, lists=True)
    done = 0
    for block, _ in answered(model, stream, lambda block: None, skip=False):
        first, second = (number - done - 1 for number in numbers)
        for start, stop in pairwise(list_bounds(block.qid).tolist()):
            if start <= first < stop and start <= second < stop:
                return block.part(start, stop), (first - start, second - start)
        done += len(block)
    if max(numbers) <= done:
        raise ValueError(
            f"rows {numbers[0]} and {numbers[1]} of {path} are in different lists; scores can be compared within a list only"
        )
    _refuse(path, done, numbers)


def _refuse(path: str, count: int, numbers: tuple[int, int]) -> NoReturn:
    raise ValueError(f"{path} has {count} {'row' if count == 1 else 'rows'}, but --rows names row {max(numbers)}")
