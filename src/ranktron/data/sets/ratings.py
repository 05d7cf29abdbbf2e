"""Ratings: columns of numbers read from text, made into ``Ratings``, and checked.

Numbers have the results of Python's ``float``, but without a loop over the lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..svmlight.line import BadDataFile, BadLine, shown
from .files import DataSet

_POWERS = 10 ** np.arange(16)
# A whole number of at most 15 digits is exact, so dividing it by a power of ten rounds as ``float`` does.
_MOST_DIGITS = 15
_NEWLINE, _DOT, _MINUS, _ZERO = b"\n.-0"
# Ids below this are numbered by a table with one place per id, others by sorting.
_LARGEST_TABLE = 10_000_000
# Ratings are checked in parts of this size, to limit memory.
_ROWS = 1_000_000


class Ratings(NamedTuple):
    """One entry per rating; people and items are numbered from 0 in the order in which they first appear."""

    people: np.ndarray
    items: np.ndarray
    ratings: np.ndarray
    # The ids of persons 0, 1, … in the data set.
    names_people: np.ndarray
    # The ids of items 0, 1, … in the data set.
    names_items: np.ndarray
    # Seconds since 1970, if the data set has times.
    times: np.ndarray | None = None


class Fields(NamedTuple):
    """The characters of a text, and the places where every field starts and stops."""

    codes: np.ndarray
    starts: np.ndarray
    stops: np.ndarray


def read_columns(
    name: object, texts: Iterable[bytes], delimiters: bytes, types: Sequence[Any], skip: int = 0
) -> list[np.ndarray]:
    """One array per column, of its type. Delimiters in a row count as one, and the first ``skip`` lines are left out.

    >>> read_columns("ratings.dat", [b"1::1193::5\\n1::661::3.5\\n"], b":", [int, int, float])
    [array([1, 1]), array([1193,  661]), array([5. , 3.5])]
    """
    parts: list[list[np.ndarray]] = [[np.empty(0, type)] for type in types]
    before = 0
    for text in texts:
        for _ in range(max(0, skip - before)):
            text, before = text[text.find(b"\n") + 1 :], before + 1
        try:
            table = numbers(fields_of(text, delimiters, len(types))).reshape(-1, len(types))
        except BadLine as error:
            raise BadDataFile(f"{name}, line {before + error.line}: {error}") from None
        for place, (part, type) in enumerate(zip(parts, types, strict=True)):
            part.append(_of_type(name, table[:, place], place, type))
        before += text.count(b"\n")
    return [np.concatenate(parts.pop(0)) for _ in types]  # frees the parts of a column before the next one is joined


def _of_type(name: object, column: np.ndarray, place: int, type: Any) -> np.ndarray:
    """The column in its type; integer columns have to hold whole numbers from 0 on."""
    if np.issubdtype(type, np.integer):
        off = column[~((column >= 0) & (column == np.rint(column)))]
        if len(off):
            raise BadDataFile(f"{name}: column {place + 1} should hold whole numbers from 0 on, not {off[0]:g}")
    return column.astype(type)


def fields_of(text: bytes, delimiters: bytes, width: int) -> Fields:
    """The fields of the text; every line that is not blank should have ``width`` fields."""
    is_inside = np.ones(256, bool)
    is_inside[list(delimiters + b"\n\r")] = False
    codes = np.frombuffer(b"\n" + text + b"\n", np.uint8)
    inside = is_inside[codes]
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, stops = edges[::2], edges[1::2]
    counts = np.diff(np.searchsorted(starts, np.flatnonzero(codes == _NEWLINE)))
    wrong = np.flatnonzero((counts != width) & (counts != 0))
    if len(wrong):
        raise BadLine(f"it has {counts[wrong[0]]} fields; expected {width}", line=int(wrong[0]) + 1)
    return Fields(codes, starts, stops)


def numbers(fields: Fields) -> np.ndarray:
    """The numbers in the fields. Those of a sign, digits and a point are converted together, others by ``float``.

    >>> numbers(fields_of(b"-9.27,99,1e3", b",", 3))
    array([  -9.27,   99.  , 1000.  ])
    """
    codes, starts, stops = fields
    if not len(starts):
        return np.empty(0)
    digits = codes - np.uint8(_ZERO)
    is_digit = digits < 10
    seen = np.cumsum(is_digit, dtype=np.int32)
    whole, places, dots = _values(fields, digits * is_digit, seen), *_decimals(fields)
    is_negative = codes[starts] == _MINUS
    n_digits = seen[stops - 1] - seen[starts - 1]
    values: np.ndarray = np.where(is_negative, -whole, whole) / _POWERS.take(places, mode="clip")
    is_plain = (n_digits + dots + is_negative == stops - starts) & (dots < 2) & (n_digits > 0) & (n_digits <= _MOST_DIGITS)
    for field in np.flatnonzero(~is_plain).tolist():
        values[field] = _one(fields, field)
    return values


def _values(fields: Fields, digits: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """The digits of every field as one whole number: the sum of each digit times ten to the number of digits after it."""
    _, starts, stops = fields
    first = starts[0]
    lengths = np.diff(np.append(starts, len(digits)))
    behind = np.repeat(seen[stops - 1], lengths) - seen[first:]
    whole: np.ndarray = np.add.reduceat(digits[first:] * _POWERS.take(behind, mode="clip"), starts - first)
    return whole


def _decimals(fields: Fields) -> tuple[np.ndarray, np.ndarray]:
    """The number of decimals of every field, and its number of points."""
    points = np.flatnonzero(fields.codes == _DOT)
    owners = np.searchsorted(fields.starts, points, "right") - 1
    points, owners = points[owners >= 0], owners[owners >= 0]
    points, owners = points[points < fields.stops[owners]], owners[points < fields.stops[owners]]
    places = np.zeros(len(fields.starts), np.int64)
    places[owners] = fields.stops[owners] - points - 1
    return places, np.bincount(owners, minlength=len(places))


def _one(fields: Fields, field: int) -> float:
    text = fields.codes[fields.starts[field] : fields.stops[field]].tobytes()
    try:
        return float(text.decode())
    except ValueError:
        line = int(np.count_nonzero(fields.codes[: fields.starts[field]] == _NEWLINE))
        raise BadLine(f"{shown(text)} is not a number", line=line) from None


class RatingsSize(NamedTuple):
    """The numbers of ratings, people and, if it is known, items of a data set."""

    ratings: int
    people: int
    items: int | None = None

    @classmethod
    def of(cls, ratings: Ratings) -> RatingsSize:
        """The size of these ratings."""
        return cls(len(ratings.ratings), len(ratings.names_people), len(ratings.names_items))

    def __str__(self) -> str:
        size = f"{self.ratings:,} ratings by {self.people:,} people"
        return size if self.items is None else f"{size} of {self.items:,} items"


def numbered(ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number ids from 0 in the order in which they first appear; returns the numbers, and the id of every number.

    Ids are whole and not negative.

    >>> numbered(np.array([7, 3, 7, 5]))
    (array([0, 1, 0, 2], dtype=int32), array([7, 3, 5]))
    """
    if not len(ids):
        return ids.astype(np.int32), ids
    if ids.max() >= _LARGEST_TABLE:
        known, ids = np.unique(ids, return_inverse=True)
        numbers, order = numbered(ids)
        return numbers, known[order]
    first = np.full(int(ids.max()) + 1, len(ids))
    first[ids[::-1]] = np.arange(len(ids))[::-1]  # the last assignment counts: the first place in the file
    names = np.flatnonzero(first < len(ids))
    names = names[np.argsort(first[names])]
    place = np.zeros(len(first), np.int32)
    place[names] = np.arange(len(names))
    return place[ids], names.astype(ids.dtype)


