"""Curves in the terminal: where the dots are, that all fits, and that the colours can be seen and told apart."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ranktron.cli.shared.curves import COLOURS, Curve, legend, marker, plot, short_count, spread, style, ticks, window
from ranktron.report.style import DARK, DARK_COLOURS, LIGHT

BRAILLE = range(0x2801, 0x2900)
# Where the dots of the Unicode standard's braille patterns are: column and row by the number of the bit.
BITS = {0: (0, 0), 1: (0, 1), 2: (0, 2), 3: (1, 0), 4: (1, 1), 5: (1, 2), 6: (0, 3), 7: (1, 3)}


def texts(lines):
    return ["".join(piece for piece, _ in line) for line in lines]


def dots(lines):
    """All dots of a plot, as columns and rows of dots from the upper left corner of the text."""
    found = set()
    for row, text in enumerate(texts(lines)):
        for column, letter in enumerate(text):
            if ord(letter) in BRAILLE:
                found |= {(2 * column + x, 4 * row + y) for bit, (x, y) in BITS.items() if ord(letter) - 0x2800 >> bit & 1}
    return found


def test_a_straight_line_is_drawn_straight():
    curve = Curve("a", list(range(101)), [100.0 - x for x in range(101)])
    points = sorted(dots(plot([curve], 60, 12)))
    columns = [x for x, _ in points]
    assert set(columns) == set(range(min(columns), max(columns) + 1))
    settled = [(x, y) for x, y in points if y > 0]  # the beginning is above the window
    slope, shift = np.polyfit(*np.array(settled).T, 1)
    assert slope > 0
    assert np.abs([y - (slope * x + shift) for x, y in settled]).max() <= 1.0


def test_a_flat_curve_is_one_row_of_dots_in_the_window():
    points = dots(plot([Curve("a", [1, 50, 100], [0.5, 0.5, 0.5])], 50, 8))
    assert len({y for _, y in points}) == 1
    assert len(points) > 50


def test_powers_of_ten_are_evenly_spaced_on_a_logarithmic_axis():
    *_, axis, labels = texts(plot([Curve("a", [1, 10, 100, 1000], [1.0, 1.0, 1.0, 0.9])], 60, 8, log=True))
    places = [place for place, letter in enumerate(axis) if letter == "┴"]
    assert len(places) == 4
    gaps = np.diff(places)
    assert gaps.max() - gaps.min() <= 1
    assert [word for word in labels.split() if word != "rows"] == ["1", "10", "100", "1k"]


@given(
    st.lists(st.lists(st.floats(0, 5), min_size=1, max_size=30), min_size=1, max_size=12),
    st.integers(40, 120),
    st.integers(4, 20),
    st.booleans(),
)
@example([[5e-324]], 40, 4, False)
@example([[0.0, 5e-324]], 40, 4, True)
def test_no_line_is_wider_than_asked_for(losses, width, height, log):
    curves = [Curve(f"model {i}", list(range(10, 10 + len(y))), y, i) for i, y in enumerate(losses)]
    lines = plot(curves, width, height, log)
    assert len(lines) == height + 2
    assert max(map(len, texts(lines))) <= width


def test_each_name_stands_in_a_line_of_its_own_in_the_order_of_the_ends():
    curves = [Curve(f"model{i}", [1, 100], [1.0, 0.5 + i / 1000], i) for i in range(6)]
    found = [text.split()[-1] for text in texts(plot(curves, 80, 12)) if "model" in text]
    assert found == [f"model{i}" for i in reversed(range(6))]


def test_of_more_curves_than_lines_the_first_have_names():
    curves = [Curve(f"model{i:02}", [1, 100], [1.0, 0.5 + i / 1000], i) for i in range(20)]
    found = [text.split()[-1] for text in texts(plot(curves, 80, 6)) if "model" in text]
    assert found == [f"model{i:02}" for i in reversed(range(6))]


def test_names_that_do_not_fit_beside_go_to_the_legend():
    curves = [Curve("a very long name indeed", [1, 2], [1.0, 0.5], i) for i in range(3)]
    assert not any("name" in text for text in texts(plot(curves, 40, 8)))
    lines = texts(legend(curves, 40))
    assert sum(text.count("name") for text in lines) == 3
    assert max(map(len, lines)) <= 40


def test_the_first_curve_is_on_top():
    both = [Curve("best", [1, 100], [0.5, 0.5], 0), Curve("other", [1, 100], [0.5, 0.5], 1)]
    drawn = {colour for line in plot(both, 60, 6)[:6] for piece, colour in line if any(ord(one) in BRAILLE for one in piece)}
    assert drawn == {style(0)}


def test_from_the_ninth_curve_on_they_are_dashed_and_their_markers_hollow():
    full, dashed = (len(dots(plot([Curve("a", [1, 100], [0.5, 0.5], number)], 60, 6))) for number in (0, len(COLOURS)))
    assert 0.5 * full < dashed < 0.7 * full
    assert (marker(0), marker(len(COLOURS))) == ("●", "○")


def test_a_curve_far_behind_leaves_the_window_and_the_others_keep_their_room():
    near = [Curve(str(i), [1, 50, 100], [1.0, 0.32 + i / 100, 0.3 + i / 100], i) for i in range(5)]
    view = window([*near, Curve("lost", [1, 50, 100], [9.0, 9.0, 9.0], 5)])
    assert view.high < 1.0
    assert view.low < 0.3


def test_what_is_no_number_is_left_out():
    curve = Curve("a", [1, 2, 3], [math.nan, 0.5, 0.4])
    assert dots(plot([curve], 40, 6))
    assert not dots(plot([Curve("a", [1, 2], [math.nan, math.nan])], 40, 6))
    assert not dots(plot([Curve("a", [], [])], 40, 6))


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e6), st.integers(2, 12))
def test_ticks_are_round_inside_and_about_as_many_as_asked_for(low, size, count):
    found = ticks(low, low + size, count)
    assert all(low - size * 1e-6 <= tick <= low + size * (1 + 1e-6) for tick in found)
    assert count / 2.5 - 1 <= len(found) <= count + 2
    if len(found) > 1:
        digit = float(f"{found[1] - found[0]:.6e}".partition("e")[0])
        assert digit in (1.0, 2.0, 5.0)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=20), st.floats(0.1, 4))
def test_places_are_apart_inside_and_in_order(wanted, apart):
    found = spread(sorted(wanted), apart, 0.0, 100.0)
    assert all(0 <= place <= 100 for place in found)
    assert all(b - a >= apart - 1e-9 for a, b in itertools.pairwise(found))


def test_counts_are_short():
    assert [short_count(x) for x in (0, 12, 1000, 250_000, 1_500_000, 3e9)] == ["0", "12", "1k", "250k", "1.5M", "3G"]


# Colours


def linear(colour):
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """The ratio of WCAG 2."""
    light, dark = sorted((float(linear(colour) @ [0.2126, 0.7152, 0.0722]) + 0.05 for colour in (one, other)), reverse=True)
    return light / dark


# How eyes without a kind of cone see linear light (Machado, Oliveira & Fernandes 2009, severity 1).
SEEN = {
    "all": np.eye(3),
    "no red": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "no green": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]),
}


def lab(light):
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = to_xyz @ np.clip(light, 0, 1) / [0.9505, 1.0, 1.089]
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("eyes", SEEN)
@pytest.mark.parametrize("palette", [COLOURS, DARK_COLOURS], ids=["light", "dark"])
def test_colours_are_told_apart_by_all_eyes(palette, eyes):
    places = [lab(SEEN[eyes] @ linear(colour)) for colour in palette]
    nearest = min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(places, 2))
    assert nearest > 15  # 2.3 is a just noticeable difference


@pytest.mark.parametrize("colour", COLOURS)
def test_curves_are_seen_on_black_and_on_white(colour):
    assert min(contrast(colour, "#ffffff"), contrast(colour, "#000000"), contrast(colour, LIGHT["bg"])) >= 3


@pytest.mark.parametrize("colour", DARK_COLOURS)
def test_curves_are_seen_on_the_dark_page(colour):
    assert contrast(colour, DARK["bg"]) >= 3


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("text", ["text", "muted", "good", "open"])
@pytest.mark.parametrize("ground", ["bg", "panel"])
def test_texts_of_the_page_can_be_read(scheme, text, ground):
    assert contrast(scheme[text], scheme[ground]) >= 4.5
