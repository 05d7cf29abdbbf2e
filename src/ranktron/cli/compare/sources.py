"""The data of a league: blocks of a stream or of the papers' synthetic one, checked before any model sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...core.rows import CSR
from ...data import synthetic
from ...data.streams.block import BadLines, Block, Place
from ...models import streaming
from ...models.inputs import refuse_row
from ...models.streaming import BadRow

SYNTHETIC = "synthetic"
ROWS = 50_000
_A_BLOCK, _A_LIST = 5_000, 20
# Squares of larger numbers might overflow.
_LARGEST = 1e140

_POINTS = "Crammer & Singer's synthetic stream: ranks 1 to 5 of points in a square"
_LISTS = "Chaudhuri & Tewari's synthetic lists: grades 0 to 4, separated by a linear scorer with a margin"


class Synthetic:
    """The papers' synthetic streams, with the interface of a stream of files: points in a square, or lists."""

    format, encoding = SYNTHETIC, ""

    def __init__(self, rows: int, seed: int, lists: bool | None = None) -> None:
        self.rows, self.seed, self.lists, self.bad = rows, seed, bool(lists), BadLines()
        self.labels = None if lists else [1, 2, 3, 4, 5]
        self.told = _LISTS if lists else _POINTS

    def blocks(self) -> Iterator[Block]:
        """All rows."""
        qid = None
        if self.lists:
            X, y, qid = synthetic.chaudhuri_tewari(-(-self.rows // _A_LIST), n_documents=_A_LIST, seed=self.seed)
        else:
            X, y = synthetic.crammer_singer(self.rows, seed=self.seed)
        for start in range(0, len(y), _A_BLOCK):
            stop = min(start + _A_BLOCK, len(y))
            ids = None if qid is None else qid[start:stop]
            yield Block(X[start:stop], X.shape[1], None, y[start:stop], ids, Place(0, stop, stop, stop))

    def progress(self, place: Place) -> float:
        """The share of the rows before a place."""
        return place.rows / self.rows

    def check_unchanged(self) -> None:
        """Do nothing: synthetic data cannot change."""


def limited(blocks: Iterator[Block], rows: int | None) -> Iterator[Block]:
    """The blocks of the first ``rows`` rows."""
    for block in blocks:
        if rows is not None and rows <= len(block):
            yield block.part(0, rows)
            return
        rows = None if rows is None else rows - len(block)
        yield block


def check_rows(block: Block, lists: bool, model: Any) -> None:
    """Raise BadRow for the first row that models like this one cannot learn."""
    if lists:
        streaming.checked_grades(block.y)
    else:
        _check_known(streaming.checked_labels(model, block.y), model.classes)
    with streaming.naming_the_row():
        _check_finite(block, model.missing)


def _check_known(labels: np.ndarray, classes: Sequence[Any] | None) -> None:
    if classes is None:
        return
    known = np.isin(labels, np.array(list(classes), labels.dtype if labels.dtype.kind == "O" else None))
    if not known.all():
        row = int(np.argmin(known))
        reason = f"label {labels[row]} is not among --classes {', '.join(map(str, classes))}"
        raise BadRow(row, reason)


def _check_finite(block: Block, missing: str) -> None:
    values = block.rows.values if isinstance(block.rows, CSR) else block.rows
    if np.isfinite(values.sum() if len(values) else 0.0):
        return
    bad = np.isinf(values) if missing == "zero" else ~np.isfinite(values)
    if bad.any():
        place = int(np.flatnonzero(bad)[0])
        row = np.searchsorted(block.rows.indptr, place, "right") - 1 if isinstance(block.rows, CSR) else place // block.n_columns
        refuse_row(streaming.as_table(block), int(row))


def sizes(block: Block) -> tuple[float, float]:
    """The largest absolute value and the largest squared norm of a row, of numbers that are finite."""
    values = block.rows.values if isinstance(block.rows, CSR) else block.rows
    known = np.clip(np.where(np.isfinite(values), np.abs(values), 0.0), 0.0, _LARGEST)
    squares = np.square(known)
    if isinstance(block.rows, CSR):
        norms = np.diff(np.concatenate([[0.0], np.cumsum(squares)])[block.rows.indptr])
    else:
        norms = squares.sum(axis=1)
    return float(known.max(initial=0.0)), float(norms.max(initial=0.0))
