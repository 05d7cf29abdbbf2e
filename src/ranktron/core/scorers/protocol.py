"""What a scorer does when the stream brings a feature or a rank that was not there before, and what it has come to."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...compile.generic import generic, inline
from ..checks import check_numbers
from ..protocol import check_learned, score, score_mean


class Hypothesis(NamedTuple):
    """What predictions go by, divided by the age: for reading and export."""

    coef: np.ndarray
    intercept: np.ndarray | float
    thresholds: np.ndarray


@generic
def column_fields(scorer: Any) -> tuple[str, ...]:
    """The parts that have one number a feature."""
    return ("w", "lag")


@generic
def local_fields(scorer: Any) -> tuple[str, ...]:
    """Those of them in which an update changes the columns of its row only."""
    names: tuple[str, ...] = column_fields(scorer)
    return names


@generic
def divisor(scorer: Any, age: int) -> float:
    """What the sums of ``score_mean`` are to be divided by: the number of hypotheses in them."""
    return age if len(scorer.lag) > 0 and age > 0 else 1


@generic
def unit(scorer: Any, age: int) -> float:
    """What the sums of ``score_mean`` are measured in from row to row, to compare one with another: the divisor, or near it."""
    return divisor(scorer, age)


@generic
def work_per_row(scorer: Any) -> int:
    """How many rows' work a row is while loops run interpreted."""
    return 1


@generic
def grows(scorer: Any) -> bool:
    """Whether every row may leave something behind that has to be kept."""
    return False


@generic
def reserve(scorer: Any, rows: int) -> Any:
    """The scorer with room for what so many rows may leave behind."""
    return scorer


@generic
def with_own_buffers(scorer: Any) -> Any:
    """The scorer as one thread may use it to answer while others do."""
    return scorer


@generic
def in_native_layout(scorer: Any) -> Any:
    """The scorer with its arrays as its loops want them in memory: a pickle does not keep that."""
    return scorer


@generic
def hypothesis(scorer: Any, n_ranks: int, age: int) -> Any:
    """The hypothesis after ``age`` rows."""
    raise NotImplementedError


@generic
def insert_rank(scorer: Any, place: int, projection: float, projection_sum: float) -> Any:
    """The scorer with one more rank, at ``place``, for a row with this projection now and this one in sum."""
    raise NotImplementedError


@generic
def with_rank(scorer: Any, place: int, X: Any, age: int, n_ranks: int) -> Any:
    """The scorer with one more rank than ``n_ranks``, at ``place``, for the first row of ``X``."""
    now, in_sum = np.empty(n_ranks), np.empty(n_ranks)
    score_mean(scorer, X, 0, age, in_sum)
    score(scorer, X, 0, now)
    return insert_rank(scorer, place, now[-1], in_sum[-1])


@generic
def member(scorers: Any, m: int) -> Any:
    """Scorer ``m`` of several that are stacked: of arrays with one more axis in front."""
    raise NotImplementedError


@generic
def unwrapped(scorer: Any) -> Any:
    """The scorer itself, where another one is but around it."""
    return scorer


@generic
def copy_member(scorers: Any, source: int, target: int) -> None:
    """Make scorer ``target`` of several like scorer ``source``, in what it decides by."""
    raise NotImplementedError


@inline
def copy_member_array(lines: np.ndarray, source: int, target: int) -> None:
    """lines[target] = lines[source], in a loop: nothing is allocated."""
    for j in range(lines.shape[1]):
        lines[target, j] = lines[source, j]


@generic
def resize(scorer: Any, n_features: int) -> Any:
    """The scorer for so many features; the new ones weigh what they would weigh had they been 0 from the start."""
    return resize_columns(scorer, n_features)


def resize_columns(scorer: Any, n_features: int) -> Any:
    """Room for ``n_features`` in what has one number a feature, doubled when it runs out."""
    names = column_fields(scorer)
    capacity = getattr(scorer, names[0]).shape[-1]
    if n_features <= capacity:
        return scorer
    columns = max(n_features, 2 * capacity)
    return scorer._replace(**{name: _padded(getattr(scorer, name), columns) for name in names})


