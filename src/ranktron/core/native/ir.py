"""Generates LLVM code for rows in vectors: sums in lanes, and multiples of a row added to weights."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic

_DOUBLE = ir.DoubleType()
_INT = ir.IntType(64)
_ZERO = ir.Constant(_INT, 0)

Weights = Callable[[ir.Value, int], ir.Value]


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """numba's ``intrinsic``, typed as what compiled code calls: without the first argument of ``function``."""
    made: Callable[..., Any] = numba_intrinsic(function)
    return made


class Row:
    """Row ``args[1]`` of the C-ordered matrix ``args[0]``, while code is generated."""

    def __init__(self, context: Any, builder: ir.IRBuilder, signature: Any, args: Any) -> None:
        self.context, self.builder, self.signature, self.args = context, builder, signature, args
        self.size = builder.extract_value(self._array(0).shape, 1)
        self.start = builder.gep(self.data(0), [builder.mul(args[1], self.size)])
        self.item = context.get_data_type(signature.args[0].dtype)

    def _array(self, place: int) -> Any:
        return cgutils.create_struct_proxy(self.signature.args[place])(self.context, self.builder, self.args[place])

    def data(self, place: int) -> ir.Value:
        return self._array(place).data

    def spot(self, place: int, *indices: ir.Value) -> ir.Value:
        """Where an item of the array ``args[place]`` is, however it lies in memory."""
        builder, array = self.builder, self._array(place)
        if self.signature.args[place].layout == "C" and len(indices) == 1:
            return builder.gep(array.data, list(indices))  # without a stride, so the compiler knows that they are adjacent
        steps = (builder.mul(index, builder.extract_value(array.strides, axis)) for axis, index in enumerate(indices))
        return functools.reduce(functools.partial(cgutils.pointer_add, builder), steps, array.data)

    def along(self, place: int, j: ir.Value, width: int) -> ir.Value:
        """The weights ``args[place]`` from ``j`` on, which may lie apart."""
        builder = self.builder
        if width == 1 or self.signature.args[place].layout == "C":
            return load(builder, self.spot(place, j), _ZERO, width)
        vector = ir.Constant(ir.VectorType(_DOUBLE, width), ir.Undefined)
        for lane in range(width):
            one = load(builder, self.spot(place, builder.add(j, ir.Constant(_INT, lane))), _ZERO, 1)
            vector = builder.insert_element(vector, one, ir.Constant(ir.IntType(32), lane))
        return vector

    def values(self, j: ir.Value, width: int) -> ir.Value:
        return load(self.builder, self.start, j, width, self.item)

    def weights(self, place: int) -> Weights:
        """The weights ``args[place]``."""
        return lambda j, width: self.along(place, j, width)

    def mean_weights(self, place: int, lag: int, age: float) -> Weights:
        """``args[age]`` times the weights ``args[place]``, minus the weights ``args[lag]``."""

        def weights(j: ir.Value, width: int) -> ir.Value:
            now, late = self.along(place, j, width), self.along(lag, j, width)
            return self.builder.fsub(self.builder.fmul(repeat(self.builder, self.args[age], width), now), late)

        return weights

    def times(self, *weights: Weights) -> list[ir.Value]:
        """The sums of values · weights, each in the order of ``rows.lane_sum``."""
        builder, four = self.builder, ir.Constant(_INT, 4)
        eights, fours = (builder.and_(self.size, ir.Constant(_INT, mask)) for mask in (-8, -4))
        nought = ir.Constant(ir.VectorType(_DOUBLE, 4), [0.0] * 4)
        # Two vectors of four lanes: an addition need not wait for the one before it.
        low, high = ([cgutils.alloca_once_value(builder, nought) for _ in weights] for _ in range(2))

        def collect(totals: list[ir.Value], j: ir.Value, width: int) -> None:
            for total, some in zip(totals, weights, strict=True):
                product = builder.fmul(self.values(j, width), some(j, width))
                builder.store(builder.fadd(builder.load(total), product), total)

        def folded(one: ir.Value, other: ir.Value) -> ir.Value:
            lanes = builder.fadd(builder.load(one), builder.load(other))
            s0, s1, s2, s3 = (builder.extract_element(lanes, ir.Constant(ir.IntType(32), lane)) for lane in range(4))
            return cgutils.alloca_once_value(builder, builder.fadd(builder.fadd(s0, s1), builder.fadd(s2, s3)))

        with cgutils.for_range_slice(builder, _ZERO, eights, ir.Constant(_INT, 8), intp=_INT) as (j, _):
            collect(low, j, 4)
            collect(high, builder.add(j, four), 4)
        with builder.if_then(builder.icmp_signed("<", eights, fours)):
            collect(low, eights, 4)
        totals = [folded(*both) for both in zip(low, high, strict=True)]
        with cgutils.for_range_slice(builder, fours, self.size, ir.Constant(_INT, 1), intp=_INT) as (j, _):
            collect(totals, j, 1)
        return [builder.load(total) for total in totals]

    def times_each(self, out: int, weights: Callable[[ir.Value, ir.Value, int], ir.Value]) -> None:
        """The same for every m in ``out``: vectors lie across the weights of several m."""
        builder = self.builder
        count = builder.extract_value(self._array(out).shape, 0)
        start = _ZERO
        for width in (8, 4, 1):
            stop = builder.and_(count, ir.Constant(_INT, -width))
            with cgutils.for_range_slice(builder, start, stop, ir.Constant(_INT, width), intp=_INT) as (m, _):
                total = self._times_side_by_side(width, functools.partial(weights, m))
                store(builder, total, self.data(out), m)
            start = stop

    def _times_side_by_side(self, width: int, weights: Weights) -> ir.Value:
        builder = self.builder
        kind = _DOUBLE if width == 1 else ir.VectorType(_DOUBLE, width)
        eights, fours = (builder.and_(self.size, ir.Constant(_INT, mask)) for mask in (-8, -4))
        nought = ir.Constant(kind, 0.0 if width == 1 else [0.0] * width)
        lanes = [cgutils.alloca_once_value(builder, nought) for _ in range(8)]

        def collect(total: ir.Value, j: ir.Value) -> None:
            product = builder.fmul(repeat(builder, self.values(j, 1), width), weights(j, width))
            builder.store(builder.fadd(builder.load(total), product), total)

        with cgutils.for_range_slice(builder, _ZERO, eights, ir.Constant(_INT, 8), intp=_INT) as (j, _):
            for place, lane in enumerate(lanes):
                collect(lane, builder.add(j, ir.Constant(_INT, place)))
        with builder.if_then(builder.icmp_signed("<", eights, fours)):
            for place, lane in enumerate(lanes[:4]):
                collect(lane, builder.add(eights, ir.Constant(_INT, place)))
        s0, s1, s2, s3 = (builder.fadd(builder.load(low), builder.load(high)) for low, high in zip(lanes[:4], lanes[4:]))
        total = lanes[0]
        builder.store(builder.fadd(builder.fadd(s0, s1), builder.fadd(s2, s3)), total)
        with cgutils.for_range_slice(builder, fours, self.size, ir.Constant(_INT, 1), intp=_INT) as (j, _):
            collect(total, j)
        return builder.load(total)

    def across(self, place: int, m: ir.Value, j: ir.Value, width: int) -> ir.Value:
        """Column ``j`` of the matrix ``args[place]`` from row ``m`` on, one after another in memory."""
        return load(self.builder, self.spot(place, m, j), _ZERO, width, _DOUBLE)

    def add_to(self, *moves: tuple[ir.Value, int]) -> None:
        """Add a multiple of the row to each of some weights, which may lie apart."""
        builder = self.builder
        apart = any(self.signature.args[place].layout != "C" for _, place in moves)

        def move(j: ir.Value, width: int) -> None:
            values = self.values(j, width)
            for multiple, place in moves:
                spot = self.spot(place, j)
                product = builder.fmul(repeat(builder, multiple, width), values)
                store(builder, builder.fadd(load(builder, spot, _ZERO, width), product), spot, _ZERO)

        columns(builder, self.size, move, (1,) if apart else (4, 1))


