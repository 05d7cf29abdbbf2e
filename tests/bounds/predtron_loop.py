"""Predtron as a plain loop over all predictions, for what its bounds are tested on: nothing here is the library's."""

from __future__ import annotations

import itertools
import math

import numpy as np


def places(m, power=1.1):
    f = np.array([-(i**power) if power > 0 else i**power for i in range(1, m + 1)])
    return f / math.sqrt((f * f).sum())


def ndcg_losses(orders, grades):
    gains, discount = 2.0 ** np.asarray(grades) - 1, 1 / np.log2(np.arange(2, len(grades) + 2))
    best = np.sort(gains)[::-1] @ discount
    return np.array([1 - gains[list(order)] @ discount / best if best else 0.0 for order in orders]).round(12)


def inverse_link(theta, link):
    """(∇ψ)⁻¹ for ψ = ½‖·‖_r²."""
    if link == "euclidean" or not theta.any():
        return theta
    if link == "trace":
        U, s, Vt = np.linalg.svd(theta, full_matrices=False)
        return (U * inverse_link(s, "l1" if min(theta.shape) > 7 else "euclidean")) @ Vt  # log 8 > 2
    q = max(2.0, math.log(theta.shape[-1]))
    sizes = np.abs(theta) if link == "l1" else np.linalg.norm(theta, axis=0, keepdims=True)
    return theta * sizes ** (q - 2) / (sizes**q).sum() ** ((q - 2) / q)


class Loop:
    """Algorithm 1 and the loss-driven version over a list of predictions; ``costs`` gives a label's loss for each of them."""

    def __init__(self, representations, costs, step=1.0, loss_driven=False, link="euclidean", classes=None):
        self.representations, self.costs, self.step = np.asarray(representations, float), costs, step
        self.loss_driven, self.link, self.classes = loss_driven, link, classes
        self.theta, self.W, self.loss, self.mistakes = None, None, 0.0, 0

    def similarities(self, x):
        if self.W is None:
            return np.zeros(len(self.representations))
        return self.representations @ (x @ self.W if np.ndim(x) == 2 else self.W @ x)

    def predict_one(self, x):
        code = int(np.argmax(self.similarities(x)))
        return code if self.classes is None else self.classes[code]

    def learn_one(self, x, label):
        label = label if self.classes is None else self.classes.index(label)
        t, losses = self.similarities(x), self.costs(label)
        guess = int(np.argmax(t))
        if losses[guess] == 0:
            return False
        self.loss, self.mistakes = self.loss + losses[guess], self.mistakes + 1
        right = max(np.flatnonzero(losses == 0), key=lambda sigma: t[sigma])
        wrong = guess if self.loss_driven else int(np.argmax(losses + t))
        way = self.representations[right] - self.representations[wrong]
        move = np.asarray(x).T @ way if np.ndim(x) == 2 else np.outer(way, x)
        move = move * self.step * (losses[guess] if self.loss_driven else 1.0)
        self.theta = move if self.theta is None else self.theta + move
        self.W = inverse_link(self.theta, self.link)
        return True

    def until_right(self, X, y, epochs=500):
        for _ in range(epochs):
            if not sum([self.learn_one(x, label) for x, label in zip(X, y)]):
                return self
        raise AssertionError("some rows are still wrong")

    def rank(self, X):
        return self.orders[self.predict_one(X)]

    def learn_list(self, X, y):
        self.learn_one(X, y)


def two_sided(weights=(1.0, 1.0), **parameters):
    return Loop([[1.0], [-1.0]], lambda y: np.array([weights[0], 0.0]) if y else np.array([0.0, weights[1]]), **parameters)


def by_costs(costs, **parameters):
    costs = np.asarray(costs, float)
    return Loop(np.eye(len(costs)), lambda y: costs[:, y], classes=list(range(len(costs))), **parameters)


def off_by(k):
    return np.abs(np.subtract.outer(np.arange(k), np.arange(k)))


def several(m, loss=lambda wrong: wrong.sum(axis=1), **parameters):
    """Sets of m labels; of equals the first is predicted, so sign(0) is + for even labels and - for odd ones."""
    sets = np.array(list(itertools.product(*[(1, 0) if j % 2 == 0 else (0, 1) for j in range(m)])))
    loop = Loop((2 * sets - 1) / math.sqrt(m), lambda y: loss(sets != np.asarray(y)).astype(float), **parameters)
    loop.sets = sets
    return loop


def rankings(m, **parameters):
    orders = list(itertools.permutations(range(m)))
    representations = np.array([places(m)[np.argsort(order)] for order in orders])
    loop = Loop(representations, lambda y: ndcg_losses(orders, y), **parameters)
    loop.orders = np.array(orders)
    return loop
