"""Literal pseudocode of Jain, Natarajan & Tewari, "Predtron", to test the library against.

A task lists its predictions, and everything is found by trying all of them. Classes count from 0; label sets are tuples of 0 and
1; orders are tuples of items, best first. Inner products are in fractions, exact for floats too, so that only true ties tie.
Weights keep their kind of number: those of classes are exact for integers and fractions, and so are those of 1 or 4 labels.
"""

import itertools
import math
from collections import namedtuple
from fractions import Fraction
from functools import lru_cache

import numpy as np

from .chaudhuri_tewari import discount, discounted, gain
from .crammer_singer import dot, left_to_right

Round = namedtuple("Round", "t prediction loss W updated")
# Ties fall to the first: of ``predictions`` in eq. (1), of ``scan(y)`` in line 8. ``correct(y, t)`` is sigma_y.
Task = namedtuple("Task", "predictions rep loss correct scan")


def exact(number):
    return Fraction(number) if isinstance(number, float) else number


def similarity(task, sigma, t):
    return left_to_right(exact(r) * exact(t_j) for r, t_j in zip(task.rep(sigma), t, strict=True))


def augmented_loss(task, sigma, t, y):
    """What line 8 maximises, but for the part of sigma_y, which is the same for all."""
    return exact(task.loss(sigma, y)) + similarity(task, sigma, t)


def first_highest(candidates, value):
    values = [value(candidate) for candidate in candidates]
    return candidates[values.index(max(values))]


def pred(task, t):
    """Eq. (1)."""
    return first_highest(task.predictions, lambda sigma: similarity(task, sigma, t))


def augmented(task, t, y):
    """Line 8 of Algorithm 1."""
    return first_highest(task.scan(y), lambda sigma: augmented_loss(task, sigma, t, y))


def all_augmented(task, t, y, within=0):
    """Every prediction that line 8 may take: with the largest value, or less by ``within``."""
    values = {sigma: augmented_loss(task, sigma, t, y) for sigma in task.predictions}
    asked = max(values.values()) - exact(within)
    return [sigma for sigma, value in values.items() if value >= asked]


def all_correct(task, y):
    """The capital Sigma_y of section 2.1."""
    return [sigma for sigma in task.predictions if task.loss(sigma, y) == 0]


def surrogate(task, t, y, sigma_y):
    """Eq. (2)."""
    return max(augmented_loss(task, sigma, t, y) for sigma in task.predictions) - similarity(task, sigma_y, t)


def margin(task, t, y):
    """Section 2.2: the largest gamma that t has on y; None if t is not compatible with y."""
    right = {similarity(task, sigma, t) for sigma in task.predictions if task.loss(sigma, y) == 0}
    wrong = [similarity(task, sigma, t) for sigma in task.predictions if task.loss(sigma, y) > 0]
    return min(right) - max(wrong) if len(right) == 1 and min(right) > max(wrong) else None


def root(n):
    """The square root, a whole number where it is one."""
    return math.isqrt(n) if math.isqrt(n) ** 2 == n else math.sqrt(n)


def inverse(number):
    return Fraction(1, number) if isinstance(number, int) else 1 / number


def basis(k):
    return [[int(i == j) for j in range(k)] for i in range(k)]


def finite(representations, losses):
    """Any small task: a representation and a row of losses for each prediction, a column for each label."""
    predictions = list(range(len(losses)))
    return Task(
        predictions,
        lambda sigma: representations[sigma],
        lambda sigma, y: losses[sigma][y],
        lambda y, t: next(sigma for sigma in predictions if losses[sigma][y] == 0),
        lambda y: predictions,
    )


def binary(weights=(1, 1)):
    """Section 3: the class 1 is the positive one, pred(0) too, and L_alpha with the weight of the label."""
    losses = [[0, weights[1]], [weights[0], 0]]
    return finite([[-1], [1]], losses)._replace(predictions=[1, 0])


def cost_matrix(costs):
    return finite(basis(len(costs)), costs)


def multiclass(k):
    return cost_matrix([[int(i != j) for j in range(k)] for i in range(k)])


def ordinal(k):
    return cost_matrix([[abs(i - j) for j in range(k)] for i in range(k)])


def published_reject(costs):
    """Section 3, for any number of classes: REJECT is the last prediction, the normalised sum of all others."""
    n = len(costs)
    losses = [[int(i != j) for j in range(n)] for i in range(n)]
    return finite([*basis(n), [inverse(root(n))] * n], [*losses, list(costs)])


def hamming(sigma, y):
    """The size of the union less that of the intersection."""
    return sum(s or y_j for s, y_j in zip(sigma, y, strict=True)) - sum(s and y_j for s, y_j in zip(sigma, y, strict=True))


def subset(sigma, y):
    """L_IsErr, the right way round (READINGS 15)."""
    return int(tuple(sigma) != tuple(y))


def error_set(sigma, y):
    labels = range(len(y))
    return sum(1 for r in labels for s in labels if y[r] and not y[s] and not sigma[r] and sigma[s])


def flips_missed_first(sigma, y):
    """How READINGS 19's search goes through label sets: by how many are missed, how many too many, then lower labels first."""
    missed = [j for j, y_j in enumerate(y) if y_j and not sigma[j]]
    extra = [j for j, y_j in enumerate(y) if sigma[j] and not y_j]
    return len(missed), len(extra), missed, extra


def multilabel(m, loss):
    """Section 3. sign(0) is + for even labels, - for odd ones (READINGS 18); what changes nothing is not flipped in line 8."""
    sets = list(itertools.product(*[(0, 1) if j % 2 else (1, 0) for j in range(m)]))
    scan = {
        hamming: lambda y: list(itertools.product(*[(y_j, 1 - y_j) for y_j in y])),
        subset: lambda y: sets,
        error_set: lambda y: sorted(sets, key=lambda sigma: flips_missed_first(sigma, y)),
    }[loss]
    size = inverse(root(m))
    return Task(sets, lambda sigma: [size if s else -size for s in sigma], loss, lambda y, t: tuple(y), scan)


