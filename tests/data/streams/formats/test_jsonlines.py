"""JSON Lines: mappings become features by the rules, and agree with what a model makes of the mapping itself."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.algorithms import PRank
from ranktron.core.rows import CSR
from ranktron.data import BadDataFile
from ranktron.data.streams import open_stream
from ranktron.models.streaming import feed
from tests.data.streams.reading import first_block, labels, mappings, pipe, resumed, wheres, write

RATINGS = [
    {"stars": 4, "price": 3.2, "city": "Rome", "tags": ["a", "b"], "user": {"age": 3, "home": {"zip": "X"}}},
    {"stars": 5, "price": None, "fresh": True, "size": [1, None, 2.5], "tags": []},
    {"stars": 1, "city": "", "fresh": False},
]
FEATURES = [
    {"price": 3.2, "city=Rome": 1, "tags=a": 1, "tags=b": 1, "user.age": 3, "user.home.zip=X": 1},
    {"fresh": 1, "size.0": 1, "size.2": 2.5},
    {"city=": 1, "fresh": 0},
]


def lines(*values: Any) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.jsonl"


def test_mappings_become_features(path: Path) -> None:
    stream = open_stream([write(path, lines(*RATINGS))], target="stars")
    (block,) = stream.blocks()
    assert mappings(block) == FEATURES
    assert block.names == sorted({name for row in FEATURES for name in row})
    assert (block.y.tolist(), block.y.dtype, block.qid) == ([4, 5, 1], np.int64, None)
    assert block.source == RATINGS
    assert block.without(1).source == [RATINGS[0], RATINGS[2]]
    assert stream.schema == {"format": "jsonl", "target": "stars", "query": None, "drop": [], "as_text": [], "hash_bits": None}
    assert stream.encoding == "text is one-hot encoded: each value becomes a feature, name=text"


def test_hashing_is_stated(path: Path) -> None:
    stream = open_stream([write(path, lines(*RATINGS))], target="stars", hash_bits=9)
    assert stream.encoding == "names of features are hashed into 2^9 columns, text as name=text"
    assert (stream.names, next(stream.blocks()).n_columns) == (None, 512)


def test_numbers_are_text_if_asked_for(path: Path) -> None:
    name = write(path, lines({"y": 1, "zip": 10115, "sizes": [1, 2.5], "ok": True}))
    stream = open_stream([name], target="y", text=["zip", "sizes", "ok"])
    assert mappings(next(stream.blocks())) == [{"zip=10115": 1, "sizes=1": 1, "sizes=2.5": 1, "ok=true": 1}]
    again = open_stream([name], schema=stream.schema)
    assert mappings(next(again.blocks())) == [{"zip=10115": 1, "sizes=1": 1, "sizes=2.5": 1, "ok=true": 1}]


def test_names_can_be_dropped_at_any_depth(path: Path) -> None:
    name = write(path, lines(*RATINGS))
    stream = open_stream([name], target="stars", drop=["user.home", "tags", "size"])
    assert stream.names == []
    assert mappings(next(stream.blocks())) == [
        {"price": 3.2, "city=Rome": 1, "user.age": 3},
        {"fresh": 1},
        {"city=": 1, "fresh": 0},
    ]


def test_rows_that_all_have_the_same_names_are_dense(path: Path) -> None:
    stream = open_stream(
        [write(path, lines({"y": 1, "b": 2, "a": 1}, {"y": 2, "a": 3, "b": 4}, {"y": 2, "a": 3}))], target="y", block_rows=2
    )
    first, second = stream.blocks()
    assert (first.rows.tolist(), first.names) == ([[1, 2], [3, 4]], ["a", "b"])
    assert isinstance(second.rows, CSR)


VALUES = st.one_of(st.floats(allow_nan=False), st.integers(-(10**6), 10**6), st.booleans(), st.text("abé", max_size=2))


@given(
    rows=st.lists(st.dictionaries(st.sampled_from("abcdefgh"), VALUES), min_size=1, max_size=6),
    bits=st.sampled_from([None, 1, 3]),
)
def test_a_model_learns_the_same_from_a_block_and_from_mappings(
    rows: list[dict[str, Any]], bits: int | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.jsonl"
    finite = [
        {name: 0.5 if isinstance(value, float) and abs(value) > 1e6 else value for name, value in row.items()} for row in rows
    ]
    name = write(path, lines(*({"y": place % 3, "z": 1.0, **row} for place, row in enumerate(finite))))
    model, twin = (PRank(hash_bits=bits, classes=[0, 1, 2], average=False) for _ in range(2))
    for block in open_stream([name], target="y", hash_bits=bits, block_rows=2).blocks():
        feed(model, block)
    for place, row in enumerate(finite):
        x = {"z": 1.0, **{key: value for key, value in row.items() if not isinstance(value, str)}}
        twin.learn_one(x | {f"{key}={value}": 1.0 for key, value in row.items() if isinstance(value, str)}, place % 3)
    weights = dict(zip(model.feature_names_in_, model.coef_)) if bits is None else model.coef_.tolist()
    expected = dict(zip(twin.feature_names_in_, twin.coef_)) if bits is None else twin.coef_.tolist()
    assert weights == (pytest.approx(expected, rel=1e-12) if bits is None else expected)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "it is not JSON: Expecting property name"),
        ("[1]", "it holds a list where a mapping is expected, as in "),
        ('{"x": 1}', "the target is missing: there is no 'y'"),
        ('{"y": null}', "the target is missing: there is no 'y'"),
        ('{"y": "a"}', "the target 'a' is not a number, as those before it are"),
        ('{"y": [1]}', r"the target \[1\] is not a number"),
        ('{"y": 1, "q": 1, "x": [[1]]}', "'x' is a list of lists or mappings; expected a list of text or numbers"),
        (f'{{"y": 1, "q": 1, "x": 1{"0" * 400}}}', "a number in it is too large"),
        (f'{{"y": 1, "q": 1, "x": {"9" * 5000}}}', "it is not JSON: "),
        ('{"y": 1, "x": ' + '{"a":' * 100_000, "it is not JSON: "),
        (b'{"y": 1, "x": "\xff"}', "it is not UTF-8 text"),
        ('{"y": 1, "q": null}', "the query is missing: there is no 'q'"),
        ('{"y": 1, "q": "a"}', "the query 'a' is not a whole number, as those before it are"),
    ],
)
def test_a_bad_line_is_refused_or_skipped(line: str | bytes, why: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = line.encode() if isinstance(line, str) else line
    good = b'{"y": 1, "q": 1, "x": 2}\n'
    first_block(monkeypatch, good)
    name = write(path, good + b"\n" + bad + b"\n" + good)
    options: dict[str, Any] = {"target": "y", "query": "q", "lists": True}
    with pytest.raises(BadDataFile, match=f"{path}, line 3: {why}"):
        list(open_stream([name], **options).blocks())
    skipping = open_stream([name], on_error="skip", **options)
    assert wheres(skipping) == [f"{path}, line 1", f"{path}, line 4"]
    assert skipping.bad.count == 1


def test_mappings_too_deep_for_python_are_refused(path: Path) -> None:
    deep = '{"y": 1, "x": ' + '{"a":' * 900 + "1" + "}" * 901
    stream = open_stream([write(path, '{"y": 1, "x": 2}\n' + deep + "\n")], target="y", block_rows=1, on_error="skip")
    assert len(labels(stream)) + stream.bad.count == 2  # how deep Python goes is its own affair


@pytest.mark.parametrize(("last", "whole"), [('{"y": 2, "x": 1}', True), ('{"y": 2, "x"', False), ('{"y": 2', False)])
def test_a_last_line_without_an_end(last: str, whole: bool, path: Path) -> None:
    name = write(path, '{"y": 1, "x": 1}\n' + last)
    if whole:
        assert labels(open_stream([name], target="y")) == [1, 2]
    else:
        with pytest.raises(BadDataFile, match=f"{path} ends in the middle of line 2: it is not JSON"):
            list(open_stream([name], target="y").blocks())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "has the columns city, fresh, price, .*: say which one is the target"),
        ({"target": "star"}, "has no column 'star' to be the target: did you mean 'stars'"),
        ({"target": "stars", "query": "cty"}, "has no column 'cty' to be the query: did you mean 'city'"),
        ({"target": "stars", "drop": ["user.ages"]}, "has no column 'user.ages' to drop: did you mean 'user.age'"),
        ({"target": "stars", "text": ["q"]}, "has no column 'q' to take as text: it has"),
        ({"target": "stars", "lists": True}, "say which one is the query of a row"),
    ],
)
def test_names_that_are_asked_for_should_be_there(options: dict[str, Any], message: str, path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        open_stream([write(path, lines(*RATINGS))], **options)


def test_targets_and_queries_of_text(path: Path) -> None:
    name = write(path, lines({"y": "a", "q": "r"}, {"y": 2, "q": 7}, {"y": 1.5, "q": True}))
    (block,) = open_stream([name], target="y", query="q").blocks()
    assert block.y.tolist() == ["a", "2", "1.5"]
    assert block.qid.tolist() == ["r", "7", "true"]
    (numbers,) = open_stream([write(path, lines({"y": 1.5}, {"y": 2}))], target="y").blocks()
    assert numbers.y.tolist() == [1.5, 2.0]


def test_labels_need_not_be_there_to_predict(path: Path) -> None:
    schema = {"format": "csv", "target": "y", "query": "q", "drop": ["d"], "text": ["zip"], "numbers": ["x"]}
    name = write(path, lines({"x": 2, "zip": 5, "d": 1}, {"x": 3, "new": 1}))
    (block,) = open_stream([name], schema=schema, labelled=False, names=["x", "zip=5"], grow=False).blocks()
    assert (block.y, block.qid, mappings(block)) == (None, None, [{"x": 2, "zip=5": 1}, {"x": 3}])


def test_a_pipe_is_guessed_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, gzip.compress(b"\n" + lines(*RATINGS).encode()))
    stream = open_stream(["-"], target="stars")
    assert (stream.format, labels(stream)) == ("jsonl", [4, 5, 1])


def test_files_without_mappings_are_refused(path: Path) -> None:
    for text in ("", "\n \n"):
        with pytest.raises(BadDataFile, match=r"file\.jsonl holds no rows$"):
            open_stream([write(path, text)], target="y")
    with pytest.raises(BadDataFile, match=r"line 1: it is not JSON"):
        list(open_stream([write(path, "[{},\n{}]\n")], target="y").blocks())


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("shuffle", [None, (3, 1)])
@pytest.mark.parametrize("hash_bits", [None, 3])
def test_a_reading_goes_on_from_any_place(lists: bool, shuffle: Any, hash_bits: Any, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    rows = [{"y": row % 4, "q": row // 4, f"x{random.integers(9)}": random.random(), "c": f"v{row % 7}"} for row in range(60)]
    files = [write(tmp_path / "a.jsonl", lines(*rows[:28])), write(tmp_path / "b.jsonl", lines(*rows[28:]))]
    resumed(
        lambda names, schema: open_stream(
            files, target="y", query="q", lists=lists, block_rows=7, hash_bits=hash_bits, names=names, schema=schema
        ),
        lambda block: None if block.names is None else block.names[: block.n_columns],
        shuffle=shuffle,
    )
