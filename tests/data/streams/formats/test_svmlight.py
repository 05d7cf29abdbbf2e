"""Streams of svmlight and LETOR files give what ``read_letor`` and ``read_svmlight`` give, in blocks."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.core.rows import CSR
from ranktron.data import BadDataFile, read_letor, read_svmlight
from ranktron.data.streams.formats import svmlight
from tests.data.streams.reading import bits, dense, labels, open_stream, pipe, resumed, stored, wheres, write
from tests.data.svmlight.letor_lines import files, same_bits
from tests.data.svmlight.test_blocks import expected_sizes


@pytest.fixture(scope="module")
def path(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("svmlight") / "file.svm"


@given(file=files(queries=st.integers(1, 3)), rows=st.sampled_from([None, 1, 2, 5]), zipped=st.booleans(), lists=st.booleans())
def test_blocks_are_the_file(file: Any, rows: int | None, zipped: bool, lists: bool, path: Path) -> None:
    written, text = file
    name = write(path, gzip.compress(text) if zipped else text)
    if not written:
        with pytest.raises(BadDataFile, match=r"file\.svm holds no rows"):
            open_stream([name])
        return
    X, y, qid = read_letor(name)
    if text.endswith(b"\n"):
        blocks = list(open_stream([name], block_rows=rows, lists=lists).blocks())
        widest = blocks[-1].n_columns
        assert widest == max(1, X.shape[1])
        found = np.concatenate([np.pad(dense(block), ((0, 0), (0, widest - block.n_columns))) for block in blocks])
        assert np.array_equal(found[:, : X.shape[1]], X.toarray(), equal_nan=True)
        assert same_bits(np.concatenate([stored(block) for block in blocks]), X.data)
        assert same_bits(np.concatenate([block.y for block in blocks]), y)
        assert same_bits(np.concatenate([block.qid for block in blocks]), qid)
        assert blocks[-1].place.rows == len(y)
        assert rows is not None or blocks[-1].place == (0, len(text), text.count(b"\n"), len(y))


def test_a_block_ends_where_a_list_ends(path: Path) -> None:
    queries = [1, 1, 1, 2, 2, 3, 3, 3, 3, 4, 1, 1]
    name = write(path, "".join(f"0 qid:{query} 1:1\n# comment\n\n" for query in queries))
    sizes = [len(block) for block in open_stream([name], lists=True, block_rows=4).blocks()]
    assert sizes == [3, 2, 4, 3]  # four lines are two rows and two others; then the list goes on to its end
    assert sum(sizes) == len(queries)
    plain = write(path, "".join(f"0 qid:{query} 1:1\n" for query in queries))
    assert [len(block) for block in open_stream([plain], lists=True, block_rows=4).blocks()] == expected_sizes(queries, 4)


def test_rows_are_dense_as_long_as_every_row_has_every_column(path: Path) -> None:
    name = write(path, "1 1:1 2:2\n1 1:3 2:4\n1 1:1 3:1\n2 1:1 2:1\n1 1:1 2:1 3:1\n")
    blocks = list(open_stream([name], block_rows=1).blocks())
    assert [isinstance(block.rows, CSR) for block in blocks] == [False, False, True, True, False]
    assert [block.n_columns for block in blocks] == [2, 2, 3, 3, 3]
    assert blocks[2].rows.indptr.dtype == blocks[2].rows.indices.dtype == np.int32
    assert blocks[2].names is None
    assert blocks[2].source is None


def test_columns_known_before_stay(path: Path) -> None:
    name = write(path, "1 1:1\n")
    stream = open_stream([name], n_columns=4)
    assert next(stream.blocks()).n_columns == 4
    assert stream.schema == {"format": "svmlight", "zero_based": False, "n_columns": 4}
    assert next(open_stream([name], schema=stream.schema).blocks()).n_columns == 4


@pytest.mark.parametrize("zero_based", [False, True])
def test_features_count_from_one_or_from_zero(zero_based: bool, path: Path) -> None:
    name = write(path, "3 1:0.5 3:2\n1 2:-1\n")
    (block,) = open_stream([name], zero_based=zero_based).blocks()
    assert same_bits(dense(block), read_svmlight(name, zero_based=zero_based)[0].toarray())


def test_rows_without_features_have_one_column(path: Path) -> None:
    (block,) = open_stream([write(path, "3\n1\n")], format="svmlight").blocks()
    assert (len(block), block.n_columns, dense(block).tolist()) == (2, 1, [[0.0], [0.0]])


def test_queries_are_there_if_the_first_line_has_one(path: Path) -> None:
    without = open_stream([write(path, "3 1:0.5 # qid:7\n")], lists=None)
    assert not without.has_queries
    assert not without.lists
    assert next(without.blocks()).qid is None
    stream = open_stream([write(path, "# x\n3 qid:7 1:0.5\n2 1:1\n")])
    assert stream.has_queries
    assert next(stream.blocks()).qid.tolist() == [7, 0]
    assert open_stream([str(path)], lists=None).lists


def test_lists_need_a_query_in_every_line(path: Path) -> None:
    stream = open_stream([write(path, "3 qid:7 1:0.5\n2 1:1\n")], lists=True)
    with pytest.raises(BadDataFile, match=r"file\.svm, line 2: there is no qid, and lists need one in every line$"):
        list(stream.blocks())


def test_a_bad_line_is_named_with_its_file(path: Path) -> None:
    good, bad = write(path, "1 1:1\n" * 3), write(path.with_name("bad.svm"), "1 1:1\n\n2 1:x\n")
    blocks = open_stream([good, bad]).blocks()
    assert len(next(blocks)) == 3
    with pytest.raises(BadDataFile, match=r"bad\.svm, line 3: '1:x' is not a feature; expected index:number$"):
        next(blocks)


def test_bad_lines_are_skipped_and_counted(path: Path) -> None:
    lines = [f"{number} 1:{number}" if number % 3 else f"{number} x:{number}" for number in range(60)]
    stream = open_stream([write(path, "\n".join(lines) + "\n")], on_error="skip", block_rows=25)
    assert labels(stream) == [number for number in range(60) if number % 3]
    assert stream.bad.count == 20
    assert stream.bad.first == [
        f"{path}, line {number + 1}: 'x:{number}' is not a feature; expected index:number" for number in range(0, 30, 3)
    ]
    assert wheres(stream) == [f"{path}, line {number + 1}" for number in range(60) if number % 3]


def test_many_bad_lines_and_few_are_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From some number of bad lines on every line is looked at by itself."""
    lines = ["1 1:1 2:2", "x", "", "2 1:1 3:3", f"1 {2**40}:1", "# c", "3 1:y", "4 2:2", "5"] * 4
    name = write(path, "\n".join(lines))
    outcomes = []
    for patience in (0, 2, 100):
        monkeypatch.setattr(svmlight, "MOST_PASSES", patience)
        stream = open_stream([name], on_error="skip", format="svmlight")
        (block,) = stream.blocks()
        lines_read = [block.where(row) for row in range(len(block))]
        outcomes.append((bits(block), lines_read, stream.bad.count, stream.bad.first))
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert outcomes[0][2] == 12
    assert dense(block).tolist() == [[1, 2, 0], [1, 0, 3], [0, 2, 0], [0, 0, 0]] * 4


