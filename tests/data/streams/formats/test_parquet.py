"""Parquet files: the same rows as the data frame that was written."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from ranktron.data import BadDataFile
from ranktron.data.streams import open_stream
from tests.data.streams.reading import labels, mappings, pipe, resumed, wheres, write

FRAME = pl.DataFrame(
    {
        "stars": [4, 5, 1, 3, 2],
        "query": [7, 7, 8, 8, 9],
        "price": [3.5, None, 7.0, -20.0, 1.0],
        "city": ["Rome", "Paris", None, "Rome", ""],
        "fresh": [True, False, None, True, False],
        "day": [datetime.date(2024, 1, 1)] * 5,
    }
)


@pytest.fixture
def name(tmp_path: Path) -> str:
    FRAME.write_parquet(tmp_path / "file.parquet", row_group_size=2)
    return str(tmp_path / "file.parquet")


def test_rows_are_those_of_the_frame(name: str) -> None:
    stream = open_stream([name], target="stars", drop=["query", "day"])
    (block,) = stream.blocks()
    assert stream.format == "parquet"
    assert block.names == ["price", "fresh", "city=Paris", "city=Rome"]
    found = mappings(block)
    assert found[0] == {"price": 3.5, "fresh": 1.0, "city=Rome": 1.0}
    assert np.isnan(found[1]["price"])
    assert np.isnan(found[2]["fresh"])
    assert found[4] == {"price": 1.0, "fresh": 0.0}
    assert block.y.tolist() == [4, 5, 1, 3, 2]
    assert block.place == (0, 5, 5, 5)
    assert block.where(2).endswith("file.parquet, row 3")
    assert block.source.equals(FRAME)
    assert stream.schema["numbers"] == ["price", "fresh"]


def test_dates_are_text_and_numbers_can_be(name: str) -> None:
    (block,) = open_stream([name], target="stars", drop=["city", "fresh", "price"], text=["query"]).blocks()
    assert block.names == ["query=7", "query=8", "query=9", "day=2024-01-01"]


@pytest.mark.parametrize(("rows", "sizes"), [(1, [2, 2, 1]), (2, [2, 2, 1]), (3, [4, 1]), (5, [5])])
def test_blocks_end_where_lists_end(rows: int, sizes: list[int], name: str) -> None:
    stream = open_stream([name], target="stars", query="query", lists=None, block_rows=rows)
    blocks = list(stream.blocks())
    assert [len(block) for block in blocks] == sizes
    assert [stream.progress(block) for block in blocks] == pytest.approx(np.cumsum(sizes) / 5)
    assert blocks[0].qid.dtype == np.int64


def test_a_missing_target_is_refused_or_skipped(tmp_path: Path) -> None:
    path = tmp_path / "file.parquet"
    pl.DataFrame({"y": [1, None, 3], "x": [1, 2, 3]}).write_parquet(path)
    with pytest.raises(BadDataFile, match=r"file\.parquet, row 2: the target is missing: column 'y' is empty"):
        list(open_stream([str(path)], target="y").blocks())
    stream = open_stream([str(path)], target="y", on_error="skip")
    assert labels(stream) == [1, 3]
    assert wheres(stream) == [f"{path}, row 1", f"{path}, row 3"]
    assert next(stream.blocks()).source["x"].to_list() == [1, 3]


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("shuffle", [None, (1, 0)])
def test_a_reading_goes_on_from_any_place(lists: bool, shuffle: Any, tmp_path: Path) -> None:
    files = []
    for file in range(2):
        rows = range(40)
        frame = {
            "y": [row % 3 for row in rows],
            "q": [row // 3 for row in rows],
            "c": [f"{row * (file + 3) % 13}" for row in rows],
        }
        pl.DataFrame(frame).write_parquet(tmp_path / f"{file}.parquet", row_group_size=9)
        files.append(str(tmp_path / f"{file}.parquet"))
    options: dict[str, Any] = {"target": "y", "query": "q", "lists": lists, "block_rows": 7, "buffer": 20}
    resumed(
        lambda names, schema: open_stream(files, names=names, schema=schema, **options),
        lambda block: block.names[: block.n_columns],
        shuffle=shuffle,
    )
    if shuffle is not None:
        stream = open_stream(files, **options)
        assert sorted(wheres(stream, shuffle=shuffle)) == sorted(wheres(open_stream(files, **options)))
        assert [stream.progress(block) for block in stream.blocks(shuffle=shuffle)][-1] == 1.0


def test_a_file_that_is_none_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = write(tmp_path / "broken.parquet", Path(name).read_bytes()[:-20])
    with pytest.raises(BadDataFile, match=r"broken\.parquet cannot be read as Parquet: "):
        open_stream([broken], target="stars")
    pipe(monkeypatch, Path(name).read_bytes())
    with pytest.raises(BadDataFile, match="standard input: Parquet is read from plain files; write it to one first"):
        open_stream(["-"], target="stars")


def test_columns_of_lists_have_to_be_dropped(tmp_path: Path) -> None:
    path = tmp_path / "file.parquet"
    pl.DataFrame({"y": [1, 2], "x": [1, 2], "v": [[1], [2]]}).write_parquet(path)
    with pytest.raises(BadDataFile, match=r"column 'v' holds List\(Int64\), neither numbers nor text; drop it"):
        open_stream([str(path)], target="y")
    assert labels(open_stream([str(path)], target="y", drop=["v"])) == [1, 2]


def test_all_files_have_the_same_columns(tmp_path: Path, name: str) -> None:
    FRAME.drop("city").write_parquet(tmp_path / "other.parquet")
    with pytest.raises(BadDataFile, match=r"other\.parquet has other columns than .*file\.parquet: it lacks city$"):
        list(open_stream([name, str(tmp_path / "other.parquet")], target="stars").blocks())


def test_an_empty_table_holds_no_rows(tmp_path: Path) -> None:
    FRAME.clear().write_parquet(tmp_path / "empty.parquet")
    with pytest.raises(BadDataFile, match=r"empty\.parquet holds no rows"):
        list(open_stream([str(tmp_path / "empty.parquet")], target="stars").blocks())
