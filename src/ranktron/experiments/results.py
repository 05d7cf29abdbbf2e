"""What the trials of an experiment measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..statistics import Mean, mean_of, means_of
from .experiment import Numbers


class Results:
    """Every number of every trial, in the order of the seeds.

    >>> results = Results([{"loss": 1.0}, {"loss": 3.0}], is_quick=False)
    >>> results.mean("loss").value, results.values("loss").tolist()
    (2.0, [1.0, 3.0])
    """

    def __init__(self, trials: Sequence[Numbers], is_quick: bool, stand_in: str = "") -> None:
        self.trials, self.is_quick = list(trials), is_quick
        self.stand_in = stand_in
        """The data set that these are of and the paper's, as ``DataSet.stand_in`` says it, if they are not the same."""
        self.names = list(dict.fromkeys(name for numbers in self.trials for name in numbers))

    def __len__(self) -> int:
        return len(self.trials)

    def values(self, name: str) -> np.ndarray:
        """A number in every trial, a row a trial if it is a curve."""
        return np.array([numbers[name] for numbers in self.trials], float)

    def mean(self, name: str) -> Mean:
        """The mean of a number and half of its 95 % interval."""
        return mean_of(self.values(name))

    def curve(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """The mean of a curve and half of its intervals, point by point."""
        return means_of(self.values(name))