def columns(builder: ir.IRBuilder, size: ir.Value, body: Callable[[ir.Value, int], None], widths: tuple[int, ...]) -> None:
    """Generate ``body`` for ``size`` columns: ``widths[0]`` at a time, and the rest in smaller widths."""
    start = _ZERO
    for width in widths:
        stop = builder.and_(size, ir.Constant(_INT, -width))
        with cgutils.for_range_slice(builder, start, stop, ir.Constant(_INT, width), intp=_INT) as (j, _):
            body(j, width)
        start = stop


def square_root(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    name = "llvm.sqrt.f64" if value.type == _DOUBLE else f"llvm.sqrt.v{value.type.count}f64"
    kind = ir.FunctionType(value.type, [value.type])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [value])


def store(builder: ir.IRBuilder, value: ir.Value, data: ir.Value, j: ir.Value) -> None:
    builder.store(value, builder.bitcast(builder.gep(data, [j]), value.type.as_pointer())).align = 8


def load(builder: ir.IRBuilder, data: ir.Value, j: ir.Value, width: int, item: ir.Type = _DOUBLE) -> ir.Value:
    """``width`` numbers from place ``j`` on, as doubles."""
    kind = item if width == 1 else ir.VectorType(item, width)
    value = builder.load(builder.bitcast(builder.gep(data, [j]), kind.as_pointer()))
    value.align = 8 if item == _DOUBLE else 4
    if item == _DOUBLE:
        return value
    return builder.fpext(value, _DOUBLE if width == 1 else ir.VectorType(_DOUBLE, width))


def repeat(builder: ir.IRBuilder, number: ir.Value, width: int) -> ir.Value:
    if width == 1:
        return number
    vector = ir.Constant(ir.VectorType(_DOUBLE, width), ir.Undefined)
    for lane in range(width):
        vector = builder.insert_element(vector, number, ir.Constant(ir.IntType(32), lane))
    return vector
