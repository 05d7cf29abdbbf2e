"""Jain, Natarajan & Tewari, sections 3 to 5: sets of labels, and orders of documents and of labels."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ranktron import bounds
from ranktron.data import separable
from ranktron.tasks import Finite, Multilabel, MultilabelRanking, SubsetRanking

from ..experiment import Numbers
from .classes import mislabelled, perceptron, two_classes
from .lists import POWERS
from .models import predtron

LOSSES = ("hamming", "subset", "error-set")
LABELS, TRIED, ROWS, FEATURES, MARGIN = 5, 30, 500, 12, 0.1
# ``IDLE`` features are irrelevant, for the margins in ℓ1 and in groups.
LISTS, DOCUMENTS, GRADES, IDLE = 100, 5, 3, 40
PLACES = 20


def all_sets(m: int) -> list[np.ndarray]:
    """Every set of m labels, as 0 and 1."""
    return [np.array(each) for each in itertools.product((1, 0), repeat=m)]


def multilabel(seed: int, data: Any = None, m: int = LABELS, tried: int = TRIED, n: int = ROWS) -> Numbers:
    """Sets of labels: decoding against enumeration, losses beside bounds, a single label, and a loss as printed."""
    X, Y = separable.multilabel(n, FEATURES, m, margin=MARGIN, seed=seed)
    R, one = float(np.linalg.norm(X, axis=1).max()), two_classes(seed, n, FEATURES)
    numbers: Numbers = {f"off the worst set, {loss}": _off_the_worst(seed, Multilabel(loss), m, tried) for loss in LOSSES}
    for loss, largest in (("hamming", float(m)), ("subset", 1.0)):
        model = predtron(Multilabel(loss), step="theory", radius=R).partial_fit(X, Y)
        numbers[f"loss over Theorem 1, {loss}"] = model.cumulative_loss_ / bounds.predtron_loss(R, MARGIN, 1.0, largest)
    return numbers | {
        "rounds in which one label differs from the perceptron": _one_label(one[0], mislabelled(seed, one[1], 0.1)),
        "sets right, subset loss": _share_right(predtron(Multilabel("subset")), X, Y, Y),
        "sets right, subset loss as printed": _inverted(X, Y),
    }


def _off_the_worst(seed: int, task: Any, m: int, tried: int) -> float:
    """By how much the decoded set falls short of the highest loss + similarity of all 2^m sets."""
    random, sets, most = np.random.default_rng([seed, 1]), all_sets(m), 0.0
    for t, y in zip(random.normal(size=(tried, m)), random.integers(2, size=(tried, m))):
        most = max(most, _off(task, t, y, sets))
    return most


def _off(task: Any, t: np.ndarray, y: np.ndarray, predictions: list[np.ndarray]) -> float:
    found, *all_values = (
        float(task.loss_of(each, y) + task.representation(each) @ t) for each in (task.loss_augmented(t, y), *predictions)
    )
    return abs(max(all_values) - found)


def _one_label(X: np.ndarray, y: np.ndarray) -> float:
    predicted = predtron(Multilabel(), step=0.5).predict_then_learn(X, (y[:, None] > 0).astype(int))
    return float((2 * np.ravel(predicted) - 1 != perceptron(X, y)[0]).sum())


def _inverted(X: np.ndarray, Y: np.ndarray) -> float:
    """The share of right sets if L = 1 for σ = y, so that a right set has a cost."""
    sets = np.array(all_sets(Y.shape[1]))
    codes = (Y[:, None, :] == sets).all(axis=2).argmax(axis=1)
    task = Finite((2 * sets - 1) / math.sqrt(Y.shape[1]), np.eye(len(sets)))
    return _share_right(predtron(task, classes=range(len(sets))), X, codes, codes)


def _share_right(model: Any, X: np.ndarray, labels: np.ndarray, truth: np.ndarray) -> float:
    """The share of right predictions in the second half of the rows, each predicted before it is learned."""
    right = model.predict_then_learn(X, labels) == truth
    return float(right.reshape(len(X), -1).all(axis=1)[len(X) // 2 :].mean())


# Orders


def rankings(
    seed: int, data: Any = None, lists: int = LISTS, documents: int = DOCUMENTS, tried: int = TRIED, idle: int = IDLE
) -> Numbers:
    """Orders: Lemmas 3 and 4 against enumeration, the steps of the representations, and losses beside Corollaries 5 to 8."""
    return {
        **{f"off the worst order, {name}": _lemma_3(seed, power, tried // 3) for name, power in POWERS.items()},
        **{f"difference of margins, {name}": _lemma_4(seed, power, tried // 3) for name, power in POWERS.items()},
        **{f"separation asked at the bottom over that at the top, {name}": _asked(power) for name, power in POWERS.items()},
        "steps of -i^1.1 that do not grow": float((np.diff(steps(1.1)) <= 0).sum()),
        "steps of 1/i that do not fall": float((np.diff(steps(-1.0)) >= 0).sum()),
        "smallest loss over the one in Corollary 5": min(
            _smallest(m, highest) for m in (2, 3, 5, 10, 20, 50) for highest in (1, 2, 4)
        ),
        **_documents(seed, lists, documents, idle),
        **_labels(seed, 4 * lists, documents, idle),
    }


def steps(power: float, m: int = PLACES) -> np.ndarray:
    """f(i - 1) - f(i) for the places 2 to m."""
    return -np.diff(np.arange(1.0, m + 1) ** power * (-1.0 if power > 0 else 1.0))


def _asked(power: float) -> float:
    """The gap that Lemma 4 requires at the bottom over that at the top: γZ over the step."""
    return float(steps(power)[0] / steps(power)[-1])


def _smallest(m: int, highest: int) -> float:
    return bounds.ndcg_smallest_loss(m, highest) * 2.0 ** (highest + 1) * m**2 * math.log2(2 * m) ** 2


def _lemma_3(seed: int, power: float, tried: int, m: int = 5) -> float:
    """By how much the assignment falls short of the best order."""
    random, task = np.random.default_rng([seed, 3]), MultilabelRanking(power=power)
    orders = [np.array(each) for each in itertools.permutations(range(m))]
    return max(_off(task, t, y, orders) for t, y in zip(random.normal(size=(tried, m)), random.integers(4, size=(tried, m))))


def _lemma_4(seed: int, power: float, tried: int, m: int = 5) -> float:
    """The difference of the margins by the lemma and by definition, for scores that are equal within each grade."""
    random, task, most = np.random.default_rng([seed, 4]), MultilabelRanking(power=power), 0.0
    orders = [np.array(each) for each in itertools.permutations(range(m))]
    for grades in np.sort(random.integers(3, size=(tried, m)), axis=1)[:, ::-1]:
        t, drops = random.uniform(0.1, 2.0, 3).cumsum()[grades], np.flatnonzero(np.diff(grades))
        if len(drops):
            f = np.arange(1.0, m + 1) ** power
            lemma = float(((t[drops] - t[drops + 1]) * steps(power, m)[drops]).min() / np.linalg.norm(f))
            most = max(most, abs(lemma - bounds.predtron_margin(task, np.ones(1), [t[:, None]], [grades], orders)))
    return most


def _documents(seed: int, lists: int, m: int, idle: int, p: int = 5) -> Numbers:
    """Losses over Corollaries 5 and 6. The direction has norm 1, so its ℓ1 norm is at most √p."""
    X, y, qid = separable.subset_ranking(lists, m, p, GRADES, margin=MARGIN, seed=seed)
    X = np.column_stack([X, np.random.default_rng([seed, 5]).uniform(-1, 1, (len(X), idle))])
    matrices, sparse = X.reshape(lists, m, -1), MARGIN / math.sqrt(p)
    whole, column = np.linalg.norm(matrices, 2, axis=(1, 2)).max(), np.linalg.norm(matrices, axis=1).max()
    task = SubsetRanking(highest=GRADES - 1, longest=m)
    losses = _both(task, (X, y, qid), float(whole), float(column), "l1")
    corollary_5 = bounds.predtron_ndcg_loss(m, GRADES - 1, float(whole), MARGIN)
    corollary_6 = bounds.predtron_ndcg_loss_sparse(m, GRADES - 1, p + idle, float(column), sparse)
    return {"loss over Corollary 5": losses[0] / corollary_5, "loss over Corollary 6": losses[1] / corollary_6}


def _labels(seed: int, n: int, m: int, idle: int) -> Numbers:
    """Losses over Corollaries 7 and 8. The matrix has norm 1, so its norm by columns is at most √p."""
    p = 2 * m
    X, Y = separable.multilabel_ranking(n, p, m, GRADES, margin=MARGIN, seed=seed)
    X = np.column_stack([X, np.random.default_rng([seed, 6]).uniform(-1, 1, (n, idle))])
    R, largest = float(np.linalg.norm(X, axis=1).max()), float(np.abs(X).max())
    losses = _both(MultilabelRanking(highest=GRADES - 1), (X, Y), R, largest, "group")
    corollary_7 = bounds.predtron_ndcg_loss(m, GRADES - 1, R, MARGIN)
    corollary_8 = bounds.predtron_ndcg_loss_sparse(m, GRADES - 1, p + idle, largest, MARGIN / math.sqrt(p))
    return {"loss over Corollary 7": losses[0] / corollary_7, "loss over Corollary 8": losses[1] / corollary_8}


def _both(task: Any, data: tuple[np.ndarray, ...], R: float, largest: float, link: str) -> list[float]:
    """The total losses at the theory's steps, without a link and with it."""
    radii = {"euclidean": R, link: bounds.predtron_link_radius(largest, data[0].shape[1], link)}
    models = [predtron(task, link=each, step="theory", radius=radius) for each, radius in radii.items()]
    return [float(model.partial_fit(*data).cumulative_loss_) for model in models]
