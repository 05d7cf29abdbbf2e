"""Sections of the report, each with a table, for the terminal and for the documentation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from rich.table import Table

from .timing import Ratio

HEADINGS = ["what", "ratio", "bar", "holds", "quality"]


class Bar(NamedTuple):
    """A limit for a ratio, and a further goal."""

    sign: str
    limit: float
    goal: str = ""

    def __str__(self) -> str:
        return f"{self.sign} {self.limit:g}" + (f", goal {self.goal}" if self.goal else "")

    def holds(self, value: float) -> bool:
        return value >= self.limit if self.sign == "≥" else value <= self.limit


def at_least(limit: float, goal: str = "") -> Bar:
    """A lower limit."""
    return Bar("≥", limit, goal)


def at_most(limit: float, goal: str = "") -> Bar:
    """An upper limit."""
    return Bar("≤", limit, goal)


class Line(NamedTuple):
    """One comparison."""

    what: str
    ratio: Ratio | float
    bar: Bar | None = None
    quality: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the bar holds, if there is one."""
        value = self.ratio.value if isinstance(self.ratio, Ratio) else self.ratio
        return None if self.bar is None else self.bar.holds(value)

    def cells(self) -> list[str]:
        """The line as text."""
        ratio = str(self.ratio) if isinstance(self.ratio, Ratio) else f"{self.ratio:.3f}"
        verdict = "" if self.holds is None else ("yes" if self.holds else "no")
        return [self.what, ratio, str(self.bar or ""), verdict, self.quality]


@dataclass
class Section:
    """A title, notes that explain the table, and the table: comparisons, or rows of cells under headings."""

    title: str
    notes: str
    lines: list[Line] = field(default_factory=list)
    headings: list[str] = field(default_factory=lambda: list(HEADINGS))
    cells: list[list[str]] = field(default_factory=list)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Headings and rows, without empty columns."""
        rows = self.cells or [line.cells() for line in self.lines]
        used = [place for place in range(len(self.headings)) if any(row[place] for row in rows)]
        return [self.headings[place] for place in used], [[row[place] for place in used] for row in rows]


def summary(sections: list[Section]) -> Section:
    """All comparisons that have a bar."""
    lines = [
        line._replace(what=f"{section.title}: {line.what}", quality="")
        for section in sections
        for line in section.lines
        if line.bar is not None
    ]
    return Section("The bars", f"{sum(bool(line.holds) for line in lines)} of {len(lines)} hold.", lines)


def as_terminal(section: Section) -> Table:
    """The section for rich's console."""
    headings, rows = section.table()
    table = Table(title=section.title, caption=section.notes, title_justify="left", caption_justify="left")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == headings[0] else "right", overflow="fold")
    for row in rows:
        table.add_row(*row, style="red" if "no" in row else None)
    return table


def as_markdown(section: Section) -> str:
    """The section for the documentation."""
    headings, rows = section.table()
    rule = ["---"] + ["---:"] * (len(headings) - 1)
    body = "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, rule, *rows))
    return f"## {section.title}\n\n{section.notes}\n\n{body}\n"
