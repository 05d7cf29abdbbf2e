"""Second-order steps on ordinal thresholds, written out with whole matrices, to test the library against.

theta = (w_1, ..., w_d, b_1, ..., b_{k-1}) has a mean and a covariance matrix. A row x with a label from 1 to k asks one
question a threshold, in order: is the label above r? Its features are phi_r = (x, -e_r), for phi_r.theta = w.x - b_r.
"""

import numpy as np

GAP = 2.0


def start(d, k, prior):
    """No direction, thresholds two apart around 0, and independent of each other."""
    b = [(r - (k - 2) / 2) * GAP for r in range(k - 1)]
    return np.array([0.0] * d + b), prior * np.eye(d + k - 1)


def question(x, r, k):
    """phi_r, r from 0."""
    e = np.zeros(k - 1)
    e[r] = 1.0
    return np.concatenate([x, -e])


def sigma(z):
    return 1.0 / (1.0 + np.exp(-z)) if z > 0 else np.exp(z) / (1.0 + np.exp(z))


def laplace(theta, P, phi, above, weight=1.0):
    """Laplace's approximation to N(theta, P) times sigma(y phi.theta)^weight, with the answer y = 1 or -1.

    At the mode, P^-1 (mode - theta) = weight y sigma(-y phi.mode) phi, so mode = theta + a y P phi where a is a root between 0
    and the weight; the precision there is P^-1 + weight sigma (1 - sigma) phi phi^T.
    """
    y = 1.0 if above else -1.0
    low, high = 0.0, weight
    for _ in range(200):
        a = (low + high) / 2
        if a < weight * sigma(-(y * (phi @ theta) + a * (phi @ P @ phi))):
            low = a
        else:
            high = a
    mode = theta + low * y * (P @ phi)
    curvature = weight * max(sigma(phi @ mode) * sigma(-phi @ mode), 1e-10)
    return mode, np.linalg.inv(np.linalg.inv(P) + curvature * np.outer(phi, phi))


def arow(theta, P, phi, above, r=1.0):
    """AROW, Figure 1 of Crammer, Kulesza & Dredze 2009, for one question with the answer y = 1 or -1."""
    y = 1.0 if above else -1.0
    margin, confidence = phi @ theta, phi @ P @ phi
    if margin * y >= 1.0:
        return theta, P
    beta = 1.0 / (confidence + r)
    alpha = max(0.0, 1.0 - y * margin) * beta
    return theta + alpha * y * P @ phi, P - beta * np.outer(P @ phi, P @ phi)


def in_order(b):
    """The nearest nondecreasing numbers, by the formula max over s <= r of min over t >= r of the mean of b_s, ..., b_t."""
    n = len(b)
    return np.array([max(min(np.mean(b[s : t + 1]) for t in range(r, n)) for s in range(r + 1)) for r in range(n)])


def run(step, X, y, k, prior):
    """Yields ``(prediction, w, b, P)`` once a round, P in the order of theta; ``step`` answers one question."""
    d = len(X[0])
    theta, P = start(d, k, prior)
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        x = np.asarray(x, float)
        prediction = 1 + sum(x @ theta[:d] - b >= 0 for b in theta[d:])
        for r in range(k - 1):
            theta, P = step(t, theta, P, question(x, r, k), label > r + 1)
        theta = np.concatenate([theta[:d], in_order(theta[d:])])
        yield int(prediction), theta[:d], theta[d:], P


def gradient_steps(X, y, k, rate):
    """AdaGrad on the sum of the logistic losses of all questions; yields ``(prediction, w, b)``."""
    d = len(X[0])
    theta, _ = start(d, k, 1.0)
    squares = np.zeros(d + k - 1)
    for x, label in zip(X, y, strict=True):
        x = np.asarray(x, float)
        prediction = 1 + sum(x @ theta[:d] - b >= 0 for b in theta[d:])
        gradient = np.zeros(d + k - 1)
        for r in range(k - 1):
            phi = question(x, r, k)
            gradient += (float(label > r + 1) - sigma(phi @ theta)) * phi
        squares += gradient**2
        theta = theta + np.where(squares > 0, rate * gradient / np.sqrt(np.where(squares > 0, squares, 1)), 0.0)
        theta = np.concatenate([theta[:d], in_order(theta[d:])])
        yield int(prediction), theta[:d], theta[d:]
