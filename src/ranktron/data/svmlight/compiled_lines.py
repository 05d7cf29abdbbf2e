"""The compiled parser of LETOR and svmlight lines: the twin of ``line.read_line``.

It parses the plain lines, which are almost all, and leaves the others to ``line``. A text begins with a line and ends with one.
The ``PADDING`` bytes after its end may be loaded, but never affect the result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile.generic import inline
from ...compile.policy import Loop
from .compiled_numbers import EXACT_POWERS, MINUS, NOUGHT, digits_in, number
from .compiled_words import WIDTH, byte_at, digits_among, equal_in, leading_zeros, ones, trailing_zeros, word_at
from .line import GREATEST

SPACE, TAB, NEWLINE, RETURN, COLON, HASH, LETTER_Q = (ord(letter) for letter in " \t\n\r:#q")
QUERY = np.uint64(int.from_bytes(b"qid:", "little"))
FOUR_LETTERS = np.uint64(0xFFFFFFFF)
TWO_LETTERS, NOUGHT_POINT = np.uint64(0xFFFF), np.uint64(int.from_bytes(b"0.", "little"))
EIGHT, BYTE, NINE = np.uint64(8), np.uint64(0xFF), np.uint64(ord("9"))
MASKS = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
ONE, ALL = np.uint64(1), np.uint64(2**64 - 1)
LABELLED, HAS_QUERY = 1, 2  # which parts of a line have been parsed


@Loop
def count_lines(text: Any, start: int, stop: int, counts: Any) -> None:
    """Count lines, and digits before a colon: upper limits of the numbers of rows and of features."""
    lines = pairs = np.int64(0)
    while start < stop:
        wanted = ALL if stop - start >= WIDTH else (ONE << np.uint64(stop - start)) - ONE
        lines += ones(equal_in(text, start, NEWLINE) & wanted)
        pairs += ones(equal_in(text, start + 1, COLON) & digits_among(text, start) & wanted)
        start += WIDTH
    counts[0], counts[1] = lines, pairs


@Loop
def read_lines(text: Any, start: int, stop: int, limits: Any, columns: Any, counts: Any) -> int:
    """Parse lines into ``columns``. Returns the start of the first line that needs the Python parser, or ``stop``.

    ``counts`` holds the numbers of rows and features so far, and the lowest and the highest index among them.
    """
    row, stored, lowest, highest = counts[0], counts[1], counts[2], counts[3]
    needed = LABELLED | HAS_QUERY if limits.asks else LABELLED
    while start < stop:
        place, seen, label, query, last, after = _line(text, start, limits, columns.indices, columns.values, stored)
        if place < 0 or (seen and seen & needed != needed) or (seen and row >= columns.y.shape[0]):
            break
        end = _line_end(text, place)
        if seen:
            _store(columns, np.uint64(row), label, query, after - stored, place, end)
            row += 1
        if after > stored:
            lowest, highest = min(lowest, np.int64(columns.indices[stored])), max(highest, last - limits.first)
        start, stored = end + 1, after
    counts[0], counts[1], counts[2], counts[3] = row, stored, lowest, highest
    return start


@Loop
def widest_line(text: Any, start: int, stop: int) -> Any:
    """The highest ``line.last_index`` of all lines."""
    greatest: Any = np.int64(-1)
    place = start
    while place < stop:
        digit, end = _last_pair(text, place)
        if digit >= 0:
            begin = digit
            while begin > start and 0 <= byte_at(text, begin - 1) - NOUGHT <= 9:
                begin -= 1
            index = _index(text, begin)[0]
            greatest = max(greatest, index if index >= 0 else GREATEST)
        place = _line_end(text, end) + 1
    return greatest


@inline
def _last_pair(text: Any, place: int) -> Any:
    """The last digit before a colon, or -1, and where the comment begins or the line ends."""
    digit = np.int64(-1)
    while True:
        ends = equal_in(text, place, NEWLINE) | equal_in(text, place, HASH)
        pairs = digits_among(text, place) & equal_in(text, place + 1, COLON)
        if ends:
            pairs &= (ends & (~ends + ONE)) - ONE  # keep the bits below the lowest one of ``ends``
        if pairs:
            digit = place + WIDTH - 1 - np.int64(leading_zeros(pairs))
        if ends:
            return digit, place + trailing_zeros(ends)
        place += WIDTH


@inline
def _line_end(text: Any, place: int) -> Any:
    ends = equal_in(text, place, NEWLINE)
    while ends == 0:
        place += WIDTH
        ends = equal_in(text, place, NEWLINE)
    return place + trailing_zeros(ends)


@inline
def _store(columns: Any, row: Any, label: float, query: int, size: int, begin: int, end: int) -> None:
    columns.y[row], columns.qid[row], columns.sizes[row] = label, query, size
    if columns.marks.shape[0]:
        columns.marks[row, 0], columns.marks[row, 1] = begin, end


@inline
def _line(text: Any, place: int, limits: Any, indices: Any, values: Any, stored: int) -> Any:
    """Parse the line at ``place``.

    Returns where its comment begins or where it ends, -1 if Python has to parse it; which parts it has, the label, the query, the
    last index; and the number of features so far.
    """
    seen, label, query, index = 0, 0.0, np.int64(0), np.int64(limits.first - 1)
    place = _skip(text, place)
    while place >= 0 and byte_at(text, place) != NEWLINE and byte_at(text, place) != HASH:
        if byte_at(text, place) == LETTER_Q:
            query, place = _query(text, place, seen)
            seen |= HAS_QUERY
        elif seen & LABELLED:
            place, index, stored = _features(text, place, index, limits, indices, values, stored)
        else:
            label, place = number(text, place)
            place = _token_end(text, place)
            seen |= LABELLED
    return place, seen, label, query, index, stored


@inline
def _features(text: Any, place: int, index: Any, limits: Any, indices: Any, values: Any, stored: int) -> Any:
    """Parse one or more features. The returned place is -1 if one is malformed, or out of order.

    Most often an index is one more than the index before it. Its digits are known then, and one comparison finds them.
    """
    expected, size = _digits_of(index + 1)
    while True:
        if word_at(text, place) & MASKS[np.uint64(size)] == expected:
            column, place = index + 1, place + size - 1
        else:
            column, place = _index(text, place)
            expected, size = _digits_of(column)
        if column <= index or column > limits.most or byte_at(text, place) != COLON or stored >= values.shape[0]:
            return np.int64(-1), index, stored
        value, place = _short(text, place + 1)
        values[np.uint64(stored)], indices[np.uint64(stored)] = value, column - limits.first
        place = _token_end(text, place)
        index, stored = column, stored + 1
        if place < 0 or not 0 <= byte_at(text, place) - NOUGHT <= 9:
            return place, index, stored
        expected, size = _following(expected, size, index)


@inline
def _short(text: Any, place: int) -> Any:
    """A number and the place after it; "0." with up to seven digits, the most common form, takes a short way."""
    if word_at(text, place) & TWO_LETTERS == NOUGHT_POINT:
        count, digits = digits_in(word_at(text, place + 2))
        after = place + 2 + count
        if count < 8 and byte_at(text, after) <= SPACE:
            return np.float64(digits) / EXACT_POWERS[np.uint64(count)], after
    return number(text, place)


@inline
def _digits_of(column: int) -> Any:
    """The digits of a column and a colon as a word, the first in the lowest bits, and their count; the word is 0 if too long."""
    word, size, rest = np.uint64(COLON), 1, column
    while size < 8:
        word, size = (word << EIGHT) | np.uint64(NOUGHT + rest % 10), size + 1
        rest //= 10
        if rest == 0:
            break
    return (word if rest == 0 else np.uint64(0)), size


@inline
def _following(expected: Any, size: int, column: int) -> Any:
    """``_digits_of(column + 1)``, from the digits of ``column``."""
    shift = np.uint64(8 * size - 16)
    if expected and (expected >> shift) & BYTE != NINE:
        return expected + (ONE << shift), size
    return _digits_of(column + 1)


@inline
def _index(text: Any, place: int) -> Any:
    """The digits at ``place`` as a number, -1 if there are none or too many, and the place after them."""
    begin, column = place, np.int64(0)
    digit = byte_at(text, place) - NOUGHT
    while 0 <= digit <= 9:
        column = column * 10 + digit
        place += 1
        digit = byte_at(text, place) - NOUGHT
    return (column if 1 <= place - begin <= 18 else np.int64(-1)), place


@inline
def _query(text: Any, place: int, seen: int) -> Any:
    """The number after "qid:", and the place after it."""
    if seen & HAS_QUERY or word_at(text, place) & FOUR_LETTERS != QUERY:
        return np.int64(0), np.int64(-1)
    negative = byte_at(text, place + 4) == MINUS
    query, place = _index(text, place + 5 if negative else place + 4)
    return (-query if negative else query), _token_end(text, place if query >= 0 else np.int64(-1))


@inline
def _token_end(text: Any, place: Any) -> Any:
    """Where the next token begins, if one ends at ``place``, or -1."""
    if place < 0:
        return place
    if byte_at(text, place) == SPACE and byte_at(text, place + 1) > SPACE:
        return place + 1
    following = _skip(text, place)
    c = byte_at(text, place)
    return following if following > place or c in (NEWLINE, HASH) else np.int64(-1)


@inline
def _skip(text: Any, place: int) -> Any:
    """The place after white space that does not end the line."""
    c = byte_at(text, place)
    while c == SPACE or (TAB <= c <= RETURN and c != NEWLINE):
        place += 1
        c = byte_at(text, place)
    return place
