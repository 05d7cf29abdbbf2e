"""How a text is divided into records: `Lines`, or `Quoted` records, in which a quoted field may hold line ends and delimiters."""

from __future__ import annotations

import abc
import re
from collections.abc import Iterator

import numpy as np

# The most bytes between two quotes. A quote without a partner within that distance is a stray one.
LONGEST_QUOTED = 1 << 20

BAD_QUOTES = -1
_QUOTE, _NEWLINE, _RETURN = b'"\n\r'


class Records(abc.ABC):
    """What a text format says about its records. ``ended`` means that the input ends with ``data``."""

    # Matches the records that hold no row.
    _blank: re.Pattern[bytes]

    @abc.abstractmethod
    def end(self, data: bytes, at: int, ended: bool) -> int:
        """The first end of a record at ``at`` or after it; 0 if ``data`` does not reach it."""

    @abc.abstractmethod
    def scan(self, data: bytes, size: int, ended: bool) -> tuple[np.ndarray, np.ndarray]:
        """The ends of all records that are complete, and the number of fields of each.

        That is ``BAD_QUOTES`` for a record that may change how those after it are read, as a stray quote does.
        """

    def ends(self, data: bytes, size: int, ended: bool) -> np.ndarray:
        """The ends of all records that are complete."""
        return self.scan(data, size, ended)[0]

    def is_blank(self, record: bytes) -> bool:
        """Whether a record holds no row."""
        return self._blank.fullmatch(record) is not None

    def rows(self, data: bytes, size: int, ended: bool = True) -> Iterator[tuple[int, int]]:
        """Where each complete record with a row begins and ends."""
        begin = 0
        for end in self.ends(data, size, ended).tolist():
            if not self.is_blank(data[begin:end]):
                yield begin, end
            begin = end

    def first_row(self, data: bytes, size: int) -> int:
        """Where the first record with a row begins; ``size`` if there is none."""
        found = self._blank.match(data, 0, size)
        return found.end() if found else 0


class Lines(Records):
    """Every line is a record of one field. White space and comments are no rows."""

    _blank = re.compile(rb"(?:\s++|#[^\n]*+(?:\n|\Z))*+")

    def end(self, data: bytes, at: int, ended: bool) -> int:
        return data.find(b"\n", max(at - 1, 0)) + 1

    def scan(self, data: bytes, size: int, ended: bool) -> tuple[np.ndarray, np.ndarray]:
        """After every line end, and where the text ends."""
        ends = closed(np.flatnonzero(np.frombuffer(data, np.uint8, size) == _NEWLINE) + 1, size, ended)
        return ends, np.ones(len(ends), np.int64)


def closed(ends: np.ndarray, size: int, ended: bool) -> np.ndarray:
    """``ends``, with the end of the text if the last record has no line end."""
    return np.append(ends, size) if ended and size > (ends[-1] if len(ends) else 0) else ends


class Quoted(Records):
    """Records of fields between delimiters of one character. Well-formed text is split by numpy.

    If a quote stands anywhere else than around a whole field, records are matched one by one. A line that does not match is a bad
    record of its own, so that a stray quote does not swallow the lines after it.
    """

    def __init__(self, delimiter: str) -> None:
        self.delimiter = ord(delimiter)
        inner = rb'"[^"]{0,%d}+(?:""[^"]{0,%d}+)*+' % (LONGEST_QUOTED, LONGEST_QUOTED)
        sign = re.escape(delimiter.encode())
        field = rb'(?:%s"|[^"\n%s]*+)' % (inner, sign)
        fields = rb"%s(?:%s%s)*+" % (field, sign, field)
        self._record = re.compile(rb"%s(?:\n|\r\n|\Z)" % fields)
        self._unclosed = re.compile(rb"(?:%s%s)*+%s\Z" % (field, sign, inner))
        self._field = re.compile(field)
        self._blank = re.compile(rb"(?:\r?\n)*+(?:\r\Z)?")

    def end(self, data: bytes, at: int, ended: bool) -> int:
        stop = data.find(b"\n", max(at - 1, 0)) + 1
        if stop == 0 or data.find(b'"', 0, stop) < 0:
            return stop
        ends = self.ends(data, len(data), ended)
        place = int(np.searchsorted(ends, at))
        return int(ends[place]) if place < len(ends) else 0

    def scan(self, data: bytes, size: int, ended: bool) -> tuple[np.ndarray, np.ndarray]:
        characters = np.frombuffer(data, np.uint8, size)
        newlines, signs = (np.flatnonzero(characters == sign) for sign in (_NEWLINE, self.delimiter))
        if data.find(b'"', 0, size) >= 0:
            quotes = np.flatnonzero(characters == _QUOTE)
            if not self._are_paired(characters, quotes, ended):
                return self._match(data, size, ended)
            newlines, signs = (places[np.searchsorted(quotes, places) % 2 == 0] for places in (newlines, signs))
        ends = closed(newlines + 1, size, ended)
        return ends, np.diff(np.searchsorted(signs, ends), prepend=0) + 1

    def fields(self, record: bytes) -> list[str]:
        """The text of the fields of a well-formed record."""
        return [_bare(field).decode() for field in self._split(record)]

    def _split(self, record: bytes) -> list[bytes]:
        record = record.removesuffix(b"\n").removesuffix(b"\r")
        sign = bytes([self.delimiter])
        if b'"' not in record:
            return record.split(sign)
        found, place = [], -1
        while place < len(record):
            match = self._field.match(record, place + 1)
            if match is None or record[match.end() : match.end() + 1] not in (b"", sign):
                raise ValueError("the quotes do not match")
            found.append(match[0])
            place = match.end()
        return found

    def _are_paired(self, characters: np.ndarray, quotes: np.ndarray, ended: bool) -> bool:
        """Whether every quote opens or closes a field, or is one of a pair inside one, and none stays open for too long."""
        opening, closing = quotes[::2], quotes[1::2]
        is_open = len(opening) > len(closing)
        if is_open and (ended or len(characters) - opening[-1] - 1 > LONGEST_QUOTED):
            return False
        if (closing - opening[: len(closing)] - 1 > LONGEST_QUOTED).any():
            return False
        before = characters[opening[opening > 0] - 1]
        after = characters[closing[closing < len(characters) - 1] + 1]
        return bool(
            np.isin(before, (self.delimiter, _NEWLINE, _QUOTE)).all()
            and np.isin(after, (self.delimiter, _NEWLINE, _RETURN, _QUOTE)).all()
        )

    def _match(self, data: bytes, size: int, ended: bool) -> tuple[np.ndarray, np.ndarray]:
        ends: list[int] = []
        counts: list[int] = []
        place = 0
        while place < size:
            end, count = self._match_one(data, place, size, ended)
            if not end:
                break
            ends.append(end)
            counts.append(count)
            place = end
        return np.array(ends, np.int64), np.array(counts, np.int64)

    def _match_one(self, data: bytes, place: int, size: int, ended: bool) -> tuple[int, int]:
        """Where the record at ``place`` ends, and the number of its fields; 0 if the data do not reach its end."""
        found = self._record.match(data, place, size)
        if found and (ended or data.endswith(b"\n", place, found.end())):
            return found.end(), len(self._split(found[0]))
        if not ended and (found or self._unclosed.match(data, place, size)):
            return 0, 0
        stop = data.find(b"\n", place, size) + 1 or (size if ended else 0)
        return stop, BAD_QUOTES


def _bare(field: bytes) -> bytes:
    return field[1:-1].replace(b'""', b'"') if field.startswith(b'"') else field
