"""Data: LETOR, svmlight and TREC files, loaders of public data sets, and synthetic streams of the papers' experiments."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import separable, synthetic
from .svmlight.line import BadDataFile
from .svmlight.reader import iter_letor, read_letor, read_svmlight
from .svmlight.writer import write_letor, write_qrels, write_run

if TYPE_CHECKING:
    from . import sets

__all__ = [
    "BadDataFile",
    "iter_letor",
    "read_letor",
    "read_svmlight",
    "separable",
    "sets",
    "synthetic",
    "write_letor",
    "write_qrels",
    "write_run",
]


def __getattr__(name: str) -> Any:
    """The loaders are not loaded before somebody asks for one."""
    if name == "sets":
        return importlib.import_module(".sets", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
