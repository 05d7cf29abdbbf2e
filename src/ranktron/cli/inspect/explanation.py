"""Why a model puts one row above another: what each feature adds to the difference of their scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...exports.rules import as_rule
from ...models import streaming
from ...models.inputs import row_of


class Term(NamedTuple):
    """What one feature adds; ``weight`` is None where what it adds depends on the other rows of the list."""

    feature: Any
    values: tuple[float, float]
    weight: float | None
    contribution: float


class Reasons(NamedTuple):
    """The terms of a difference of scores, the largest first; ``others`` is the sum of ``n_others`` more.

    The terms, ``others`` and ``rounding`` add up to the difference exactly, because scores are rounded sums.
    """

    scores: tuple[float, float]
    difference: float
    terms: list[Term]
    n_others: int
    others: float
    rounding: float


def reasons(model: Any, pair: Sequence[Any], top: int) -> Reasons:
    """What puts the row of the first block above that of the second one, each a block of one row."""
    weights = as_rule(model, None).weights
    a, b = (values_of(model, block) for block in pair)
    first, second = (float(streaming.project(model, block)[0]) for block in pair)
    return _sorted_out(model, (first, second), (a, b), weights.tolist(), weights * (a - b), top)


def reasons_within(model: Any, block: Any, rows: tuple[int, int], top: int) -> Reasons:
    """The same for two rows of one list, by a model that scores a row within its list."""
    shares = model.explain(streaming.known_part(model, streaming.as_table(block)))
    scores = streaming.project(model, block).tolist()
    a, b = (values_of(model, block.part(row, row + 1)) for row in rows)
    terms = shares[rows[0]] - shares[rows[1]]
    return _sorted_out(model, (scores[rows[0]], scores[rows[1]]), (a, b), [None] * len(terms), terms, top)


def _sorted_out(model: Any, scores: tuple[float, float], rows: Any, weights: list[Any], terms: np.ndarray, top: int) -> Reasons:
    order = np.lexsort((np.arange(len(terms)), -np.abs(terms)))
    order = order[terms[order] != 0.0]
    shown, rest = order[:top], terms[order[top:]].tolist()
    difference, others = scores[0] - scores[1], math.fsum(rest)
    return Reasons(
        scores=scores,
        difference=difference,
        terms=[
            Term(feature_name(model, j), (float(rows[0][j]), float(rows[1][j])), weights[j], float(terms[j]))
            for j in shown.tolist()
        ],
        n_others=len(rest),
        others=others,
        rounding=math.fsum([difference, *(-terms[shown]).tolist(), -others]),
    )


def values_of(model: Any, block: Any) -> np.ndarray:
    """The features of a row as the model takes them."""
    table = model._read(streaming.known_part(model, streaming.as_table(block)), model._learned)
    columns, stored = row_of(table.rows, 0)
    values = np.zeros(table.n_columns)
    np.add.at(values, columns, stored)
    return values


def feature_name(model: Any, column: int) -> Any:
    """The name of a column, or its number as the data have it."""
    features = model._learned.features
    if features.names is not None:
        return features.names[column]
    if features.hash_bits is not None:
        return f"#{column}"
    return column if model._metadata.get("data", {}).get("zero_based") else column + 1
