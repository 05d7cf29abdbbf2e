"""Files that are no model file, or no longer: one line that names the path, whatever the bytes are."""

from __future__ import annotations

import copy
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

import ranktron
from ranktron.models import files
from tests.covering import examples

from ..family import NAMES, make, state, stream
from .contract import assert_refused

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(200))
every_name = pytest.mark.parametrize("name", NAMES)


def saved(folder: Path, name: str = "PRank", **parameters: Any) -> Path:
    make(name, **parameters).partial_fit(*stream(20)).save(folder / "model")
    return folder / "model"


@every_name
def test_a_truncated_file_is_refused_at_any_length(name: str, tmp_path: Path) -> None:
    content = saved(tmp_path, name).read_bytes()
    for length in [*range(0, len(content), 7), len(content) - 1]:
        (tmp_path / "cut").write_bytes(content[:length])
        assert_refused(tmp_path / "cut")


def test_a_file_with_something_behind_it_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    for more in (b"\0", b"\n", path.read_bytes()):
        (tmp_path / "long").write_bytes(path.read_bytes() + more)
        assert_refused(tmp_path / "long")


def test_every_byte_counts(tmp_path: Path) -> None:
    content = saved(tmp_path).read_bytes()
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        (tmp_path / "changed").write_bytes(changed)
        assert_refused(tmp_path / "changed")


@in_one_folder
@given(place=st.integers(0, 2**20), bit=st.integers(0, 7), name=st.sampled_from(NAMES))
def test_no_bit_can_flip_unseen(place: int, bit: int, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if not path.exists():
        saved(tmp_path, name).rename(path)
    changed = bytearray(path.read_bytes())
    changed[place % len(changed)] ^= 1 << bit
    (tmp_path / "flipped").write_bytes(changed)
    assert_refused(tmp_path / "flipped")


@in_one_folder
@given(content=st.binary(max_size=400))
def test_any_bytes_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(content)
    assert_refused(tmp_path / "bytes")


@settings(in_one_folder, max_examples=examples(60))
@given(
    header=st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_any_header_with_a_right_digest_is_refused(header: Any, tmp_path: Path) -> None:
    described = header if isinstance(header, dict) else {"parameters": header}
    files.write(tmp_path / "header", {"format": 1, **described}, {"w": np.zeros(3)})
    assert_refused(tmp_path / "header")


def foreign(folder: Path) -> dict[str, Callable[[Path], Any]]:
    class Trap:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(folder / "executed"),)

    return {
        "empty": lambda path: path.write_bytes(b""),
        "text": lambda path: path.write_text("rank: 1\n" * 50),
        "json": lambda path: path.write_text('{"ranktron": {"format": 1}}'),
        "noise": lambda path: path.write_bytes(np.random.default_rng(0).bytes(5000)),
        "zeros": lambda path: path.write_bytes(bytes(5000)),
        "pickle": lambda path: path.write_bytes(pickle.dumps(Trap())),
        "numpy": lambda path: np.savez(path.with_suffix(".npz"), w=np.zeros(3)) or path.with_suffix(".npz").rename(path),
        "safetensors": lambda path: save_file({"w": np.zeros(3)}, path, {"format": "pt"}),
        "safetensors with our name": lambda path: save_file({"w": np.zeros(3)}, path, {"ranktron": "{}"}),
        "safetensors with a digest": lambda path: save_file({"w": np.zeros(3)}, path, {"ranktron": "{}", "sha256": "0" * 64}),
    }


@pytest.mark.parametrize("case", list(foreign(Path())))
def test_foreign_files_are_refused_and_never_executed(case: str, tmp_path: Path) -> None:
    foreign(tmp_path)[case](tmp_path / "foreign")
    assert_refused(tmp_path / "foreign")
    assert os.listdir(tmp_path) == ["foreign"]


def test_a_file_that_is_not_there_is_an_ordinary_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ranktron.load(tmp_path / "nowhere")


def rewritten(path: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], Any]) -> Path:
    """The file with something changed in its header or arrays, and a right digest."""
    header, arrays = files.read(path)
    change(header, arrays)
    files.write(path, header, arrays)
    return path


