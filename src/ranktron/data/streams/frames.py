"""The library of data frames, loaded when a table is read."""

from __future__ import annotations

from typing import Any

from ..svmlight.line import BadDataFile


def frame_library() -> Any:
    """Polars, or a sentence that says how to get it."""
    try:
        import polars
    except ImportError:
        raise BadDataFile('CSV, TSV and Parquet files need polars, which is missing: pip install "ranktron[tables]"') from None
    return polars
