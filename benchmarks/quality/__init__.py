"""Quality without tuning: the front doors compared with the alternatives, one table per file."""

from __future__ import annotations

import importlib
import warnings

from ..report import Section

TABLES = ("synthetic", "held_out", "progressive", "coverage", "intervals", "calibration", "lists", "one_example", "one_pass")


def sections() -> list[Section]:
    """All tables; ``python -m benchmarks quality.lists`` makes the sections of one."""
    found = []
    with warnings.catch_warnings():
        for table in TABLES:
            found += importlib.import_module(f".{table}", __package__).sections()
    return found
