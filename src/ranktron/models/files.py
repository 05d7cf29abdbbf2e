"""Model files: safetensors with a JSON header, nothing in them is ever executed, and any damage is noticed.

The header's ``sha256`` is that of the whole file with the digest itself written as zeros, so no bit can change unseen.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = 1
_NO_DIGEST = b"0" * 64
_DIGEST = re.compile(rb'\\"sha256\\": \\"([0-9a-f]{64})\\"')  # in JSON inside of JSON; no name can look like it


class BadModelFile(ValueError):
    """The file is no model file that this version can read."""


def write(path: str | Path, header: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    """Write a model file; a reader sees the old file or the new one, even after ``kill -9`` or a power cut."""
    from safetensors.numpy import save

    from .. import __version__

    described = {"format": FORMAT, "library": f"ranktron {__version__}", **header, "sha256": _NO_DIGEST.decode()}
    text = _plain_text(described)
    content = save({name: np.ascontiguousarray(array) for name, array in arrays.items()}, {"ranktron": text})
    place = _DIGEST.search(content)
    assert place is not None
    digest = hashlib.sha256(content).hexdigest().encode()
    replace_file(Path(path), content[: place.start(1)] + digest + content[place.end(1) :])


def _plain_text(described: dict[str, Any]) -> str:
    try:
        text = json.dumps(described, allow_nan=False)
        if json.loads(text) != described:
            raise ValueError("it would come back changed")
    except (TypeError, ValueError) as error:
        raise ValueError(f"the model cannot be saved: a parameter, label or feature name is no plain data ({error})") from None
    return text


def plain(value: Any) -> Any:
    """Numpy's numbers and sequences as Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [plain(one) for one in value] if isinstance(value, list | tuple | range) else value


def on_its_way(path: Path) -> Path:
    """A name for a file that is to become ``path`` once it is whole: what a killed program leaves behind can be told by it."""
    return path.with_name(f".{path.name}.{os.urandom(8).hex()}")


def replace_file(path: Path, content: bytes) -> None:
    """Write a file as a whole: whoever looks sees the old one or the new one."""
    temporary = on_its_way(path)
    try:
        with open(temporary, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of a model file."""
    content = Path(path).read_bytes()
    try:
        return _parse(content)
    except BadModelFile as error:
        raise BadModelFile(f"{path}: {error}") from None


def _parse(content: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > len(content) - 8 or not content[8 : 8 + size].lstrip().startswith(b"{"):
        raise BadModelFile("this is no ranktron model file, or only the beginning of one")
    places = list(_DIGEST.finditer(content[: 8 + size]))
    if len(places) != 1 or b'"ranktron"' not in content[: 8 + size]:
        raise BadModelFile("this is no ranktron model file")
    start, stop = places[0].span(1)
    if hashlib.sha256(content[:start] + _NO_DIGEST + content[stop:]).hexdigest().encode() != content[start:stop]:
        raise BadModelFile("the file is damaged: its content does not have the SHA-256 that it states")
    return _unpack(content, size)


def _unpack(content: bytes, size: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        header = json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["ranktron"])
        del header["sha256"]
        if header["format"] < 1:
            raise BadModelFile(f"there is no format {header['format']}")
        if header["format"] > FORMAT:
            raise BadModelFile(
                f"it was written by {header['library']}, in a newer format than this version reads: upgrade ranktron"
            )
        return header, {name: np.array(array) for name, array in load(content).items()}
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
        if isinstance(error, BadModelFile):
            raise
        raise BadModelFile(f"the file is damaged: {type(error).__name__} {error}") from None


def label_record(values: np.ndarray) -> dict[str, Any]:
    """Labels as plain data."""
    return {"dtype": values.dtype.str if values.dtype.kind != "O" else "O", "values": values.tolist()}


def labels_of(record: dict[str, Any]) -> np.ndarray:
    """The labels of a ``label_record``."""
    array = np.empty(len(record["values"]), record["dtype"])
    array[:] = record["values"]
    return array
