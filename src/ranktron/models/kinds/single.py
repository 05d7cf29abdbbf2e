"""Models of one hypothesis, held by its weights or, with a kernel, by the rows it was learned from."""

from __future__ import annotations

import abc
import dataclasses
from typing import Any, ClassVar, Self

import numpy as np

from ... import kernels
from ...core.kernel_rows import POLICIES, rounded, support
from ..explain import Explained
from ..forget import with_fading_mean
from ..learners.concurrency import reads
from ..learners.parts import KernelView, Parts
from ..order import seed_of
from ..parameters import choice, flag, kernel_or_none, whole
from .model import Model
from .ordinal import OrdinalModel


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class Single(Model, abc.ABC):
    """Mixed into a model: its hypothesis is one, and predicts as it is or as its mean over time."""

    average: bool = flag(
        True,
        help="""
        Predict with the mean of the hypotheses held after each row or list, or with the last one, as most papers do. The mean
        nearly always predicts better; learning is the same in both.
        """,
    )
    kernel: Any = kernel_or_none(
        help="""
        A kernel in place of the inner product, such as ``Gaussian(0.5)``, ``Polynomial(2)`` or ``Linear()``. They are in
        :mod:`ranktron.kernels`. A function of two matrices that returns their kernel values will do too, but it is slow, and such
        a model cannot be saved. None learns a linear model.
        """
    )
    budget: int | None = whole(
        None,
        at_least=1,
        is_size=True,
        help="""
        The largest number of rows that a kernel model keeps. None keeps every row that changed the hypothesis, so memory and the
        time a row takes grow. Use it with ``average=False``: a dropped row leaves the mean over time too.
        """,
    )
    policy: str = choice(
        *POLICIES,
        help="""
        Which row a full budget drops: the oldest, a random one, or the oldest after the hypothesis has been shrunk so that this
        does little damage, as the Forgetron does.
        """,
    )

    # Whether there is a kernel version: the hypothesis is a sum of rows, in weights that nothing else changes.
    takes_kernels: ClassVar[bool] = True

    @property
    def _averages(self) -> bool:
        return bool(self.average)

    @abc.abstractmethod
    def _parts(self, n_columns: int, n_ranks: int) -> Parts:
        """Put the algorithm together, for a row of so many columns."""

    def _assembled(self, n_features: int, n_ranks: int) -> Parts:
        return with_fading_mean(self, self._seen_parts(n_features, n_ranks))

    def _seen_parts(self, n_features: int, n_ranks: int) -> Parts:
        """The parts, and the kernel by which they see rows."""
        if self.kernel is None:
            return self._parts(n_features, n_ranks)
        if not self.takes_kernels:
            raise ValueError(f"{type(self).__name__} has no kernel version: leave kernel=None")
        budget = int(self.budget or 0)
        kept = support(n_features, budget, seed_of(self.random_state))
        kernel_view = KernelView(kernels.core(self.kernel), kept, budget, POLICIES.index(self.policy))
        return self._parts(rounded(budget + 1), n_ranks)._replace(kernel_view=kernel_view)

    @property
    @reads
    def support_(self) -> np.ndarray:
        """The rows that the kernel expansion is made of, the oldest first."""
        return support_rows(self)

    @property
    @reads
    def dual_coef_(self) -> np.ndarray:
        """The coefficient of each of them; one row a class for the multiclass perceptron."""
        support_rows(self)
        return self._learned.hypothesis().coef

    @property
    @reads
    def coef_(self) -> np.ndarray:
        """The direction w that ``predict`` uses."""
        refuse_kernel(self, "coef_", "support_ and dual_coef_")
        return super().coef_


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class SingleModel(Single, Explained, OrdinalModel, abc.ABC):
    """An ordinal model; an algorithm adds its own parameters and ``_parts``."""


@dataclasses.dataclass(kw_only=True, eq=False, repr=False)
class OnceIsEnough(SingleModel, abc.ABC):
    """A model that ranks a row rightly once it has learned it, so that weights are 0 or 1."""

    sample_weights: ClassVar[str] = "flags"

    def fit(self, X: Any, y: Any, **weights: Any) -> Self:  # type: ignore[override]
        """Forget everything, then learn the rows in order, ``epochs`` times.

        A ``sample_weight`` of 0 or 1 is taken, but is not in the signature: by that scikit-learn would expect 3 to mean thrice.
        """
        return super().fit(X, y, **weights)


def support_rows(model: Any) -> np.ndarray:
    """The rows of the support."""
    learner = model._learned
    if learner.kernel_view is None:
        raise AttributeError(f"this {type(model).__name__} has no kernel and so no support: it has coef_")
    rows: np.ndarray = learner.kernel_view.support.points[: learner.features.count, learner.oldest_first()].T.copy()
    return rows


def refuse_kernel(model: Any, name: str, instead: str) -> None:
    """Raise if there is a kernel, for then the model has no ``name``."""
    if model._learned.kernel_view is not None:
        raise AttributeError(f"with a kernel, {type(model).__name__} has no {name}: it has {instead}")
