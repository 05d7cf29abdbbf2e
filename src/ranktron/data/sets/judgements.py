"""Grades of documents by judges, and their checks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..svmlight.line import BadDataFile
from .files import DataSet, File


class Judgements(NamedTuple):
    """One row per judged pair of a query and a document, with a grade by each judge."""

    queries: np.ndarray
    documents: np.ndarray
    # One column per judge.
    grades: np.ndarray
    # Their names, in the order of the columns.
    judges: tuple[str, ...]


def check_judgements(
    data_set: DataSet, file: File, name: str, whole: tuple[int, int], judgements: Judgements, partial: bool
) -> None:
    """Refuse a pair that is judged twice, and other numbers of pairs and queries than ``whole`` unless ``partial`` allows it."""
    pairs = np.stack([judgements.queries, judgements.documents])
    n_pairs, n_different, n_queries = pairs.shape[1], np.unique(pairs, axis=1).shape[1], len(np.unique(pairs[0]))
    if n_different < n_pairs:
        raise BadDataFile(f"{file}: {n_pairs - n_different} pairs of a query and a document occur twice; get it again")
    if (n_pairs, n_queries) != whole and not partial:
        data_set.refuse_part(file, f"{name} has {whole[0]:,} judged pairs for {whole[1]} queries", f"{n_pairs:,} for {n_queries}")
