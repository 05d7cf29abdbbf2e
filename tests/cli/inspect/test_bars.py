"""Bars and intervals in lines of text: to scale, and never wider than asked for."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ranktron.cli.inspect.bars import intervals, signed_bars

# Half characters that are drawn.
SIZES = {" ": 0, "╺": 1, "╸": 1, "━": 2, "◂": 2, "▸": 2}


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=12), st.integers(8, 60))
def test_bars_are_to_scale(values: list[float], width: int) -> None:
    bars = signed_bars(values, width)
    assert {len(bar) for bar in bars} == {width}
    assert len({bar.index("│") for bar in bars}) == 1
    lengths = []
    for value, bar in zip(values, bars):
        left, right = (sum(SIZES[character] for character in side) for side in bar.split("│"))
        assert left == 0 or value < 0
        assert right == 0 or value > 0
        lengths.append(left + right)
    longest = max(map(abs, values))
    if longest > 0:
        to_scale = [abs(value) / longest * max(lengths) for value in values]
        assert all(abs(length - right) <= 1.0 for length, right in zip(lengths, to_scale))
        assert max(lengths) >= width - 2  # the longest bar fills its side, which is the larger one


@given(
    st.lists(st.floats(-1e300, 1e300) | st.integers(-3, 3).map(float), min_size=1, max_size=9).map(sorted), st.integers(20, 60)
)
def test_intervals_stand_in_a_row(thresholds: list[float], width: int) -> None:
    lines, axis = intervals(thresholds, width)
    assert len(lines) == len(thresholds) + 1
    assert {len(line) for line in [*lines, axis]} == {width}
    assert lines[0][0] == "◂"
    assert lines[-1][-1] == "▸"
    for rank, (low, high) in enumerate(pairwise(thresholds), 1):
        assert ("╎" in lines[rank]) == (low == high)
        assert lines[rank].strip()  # however close, there is something to see
    starts = [len(line) - len(line.lstrip()) for line in lines]
    assert starts == sorted(starts)
    for line, end in zip(lines[:-1], thresholds):
        assert len(line.rstrip()) <= len(lines[thresholds.index(end) + 1].rstrip())


def test_one_threshold_stands_in_the_middle() -> None:
    lines, axis = intervals([5.0], 20)
    assert axis.index("┴") == 10
    assert [line.strip() for line in lines] == ["◂" + "━" * 9, "━" * 9 + "▸"]