def zeros(*shape: int) -> np.ndarray:
    """Zeros that begin where a cache line does, so that no vector of them lies across two."""
    size = math.prod(shape)
    room = np.zeros(size + 8)
    start = -(room.__array_interface__["data"][0] // 8) % 8
    return room[start : start + size].reshape(shape)


def _padded(weights: np.ndarray, columns: int) -> np.ndarray:
    if weights.shape[-1] == 0:  # a mean that is not kept
        return weights
    wider = zeros(*weights.shape[:-1], columns)
    wider[..., : weights.shape[-1]] = weights
    return wider


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


# A mean in which the past counts less


@generic
def accumulate_weighted(scorer, weight):
    """Count the hypothesis held after a row into the sums so many times: what ``hold`` does once."""


@generic
def scale_averages(scorer, factor):
    """Multiply all that was summed up over time, not the hypothesis."""
    scale_array(scorer.lag, factor)


@inline
def scale_array(sums, factor):
    """sums *= factor, in a loop: nothing is allocated."""
    for j in range(sums.shape[0]):
        sums[j] *= factor


# Another scale of the features


@generic
def rescale_hypothesis(scorer: Any, ratio: np.ndarray, shift: np.ndarray, age: int) -> None:
    """Change the scorer after ``age`` rows so that it scores features on a new scale as before on the old one; its mean too.

    Features z = (x - m) / s become z' = (x - m') / s'. With ratio = s' / s and shift = (m' - m) / s, z = ratio · z' + shift, so
    w·z - b_r = (ratio · w)·z' - (b_r - shift·w).
    """
    raise ValueError("scale='settled' is not available for this algorithm, because it cannot be rescaled; use scale='standard'")


# State: for undoing, for model files, and for reading


@generic
def buffer_fields(scorer: Any) -> tuple[str, ...]:
    """The fields that are room to work in, or follow from the parameters: no part of what was learned."""
    return ()


@generic
def without_layout(scorer: Any) -> Any:
    """The scorer without what only says how it is laid out in memory."""
    return scorer


@generic
def changes_all_columns(scorer: Any) -> bool:
    """Whether learning a row may change any column, whatever the parts of the scorer say of themselves."""
    return False


@generic
def clear_buffers(scorer: Any) -> None:
    """Empty the room to work in, where it has to be empty between examples."""


class Learned(NamedTuple):
    """An array that is learned."""

    name: str
    array: np.ndarray
    has_columns: bool  # one a feature, or one a row of the support
    is_local: bool  # an update changes the columns of its row only


def arrays_of(scorer: Any, prefix: str = "", is_swept: bool = False) -> Iterator[Learned]:
    """Every array that is learned, however deep."""
    scorer = without_layout(scorer)
    is_swept = is_swept or changes_all_columns(scorer)
    beside, with_columns, moving = buffer_fields(scorer), column_fields(scorer), local_fields(scorer)
    for name, part in zip(scorer._fields, scorer):
        if name in beside:
            continue
        if isinstance(part, np.ndarray):
            yield Learned(prefix + name, part, name in with_columns, name in moving and not is_swept)
        elif hasattr(part, "_asdict"):
            yield from arrays_of(part, f"{prefix}{name}.", is_swept)


def check_scorer(scorer: Any, n_features: int) -> None:
    """Raise ValueError if anything that a scorer of a model file has learned is out of range."""
    for one in arrays_of(scorer):
        check_numbers(one.name, one.array)
    _check_parts(scorer, "", n_features)


def _check_parts(part: Any, prefix: str, n_features: int) -> None:
    part = without_layout(part)
    check_learned(part, prefix, n_features)
    for name, inner in zip(part._fields, part):
        if hasattr(inner, "_asdict") and name not in buffer_fields(part):
            _check_parts(inner, f"{prefix}{name}.", n_features)


def _names(fields_of: Callable[[Any], tuple[str, ...]], scorer: Any) -> tuple[str, ...]:
    return tuple(name for name in fields_of(scorer) if name in scorer._fields)


@generic
def trimmed(scorer: Any, columns: int | None) -> Any:
    """The scorer without room to spare, with so many columns or with all of them."""
    parts = scorer._asdict()
    for name, part in parts.items():
        if hasattr(part, "_asdict"):
            parts[name] = trimmed(part, columns)
        elif columns is not None and name in _names(column_fields, scorer) and part.shape[-1]:
            parts[name] = part[..., :columns]
    return type(scorer)(**parts)


def with_numbers(scorer: Any, like: Any) -> Any:
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
