"""Models: parameters around a learner, in plain Python."""

from __future__ import annotations

import abc
import dataclasses
import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, cast

import numpy as np

from ... import kernels
from ...core.kernel_rows import POLICIES, rounded, support
from ...core.scorers.forgetting_average import forgetting_average
from ...core.scorers.protocol import divisor
from .. import files
from ..drift import Drift, drift_in
from ..features import Features
from ..history import WIDEST, named_trail
from ..inputs import Table, read_table, refuse_row
from ..labels import short
from ..learners.concurrency import bound, reads, still
from ..learners.learner import Learner
from ..learners.parts import KernelView, Parts
from ..order import seed_of
from ..parameters import (
    choice,
    choice_or_none,
    document_parameters,
    flag,
    kernel_or_none,
    plain_parameter,
    seed,
    share_or_none,
    whole,
)
from ..sizes import check_memory

# Parameters that say how to present rows; the others shape what is learned.
_FREE_TO_CHANGE = ("epochs", "shuffle", "random_state", "classes", "missing", "n_jobs")


class NotFitted(ValueError, AttributeError):
    """The model has not learned anything yet."""


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class Model(abc.ABC):
    """What all models share: how rows are presented and read, and the learner that the parameters describe."""

    average: bool = flag(
        True,
        help="""
        Whether to predict with the mean of the hypotheses held after each row or list, or with the last one, as most papers do.
        The mean nearly always predicts better. Learning is the same either way.
        """,
    )
    kernel: Any = kernel_or_none(
        help="""
        The kernel that replaces the inner product, such as ``Gaussian(0.5)``, ``Polynomial(2)`` or ``Linear()`` of
        :mod:`ranktron.kernels`. Use one where a linear model is not enough. A function of two matrices that returns their kernel
        values works too, but it is slow, and such a model cannot be saved. None learns a linear model.
        """
    )
    budget: int | None = whole(
        None,
        at_least=1,
        is_size=True,
        help="""
        The largest number of rows that a kernel model keeps. None keeps every row that changed the hypothesis, so memory and the
        time per row grow with the stream. Combine a budget with ``average=False``, because a dropped row leaves the mean over
        time too.
        """,
    )
    policy: str = choice(
        *POLICIES,
        help="""
        Which row is dropped when the budget is full: the oldest one (``"oldest"``), a random one (``"random"``), or the oldest
        one after shrinking the hypothesis so that dropping it changes little (``"forgetron"``).
        """,
    )
    epochs: int = whole(
        1,
        at_least=1,
        help="""
        How many times ``fit`` passes over the data. One pass is usual; on small data sets several passes help. ``partial_fit``
        and ``learn_one`` always make one pass.
        """,
    )
    shuffle: bool = flag(
        False,
        help="""
        Whether ``fit`` presents the rows or lists in a new random order in each epoch. False keeps the given order. Set it to
        True if the data are sorted, for instance by label.
        """,
    )
    random_state: Any = seed(
        help="""
        The seed of everything random, such as the order of ``shuffle``. With None that order differs from run to run, and all
        other random choices use seed 0. Give a number to make ``shuffle`` reproducible.
        """
    )
    missing: str = choice(
        "error",
        "zero",
        help="""
        What NaN or a masked value among the features means: ``"error"`` refuses the row, ``"zero"`` reads it as 0. Features that
        are absent from a mapping are always 0.
        """,
    )
    hash_bits: int | None = whole(
        None,
        at_least=1,
        at_most=30,
        help="""
        The number of bits, 1 to 30, to which the feature names of mappings are hashed. The model then has 2^``hash_bits``
        columns, so its memory is bounded however many names occur; names that share a column are added up. None gives every name
        a column of its own. Arrays and data frames are not hashed.
        """,
    )
    scale: str | None = choice_or_none(
        "standard",
        "settled",
        help="""
        How features are standardised while learning, by the means and standard deviations of the rows so far. ``"standard"``
        scales each row by all rows up to it. ``"settled"`` updates the scaling only at 8, 16, 32, … rows and rescales the
        hypothesis with it; it predicts better, but not every algorithm supports it. None uses features as they are, which is
        right if they are scaled already. Sparse rows, and mappings of more than 1,024 names, are scaled but not centred.
        """,
    )
    forget: float | None = share_or_none(
        help="""
        For streams that change: the share of the past, between 0 and 1, that is forgotten at every row or list, so that about the
        last 1 / ``forget`` of them count. It applies to the mean over time, to the scaling, and to a covariance. None forgets
        nothing. Try 0.001 if the stream drifts.
        """
    )

    # Whether a column stored twice in a sparse row must be one: for norms; an inner product adds up anyway.
    merges_columns: ClassVar[bool] = False

    # Whether the algorithm itself forgets with ``forget``, beside the mean over time and the scaling.
    forgets: ClassVar[bool] = False

    # Whether there is a kernel version: the hypothesis is a sum of rows, in weights that nothing else changes.
    takes_kernels: ClassVar[bool] = True

    # What one example is called in messages.
    _unit: ClassVar[str] = "row"

    _learner = cast(Any, None)  # not annotated: a dataclass would take it for a parameter
    _frozen = False
    _metadata = cast(dict[str, Any], {})  # plain data that is kept with the model: how its data was read, where a run stands
    _not_fitted: ClassVar[type[Exception]] = NotFitted

    if TYPE_CHECKING:  # the estimators have these from scikit-learn, which comes without types

        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def get_metadata_routing(self) -> Any: ...
        def set_fit_request(self, **requests: bool | str | None) -> Self: ...
        def set_partial_fit_request(self, **requests: bool | str | None) -> Self: ...
        def set_score_request(self, **requests: bool | str | None) -> Self: ...

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        document_parameters(cls)

    # What an algorithm gives

    @abc.abstractmethod
    def _parts(self, n_columns: int, n_ranks: int) -> Parts:
        """The parts of the algorithm, for rows of ``n_columns``."""

    @abc.abstractmethod
    def _new_learner(self, n_features: int, features: Features, labels: Any) -> Learner:
        """A learner of these parts that has learned nothing yet."""

    @property
    def _averages(self) -> bool:
        """Whether the mean over time predicts."""
        return bool(self.average)

    def _few_columns(self, n_columns: int) -> int:
        """A small number of columns for which the model is made of the same parts as for ``n_columns``."""
        return 4

    def _labels_in(self, header: dict[str, Any]) -> Any:
        """The labels in the header of a file, if the model has any."""
        return None

    def _known(self) -> dict[str, Any]:
        """What the learner knows beside features, as plain data."""
        return {}

    # From parameters to parts

    def _assembled(self, n_features: int, n_ranks: int) -> Parts:
        """The parts, with the kernel by which they see rows and with a mean that forgets, where the parameters ask for these."""
        parts = self._parts(n_features, n_ranks) if self.kernel is None else self._kernel_parts(n_features, n_ranks)
        if self.forget is None:
            return parts
        averages = divisor(parts.scorer, 2) == 2
        if not (averages or self.forgets or self.scale is not None):
            name = f"{type(self).__name__}: forget={self.forget!r}"
            raise ValueError(f"{name} has no effect with average=False and scale=None; set average=True")
        return parts._replace(scorer=forgetting_average(parts.scorer, float(self.forget))) if averages else parts

    def _kernel_parts(self, n_features: int, n_ranks: int) -> Parts:
        if not self.takes_kernels:
            raise ValueError(f"{type(self).__name__} has no kernel version: leave kernel=None")
        budget = int(self.budget or 0)
        kept = support(n_features, budget, seed_of(self.random_state))
        kernel_view = KernelView(kernels.core(self.kernel), kept, budget, POLICIES.index(self.policy))
        return self._parts(rounded(budget + 1), n_ranks)._replace(kernel_view=kernel_view)

    @classmethod
    @functools.cache
    def _parameters(cls) -> tuple[str, ...]:
        return tuple(field.name for field in dataclasses.fields(cls))

    def _plan(self) -> dict[str, Any]:
        """The parameters that shape what is learned, as plain data."""
        fixed = [name for name in self._parameters() if name not in _FREE_TO_CHANGE]
        return {"algorithm": type(self).__name__} | {name: plain_parameter(getattr(self, name)) for name in fixed}

    def _described(self) -> dict[str, Any]:
        return {name: plain_parameter(getattr(self, name)) for name in self._parameters()}

    def _check_plan(self, learner: Learner) -> None:
        # As plain data: an estimator or a kernel that was made again with the same parameters is the same.
        changed = [name for name, value in self._plan().items() if value != learner.plan[name]]
        if changed:
            raise ValueError(f"{changed[0]} was changed after learning began: fit the model again, or make a new one")

    # Reading rows

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

    def _predict_into(self, learner: Learner, table: Table, **wanted: Any) -> None:
        refused = learner.predict(table, **wanted)
        if refused >= 0:
            self._refuse(table, refused)

    def _sums_of(self, learner: Learner, table: Table) -> np.ndarray:
        """The scores of every row, each a sum over as many hypotheses as the learner's divisor says."""
        sums = np.empty((table.n_rows, learner.n_scores))
        self._predict_into(learner, table, scores=sums)
        return sums

    def _refuse(self, table: Table, row: int) -> NoReturn:
        refuse_row(table, row)

    # What was learned

    @property
    def _learned(self) -> Learner:
        """The learner; a model that has none raises ``NotFitted``."""
        learner: Learner | None = self._learner
        if learner is None:
            raise self._not_fitted(f"this {type(self).__name__} has not learned anything yet")
        return learner

    @property
    @reads
    def n_features_in_(self) -> int:
        """How many features there are."""
        return self._learned.features.count

    @property
    @reads
    def feature_names_in_(self) -> np.ndarray:
        """The names of the features, where they have any."""
        names = self._learned.features.names
        if names is None:
            raise AttributeError(f"this {type(self).__name__} knows no feature names")
        array = np.empty(len(names), object)
        array[:] = names
        return array

    @property
    @reads
    def support_(self) -> np.ndarray:
        """The rows that the kernel expansion is made of, the oldest first."""
        learner = self._learner_with_kernel
        return learner.kernel_view.support.points[: learner.features.count, learner.oldest_first()].T.copy()

    @property
    @reads
    def dual_coef_(self) -> np.ndarray:
        """The coefficient of each of them; one row a class for the multiclass perceptron."""
        return self._learner_with_kernel.hypothesis().coef

    @property
    def _learner_with_kernel(self) -> Any:
        learner = self._learned
        if learner.kernel_view is None:
            raise AttributeError(f"this {type(self).__name__} has no kernel and so no support: it has coef_")
        return learner

    @property
    @reads
    def coef_(self) -> np.ndarray:
        """The direction w that ``predict`` uses."""
        if self._learned.kernel_view is not None:
            raise AttributeError(f"with a kernel, {type(self).__name__} has no coef_: it has support_ and dual_coef_")
        return self._learned.hypothesis().coef

    @property
    @reads
    def n_seen_(self) -> int:
        """How many examples were learned."""
        return self._learned.age

    @property
    @reads
    def n_updates_(self) -> int:
        """How many of them changed the hypothesis."""
        return int(self._learned.counts[1])

    @reads
    def drift(self) -> Drift:
        """How far the direction has turned and the thresholds have moved, from milestone to milestone, and whether by chance.

        Milestones are the ages 128, 256, 512, …, of which the last six are remembered; in lists where lists are learned. What
        predicted between two of them is compared with what predicted before: the angle between the directions in degrees, and
        for every threshold how far it moved along the direction, in the mean width of a rank. Where rows are alike all along,
        movements do not become larger as the model grows older; one that is twice as large as those before it make likely, and
        at least 8° or 0.3 ranks, is called drift, and ``told`` says in a sentence what it means. With ``scale`` angles are those
        of scaled features; without it scale them alike, or the angle is that of the features with the largest weights.

        Of 2,100 streams of independent rows, 2,048 to 8,192 of them with 5 or 20 features, 4 in 100 were called drift: 15 in
        100 by ROMMAPRank, whose weights never settle, and of 2 in 100 by six other models. Of as many whose direction turned
        by 40° half way 96 in 100 were called drift, by 20° 60 in 100.

        It needs a linear model of one direction with up to 1,000 weights that weigh all rows: the last hypothesis of a
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
            raise ValueError(f"drift needs a linear model of one direction with up to {WIDEST:,} weights, which this is not")
        if not (self._averages or self.forgets):
            raise ValueError("drift needs a mean over time, because a last hypothesis jumps too far by chance; set average=True")
        return drift_in(learner, self._averages and self.forget is None, self._unit)

    @reads
    def certificate(
        self,
        X: Any = None,
        y: Any = None,
        qid: Any = None,
        *,
        comparator: Any = None,
        margin: float | None = None,
        radius: float | None = None,
        largest: float | None = None,
        confidence: float = 0.95,
    ) -> Any:
        """The loss so far beside what a theorem guarantees, and a bound on the loss of fresh rows.

        ``X`` and ``y`` are what was learned: the best rule for them makes the guarantee, if no ``comparator`` or assumed
        ``margin`` is given. :func:`ranktron.bounds.certificate` says what all of it means, and what it asks of the data.
        """
        from ...bounds import certificate

        return certificate(
            self, X, y, qid, comparator=comparator, margin=margin, radius=radius, largest=largest, confidence=confidence
        )

    @reads
    def snapshot(self) -> Self:
        """An independent copy that only answers: as many answers as you like by one state of a model that goes on learning."""
        return bound(self, still(self._learned))

    def _check_not_frozen(self) -> None:
        if self._frozen:
            raise ValueError("a snapshot does not learn; let the model it was taken from learn, or save and load it")

    def save(self, path: str | Path) -> None:
        """Write the model to a file, all of it or nothing; ``ranktron.load`` reads it and goes on bit for bit."""
        files.write(path, *self._content())

    @reads
    def _content(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        learner = self._learned
        self._check_plan(learner)
        if not learner.is_plain:
            raise ValueError("a model whose kernel is a function cannot be saved: use one of ranktron.kernels")
        header = {
            "algorithm": type(self).__name__,
            "parameters": self._described(),
            **self._known(),
            "features": learner.features.__getstate__(),
            **({"about": self._metadata} if self._metadata else {}),
        }
        arrays = learner.arrays() | learner.tallies | named_trail(learner.trail)
        return header, {name: array.copy() for name, array in arrays.items()}
