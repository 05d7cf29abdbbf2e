"""The compiled twins of ``scorers.lanes`` and of ``hashed_random.coin_flips``, in LLVM's vectors.

Branches on random numbers cannot be predicted, so who learns a row is found without them, in bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from ..hashed_random import _EARLY, _LAST, _LATE, _SPREAD, _15, _16, _32, mixed
from .ir import intrinsic

_OCTET, _BITS, _INT, _DOUBLE = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType()
WIDTHS = (16, 8, 1)


def flips(counts: np.ndarray, seed: np.uint64, example: int, first: int, steps: np.ndarray) -> None:
    bits = mixed(seed, example)
    _flips(counts, np.uint32(bits & _LAST), np.uint32(bits >> _32), np.uint32(first), steps)


def rank_each(projections: np.ndarray, cuts: np.ndarray, ranks: np.ndarray) -> None:
    _rank_each(projections, cuts, ranks)


def mark_outside(marks: np.ndarray, shown: np.ndarray, projections: np.ndarray, cuts: np.ndarray, label: int) -> None:
    last = cuts.shape[1] - 1
    if last >= 0:
        _mark_outside(marks, shown, projections, cuts, max(label - 1, 0), label == 0, min(label, last), label > last)


def lowest(bits: np.uint64) -> Any:
    return np.int64(_lowest(bits))


@intrinsic
def _lowest(typing: Any, bits: Any) -> Any:
    """The number of the lowest bit that is set."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), codegen


@intrinsic
def _mark_outside(
    typing: Any, marks: Any, shown: Any, projections: Any, cuts: Any, low: Any, no_low: Any, high: Any, no_high: Any
) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = _Arrays(context, builder, signature, args)
        octets = builder.bitcast(arrays.spot(0), _OCTET.as_pointer())

        def write(m: ir.Value, width: int) -> None:
            projection, zero = arrays.load(2, width, m), _repeated(builder, ir.Constant(_DOUBLE, 0.0), width)

            def reaches(threshold: ir.Value) -> ir.Value:
                return builder.fcmp_ordered(">=", builder.fsub(projection, arrays.load(3, width, m, threshold)), zero)

            without_low, without_high = (_repeated(builder, args[place], width) for place in (5, 7))
            inside = builder.and_(
                builder.or_(reaches(args[4]), without_low), builder.or_(builder.not_(reaches(args[6])), without_high)
            )
            is_shown = builder.icmp_unsigned("!=", arrays.load(1, width, m), _repeated(builder, ir.Constant(_BITS, 0), width))
            marked = builder.and_(is_shown, builder.not_(inside))
            octet = builder.gep(octets, [builder.lshr(m, ir.Constant(_INT, 3))])
            if width > 1:
                kind = ir.IntType(width)
                builder.store(builder.bitcast(marked, kind), builder.bitcast(octet, kind.as_pointer())).align = 1
            else:
                place = builder.trunc(builder.and_(m, ir.Constant(_INT, 7)), _OCTET)
                bit = builder.shl(builder.zext(marked, _OCTET), place)
                builder.store(builder.or_(builder.load(octet), bit), octet)

        arrays.for_all(1, write)
        return context.get_dummy_value()

    sides = types.int64, types.boolean, types.int64, types.boolean
    return types.void(marks, shown, projections, cuts, *sides), codegen


