"""The steps of ``steps`` for compiled code: dense ones in LLVM's vectors, for square roots and divisions take their time."""

from __future__ import annotations

import math

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ._vectors import columns, load, repeat, square_root, store


def dense_descend(X, rows, start, stop, correction, gradient, squares, w, lag, rate, age):
    if lag.shape[0]:
        _descend_both(X.shape[1], gradient, squares, w, rate, lag, age)
    else:
        _descend(X.shape[1], gradient, squares, w, rate)


def sparse_descend(X, rows, start, stop, correction, gradient, squares, w, lag, rate, age):
    indptr, indices = X.indptr, X.indices
    for p in range(start, stop):
        if correction[p - start] == 0.0:
            continue
        i = rows[p] if rows.shape[0] else p
        for at in range(np.uint64(indptr[i]), np.uint64(indptr[i + 1])):
            j = np.uint32(indices[at])
            g = gradient[j]
            if g == 0.0:
                continue  # moved already, or nothing to move by
            gradient[j] = 0.0
            squares[j] += g * g
            if squares[j] > 0.0:
                move = rate * g / math.sqrt(squares[j])
                w[j] += move
                if lag.shape[0]:
                    lag[j] += age * move


@intrinsic
def _descend(typing, size, gradient, squares, w, rate):
    return types.void(types.int64, gradient, squares, w, types.float64), _code


@intrinsic
def _descend_both(typing, size, gradient, squares, w, rate, lag, age):
    return types.void(types.int64, gradient, squares, w, types.float64, lag, types.float64), _code


def _code(context, builder, signature, args):
    def data(place):
        return cgutils.create_struct_proxy(signature.args[place])(context, builder, args[place]).data

    def move(j, width):
        zero = (
            ir.Constant(ir.DoubleType(), 0.0) if width == 1 else ir.Constant(ir.VectorType(ir.DoubleType(), width), [0.0] * width)
        )
        g = load(builder, data(1), j, width)
        seen = builder.fadd(load(builder, data(2), j, width), builder.fmul(g, g))
        step = builder.fdiv(builder.fmul(repeat(builder, args[4], width), g), square_root(builder, seen))
        step = builder.select(builder.fcmp_ordered(">", seen, zero), step, zero)
        store(builder, zero, data(1), j)
        store(builder, seen, data(2), j)
        store(builder, builder.fadd(load(builder, data(3), j, width), step), data(3), j)
        if len(args) > 5:
            late = builder.fmul(repeat(builder, args[6], width), step)
            store(builder, builder.fadd(load(builder, data(5), j, width), late), data(5), j)

    columns(builder, args[0], move)
    return context.get_dummy_value()
