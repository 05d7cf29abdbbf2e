"""JSON Lines: a mapping a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...svmlight.line import LONGEST
from ..cells import EXACT, as_objects, as_whole
from ..encoding import Encoder
from ..mappings import BadValue, as_text, features_of, loaded
from ..options import Options
from ..rows import Filled, Parsed, bad_line
from ..tables import listed, refuse_column
from ..texts import Lines, Text


class LinesOfJson(Lines):
    """Lines without comments."""

    _blank = re.compile(rb"\s*+")

    def is_blank(self, record: bytes) -> bool:
        """White space."""
        return not record.strip()


class Mappings(Parsed):
    """Mappings, their features, targets and queries, and where their lines begin."""

    def __init__(self) -> None:
        super().__init__([])
        self.begins: list[int] = []
        self.source: list[dict[str, Any]] = []
        self.features: list[dict[str, float]] = []
        self.targets: list[Any] = []
        self.queries: list[Any] = []

    def add(self, begin: int, mapping: dict[str, Any], features: dict[str, float], target: Any, query: Any) -> None:
        """One more."""
        self.begins.append(begin)
        self.source.append(mapping)
        self.features.append(features)
        self.targets.append(target)
        self.queries.append(query)


class JsonLines:
    """Reads texts of lines."""

    format = "jsonl"
    workers = False
    has_header = False
    looks_at = LONGEST

    def __init__(self, options: Options, name: str) -> None:
        self.options, self.name = options, name
        self.records = LinesOfJson()
        self.encoder = Encoder(options.names, options.hash_bits, options.grow)
        self.has_queries = options.query is not None
        self.ignored = {*options.drop, options.target, options.query}
        self.text = {*options.text, *(column for column, kind in options.kinds.items() if kind == "text")}
        self.has_numbers = self.has_whole_queries = False

    @property
    def names(self) -> list[str] | None:
        """The names of the columns so far."""
        return self.encoder.names

    @property
    def schema(self) -> dict[str, Any]:
        """What another file is read with."""
        options = self.options
        roles = {"target": options.target, "query": options.query, "drop": list(options.drop)}
        return {**roles, "as_text": sorted(self.text), "hash_bits": options.hash_bits}

    @property
    def encoding(self) -> str:
        """How text becomes numbers."""
        if self.options.hash_bits is not None:
            return f"names of features are hashed into 2^{self.options.hash_bits} columns, text as name=text"
        return "text is one-hot encoded: each value becomes a feature, name=text"

    def begin(self, name: str, head: bytes) -> None:
        """Nothing: there is no header."""

    def settle(self, text: Text) -> None:
        """See what the target and the query are."""
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

    def _mappings(self, text: Text) -> Iterator[tuple[int, Any]]:
        """Where each line begins, and the mapping in it or what is wrong."""
        begin = 0
        for end in self.records.ends(text.data, text.size, True).tolist():
            record = text.data[begin:end]
            if not self.records.is_blank(record):
                try:
                    yield begin, loaded(record)
                except BadValue as error:
                    yield begin, error
            begin = end

    def parse(self, text: Text, skip: bool) -> Mappings:
        """Read all lines, or all that can be read."""
        found = Mappings()
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
            raise BadValue(f"the target {target!r:.60} is no {'number, as those before are' if self.has_numbers else 'text'}")
        return target if self.has_numbers else as_text(target)

    def _query(self, mapping: dict[str, Any]) -> Any:
        if self.options.query is None or (self.options.query not in mapping and not self.options.lists):
            return None
        query = mapping.get(self.options.query)
        if query is None:
            raise BadValue(f"the query is missing: there is no {self.options.query!r}")
        if isinstance(query, dict | list) or (self.has_whole_queries and not _is_whole(query)):
            what = "whole number, as those before are" if self.has_whole_queries else "text"
            raise BadValue(f"the query {query!r:.60} is no {what}")
        return query if self.has_whole_queries else as_text(query)

    def finish(self, parsed: Mappings) -> Filled:
        """Rows with the columns that there are by now."""
        rows = self.encoder.rows_of_mappings(parsed.features)
        y = None if None in parsed.targets else self._column(parsed.targets, self.has_numbers)
        qid = None if None in parsed.queries else self._column(parsed.queries, self.has_whole_queries)
        return Filled(rows, self.encoder.n_columns, self.names, y, qid, lambda: parsed.source)

    def _column(self, values: list[Any], is_number: bool) -> np.ndarray:
        if not is_number:
            return as_objects(values)
        if all(isinstance(value, int) for value in values):
            return np.array(values, np.int64)
        return as_whole(np.array(values, np.float64))

    def begin_of(self, text: Text, parsed: Mappings, row: int) -> int:
        """Where the line of a row begins."""
        return parsed.begins[row]


def _names(mapping: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in mapping.items():
        yield prefix + key
        if isinstance(value, dict):
            yield from _names(value, f"{prefix}{key}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) < EXACT


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and -(2**63) <= value < 2**63
