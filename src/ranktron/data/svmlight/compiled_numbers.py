"""Numbers in text for compiled code: the same double as ``float()`` returns, or a sign that Python has to parse them.

Digits are read eight at a time. Up to 2^53 and 10^22 one exact product or quotient is the result (Clinger 1990). Beyond that the
digits are multiplied by the leading 128 bits of the power of ten. That decides how to round, unless the product lies within two
units in the last place of a tie (after Lemire 2021). Ties, subnormal numbers and overflows are left to Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile.generic import inline
from .compiled_words import as_double, byte_at, high_product, leading_zeros, trailing_zeros, word_at

PLUS, MINUS, POINT, NOUGHT, LETTER_E = (ord(letter) for letter in "+-.0e")
LOWER_CASE = 32  # the bit that turns an upper-case letter into a lower-case one
INF, NAN, THREE_SMALL = (np.uint64(int.from_bytes(word, "little")) for word in (b"inf", b"nan", b"   "))
THREE_LETTERS = np.uint64(0xFFFFFF)
MOST_DIGITS = 19  # always fit in 64 bits

LEAST_POWER, GREATEST_POWER = -327, 308
U1, U10, U52, U63 = (np.uint64(number) for number in (1, 10, 52, 63))
HIDDEN_BIT = np.uint64(1 << 52)
EXACT_LIMIT = np.uint64(1 << 53)
EXACT_POWERS = np.array([float(10**power) for power in range(23)])
SMALL_POWERS = np.array([10**power for power in range(9)], np.uint64)


def leading_bits(power: int) -> int:
    """The first 128 bits of 10^power, truncated.

    >>> leading_bits(0) == leading_bits(1) * 8 // 10 == 1 << 127
    True
    """
    if power >= 0:
        number: int = 10**power
        shift = number.bit_length() - 128
        return number >> shift if shift > 0 else number << -shift
    divisor: int = 10**-power
    return (1 << (127 + divisor.bit_length())) // divisor


_LEADING = [leading_bits(power) for power in range(LEAST_POWER, GREATEST_POWER + 1)]
HIGH_BITS = np.array([bits >> 64 for bits in _LEADING], np.uint64)
LOW_BITS = np.array([bits & (1 << 64) - 1 for bits in _LEADING], np.uint64)


@inline
def number(text: Any, place: int) -> Any:
    """The number that begins at ``place``, and the place after it: -1 if Python has to parse it."""
    sign = byte_at(text, place)
    begin = place + 1 if sign in (MINUS, PLUS) else place
    mantissa, end = _whole(text, begin)
    digits, power = end - begin, 0
    if byte_at(text, end) == POINT:
        mantissa, stop = _fraction(text, end + 1, mantissa)
        power = end + 1 - stop
        digits, end = digits - power, stop
    if digits == 0:
        return _named(text, begin, sign)
    shift, end = _exponent(text, end)
    if end < 0:
        return 0.0, -1
    value = nearest(mantissa, power + shift) if digits <= MOST_DIGITS else _long(text, begin, shift)
    return (-value if sign == MINUS else value), (end if value >= 0.0 else -1)


@inline
def _whole(text: Any, place: int) -> Any:
    """The digits before the point, one by one: most often there are few."""
    mantissa = np.uint64(0)
    digit = byte_at(text, place) - NOUGHT
    while 0 <= digit <= 9:
        mantissa = mantissa * U10 + np.uint64(digit)
        place += 1
        digit = byte_at(text, place) - NOUGHT
    return mantissa, place


@inline
def _fraction(text: Any, place: int, mantissa: Any) -> Any:
    """The digits after the point, eight at a time, appended to ``mantissa``."""
    while True:
        count, value = digits_in(word_at(text, place))
        mantissa = mantissa * SMALL_POWERS[np.uint64(count)] + value
        place += count
        if count < 8:
            return mantissa, place


@inline
def _exponent(text: Any, place: int) -> Any:
    """The number after an "e", 0 without one, and the place after it."""
    if byte_at(text, place) | LOWER_CASE != LETTER_E:
        return 0, place
    place += 1
    sign = byte_at(text, place)
    if sign in (MINUS, PLUS):
        place += 1
    count, value = digits_in(word_at(text, place))
    if count == 0 or count == 8:
        return 0, -1
    return (-np.int64(value) if sign == MINUS else np.int64(value)), place + count


@inline
def _named(text: Any, place: int, sign: int) -> Any:
    """Infinity and NaN. The caller checks that the token ends there."""
    name = (word_at(text, place) | THREE_SMALL) & THREE_LETTERS
    if name == INF:
        return (-np.inf if sign == MINUS else np.inf), place + 3
    if name == NAN and sign != MINUS:
        return np.nan, place + 3
    return 0.0, -1


@inline
def _long(text: Any, place: int, shift: int) -> Any:
    """A number of more than 19 digits: the rest do not matter if one more in the 19th place gives the same double."""
    mantissa, kept, power, behind = np.uint64(0), 0, shift, False
    c = byte_at(text, place)
    while c == POINT or 0 <= c - NOUGHT <= 9:
        if c == POINT:
            behind = True
        elif kept < MOST_DIGITS:
            mantissa = mantissa * U10 + np.uint64(c - NOUGHT)
            kept += 1 if mantissa else 0
            power -= 1 if behind else 0
        else:
            power += 0 if behind else 1
        place += 1
        c = byte_at(text, place)
    value = nearest(mantissa, power)
    return value if value == nearest(mantissa + U1, power) or kept < MOST_DIGITS else -1.0


@inline
def nearest(mantissa: Any, power: int) -> Any:
    """The double nearest to mantissa · 10^power, or -1 where Python has to decide."""
    if mantissa <= EXACT_LIMIT and -22 <= power <= 22:
        if power < 0:
            return np.float64(mantissa) / EXACT_POWERS[np.uint64(-power)]
        return np.float64(mantissa) * EXACT_POWERS[np.uint64(power)]
    if mantissa == 0:
        return 0.0
    if power < LEAST_POWER or power > GREATEST_POWER:
        return -1.0
    return _rounded(mantissa, power)


@inline
def _rounded(mantissa: Any, power: int) -> Any:
    """``nearest`` by a product of 192 bits.

    The true product is at least high·2^64 + low and less than 2 above it: two truncations lose less than 1 each.
    """
    zeros = leading_zeros(mantissa)
    factor, place = mantissa << zeros, np.uint64(power - LEAST_POWER)
    low, carried = factor * HIGH_BITS[place], high_product(factor, LOW_BITS[place])
    high, low = high_product(factor, HIGH_BITS[place]), low + carried
    high += U1 if low < carried else np.uint64(0)
    top = high >> U63
    half = np.uint64(512) << top
    rest = high & (half + half - U1)
    exponent = ((217706 * power) >> 16) + np.int64(top) - np.int64(zeros) + 1086  # floor(log2(10^power)), with the bias
    if exponent < 1 or exponent > 2045 or (rest == half and low == 0) or (rest == half - U1 and low >= ~U1):
        return -1.0
    bits = (high >> (np.uint64(10) + top)) - HIDDEN_BIT + (np.uint64(exponent) << U52)  # rounding up may carry into the exponent
    return as_double(bits + (U1 if rest >= half else np.uint64(0)))


@inline
def digits_in(word: Any) -> Any:
    """How many of eight characters are digits, up to the first other one, and the number they form."""
    values = word ^ np.uint64(0x3030303030303030)
    others = (values + np.uint64(0x7676767676767676) | values) & np.uint64(0x8080808080808080)
    count = trailing_zeros(others) >> 3
    if count == 0:
        return count, np.uint64(0)
    values <<= np.uint64(64 - 8 * count)  # leading zeros
    values = values * U10 + (values >> np.uint64(8))
    pairs, mask = values >> np.uint64(16), np.uint64(0x000000FF000000FF)
    fours = (values & mask) * np.uint64(100 + (1000000 << 32)) + (pairs & mask) * np.uint64(1 + (10000 << 32))
    return count, fours >> np.uint64(32)
