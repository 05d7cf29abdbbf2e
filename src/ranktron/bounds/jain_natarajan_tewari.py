"""Jain, Natarajan & Tewari (2015): Predtron's total loss on a stream that some matrix of unit norm separates, and its margin.

``R`` is the largest norm of a row, or for lists of documents the largest singular value of the rows of a list. ``gamma`` is the
margin of `predtron_margin`. The loss of a wrong prediction is at least ``smallest`` (c_L) and at most ``largest`` (C_L), and
``spread`` is the largest squared distance of two representations: 4 at most, 2 for classes, less for rankings. The bounds hold
for the hypothesis that learns (``average=False``), from zero weights. They hold for a link other than ``"euclidean"`` with
`predtron_link_radius` as ``R`` and the margin in the norm of the link.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from .widest import rows_of_lists


def predtron_loss(R: float, gamma: float, smallest: float = 1.0, largest: float = 1.0) -> float:
    """Theorem 1: the total loss of Algorithm 1 at its theory step.

    `predtron_duel` reaches it if all losses are equal and representations are opposite: two labels, orthogonal rows. If
    ``largest`` is far above ``smallest``, no stream has more than half of this loss: see `predtron_loss_at_step`.
    """
    return 4 * R**2 * largest**2 / (smallest * gamma**2)


def predtron_theory_step(R: float, smallest: float = 1.0) -> float:
    """The step of Theorem 1, c_L / (4 R²)."""
    return smallest / (4 * R**2)


def predtron_loss_at_step(
    R: float, gamma: float, step: float, smallest: float = 1.0, largest: float = 1.0, spread: float = 4.0
) -> float:
    """The total loss S of Algorithm 1 at any step η; never above Theorem 1 at the theory step.

    A mistake adds at least ηγ to ⟨W, W*⟩, and at most 2η (C_L - loss) + η² D R² to ‖W‖², as the surrogate is not below the loss.
    So M mistakes have ηγ²M² ≤ 2 (C_L M - S) + η D R² M, and c_L M ≤ S ≤ C_L M; this is the largest such S. The demoted prediction
    has to be wrong, as with one right prediction per label, or rankings with ``ties="score"``.

    From `predtron_best_step` on it is reached like `predtron_loss_driven`; at the theory step `predtron_staircase` nearly does.
    """
    moved = step * spread * R**2
    if moved >= 2 * largest:
        return predtron_loss_driven(R, gamma, largest, spread)
    if moved <= 2 * (2 * smallest - largest):
        return smallest * (moved + 2 * (largest - smallest)) / (step * gamma**2)
    return (largest + moved / 2) ** 2 / (2 * step * gamma**2)


def predtron_best_step(R: float, largest: float = 1.0, spread: float = 4.0) -> float:
    """The least step with the best bound of Algorithm 1, that of the loss-driven version: 2 C_L / (D R²).

    >>> step = predtron_best_step(R=1.0, largest=4.0)
    >>> predtron_loss_at_step(1.0, 0.5, step, smallest=1.0, largest=4.0), predtron_loss(1.0, 0.5, smallest=1.0, largest=4.0)
    (64.0, 256.0)
    """
    return 2 * largest / (spread * R**2)


def predtron_loss_driven(R: float, gamma: float, largest: float = 1.0, spread: float = 4.0) -> float:
    """The total loss of the loss-driven version, for any step: γS ≤ ⟨W, W*⟩/η ≤ ‖W‖/η ≤ √(D R² C_L S).

    `predtron_duel` reaches it with two labels, and nearly with more classes; `list_duel` nearly does with lists of two.
    """
    return spread * R**2 * largest / gamma**2


def predtron_binary_mistakes(R: float, gamma: float) -> float:
    """Section 3: the mistakes on two labels; this margin is the classical one, half of Predtron's. Reached by `predtron_duel`."""
    return R**2 / gamma**2


