"""LETOR and svmlight files: every way to write a line, widths, and what is refused."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from ranktron.data import BadDataFile, read_letor, read_svmlight
from tests.data.svmlight.letor_lines import agree, files, same_bits
from tests.processes import LOADED, run

FOLDERS = {"RANKTRON_LETOR_MQ2008": "../shared/data/letor_mq2008", "RANKTRON_LIGHTGBM_RANK": "../shared/data/lightgbm_rank"}
LETOR, RANK = (Path(os.environ.get(name, usual)) for name, usual in FOLDERS.items())


@pytest.fixture(scope="module")
def path(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("letor") / "file.txt"


@given(file=files(), comments=st.booleans(), zipped=st.booleans())
def test_a_file_reads_as_it_was_written(file: Any, comments: bool, zipped: bool, path: Path) -> None:
    rows, text = file
    path.write_bytes(gzip.compress(text) if zipped else text)
    assert agree(read_letor(path, comments=comments), rows)


@given(file=files())
def test_a_letor_file_is_an_svmlight_file_too(file: Any, path: Path) -> None:
    rows, text = file
    path.write_bytes(text)
    X, y = read_svmlight(path, zero_based=False)
    assert agree((X, y, np.array([row.query for row in rows], np.int64)), rows)


def test_types_are_those_that_learners_take_in_place(path: Path) -> None:
    path.write_text("1 qid:3 1:2 4:0\n0 qid:3\n")
    X, y, qid = read_letor(path)
    assert (X.format, X.shape, X.dtype, X.indices.dtype, X.indptr.dtype) == ("csr", (2, 4), np.float64, np.int32, np.int32)
    assert (y.dtype, qid.dtype) == (np.float64, np.int64)
    assert X.nnz == 2, "a 0 that is written is stored"
    assert X.has_canonical_format


@pytest.mark.parametrize("folder", [LETOR, RANK], ids=["mq2008", "lightgbm"])
def test_real_files_read_as_scikit_learn_reads_them(folder: Path) -> None:
    paths = [*folder.glob("S?.txt"), *folder.glob("rank.train"), *folder.glob("rank.test")]
    if not paths:
        pytest.skip(f"the data are not there; {' or '.join(FOLDERS)} may name their folder")
    for path in paths:
        asks = folder == LETOR
        X, *others = load_svmlight_file(path, query_id=asks)
        found, *rest = read_letor(path) if asks else read_svmlight(path)
        assert found.shape == X.shape
        assert all(same_bits(getattr(found, part), getattr(X, part)) for part in ("data", "indices", "indptr"))
        assert all(same_bits(one, other) for one, other in zip(rest, others, strict=True))


@given(
    X=st.lists(
        st.lists(st.one_of(st.just(0.0), st.floats(allow_nan=False, allow_infinity=False)), min_size=3, max_size=3),
        min_size=1,
        max_size=5,
    ),
    based=st.booleans(),
    told=st.sampled_from(["auto", True]),
)
def test_dumps_of_scikit_learn_read_as_it_reads_them(X: Any, based: bool, told: Any, path: Path) -> None:
    labels = np.arange(len(X)) / 3
    dump_svmlight_file(np.array(X), labels, str(path), zero_based=based)
    for width in (None, 7):
        expected, grades = load_svmlight_file(str(path), n_features=width, zero_based=told)
        found, y = read_svmlight(path, n_features=width, zero_based=told)
        assert same_bits(y, grades)
        assert found.nnz == 0 or found.shape == expected.shape
        assert all(same_bits(getattr(found, part), getattr(expected, part)) for part in ("data", "indices", "indptr"))


BAD = {
    "1 qid:3 1:2 3:abc": "'3:abc' is not a feature; expected index:number",
    "1 qid:3 1:2 3:0x1p3": "'3:0x1p3' is not a feature",
    "1 qid:3 1:2:3": "'1:2:3' is not a feature",
    "1 qid:3 1:": "'1:' is not a feature",
    "1 qid:3 :1": "':1' is not a feature",
    "1 qid:3 7": "'7' is not a feature",
    "1 qid:3 1 :5": "'1' is not a feature",
    "1 qid:3 x:5": "'x:5' is not a feature",
    "1 qid:3 -1:5": "'-1:5' is not a feature",
    "1 qid:3 1.0:5": "'1.0:5' is not a feature",
    "1 qid:3 cost:0.5 1:2": "'cost:0.5' is not a feature",
    "1 qid:3 0:5": "index 0 is below 1",
    "1 qid:3 2:5 2:6": "index 2 comes after 2; the indices of a line should ascend",
    "1 qid:3 5:5 2:6": "index 2 comes after 5",
    "1 qid:3 9223372036854775807:1": "an index does not fit in 64 bits",
    "1 qid:3 " + "9" * 5000 + ":1": "an index does not fit in 64 bits",
    "1 1:2": "there is no qid; read_svmlight reads files without queries",
    "1 qid:3 1:2 qid:3": "there is more than one qid",
    "1 qid:x 1:2": "'qid:x' is not a query; expected qid:integer",
    "1 qid:1.5 1:2": "'qid:1.5' is not a query",
    "1 qid: 1:2": "'qid:' is not a query",
    "1 qid:9223372036854775808 1:2": "'qid:9223372036854775808' is not a query",
    "1 qid:4 QID:3 1:2": "'QID:3' is not a feature",
    "qid:3 1:2": "'1:2' is not a label; expected a number",
    "qid:3": "there is a qid but no label",
    "1,2 qid:3 1:2": "'1,2' is not a label",
    "good qid:3 1:2": "'good' is not a label",
    "\udcff qid:3 1:2": r"'\\xff' is not a label",
    "x" * 100 + " qid:3": f"'{'x' * 39}…' is not a label",
}


@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "zipped"])
@pytest.mark.parametrize(("line", "reason"), BAD.items(), ids=[line[:30] for line in BAD])
def test_a_bad_line_is_refused_with_file_line_and_reason(line: str, reason: str, zipped: bool, path: Path) -> None:
    text = f"# a head\n\n1 qid:3 1:0.5\r\n{line} # 1:2\n1 qid:3 also bad\n".encode(errors="surrogateescape")
    path.write_bytes(gzip.compress(text) if zipped else text)
    with pytest.raises(BadDataFile) as refused:
        read_letor(path)
    assert str(refused.value).startswith(f"{path}, line 4: ")
    assert reason in str(refused.value)
    assert isinstance(refused.value, ValueError)


def test_the_width_may_be_given(path: Path) -> None:
    path.write_text("1 qid:3 1:2 3:4\n")
    assert read_letor(path, n_features=5)[0].toarray().tolist() == [[2, 0, 4, 0, 0]]
    assert read_letor(path, n_features=3)[0].shape == read_letor(path)[0].shape == (1, 3)
    with pytest.raises(BadDataFile, match="line 1: index 3 is beyond 2, the last one that n_features allows"):
        read_letor(path, n_features=2)
    with pytest.raises(ValueError, match="n_features=0 should be at least 1"):
        read_letor(path, n_features=0)


@pytest.mark.parametrize("text", ["1 qid:3 1:2 2:4\n0 qid:3 1:7 2:0\n", "1 qid:3 2:4\n0 qid:3\n5 qid:4 1:-0.0 3:inf\n", ""])
@pytest.mark.parametrize("width", [None, 4])
def test_dense_is_the_same_matrix(text: str, width: int | None, path: Path) -> None:
    path.write_text(text)
    X, dense = (read_letor(path, n_features=width, dense=dense)[0] for dense in (False, True))
    assert isinstance(dense, np.ndarray)
    assert same_bits(dense, X.toarray())


@pytest.mark.parametrize(
    ("text", "told", "columns"),
    [("1 0:2 3:4", "auto", [0, 3]), ("1 1:2 3:4", "auto", [0, 2]), ("1 1:2 3:4", True, [1, 3]), ("1 1:2 3:4", False, [0, 2])],
)
def test_features_count_from_0_or_from_1(text: str, told: Any, columns: list[int], path: Path) -> None:
    path.write_text(text)
    assert read_svmlight(path, zero_based=told)[0].indices.tolist() == columns
    assert read_svmlight(path, zero_based=told, n_features=4)[0].shape == (1, 4)


def test_a_feature_0_is_refused_where_features_count_from_1(path: Path) -> None:
    path.write_text("1 0:2 4:4\n")
    with pytest.raises(BadDataFile, match="line 1: index 0 is below 1"):
        read_svmlight(path, zero_based=False)
    with pytest.raises(BadDataFile, match="index 4 is beyond n_features=4, counted from 0"):
        read_svmlight(path, n_features=4)
    with pytest.raises(ValueError, match="zero_based='yes' should be True, False or"):
        read_svmlight(path, zero_based="yes")


@pytest.mark.parametrize("largest", [2**31 - 1, 2**31, 2**31 + 1, 2**40, 2**63 - 2])
def test_huge_indices_get_wide_ones(largest: int, path: Path) -> None:
    path.write_text(f"1 qid:3 1:2\n1 qid:3 2:4 {largest}:5\n")
    X = read_letor(path)[0]
    assert X.shape == (2, largest)
    assert X.indices.tolist() == [0, 1, largest - 1]
    assert X.indices.dtype == X.indptr.dtype == (np.int32 if largest <= 2**31 - 1 else np.int64)


def test_a_bad_line_is_named_after_a_huge_index_too(path: Path) -> None:
    path.write_text("1 qid:3 1:2\n1 qid:3 99999999999:1\n1 qid:3 1:x\n")
    with pytest.raises(BadDataFile, match="line 3: '1:x' is not a feature"):
        read_letor(path)


@pytest.mark.parametrize("text", ["", "\n", "# nothing\r\n\n"])
@pytest.mark.parametrize("zipped", [False, True])
def test_a_file_may_be_empty(text: str, zipped: bool, path: Path) -> None:
    path.write_bytes(gzip.compress(text.encode()) if zipped else text.encode())
    X, y, qid, comments = read_letor(path, comments=True)
    assert (X.shape, y.shape, qid.shape, comments) == ((0, 0), (0,), (0,), [])
    assert read_svmlight(path, n_features=3)[0].shape == (0, 3)


def test_damaged_zipped_files_are_refused(path: Path) -> None:
    whole = gzip.compress(b"1 qid:3 1:2\n" * 100)
    for damaged in (whole[:-9], whole[:20] + b"xxx" + whole[23:]):
        path.write_bytes(damaged)
        with pytest.raises(BadDataFile, match="cannot be read to its end"):
            read_letor(path)


def test_a_file_that_is_not_there_is_missed(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_letor(tmp_path / "none.txt")


def test_comments_that_are_no_unicode_keep_their_bytes(path: Path) -> None:
    path.write_bytes(b"1 qid:3 1:2 # caf\xe9 \n")
    (comment,) = read_letor(path, comments=True)[3]
    assert comment.encode(errors="surrogateescape") == b"caf\xe9"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("1 qid:3 1:2\n2 qid:3 2:5\n",))
    writer.start()
    assert read_letor(pipe, dense=True)[0].tolist() == [[2, 0], [0, 5]]
    writer.join()


def test_a_refused_file_leaves_no_thread_behind(path: Path) -> None:
    path.write_bytes(gzip.compress(b"1 qid:3 1:2\n1 qid:3 x:5\n"))
    before = threading.active_count()
    with pytest.raises(BadDataFile) as error:
        read_letor(path)
    assert threading.active_count() == before, "while the error, and all that its traceback holds, is still there"
    assert "line 2" in str(error.value)


def test_a_small_file_loads_neither_numba_nor_scipy(path: Path) -> None:
    path.write_text("1 qid:3 1:2 2:3\n" * 1000)
    assert run(f"import ranktron.data; ranktron.data.read_letor({str(path)!r}, dense=True)" + LOADED) == ""
