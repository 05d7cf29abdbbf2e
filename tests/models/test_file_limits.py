"""Model files that say what no model can be, with a right digest: refused in a sentence, before any loop runs."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

import ranktron
from ranktron.kernels import Gaussian
from ranktron.models import files
from tests.fuzz.changes import content_of, estimators, nested, with_digest

from ..family import make, stream
from .contract import assert_refused
from .test_file_damage import put, rewritten, saved

AWAY = 2**40


def number(name: str, place: int, value: float) -> Callable[[Any, Any], Any]:
    """Put a number into an array."""
    return lambda _, arrays: arrays[name].__setitem__(place, value)


INDICES = [
    *((name, {}, number("counts", 0, -AWAY)) for name in ("PRank", "Rater", "AROWPRank", "NoPRank", "OAP")),
    ("Voted", {}, number("state", 1, AWAY)),
    ("Voted", {}, number("state", 0, 3)),
    ("Voted", {}, number("made", 0, AWAY)),
    ("MuPRank", {}, number("size", 0, AWAY)),
    ("PRank", {"kernel": Gaussian(0.1)}, number("support.counts", 1, 1000)),
    ("PRank", {"kernel": Gaussian(0.1), "budget": 5}, number("support.counts", 1, -1)),
    ("PRank", {"kernel": Gaussian(0.1), "budget": 5}, number("support.counts", 0, 1000)),
]


@pytest.mark.parametrize(("name", "parameters", "change"), INDICES)
def test_indices_that_lead_out_of_arrays_are_refused(
    name: str, parameters: dict[str, Any], change: Callable[[Any, Any], Any], tmp_path: Path
) -> None:
    path = saved(tmp_path, name, **parameters)
    ranktron.load(path)
    assert_refused(rewritten(path, change))


NUMBERS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "thresholds out of order": ("PRank", lambda _, arrays: arrays["b"].__setitem__(..., [3, 2, 1, 0])),
    "thresholds that are no number": ("PRank", number("b", 0, np.nan)),
    "infinite weights": ("NoPRank", number("w", 0, np.inf)),
    "a negative count": ("PRank", number("counts", 1, -1)),
    "coverage bars beyond any": ("PRank", number("intervals", 6, 99.0)),
    "a slope that overflows": ("Rater", number("slope", 0, 1e4)),
    "columns that are neither centred nor not": ("Rater", number("moments.tally", 2, -1.0)),
    "weights of rows that are negative": ("Rater", number("moments.tally", 0, -1.0)),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_numbers_that_no_stream_leads_to_are_refused(case: str, tmp_path: Path) -> None:
    name, change = NUMBERS[case]
    assert_refused(rewritten(saved(tmp_path, name), change))


@pytest.mark.parametrize("age", [1000, -5, 128])
def test_a_trail_of_milestones_that_cannot_be_is_refused(age: int, tmp_path: Path) -> None:
    make("PRank").partial_fit(*stream(300)).save(tmp_path / "model")
    assert_refused(rewritten(tmp_path / "model", number("trail.ages", -1, age)))


LABELS: dict[str, dict[str, Any]] = {
    "wide": {"dtype": "<U100000000", "values": list("abcde")},
    "nested": {"dtype": "O", "values": [1, 2, 3, 4, [5]]},
    "none": {"dtype": "O", "values": [1, 2, 3, 4, None]},
    "structured": {"dtype": "i8,f8", "values": [1, 2, 3, 4, 5]},
    "bytes": {"dtype": "V8", "values": [1, 2, 3, 4, 5]},
    "complex": {"dtype": "<c16", "values": [1, 2, 3, 4, 5]},
    "times": {"dtype": "<M8[s]", "values": [1, 2, 3, 4, 5]},
    "time spans": {"dtype": "<m8[s]", "values": [1, 2, 3, 4, 5]},
    "too small a type": {"dtype": "<U1", "values": ["aa", "b", "c", "d", "e"]},
    "whole numbers that are not": {"dtype": "<i8", "values": [1, 2, 3, 4, 5.5]},
}


@pytest.mark.parametrize("case", LABELS)
def test_labels_that_are_none_are_refused(case: str, tmp_path: Path) -> None:
    assert_refused(rewritten(saved(tmp_path), lambda header, _: put(header, "classes", LABELS[case])))


def test_labels_that_may_grow_are_in_order(tmp_path: Path) -> None:
    model = make("PRank")
    for label in (1, 2, 3):
        model.learn_one([1.0, 2.0], label)
    model.save(tmp_path / "model")
    assert_refused(rewritten(tmp_path / "model", lambda header, _: put(header, "classes", "values", [3, 1, 2])), "ascending")


COSTLY: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "hash bits": ("PRank", lambda header, _: header["features"].update(hash_bits=10**10)),
    "hash bits in range": ("PRank", lambda header, _: header["features"].update(hash_bits=30, count=2**30)),
    "features": ("PRank", lambda header, _: header["features"].update(count=10**12)),
    "a fraction of a feature": ("PRank", lambda header, _: header["features"].update(count=4.0)),
    "members": ("OAP", lambda header, _: header["parameters"].update(n_members=10**6)),
    "labels": ("OrdinalLogit", lambda header, _: header["classes"].update(dtype="<i8", values=list(range(20_000)))),
    "nested estimators": ("OAP", lambda header, _: header["parameters"].update(estimator=estimators(12))),
    "deep data": ("PRank", lambda header, _: header.update(about={"deep": nested(40)})),
    "no number": ("PRank", lambda header, _: header.update(format=float("nan"))),
    "an infinite number": ("PRank", lambda header, _: header.update(about={"x": float("inf")})),
}


@pytest.mark.parametrize("case", COSTLY)
def test_headers_that_cost_memory_or_time_are_refused(case: str, tmp_path: Path) -> None:
    name, change = COSTLY[case]
    path = saved(tmp_path, name)
    header, arrays = files.read(path)
    change(header, arrays)
    path.write_bytes(with_digest(content_of(header, arrays)))
    assert_refused_in_little_memory(path)


def assert_refused_in_little_memory(path: Path) -> None:
    tracemalloc.start()
    try:
        assert_refused(path)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_a_budget_beyond_the_file_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, "PRank", kernel=Gaussian(0.1), budget=5)
    assert_refused_in_little_memory(rewritten(path, lambda header, _: header["parameters"].update(budget=10**9)))


@pytest.mark.parametrize("depth", [50, 5_000, 200_000])
def test_a_header_of_any_depth_is_refused(depth: int, tmp_path: Path) -> None:
    path = saved(tmp_path)
    header, arrays = files.read(path)
    text = json.dumps({**header, "sha256": "0" * 64, "about": "HERE"}).replace('"HERE"', "[" * depth + "]" * depth)
    path.write_bytes(with_digest(save(arrays, {"ranktron": text})))
    assert_refused(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file on this system")
def test_an_endless_file_is_refused_at_its_beginning() -> None:
    assert_refused(Path("/dev/zero"))


def test_a_file_with_an_array_too_many_is_refused(tmp_path: Path) -> None:
    assert_refused(rewritten(saved(tmp_path), lambda _, arrays: arrays.update(more=np.zeros(3))), "more")


@pytest.mark.parametrize("rater", ["0", "99", "x", "shared"])
def test_a_recommender_with_another_rater_is_refused(rater: str, tmp_path: Path) -> None:
    from tests.collaborative import made

    made.learned(40, per_person=True).save(tmp_path / "model")
    header, arrays = files.read(tmp_path / "model")
    described = header["raters"].pop("shared")
    header["raters"][rater] = {**described, "algorithm": "PRank"} if rater == "shared" else described
    files.write(tmp_path / "model", header, arrays)
    assert_refused(tmp_path / "model")