def ratings_of(people: np.ndarray, items: np.ndarray, ratings: np.ndarray, times: np.ndarray | None = None) -> Ratings:
    """Ratings from columns of ids."""
    people, names_people = numbered(people)
    items, names_items = numbered(items)
    return Ratings(people, items, ratings, names_people, names_items, times)


def pair_keys(ratings: Ratings) -> np.ndarray:
    """One number for every pair of a person and an item."""
    keys: np.ndarray = ratings.people.astype(np.int64)
    keys *= max(1, len(ratings.names_items))
    keys += ratings.items
    return keys


def check_levels(file: object, ratings: np.ndarray, low: float, high: float, step: float) -> None:
    """Refuse a rating outside the scale, or between its steps if ``step`` is not 0."""
    for start in range(0, len(ratings), _ROWS):
        some = ratings[start : start + _ROWS]
        is_on = (some >= low) & (some <= high)
        if step:
            steps = np.where(is_on, (some - low) / step, 0.0)
            is_on &= abs(steps - np.rint(steps)) < 1e-6
        if not is_on.all():
            row = start + int(np.flatnonzero(~is_on)[0])
            scale = f"{low:g} to {high:g}" + (f" in steps of {step:g}" if step else "")
            raise BadDataFile(f"{file}: the rating in row {row + 1} is {ratings[row]:g}; ratings are {scale}")


def check_pairs(file: object, ratings: Ratings) -> None:
    """Refuse a pair of a person and an item with two ratings."""
    keys = pair_keys(ratings)
    keys.sort()
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice):
        person, item = divmod(int(keys[twice[0]]), len(ratings.names_items))
        raise BadDataFile(
            f"{file}: person {ratings.names_people[person]} rates item {ratings.names_items[item]} more than once, one of"
            f" {len(twice):,} such rows; the data set has every pair once; get it again"
        )


def check_size(data_set: DataSet, file: object, name: str, whole: RatingsSize | None, ratings: Ratings, partial: bool) -> None:
    """Refuse an empty copy, and an incomplete one unless ``partial`` allows it."""
    size = RatingsSize.of(ratings)
    if not size.ratings:
        raise BadDataFile(f"{file} holds no ratings; get it again")
    if whole is not None and whole.items is None:
        size = size._replace(items=None)
    if whole is not None and size != whole and not partial:
        data_set.refuse_part(file, f"{name} has {whole}", str(size))