def predtron_weighted_loss(R: float, gamma: float, heavy: float, light: float) -> float:
    """Corollary 2, with the α₂ of Theorem 1 instead of the paper's α₂²; it is reached if the weights are equal.

    With two labels the weights do not change the updates of Algorithm 1, so `predtron_loss_driven` holds for it, too. That bound
    is smaller, and reached for any weights if the heavy label is the one that is not predicted before learning.
    """
    return predtron_loss(R, gamma, light, heavy)


def predtron_reject_loss(R: float, gamma: float, cheapest: float) -> float:
    """Section 3, REJECT as a prediction: Theorem 1 if rejecting costs at least ``cheapest`` and at most 1.

    The paper's β₁²/β₂² overlooks that a wrong label costs 1 (but see ``as_printed``). Two classes and orthogonal rows reach (2 -
    √2)/4 = .15 of it if rejecting costs 1: REJECT is halfway between the classes, and is never predicted, but W needs the margin
    to it, too.
    """
    return predtron_loss(R, gamma, cheapest)


def predtron_ordinal_loss(n_ranks: int, R: float, gamma: float) -> float:
    """Section 3: the sum of |σ - y| by the reduction to classes; `predtron_duel` reaches 1 / (2 (n_ranks - 1)) of it.

    That duel nearly reaches `predtron_loss_driven` with a spread of 2, for Algorithm 1 from `predtron_best_step` on.
    """
    return predtron_loss(R, gamma, 1.0, n_ranks - 1.0)


def predtron_error_set_rounds(R: float, gamma: float) -> float:
    """Footnote 2: the rounds in which some class scores as much as the right one, for perceptrons of Crammer & Singer 2003.

    They update in each such round: the right class by +x, those above it by -x in all. That adds at least γ to ⟨W, W*⟩ and at
    most 2R² to ‖W‖². The bound holds for Predtron's mistakes, too; `predtron_duel` reaches it with two classes, and nearly with
    more. Predtron does not update if a tie happens to be broken correctly, so its ties have no bound.
    """
    return 2 * R**2 / gamma**2


def predtron_hamming_loss(R: float, gamma: float) -> float:
    """The total Hamming loss of several labels, for Algorithm 1 at its theory step and the loss-driven version at any.

    Theorem 1 would contain the square of the number of labels m. But a prediction with j wrong labels falls short by j γ, so W* /
    γ has no surrogate loss; and for the loss-driven version γ Σ L² ≤ ‖W‖/η ≤ 2 R √(Σ L³ / m), where L ≤ m. `predtron_label_duel`
    reaches 1/m of it.
    """
    return predtron_loss(R, gamma)


def predtron_ndcg_loss(m: int, highest: int, R: float, gamma: float) -> float:
    """Corollaries 5 and 7: the total 1 - NDCG of Algorithm 1 at its theory step, for m items graded 0 to ``highest``.

    It is `predtron_loss` with 1 / (2^(highest + 1) m² log₂²(2m)) as the smallest loss. This is correct but far from
    `ndcg_smallest_loss`, and farther from the loss of real streams: from `predtron_best_step` on `predtron_loss_at_step` holds,
    which does not contain m.
    """
    return 2.0 ** (highest + 3) * m**2 * math.log2(2 * m) ** 2 * R**2 / gamma**2


def predtron_ndcg_loss_sparse(m: int, highest: int, n_features: int, R: float, gamma: float) -> float:
    """Corollaries 6 and 8: the same for the links ``"l1"`` and ``"group"``, with 9 log p, of two features or more.

    ``R`` is the largest norm of a feature's column in a list, or for labels the largest absolute feature. 9 log p is a simple
    bound on the factor in `predtron_link_radius`; the theory step uses that radius.
    """
    return 9 * math.log(n_features) * predtron_ndcg_loss(m, highest, R, gamma)


def predtron_ranking_spread(m: int, power: float = 1.1) -> float:
    """The largest squared distance of two rankings of m items: that of an order and its reverse.

    >>> round(predtron_ranking_spread(2), 4), round(predtron_ranking_spread(10), 4)
    (0.4675, 0.9552)
    """
    places = np.abs(np.arange(1.0, m + 1) ** power)
    return float(2 - 2 * places @ places[::-1] / (places @ places))


