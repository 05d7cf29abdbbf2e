"""What pages are made of: the document around them, tables, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .style import style

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""The browser itself refuses to load anything."""


def document(title: str, version: str, body: str, after: str = "", rules: str = "") -> str:
    """A page that needs nothing else: its body, what comes ``after`` it, and ``rules`` beyond the style that all pages share."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="generator" content="ranktron {escape(version)}">'
        f"<style>{style()}{rules}</style></head><body><main>{body}</main>{after}</body></html>\n"
    )


def boxed(label: str, head: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    """A table in a box of its own, which is what scrolls where the page is narrow."""
    return (
        f'<div class="{f"box {kind}".strip()}" role="region" aria-label="{escape(label)}" tabindex="0"><table>'
        f"<caption>{escape(label)}</caption><thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


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
