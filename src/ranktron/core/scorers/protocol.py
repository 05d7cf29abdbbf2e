"""What a scorer is: a NamedTuple of arrays and numbers, with bodies of these functions registered for its class.

A function that is *mandatory* raises NotImplementedError for a scorer without a body; the others have the default that is given.
``check_scorer_class`` says which part a class lacks. The first three groups run in loops, which may be compiled.

==========================  =============================  ======================================================================
function                    default                        meaning
==========================  =============================  ======================================================================
**learning a row**
``score``                   mandatory                      the scores of a row by the hypothesis that learns
``score_mean``              mandatory                      the scores of a row by the hypothesis that predicts
``score_mean_and_current``  the two, one after another     both, in one reading of the row
``update``                  mandatory, or learn, or move   move along a row by a correction
``learn``                   needs_update, correct, update  learn a row: for scorers that are not moved by one correction
``move``                    mandatory for lists            move along the rows of a list
``is_small_enough``         if its norm is finite          whether a row of this squared norm can be learned
**the mean over time**
``accumulate_average``      nothing                        count the hypothesis after a row into the mean, with a weight
``scale_averages``          ``lag`` alone                  multiply all sums over time; needed for ``forget``
``divisor``                 the age, by ``lag``            how many hypotheses the sums of ``score_mean`` have
``unit``                    ``divisor``                    the unit of these sums, which may grow smoother
**a support with a budget**
``drop_column``             ``w`` and ``lag``              forget a row of the support
``column_weight``           |w|                            its weight in the hypothesis
``removal_cost``            by ``w``                       the damage that forgetting it does
``shrink``                  nothing                        multiply the hypothesis; needed for the Forgetron
**growth**
``insert_rank``             mandatory, or with_rank        one rank more, given the projections of its first row
``with_rank``               by ``insert_rank``             one rank more, given its first row
``resize``                  by ``field_roles``             more features
``rescale_hypothesis``      ValueError                     the features on another scale
``grows``                   no                             whether every row may leave something behind
``reserve``                 itself                         allocate for it
**ensembles**
``member``                  mandatory for members          one of several scorers that are stacked
``copy_member``             mandatory for members          make one like another
``unwrapped``               itself                         the scorer inside a wrapper
**state**
``hypothesis``              mandatory                      the hypothesis that predicts, for reading and export
``field_roles``             ``w`` and ``lag``: columns     which arrays have one number per feature, and which are buffers
``check_learned``           nothing                        check the numbers of a model file
``without_layout``          itself                         the scorer without what says how it is laid out in memory
``in_native_layout``        itself                         its arrays as loops want them: a pickle loses that
``with_own_buffers``        itself                         a copy that another thread may predict with
``trimmed``                 by ``field_roles``             without spare capacity, as in a model file
``compiles``                yes                            whether loops with it can be compiled
``work_per_row``            1                              its cost in rows of a usual scorer: for threads and copies
==========================  =============================  ======================================================================
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import generic, inline
from ..checks import check_numbers
from ..protocol import Scorer, check_learned, learn, move, score, score_mean, update
from ..rows import AnyRows


class Hypothesis(NamedTuple):
    """The hypothesis that predicts, divided by the age: for reading and export."""

    coef: np.ndarray
    intercept: Any  # one number, or one per class
    thresholds: np.ndarray


# The mean over time


@generic
def scale_averages(scorer: Scorer, factor: float) -> None:
    """Multiply all sums over time, not the hypothesis."""
    scale_array(scorer.lag, factor)


@inline
def scale_array(sums: np.ndarray, factor: float) -> None:
    """sums *= factor, in a loop: nothing is allocated."""
    for j in range(sums.shape[0]):
        sums[j] *= factor


@generic
def divisor(scorer: Scorer, age: float) -> float:
    """The number of hypotheses in the sums of ``score_mean``, by which they are to be divided."""
    return age if len(scorer.lag) > 0 and age > 0 else 1


@generic
def unit(scorer: Scorer, age: float) -> float:
    """The unit in which the sums of ``score_mean`` are compared from row to row: ``divisor``, or near it."""
    return divisor(scorer, age)


# Growth


@generic
def grows(scorer: Scorer) -> bool:
    """Whether every row may leave something behind that has to be kept."""
    return False


@generic
def reserve(scorer: Scorer, rows: int) -> Scorer:
    """The scorer with capacity for what ``rows`` rows may leave behind."""
    return scorer


@generic
def insert_rank(scorer: Scorer, place: int, projection: float, projection_sum: float) -> Scorer:
    """The scorer with one more rank, at ``place``, for a row with this projection now and this one in the sum over time."""
    raise NotImplementedError


@generic
def with_rank(scorer: Scorer, place: int, X: AnyRows, age: float, n_ranks: int) -> Scorer:
    """The scorer with one more rank than ``n_ranks``, at ``place``, for the first row of ``X``."""
    now, in_sum = np.empty(n_ranks), np.empty(n_ranks)
    score_mean(scorer, X, 0, age, in_sum)
    score(scorer, X, 0, now)
    return insert_rank(scorer, place, now[-1], in_sum[-1])


def with_threshold(thresholds: np.ndarray, place: int, projection: float) -> np.ndarray:
    """The thresholds with one more, for a new rank at ``place``: an empty interval between its neighbours, or all below or above.

    >>> with_threshold(np.array([1.0, 2.0]), 1, 9.0), with_threshold(np.array([1.0, 2.0]), 3, 9.0)
    (array([1., 1., 2.]), array([1., 2., 9.]))
    """
    if place == 0:
        new = min([projection, *thresholds[:1]])
    elif place > len(thresholds):
        new = max([projection, *thresholds[-1:]])
    else:
        new = thresholds[place - 1]
    return np.insert(thresholds, min(place, len(thresholds)), new)


@generic
def resize(scorer: Scorer, n_features: int) -> Scorer:
    """The scorer for ``n_features`` features; new ones get the weights they would have, had they been 0 from the start."""
    return resize_columns(scorer, n_features)


def resize_columns(scorer: Scorer, n_features: int) -> Scorer:
    """The scorer with capacity for ``n_features`` in its column fields, which is doubled when it runs out."""
    names = field_roles(scorer).columns
    capacity = getattr(scorer, names[0]).shape[-1]
    if n_features <= capacity:
        return scorer
    columns = max(n_features, 2 * capacity)  # doubled, so that growing one by one copies each column twice at most
    return scorer._replace(**{name: _padded(getattr(scorer, name), columns) for name in names})


def _padded(weights: np.ndarray, columns: int) -> np.ndarray:
    if weights.shape[-1] == 0:  # a mean that is not kept
        return weights
    wider = zeros(*weights.shape[:-1], columns)
    wider[..., : weights.shape[-1]] = weights
    return wider


def zeros(*shape: int) -> np.ndarray:
    """Zeros that begin where a cache line does, so that no vector of them lies across two."""
    size = math.prod(shape)
    buffer = np.zeros(size + 8)
    start = -(buffer.__array_interface__["data"][0] // 8) % 8
    return buffer[start : start + size].reshape(shape)


@generic
def rescale_hypothesis(scorer: Scorer, ratio: np.ndarray, shift: np.ndarray, age: float) -> None:
    """Change the scorer after ``age`` rows so that it scores features on a new scale as before on the old one; its mean too.

    Features z = (x - m) / s become z' = (x - m') / s'. With ratio = s' / s and shift = (m' - m) / s, z = ratio · z' + shift, so
    w·z - b_r = (ratio · w)·z' - (b_r - shift·w).
    """
    raise ValueError("scale='settled' is not available for this algorithm, because it cannot be rescaled; use scale='standard'")


# Ensembles


@generic
def member(scorers: Scorer, m: int) -> Scorer:
    """Scorer ``m`` of several that are stacked: of arrays with one more axis in front."""
    raise NotImplementedError


@generic
def copy_member(scorers: Scorer, source: int, target: int) -> None:
    """Copy the hypothesis of scorer ``source`` of several that are stacked to scorer ``target``."""
    raise NotImplementedError


@inline
def copy_member_array(lines: np.ndarray, source: int, target: int) -> None:
    """lines[target] = lines[source], in a loop: nothing is allocated."""
    for j in range(lines.shape[1]):
        lines[target, j] = lines[source, j]


@generic
def unwrapped(scorer: Scorer) -> Scorer:
    """The scorer inside a wrapper, or the scorer itself."""
    return scorer


# State: for undoing, for model files, for threads, and for reading


@generic
def hypothesis(scorer: Scorer, n_ranks: int, age: float) -> Hypothesis:
    """The hypothesis that predicts after ``age`` rows."""
    raise NotImplementedError


class Roles(NamedTuple):
    """The names of the fields of a scorer that have a role.

    ``columns`` are arrays with one number per feature, or per row of the support. In those that are ``local`` an update changes
    the columns of its row only; None means all columns, and () that an update may change any column, of any part of the scorer.
    ``buffers`` are buffers, or follow from the parameters: not part of what was learned.
    """

    columns: tuple[str, ...] = ("w", "lag")
    local: tuple[str, ...] | None = None
    buffers: tuple[str, ...] = ()


@generic
def field_roles(scorer: Scorer) -> Roles:
    """The roles of the scorer's fields."""
    return Roles()


def clear_buffers(scorer: Scorer) -> None:
    """Empty the buffers with one number per feature, which are empty between examples, after a batch that was refused."""
    roles = field_roles(scorer)
    for name, part in zip(scorer._fields, scorer):
        if hasattr(part, "_asdict"):
            clear_buffers(part)
        elif name in roles.columns and name in roles.buffers:
            part[...] = 0.0


@generic
def without_layout(scorer: Scorer) -> Scorer:
    """The scorer without what only says how it is laid out in memory."""
    return scorer


@generic
def in_native_layout(scorer: Scorer) -> Scorer:
    """The scorer with its arrays laid out in memory as its loops want them: a pickle does not keep that."""
    return scorer


@generic
def with_own_buffers(scorer: Scorer) -> Scorer:
    """The scorer with buffers of its own, for one thread that predicts while others do."""
    return scorer


@generic
def work_per_row(scorer: Scorer) -> int:
    """The cost of a row in rows of a usual scorer, by which threads and copies of a learner are worth it or not."""
    return 1


@generic
def trimmed(scorer: Scorer, columns: int | None) -> Scorer:
    """The scorer without spare capacity, with this number of columns or with all of them."""
    parts = scorer._asdict()
    for name, part in parts.items():
        if hasattr(part, "_asdict"):
            parts[name] = trimmed(part, columns)
        elif columns is not None and name in field_roles(scorer).columns and part.shape[-1]:
            parts[name] = part[..., :columns]
    return type(scorer)(**parts)


class Learned(NamedTuple):
    """An array that is learned."""

    name: str
    array: np.ndarray
    has_columns: bool  # one per feature, or per row of the support
    is_local: bool  # an update changes the columns of its row only


def arrays_of(scorer: Scorer, prefix: str = "", is_swept: bool = False) -> Iterator[Learned]:
    """Every array that is learned, however deep."""
    scorer = without_layout(scorer)
    columns, local, buffers = field_roles(scorer)
    is_swept = is_swept or local == ()
    for name, part in zip(scorer._fields, scorer):
        if name in buffers:
            continue
        if isinstance(part, np.ndarray):
            yield Learned(prefix + name, part, name in columns, name in (local or columns) and not is_swept)
        elif hasattr(part, "_asdict"):
            yield from arrays_of(part, f"{prefix}{name}.", is_swept)


def check_scorer(scorer: Scorer, n_features: int) -> None:
    """Raise ValueError if any array that a scorer of a model file has learned is out of range."""
    for one in arrays_of(scorer):
        check_numbers(one.name, one.array)
    _check_parts(scorer, "", n_features)


def _check_parts(part: Any, prefix: str, n_features: int) -> None:
    part = without_layout(part)
    check_learned(part, prefix, n_features)
    for name, inner in zip(part._fields, part):
        if hasattr(inner, "_asdict") and name not in field_roles(part).buffers:
            _check_parts(inner, f"{prefix}{name}.", n_features)


def with_numbers(scorer: Scorer, like: Scorer) -> Scorer:
    """The scorer with the numbers, not the arrays, of another one of its kind."""
    like = without_layout(like)
    if without_layout(scorer) is not scorer:
        return type(scorer)(with_numbers(without_layout(scorer), like), *scorer[1:])
    parts = scorer._asdict()
    for name, part in parts.items():
        if hasattr(part, "_asdict"):
            parts[name] = with_numbers(part, getattr(like, name))
        elif not isinstance(part, np.ndarray):
            parts[name] = getattr(like, name)
    return type(scorer)(**parts)


# The contract

# A scorer needs a body of at least one function in each line. Lists have no ranks of their own, so ``move`` stands for both.
MANDATORY: tuple[tuple[Any, ...], ...] = (
    (score,),
    (score_mean,),
    (update, learn, move),
    (insert_rank, with_rank, move),
    (hypothesis,),
)


def check_scorer_class(cls: type) -> None:
    """Raise TypeError, with a sentence that names the missing part, unless a class is a scorer."""
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise TypeError(f"{cls.__name__} is not a scorer: derive it from typing.NamedTuple")
    for functions in MANDATORY:
        if not any(cls in function.bodies for function in functions):
            names = " or ".join(function.__name__ for function in functions)
            raise TypeError(f"{cls.__name__} is not a scorer: register a body of {names} for it")
    if "lag" not in cls._fields and cls not in divisor.bodies:
        raise TypeError(f"{cls.__name__} is not a scorer: it has no field lag, so register a body of divisor for it")
