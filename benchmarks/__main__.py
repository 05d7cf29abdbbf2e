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
    *("dense", "family", "toolkits", "sparse", "one", "quality", "real", "growth", "startup"),
    *("aggregates", "kernels", "growth_aggregates", "harrington", "cystic_fibrosis"),
    *("lists", "reading", "letor_mq2008", "list_defaults", "ranker"),
    *("predtron", "predtron_study", "collaborative"),
    "command_line",
)
REPORT = Path("docs/benchmarks.md")
METHOD = """\
The contenders of a table take turns in one process, once untimed and then once a round, each from a fresh start; a ratio is
taken within each round, and what stands here is the median over the rounds with its quartiles in brackets. Absolute times would
only say how fast this machine was on that day. Everything a call does is counted: reading and checking the arguments, encoding
labels, learning. What is not counted is the time that a run stood in line for a core. Kernels are compiled beforehand, and
everybody has one thread, but for reading files, where all that can use two cores do.

"Against" means this divided by that: more is better where it says times as fast or share of its speed, less is better where it
says time or error.

The hand-written kernel is one fused loop for numba that checks nothing, in strict arithmetic with four partial sums; ranktron's
sums are strict too, in lanes of vectors. `SGDRegressor` keeps one weight vector, as PRank does. Quality is MAE, the mean absolute
error in ranks, and accuracy. Peers run with the parameters they come with, and so does ranktron where a line does not say
otherwise."""


def main() -> None:
    """Measure, print, and write the report if it is whole."""
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
    """Whether there is such a section, or such a file of one: ``quality.lists``."""
    return name.partition(".")[0] in SECTIONS and find_spec(f".{name}", __package__) is not None


def measured(console: Console, name: str) -> list[Section]:
    """Run one section and show it."""
    with console.status(f"measuring: {name}"):
        sections: list[Section] = importlib.import_module(f".{name}", __package__).sections()
    for section in sections:
        console.print(as_terminal(section))
    return sections


def report(about: str, sections: list[Section]) -> str:
    """The page."""
    head = f"# Benchmarks\n\nWritten by `make bench`.\n\n{about}\n\n## How it was measured\n\n{METHOD}\n"
    return "\n".join([head, *(as_markdown(section) for section in (summary(sections), *sections))])


if __name__ == "__main__":
    main()
