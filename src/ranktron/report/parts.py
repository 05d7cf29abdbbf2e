"""The parts of HTML reports: the document, tables, numbers, durations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .style import style

# A content security policy: the browser refuses to load anything.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def document(title: str, version: str, body: str, after: str = "", rules: str = "") -> str:
    """A self-contained page: its body, what comes ``after`` it, and CSS ``rules`` beside the style that all reports share."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="generator" content="ranktron {escape(version)}">'
        f"<style>{style()}{rules}</style></head><body><main>{body}</main>{after}</body></html>\n"
    )


def boxed(label: str, head: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    """A table in a box of its own, which scrolls if the page is narrow."""
    return (
        f'<div class="{f"box {kind}".strip()}" role="region" aria-label="{escape(label)}" tabindex="0"><table>'
        f"<caption>{escape(label)}</caption><thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def thinned(count: int, most: int = 140) -> list[int]:
    """The indices of at most ``most`` of ``count`` points: evenly spread, with the first and the last.

    >>> thinned(9, 3), thinned(2)
    ([0, 4, 8], [0, 1])
    """
    return sorted({round(i * (count - 1) / (most - 1)) for i in range(most)}) if count > most else list(range(count))


def heading(title: str, text: bool = False) -> str:
    """The head of a column."""
    return f'<th scope="col"{" class=text" if text else ""}>{escape(title)}</th>'


def number(value: float | None, form: str = "{:.4f}", half: float | None = None) -> str:
    """A number with its interval; a dash where there is none."""
    if value is None:
        return "–"
    interval = "" if half is None else f' <span class="half">± {form.format(half)}</span>'
    return f'<span class="number">{form.format(value)}{interval}</span>'


def cell(content: str, kind: str = "") -> str:
    """A cell of a table."""
    return f'<td class="{kind}">{content}</td>' if kind else f"<td>{content}</td>"


def clock(seconds: float) -> str:
    """Seconds as hours, minutes and seconds.

    >>> clock(5), clock(3700)
    ('0:05', '1:01:40')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
