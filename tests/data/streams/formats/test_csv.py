"""CSV and TSV against Python's csv module: numbers, text, targets, queries, and every way a line can be bad."""

from __future__ import annotations

import csv
import gzip
import io
import math
import sys
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
from ranktron.models.streaming import answer, feed
from tests.data.streams.reading import dense, labels, mappings, pipe, resumed, write

RATINGS = """stars,price,city,fresh
4,3.5,Rome,true
5,,"Paris, France",false

1,7,,
3,-2e1," Rome ",TRUE
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("csv") / "file.csv"


def only(name: str, **options: Any) -> Any:
    (block,) = open_stream([name], **options).blocks()
    return block


def test_numbers_text_and_flags_become_features(path: Path) -> None:
    stream = open_stream([write(path, RATINGS)], target="stars")
    (block,) = stream.blocks()
    assert block.names == ["price", "fresh", "city=Paris, France", "city=Rome"]
    assert np.array_equal(
        dense(block), [[3.5, 1, 0, 1], [math.nan, 0, 1, 0], [7, math.nan, 0, 0], [-20, 1, 0, 1]], equal_nan=True
    )
    assert (block.y.dtype, block.y.tolist()) == (np.int64, [4, 5, 1, 3])
    assert block.qid is None
    assert [block.where(row) for row in range(4)] == [f"{path}, line {line}" for line in (2, 3, 5, 6)]
    assert block.place == (0, len(RATINGS), 6, 4)
    assert stream.encoding == "text of column city is one-hot encoded: each value becomes a feature, city=value"
    assert stream.names is block.names
    assert stream.progress(block) == 1.0
    assert stream.schema == {
        "format": "csv",
        "target": "stars",
        "query": None,
        "drop": [],
        "numbers": ["price"],
        "flags": ["fresh"],
        "text": ["city"],
        "header": True,
        "hash_bits": None,
    }


def test_what_was_read_is_kept_as_it_was_written(path: Path) -> None:
    block = only(write(path, RATINGS), target="stars")
    assert block.source.rows() == [
        ("4", "3.5", "Rome", "true"),
        ("5", None, "Paris, France", "false"),
        ("1", "7", None, None),
        ("3", "-2e1", " Rome ", "TRUE"),
    ]
    assert block.part(1, 3).source["stars"].to_list() == ["5", "1"]
    assert block.without(0).part(1, 3).source["stars"].to_list() == ["1", "3"]


def test_tables_of_numbers_are_dense(path: Path) -> None:
    name = write(path, "a,y,b\n1,0,2\n3,1,4\n")
    assert open_stream([name], target="y").encoding == ""
    assert open_stream([name], target="y", hash_bits=3).encoding == "names of features are hashed into 2^3 columns"
    block = only(name, target="y")
    assert not isinstance(block.rows, CSR)
    assert block.rows.flags.c_contiguous
    assert (block.rows.tolist(), block.names) == ([[1, 2], [3, 4]], ["a", "b"])


NUMBERS = st.one_of(
    st.floats().map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["", "1_0", "+1", ".5", "5.", "1e400", "1E5", "-0", "nan", "-Infinity", " 3 ", "1e-320", "0.1e1"]),
)


@given(cells=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8))
def test_numbers_are_what_float_reads(cells: list[tuple[str, str]], path: Path) -> None:
    name = write(path, "y,a,b\n" + "".join(f"1,{a},{b}\n" for a, b in cells))
    expected = np.array([[float(cell) if cell else math.nan for cell in row] for row in cells])
    assert np.array_equal(only(name, target="y").rows, expected, equal_nan=True)


TEXT = st.text(st.sampled_from('abé,"\n#=;'), max_size=5)


@given(rows=st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=8), size=st.sampled_from([None, 1, 3]), tsv=st.booleans())
def test_text_is_what_the_csv_module_reads(rows: list[tuple[str, str]], size: int | None, tsv: bool, path: Path) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t" if tsv else ",", lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([("y", "a", "b"), *((place, *row) for place, row in enumerate(rows))])
    name = write(path, out.getvalue())
    stream = open_stream([name], format="tsv" if tsv else "csv", target="y", text=["a", "b"], block_rows=size)
    found: list[Any] = []
    for block in stream.blocks():
        found += mappings(block)
    expected = [{f"{name}={cell.strip()}": 1.0 for name, cell in zip("ab", row, strict=True) if cell.strip()} for row in rows]
    assert found == expected
    assert labels(stream) == list(range(len(rows)))


def test_new_values_get_new_columns_sorted_within_a_block(path: Path) -> None:
    name = write(path, "y,c\n" + "".join(f"1,{value}\n" for value in "bazacx"))
    stream = open_stream([name], target="y", block_rows=2)
    seen = [(block.n_columns, list(block.names or ())) for block in stream.blocks()]
    assert seen == [(2, ["c=a", "c=b"]), (3, ["c=a", "c=b", "c=z"]), (5, ["c=a", "c=b", "c=z", "c=c", "c=x"])]


def test_columns_that_a_model_knows_keep_their_places(path: Path) -> None:
    name = write(path, "y,a,c\n1,2,new\n1,3,old\n")
    known = ["c=old", "z", "a"]
    assert only(name, target="y", names=known).names == ["c=old", "z", "a", "c=new"]
    block = only(name, target="y", names=known, grow=False)
    assert (block.n_columns, dense(block).tolist()) == (3, [[0, 0, 2], [1, 0, 3]])
    assert only(write(path, "y,a,b\n1,2,3\n"), target="y", names=["b", "a"]).rows.tolist() == [[3, 2]]


def test_hashed_columns_are_those_of_a_mapping(path: Path) -> None:
    """With two bits many names share a column; the model says the same of a row and of its mapping."""
    rows = [(row % 3, row * 0.25 - 1, 0.1 * row, "abc"[row % 3], "xyz"[row % 2]) for row in range(12)]
    name = write(path, "y,p,q,s,t\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    stream = open_stream([name], target="y", hash_bits=2)
    assert stream.names is None
    assert stream.encoding == "names of features are hashed into 2^2 columns, text as s=value"
    (block,) = stream.blocks()
    assert block.n_columns == 4
    model = PRank(hash_bits=2, classes=[0, 1, 2])
    feed(model, block)
    twin = PRank(hash_bits=2, classes=[0, 1, 2])
    examples = [{"p": p, "q": q, f"s={s}": 1.0, f"t={t}": 1.0} for _, p, q, s, t in rows]
    for x, (y, *_) in zip(examples, rows, strict=True):
        twin.learn_one(x, y)
    assert model.coef_.tobytes() == twin.coef_.tobytes()
    assert answer(model, block).tolist() == [twin.predict_one(x) for x in examples]


@pytest.mark.parametrize("cells", [["a", "b", "a"], ["1.5", "2", "3"], ["4", "5", "1"], ["true", "false", "1"]])
def test_targets_are_whole_numbers_numbers_or_text(cells: list[str], path: Path) -> None:
    y = only(write(path, "y,x\n" + "".join(f"{cell},1\n" for cell in cells)), target="y").y
    expected: list[Any] = {"a": ["a", "b", "a"], "1.5": [1.5, 2.0, 3.0], "4": [4, 5, 1], "true": [1, 0, 1]}[cells[0]]
    assert (y.tolist(), y.dtype.kind) == (expected, "O" if cells[0] == "a" else "f" if cells[0] == "1.5" else "i")


def test_queries_are_whole_numbers_or_text(path: Path) -> None:
    name = write(path, "y,q,r,x\n1,7,a,1\n1,7,a,2\n2,8,b,3\n1,8,b,3\n")
    numbers = only(name, target="y", query="q", drop=["r"])
    assert (numbers.qid.tolist(), numbers.qid.dtype) == ([7, 7, 8, 8], np.int64)
    text = open_stream([name], target="y", query="r", lists=None, block_rows=1)
    assert [block.qid.tolist() for block in text.blocks()] == [["a", "a"], ["b", "b"]]
    assert text.lists
    assert text.names == ["q", "x"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("zipped", [False, True])
def test_line_ends_marks_and_zipped_files(end: str, mark: bytes, zipped: bool, path: Path) -> None:
    text = mark + RATINGS.replace("\n", end).encode()
    name = write(path, gzip.compress(text) if zipped else text)
    block = only(name, target="stars")
    assert block.names == ["price", "fresh", "city=Paris, France", "city=Rome"]
    assert block.where(3) == f"{path}, line 6"


def test_a_table_without_a_header_has_numbered_columns(path: Path) -> None:
    block = only(write(path, "4,1,a\n5,2,b\n"), header=False, target="c1")
    assert (block.names, block.y.tolist(), block.where(0)) == (["c2", "c3=a", "c3=b"], [4, 5], f"{path}, line 1")


def test_a_header_may_be_long(path: Path) -> None:
    columns = [f"column{place:06}" for place in range(6_000)]
    block = only(write(path, ",".join(columns) + "\n" + ",".join("1" for _ in columns) + "\n"), target=columns[0])
    assert block.names == columns[1:]


def test_a_column_without_a_name_gets_a_number(path: Path) -> None:
    assert only(write(path, ",y\n1,2\n"), target="y").names == ["c1"]


def test_several_files_are_one_stream(path: Path) -> None:
    names = [write(path, "y,x,c\n1,2,a\n"), write(path.with_name("other.csv"), "y,x,c\n3,4,b\n5,6,a")]
    blocks = list(open_stream(names, target="y").blocks())
    assert [block.y.tolist() for block in blocks] == [[1], [3, 5]]
    assert blocks[1].names == ["x", "c=a", "c=b"]
    assert [block.place for block in blocks] == [(0, 12, 2, 1), (1, 17, 2, 3)]
    assert blocks[1].where(1) == f"{path.with_name('other.csv')}, line 3"


def test_a_schema_reads_another_file_the_same_way(path: Path) -> None:
    learned = open_stream([write(path, "y,a,zip,d\n1,2,10115,x\n2,3,80331,y\n")], target="y", text=["zip"], drop=["d"])
    names = list(next(learned.blocks()).names or ())
    new = write(path.with_name("new.csv"), "zip,extra,a\n80331,q,7\n99999,r,8\n")
    (block,) = open_stream([new], schema=learned.schema, names=names, grow=False, labelled=False).blocks()
    assert (block.y, block.n_columns) == (None, 3)
    assert mappings(block) == [{"a": 7.0, "zip=80331": 1.0}, {"a": 8.0}]
    with pytest.raises(BadDataFile, match=r"new.csv has no column 'y' to be the target: it has zip, extra, a$"):
        open_stream([new], schema=learned.schema, names=names)
    lacking = write(path.with_name("new.csv"), "zip\n80331\n")
    with pytest.raises(BadDataFile, match="has no column 'a' to learn from, as the model did: it has zip"):
        open_stream([lacking], schema=learned.schema, names=names, labelled=False)


def test_labels_need_not_be_there_to_predict(path: Path) -> None:
    name = write(path, "y,x\n1,2\n,3\n")
    assert only(name, target="y", labelled=False).y is None
    assert only(write(path, "y,x\n1,2\n4,3\n"), target="y", labelled=False).y.tolist() == [1, 4]


def test_a_pipe_is_guessed_and_read(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, RATINGS.encode())
    stream = open_stream(["-"], target="stars")
    assert (stream.format, labels(stream)) == ("csv", [4, 5, 1, 3])


def test_without_polars_a_sentence_says_how_to_get_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(BadDataFile, match=r'need polars, which is missing: pip install "ranktron\[tables\]"'):
        open_stream([write(path, RATINGS)], target="stars")


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("shuffle", [None, (3, 1)])
@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("hash_bits", [None, 3])
def test_a_reading_goes_on_from_any_place(lists: bool, shuffle: Any, zipped: bool, hash_bits: Any, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    files = []
    for file in range(2):
        rows = zip(np.sort(random.integers(1, 9, 30)), random.random(30).round(3), random.integers(0, 12, 30))
        text = "y,q,x,c\n" + "".join(f'{row % 4},{q},{x},"v\n{c}"\n' for row, (q, x, c) in enumerate(rows))
        files.append(write(tmp_path / f"{file}.csv", gzip.compress(text.encode()) if zipped else text))
    resumed(
        lambda names, schema: open_stream(
            files, target="y", query="q", lists=lists, block_rows=7, buffer=15, hash_bits=hash_bits, names=names, schema=schema
        ),
        lambda block: None if block.names is None else block.names[: block.n_columns],
        shuffle=shuffle,
    )
