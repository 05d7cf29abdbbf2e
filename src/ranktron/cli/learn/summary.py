"""What a run of ``learn`` comes to: as plain data, and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...models.streaming import answer
from ...report.units import clock
from ..shared.algorithms import name_of, ranks_lists
from ..shared.figures import Figures
from ..shared.options import opened
from ..shared.reading import answered
from .curve import draw_curve
from .run import Run, counts_of

if TYPE_CHECKING:
    from rich.console import Console

    from ..shared.options import DataOptions


def summary(run: Run, tests: dict[str, Figures]) -> dict[str, Any]:
    """All that there is to tell."""
    model, now = run.model, counts_of(run.model)
    seen = now["seen"] - run.start["seen"]
    told: dict[str, Any] = {"algorithm": name_of(model), "examples": run.rows // run.plan.epochs, "epochs": run.plan.epochs}
    if ranks_lists(model):
        told["lists"] = seen // run.plan.epochs
        told["lists_without_relevant"] = run.figures.skipped  # type: ignore[attr-defined]
    else:
        told["classes"] = model.classes_
    told |= {"features": model.n_features_in_, "updates": now["updates"] - run.start["updates"], **run.passes[0]}
    if run.plan.epochs > 1:
        told["last_pass"] = run.passes[-1]
    if tests:
        told["test"] = {path: figures.values() for path, figures in tests.items()}
    told["bad_lines"], told["first_bad_lines"] = run.bad or (0, [])
    told["learning_seconds"], told["rows_per_second"] = round(run.seconds, 6), round(run.rows / max(run.seconds, 1e-9), 1)
    return told


def tested(model: Any, path: str, reading: DataOptions) -> Figures:
    """The figures of a model on a file that it does not learn from."""
    features = model._learned.features
    known = {"schema": model._about.get("data"), "names": features.names, "hash_bits": features.hash_bits, "grow": False}
    stream = opened([path], reading, lists=ranks_lists(model), **known)
    figures = Figures.of(model)
    for block, told in answered(model, stream, lambda block: answer(model, block), reading.on_error == "skip"):
        figures.update(block.y, told, block.qid)
    try:
        figures.loss()
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return figures


def draw(console: Console, run: Run, told: dict[str, Any], model_file: str | None) -> None:
    """The same as a table between a line on what was learned and one on how long it took."""
    from rich import box
    from rich.table import Table

    if len(run.curve) > 1:
        draw_curve(console, run.curve)
    columns = _columns(told)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for heading in columns:
        table.add_column(heading, justify="right", overflow="fold")
    for name, title in {**run.figures.titles, "learners_loss": "the learner's own loss"}.items():
        table.add_row(title, *(_number(column.get(name)) for column in columns.values()))
    console.print(f"[bold]{told['algorithm']}[/]  {', '.join(_facts(run, told))}")
    console.print(table)
    saved = f"  model in [bold]{model_file}[/]" if model_file else "  no model was kept: [bold]--model FILE[/] does"
    console.print(f"{_duration(run.seconds)}  {told['rows_per_second']:,.0f} rows/s{saved}")


def _facts(run: Run, told: dict[str, Any]) -> list[str]:
    passes = f" in each of {told['epochs']} passes" if told["epochs"] > 1 else ""
    facts = [f"{told['examples']:,} examples{passes}"]
    if "lists" in told:
        empty = told["lists_without_relevant"]
        facts.append(f"{told['lists']:,} lists" + (f" ({empty:,} without a relevant document)" if empty else ""))
    else:
        facts.append(f"labels {' < '.join(map(str, run.model.classes_.tolist()))}")
    facts += [f"{told['features']:,} features", f"{told['updates']:,} updates"]
    return facts + ([f"{told['bad_lines']:,} bad lines"] if told["bad_lines"] else [])


def _columns(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Figures by their headings."""
    columns = {"progressive": told}
    if "last_pass" in told:
        columns = {"first pass, progressive": told, "last pass": told["last_pass"]}
    return {**columns, **{f"test {path}": figures for path, figures in told.get("test", {}).items()}}


def _number(value: float | None) -> str:
    return "" if value is None else "–" if value != value else f"{value:.4f}"


def _duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds < 60 else clock(seconds)
