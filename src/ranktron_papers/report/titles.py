"""Short titles of experiments, for places where the paper is named already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import Paper


def shortened(titles: Sequence[str]) -> list[str]:
    """Titles without the words before the first comma, if these are the same in all of them.

    >>> shortened(["A & B, Figure 1: tea, milk", "A & B, Figure 2", "A & B, around Figure 2"])
    ['Figure 1: tea, milk', 'Figure 2', 'Around Figure 2']
    >>> shortened(["The slides: one", "The slides, two"]), shortened(["A & B, Figure 1"])
    (['The slides: one', 'The slides, two'], ['A & B, Figure 1'])
    """
    parts = [title.partition(", ") for title in titles]
    if len(titles) < 2 or len({begin for begin, _, _ in parts}) > 1:
        return list(titles)
    return [rest[:1].upper() + rest[1:] if rest else begin for begin, _, rest in parts]


def headings(papers: Iterable[Paper]) -> dict[str, str]:
    """The short titles of all experiments of papers, by the experiments' names."""
    found: dict[str, str] = {}
    for paper in papers:
        found |= zip([one.name for one in paper.experiments], shortened([one.title for one in paper.experiments]))
    return found
