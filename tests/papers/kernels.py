"""Literal dual forms of the Crammer & Singer algorithms, with budgets, to test the library against.

A rule is f_c(x) = sum of alpha_{c,s} K(x_s, x) over the support points s, in one direction c or one a class, and the
thresholds or intercepts b. Every update adds its row as a new point. Rows, ranks and kinds of number are as in
``crammer_singer``; for an exact run give fractions and a kernel without an exponential.
"""

import itertools
import math
from collections import namedtuple
from fractions import Fraction

from .crammer_singer import between, dot, errors, first_unmet, highest, left_to_right, margins, sides, solve_noprank

Round = namedtuple("Round", "prediction averaged points alpha b sums b_sums shrink Q")
Forgetron = namedtuple("Forgetron", "M R2 Q")


def linear(x, z):
    return dot(x, z)


def polynomial(degree, constant=1):
    def kernel(x, z):
        base, power = dot(x, z) + constant, 1
        for _ in range(degree):
            power = power * base
        return power

    return kernel


def gaussian(gamma):
    return lambda x, z: math.exp(-gamma * left_to_right((x_i - z_i) * (x_i - z_i) for x_i, z_i in zip(x, z, strict=True)))


def quadratic_map(x):
    """READINGS 9: the features whose inner product is (x.z + 1)^2."""
    pairs = itertools.combinations(x, 2)
    return [1, *(math.sqrt(2) * v for v in x), *(v * v for v in x), *(math.sqrt(2) * u * v for u, v in pairs)]


def quadratic_map_without_roots(x):
    """The same inner product from exact features: each one with a root is instead there twice without it."""
    return [u * v for u in [1, *x] for v in [1, *x]]


def expansion(coefficients, rows, x, kernel, directions=1):
    """f_c(x) for every direction c, added up from the oldest point to the newest."""
    K = [kernel(row, x) for row in rows]
    return [left_to_right(alpha[c] * K_s for alpha, K_s in zip(coefficients, K, strict=True)) for c in range(directions)]


def largest_factor(A, D, room):
    """The largest double phi in (0, 1] with A phi^2 + D phi <= room, as a fraction, by bisection; room is positive.

    At 0 the left side is below the room. If it is not at 1, a parabola crosses the room exactly once between.
    """
    if room >= A + D:
        return Fraction(1)
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        phi = Fraction(middle)
        low, high = (middle, high) if A * phi * phi + D * phi <= room else (low, middle)
    return Fraction(low)


def damage(alpha, rows, kernel, R2):
    """A and D: what shrinking by phi and then removing the oldest point costs is A phi^2 + D phi; in fractions."""
    f = expansion(alpha, rows, rows[0], kernel, len(alpha[0]))
    A = D = Fraction(0)
    for coefficient, f_c in zip(alpha[0], f, strict=True):
        sigma, sign = abs(Fraction(coefficient)), (coefficient > 0) - (coefficient < 0)
        A = A + sigma * sigma * Fraction(kernel(rows[0], rows[0])) - 2 * sigma * sign * Fraction(f_c)
        D = D + 2 * sigma
    return A / Fraction(R2) if R2 else A, D  # without any length A is 0: so are K(x_r, x_r) and f(x_r)


def run(X, y, kernel, rank, correct, directions, offsets, budget=None, policy="oldest", pick=None):
    """The loop of all dual forms, one ``Round`` a row.

    Its fields: the ranks predicted before the row, by the present and by the averaged rule; then, after it, the points
    (rows counted from 0, oldest first), a tuple of coefficients per point, b, the sums of both over the rows they were
    held after, the factor of this round's shrinking and the Forgetron's Q. ``rank(f, b, scale)`` reads rules that are
    sums of ``scale`` rules; ``correct(f, b, a, label)`` gives the coefficients and the new b, or None.
    """
    points, alpha, sums, b, b_sums = [], [], [], [0] * offsets, [0] * offsets
    state, evictions = Forgetron(0, 0, Fraction(0)), 0
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        f = expansion(alpha, [X[s] for s in points], x, kernel, directions)
        mean_f = expansion(sums, [X[s] for s in points], x, kernel, directions)
        prediction, averaged = rank(f, b, 1), rank(mean_f, b_sums, max(t, 1))
        step, shrink = correct(f, b, kernel(x, x), label), Fraction(1)
        if step is not None:
            new, b = step
            points, alpha, sums = [*points, t], [*alpha, list(new)], [*sums, [0] * directions]
            state = Forgetron(state.M + 1, max(state.R2, kernel(x, x)), state.Q)
        if budget is not None and len(points) > budget:
            if policy == "forgetron":
                A, D = damage(alpha, [X[s] for s in points], kernel, state.R2)
                shrink = largest_factor(A, D, Fraction(15, 32) * state.M - state.Q)
                alpha, b = [[shrink * v for v in point] for point in alpha], [shrink * v for v in b]
                state = state._replace(Q=state.Q + A * shrink * shrink + D * shrink)
            gone = {"oldest": lambda n: 0, "random": pick, "forgetron": lambda n: 0}[policy](evictions)
            evictions = evictions + 1
            del points[gone], alpha[gone], sums[gone]
        sums = [[old + now for old, now in zip(*pair, strict=True)] for pair in zip(sums, alpha, strict=True)]
        b_sums = [old + now for old, now in zip(b_sums, b, strict=True)]
        held = (tuple(points), tuple(map(tuple, alpha)), tuple(b), tuple(map(tuple, sums)), tuple(b_sums))
        yield Round(prediction, averaged, *held, shrink, state.Q)