def test_a_file_of_bad_lines_holds_no_rows(path: Path) -> None:
    stream = open_stream([write(path, "a\nb\n")], format="svmlight", on_error="skip")
    with pytest.raises(BadDataFile, match=r"holds no rows that can be read$"):
        list(stream.blocks())


@pytest.mark.parametrize("index", [2**31, 2**40, 10**30])
def test_an_index_that_no_column_can_have_is_refused(index: int, path: Path) -> None:
    stream = open_stream([write(path, f"1 1:1\n2 2:1 {index}:1\n")])
    with pytest.raises(
        BadDataFile, match=r"line 2: (index \d+ is beyond 2147483647, the highest|an index does not fit in 64 bits)"
    ):
        list(stream.blocks())
    skipping = open_stream([str(path)], on_error="skip")
    assert labels(skipping) == [1.0]
    assert skipping.bad.count == 1


@pytest.mark.parametrize(
    ("last", "why"),
    [
        ("1 1:0.5 2:", "'2:' is not a feature; expected index:number"),
        ("1 1:0.5", "it has 1 features where all others have 2"),
        ("x", "'x' is not a label; expected a number"),
    ],
)
def test_a_file_that_ends_in_the_middle_of_a_line_is_refused(last: str, why: str, path: Path) -> None:
    name = write(path, "1 1:0.5 2:1\n" * 3 + last)
    for more in ({}, {"shuffle": (1, 0)}):
        with pytest.raises(BadDataFile, match=f"{path} ends in the middle of line 4: {why}$"):
            list(open_stream([name]).blocks(**more))
        skipping = open_stream([name], on_error="skip")
        assert labels(skipping, **more) == [1.0] * 3
        assert skipping.bad.count == 1


