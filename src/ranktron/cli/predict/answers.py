"""Predictions as text: one per line, or as columns added to the rows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ...data.streams import Block

Answers = dict[str, np.ndarray]
Writer = Callable[["Block", Answers], bytes]


def lines(block: Block, answers: Answers) -> bytes:
    """One line per row; several answers are separated by tabs."""
    columns = [texts(values) for values in answers.values()]
    rows = columns[0] if len(columns) == 1 else map("\t".join, zip(*columns))
    return ("\n".join(rows) + "\n").encode()


def texts(values: np.ndarray) -> list[str]:
    """Numbers with the fewest digits that are exact, whole labels without a point, and an empty text for a rejected row.

    >>> texts(np.array([0.1, 2.5])), texts(np.array(["good", None], object)), texts(np.array([3, 4]))
    (['0.1', '2.5'], ['good', ''], ['3', '4'])
    """
    if values.dtype.kind == "f":
        return list(map(repr, values.tolist()))
    labels = values.tolist()
    known = {label: _label_text(label) for label in set(labels)}
    return [known[label] for label in labels]


def _label_text(label: Any) -> str:
    if isinstance(label, str):
        return label if label.isprintable() else json.dumps(label, ensure_ascii=False)
    return "" if label is None else repr(label)


def plain_labels(labels: np.ndarray) -> np.ndarray:
    """Labels such as 3.0, where all are whole, as 3."""
    if labels.dtype.kind == "f" and (labels == np.round(labels)).all():
        return labels.astype(np.int64)
    return labels


def appending(form: str, header: bool) -> Writer:
    """A function that adds answers to the rows of a format, below a header if there is one."""
    if form == "svmlight":
        raise ValueError("--append: svmlight lines cannot have more columns; leave --append out to get one answer per line")
    return _json_lines if form == "jsonl" else _table_writer("\t" if form == "tsv" else ",", header)


def _json_lines(block: Block, answers: Answers) -> bytes:
    columns = [(name, values.tolist()) for name, values in answers.items()]
    rows = []
    for row, record in enumerate(block.source):
        _check_free(record, answers)
        rows.append(json.dumps(record | {name: values[row] for name, values in columns}, ensure_ascii=False))
    return ("\n".join(rows) + "\n").encode()


def _check_free(names: Any, answers: Answers) -> None:
    taken = next((name for name in answers if name in names), None)
    if taken is not None:
        raise ValueError(f"--append: the data already have a column {taken!r}; rename it, or leave --append out")


def _table_writer(separator: str, header: bool) -> Writer:
    """A function that writes comma- or tab-separated lines, the header before the first ones."""
    is_first = True

    def write(block: Block, answers: Answers) -> bytes:
        import polars

        nonlocal is_first
        frame = block.source
        if is_first:
            _check_free(frame.columns, answers)
        added = [polars.Series(name, values.tolist()) for name, values in answers.items()]
        try:
            text = frame.with_columns(added).write_csv(include_header=is_first and header, separator=separator)
        except polars.exceptions.ComputeError as error:
            raise ValueError(f"--append: a column cannot be written as CSV ({error})") from None
        is_first = False
        return str(text).encode()

    return write