def first_unmet_sum(f, b, scale):
    return first_unmet(f[0], b)


def prank(X, y, k, kernel, ties="paper", **budget):
    """Crammer & Singer, end of section 2: Figure 2 with a kernel; the coefficient is the sum of tau_r (READINGS 2)."""

    def correct(f, b, a, label):
        prediction = first_unmet(f[0], b)
        if prediction == label:
            return None
        tau = {"paper": errors(f[0], b, label), "strict": between(prediction, label, k)}[ties]
        return [left_to_right(tau)], [b_r - tau_r for b_r, tau_r in zip(b, tau, strict=True)]

    return run(X, y, kernel, first_unmet_sum, correct, 1, k - 1, **budget)


def siprank(X, y, k, kernel, **budget):
    """Crammer & Singer, end of section 3, with a kernel."""

    def correct(f, b, a, label):
        prediction = first_unmet(f[0], b)
        if prediction == label:
            return None
        moving, tau = (prediction - 1, -1) if prediction > label else (prediction, 1)
        return [tau], [b_r - tau if r == moving else b_r for r, b_r in enumerate(b, start=1)]

    return run(X, y, kernel, first_unmet_sum, correct, 1, k - 1, **budget)


def noprank(X, y, k, kernel, beta=1, margin="fixed", trigger="mistake", **budget):
    """Crammer & Singer, Figure 3, with a kernel; each step is solved in fractions, and rounded when a is a float."""

    def correct(f, b, a, label):
        prediction = first_unmet(f[0], b)
        asked = margins(prediction, label, k, beta, margin)
        violated = any(y_r * (f[0] - b_r) < m for y_r, b_r, m in zip(sides(label, k), b, asked, strict=True))
        if not {"mistake": prediction != label, "margin": violated}[trigger]:
            return None
        S, new_b = solve_noprank(f[0], a, b, label, asked)
        return ([float(S)], [float(b_r) for b_r in new_b]) if isinstance(a, float) else ([S], list(new_b))

    return run(X, y, kernel, first_unmet_sum, correct, 1, k - 1, **budget)


def mcp(X, y, k, kernel, update="max", intercept=False, **budget):
    """Crammer & Singer, section 6, MCP with a kernel: a direction for each class, with an intercept each or none."""

    def scores(f, b):
        return [f_r + b_r for f_r, b_r in zip(f, b, strict=True)] if intercept else f

    def correct(f, b, a, label):
        t = scores(f, b)
        if highest(t) == label:
            return None
        error_set = [r for r in range(1, k + 1) if r != label and t[r - 1] >= t[label - 1]]
        demoted = {"max": [highest(t)], "uniform": error_set}[update]
        share = Fraction(1, len(demoted))
        new = [1 if r == label else -share if r in demoted else 0 for r in range(1, k + 1)]
        return new, scores(b, new)

    return run(X, y, kernel, lambda f, b, scale: highest(scores(f, b)), correct, k, k if intercept else 0, **budget)


def widrow_hoff(X, y, k, kernel, step, intercept=False, **budget):
    """Crammer & Singer, section 6, WH with a kernel: every row is an update; the marks 3/2, 5/2, ... never move."""

    def rank(f, b, scale):
        return first_unmet(left_to_right([f[0], *b]), [scale * Fraction(2 * r + 1, 2) for r in range(1, k)])

    def correct(f, b, a, label):
        move = step * (label - left_to_right([f[0], *b]))
        return [move], [offset + move for offset in b]

    return run(X, y, kernel, rank, correct, 1, 1 if intercept else 0, **budget)
