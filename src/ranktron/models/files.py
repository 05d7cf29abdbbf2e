"""Model files: safetensors with a JSON header, nothing in them is ever executed, and any damage is noticed.

The header's ``sha256`` is that of the whole file with the digest itself written as zeros, so no bit can change unseen.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..files import replace_file
from .labels import cut

FORMAT = 1
_NO_DIGEST = b"0" * 64
_DIGEST = re.compile(rb'\\"sha256\\": \\"([0-9a-f]{64})\\"')  # in JSON inside of JSON; no name can look like it


# Levels of lists and mappings in a header; an estimator within an estimator with a kernel takes eight.
DEEPEST = 32

# Characters of the reason that a refusal gives, which may quote what a file says.
LONGEST_REASON = 240

# Bytes that an array of labels may have, however short the labels are.
SPARE = 2**24

Kind = TypeVar("Kind")
_JSON = {bool: "true or false", int: "a whole number", str: "a string", list: "a list", dict: "a mapping"}


class BadModelFile(ValueError):
    """The file is not a model file that this version can read."""


def write(path: str | Path, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write a model file; a reader sees the old file or the new one, even after ``kill -9`` or a power cut."""
    from safetensors.numpy import save

    from .. import __version__

    described = {"format": FORMAT, "library": f"ranktron {__version__}", **header, "sha256": _NO_DIGEST.decode()}
    text = as_json(described, "a parameter, label or feature name is not plain data")
    content = save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, {"ranktron": text})
    place = _DIGEST.search(content)
    assert place is not None
    digest = hashlib.sha256(content).hexdigest().encode()
    replace_file(Path(path), content[: place.start(1)] + digest + content[place.end(1) :])


def as_json(content: Any, fault: str) -> str:
    """Plain data as text; ``fault`` says what is wrong with other data."""
    try:
        text = json.dumps(content, allow_nan=False)
        if json.loads(text) != content:
            raise ValueError("it would come back changed")
    except (TypeError, ValueError) as error:
        raise ValueError(f"the model cannot be saved: {fault} ({error})") from None
    return text


def plain(value: Any) -> Any:
    """Numpy's numbers and sequences as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [plain(one) for one in value] if isinstance(value, list | tuple | range) else value


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of a model file."""
    with open(path, "rb") as file:
        content = file.read(9)
        if content[8:] == b"{":  # or it may be any file, of any size
            content += file.read()
    try:
        return _parse(content)
    except BadModelFile as error:
        raise BadModelFile(f"{path}: {error}") from None


def _parse(content: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    size = int.from_bytes(content[:8], "little")
    if len(content) < 9 or size > len(content) - 8:
        raise BadModelFile("this is not a ranktron model file, or only the beginning of one")
    places = list(_DIGEST.finditer(content[: 8 + size]))
    if len(places) != 1 or b'"ranktron"' not in content[: 8 + size]:
        raise BadModelFile("this is not a ranktron model file")
    start, stop = places[0].span(1)
    if hashlib.sha256(content[:start] + _NO_DIGEST + content[stop:]).hexdigest().encode() != content[start:stop]:
        raise BadModelFile("the file is damaged: its content does not have the SHA-256 that it states")
    return _unpack(content, size)


def _unpack(content: bytes, size: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        header = _header(json.loads(content[8 : 8 + size])["__metadata__"]["ranktron"])
        return header, {name: np.array(array) for name, array in load(content).items()}
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        if isinstance(error, BadModelFile):
            raise
        raise BadModelFile(f"the file is damaged: {type(error).__name__} {cut(str(error), LONGEST_REASON)}") from None


def _header(text: str) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(text)
    _check_plain(header)
    del header["sha256"]
    if said(header, "format", int) < 1:
        raise BadModelFile(f"there is no format {header['format']}")
    if header["format"] > FORMAT:
        raise BadModelFile(
            f"it was written by {header['library']:.80}, in a newer format than this version reads: upgrade ranktron"
        )
    return header


def _check_plain(value: Any) -> None:
    """Refuse numbers that are not finite, and data nested deeper than any header is."""
    level = [value]
    for _ in range(DEEPEST):
        if any(isinstance(one, float) and not math.isfinite(one) for one in level):
            raise ValueError("its header holds a number that is not finite")
        level = [
            inner for one in level if isinstance(one, dict | list) for inner in (one.values() if isinstance(one, dict) else one)
        ]
    if level:
        raise ValueError(f"its header is nested deeper than {DEEPEST} levels")


def said(header: dict[str, Any], name: str, kind: type[Kind]) -> Kind:
    """The entry ``name`` of a header, if it is of that type."""
    value = header[name]
    if type(value) is not kind:
        raise ValueError(f"{name!r} is {value!r:.60}; expected {_JSON[kind]}")
    return value


def fitting(name: str, array: np.ndarray, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    """The array, if it has that shape and type."""
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(f"{name} should be {dtype} of shape {shape}, not {array.dtype} of shape {array.shape}")
    return array


def label_record(values: np.ndarray) -> dict[str, Any]:
    """Labels as plain data."""
    return {"dtype": values.dtype.str if values.dtype.kind != "O" else "O", "values": values.tolist()}


def labels_of(record: dict[str, Any]) -> np.ndarray:
    """The labels of a ``label_record``."""
    values, dtype = said(record, "values", list), np.dtype(said(record, "dtype", str))
    if not all(isinstance(value, bool | int | float | str) for value in values):
        raise ValueError("a label is neither a number nor a string")
    if dtype.kind not in "biufU" and record["dtype"] != "O":
        raise ValueError(f"labels cannot be of type {dtype}")
    if dtype.itemsize * len(values) > SPARE + 64 * sum(len(value) for value in values if isinstance(value, str)):
        raise ValueError(f"labels of type {dtype} take more memory than they need")
    array = np.empty(len(values), dtype)
    array[:] = values
    if array.tolist() != values:
        raise ValueError(f"labels are not of type {dtype}")
    return array
