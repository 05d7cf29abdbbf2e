"""Compiled code in threads gives the blocks that plain Python gives."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.compile import policy
from ranktron.data.streams import open_stream, stream, text_blocks
from tests.data.streams.reading import bits, write
from tests.data.svmlight.letor_lines import files

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def path(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("svmlight") / "file.svm"


def outcome(patience: float, cores: int, size: int, name: str, lists: bool) -> tuple[list[Any], str, list[str]]:
    """All blocks to the last bit, the sentence that ended them, and those on lines that were skipped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(policy, "PATIENCE", patience)
        patch.setattr(stream, "n_cores", lambda: cores)
        patch.setattr(text_blocks, "SIZE", size)
        patch.setattr(text_blocks, "MARGIN", 50)
        opened = open_stream([name], lists=lists, on_error="skip")
        found = []
        try:
            found.extend(bits(block) for block in opened.blocks())
        except ValueError as error:
            return found, str(error), opened.bad.first
        return found, "", opened.bad.first


@given(
    drawn=files(queries=st.integers(1, 3)),
    bad=st.sampled_from(["", "x\n", "1 qid:1 3:1 2:1\n", "1 1:1\n"]),
    cores=st.integers(1, 3),
    size=st.sampled_from([1, 60, 1 << 21]),
    lists=st.booleans(),
)
def test_blocks_are_the_same(drawn: Any, bad: str, cores: int, size: int, lists: bool, path: Path) -> None:
    name = write(path, drawn[1] + b"\n1 qid:1 1:1\n" + bad.encode() + drawn[1])
    assert outcome(0, cores, size, name, lists) == outcome(math.inf, 1, size, name, lists)
