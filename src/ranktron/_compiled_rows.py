"""The arithmetic of ``rows`` for compiled code.

numba leaves a strict sum scalar, which from some forty columns on is slower than memory. So dense rows are summed and added here
in LLVM's vectors, lane for lane and in the same order as ``rows.lane_sum``: as fast as memory, and the same bit for bit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

ONE, TWO, THREE, FOUR = np.arange(1, 5, dtype=np.uint64)

_DOUBLE = ir.DoubleType()
_INT = ir.IntType(64)
_ZERO = ir.Constant(_INT, 0)


def dense_dot(X, i, w):
    return _dot(X, i, w)


def dense_dot_mean(X, i, w, lag, age):
    return _dot_mean(X, i, w, lag, age)


def dense_dots(X, i, W, out):
    _dots(X, i, W, out)


def dense_dots_mean(X, i, W, lags, age, out):
    _dots_mean(X, i, W, lags, age, out)


def dense_squared_norm(X, i):
    return _squared_norm(X, i)


def dense_largest(X, i):
    top = 0.0
    for j in range(X.shape[1]):
        x = abs(X[i, j])
        if x > top or x != x:
            top = x
    return top


def dense_add(X, i, a, w):
    _add(X, i, a, w)


def dense_add_both(X, i, a, w, c, u):
    _add_both(X, i, a, w, c, u)


def sparse_dot(X, i, w):
    indices, values = X.indices, X.values  # named before the loop: numba does not lift them out of it
    start, stop = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])  # unsigned: no check for a negative index
    even = stop - (stop - start) % FOUR
    s0 = s1 = s2 = s3 = 0.0
    for p in range(start, even, FOUR):
        s0 += values[p] * w[np.uint32(indices[p])]
        s1 += values[p + ONE] * w[np.uint32(indices[p + ONE])]
        s2 += values[p + TWO] * w[np.uint32(indices[p + TWO])]
        s3 += values[p + THREE] * w[np.uint32(indices[p + THREE])]
    total = (s0 + s1) + (s2 + s3)
    for p in range(even, stop):
        total += values[p] * w[np.uint32(indices[p])]
    return total


def sparse_dot_mean(X, i, w, lag, age):
    indices, values = X.indices, X.values
    start, stop = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])
    even = stop - (stop - start) % FOUR
    s0 = s1 = s2 = s3 = 0.0
    for p in range(start, even, FOUR):
        j0, j1 = np.uint32(indices[p]), np.uint32(indices[p + ONE])
        j2, j3 = np.uint32(indices[p + TWO]), np.uint32(indices[p + THREE])
        s0 += values[p] * (age * w[j0] - lag[j0])
        s1 += values[p + ONE] * (age * w[j1] - lag[j1])
        s2 += values[p + TWO] * (age * w[j2] - lag[j2])
        s3 += values[p + THREE] * (age * w[j3] - lag[j3])
    total = (s0 + s1) + (s2 + s3)
    for p in range(even, stop):
        j0 = np.uint32(indices[p])
        total += values[p] * (age * w[j0] - lag[j0])
    return total


def sparse_squared_norm(X, i):
    values = X.values
    start, stop = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])
    even = stop - (stop - start) % FOUR
    s0 = s1 = s2 = s3 = 0.0
    for p in range(start, even, FOUR):
        s0 += np.float64(values[p]) * np.float64(values[p])
        s1 += np.float64(values[p + ONE]) * np.float64(values[p + ONE])
        s2 += np.float64(values[p + TWO]) * np.float64(values[p + TWO])
        s3 += np.float64(values[p + THREE]) * np.float64(values[p + THREE])
    total = (s0 + s1) + (s2 + s3)
    for p in range(even, stop):
        total += np.float64(values[p]) * np.float64(values[p])
    return total


def sparse_largest(X, i):
    values = X.values
    top = 0.0
    for p in range(X.indptr[i], X.indptr[i + 1]):
        x = abs(values[p])
        if x > top or x != x:
            top = x
    return top


def sparse_add(X, i, a, w):
    indices, values = X.indices, X.values
    for p in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        w[np.uint32(indices[p])] += a * values[p]


def sparse_add_both(X, i, a, w, c, u):
    indices, values = X.indices, X.values
    for p in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        j, x = np.uint32(indices[p]), values[p]
        w[j] += a * x
        u[j] += c * x


Weights = Callable[[ir.Value, int], ir.Value]


@intrinsic
def _dot(typing, X, i, w):
    def codegen(context, builder, signature, args):
        row = _Row(context, builder, signature, args)
        return row.times(lambda j, width: row.along(2, j, width))

    return types.float64(X, types.int64, w), codegen


@intrinsic
def _dot_mean(typing, X, i, w, lag, age):
    def codegen(context, builder, signature, args):
        row = _Row(context, builder, signature, args)

        def weights(j, width):
            now, late = (row.along(place, j, width) for place in (2, 3))
            return builder.fsub(builder.fmul(_repeat(builder, args[4], width), now), late)

        return row.times(weights)

    return types.float64(X, types.int64, w, lag, types.float64), codegen


@intrinsic
def _dots(typing, X, i, W, out):
    def codegen(context, builder, signature, args):
        row = _Row(context, builder, signature, args)
        row.times_each(3, lambda m, j, width: row.across(2, m, j, width))
        return context.get_dummy_value()

    return types.void(X, types.int64, W, out), codegen


@intrinsic
def _dots_mean(typing, X, i, W, lags, age, out):
    def codegen(context, builder, signature, args):
        row = _Row(context, builder, signature, args)

        def weights(m, j, width):
            now, late = (row.across(place, m, j, width) for place in (2, 3))
            return builder.fsub(builder.fmul(_repeat(builder, args[4], width), now), late)

        row.times_each(5, weights)
        return context.get_dummy_value()

    return types.void(X, types.int64, W, lags, types.float64, out), codegen


@intrinsic
def _squared_norm(typing, X, i):
    def codegen(context, builder, signature, args):
        row = _Row(context, builder, signature, args)
        return row.times(row.values)

    return types.float64(X, types.int64), codegen


@intrinsic
def _add(typing, X, i, a, w):
    def codegen(context, builder, signature, args):
        row = _Row(context, builder, signature, args)
        row.add_to((args[2], 3))
        return context.get_dummy_value()

    return types.void(X, types.int64, types.float64, w), codegen


@intrinsic
def _add_both(typing, X, i, a, w, c, u):
    def codegen(context, builder, signature, args):
        row = _Row(context, builder, signature, args)
        row.add_to((args[2], 3), (args[4], 5))
        return context.get_dummy_value()

    return types.void(X, types.int64, types.float64, w, types.float64, u), codegen


class _Row:
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
        steps = (builder.mul(index, builder.extract_value(array.strides, axis)) for axis, index in enumerate(indices))
        return functools.reduce(functools.partial(cgutils.pointer_add, builder), steps, array.data)

    def along(self, place: int, j: ir.Value, width: int) -> ir.Value:
        """The weights ``args[place]`` from ``j`` on, which may lie apart."""
        builder = self.builder
        if width == 1 or self.signature.args[place].layout == "C":
            return _load(builder, self.spot(place, j), _ZERO, width, _DOUBLE)
        vector = ir.Constant(ir.VectorType(_DOUBLE, width), ir.Undefined)
        for lane in range(width):
            one = _load(builder, self.spot(place, builder.add(j, ir.Constant(_INT, lane))), _ZERO, 1, _DOUBLE)
            vector = builder.insert_element(vector, one, ir.Constant(ir.IntType(32), lane))
        return vector

    def values(self, j: ir.Value, width: int) -> ir.Value:
        return _load(self.builder, self.start, j, width, self.item)

    def times(self, weights: Weights) -> ir.Value:
        """The sum of values · weights, as ``rows.lane_sum`` takes it."""
        builder, four = self.builder, ir.Constant(_INT, 4)
        eights, fours = (builder.and_(self.size, ir.Constant(_INT, mask)) for mask in (-8, -4))
        nought = ir.Constant(ir.VectorType(_DOUBLE, 4), [0.0] * 4)
        low, high = (cgutils.alloca_once_value(builder, nought) for _ in range(2))

        def collect(total: ir.Value, j: ir.Value, width: int) -> None:
            product = builder.fmul(self.values(j, width), weights(j, width))
            builder.store(builder.fadd(builder.load(total), product), total)

        with cgutils.for_range_slice(builder, _ZERO, eights, ir.Constant(_INT, 8), intp=_INT) as (j, _):
            collect(low, j, 4)
            collect(high, builder.add(j, four), 4)
        with builder.if_then(builder.icmp_signed("<", eights, fours)):
            collect(low, eights, 4)
        lanes = builder.fadd(builder.load(low), builder.load(high))
        s0, s1, s2, s3 = (builder.extract_element(lanes, ir.Constant(ir.IntType(32), lane)) for lane in range(4))
        total = cgutils.alloca_once_value(builder, builder.fadd(builder.fadd(s0, s1), builder.fadd(s2, s3)))
        with cgutils.for_range_slice(builder, fours, self.size, ir.Constant(_INT, 1), intp=_INT) as (j, _):
            collect(total, j, 1)
        return builder.load(total)

    def times_each(self, out: int, weights: Callable[[ir.Value, ir.Value, int], ir.Value]) -> None:
        """The same for every m in ``out``, side by side: vectors lie across the weights of several m."""
        builder = self.builder
        count = builder.extract_value(self._array(out).shape, 0)
        start = _ZERO
        for width in (8, 4, 1):
            stop = builder.and_(count, ir.Constant(_INT, -width))
            with cgutils.for_range_slice(builder, start, stop, ir.Constant(_INT, width), intp=_INT) as (m, _):
                total = self._times_side_by_side(width, functools.partial(weights, m))
                _store(builder, total, self.data(out), m)
            start = stop

    def _times_side_by_side(self, width: int, weights: Weights) -> ir.Value:
        builder = self.builder
        kind = _DOUBLE if width == 1 else ir.VectorType(_DOUBLE, width)
        eights, fours = (builder.and_(self.size, ir.Constant(_INT, mask)) for mask in (-8, -4))
        nought = ir.Constant(kind, 0.0 if width == 1 else [0.0] * width)
        lanes = [cgutils.alloca_once_value(builder, nought) for _ in range(8)]
        for lane in lanes:
            builder.store(nought, lane)

        def collect(total: ir.Value, j: ir.Value) -> None:
            product = builder.fmul(_repeat(builder, self.values(j, 1), width), weights(j, width))
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
        return _load(self.builder, self.spot(place, m, j), _ZERO, width, _DOUBLE)

    def add_to(self, *moves: tuple[ir.Value, int]) -> None:
        """Add a multiple of the row to each of some weights, which may lie apart."""
        builder = self.builder
        apart = any(self.signature.args[place].layout != "C" for _, place in moves)
        fours = _ZERO if apart else builder.and_(self.size, ir.Constant(_INT, -4))

        def move(j: ir.Value, width: int) -> None:
            values = self.values(j, width)
            for multiple, place in moves:
                spot = self.spot(place, j)
                product = builder.fmul(_repeat(builder, multiple, width), values)
                _store(builder, builder.fadd(_load(builder, spot, _ZERO, width, _DOUBLE), product), spot, _ZERO)

        if not apart:
            with cgutils.for_range_slice(builder, _ZERO, fours, ir.Constant(_INT, 4), intp=_INT) as (j, _):
                move(j, 4)
        with cgutils.for_range_slice(builder, fours, self.size, ir.Constant(_INT, 1), intp=_INT) as (j, _):
            move(j, 1)


def _store(builder: ir.IRBuilder, value: ir.Value, data: ir.Value, j: ir.Value) -> None:
    builder.store(value, builder.bitcast(builder.gep(data, [j]), value.type.as_pointer())).align = 8


def _load(builder: ir.IRBuilder, data: ir.Value, j: ir.Value, width: int, item: ir.Type) -> ir.Value:
    """``width`` numbers from place ``j`` on, as doubles."""
    kind = item if width == 1 else ir.VectorType(item, width)
    value = builder.load(builder.bitcast(builder.gep(data, [j]), kind.as_pointer()))
    value.align = 8 if item == _DOUBLE else 4
    if item == _DOUBLE:
        return value
    return builder.fpext(value, _DOUBLE if width == 1 else ir.VectorType(_DOUBLE, width))


def _repeat(builder: ir.IRBuilder, number: ir.Value, width: int) -> ir.Value:
    if width == 1:
        return number
    vector = ir.Constant(ir.VectorType(_DOUBLE, width), ir.Undefined)
    for lane in range(width):
        vector = builder.insert_element(vector, number, ir.Constant(ir.IntType(32), lane))
    return vector
