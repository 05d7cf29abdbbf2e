"""Data: LETOR, svmlight and TREC files, and synthetic streams of the papers' experiments."""

from . import separable, synthetic
from ._lines import BadDataFile
from ._writing import write_letor, write_qrels, write_run
from .letor import iter_letor, read_letor, read_svmlight

__all__ = [
    "BadDataFile",
    "iter_letor",
    "read_letor",
    "read_svmlight",
    "separable",
    "synthetic",
    "write_letor",
    "write_qrels",
    "write_run",
]
