"""One direction cut by thresholds, with a Gaussian belief over all of them, which every row narrows."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...compile.generic import compiled_as, generic, inline
from ..protocol import Example, Rule, Scorer, learn
from ..rows import CSR, AnyRows, dot, lane_sum, lane_sums
from .protocol import (
    Roles,
    copy_member,
    copy_member_array,
    field_roles,
    insert_rank,
    member,
    rescale_hypothesis,
    resize,
    work_per_row,
    zeros,
)
from .thresholded import insert_threshold, put_in_order, rescale_direction, share_thresholded, thresholds_apart

# A covariance of this size takes 2 GiB.
MOST_FEATURES = 16_384


class GaussianBelief(NamedTuple):
    """w·x - b_r and w·x, where (b, w) is Gaussian with this mean; means over time as in ``Thresholded``.

    ``covariance`` has a row and a column for every threshold, then for every feature. ``lead``, ``steps``, ``reaches`` and
    ``paces`` are buffers: the covariance times the row, the step at each threshold, how far each step reaches along the row, and
    how far the mean moves along the step.
    """

    w: np.ndarray
    lag: np.ndarray
    b: np.ndarray
    total: np.ndarray
    covariance: np.ndarray
    lead: np.ndarray
    steps: np.ndarray
    reaches: np.ndarray
    paces: np.ndarray
    prior: float
    keep: float


def gaussian_belief(n_features: int, n_ranks: int, average: bool, prior: float, gap: float, keep: float = 1.0) -> GaussianBelief:
    """No direction, thresholds a ``gap`` apart around 0, and the variance ``prior`` of each.

    Where ``keep`` is below 1, every row divides the covariance by it, up to the prior.
    """
    start, covariance = thresholds_apart(n_features, n_ranks, average, gap), _eye(n_ranks - 1 + n_features, prior)
    return _with_buffers(GaussianBelief(*start, covariance, *(start.b,) * 4, prior, keep))


def _eye(size: int, prior: float) -> np.ndarray:
    if size > MOST_FEATURES:
        raise ValueError(
            f"a second-order model keeps a covariance of all features and thresholds, here {size}; at most {MOST_FEATURES} "
            "are allowed: use OrdinalLogit(order=1), or fewer hash_bits"
        )
    covariance = zeros(size, size)
    np.fill_diagonal(covariance, prior)
    return covariance


def _with_buffers(belief: GaussianBelief) -> GaussianBelief:
    m, size = len(belief.b), len(belief.covariance)
    return belief._replace(lead=zeros(size), steps=zeros(m, size), reaches=np.zeros(m), paces=np.zeros(m))


share_thresholded(GaussianBelief)


# Learning


@generic
def gain(rule: Rule, score: float, is_above: bool, variance: float, scale: float) -> tuple[float, float]:
    """How far a threshold with this score, of this variance, narrows the covariance and moves the mean.

    Returns two multiples: of u·uᵀ and of u, where u is the covariance times the row at that threshold.
    """
    raise NotImplementedError


@learn.on(GaussianBelief)
def learn_gaussian_belief(belief: GaussianBelief, rule: Rule, example: Example, prediction: int, age: float) -> int:
    X, i, scale = example.X, example.i, example.scale
    if scale == 0.0:
        return 0
    thresholds = belief.b.shape[0]
    weighted_sum_of_lines(X, i, belief.covariance[thresholds:], belief.lead)
    variance = dot(X, i, belief.lead[thresholds:])
    if not math.isfinite(variance):
        return -1
    moved = 0
    for r in range(thresholds):
        moved += take_step(belief, rule, r, example.label > r, variance, scale, example.scores[r])
    if moved:
        sum_of_steps(belief.lead, belief.steps, belief.paces)
        move_with_lag(belief.w, belief.lag, belief.lead[thresholds:], age)
        move_with_lag(belief.b, belief.total[:0], belief.lead, age)
        put_in_order(belief.b)  # steps at several thresholds may exchange them; it is rare
        subtract_outer_products(belief.covariance, belief.steps)  # once for the steps at all thresholds: it is the slow part
    if belief.keep < 1.0:
        forget_toward_prior(belief.covariance, belief.lead, belief.prior, belief.keep)
    return 1 if moved else 0


@inline
def take_step(belief: GaussianBelief, rule: Rule, r: int, is_above: bool, variance: float, scale: float, score: float) -> int:
    """The step at threshold ``r``, after those at the thresholds before it: u = P (x, -e_r), times the root of its gain."""
    steps, reaches, paces = belief.steps, belief.reaches, belief.paces
    step, reach = steps[r], variance - belief.lead[r]
    subtract_into(belief.lead, belief.covariance[r], step)
    for s in range(r):
        along = reaches[s] - steps[s, r]  # how far the earlier step goes along (x, -e_r)
        subtract_scaled(step, along, steps[s])
        reach -= along * reaches[s]
        score += along * paces[s]
    left = reach - step[r]  # the variance along the row; if rounding leaves none, the row is skipped here
    narrowing, push = gain(rule, score, is_above, left, scale) if left > 0.0 else (0.0, 0.0)
    root = math.sqrt(narrowing)
    scale_vector(step, root)  # so that step · stepᵀ, which is subtracted, is symmetric to the last bit
    reaches[r], paces[r] = root * reach, push / root if root > 0.0 else 0.0
    return 1 if root > 0.0 else 0


# State and growth


@work_per_row.on(GaussianBelief)
def work_per_row_gaussian_belief(belief: GaussianBelief) -> int:
    return 4 + belief.steps.size * len(belief.lead) // 20_000


@field_roles.on(GaussianBelief)
def field_roles_gaussian_belief(belief: GaussianBelief) -> Roles:
    return Roles(local=(), buffers=("lead", "steps", "reaches", "paces"))  # every weight is correlated with every other


@resize.on(GaussianBelief)
def resize_gaussian_belief(belief: GaussianBelief, n_features: int) -> Scorer:
    """New features are independent of all others. No spare capacity: learning a row costs as much as allocating does."""
    n, m = len(belief.w), len(belief.b)
    if n_features <= n:
        return belief
    w, lag = zeros(n_features), zeros(n_features if len(belief.lag) else 0)
    w[:n], lag[: len(belief.lag)] = belief.w, belief.lag
    covariance = _eye(m + n_features, belief.prior)
    covariance[: m + n, : m + n] = belief.covariance
    return _with_buffers(belief._replace(w=w, lag=lag, covariance=covariance))


@insert_rank.on(GaussianBelief)
def insert_rank_gaussian_belief(belief: GaussianBelief, place: int, projection: float, projection_sum: float) -> Scorer:
    """The new threshold is correlated with its neighbour, and varies around it with the variance of the prior."""
    m = len(belief.b)
    old = np.arange(len(belief.covariance))
    if m == 0:
        covariance = _eye(len(old) + 1, belief.prior)
        covariance[1:, 1:] = belief.covariance
    else:
        new, neighbour = min(place, m), min(max(place - 1, 0), m - 1)
        order = np.insert(old, new, neighbour)
        covariance = _eye(len(order), 0.0)
        covariance[...] = belief.covariance[np.ix_(order, order)]
        covariance[new, new] += belief.prior
    return _with_buffers(insert_threshold(belief, place, projection, projection_sum)._replace(covariance=covariance))


@member.on(GaussianBelief)
def member_gaussian_belief(beliefs: GaussianBelief, m: int) -> Scorer:
    learned = beliefs.w[m], beliefs.lag[m], beliefs.b[m], beliefs.total[m], beliefs.covariance[m]
    buffers = beliefs.lead[m], beliefs.steps[m], beliefs.reaches[m], beliefs.paces[m]
    return GaussianBelief(*learned, *buffers, beliefs.prior, beliefs.keep)


@copy_member.on(GaussianBelief)
def copy_member_gaussian_belief(beliefs: GaussianBelief, source: int, target: int) -> None:
    copy_member_array(beliefs.w, source, target)
    copy_member_array(beliefs.b, source, target)
    for j in range(beliefs.covariance.shape[1]):
        for l in range(beliefs.covariance.shape[2]):
            beliefs.covariance[target, j, l] = beliefs.covariance[source, j, l]


@rescale_hypothesis.on(GaussianBelief)
def rescale_gaussian_belief(belief: GaussianBelief, ratio: np.ndarray, shift: np.ndarray, age: float) -> None:
    """The covariance P becomes T P Tᵀ where (b, w) becomes T (b, w); what is read of P is symmetric, so what is written is."""
    rescale_direction(belief, ratio, shift, age)
    m, n = len(belief.b), len(ratio)
    P = belief.covariance
    w_w, b_w, b_b = P[m : m + n, m : m + n].copy(), P[:m, m : m + n].copy(), P[:m, :m]
    along, across = lane_sums(w_w * shift), lane_sums(b_w * shift)
    b_b -= (across[:, None] + across) - lane_sum(shift * along)
    P[:m, m : m + n] = (b_w - along) * ratio
    P[m : m + n, :m] = P[:m, m : m + n].T
    P[m : m + n, m : m + n] = w_w * (ratio[:, None] * ratio)


# The arithmetic on vectors and on the covariance. Its compiled twins are in ``native.gaussian``.


@generic
def weighted_sum_of_lines(X: AnyRows, i: int, lines: np.ndarray, out: np.ndarray) -> None:
    """Σ x_j · line j over the columns j of row ``i``, one after another."""
    raise NotImplementedError


@weighted_sum_of_lines.on(np.ndarray, compiled="ranktron.core.native.gaussian:dense_weighted_sum_of_lines")
def weighted_sum_of_lines_dense(X: np.ndarray, i: int, lines: np.ndarray, out: np.ndarray) -> None:
    out[:] = 0.0
    for x, line in zip(X[i].astype(np.float64), lines):
        out += x * line


@weighted_sum_of_lines.on(CSR, compiled="ranktron.core.native.gaussian:sparse_weighted_sum_of_lines")
def weighted_sum_of_lines_csr(X: CSR, i: int, lines: np.ndarray, out: np.ndarray) -> None:
    out[:] = 0.0
    stored = slice(X.indptr[i], X.indptr[i + 1])
    for x, column in zip(X.values[stored].astype(np.float64), X.indices[stored]):
        out += x * lines[column]


@compiled_as("ranktron.core.native.gaussian:subtract_into")
def subtract_into(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """out = a - b"""
    np.subtract(a, b, out=out)


@compiled_as("ranktron.core.native.gaussian:subtract_scaled")
def subtract_scaled(a: np.ndarray, factor: float, b: np.ndarray) -> None:
    """a -= factor * b"""
    a -= factor * b


@compiled_as("ranktron.core.native.gaussian:scale_vector")
def scale_vector(a: np.ndarray, factor: float) -> None:
    """a *= factor"""
    a *= factor


@compiled_as("ranktron.core.native.gaussian:sum_of_steps")
def sum_of_steps(out: np.ndarray, steps: np.ndarray, paces: np.ndarray) -> None:
    """out = Σ pace · step"""
    out[:] = 0.0
    for pace, step in zip(paces, steps):
        out += pace * step


@compiled_as("ranktron.core.native.gaussian:move_with_lag")
def move_with_lag(w: np.ndarray, lag: np.ndarray, move: np.ndarray, age: float) -> None:
    """w += move and lag += age * move"""
    w += move[: len(w)]
    if len(lag):
        lag += age * move[: len(w)]


@compiled_as("ranktron.core.native.gaussian:subtract_outer_products")
def subtract_outer_products(covariance: np.ndarray, steps: np.ndarray) -> None:
    """covariance -= Σ step · stepᵀ, exactly symmetric."""
    for step in steps:
        covariance -= step[:, None] * step


@compiled_as("ranktron.core.native.gaussian:forget_toward_prior")
def forget_toward_prior(covariance: np.ndarray, factors: np.ndarray, prior: float, keep: float) -> None:
    """Divide the covariance by ``keep``, but no variance beyond ``prior``: what is never observed returns to the prior."""
    most = math.sqrt(1.0 / keep)
    variances = covariance.diagonal()
    np.sqrt(prior / np.maximum(variances, prior * keep), out=factors)
    np.clip(factors, 1.0, most, out=factors)
    covariance *= factors[:, None] * factors
