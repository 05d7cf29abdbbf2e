"""``ranktron evaluate``: all metrics of a model's task on graded data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..shared.options import OutputOptions, data_argument, model_argument, option, options
from ..shared.output import format_of, write_csv, write_result
from ..shared.reading import ReadingOptions
from ..startup.commands import Command

_EMPTY = "What a list without relevant documents counts: nothing, 0 or 1."
_HIGHEST = "The highest grade there can be, for ERR; otherwise the highest among the first rows."


@click.command(cls=Command, no_args_is_help=True)
@model_argument
@data_argument
@option("--lists", is_flag=True, help="Judge the order within lists, also of a model that rates.")
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
    """Judge a model by all metrics of its task, on data that it has not learned from. Nothing is learned.

    Ratings: mean absolute error in ranks, the same with labels that count alike (macro), accuracy, quadratic weighted kappa, the
    ranked probability score where the model tells probabilities, and the table of what was told for each label. Lists: NDCG,
    precision, MAP, MRR and ERR. Each with a 95 % interval.

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
    told = _judged(loaded, data, reading, lists, tally)
    _write({"model": model, "algorithm": type(loaded).__name__, **told}, output)


def _judged(model: Any, data: Sequence[str], reading: ReadingOptions, lists: bool, tally: Any) -> dict[str, Any]:
    """What the tally of a task says of the data."""
    from ..shared.reading import answered, opened_for, say_skipped

    stream = opened_for(model, data, reading, labelled=True, lists=lists)
    for _, told in answered(model, stream, lambda block: tally.asked(model, block), reading.on_error == "skip"):
        tally.update(*told)
    say_skipped(stream)
    return {"skipped": stream.bad.count, **tally.told()}


def _write(told: dict[str, Any], output: OutputOptions) -> None:
    if format_of(output) == "csv":
        ends = told["intervals"]
        write_csv(
            [{"measure": name, "value": told[name], "low": ends[name][0], "high": ends[name][1]} for name in told["intervals"]]
        )
        return

    def draw(console: Any) -> None:
        from .terminal import draw_verdict

        draw_verdict(console, told)

    write_result("evaluate", told, output, draw)
