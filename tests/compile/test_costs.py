"""What compiling costs is measured and kept, and nothing that lies there does harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranktron.compile import costs
from ranktron.compile.cache import CodeFiles
from ranktron.compile.costs import ASSUMED, Costs


@pytest.fixture(autouse=True)
def _numba_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(costs.sys.modules, "numba", costs)


def test_what_was_measured_is_known_to_the_next_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([1.0, 8.5])
    monkeypatch.setattr(costs.time, "perf_counter", lambda: next(times))
    with Costs(tmp_path).measuring("a loop"):
        pass
    assert Costs(tmp_path).of("a loop") == 7.5
    assert Costs(tmp_path).of("another") == ASSUMED


def test_loading_numba_is_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(costs.sys.modules, "numba")
    assert Costs(None).of("a loop") == 1.5 * ASSUMED


def test_what_fails_is_not_measured(tmp_path: Path) -> None:
    known = Costs(tmp_path)
    with pytest.raises(KeyError), known.measuring("a loop"):
        raise KeyError
    assert known.of("a loop") == ASSUMED
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"1", b"x a loop\n", b"\xff\n", b"-1 a loop\n", b"nan a loop\n", b"inf a loop\n"])
def test_a_file_with_something_else(content: bytes, tmp_path: Path) -> None:
    CodeFiles(tmp_path, "").write("ranktron.seconds", content)
    assert Costs(tmp_path).of("a loop") == ASSUMED
