"""Lists for the sections on ranking: LETOR's folds, and helpers for any lists."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import ranktron
from ranktron.data import read_letor

FOLDER = Path(os.environ.get("RANKTRON_LETOR_MQ2008", "../shared/data/letor_mq2008"))
# The parts S1 to S5 to train on, to choose by and to test on, as LETOR gives them.
FOLDS = ("123 4 5", "234 5 1", "345 1 2", "451 2 3", "512 3 4")


class Part(NamedTuple):
    """Documents, their grades and their queries; the documents of a query are adjacent."""

    X: np.ndarray
    y: np.ndarray
    qid: np.ndarray

    @property
    def starts(self) -> np.ndarray:
        """The index of the first row of each list."""
        return np.concatenate([[0], np.flatnonzero(np.diff(self.qid)) + 1])

    @property
    def sizes(self) -> np.ndarray:
        """The length of each list."""
        return np.diff(self.starts, append=len(self.qid))

    def of_lists(self, chosen: np.ndarray) -> Part:
        """The given lists in the given order."""
        lists = np.split(np.arange(len(self.qid)), self.starts[1:])
        rows = np.concatenate([lists[q] for q in chosen])
        return Part(*(array[rows] for array in self))

    def in_order(self, order: int) -> Part:
        """The lists unchanged for order 0, otherwise in a random order with that seed."""
        return self if order == 0 else self.of_lists(np.random.default_rng(order).permutation(len(self.starts)))


class Fold(NamedTuple):
    """The parts of a fold: training, validation and test."""

    train: Part
    validation: Part
    test: Part


def folds(scaled: bool = True) -> list[Fold]:
    """All five folds, with features scaled within each query or unchanged."""
    parts = {name: read(FOLDER / f"S{name}.txt", scaled) for name in "12345"}
    return [Fold(*(joined(parts[name] for name in names) for names in fold.split())) for fold in FOLDS]


def read(path: Path, scaled: bool = True) -> Part:
    """Read one file."""
    X, y, qid = read_letor(path, dense=True)
    return Part(ranktron.QueryScaler().fit_transform(X, qid=qid) if scaled else X, y, qid)


def joined(parts: Iterable[Part]) -> Part:
    """Join several files."""
    return Part(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
