"""Models: parameters around a learner, in plain Python."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, ClassVar, NoReturn

import numpy as np

from ..drift import Drift, drift_in
from ..features import Features
from ..inputs import Table, read_table, refuse_row
from ..labels import short
from ..learners.concurrency import reads
from ..learners.learner import Learner
from ..learners.parts import Parts
from ..parameters import choice, choice_or_none, document_parameters, flag, seed, share_or_none, whole
from ..trail import WIDEST
from ..width import check_memory
from .learned import Learned


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class Model(Learned, abc.ABC):
    """What all models share: how rows are presented and read, and a learner that the parameters are put together into."""

    epochs: int = whole(
        1,
        at_least=1,
        help="""
        How many times ``fit`` goes through the data. One pass is usual for a stream; on small data sets several passes help.
        ``partial_fit`` and ``learn_one`` go through theirs once in any case.
        """,
    )
    shuffle: bool = flag(
        False,
        help="""
        Whether ``fit`` presents the rows, or the lists, in a new random order in each epoch. False keeps the order given. Shuffle
        data that are sorted, by label for instance.
        """,
    )
    random_state: Any = seed(
        help="""
        The seed of everything random, such as the order of ``shuffle``. With None that order differs from run to run, and other
        random choices use the seed 0.
        """
    )
    missing: str = choice(
        "error",
        "zero",
        help="""
        What NaN, or a masked value, in the features means: ``"error"`` refuses the row, ``"zero"`` reads it as 0. Names that a
        mapping lacks are 0 in any case.
        """,
    )
    hash_bits: int | None = whole(
        None,
        at_least=1,
        at_most=30,
        help="""
        Hash the feature names of mappings into 2^``hash_bits`` columns, 1 to 30 bits, so that memory is bounded whatever names
        come. The columns are the same in every process, and names that share a column are added up. None gives every name a
        column of its own. Arrays and data frames are not hashed.
        """,
    )
    scale: str | None = choice_or_none(
        "standard",
        "settled",
        help="""
        How features are scaled while learning, by the means and deviations of the rows so far. ``"standard"`` scales each row by
        all rows up to it. ``"settled"`` changes the scaling only at 8, 16, 32, … rows and carries over what was learned, which is
        better where the algorithm supports it; others refuse it. None takes features as they are: choose it where they are
        scaled already. Sparse rows, and mappings of more than 1,024 names, are not centred.
        """,
    )
    forget: float | None = share_or_none(
        help="""
        For streams that change: the share of the past that every row or list forgets, between 0 and 1. So memory is about
        1 / ``forget`` rows. The mean over time and the scaling forget, and the model itself where it sums up its past. None
        forgets nothing.
        """
    )

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        document_parameters(cls)

    # Whether a column stored twice in a sparse row must be one: for norms; an inner product adds up anyway.
    merges_columns: ClassVar[bool] = False

    # Whether the algorithm itself forgets with ``forget``, beside the mean over time and the scaling.
    forgets: ClassVar[bool] = False

    @property
    def _averages(self) -> bool:
        """Whether the mean over time predicts."""
        return False

    @reads
    def drift(self) -> Drift:
        """How far the direction has turned and the thresholds have moved, from milestone to milestone, and whether by chance.

        Milestones are the ages 128, 256, 512, …, of which the last six are remembered; in lists where lists are learned. What
        predicted between two of them is compared with what predicted before: the angle between the directions in degrees, and
        for every threshold how far it moved along the direction, in the mean width of a rank. Where rows are alike all along,
        movements do not become larger as the model grows older; one that is twice as large as those before it make likely, and
        at least 8° or 0.3 ranks, is called drift, and ``told`` says in a sentence what it means. With ``scale`` angles are those
        of scaled features; without it scale them alike, or the angle is that of the features with the largest weights.

        Of 2,100 streams of independent rows, 2,048 to 8,192 of them with 5 or 20 features, drift was told of 4 in 100: of 15 in
        100 by ROMMAPRank, whose weights never settle, and of 2 in 100 by six other models. Of as many whose direction turned
        by 40° half way it was told of 96 in 100, by 20° of 60 in 100.

        It is told of linear models of one direction with up to 1,000 weights that weigh all rows: the last hypothesis of a
        perceptron jumps too far by chance.

        Examples
        --------
        >>> from ranktron import PRank
        >>> from ranktron.data import synthetic
        >>> X, y = synthetic.crammer_singer(4_096, seed=1)
        >>> X[2_048:] = X[2_048:, ::-1]  # the features change places
        >>> print(PRank().partial_fit(X, y).drift())
             since row    turn by chance   shift by chance
                   128   16.0°              1.14
                   256    6.3°              0.58
                   512    5.7°       9.8    0.29      0.70
                 1,024    4.0°       6.9    0.15      0.49
                 2,048   92.4°       4.9    0.95      0.35
        The direction turned by 92° since row 2,048, and thresholds moved with it: what makes a grade has changed.
        """
        learner = self._learned
        if learner.kernel_view is not None or learner.features.count > WIDEST or learner.hypothesis().coef.ndim != 1:
            raise ValueError(f"drift is told of linear models of one direction with up to {WIDEST:,} weights, which this is not")
        if not (self._averages or self.forgets):
            raise ValueError(
                "drift is not told of a last hypothesis, which jumps too far by chance: average=True gives it a mean"
            )
        return drift_in(learner, self._averages and self.forget is None, self._unit)

    _unit: ClassVar[str] = "row"

    @abc.abstractmethod
    def _assembled(self, n_features: int, n_ranks: int) -> Parts:
        """Put the model together."""

    def _few_columns(self, n_columns: int) -> int:
        """A small number of columns for which the model is made of the same parts as for ``n_columns``."""
        return 4

    @abc.abstractmethod
    def _new_learner(self, n_features: int, features: Features, labels: Any) -> Learner:
        """A learner of these parts that knows nothing yet."""

    def _labels_in(self, header: dict[str, Any]) -> Any:
        """The labels that a file's header tells of, if the model has any."""

    def _read(self, X: Any, learner: Learner | None) -> Table:
        """The rows of ``X``, with the columns that ``learner`` knows."""
        table = read_table(X, self.missing, self.merges_columns or self.scale is not None)
        if learner is None:
            check_memory(self, table.n_columns)
        else:
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

    def _rows_for_prediction(self, X: Any) -> tuple[Any, Table]:
        learner = self._learned
        return learner, self._read(X, learner)

    def _predict_into(self, learner: Learner, table: Table, **wanted: np.ndarray) -> None:
        refused = learner.answer(table, **wanted)
        if refused >= 0:
            self._refuse(table, refused)

    def _refuse(self, table: Table, row: int) -> NoReturn:
        refuse_row(table, row)
