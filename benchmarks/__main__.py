"""Run the sections named on the command line, or all of them and write docs/benchmarks.md."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console

from . import machine
from .report import Section, as_markdown, as_terminal, summary

SECTIONS = (
    *("dense", "family", "toolkits", "sparse", "one", "quality", "real", "growth", "startup", "cold"),
    *("aggregates", "kernels", "growth_aggregates", "harrington", "cystic_fibrosis"),
    *("lists", "reading", "letor_mq2008", "list_defaults", "ranker"),
    *("predtron", "predtron_study", "collaborative"),
    "command_line",
)
REPORT = Path("docs/benchmarks.md")
METHOD = """\
The contenders of a table take turns in one process: each runs once untimed and then once per round, always with a new model. A
ratio is taken within each round; the tables have the median over the rounds with its quartiles in brackets. Absolute times
would only describe this machine on that day. Times include everything a call does: reading and checking the arguments, encoding
labels, learning. They exclude the time that a run waited for a core. Kernels are compiled beforehand. All run on one thread,
except for reading files, where those that can use two cores do.

"A against B" is the ratio of A to B. More is better for "times as fast" and "share of its speed", less is better for "time" and
"error".

The hand-written kernel is one fused loop for numba without checks, in strict arithmetic with four partial sums; Ranktron's sums
are strict too, in lanes of vectors. `SGDRegressor` has one weight vector, like PRank. Quality is MAE, the mean absolute error
in ranks, and accuracy. All run with their default parameters unless a line says otherwise."""


def main() -> None:
    """Measure and print; write the report if all sections ran."""
    names = sys.argv[1:] or list(SECTIONS)
    unknown = {name for name in names if not is_section(name)}
    if unknown:
        sys.exit(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    console, about = Console(), machine.description()
    console.print(about)
    sections = [section for name in names for section in measured(console, name)]
    if any(line.bar for section in sections for line in section.lines):
        console.print(as_terminal(summary(sections)))
    if set(names) == set(SECTIONS):
        REPORT.write_text(report(about, sections), encoding="utf-8")
        console.print(f"Written to {REPORT}.")


def is_section(name: str) -> bool:
    """Whether the name is a section, or one file of a section, such as ``quality.lists``."""
    return name.partition(".")[0] in SECTIONS and find_spec(f".{name}", __package__) is not None


def measured(console: Console, name: str) -> list[Section]:
    """Run one section and show it."""
    with console.status(f"measuring: {name}"):
        sections: list[Section] = importlib.import_module(f".{name}", __package__).sections()
    for section in sections:
        console.print(as_terminal(section))
    return sections


def report(about: str, sections: list[Section]) -> str:
    """The text of docs/benchmarks.md."""
    head = f"# Benchmarks\n\nWritten by `make bench`.\n\n{about}\n\n## How it was measured\n\n{METHOD}\n"
    return "\n".join([head, *(as_markdown(section) for section in (summary(sections), *sections))])


if __name__ == "__main__":
    main()
