"""JSON Lines: one mapping per line."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...svmlight.line import BadLine
from ..block import Block
from ..cells import EXACT, as_objects, as_whole
from ..encoding import Encoder
from ..inputs import Input
from ..reader import Options, Parsed
from ..records import Lines
from ..tables import check_column, listed
from ..text_blocks import TextBlock
from ..text_files import TextReader

_decode = json.JSONDecoder().decode


class LinesOfJson(Lines):
    """Lines, of which none are comments."""

    _blank = re.compile(rb"\s*+")


class Row(NamedTuple):
    """A mapping with its features, its target and its query, and where its line begins."""

    begin: int
    mapping: dict[str, Any]
    features: dict[str, float]
    target: Any
    query: Any


class JsonLines(TextReader):
    """The reader of JSON Lines."""

    format = "jsonl"
    is_threaded = False  # Python's JSON parser holds the lock
    records = LinesOfJson()

    def __init__(self, options: Options, inputs: list[Input]) -> None:
        super().__init__(options, inputs)
        self.encoder = Encoder(options.names, options.hash_bits, options.grow)
        self.ignored = {*options.drop, options.target, options.query}
        self.text = {*options.text, *(column for column, kind in options.kinds.items() if kind == "text")}
        self.has_numbers = self.has_whole_queries = False

    @property
    def names(self) -> list[str] | None:
        return self.encoder.names

    @property
    def schema(self) -> dict[str, Any]:
        options = self.options
        roles = {"target": options.target, "query": options.query, "drop": list(options.drop)}
        return {**roles, "as_text": sorted(self.text), "hash_bits": options.hash_bits}

    @property
    def encoding(self) -> str:
        """How text becomes numbers."""
        if self.options.hash_bits is not None:
            return f"names of features are hashed into 2^{self.options.hash_bits} columns, text as name=text"
        return "text is one-hot encoded: each value becomes a feature, name=text"

    def settle(self, text: TextBlock) -> None:
        """Decide whether targets and queries are numbers."""
        rows: list[dict[Any, Any]] = []
        for begin, end in self.records.rows(text.data, text.size):
            with contextlib.suppress(BadLine):
                rows.append(loaded(text.data[begin:end]))
        if not rows:
            return
        self._check_roles(sorted({name for row in rows for name in _names(row)}))
        targets = [row[self.options.target] for row in rows if row.get(self.options.target) is not None]
        queries = [row[self.options.query] for row in rows if row.get(self.options.query) is not None]
        self.has_numbers = not any(isinstance(target, str) for target in targets)
        self.has_whole_queries = all(_is_whole(query) for query in queries)

    def _check_roles(self, names: list[str]) -> None:
        options = self.options
        for role, needed in (("target", options.labelled), ("query", options.lists)):
            column = getattr(options, role)
            if column is None and needed:
                what = "the target" if role == "target" else "the query of a row"
                raise ValueError(f"{self.name} has the columns {listed(names)}: say which one is {what} (--{role})")
            if column is not None and (needed or not options.is_known):
                check_column(column, names, self.name, f"be the {role}")
        for column in () if options.is_known else (*options.drop, *options.text):
            check_column(column, names, self.name, "drop" if column in options.drop else "take as text")

    def key(self, record: bytes) -> Any:
        try:
            query = loaded(record).get(self.options.query or "")
        except BadLine:
            return record
        return query if isinstance(query, str | int | float) else record

    def parse(self, text: TextBlock, skip: bool) -> Parsed:
        rows: list[Row] = []
        bad: list[tuple[int, str]] = []
        for begin, end in self.records.rows(text.data, text.size):
            try:
                mapping = loaded(text.data[begin:end])
                features = features_of(mapping, self.ignored, self.text)
                rows.append(Row(begin, mapping, features, self._target(mapping), self._query(mapping)))
            except BadLine as error:
                if not skip:
                    raise BadLine(str(error), place=begin) from None
                bad.append((begin, str(error)))
        return Parsed(rows, bad, lambda row: rows[row].begin, lambda: [row.mapping for row in rows])

    def _target(self, mapping: dict[str, Any]) -> Any:
        column = self.options.target
        if mapping.get(column or "") is None and not self.options.labelled:
            return None
        return _value(mapping, "target", column, _is_number if self.has_numbers else None, "a number")

    def _query(self, mapping: dict[str, Any]) -> Any:
        column = self.options.query
        if column is None or (column not in mapping and not self.options.lists):
            return None
        return _value(mapping, "query", column, _is_whole if self.has_whole_queries else None, "a whole number")

    def to_block(self, parsed: Parsed) -> Block:
        _, _, features, targets, queries = (list(column) for column in zip(*parsed.rows)) if parsed.rows else [[]] * 5
        rows = self.encoder.rows_of_mappings(features)
        y, qid = _column(targets, self.has_numbers), _column(queries, self.has_whole_queries)
        return Block(rows, self.encoder.n_columns, self.names, y, qid, read=parsed.read)


def _value(mapping: dict[str, Any], role: str, column: str | None, fits: Callable[[Any], bool] | None, kind: str) -> Any:
    """The target or the query of a mapping: a number that ``fits``, or text if there is no such condition."""
    value = mapping.get(column or "")
    if value is None:
        raise BadLine(f"the {role} is missing: there is no {column!r}")
    if isinstance(value, dict | list) or (fits is not None and not fits(value)):
        what = "text" if fits is None else f"{kind}, as those before it are"
        raise BadLine(f"the {role} {value!r:.60} is not {what}")
    return as_text(value) if fits is None else value


def _column(values: list[Any], is_number: bool) -> np.ndarray | None:
    """Targets or queries as an array; None if any is missing."""
    if None in values:
        return None
    if not is_number:
        return as_objects(values)
    if all(isinstance(value, int) for value in values):
        return np.array(values, np.int64)
    return as_whole(np.array(values, np.float64))


def _names(mapping: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in mapping.items():
        yield prefix + key
        if isinstance(value, dict):
            yield from _names(value, f"{prefix}{key}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) < EXACT


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and -(2**63) <= value < 2**63


def loaded(record: bytes) -> dict[str, Any]:
    """Parse a line.

    >>> loaded(b'{"stars": 4, "city": "Rome"}')
    {'stars': 4, 'city': 'Rome'}
    """
    try:
        value = _decode(record.decode())
    except UnicodeDecodeError:
        raise BadLine("it is not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise BadLine(f"it is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadLine(f'it holds a {type(value).__name__} where a mapping is expected, as in {{"stars": 4, "price": 3.5}}')
    return value


def features_of(mapping: dict[str, Any], ignored: set[Any], text: set[str]) -> dict[str, float]:
    """The features of a mapping: numbers by their names, text as name=text, and mappings inside it as name.name.

    Names in ``ignored`` are left out; those in ``text`` are text even if their values are numbers.

    >>> features_of({"price": 3.5, "city": "Rome", "tags": ["a", "b"], "user": {"age": 3}, "new": True}, set(), set())
    {'price': 3.5, 'city=Rome': 1.0, 'tags=a': 1.0, 'tags=b': 1.0, 'user.age': 3.0, 'new': 1.0}
    """
    found: dict[str, float] = {}
    try:
        for name, value in mapping.items():
            if type(value) is float and name not in ignored and name not in text:  # the common case, made fast
                found[name] = value
            else:
                found.update(_features(name, value, ignored, text))
        return found
    except OverflowError:
        raise BadLine("a number in it is too large") from None
    except RecursionError:
        raise BadLine("mappings are nested too deeply") from None


def _features(name: str, value: Any, ignored: set[Any], text: set[str]) -> Iterator[tuple[str, float]]:
    if value is None or name in ignored:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _features(f"{name}.{key}", item, ignored, text)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _item(name, place, item, text)
    elif isinstance(value, str) or name in text:
        yield f"{name}={as_text(value)}", 1.0
    else:
        yield name, float(value)


def _item(name: str, place: int, item: Any, text: set[str]) -> Iterator[tuple[str, float]]:
    """Text in a list is a feature by its value, a number by its place."""
    if isinstance(item, dict | list):
        raise BadLine(f"{name!r:.60} is a list of lists or mappings; expected a list of text or numbers")
    if isinstance(item, str) or (item is not None and name in text):
        yield f"{name}={as_text(item)}", 1.0
    elif item is not None:
        yield f"{name}.{place}", float(item)


def as_text(value: Any) -> str:
    """Text itself, or the JSON of any other value."""
    return value if isinstance(value, str) else json.dumps(value)
