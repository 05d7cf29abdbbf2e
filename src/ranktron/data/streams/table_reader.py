"""What the readers of tables share: settled columns, and rows made of cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..svmlight.line import LONGEST
from .encoding import Encoder
from .frames import frame_library
from .options import Options
from .rows import Filled, Parsed
from .tables import Cells, Layout, encoding_of, schema_of


class TableLines(Parsed):
    """The cells of good rows, where those begin, and what was read, as a data frame."""

    def __init__(self, cells: Cells, begins: np.ndarray, bad: list[tuple[int, str]], source: Callable[[], Any]) -> None:
        super().__init__(bad)
        self.cells, self.begins, self.source = cells, begins, source


class TableReader:
    """Rows of data frames."""

    workers = True
    has_header = False
    looks_at = LONGEST

    def __init__(self, options: Options, format: str, name: str) -> None:
        self.options, self.format, self.name = options, format, name
        self.has_queries = options.query is not None
        self.encoder = Encoder(options.names, options.hash_bits, options.grow)
        self.layout: Layout = None  # type: ignore[assignment]  # until ``settle``
        self.library = frame_library()

    @property
    def names(self) -> list[str] | None:
        """The names of the columns so far."""
        return self.encoder.names

    @property
    def schema(self) -> dict[str, Any]:
        """What another table is read with."""
        return schema_of(self.layout)

    @property
    def encoding(self) -> str:
        """How text becomes numbers."""
        return encoding_of(self.layout)

    def settle_frame(self, columns: list[str], frame: Callable[[], Any]) -> None:
        """See what the columns hold."""
        self.layout = Layout(self.options, columns, self.name)
        self.layout.settle(frame())
        self.encoder.columns(self.layout.of_kind("number", "flag"))

    def finish(self, parsed: TableLines) -> Filled:
        """Rows with the columns that there are by now."""
        cells = parsed.cells
        rows = self.encoder.rows(self.layout.of_kind("number", "flag"), cells.numbers, cells.texts)
        return Filled(rows, self.encoder.n_columns, self.names, cells.y, cells.qid, parsed.source)

    def begin_of(self, text: Any, parsed: TableLines, row: int) -> int:
        """Where a row begins."""
        return int(parsed.begins[row])
