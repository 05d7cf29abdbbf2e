"""The papers' synthetic problem, streamed through the whole family: a league of running losses."""

from __future__ import annotations

import os
import time

os.environ.setdefault("RANKTRON_PATIENCE", "0")  # compile at once: this is about speed

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from sklearn.base import clone

import ranktron
from ranktron.data import synthetic
from ranktron.kernels import Gaussian

EXAMPLES, BATCH = 50_000, 500


def main() -> None:
    """Test, then learn, every batch with every algorithm, and rank them by what they predicted on the way."""
    console = Console()
    X, y = synthetic.crammer_singer(EXAMPLES, seed=2005)
    family = {
        "PRank": ranktron.PRank(),
        "PRank, last hypothesis": ranktron.PRank(average=False),
        "Si-PRank": ranktron.SiPRank(),
        "No-PRank": ranktron.NoPRank(trigger="margin"),
        "Mu-PRank": ranktron.MuPRank(signed=True, radius=2.0),
        "ROMMA-PRank": ranktron.ROMMAPRank(),
        "OAP, 100 members": ranktron.OAP(),
        "PRank, kernel, budget": ranktron.PRank(kernel=Gaussian(1.0), budget=500, average=False),
        "MCP": ranktron.MulticlassPerceptron(),
        "WH": ranktron.WidrowHoff(),
    }
    for model in family.values():
        model.set_params(classes=[1, 2, 3, 4, 5])
    console.print(
        f"Crammer & Singer's synthetic stream: {EXAMPLES:,} points, ranks 1 to 5, every row predicted before it is learned."
    )
    results = []
    columns = (
        TextColumn("{task.description:<22}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("loss {task.fields[loss]:.3f}"),
    )
    with Progress(*columns, console=console) as progress:
        for name, model in family.items():
            results.append((name, *stream(progress, name, model, X, y)))
    console.print(league(sorted(results, key=lambda result: result[1])))


def stream(progress: Progress, name: str, model, X, y) -> tuple[float, float, float]:
    """Running loss, accuracy, and examples per second of predicting and learning."""
    bar = progress.add_task(name, total=len(y), loss=float("nan"))
    clone(model).predict_then_learn(X[:1], y[:1])  # compiles, or reads what was compiled before
    loss = hits = seconds = 0.0
    for start in range(0, len(y), BATCH):
        rows, labels = X[start : start + BATCH], y[start : start + BATCH]
        began = time.perf_counter()
        guesses = model.predict_then_learn(rows, labels)
        seconds += time.perf_counter() - began
        loss += abs(guesses - labels).sum()
        hits += (guesses == labels).sum()
        progress.update(bar, advance=len(labels), loss=loss / (start + len(labels)))
    return loss / len(y), hits / len(y), len(y) / seconds


def league(results: list[tuple[str, float, float, float]]) -> Table:
    """The table, best first."""
    table = Table(title="League")
    table.add_column("algorithm")
    for heading in ("running loss", "accuracy", "examples/s"):
        table.add_column(heading, justify="right")
    for name, loss, accuracy, rate in results:
        table.add_row(name, f"{loss:.4f}", f"{accuracy:.1%}", f"{rate:,.0f}")
    return table


if __name__ == "__main__":
    main()
