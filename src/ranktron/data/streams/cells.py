"""Cells of a data frame as numbers, targets and queries.

A column holds numbers, or text that is parsed: a number is what ``float`` accepts, and true and false are 1 and 0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..svmlight.line import BadDataFile

_FLAGS = {"true": 1.0, "false": 0.0}
EXACT = 2**53


def frame_library() -> Any:
    """Polars, imported when a table is read."""
    try:
        import polars
    except ImportError:
        raise BadDataFile('CSV, TSV and Parquet files need polars, which is missing: pip install "ranktron[tables]"') from None
    return polars


def numbers_of(series: Any) -> tuple[np.ndarray, dict[int, str]]:
    """Numbers, with NaN for empty cells, and by row the cells that are not numbers."""
    import polars as pl

    if series.dtype != pl.String:
        return series.cast(pl.Float64).to_numpy(), {}
    numbers = series.cast(pl.Float64, strict=False)
    values = np.array(numbers.to_numpy(), copy=True)
    bad: dict[int, str] = {}
    left = (numbers.is_null() & series.is_not_null() & (series != "")).arg_true().to_list()
    for row, cell in zip(left, series[left].to_list(), strict=True):
        number = _number(cell)
        if number is None:
            bad[row] = cell
        else:
            values[row] = number
    return values, bad


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        cell = cell.strip().lower()
        return _FLAGS.get(cell) if cell else math.nan


def reads_as_numbers(series: Any) -> tuple[bool, bool]:
    """Whether all cells are numbers or empty, and whether some of them are true or false."""
    import polars as pl

    if series.dtype != pl.String:
        return True, False
    if series.cast(pl.Float64, strict=False).null_count() == series.null_count():  # fast, for tables with many columns
        return True, False
    if numbers_of(series)[1]:
        return False, False
    return True, bool(series.str.strip_chars().str.to_lowercase().is_in(list(_FLAGS)).any())


def targets_of(series: Any, kind: str) -> tuple[np.ndarray, dict[int, str | None]]:
    """Targets as integers, numbers or text, and by row the cells that are not."""
    bad: dict[int, str | None] = {}
    if kind == "text":
        cells = series.to_list()
        bad.update((row, None) for row, cell in enumerate(cells) if not cell)
        return as_objects(cells), bad
    values, wrong = numbers_of(series)
    bad.update((int(row), None) for row in np.flatnonzero(np.isnan(values)))
    bad.update(wrong)
    return as_whole(values), bad


def as_whole(values: np.ndarray) -> np.ndarray:
    """The same numbers as integers, if all are whole."""
    known = values[~np.isnan(values)]
    if (np.abs(known) < EXACT).all() and (known == np.round(known)).all():
        return np.where(np.isnan(values), 0, values).astype(np.int64)
    return values


def as_objects(cells: list[Any]) -> np.ndarray:
    """An array of objects."""
    array = np.empty(len(cells), object)
    array[:] = cells
    return array


def queries_of(series: Any, kind: str) -> tuple[np.ndarray, dict[int, str | None]]:
    """Queries as integers or text, and by row the cells that are not."""
    import polars as pl

    if kind == "text":
        return targets_of(series.cast(pl.String), "text")
    numbers = series.cast(pl.Int64, strict=False)
    missing = numbers.is_null()
    wrong = missing.arg_true().to_list()
    return numbers.fill_null(0).to_numpy(), dict(zip(wrong, series[wrong].cast(pl.String).to_list(), strict=True))
