"""The measurements of an experiment's trials."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ranktron.statistics import Mean, mean_of, means_of

from .experiment import Numbers


class Results:
    """Every number of every trial, in the order of the seeds.

    >>> results = Results([{"loss": 1.0}, {"loss": 3.0}], is_quick=False)
    >>> results.mean("loss").value, results.values("loss").tolist()
    (2.0, [1.0, 3.0])
    """

    def __init__(self, trials: Sequence[Numbers], is_quick: bool, stand_in: str = "") -> None:
        self.trials, self.is_quick = list(trials), is_quick
        self.stand_in = stand_in  # what ``DataSet.stand_in`` returns: not empty if the data set is not the paper's
        self.names = list(dict.fromkeys(name for numbers in self.trials for name in numbers))

    def __len__(self) -> int:
        return len(self.trials)

    def values(self, name: str) -> np.ndarray:
        """The values of a number in all trials; for a curve an array with one row per trial."""
        return np.array([numbers[name] for numbers in self.trials], float)

    def mean(self, name: str) -> Mean:
        """The mean of a number and half the width of its 95 % interval."""
        return mean_of(self.values(name))

    def curve(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """The mean of a curve and half the widths of its 95 % intervals, point by point."""
        return means_of(self.values(name))

    def derived(self, make: Callable[[Numbers], Numbers]) -> Results:
        """Results with other numbers, which ``make`` computes from those of each trial."""
        return Results([make(one) for one in self.trials], self.is_quick)

    def of_columns(self, columns: Mapping[str, np.ndarray]) -> Results:
        """Results with other numbers, each given as an array with one value per trial."""
        rows = zip(*(column.tolist() for column in columns.values()))
        return Results([dict(zip(columns, row)) for row in rows], self.is_quick)
