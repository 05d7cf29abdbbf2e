"""JSON Lines: one mapping per line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..block import Block
from ..cells import EXACT, as_objects, as_whole
from ..encoding import Encoder
from ..inputs import Input
from ..reader import Options, Parsed, TextReader, bad_line
from ..records import Lines
from ..tables import listed, refuse_column
from ..text_blocks import TextBlock

_decode = json.JSONDecoder().decode


class LinesOfJson(Lines):
    """Lines, of which none are comments."""

    _blank = re.compile(rb"\s*+")


class ParsedMappings(Parsed):
    """Mappings with their features, targets and queries, and where their lines begin."""

    def __init__(self) -> None:
        self.bad = []
        self.begins: list[int] = []
        self.source: list[dict[str, Any]] = []
        self.features: list[dict[str, float]] = []
        self.targets: list[Any] = []
        self.queries: list[Any] = []

    def add(self, begin: int, mapping: dict[str, Any], features: dict[str, float], target: Any, query: Any) -> None:
        """Append a row."""
        self.begins.append(begin)
        self.source.append(mapping)
        self.features.append(features)
        self.targets.append(target)
        self.queries.append(query)

    def begin_of(self, row: int) -> int:
        """Where the line of a row begins."""
        return self.begins[row]


class JsonLines(TextReader[ParsedMappings]):
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
        """The names of the columns so far."""
        return self.encoder.names

    @property
    def schema(self) -> dict[str, Any]:
        """What another file is read by."""
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
        rows = [value for _, value in self._mappings(text) if isinstance(value, dict)]
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
            if column is not None and column not in names and (needed or not options.is_known):
                refuse_column(column, names, self.name, f"be the {role}")
        for column in (*options.drop, *options.text):
            if column not in names and not options.is_known:
                refuse_column(column, names, self.name, "drop" if column in options.drop else "take as text")

    def key(self, record: bytes) -> Any:
        """The query of a line."""
        try:
            query = loaded(record).get(self.options.query or "")
        except BadValue:
            return record
        return query if isinstance(query, str | int | float) else record

    def _mappings(self, text: TextBlock) -> Iterator[tuple[int, Any]]:
        """Where each line begins, and its mapping or its error."""
        begin = 0
        for end in self.records.ends(text.data, text.size, True).tolist():
            record = text.data[begin:end]
            if not self.records.is_blank(record):
                try:
                    yield begin, loaded(record)
                except BadValue as error:
                    yield begin, error
            begin = end

    def parse(self, text: TextBlock, skip: bool) -> ParsedMappings:
        """Parse all lines; with ``skip``, all good ones."""
        found = ParsedMappings()
        for begin, value in self._mappings(text):
            try:
                if isinstance(value, BadValue):
                    raise value
                found.add(begin, value, *self._row(value))
            except BadValue as error:
                if not skip:
                    raise bad_line(begin, str(error)) from None
                found.bad.append((begin, str(error)))
        return found

    def _row(self, mapping: dict[str, Any]) -> tuple[dict[str, float], Any, Any]:
        return features_of(mapping, self.ignored, self.text), self._target(mapping), self._query(mapping)

    def _target(self, mapping: dict[str, Any]) -> Any:
        target = mapping.get(self.options.target or "")
        if target is None:
            if self.options.labelled:
                raise BadValue(f"the target is missing: there is no {self.options.target!r}")
            return None
        if isinstance(target, dict | list) or (self.has_numbers and not _is_number(target)):
            what = "a number, as those before it are" if self.has_numbers else "text"
            raise BadValue(f"the target {target!r:.60} is not {what}")
        return target if self.has_numbers else as_text(target)

    def _query(self, mapping: dict[str, Any]) -> Any:
        if self.options.query is None or (self.options.query not in mapping and not self.options.lists):
            return None
        query = mapping.get(self.options.query)
        if query is None:
            raise BadValue(f"the query is missing: there is no {self.options.query!r}")
        if isinstance(query, dict | list) or (self.has_whole_queries and not _is_whole(query)):
            what = "a whole number, as those before it are" if self.has_whole_queries else "text"
            raise BadValue(f"the query {query!r:.60} is not {what}")
        return query if self.has_whole_queries else as_text(query)

    def to_block(self, parsed: ParsedMappings) -> Block:
        """Rows with the columns known by now."""
        rows = self.encoder.rows_of_mappings(parsed.features)
        y = None if None in parsed.targets else self._column(parsed.targets, self.has_numbers)
        qid = None if None in parsed.queries else self._column(parsed.queries, self.has_whole_queries)
        return Block(rows, self.encoder.n_columns, self.names, y, qid, source=lambda: parsed.source)

    def _column(self, values: list[Any], is_number: bool) -> np.ndarray:
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


class BadValue(Exception):
    """Why a line cannot be a row."""


def loaded(record: bytes) -> dict[str, Any]:
    """Parse a line.

    >>> loaded(b'{"stars": 4, "city": "Rome"}')
    {'stars': 4, 'city': 'Rome'}
    """
    try:
        value = _decode(record.decode())
    except UnicodeDecodeError:
        raise BadValue("it is not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise BadValue(f"it is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadValue(f'it holds a {type(value).__name__} where a mapping is expected, as in {{"stars": 4, "price": 3.5}}')
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
        raise BadValue("a number in it is too large") from None
    except RecursionError:
        raise BadValue("mappings are nested too deeply") from None


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
        raise BadValue(f"{name!r:.60} is a list of lists or mappings; expected a list of text or numbers")
    if isinstance(item, str) or (item is not None and name in text):
        yield f"{name}={as_text(item)}", 1.0
    elif item is not None:
        yield f"{name}.{place}", float(item)


def as_text(value: Any) -> str:
    """Text itself, or the JSON of any other value."""
    return value if isinstance(value, str) else json.dumps(value)