def put(mapping: Any, *keys_and_value: Any) -> None:
    *keys, last, value = keys_and_value
    for key in keys:
        mapping = mapping[key]
    mapping[last] = value


@every_name
def test_rewriting_alone_does_no_harm(name: str, tmp_path: Path) -> None:
    path = saved(tmp_path, name)
    before = state(ranktron.load(path))
    assert state(ranktron.load(rewritten(path, lambda header, arrays: None))) == before


def test_a_newer_format_is_told_from_damage(tmp_path: Path) -> None:
    path = rewritten(saved(tmp_path), lambda header, _: header.update(format=files.FORMAT + 1, library="ranktron 99.0"))
    assert_refused(path, "ranktron 99.0", "newer", "upgrade")


HEADERS: dict[str, tuple[Any, ...]] = {
    "an unknown algorithm": ("algorithm", "QRank"),
    "an algorithm that is no name": ("algorithm", ["PRank"]),
    "an unknown parameter": ("parameters", "speed", 3),
    "a parameter out of range": ("parameters", "epochs", 0),
    "a parameter of another kind": ("parameters", "average", "no"),
    "parameters that are none": ("parameters", None),
    "labels without a type": ("classes", {"values": [1, 2, 3, 4, 5]}),
    "labels of a type that is none": ("classes", "dtype", "nonsense"),
    "labels too large for their type": ("classes", {"dtype": "|i1", "values": [1, 2, 3, 4, 500]}),
    "labels that are words for numbers": ("classes", {"dtype": "<i8", "values": ["a", "b", "c", "d", "e"]}),
    "one label too few": ("classes", "values", [1, 2, 3, 4]),
    "one label twice": ("classes", "values", [1, 2, 3, 4, 4]),
    "no labels": ("classes", "values", []),
    "too many features": ("features", "count", 400),
    "no features": ("features", "count", -1),
    "a count that is none": ("features", "count", "four"),
    "names that cannot be": ("features", "names", [["a"], ["b"], ["c"], ["d"]]),
    "one name twice": ("features", "names", ["a", "a", "b", "c"]),
    "more hash bits than columns": ("features", "hash_bits", 20),
    "a format that never was": ("format", 0),
    "a format that is a word": ("format", "one"),
}


@pytest.mark.parametrize("case", HEADERS)
def test_a_header_that_makes_no_sense_is_refused(case: str, tmp_path: Path) -> None:
    assert_refused(rewritten(saved(tmp_path), lambda header, _: put(header, *HEADERS[case])))


@pytest.mark.parametrize("key", ["algorithm", "parameters", "classes", "closed", "features", "format"])
def test_a_header_without_something_is_refused(key: str, tmp_path: Path) -> None:
    header, arrays = files.read(saved(tmp_path))
    del header[key]
    files.write(tmp_path / "model", {"format": None, **header} if key == "format" else header, arrays)
    assert_refused(tmp_path / "model")


SHAPES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "float32": lambda array: array.astype(np.float32),
    "integers": lambda array: array.astype(np.int32),
    "one fewer": lambda array: array[:-1] if array.size else np.zeros(1, array.dtype),
    "another dimension": lambda array: array[..., None],
}


@every_name
@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("change", SHAPES)
def test_arrays_of_another_type_or_shape_are_refused(name: str, average: bool, change: str, tmp_path: Path) -> None:
    path = saved(tmp_path, name, average=average)
    _, arrays = files.read(path)
    original = path.read_bytes()
    for key in arrays:
        path.write_bytes(original)
        assert_refused(rewritten(path, lambda _, parts, key=key: parts.update({key: SHAPES[change](parts[key])})))
        path.write_bytes(original)
        assert_refused(rewritten(path, lambda _, parts, key=key: parts.pop(key)))


def test_the_header_that_is_read_is_the_header_that_was_written(tmp_path: Path) -> None:
    header, arrays = files.read(saved(tmp_path))
    again = copy.deepcopy(header)
    files.write(tmp_path / "again", header, arrays)
    assert files.read(tmp_path / "again")[0] == again
