"""Features far beyond all others: refused in a sentence, or hashed as mappings from their indices are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranktron.data import BadDataFile
from ranktron.data.streams import encoding, open_stream
from ranktron.models.features import Features
from tests.data.streams.reading import bits, dense, labels, write

ADVICE = "hash them (--hash-bits 20), or allow them (--max-features {})"
ROWS = st.lists(st.dictionaries(st.integers(0, 2**62), st.floats(-1e6, 1e6), max_size=12), min_size=1, max_size=6)


@pytest.mark.parametrize("zero_based", [False, True])
def test_an_index_beyond_the_limit_is_refused_where_it_stands(zero_based: bool, tmp_path: Path) -> None:
    name = write(tmp_path / "a.svm", "1 1:1\n2 1:1 9:1 # 99:1\n3 1:1 12:1\n")
    first, needed = (0, 13) if zero_based else (1, 12)
    for most in range(9, needed):
        with pytest.raises(BadDataFile) as error:
            list(open_stream([name], zero_based=zero_based, max_features=most).blocks())
        line, index = (2, 9) if 10 - first > most else (3, 12)
        needs = index + 1 - first
        assert str(error.value) == (
            f"{name}, line {line}: index {index} makes {needs} features, and a model may have {most}; {ADVICE.format(needs)}"
        )
    assert labels(open_stream([name], zero_based=zero_based, max_features=needed)) == [1, 2, 3]


def test_lines_beyond_the_limit_are_skipped_and_leave_no_columns(tmp_path: Path) -> None:
    name = write(tmp_path / "a.svm", "1 1:1\n2 2147483647:1\n3 2:1\n4 3:1 9223372036854775806:1\n")
    stream = open_stream([name], max_features=1000, on_error="skip")
    (block,) = stream.blocks()
    assert (block.y.tolist(), block.n_columns, stream.bad.count) == ([1, 3], 2, 2)
    assert "index 9223372036854775806 is beyond 2147483647, the highest that can be a column" in stream.bad.first[1]


def test_names_beyond_the_limit_are_refused(tmp_path: Path) -> None:
    for name, text, line in (
        ("a.jsonl", '{"y": 1, "a": 1}\n{"y": 2, "b": 1, "c": 1, "d": 1}\n', 1),
        ("a.csv", "y,s\n" + "".join(f"{row},v{row}\n" for row in range(4)), 2),
    ):
        path = write(tmp_path / name, text)
        with pytest.raises(BadDataFile) as error:
            list(open_stream([path], target="y", max_features=3).blocks())
        assert str(error.value) == (
            f"{path}, line {line}: the rows from here on make 4 features, and a model may have 3; {ADVICE.format(4)}"
        )
        assert len(labels(open_stream([path], target="y", max_features=4))) > 1


def test_what_a_model_does_not_know_is_not_limited(tmp_path: Path) -> None:
    name = write(tmp_path / "a.svm", "1 1:1 2000000000:1\n")
    assert labels(open_stream([name], max_features=3, grow=False)) == [1]


@settings(deadline=None)
@given(rows=ROWS, hash_bits=st.sampled_from([1, 3, 12, 30]))
def test_indices_are_hashed_as_mappings_from_integers_are(rows: list[dict[int, float]], hash_bits: int) -> None:
    sizes = np.array([len(row) for row in rows])
    indices = np.array([index for row in rows for index in sorted(row)], np.int64)
    values = np.array([row[index] for row in rows for index in sorted(row)])
    expected = Features(hash_bits=hash_bits).table(rows, "error").rows
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoding, "_CACHED", 4)
        hasher = encoding.IndexHasher(hash_bits)
        for _ in range(2):
            for part, other in zip(hasher.rows(sizes, indices, values), expected, strict=True):
                assert part.dtype == other.dtype
                assert part.tobytes() == other.tobytes()


@pytest.mark.parametrize("zero_based", [False, True])
def test_hashed_lines_have_a_fixed_number_of_columns(zero_based: bool, tmp_path: Path) -> None:
    rows = [{5: 0.5, 100_000_000: 2.0}, {}, {9_000_000_000: -1.0, 9223372036854775806: 3.0}]
    text = "".join(f"{y}{''.join(f' {index}:{value}' for index, value in row.items())}\n" for y, row in enumerate(rows))
    stream = open_stream([write(tmp_path / "a.svm", text)], hash_bits=12, zero_based=zero_based)
    (block,) = stream.blocks()
    assert block.n_columns == 4096
    assert stream.schema == {"format": "svmlight", "zero_based": zero_based, "n_columns": 4096, "hash_bits": 12}
    assert stream.encoding == "indices of features are hashed into 2^12 columns"
    expected = np.zeros((3, 4096))
    for row, one in zip(expected, rows, strict=True):
        for column, value in _hashed(one).items():
            row[column] = value
    assert (dense(block) == expected).all()


def test_a_schema_tells_that_indices_are_hashed(tmp_path: Path) -> None:
    name = write(tmp_path / "a.svm", "1 1:1 7:2\n2 3:1\n")
    first = open_stream([name], hash_bits=4)
    expected = [bits(block) for block in first.blocks()]
    assert [bits(block) for block in open_stream([name], schema=first.schema).blocks()] == expected


def _hashed(row: dict[int, Any]) -> dict[int, float]:
    _, columns, values = Features(hash_bits=12).table([row], "error").rows
    return dict(zip(columns.tolist(), values.tolist(), strict=True))
