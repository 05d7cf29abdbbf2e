"""Numbers read by compiled code are those of ``float``, to the last bit."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranktron.data import read_svmlight
from ranktron.data.svmlight import fill
from tests.data.svmlight.letor_lines import NUMBERS, SPECIAL, same_bits

pytestmark = pytest.mark.compiled
EXACTLY = Context(prec=2000)


@pytest.fixture(scope="module")
def path(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("numbers") / "file.txt"


def check(numbers: list[str], path: Path) -> None:
    """Read numbers as labels and as values."""
    path.write_text("".join(f"{number} 1:{number}\n" for number in numbers), encoding="utf-8")
    X, y = read_svmlight(path)
    expected = [float(number) for number in numbers]
    assert same_bits(X.data, expected)
    assert same_bits(y, expected)


@given(numbers=st.lists(NUMBERS, min_size=1, max_size=20))
def test_any_number(numbers: list[str], path: Path) -> None:
    check(numbers, path)


def test_special_numbers(path: Path) -> None:
    check(SPECIAL, path)


def any_double(source: random.Random) -> float:
    while True:
        (number,) = struct.unpack("d", source.randbytes(8))
        if abs(number) < float("inf"):
            return number


def digits(source: random.Random, most: int = 25) -> str:
    return "".join(source.choices("0123456789", k=source.randint(1, most)))


def near_a_tie(source: random.Random) -> str:
    """The middle between two doubles, or a bit off, written with so many digits."""
    mantissa, exponent = source.getrandbits(53) | 1 << 52, source.randint(-1074, 970)
    middle = EXACTLY.multiply(Decimal(2 * mantissa + 1), EXACTLY.power(Decimal(2), exponent - 1))
    return format(middle, f".{source.choice([16, 17, 18, 19, 20, 25, 40, 800])}e")


KINDS: dict[str, Callable[[random.Random], str]] = {
    "shortest of uniform": lambda source: repr(source.random()),
    "six places": lambda source: f"{source.random():.6f}",
    "sixteen digits": lambda source: f"{source.random() * 10 ** source.randint(-5, 5):.16g}",
    "seventeen digits": lambda source: f"{source.gauss(0, 1):.17g}",
    "more digits than fit": lambda source: f"{source.random():.25f}",
    "shortest of any": lambda source: repr(any_double(source)),
    "twenty digits of any": lambda source: f"{any_double(source):.20e}",
    "any digits": lambda source: f"{source.choice(['', '-', '+'])}{digits(source)}.{digits(source)}e{source.randint(-340, 320)}",
    "integers": lambda source: digits(source),
    "near a tie": near_a_tie,
    "a tie": lambda source: str(2 * (source.getrandbits(53) | 1 << 52) + 1),
}
EASY = ("shortest of uniform", "six places", "sixteen digits", "seventeen digits", "more digits than fit")


@pytest.mark.parametrize("kind", KINDS)
def test_many_numbers(kind: str, path: Path) -> None:
    source = random.Random(kind)
    check([KINDS[kind](source) for _ in range(2_000 if "tie" in kind else 50_000)], path)


@pytest.mark.parametrize("kind", EASY)
def test_usual_numbers_need_no_python(kind: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(kind)
    monkeypatch.setattr(fill, "read_line", None)
    check([KINDS[kind](source) for _ in range(20_000)], path)


def test_powers_of_ten_are_cut_off_after_128_bits() -> None:
    from ranktron.data.svmlight import compiled_numbers as numbers

    for place, power in enumerate(range(numbers.LEAST_POWER, numbers.GREATEST_POWER + 1)):
        bits = int(numbers.HIGH_BITS[place]) << 64 | int(numbers.LOW_BITS[place])
        exponent = (217706 * power) >> 16  # as ``_rounded`` takes it
        scaled = Fraction(10) ** power / Fraction(2) ** (exponent - 127)
        assert bits <= scaled < bits + 1
        assert bits.bit_length() == 128


def test_exact_powers_are_exact() -> None:
    from ranktron.data.svmlight import compiled_numbers as numbers

    assert [int(power) for power in numbers.EXACT_POWERS] == [10**power for power in range(23)]
