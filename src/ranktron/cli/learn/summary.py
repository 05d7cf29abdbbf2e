"""The result of a run of ``learn``: as plain data, and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...models.streaming import answer
from ...report.parts import clock
from ..shared.algorithms import name_of, ranks_lists
from ..shared.figures import Figures, figures_of
from ..shared.options import known_columns, opened
from ..shared.reading import answered
from .curve import draw_curve
from .run import Run, counts_of

if TYPE_CHECKING:
    from rich.console import Console

    from ..shared.options import DataOptions


def summary(run: Run, tests: dict[str, Figures]) -> dict[str, Any]:
    """The result as plain data."""
    model, now = run.model, counts_of(run.model)
    seen = now["seen"] - run.start["seen"]
    result: dict[str, Any] = {"algorithm": name_of(model), "examples": run.rows // run.plan.epochs, "epochs": run.plan.epochs}
    if ranks_lists(model):
        result["lists"] = seen // run.plan.epochs
        result["lists_without_relevant"] = run.figures.skipped  # type: ignore[union-attr]
    else:
        result["classes"] = model.classes_
    result |= {"features": model.n_features_in_, "updates": now["updates"] - run.start["updates"], **run.passes[0]}
    if run.plan.epochs > 1:
        result["last_pass"] = run.passes[-1]
    if tests:
        result["test"] = {path: figures.values() for path, figures in tests.items()}
    result["bad_lines"], result["first_bad_lines"] = run.bad or (0, [])
    result["learning_seconds"], result["rows_per_second"] = round(run.seconds, 6), round(run.rows / max(run.seconds, 1e-9), 1)
    return result


def tested(model: Any, path: str, reading: DataOptions) -> Figures:
    """The figures of a model on a test file."""
    stream = opened([path], reading, lists=ranks_lists(model), grow=False, **known_columns(model))
    figures = figures_of(model)
    for block, predicted in answered(model, stream, lambda block: answer(model, block), reading.on_error == "skip"):
        figures.update(block.y, predicted, block.qid)
    try:
        figures.loss()
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return figures


def draw(console: Console, run: Run, result: dict[str, Any], model_file: str | None) -> None:
    """Print the result: a line about the data, a table of figures, and a line about the time and the model file."""
    from rich import box
    from rich.table import Table

    if len(run.curve) > 1:
        draw_curve(console, run.curve)
    columns = _columns(result)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for heading in columns:
        table.add_column(heading, justify="right", overflow="fold")
    for name, title in {**run.figures.titles, "learners_loss": "the learner's own loss"}.items():
        table.add_row(title, *(_number(column.get(name)) for column in columns.values()))
    console.print(f"[bold]{result['algorithm']}[/]  {', '.join(_facts(run, result))}")
    console.print(table)
    saved = f"  model in [bold]{model_file}[/]" if model_file else "  model not saved (use [bold]--model FILE[/])"
    console.print(f"{_duration(run.seconds)}  {result['rows_per_second']:,.0f} rows/s{saved}")


def _facts(run: Run, result: dict[str, Any]) -> list[str]:
    passes = f" in each of {result['epochs']} passes" if result["epochs"] > 1 else ""
    facts = [f"{result['examples']:,} examples{passes}"]
    if "lists" in result:
        empty = result["lists_without_relevant"]
        facts.append(f"{result['lists']:,} lists" + (f" ({empty:,} without a relevant document)" if empty else ""))
    else:
        facts.append(f"labels {' < '.join(map(str, run.model.classes_.tolist()))}")
    facts += [f"{result['features']:,} features", f"{result['updates']:,} updates"]
    return facts + ([f"{result['bad_lines']:,} bad lines"] if result["bad_lines"] else [])


def _columns(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Figures by their headings."""
    columns = {"progressive": result}
    if "last_pass" in result:
        columns = {"first pass, progressive": result, "last pass": result["last_pass"]}
    return {**columns, **{f"test {path}": figures for path, figures in result.get("test", {}).items()}}


def _number(value: float | None) -> str:
    return "" if value is None else "–" if value != value else f"{value:.4f}"


def _duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds < 60 else clock(seconds)
