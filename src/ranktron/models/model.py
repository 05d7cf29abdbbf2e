"""Models: parameters around a learner, in plain Python."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, ClassVar, NoReturn

import numpy as np

from .features import Features
from .inputs import Table, read_table, refuse_row
from .labels import short
from .learned import Learned
from .learner import Learner, Parts
from .parameters import choice, choice_or_none, flag, seed, share_or_none, whole


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class Model(Learned, abc.ABC):
    """What all models share: how rows are presented and read, and a learner that the parameters are put together into."""

    epochs: int = whole(1, at_least=1)
    shuffle: bool = flag(False)
    random_state: Any = seed()
    missing: str = choice("error", "zero")
    hash_bits: int | None = whole(None, at_least=1, at_most=30)
    scale: str | None = choice_or_none("standard", "settled")
    forget: float | None = share_or_none()

    merges_columns: ClassVar[bool] = False
    """Whether a column stored twice in a sparse row must be one: for norms; an inner product adds up anyway."""

    forgets: ClassVar[bool] = False
    """Whether the algorithm itself forgets with ``forget``, beside the mean over time and the scaling."""

    @property
    def _averages(self) -> bool:
        """Whether the mean over time predicts."""
        return False

    @abc.abstractmethod
    def _assembled(self, n_features: int, n_ranks: int) -> Parts:
        """Put the model together."""

    def _sketched(self, n_features: int, n_ranks: int) -> Parts:
        """The model as it is put together for so many features, in as little room as may be: to know its arrays by name."""
        return self._assembled(1, n_ranks)

    @abc.abstractmethod
    def _new_learner(self, n_features: int, features: Features, labels: Any) -> Learner:
        """A learner of these parts that knows nothing yet."""

    def _labels_in(self, header: dict[str, Any]) -> Any:
        """The labels that a file's header tells of, if the model has any."""

    def _read(self, X: Any, learner: Learner | None) -> Table:
        """The rows of ``X``, with the columns that ``learner`` knows."""
        table = read_table(X, self.missing, self.merges_columns or self.scale is not None)
        if learner is not None:
            self._check_columns(learner, X, table)
        return table

    def _check_columns(self, learner: Learner, X: Any, table: Table) -> None:
        if table.n_columns != learner.features.count:
            raise ValueError(
                f"X has {table.n_columns} features, but {type(self).__name__} is expecting "
                f"{learner.features.count} features as input"
            )
        names = learner.features.names
        if names is not None and table.names is not None and table.names != names:
            raise ValueError(f"The feature names should match those learned with, {short(names)}, not {short(table.names)}")

    def _asked(self, X: Any) -> tuple[Any, Table]:
        learner = self._learned
        return learner, self._read(X, learner)

    def _answer(self, learner: Learner, table: Table, **wanted: np.ndarray) -> None:
        refused = learner.answer(table, **wanted)
        if refused >= 0:
            self._refuse(table, refused)

    def _refuse(self, table: Table, row: int) -> NoReturn:
        refuse_row(table, row)
