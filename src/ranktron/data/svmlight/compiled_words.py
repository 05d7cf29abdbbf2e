"""Loads of one, eight or 64 characters of a text for compiled code, and 64-bit operations that Python lacks.

Places are not checked: texts are padded at their end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils

# Lets compiled code call LLVM instructions as a function. mypy would count the typing context among the arguments of a call.
intrinsic: Any = extending.intrinsic

WIDTH = 64  # characters in a vector: one for each bit of a word
_BYTE, _INT, _WORD, _WIDE = (ir.IntType(bits) for bits in (8, 32, 64, 128))
_VECTOR = ir.VectorType(_BYTE, WIDTH)
_NO = ir.Constant(ir.IntType(1), 0)


def _load(context: Any, builder: ir.IRBuilder, signature: Any, args: Any, kind: ir.Type) -> ir.Value:
    """Load a value from place ``args[1]`` of the text ``args[0]``, aligned or not."""
    array = cgutils.create_struct_proxy(signature.args[0])(context, builder, args[0])
    loaded = builder.load(builder.bitcast(builder.gep(array.data, [args[1]]), kind.as_pointer()))
    loaded.align = 1
    return loaded


def _all(builder: ir.IRBuilder, character: ir.Value) -> ir.Value:
    """A vector that repeats one character."""
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), character, ir.Constant(_INT, 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INT, WIDTH), [0] * WIDTH))


@intrinsic
def byte_at(typing: Any, text: Any, place: Any) -> Any:
    """One character."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
        return builder.zext(_load(context, builder, signature, args, _BYTE), _WORD)

    return types.int64(text, types.int64), codegen


@intrinsic
def word_at(typing: Any, text: Any, place: Any) -> Any:
    """Eight characters, the first in the lowest bits."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
        return _load(context, builder, signature, args, _WORD)

    return types.uint64(text, types.int64), codegen


@intrinsic
def equal_in(typing: Any, text: Any, place: Any, character: Any) -> Any:
    """A bit for each of 64 characters from ``place`` on, set where it equals ``character``."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
        found = _load(context, builder, signature, args, _VECTOR)
        wanted = _all(builder, builder.trunc(args[2], _BYTE))
        return builder.bitcast(builder.icmp_unsigned("==", found, wanted), _WORD)

    return types.uint64(text, types.int64, types.int64), codegen


@intrinsic
def digits_among(typing: Any, text: Any, place: Any) -> Any:
    """A bit for each of 64 characters from ``place`` on, set where it is a digit."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
        nought, ten = (_all(builder, ir.Constant(_BYTE, number)) for number in (ord("0"), 10))
        values = builder.sub(_load(context, builder, signature, args, _VECTOR), nought)
        return builder.bitcast(builder.icmp_unsigned("<", values, ten), _WORD)

    return types.uint64(text, types.int64), codegen


def _on_word(result: Any, build: Callable[[ir.IRBuilder, ir.Value], ir.Value]) -> Any:
    """An operation on one word."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
        return build(builder, args[0])

    return result(types.uint64), codegen


@intrinsic
def ones(typing: Any, word: Any) -> Any:
    """How many bits are 1."""
    return _on_word(types.int64, lambda builder, bits: builder.ctpop(bits))


@intrinsic
def leading_zeros(typing: Any, word: Any) -> Any:
    """How many bits are 0 before the first 1."""
    return _on_word(types.uint64, lambda builder, bits: builder.ctlz(bits, _NO))


@intrinsic
def trailing_zeros(typing: Any, word: Any) -> Any:
    """How many bits are 0 after the last 1."""
    return _on_word(types.int64, lambda builder, bits: builder.cttz(bits, _NO))


@intrinsic
def as_double(typing: Any, word: Any) -> Any:
    """The double that has these bits."""
    return _on_word(types.float64, lambda builder, bits: builder.bitcast(bits, ir.DoubleType()))


@intrinsic
def high_product(typing: Any, a: Any, b: Any) -> Any:
    """The upper half of a product of 128 bits."""

    def codegen(context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> ir.Value:
        product = builder.mul(*(builder.zext(arg, _WIDE) for arg in args))
        return builder.trunc(builder.lshr(product, ir.Constant(_WIDE, 64)), _WORD)

    return types.uint64(types.uint64, types.uint64), codegen
