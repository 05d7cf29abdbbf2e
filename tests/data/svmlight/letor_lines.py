"""Lines of LETOR files as they come: strategies that know what they write."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

SPECIAL = [
    *(
        "nan",
        "NaN",
        "-nan",
        "inf",
        "-Infinity",
        "+INF",
        "0",
        "-0",
        "+1",
        ".5",
        "5.",
        "-.0e-0",
        "1e5",
        "1E+05",
        "1_0.2_5",
        "00012.50",
    ),
    *(
        "1.7976931348623157e308",
        "1.7976931348623159e308",
        "1e400",
        "-1e400",
        "2.2250738585072014e-308",
        "5e-324",
        "1e-324",
        "0e999",
    ),
    *(
        "9007199254740993",
        "9007199254740992.9999999999999999",
        "18446744073709551615",
        "18446744073709551616",
        "1" * 40,
        "0" * 40,
    ),
    *("0." + "0" * 30 + "1", "0." + "3" * 60, "1e00000000005", "123456789012345678e-340", "1e22", "1e23", "1\u0661", "\u0663.5"),
]
DECIMALS = st.from_regex(r"[+-]?([0-9]{1,22}\.?[0-9]{0,22}|\.[0-9]{1,22})([eE][+-]?[0-9]{1,3})?", fullmatch=True)
NUMBERS = st.one_of(st.floats().map(repr), st.floats(0, 1).map("{:.6f}".format), DECIMALS, st.sampled_from(SPECIAL))
BLANKS = st.sampled_from([" ", " ", " ", "  ", "\t", " \x0b\x0c "])
COMMENTS = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12)
ENDS = st.sampled_from(["\n", "\n", "\r\n", " \n", "\n\n", "\n \t\r\n", "\n# 1 qid:2 1:3\n"])


class Row(NamedTuple):
    """What a line says, the numbers as they are written, and the line."""

    label: str
    query: int
    features: list[tuple[int, str]]
    comment: str
    text: str


@st.composite
def rows(draw: Any, indices: Any = None, queries: Any = None) -> Row:
    """A row with features in ascending order, and its query anywhere."""
    numbered = st.integers(1, 60) if indices is None else indices
    label = draw(NUMBERS)
    features = [(index, draw(NUMBERS)) for index in sorted(draw(st.sets(numbered, max_size=6)))]
    query = draw(st.integers(-(2**63), 2**63 - 1) if queries is None else queries)
    tokens = [label, *(f"{draw(st.sampled_from(['', '', '0', '000']))}{index}:{number}" for index, number in features)]
    tokens.insert(draw(st.integers(0, len(tokens))), f"qid:{query}")
    comment = draw(st.one_of(st.just(""), COMMENTS))
    trailer = draw(st.sampled_from(["#", " #", " # "])) + comment if comment else ""
    text = draw(st.sampled_from(["", "", " ", "\t"])) + "".join(draw(BLANKS) + token for token in tokens).lstrip(" \t\x0b\x0c")
    return Row(label, query, features, comment, text + trailer)


@st.composite
def files(draw: Any, **parts: Any) -> tuple[list[Row], bytes]:
    """Rows, and a file of them: line ends of both kinds, blank lines, and perhaps no line end at the end."""
    drawn = draw(st.lists(rows(**parts), max_size=8))
    text = "".join(row.text + draw(ENDS) for row in drawn)
    return drawn, (text[:-1] if draw(st.booleans()) and text.endswith("\n") else text).encode()


def same_bits(found: Any, expected: Any) -> bool:
    """Whether two arrays are equal to the last bit, NaN and -0 included."""
    expected = np.asarray(expected, found.dtype)
    return found.shape == expected.shape and found.tobytes() == expected.tobytes()


def agree(read: tuple[Any, ...], written: list[Row]) -> bool:
    """Whether what was read is what was written."""
    X, y, qid, *comments = read
    columns = [index - 1 for row in written for index, _ in row.features]
    values = [float(number) for row in written for _, number in row.features]
    return (
        same_bits(y, [float(row.label) for row in written])
        and same_bits(qid, [row.query for row in written])
        and same_bits(X.data, values)
        and X.indices.tolist() == columns
        and np.diff(X.indptr).tolist() == [len(row.features) for row in written]
        and (not comments or comments[0] == [row.comment.strip() for row in written])
    )
