"""Changes of a model file that its author never meant, each with a digest that is right."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from safetensors.numpy import save

from ranktron.models import files

Header = dict[str, Any]
Arrays = dict[str, np.ndarray]

WHOLE = (-1, 0, 1, 2, 3, 7, 8, 63, 1000, 2**31 - 1, 2**31, 2**40, -(2**40), 2**53 + 1, 2**62, 2**63 - 1, -(2**63))
REAL = (np.nan, np.inf, -np.inf, 0.0, -0.0, -1.0, 0.5, 1e16, 1e100, 1e308, -1e308, 5e-324, 1e-300, 2.0**40, -(2.0**63))
TYPES = ("<f4", "<i4", "<u8", "<i8", "<f8", "|u1", "|b1", "<f2", ">f8")


def nested(depth: int) -> Any:
    """Lists in lists."""
    inner: Any = 0
    for _ in range(depth):
        inner = [inner]
    return inner


def estimators(depth: int) -> Any:
    """An aggregate of an aggregate of …"""
    inner: Any = {"algorithm": "PRank", "parameters": {}}
    for _ in range(depth):
        inner = {"algorithm": "OAP", "parameters": {"estimator": inner}}
    return inner


VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 3, 5, 31, 64, 10**6, 10**9, 10**10, 2**63, 10**30, -(10**12)),
    *(0.5, -1.5, 1e-320, 1e308, float("nan"), float("inf"), -float("inf")),
    *("", "x", "x" * 5000, "\0", "ndcg@10000000000", "precision@999999999999", "theory", "settled", "average", "1"),
    *([], {}, [[]], [1, 2], [None, None], [0.5, float("nan")], {"x": 1}, nested(20), nested(100), estimators(3), estimators(10)),
    *({"kernel": "Gaussian", "parameters": {"gamma": 1e-300}}, {"kernel": "Polynomial", "parameters": {"degree": 10**6}}),
    *({"task": "Multiclass", "parameters": {"n_classes": 10**9}}, {"task": "Ordinal", "parameters": {"n_ranks": 5}}),
    *({"task": "CostMatrix", "parameters": {"costs": [[0, 1], [1, 0]]}}, {"step": "AdaGrad", "parameters": {"rate": 1e300}}),
    *(
        {"task": "SubsetRanking", "parameters": {"longest": 10**9, "highest": 10**9}},
        {"algorithm": "Recommender", "parameters": {}},
    ),
    *({"dtype": "O", "values": [1, "a"]}, {"dtype": "O", "values": [None, {}]}, {"dtype": "<i8", "values": [3, 1, 2]}),
    *("O", "V8", "<c16", "<M8[ns]", "<m8[s]", "S5", "<U1", "<U100000000", "<i2", ">f8", "|b1", "<f16", "i8,f8", "PRank", "Voted"),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to everything in a header."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(inner, (*path, key))


def change_header(chance: random.Random, header: Header) -> None:
    """Put something else into one place of the header, leave it out, or put something beside it."""
    *path, last = chance.choice(list(places(header)))
    inner = header
    for key in path:
        inner = inner[key]
    how = chance.random()
    if how < 0.1:
        del inner[last]
    elif how < 0.2 and isinstance(inner, list):
        inner.extend(inner[:1000] * chance.choice((1, 5, 1000)))  # the file stays a small one
    elif how < 0.2:
        inner[chance.choice(("x", "algorithm", "kernel", "estimator", "budget", "n_members"))] = chance.choice(VALUES)
    else:
        inner[last] = copy.deepcopy(chance.choice(VALUES))


def change_number(chance: random.Random, arrays: Arrays) -> None:
    """Change one number of an array, or all of them."""
    name = chance.choice([name for name, array in arrays.items() if array.size])
    array = arrays[name]
    value = chance.choice(REAL if array.dtype.kind == "f" else WHOLE)
    if array.dtype.kind != "f":
        info = np.iinfo(array.dtype)
        value = int(min(max(value, info.min), info.max))
    where = ... if chance.random() < 0.1 else np.unravel_index(chance.randrange(array.size), array.shape)
    arrays[name][where] = value if chance.random() < 0.8 else arrays[name].flat[chance.randrange(array.size)]


def change_shape(chance: random.Random, arrays: Arrays) -> None:
    """Change the type, the shape or the name of an array."""
    name = chance.choice(list(arrays))
    array = np.atleast_1d(arrays.pop(name))
    changes: list[Callable[[], Any]] = [
        lambda: array.astype(chance.choice(TYPES)),
        lambda: array[:-1],
        lambda: np.concatenate([array, array]),
        lambda: np.resize(array, len(array) + chance.choice((1, 8, 1000))),
        lambda: array[..., None],
        lambda: array.T.copy(),
        lambda: array.ravel()[:0],
        lambda: array.sum(),
        lambda: chance.choice(list(arrays.values())),
        lambda: np.zeros((0, *array.shape[1:]), array.dtype),
    ]
    if chance.random() < 0.1:
        name = chance.choice(("x", "support.born", "survived", "state", "trail.ages", "w", "rater.0.w"))
    if chance.random() < 0.8:
        with np.errstate(all="ignore"):
            arrays[name] = np.asarray(chance.choice(changes)())


def change_bytes(chance: random.Random, content: bytes) -> bytes:
    """Change some bytes, cut some out or put some in."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        start = chance.randrange(min(len(changed), chance.choice((16, 1500, len(changed)))))
        how = chance.random()
        if how < 0.7:
            changed[start] = chance.choice((0, 255, changed[start] ^ 1 << chance.randrange(8), *b'0129-e."[]{},'))
        elif how < 0.85:
            del changed[start : start + chance.choice((1, 8, 64))]
        else:
            changed[start:start] = chance.choice((b"0", b"9" * 30, b"\xff" * 8, b"[" * 2000, b"\0" * 64))
    return bytes(changed)


def with_digest(content: bytes) -> bytes:
    """The same, with the digest of what it holds, where it has a place for one."""
    place = files._DIGEST.search(content)
    if place is None:
        return content
    start, stop = place.span(1)
    blank = content[:start] + b"0" * 64 + content[stop:]
    return content[:start] + hashlib.sha256(blank).hexdigest().encode() + content[stop:]


def content_of(header: Header, arrays: Arrays) -> bytes:
    """The bytes of a file, which may say whatever it likes."""
    text = json.dumps({**header, "sha256": "0" * 64})
    plain = {name: np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="))) for name, array in arrays.items()}
    return save(plain, {"ranktron": text})


def changed(seed: str, header: Header, arrays: Arrays) -> bytes:
    """A file with something changed, a pure function of ``seed``."""
    chance = random.Random(seed)
    header, arrays = copy.deepcopy(header), {name: array.copy() for name, array in arrays.items()}
    how = chance.random()
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if how < 0.35:
            change_header(chance, header)
        elif how < 0.75:
            change_number(chance, arrays)
        elif how < 0.9:
            change_shape(chance, arrays)
    content = content_of(header, arrays)
    return with_digest(content if how < 0.9 else change_bytes(chance, content))
