"""Writers: what is written reads back, and TREC's tools agree on what it means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from ranktron.data import read_letor, write_letor, write_qrels, write_run
from tests.data.svmlight.letor_lines import COMMENTS, same_bits

NUMBERS = st.one_of(st.just(0.0), st.just(np.nan), st.floats(allow_nan=False))
QUERIES = st.integers(-(2**63), 2**63 - 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("letor")


@st.composite
def problems(draw: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    shape = draw(hnp.array_shapes(min_dims=2, max_dims=2, max_side=6))
    X = draw(hnp.arrays(np.float64, shape, elements=NUMBERS))
    y = draw(hnp.arrays(np.float64, shape[0], elements=NUMBERS))
    qid = draw(hnp.arrays(np.int64, shape[0], elements=QUERIES))
    remarks = st.builds(str.strip, COMMENTS.filter(lambda text: "\r" not in text))
    return X, y, qid, draw(st.lists(remarks, min_size=shape[0], max_size=shape[0]))


@given(problem=problems(), name=st.sampled_from(["file.txt", "file.txt.gz"]))
def test_a_file_reads_back_bit_for_bit(problem: Any, name: str, folder: Path) -> None:
    X, *others, remarks = problem
    path = folder / name
    write_letor(path, X, *others, remarks)
    found, y, qid, comments = read_letor(path, comments=True, dense=True)
    assert all(same_bits(one, other) for one, other in zip((found, y, qid), (X, *others), strict=True))
    assert comments == remarks
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == name.endswith(".gz")


@given(problem=problems())
def test_a_sparse_file_reads_back_bit_for_bit(problem: Any, folder: Path) -> None:
    X, y, qid, _ = problem
    matrix = sparse.csr_matrix(X)
    write_letor(folder / "file.txt", matrix, y, qid)
    found = read_letor(folder / "file.txt", n_features=X.shape[1])[0]
    assert all(same_bits(getattr(found, part), getattr(matrix, part)) for part in ("data", "indices", "indptr"))


def test_columns_are_written_in_order_and_once(folder: Path) -> None:
    X = sparse.csr_matrix((np.array([1.0, 2, 3]), np.array([2, 0, 2]), np.array([0, 3])))
    write_letor(folder / "file.txt", X, [1], [7])
    assert (folder / "file.txt").read_text() == "1 qid:7 1:2 3:4\n"
    assert X.indices.tolist() == [2, 0, 2], "the caller's matrix is left alone"


def test_bytes_that_are_no_unicode_come_through(folder: Path) -> None:
    (folder / "a.txt").write_bytes(b"1 qid:7 1:2 #caf\xe9\n")
    write_letor(folder / "b.txt", *read_letor(folder / "a.txt", comments=True))
    assert (folder / "b.txt").read_bytes() == (folder / "a.txt").read_bytes()


@given(rows=st.lists(st.tuples(st.sampled_from(["7", "9", "q"]), st.floats(allow_nan=False)), min_size=1, max_size=12))
def test_runs_are_ranked_within_queries(rows: Any, folder: Path) -> None:
    queries, scores = zip(*rows, strict=True)
    write_run(folder / "run.txt", list(queries), None, scores, tag="mine")
    lines = [line.split(" ") for line in (folder / "run.txt").read_text().splitlines()]
    expected = []
    for query in dict.fromkeys(queries):
        members = [row for row in range(len(rows)) if queries[row] == query]
        ranked = sorted(members, key=lambda row: (-scores[row], row))
        expected += [(query, "Q0", str(row), str(rank), "mine") for rank, row in enumerate(ranked, 1)]
    assert [(query, q0, name, rank, tag) for query, q0, name, rank, _, tag in lines] == expected
    assert same_bits(np.array([float(line[4]) for line in lines]), [scores[int(line[2])] for line in lines])


def test_judgements_keep_the_order_of_the_rows(folder: Path) -> None:
    write_qrels(folder / "qrels.txt", np.array([9, 7, 9]), np.array(["b", "a", "a"]), np.array([2.0, 0.0, -1.0]))
    assert (folder / "qrels.txt").read_text() == "9 0 b 2\n7 0 a 0\n9 0 a -1\n"


def test_trec_eval_reads_runs_and_judgements(folder: Path) -> None:
    import pytrec_eval

    random = np.random.default_rng(0)
    qid, scores, y = random.integers(0, 5, 60), random.permutation(60) / 7, random.integers(0, 3, 60)
    write_run(folder / "run.txt", qid, None, scores)
    write_qrels(folder / "qrels.txt", qid, None, y)
    with open(folder / "qrels.txt") as qrels, open(folder / "run.txt") as run:
        judged, ranked = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
    assert judged == {str(query): {str(row): y[row] for row in np.flatnonzero(qid == query)} for query in set(qid.tolist())}
    assert ranked == {str(query): {str(row): scores[row] for row in np.flatnonzero(qid == query)} for query in set(qid.tolist())}


@pytest.mark.parametrize(
    ("qid", "docids", "scores", "message"),
    [
        ([1, 2], None, [0.5], r"qid should hold 1 integers or strings; it is int64 of shape \(2,\)"),
        ([1.5], None, [0.5], "qid should hold 1 integers or strings; it is float64"),
        ([1], ["a", "b"], [0.5], "docids should hold 1 integers or strings"),
        ([1], ["a b"], [0.5], "docids in row 0 is 'a b'; it should be one word, without white space"),
        (["x", ""], None, [0.5, 1], "qid in row 1 is ''"),
        ([1, 1], ["a", "a"], [0.5, 1], "row 1 names document 'a' of query '1' again"),
        ([1, 1], None, [0.5, np.nan], "the score in row 1 is NaN"),
        ([1, 1], None, [[0.5, 1]], r"scores should hold numbers; it is float64 of shape \(1, 2\)"),
        ([1], None, ["x"], "scores should hold numbers; it is <U1"),
    ],
)
def test_what_is_no_run_is_refused(qid: Any, docids: Any, scores: Any, message: str, folder: Path) -> None:
    with pytest.raises(ValueError, match=message):
        write_run(folder / "none.txt", qid, docids, scores)
    assert not (folder / "none.txt").exists()


def test_a_tag_is_one_word(folder: Path) -> None:
    with pytest.raises(ValueError, match="tag is 'my run'; it should be one word"):
        write_run(folder / "none.txt", [1], None, [2], tag="my run")


@pytest.mark.parametrize("grade", [0.5, np.nan, np.inf])
def test_grades_of_judgements_are_whole(grade: float, folder: Path) -> None:
    with pytest.raises(ValueError, match=f"y is {grade} in row 1; it should be an integer"):
        write_qrels(folder / "none.txt", [1, 1], None, [1, grade])


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (([1.0], [1], [1]), "X should be a matrix of numbers; it has 1 dimensions"),
        (([["a"]], [1], [1]), "X should be a matrix of numbers; it has 2 dimensions of <U1"),
        (([[1.0]], [1, 2], [1]), r"y should hold 1 numbers; it is int64 of shape \(2,\)"),
        (([[1.0]], [1], [1.5]), "qid is 1.5 in row 0; it should be an integer"),
        (([[1.0]], [1], [1], []), "comments should hold 1 texts, one per row; it holds 0"),
        (([[1.0]], [1], [1], ["a\n2 qid:1"]), "the comment of row 0 contains a line end"),
    ],
)
def test_what_makes_no_letor_file_is_refused(parts: Any, message: str, folder: Path) -> None:
    with pytest.raises(ValueError, match=message):
        write_letor(folder / "none.txt", *parts)