def ndcg_loss(order, y):
    """Section 4 with READINGS 15, as what is missing place by place, or 1 would absorb it; 0 where there is nothing to rank."""
    grades, best = [y[i] for i in order], sorted(y, reverse=True)
    missing = left_to_right((gain(b) - gain(g)) * discount(i) for i, (g, b) in enumerate(zip(grades, best), start=1))
    return missing / discounted(best) if missing else 0


def precision_loss(k):
    """One minus precision at k, by the most that is possible (READINGS 18); 0 without anything relevant."""

    def loss(order, y):
        relevant = sum(grade > 0 for grade in y)
        return 1 - Fraction(sum(y[i] > 0 for i in order[:k]), min(k, relevant)) if relevant else 0

    return loss


def f(i, power):
    return -(i**power) if power > 0 else i**power


@lru_cache
def ranking(m, measure="ndcg", power=1.1, ties="score"):
    """Sections 4 and 5: the item in place i stands for f(i) / Z. Equal grades go by score (READINGS 17) or by index."""
    Z = math.sqrt(left_to_right(f(i, power) ** 2 for i in range(1, m + 1)))
    orders = list(itertools.permutations(range(m)))
    places = {order: [order.index(item) + 1 for item in range(m)] for order in orders}
    reps = {order: [f(i, power) / Z for i in places[order]] for order in orders}
    loss = ndcg_loss if measure == "ndcg" else precision_loss(int(measure.split("@")[1]))

    def correct(y, t):
        return tuple(sorted(range(m), key=lambda i: (-y[i], -t[i] if ties == "score" else 0, i)))

    return Task(orders, lambda order: reps[order], loss, correct, lambda y: orders)


def exponent(n):
    """q = max(2, log n), READINGS 19."""
    return max(2, math.log(n))


def inverse_link(theta, q):
    """(grad psi)^-1 for psi = |.|_r^2 / 2, 1/r + 1/q = 1, which is the gradient of |.|_q^2 / 2."""
    norm = left_to_right(abs(v) ** q for v in theta) ** (1 / q)
    return [math.copysign(abs(v) ** (q - 1), v) / norm ** (q - 2) if v else 0 for v in theta]


def euclidean(theta):
    return theta


def l1(theta):
    """Corollary 6, over all entries of the matrix; p is the number of columns."""
    W = iter(inverse_link([v for row in theta for v in row], exponent(len(theta[0]))))
    return [[next(W) for _ in row] for row in theta]


def group(theta):
    """Corollary 8: over the Euclidean norms of the columns, each column keeping its direction."""
    norms = [math.sqrt(left_to_right(v * v for v in column)) for column in zip(*theta, strict=True)]
    sizes = inverse_link(norms, exponent(len(norms)))
    return [[size * v / norm if norm else 0 for v, norm, size in zip(row, norms, sizes, strict=True)] for row in theta]


def trace(theta):
    """Appendix B.2 as READINGS 19 has it: over the singular values."""
    U, values, V = np.linalg.svd(np.array(theta, float), full_matrices=False)
    return ((U * inverse_link(values.tolist(), exponent(len(values)))) @ V).tolist()


def added(theta, size, g, x):
    """theta + size g x^T."""
    return [[v + size * g_j * x_i for v, x_i in zip(row, x, strict=True)] for row, g_j in zip(theta, g, strict=True)]


def scores(W, x):
    return [dot(w, x) for w in W]


def added_by_list(theta, size, g, X):
    """The single row of theta, + size X^T g: line 9 as in Corollary 5."""
    return [[v + left_to_right(size * g_j * x[i] for g_j, x in zip(g, X, strict=True)) for i, v in enumerate(theta[0])]]


def scores_of_list(W, X):
    return [dot(W[0], x) for x in X]


def direction(task, right, wrong):
    return [a - b for a, b in zip(task.rep(right), task.rep(wrong), strict=True)]


def run(examples, theta, tasks, scores, added, step=1, loss_driven=False, link=euclidean):
    """Algorithm 1; ``loss_driven`` is Predtron.LD and a ``link`` Predtron.Link, as READINGS 19 has them."""
    W = theta
    for x, y in examples:
        task, t = tasks(x), scores(W, x)
        sigma = pred(task, t)
        loss = task.loss(sigma, y)
        if loss > 0:
            wrong, size = (sigma, step * loss) if loss_driven else (augmented(task, t, y), step)
            theta = added(theta, size, direction(task, task.correct(y, t), wrong), x)
            W = link(theta)
        yield Round(t, sigma, loss, W, loss > 0)


def predtron(X, y, task, **parameters):
    """Algorithm 1 on rows; a ``Round`` a row: scores, prediction and loss before the update, W after it."""
    zeros = [[0] * len(X[0]) for _ in task.rep(task.predictions[0])]
    return run(zip(X, y, strict=True), zeros, lambda x: task, scores, added, **parameters)


def subset_predtron(lists, measure="ndcg", power=1.1, ties="score", **parameters):
    """Section 4 on lists ``(X, y)``, with W a single row: w."""

    def tasks(X):
        return ranking(len(X), measure, power, ties)

    return run(lists, [[0] * len(lists[0][0][0])], tasks, scores_of_list, added_by_list, **parameters)


def means(rounds):
    """After each round, the mean of all the W held after a round so far."""
    held = []
    for now in rounds:
        held.append(now.W)
        yield [[Fraction(left_to_right(exact(v) for v in entry), len(held)) for entry in zip(*rows)] for rows in zip(*held)]
