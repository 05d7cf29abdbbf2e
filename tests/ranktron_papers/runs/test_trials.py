"""Trials in files: whole or not at all, and read as they were written."""

from __future__ import annotations

import json
import math
import os
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron_papers.runs.trials import Trial, TrialFolder, validated


@given(st.dictionaries(st.text(min_size=1), st.floats() | st.lists(st.floats(), min_size=1), min_size=1))
def test_numbers_come_back_bit_for_bit(tmp_path_factory, numbers):
    kept = TrialFolder(tmp_path_factory.mktemp("kept") / "inside" / "more")
    kept.write(Trial(3, validated(numbers), 0.25))
    seed, found, seconds = kept.read(3)
    assert (seed, seconds, list(found)) == (3, 0.25, list(numbers))
    assert all(np.array_equal(found[name], numbers[name], equal_nan=True) for name in numbers)


def test_what_is_not_there_whole_is_not_there(tmp_path):
    kept = TrialFolder(tmp_path)
    assert kept.read(0) is None
    kept.write(Trial(0, {"a": 1.0}, 0.5))
    whole = (tmp_path / "0.json").read_bytes()
    for end in range(len(whole)):
        (tmp_path / "0.json").write_bytes(whole[:end])
        assert kept.read(0) is None
    for text in (
        '{"seed": 0}',
        "[]",
        '{"seed": 0, "numbers": {}, "seconds": 1}',
        '{"seed": 0, "numbers": {"a": "b"}, "seconds": 1}',
    ):
        (tmp_path / "0.json").write_text(text)
        assert kept.read(0) is None


def test_a_file_under_another_name_is_not_taken(tmp_path):
    kept = TrialFolder(tmp_path)
    kept.write(Trial(0, {"a": 1.0}, 0.5))
    (tmp_path / "0.json").rename(tmp_path / "1.json")
    assert kept.read(1) is None


def test_what_a_killed_process_was_writing_goes_after_a_while(tmp_path):
    kept = TrialFolder(tmp_path)
    kept.write(Trial(0, {"a": 1.0}, 0.5))
    old, new = tmp_path / ".1.json.0123456789abcdef", tmp_path / ".2.json.0123456789abcdef"
    for path in (old, new):
        path.write_text("{")
    os.utime(old, (time.time() - 1000, time.time() - 1000))
    kept.delete_stale()
    assert sorted(path.name for path in tmp_path.iterdir()) == [new.name, "0.json"]


def test_numbers_of_numpy_become_plain():
    found = validated({"a": np.float32(0.5), "b": np.arange(3), "c": 2, "d": True})
    assert json.loads(json.dumps(found)) == {"a": 0.5, "b": [0.0, 1.0, 2.0], "c": 2.0, "d": 1.0}
    assert math.isnan(validated({"a": math.nan})["a"])


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        (None, "a trial should return a dictionary of numbers by name"),
        ({}, "a trial should return a dictionary of numbers by name"),
        ({1: 2.0}, "a trial should return a dictionary of numbers by name"),
        ({"a": [[1.0]]}, r"a should be a number or a list of numbers, not an array of shape \(1, 1\)"),
        ({"a": []}, r"a should be a number or a list of numbers, not an array of shape \(0,\)"),
    ],
)
def test_what_is_no_number_is_refused(numbers, sentence):
    with pytest.raises((TypeError, ValueError), match=f"^{sentence}$"):
        validated(numbers)