@intrinsic
def _flips(typing: Any, counts: Any, key: Any, salt: Any, first: Any, steps: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = _Arrays(context, builder, signature, args)
        size = arrays.length(4)

        def write(m: ir.Value, width: int) -> None:
            def each(number: Any) -> ir.Value:
                value = number if isinstance(number, ir.Value) else ir.Constant(_BITS, int(number))
                return _repeated(builder, value, width)

            def fold(z: ir.Value, shift: Any) -> ir.Value:
                return builder.xor(z, builder.lshr(z, each(shift)))

            places = builder.add(each(builder.add(args[3], builder.trunc(m, _BITS))), _counting(width))
            z = builder.add(each(args[1]), builder.mul(places, each(_SPREAD)))
            z = builder.xor(builder.mul(fold(z, _16), each(_EARLY)), each(args[2]))
            z = fold(builder.mul(fold(z, _15), each(_LATE)), _15)
            total = cgutils.alloca_once_value(builder, each(0))
            builder.store(each(0), total)
            with cgutils.for_range(builder, size, intp=_INT) as loop:
                step = builder.load(arrays.spot(4, loop.index))
                reached = builder.zext(builder.icmp_unsigned(">=", z, each(step)), z.type)
                builder.store(builder.add(builder.load(total), reached), total)
            arrays.store(builder.load(total), 0, m)

        arrays.for_all(0, write)
        return context.get_dummy_value()

    return types.void(counts, types.uint32, types.uint32, types.uint32, steps), codegen


@intrinsic
def _rank_each(typing: Any, projections: Any, cuts: Any, ranks: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = _Arrays(context, builder, signature, args)
        thresholds = arrays.length(1, axis=1)

        def write(m: ir.Value, width: int) -> None:
            projection = arrays.load(0, width, m)
            zero, one = (_repeated(builder, ir.Constant(_DOUBLE, number), width) for number in (0.0, 1.0))
            total = cgutils.alloca_once_value(builder, zero)
            builder.store(zero, total)
            with cgutils.for_range(builder, thresholds, intp=_INT) as loop:
                above = builder.fsub(projection, arrays.load(1, width, m, loop.index))
                met = builder.select(builder.fcmp_ordered(">=", above, zero), one, zero)
                builder.store(builder.fadd(builder.load(total), met), total)
            kind = _BITS if width == 1 else ir.VectorType(_BITS, width)
            arrays.store(builder.fptosi(builder.load(total), kind), 2, m)

        arrays.for_all(2, write)
        return context.get_dummy_value()

    return types.void(projections, cuts, ranks), codegen


class _Arrays:
    """The arrays among the arguments, while code is generated; their first axes lie side by side in memory."""

    def __init__(self, context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> None:
        self.context, self.builder, self.signature, self.args = context, builder, signature, args

    def _array(self, place: int) -> Any:
        return cgutils.create_struct_proxy(self.signature.args[place])(self.context, self.builder, self.args[place])

    def length(self, place: int, axis: int = 0) -> ir.Value:
        return self.builder.extract_value(self._array(place).shape, axis)

    def spot(self, place: int, *indices: ir.Value) -> ir.Value:
        builder, array = self.builder, self._array(place)
        spot = array.data
        for axis, index in enumerate(indices):
            spot = cgutils.pointer_add(builder, spot, builder.mul(index, builder.extract_value(array.strides, axis)))
        return spot

    def load(self, place: int, width: int, *indices: ir.Value) -> ir.Value:
        spot = self.spot(place, *indices)
        kind = spot.type.pointee if width == 1 else ir.VectorType(spot.type.pointee, width)
        value = self.builder.load(self.builder.bitcast(spot, kind.as_pointer()))
        value.align = 8 if spot.type.pointee == _DOUBLE else 4
        return value

    def store(self, value: ir.Value, place: int, index: ir.Value) -> None:
        spot = self.builder.bitcast(self.spot(place, index), value.type.as_pointer())
        self.builder.store(value, spot).align = 4

    def for_all(self, place: int, write: Callable[[ir.Value, int], None]) -> None:
        """Generate ``write`` for an array in vectors, and one by one for the rest."""
        builder, start = self.builder, ir.Constant(_INT, 0)
        for width in WIDTHS:
            stop = builder.and_(self.length(place), ir.Constant(_INT, -width))
            with cgutils.for_range_slice(builder, start, stop, ir.Constant(_INT, width), intp=_INT) as (m, _):
                write(m, width)
            start = stop


def _counting(width: int) -> ir.Constant:
    return ir.Constant(_BITS, 0) if width == 1 else ir.Constant(ir.VectorType(_BITS, width), list(range(width)))


def _repeated(builder: ir.IRBuilder, number: ir.Value, width: int) -> ir.Value:
    if width == 1:
        return number
    vector = ir.Constant(ir.VectorType(number.type, width), ir.Undefined)
    for lane in range(width):
        vector = builder.insert_element(vector, number, ir.Constant(_BITS, lane))
    return vector