@pytest.mark.parametrize("last", ["1 1:0.5 2:1", "1 1:0.5 2:1 # comment", " ", "#x"])
def test_a_last_line_without_an_end_may_be_whole(last: str, path: Path) -> None:
    name = write(path, "1 1:0.5 2:1\n" * 3 + last)
    expected = [1.0] * len(read_svmlight(name)[1])
    assert labels(open_stream([name])) == expected
    assert labels(open_stream([name]), shuffle=(0, 0)) == expected


@pytest.mark.parametrize("last", ["", " ", "# comment"])
def test_a_short_line_with_an_end_is_whole(last: str, path: Path) -> None:
    assert labels(open_stream([write(path, "1 1:1 2:1\n" * 3 + "2 1:1\n" + last)])) == [1, 1, 1, 2]


def test_of_two_bad_lines_the_first_is_named(path: Path) -> None:
    name = write(path, f"1 1:1\n1 {2**40}:1\n1 1:x\n")
    with pytest.raises(BadDataFile, match="line 2: index 1099511627776 is beyond"):
        list(open_stream([name]).blocks())


def test_lines_that_differ_say_nothing_about_the_last(path: Path) -> None:
    assert labels(open_stream([write(path, "1 1:1 2:1\n2 1:1\n3 2:1\n4")])) == [1, 2, 3, 4]


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"1 1:1\n2 1:2\n")
    stream = open_stream(["-"])
    assert (stream.format, stream.rereadable, stream.fingerprint()) == ("svmlight", False, [])
    blocks = list(stream.blocks())
    assert blocks[0].where(1) == "standard input, line 2"
    assert stream.progress(blocks[0]) is None
    with pytest.raises(BadDataFile, match="standard input is a pipe, which can be read only once; write it to a file"):
        list(stream.blocks())


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("shuffle", [None, (3, 1)])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_reading_goes_on_from_any_place(lists: bool, shuffle: Any, zipped: bool, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    names = []
    for file in range(2):
        queries = np.sort(random.integers(1, 9, 40))
        features = [" ".join(f"{j}:{random.random():.3f}" for j in range(1, 6) if random.random() < 0.9) for _ in queries]
        text = "".join(f"{row % 4} qid:{q} {x}\n" for row, (q, x) in enumerate(zip(queries, features, strict=True))).encode()
        names.append(write(tmp_path / f"{file}.svm", gzip.compress(text) if zipped else text))
    resumed(
        lambda _, schema: open_stream(names, lists=lists, block_rows=7, buffer=15, schema=schema),
        lambda block: None,
        shuffle=shuffle,
    )
