"""A line of JSON as features: numbers by their names, text as name=text, and what is in a mapping inside by name.name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_decode = json.JSONDecoder().decode


class BadValue(Exception):
    """Why a line is no row."""


def loaded(record: bytes) -> dict[str, Any]:
    """The mapping in a line.

    >>> loaded(b'{"stars": 4, "city": "Rome"}')
    {'stars': 4, 'city': 'Rome'}
    """
    try:
        value = _decode(record.decode())
    except UnicodeDecodeError:
        raise BadValue("it is no UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise BadValue(f"it is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadValue(f'it holds a {type(value).__name__} where a mapping is expected, as in {{"stars": 4, "price": 3.5}}')
    return value


def features_of(mapping: dict[str, Any], ignored: set[Any], text: set[str]) -> dict[str, float]:
    """The features of a mapping, but for those ``ignored``; those in ``text`` are text even if they are numbers.

    >>> features_of({"price": 3.5, "city": "Rome", "tags": ["a", "b"], "user": {"age": 3}, "new": True}, set(), set())
    {'price': 3.5, 'city=Rome': 1.0, 'tags=a': 1.0, 'tags=b': 1.0, 'user.age': 3.0, 'new': 1.0}
    """
    found: dict[str, float] = {}
    try:
        for name, value in mapping.items():
            if type(value) is float and name not in ignored and name not in text:  # the usual case, quickly
                found[name] = value
            else:
                found.update(_features(name, value, ignored, text))
        return found
    except OverflowError:
        raise BadValue("a number in it is too large") from None
    except RecursionError:
        raise BadValue("mappings lie too deep inside of each other") from None


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
    """Text in a list is there or not; numbers in one have a place."""
    if isinstance(item, dict | list):
        raise BadValue(f"{name!r:.60} is a list of lists or mappings; it should be one of text or of numbers")
    if isinstance(item, str) or (item is not None and name in text):
        yield f"{name}={as_text(item)}", 1.0
    elif item is not None:
        yield f"{name}.{place}", float(item)


def as_text(value: Any) -> str:
    """Text as it is, anything else as it is written in JSON."""
    return value if isinstance(value, str) else json.dumps(value)
