"""What tests of linked scorers share: the literal formulas, a learner that keeps all its weights, loops that drive scorers."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from ranktron.compile.policy import Loop
from ranktron.core.protocol import accumulate_average, move, score, update
from ranktron.core.rows import CSR
from ranktron.core.scorers.mirror import dual_power

LINKS = ("l1", "group")


def norm_of(W, link, power):
    """The norm whose half square is ψ."""
    parts = {"l1": lambda: np.abs(W).ravel(), "group": lambda: np.linalg.norm(W, axis=0)}
    sizes = parts.get(link, lambda: np.linalg.svd(W, compute_uv=False))()
    return (sizes**power).sum() ** (1 / power)


def image(theta, link, q):
    """(∇ψ)⁻¹, as it is written down."""
    if not theta.any():
        return np.zeros_like(theta)
    if link == "l1":
        return np.sign(theta) * np.abs(theta) ** (q - 1) / norm_of(theta, link, q) ** (q - 2)
    if link == "group":
        return theta * np.linalg.norm(theta, axis=0) ** (q - 2) / norm_of(theta, link, q) ** (q - 2)
    values, vectors = np.linalg.eigh(theta @ theta.T)  # the squares of the singular values
    return vectors @ np.diag(np.abs(values) ** (q / 2 - 1)) @ vectors.T @ theta / norm_of(theta, link, q) ** (q - 2)


class Oracle:
    """A multiclass perceptron that keeps every W it ever held."""

    def __init__(self, n_scores, n_features, link, q=None):
        self.theta, self.link, self.held = np.zeros((n_scores, n_features)), link, []
        self.q = q or dual_power(min(n_scores, n_features) if link == "trace" else n_features)

    @property
    def W(self):
        return image(self.theta, self.link, self.q)

    def learn(self, X, labels, step=1.0):
        for x, label in zip(X, labels):
            told = int(np.argmax(self.W @ x))
            if told != label:
                self.theta[label] += step * x
                self.theta[told] -= step * x
            self.held.append(self.W)
        return self

    def mean(self):
        return np.mean(self.held, axis=0)


@Loop
def learn(scorer, X, labels, scores, correction, step, age):
    """The same with a scorer; returns the number of mistakes."""
    mistakes = 0
    for i in range(labels.shape[0]):
        score(scorer, X, i, scores)
        told = 0
        for r in range(scores.shape[0]):
            correction[r] = 0.0
            if scores[r] > scores[told]:
                told = r
        if told != labels[i]:
            correction[labels[i]] = step
            correction[told] = -step
            update(scorer, X, i, correction, age + i)
            mistakes += 1
        accumulate_average(scorer, 1.0)
    return mistakes


@Loop
def learn_lists(scorer, X, rows, pushes, age):
    """Move along all rows of each list."""
    for t in range(rows.shape[0]):
        move(scorer, X, rows[t], pushes[t], age + t)
        accumulate_average(scorer, 1.0)


def taught(scorer, X, labels, step=1.0, age=0, run=learn.interpreted):
    k = len(scorer[0])
    run(scorer, X, labels, np.zeros(k), np.zeros(k), step, age)
    return scorer


def csr(X):
    stored = sp.csr_array(X)
    return CSR(stored.indptr, stored.indices, stored.data)


def stream(n, k, p, seed=0, growth=1.0):
    """Rows in which most entries are 0, of norms that grow, with random labels: they keep a learner moving."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * (rng.random((n, p)) < 0.4) * np.geomspace(1, growth, n)[:, None]
    return X, rng.integers(k, size=n)


def close(actual, expected, rtol=1e-11):
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * np.abs(expected).max())