def predtron_link_radius(R: float, n_features: int, link: str = "l1", n_scores: int = 1) -> float:
    """The radius R for the bounds and steps of a link, whose ψ = ½‖·‖_r² is strongly convex with r - 1 = 1 / (q - 1).

    For ``"l1"`` and ``"group"``, R is the largest absolute feature (a list: the largest norm of a feature's column); a gradient's
    q-norm is at most p^(1/q) times its largest part, and p^(2/q) (q - 1) ≤ 9 log p from p = 2 on. For ``"trace"`` R is the
    largest norm of a row; a gradient has one singular value only, so the bound is never below that of ``"euclidean"``.

    `halving` makes log₂ p mistakes, and the bound for ``"l1"`` is p^(2/q) (q - 1): half of it is reached for 4 features, a
    quarter for 512.

    >>> [round(predtron_link_radius(1.0, 100, link) ** 2, 1) for link in ("euclidean", "l1", "group")]
    [1.0, 26.6, 26.6]
    """
    if link == "euclidean":
        return R
    if link not in ("l1", "group", "trace"):
        raise ValueError(f"link {link!r} is not among 'euclidean', 'l1', 'group' and 'trace'")
    sizes = n_features if link != "trace" else min(n_features, n_scores)
    q = max(2.0, math.log(sizes))
    return R * math.sqrt((q - 1) * (1.0 if link == "trace" else n_features ** (2 / q)))


# Predtron's margin of a matrix W on data: the least difference in similarity to W x between right and wrong predictions
#
# W is scaled to unit norm: Frobenius's, or that of the link (`predtron_norm`). The paper assumes that all right predictions of a
# label tie ("compatible"); for rankings this means equal scores within a grade. Here the least similar right prediction counts,
# which is the same if they tie. If they do not, a positive margin still implies the bounds of the loss-driven version, and of
# Algorithm 1 with ``ties="score"``: both demote wrong predictions only, so each update gains the margin.


def predtron_norm(W: np.ndarray, norm: str = "euclidean") -> float:
    """Frobenius's norm, or the sum of absolute entries (``"l1"``), columns' norms (``"group"``) or singular values (``"trace"``).

    >>> [round(predtron_norm(np.array([[3.0, 0.0], [4.0, 1.0]]), norm), 2) for norm in ("euclidean", "l1", "group", "trace")]
    [5.1, 8.0, 6.0, 5.66]
    """
    W = np.atleast_2d(np.asarray(W, float))
    if norm == "euclidean":
        return float(np.linalg.norm(W))
    if norm == "l1":
        return float(np.abs(W).sum())
    if norm == "group":
        return float(np.linalg.norm(W, axis=0).sum())
    if norm == "trace":
        return float(np.linalg.norm(W, "nuc"))
    raise ValueError(f"norm {norm!r} is not among 'euclidean', 'l1', 'group' and 'trace'")


def predtron_margin(
    task: Any, W: np.ndarray, X: Iterable[Any], y: Iterable[Any], predictions: Iterable[Any], norm: str = "euclidean"
) -> float:
    """The margin by definition, for any task with few ``predictions``; it tries all of them, and those without loss are right.

    The task needs ``representation`` and ``loss_of``. Scores are W x; for lists ``X`` has a matrix of documents for each, and
    scores are X w.
    """
    tried = list(predictions)
    representations = np.array([task.representation(sigma) for sigma in tried])
    least = math.inf
    for x, label in zip(X, y):
        scores = np.asarray(x) @ W if np.ndim(x) == 2 else np.atleast_2d(W) @ x
        similarities = representations @ scores
        wrong = np.array([task.loss_of(sigma, label) > 0 for sigma in tried])
        least = min(least, float(similarities[~wrong].min() - similarities[wrong].max(initial=-math.inf)))
    return least / predtron_norm(W, norm)


