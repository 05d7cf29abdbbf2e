"""``ranktron evaluate``: all metrics of a model's task on graded data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..shared.options import OutputOptions, data_argument, model_argument, option, options
from ..shared.output import write_result
from ..shared.reading import ReadingOptions
from ..startup.commands import Command

_EMPTY = "The value of a list without relevant documents: 0, 1, or skip it."
_HIGHEST = "The highest possible grade, for ERR; by default the highest one in the first rows."


@click.command(cls=Command, no_args_is_help=True)
@model_argument
@data_argument
@option("--lists", is_flag=True, help="Evaluate the order within lists, also for a model that rates.")
@option("--empty", default="skip", metavar="skip|0|1", help=_EMPTY)
@option("--highest", type=float, metavar="GRADE", help=_HIGHEST)
@options(reading=ReadingOptions, output=OutputOptions)
def evaluate(
    model: str,
    data: Sequence[str],
    lists: bool,
    empty: str,
    highest: float | None,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Evaluate a model by all metrics of its task, on data that it has not learned from. Nothing is learned.

    Ratings: mean absolute error in ranks, the same with every label weighted equally (macro), accuracy, quadratic weighted kappa,
    the ranked probability score if the model predicts probabilities, and the confusion matrix. Lists: NDCG, precision, MAP, MRR
    and ERR. Each metric has a 95 % interval.

    Examples:

        ranktron evaluate stars.ranktron test.csv
        ranktron evaluate search.ranktron test.letor --empty 0
    """
    from ..shared.algorithms import load_model, ranks_lists
    from .tallies import ListTally, RatingTally

    if empty not in ("skip", "0", "1"):
        raise ValueError(f"--empty should be skip, 0 or 1, not {empty!r}")
    if highest is not None and not 0 < highest <= 1000:
        raise ValueError(f"--highest should be a grade above 0 and up to 1000, not {highest:g}")
    loaded = load_model(model)
    lists = lists or ranks_lists(loaded)
    tally = ListTally(empty, highest) if lists else RatingTally(loaded)
    result = _evaluated(loaded, data, reading, lists, tally)
    _write({"model": model, "algorithm": type(loaded).__name__, **result}, output)


def _evaluated(model: Any, data: Sequence[str], reading: ReadingOptions, lists: bool, tally: Any) -> dict[str, Any]:
    """The figures of a tally over the data."""
    from ..shared.reading import answered, note_skipped, opened_for

    stream = opened_for(model, data, reading, labelled=True, lists=lists)
    for _, rows in answered(model, stream, lambda block: tally.predict(model, block), reading.on_error == "skip"):
        tally.update(*rows)
    note_skipped(stream.bad.count, stream.bad.first)
    return {"skipped": stream.bad.count, **tally.result()}


def _write(result: dict[str, Any], output: OutputOptions) -> None:
    def draw(console: Any) -> None:
        from .terminal import draw_verdict

        draw_verdict(console, result)

    ends = result["intervals"].items()
    rows = [{"measure": name, "value": result[name], "low": low, "high": high} for name, (low, high) in ends]
    write_result("evaluate", result, output, draw, rows)
