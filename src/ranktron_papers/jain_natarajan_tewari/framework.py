"""Jain, Natarajan & Tewari, section 2: the laws of the framework, Theorem 1 and its variants."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ranktron import bounds
from ranktron.data import separable
from ranktron.kernels import Polynomial
from ranktron.tasks import (
    Binary,
    CostMatrix,
    Finite,
    Multiclass,
    Multilabel,
    MultilabelRanking,
    Ordinal,
    RejectAsPublished,
    Task,
    check,
)

from ..experiment import Numbers
from .classes import whole_rows
from .lists import POWERS
from .models import predtron
from .ranks import noisy, surrogate

TRIED, ROWS, LEVELS = 20, 1_000, 6
# The largest cost in random tables. The smallest is 1.
COSTS = 10


def tasks(seed: int) -> Iterator[tuple[str, Task, list[Any], list[Any]]]:
    """Small instances of the problems of sections 3 to 5: names, tasks, labels and predictions."""
    four, sets = list(range(4)), [np.array(each) for each in itertools.product((0, 1), repeat=3)]
    orders = [np.array(each) for each in itertools.permutations(range(4))]
    grades = [np.array(each) for each in ((2, 1, 0, 0), (1, 1, 0, 1), (0, 0, 2, 1))]
    yield "two classes", Binary(), [0, 1], [0, 1]
    yield "classes", Multiclass(4), four, four
    yield "ranks", Ordinal(4), four, four
    yield "costs", CostMatrix(prices(seed, 4)), four, four
    yield "reject", RejectAsPublished((0.5, 0.3, 0.2)), four[:3], four
    for loss in ("hamming", "subset", "error-set"):
        yield f"sets, {loss}", Multilabel(loss), sets, sets
    for name, power in POWERS.items():
        yield f"orders, {name}", MultilabelRanking(power=power, ties="index"), grades, orders


def prices(seed: int, k: int) -> np.ndarray:
    """A random table of costs."""
    random = np.random.default_rng([seed, 3])
    return np.where(np.eye(k, dtype=bool), 0, random.integers(1, COSTS + 1, (k, k)))


def framework(seed: int, data: Any = None, tried: int = TRIED, n: int = ROWS, levels: int = LEVELS) -> Numbers:
    """The laws on random scores, the losses beside bounds on random streams and on the adversary, and kernels."""
    broken = sum(_breaks_a_law(seed, tried, *each) for each in tasks(seed))
    drawn = [_surrogates(seed, tried, task, labels) for _, task, labels, _ in tasks(seed)]
    bent, least, above = np.array(drawn).T
    by_score = _surrogates(seed, 5 * tried, MultilabelRanking(ties="score"), [np.array([2, 2, 2, 0]), np.array([1, 1, 0, 0])])
    return {
        "tasks that break a law": float(broken),
        "lowest surrogate": float(least.min()),
        "surrogate less loss, at least": float(above.min()),
        "how far surrogates are from convex": float(bent.max()),
        "how far they are from convex, ties by score": by_score[0],
        **_on_random_costs(seed, n),
        **_on_the_staircase(levels),
        "rounds in which a kernel differs from its features": _kernel_differs(seed, n // 4),
    }


def _breaks_a_law(seed: int, tried: int, name: str, task: Any, labels: list[Any], predictions: list[Any]) -> bool:
    try:
        check(task, labels, predictions, trials=tried, seed=seed)
    except ValueError:
        return True
    return False


def _surrogates(seed: int, tried: int, task: Any, labels: list[Any]) -> tuple[float, float, float]:
    """The largest excess of φ over its chord between two scores, its lowest value, and its smallest excess over the loss."""
    random, size = np.random.default_rng([seed, 4]), len(task.representation(labels[0]))
    bent, least, above = [], [], []
    for y, one, other in zip(itertools.cycle(labels), *random.normal(size=(2, tried, size))):
        ends = [surrogate(task, t, y) for t in (one, other)]
        bent.append(surrogate(task, (one + other) / 2, y) - sum(ends) / 2)
        least += ends
        above += [value - task.loss_of(task.decode(t), y) for value, t in zip(ends, (one, other))]
    return float(max(bent)), float(min(least)), float(min(above))


def _on_random_costs(seed: int, n: int, k: int = 4, margin: float = 0.3) -> Numbers:
    """Losses over the bounds of Theorem 1 and its loss-driven variant, for random costs of 1 to 10."""
    X, y = separable.classes(n, 2 * k, k, margin=margin, seed=seed)
    task, R = CostMatrix(prices(seed, k)), float(np.linalg.norm(X, axis=1).max())
    smallest, largest = task.smallest_loss, float(np.max(task.costs))
    plain = predtron(task, step="theory", radius=R).partial_fit(X, y)
    driven = predtron(task, loss_driven=True).partial_fit(X, y)
    return {
        "loss over Theorem 1, random costs": plain.cumulative_loss_ / bounds.predtron_loss(R, margin, smallest, largest),
        "loss-driven loss over its bound, random costs": driven.cumulative_loss_
        / bounds.predtron_loss_driven(R, margin, largest),
    }


def _on_the_staircase(levels: int) -> Numbers:
    """The same on the adversary that makes Algorithm 1 pay for C_L / c_L; it repeats one row."""
    representations, losses, W = bounds.predtron_staircase(levels)
    task, smallest = Finite(representations, losses), 1.0 / (levels + 1)
    gamma = bounds.predtron_margin(task, W, [np.ones(1)], [0], range(levels + 2))
    rows = np.ones((12 * levels**3, 1)), np.zeros(12 * levels**3, int)
    plain = predtron(task, step="theory", radius=1.0).partial_fit(*rows)
    driven = predtron(task, loss_driven=True).partial_fit(*rows)
    bound = bounds.predtron_loss_driven(1.0, gamma)
    return {
        "loss over Theorem 1, staircase": plain.cumulative_loss_ / bounds.predtron_loss(1.0, gamma, smallest),
        "loss of Algorithm 1 over the loss-driven bound, staircase": plain.cumulative_loss_ / bound,
        "loss-driven loss over its bound, staircase": driven.cumulative_loss_ / bound,
    }


def _kernel_differs(seed: int, n: int, k: int = 3) -> float:
    """The kernel (x·z + 1)² against all products of two features and a 1; both are exact for whole numbers."""
    X, random = whole_rows(np.random.default_rng([seed, 5]), n, 4), np.random.default_rng([seed, 6])
    with_1 = np.column_stack([np.ones(n), X])
    products = np.einsum("ni,nj->nij", with_1, with_1).reshape(n, -1)
    y = noisy(seed, (products @ random.integers(-3, 4, (k, products.shape[1])).T).argmax(axis=1), k)
    kernel = predtron(Multiclass(k), kernel=Polynomial(2)).predict_then_learn(X, y)
    return float((kernel != predtron(Multiclass(k)).predict_then_learn(products, y)).sum())