def predtron_binary_margin(w: np.ndarray, X: np.ndarray, y: np.ndarray, norm: str = "euclidean") -> float:
    """Twice the classical margin, the least 2 y w·x; labels are -1 and 1.

    >>> predtron_binary_margin(np.array([3.0, 4.0]), np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1, -1]))
    1.2
    """
    return float(2 * (np.asarray(y) * (np.asarray(X) @ np.ravel(w))).min() / predtron_norm(w, norm))


def predtron_class_margin(W: np.ndarray, X: np.ndarray, y: np.ndarray, norm: str = "euclidean") -> float:
    """The least lead of the label's score over the best other class; labels count from 0; W has one row per class.

    >>> predtron_class_margin(np.eye(3), np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]]), np.array([0, 1])) * math.sqrt(3)
    1.0
    """
    scores = np.asarray(X) @ np.asarray(W).T
    rows = np.arange(len(scores))
    right = scores[rows, y]
    scores[rows, y] = -math.inf
    return float((right - scores.max(axis=1)).min() / predtron_norm(W, norm))


def predtron_multilabel_margin(W: np.ndarray, X: np.ndarray, Y: np.ndarray, norm: str = "euclidean") -> float:
    """The least 2 |w_j·x| / √m of a label, or minus the sum of those on the wrong side; ``Y`` has a column of 0 and 1 for each.

    It is the margin for the Hamming and the subset loss. Error-set size calls far more right, and rarely has a margin.
    """
    leads = np.where(np.asarray(Y) > 0, 1.0, -1.0) * (np.asarray(X) @ np.asarray(W).T)
    least = np.minimum(leads, 0.0).sum(axis=1).min() if (leads < 0).any() else leads.min()
    return float(2 * least / math.sqrt(leads.shape[1]) / predtron_norm(W, norm))


def predtron_label_ranking_margin(
    W: np.ndarray, X: np.ndarray, Y: np.ndarray, power: float = 1.1, norm: str = "euclidean"
) -> float:
    """Lemma 4 for rankings of labels: row i of ``Y`` has the grades of all labels for row i of ``X``."""
    scores = np.asarray(X) @ np.asarray(W).T
    return min(_lead(t, grades, power) for t, grades in zip(scores, np.asarray(Y))) / predtron_norm(W, norm)


def predtron_list_margin(
    w: np.ndarray, X: np.ndarray, y: np.ndarray, qid: Any = None, power: float = 1.1, norm: str = "euclidean"
) -> float:
    """Lemma 4 for lists of documents, with grades and ``qid`` as for rankers; without ``qid`` all rows are one list.

    >>> round(predtron_list_margin(np.array([1.0]), np.array([[3.0], [1.0], [1.0]]), np.array([1, 0, 0])), 4)  # 2 (2^1.1 - 1) / Z
    0.5579
    """
    scores, grades = np.asarray(X) @ np.ravel(w), np.asarray(y)
    leads = [_lead(scores[of], grades[of], power) for of in rows_of_lists(qid, len(scores))]
    return min(leads) / predtron_norm(w, norm)


def _lead(scores: np.ndarray, grades: np.ndarray, power: float) -> float:
    """The lead of the least similar right order over the most similar wrong one; infinite if the grades are equal.

    If scores agree with grades, the most similar wrong order is the best one with two neighbours exchanged where the grade drops:
    each order that moves a document across such a place loses at least as much.
    """
    place = np.arange(1.0, len(grades) + 1) ** power * (-1.0 if power > 0 else 1.0)
    place /= np.linalg.norm(place)
    order = np.lexsort((-scores, -grades))
    drops = np.flatnonzero(np.diff(grades[order]))
    if not len(drops):
        return math.inf
    best, worst = scores[order], scores[np.lexsort((scores, -grades))]
    gaps = best[drops] - best[drops + 1]
    agree = bool((gaps >= 0).all())
    wrong = place @ best - ((place[drops] - place[drops + 1]) * gaps).min() if agree else place @ np.sort(scores)[::-1]
    return float(place @ worst - wrong)
