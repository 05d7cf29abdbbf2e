"""The compiled twins of ``ranktron.steps``.

For dense rows the outer loop runs over groups of columns and the inner one over the rows of a list, so that sums stay in
registers. Results are equal bit for bit, because each column sums its rows in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from ..protocol import Scorer
from ..rows import AnyRows
from .ir import columns, intrinsic, load, repeat, square_root, store

WIDTHS = (64, 8, 4, 1)


def dense_add_rows(X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float, line: Scorer) -> None:
    if line.lag.shape[0]:
        _add_both(X, rows, pushes, line.w, line.lag, age)
    else:
        _add(X, rows, pushes, line.w)


def dense_descend(X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float, line: Scorer) -> None:
    if line.lag.shape[0]:
        _descend_both(X, rows, pushes, line.w, line.lag, age, line.squares, line.rate)
    else:
        _descend(X, rows, pushes, line.w, line.squares, line.rate)


def sparse_descend(X: AnyRows, rows: np.ndarray, pushes: np.ndarray, age: float, line: Scorer) -> None:
    indptr, indices, values = X.indptr, X.indices, X.values
    gradient, squares, w, lag = line.gradient, line.squares, line.w, line.lag
    # First the gradient of the whole list, then one step: square roots and divisions are slow.
    for t in range(rows.shape[0]):
        for at in range(np.uint64(indptr[rows[t]]), np.uint64(indptr[rows[t] + 1])):
            gradient[np.uint32(indices[at])] += pushes[t] * values[at]
    for t in range(rows.shape[0]):
        for at in range(np.uint64(indptr[rows[t]]), np.uint64(indptr[rows[t] + 1])):
            j = np.uint32(indices[at])
            g = gradient[j]
            if g == 0.0:
                continue  # another row of the list has moved it already, or the gradient is 0
            gradient[j] = 0.0
            squares[j] += g * g
            if squares[j] > 0.0:
                move = line.rate * g / math.sqrt(squares[j])
                w[j] += move
                if lag.shape[0]:
                    lag[j] += age * move


@intrinsic
def _add(typing: Any, X: Any, rows: Any, pushes: Any, w: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        some = Some(context, builder, signature, args)
        some.for_columns(lambda j, width: some.write(3, j, *some.added(j, (some.read(3, j, width), None))))
        return context.get_dummy_value()

    return types.void(X, rows, pushes, w), codegen


@intrinsic
def _add_both(typing: Any, X: Any, rows: Any, pushes: Any, w: Any, lag: Any, age: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        some = Some(context, builder, signature, args)

        def move(j: ir.Value, width: int) -> None:
            now, late = some.added(j, (some.read(3, j, width), None), (some.read(4, j, width), args[5]))
            some.write(3, j, now)
            some.write(4, j, late)

        some.for_columns(move)
        return context.get_dummy_value()

    return types.void(X, rows, pushes, w, lag, types.float64), codegen


@intrinsic
def _descend(typing: Any, X: Any, rows: Any, pushes: Any, w: Any, squares: Any, rate: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        some = Some(context, builder, signature, args)

        def move(j: ir.Value, width: int) -> None:
            step = some.step(j, width, 4, args[5])
            some.write(3, j, builder.fadd(some.read(3, j, width), step))

        some.for_columns(move)
        return context.get_dummy_value()

    return types.void(X, rows, pushes, w, squares, types.float64), codegen


@intrinsic
def _descend_both(typing: Any, X: Any, rows: Any, pushes: Any, w: Any, lag: Any, age: Any, squares: Any, rate: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        some = Some(context, builder, signature, args)

        def move(j: ir.Value, width: int) -> None:
            step = some.step(j, width, 6, args[7])
            some.write(3, j, builder.fadd(some.read(3, j, width), step))
            late = builder.fmul(repeat(builder, args[5], width), step)
            some.write(4, j, builder.fadd(some.read(4, j, width), late))

        some.for_columns(move)
        return context.get_dummy_value()

    return types.void(X, rows, pushes, w, lag, types.float64, squares, types.float64), codegen


class Some:
    """Generates code for the rows ``args[1]`` of the C-ordered matrix ``args[0]`` with their pushes ``args[2]``."""

    def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
        self.context, self.builder, self.signature, self.args = context, builder, signature, args
        self.item = context.get_data_type(signature.args[0].dtype)
        self.size = builder.extract_value(self._array(0).shape, 1)
        self.count = builder.extract_value(self._array(1).shape, 0)
        self.data = [self._array(place).data if hasattr(kind, "dtype") else None for place, kind in enumerate(signature.args)]

    def _array(self, place: int) -> Any:
        return cgutils.create_struct_proxy(self.signature.args[place])(self.context, self.builder, self.args[place])

    def for_columns(self, body: Callable[[ir.Value, int], None]) -> None:
        columns(self.builder, self.size, body, WIDTHS)

    def read(self, place: int, j: ir.Value, width: int) -> ir.Value:
        return load(self.builder, self.data[place], j, width)

    def write(self, place: int, j: ir.Value, value: ir.Value) -> None:
        store(self.builder, value, self.data[place], j)

    def added(self, j: ir.Value, *totals: tuple[ir.Value, ir.Value | None]) -> list[ir.Value]:
        """Each total plus push · row for every row, in columns from ``j`` on; the factor of a total multiplies its pushes."""
        builder, width = self.builder, getattr(totals[0][0].type, "count", 1)
        buffers = [cgutils.alloca_once(builder, total.type) for total, _ in totals]
        for buffer, (total, _) in zip(buffers, totals):
            builder.store(total, buffer)
        with cgutils.for_range(builder, self.count, intp=self.size.type) as loop:
            row, push = (builder.load(builder.gep(self.data[place], [loop.index])) for place in (1, 2))
            values = load(builder, builder.gep(self.data[0], [builder.mul(row, self.size)]), j, width, self.item)
            for buffer, (_, factor) in zip(buffers, totals):
                multiple = push if factor is None else builder.fmul(factor, push)
                product = builder.fmul(repeat(builder, multiple, width), values)
                builder.store(builder.fadd(builder.load(buffer), product), buffer)
        return [builder.load(buffer) for buffer in buffers]

    def step(self, j: ir.Value, width: int, squares: int, rate: ir.Value) -> ir.Value:
        """rate · g / √Σg² for the gradient of the rows, 0 where the sum is; adds the squared gradient to the sum."""
        builder = self.builder
        zero = repeat(builder, ir.Constant(ir.DoubleType(), 0.0), width)
        (g,) = self.added(j, (zero, None))
        seen = builder.fadd(self.read(squares, j, width), builder.fmul(g, g))
        self.write(squares, j, seen)
        step = builder.fdiv(builder.fmul(repeat(builder, rate, width), g), square_root(builder, seen))
        return builder.select(builder.fcmp_ordered(">", seen, zero), step, zero)
