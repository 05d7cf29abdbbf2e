"""Literal pseudocode of Crammer & Singer, "Online Ranking by Projecting", to test the library against.

Every algorithm takes rows X (lists of numbers; arrays go in by ``.tolist()``), ranks y in 1..k and k, and
yields ``(prediction, w, b)`` once a round: the rank predicted before the update, and the rule held after it.
Numbers keep their kind, so integers and fractions stay exact; only Mu-PRank always computes in floats.
"""

import itertools
import math
from fractions import Fraction


def left_to_right(values):
    """The plain running sum: from Python 3.12 on the built-in ``sum`` compensates floats."""
    total = 0
    for value in values:
        total = total + value
    return total


def dot(w, x):
    return left_to_right(w_i * x_i for w_i, x_i in zip(w, x, strict=True))


def moved(w, amount, x):
    return [w_i + amount * x_i for w_i, x_i in zip(w, x, strict=True)]


def first_unmet(f, b):
    """Section 2's prediction, min{r : f - b_r < 0}; b_k is infinite, so k when there is no such threshold."""
    for r, b_r in enumerate(b, start=1):
        if f - b_r < 0:
            return r
    return len(b) + 1


def highest(t):
    """The class, from 1, of the largest score; the lowest one of equals."""
    return t.index(max(t)) + 1


def sides(label, k):
    """Step 1 of Figures 2, 3 and 5: y_r is -1 if y <= r, else +1."""
    return [-1 if label <= r else 1 for r in range(1, k)]


def errors(f, b, label):
    """Step 2 of Figures 2 and 5: tau_r is y_r if (f - b_r) y_r <= 0, else 0."""
    return [y_r if (f - b_r) * y_r <= 0 else 0 for y_r, b_r in zip(sides(label, len(b) + 1), b, strict=True)]


def between(prediction, label, k):
    """y_r for the thresholds between the label and the prediction, 0 for the others."""
    low, high = sorted((prediction, label))
    return [y_r if low <= r < high else 0 for r, y_r in enumerate(sides(label, k), start=1)]


def prank(X, y, k, ties="paper"):
    """Crammer & Singer, Figure 2, with the line step 3 lost: b_r <- b_r - tau_r.

    ``"paper"`` counts w.x = b_r as an error on both sides; ``"strict"`` moves only the thresholds between.
    """
    w, b = [0] * len(X[0]), [0] * (k - 1)
    for x, label in zip(X, y, strict=True):
        f = dot(w, x)
        prediction = first_unmet(f, b)
        if prediction != label:
            tau = {"paper": errors(f, b, label), "strict": between(prediction, label, k)}[ties]
            w = moved(w, left_to_right(tau), x)
            b = [b_r - tau_r for b_r, tau_r in zip(b, tau, strict=True)]
        yield prediction, tuple(w), tuple(b)


def siprank(X, y, k):
    """Crammer & Singer, end of section 3: Figure 2 with steps 3 and 4 moving a single threshold."""
    w, b = [0] * len(X[0]), [0] * (k - 1)
    for x, label in zip(X, y, strict=True):
        f = dot(w, x)
        prediction = first_unmet(f, b)
        if prediction != label:
            tau = errors(f, b, label)
            r = prediction - 1 if prediction > label else prediction
            w = moved(w, tau[r - 1], x)
            b[r - 1] = b[r - 1] - tau[r - 1]
        yield prediction, tuple(w), tuple(b)


def margins(prediction, label, k, beta, margin):
    """The margin asked of each threshold: equation 4.1, and the two alternatives at the end of section 4.

    A right prediction has no loss; when its margin still triggers an update, ``"loss"`` asks for beta.
    """
    return {
        "fixed": [beta for r in range(1, k)],
        "loss": [beta * max(1, abs(label - prediction)) for r in range(1, k)],
        "distance": [beta * (label - r if r < label else r + 1 - label) for r in range(1, k)],
    }[margin]


def multipliers(f, a, b, label, asked):
    """Crammer & Singer, equation 4.5: the multipliers tau, found by trying every active set; takes fractions.

    With c_r = margin_r - y_r (f - b_r) and S = sum of y_s tau_s, dQ/dtau_r = tau_r - (c_r - a y_r S).
    On an active set it is 0; multiplied by y_r and added up, S (1 + a |set|) = sum of y_r c_r over the set.
    Off the set tau_r = 0 and the derivative may not be negative. Q is strictly convex, so every set that
    passes has the same tau.
    """
    y = sides(label, len(b) + 1)
    c = [asked_r - y_r * (f - b_r) for asked_r, y_r, b_r in zip(asked, y, b, strict=True)]
    for active in itertools.product((True, False), repeat=len(b)):
        S = left_to_right(y_r * c_r for on, y_r, c_r in zip(active, y, c) if on) / (1 + a * sum(active))
        tau = [c_r - a * y_r * S for y_r, c_r in zip(y, c)]
        if all(tau_r >= 0 if on else tau_r <= 0 for on, tau_r in zip(active, tau)):
            return [tau_r if on else Fraction(0) for on, tau_r in zip(active, tau)]


def solve_noprank(f, a, b, y, margins):
    """Crammer & Singer, equation 4.1 with f = w.x and a = |x|^2: ``(S, new_b)``; the new weights are w + S x.

    All numbers become fractions first, which is exact for floats too, and the answer is in fractions.
    """
    f, a, b, asked = Fraction(f), Fraction(a), [Fraction(b_r) for b_r in b], [Fraction(m) for m in margins]
    tau = multipliers(f, a, b, y, asked)
    signed = [y_r * tau_r for y_r, tau_r in zip(sides(y, len(b) + 1), tau, strict=True)]
    return left_to_right(signed), tuple(b_r - step for b_r, step in zip(b, signed, strict=True))


def noprank(X, y, k, beta=1, margin="fixed", trigger="mistake"):
    """Crammer & Singer, Figure 3; ``trigger="margin"`` is Lemma 2's: update when a constraint does not hold.

    The whole run is in fractions, whatever X holds: exact for floats too. They grow with every update.
    """
    w, b = [Fraction(0)] * len(X[0]), (Fraction(0),) * (k - 1)
    for row, label in zip(X, y, strict=True):
        x = [Fraction(x_i) for x_i in row]
        f = dot(w, x)
        prediction = first_unmet(f, b)
        asked = margins(prediction, label, k, Fraction(beta), margin)
        violated = any(y_r * (f - b_r) < m for y_r, b_r, m in zip(sides(label, k), b, asked, strict=True))
        if {"mistake": prediction != label, "margin": violated}[trigger]:
            S, b = solve_noprank(f, dot(x, x), b, label, asked)
            w = moved(w, S, x)
        yield prediction, tuple(w), b


def muprank(X, y, k, step, signed=False, radius=1):
    """Crammer & Singer, Figure 5, on rows divided by the radius.

    ``signed=True`` doubles the components (READINGS 5): w = w+ - w-, b = b+ - b-, opposite exponents, one Z.
    Unsigned, the minus components start at 0 and stay there.
    """
    n = len(X[0])
    start, other = (1 / (2 * (n + k - 1)), 1 / (2 * (n + k - 1))) if signed else (1 / (n + k - 1), 0.0)
    plus, minus = [start] * (n + k - 1), [other] * (n + k - 1)
    for row, label in zip(X, y, strict=True):
        x = [x_i / radius for x_i in row]
        v = [p - m for p, m in zip(plus, minus, strict=True)]
        f = dot(v[:n], x)
        prediction = first_unmet(f, v[n:])
        if prediction != label:
            tau = errors(f, v[n:], label)
            exponents = [step * x_i * left_to_right(tau) for x_i in x] + [-step * tau_r for tau_r in tau]
            plus = [p * math.exp(e) for p, e in zip(plus, exponents, strict=True)]
            minus = [m * math.exp(-e) for m, e in zip(minus, exponents, strict=True)]
            Z = left_to_right(plus + minus)
            plus, minus = [p / Z for p in plus], [m / Z for m in minus]
            v = [p - m for p, m in zip(plus, minus, strict=True)]
        yield prediction, tuple(v[:n]), tuple(v[n:])


def theory_step(k, gamma):
    """Crammer & Singer, Corollary 2: the step for Mu-PRank when the margin gamma is known."""
    return math.log((k - 1 + gamma) / (k - 1 - gamma)) / (2 * (k - 1))


def with_constant(X, intercept):
    return [[*x, 1] for x in X] if intercept else X


def share(x, parts):
    """The row divided by a count; integers become fractions, not floats."""
    return [Fraction(x_i, parts) if isinstance(x_i, int) else x_i / parts for x_i in x]


def mcp(X, y, k, update="max", intercept=False, gate="mistake"):
    """Crammer & Singer, section 6, MCP: the multiclass perceptron of their 2001b, one prototype a class.

    ``"max"`` demotes the predicted class, ``"uniform"`` the error set {r != y : t_r >= t_y} in equal shares.
    ``gate="error set"`` lets ``"uniform"`` also learn from a right prediction that only won a tie.
    """
    X = with_constant(X, intercept)
    W = [[0] * len(X[0]) for r in range(k)]
    for x, label in zip(X, y, strict=True):
        t = [dot(w, x) for w in W]
        prediction = highest(t)
        error_set = [r for r in range(1, k + 1) if r != label and t[r - 1] >= t[label - 1]]
        if {"mistake": prediction != label, "error set": update == "uniform" and error_set}[gate]:
            demoted = {"max": [prediction], "uniform": error_set}[update]
            W[label - 1] = moved(W[label - 1], 1, x)
            for r in demoted:
                W[r - 1] = moved(W[r - 1], -1, share(x, len(demoted)))
        yield prediction, tuple(tuple(w) for w in W), None


def widrow_hoff(X, y, k, step, intercept=False):
    """Crammer & Singer, section 6, WH: w += step (y - w.x) x in every round, rounded to the closest rank."""
    X = with_constant(X, intercept)
    w, halves = [0] * len(X[0]), tuple(Fraction(2 * r + 1, 2) for r in range(1, k))
    for x, label in zip(X, y, strict=True):
        f = dot(w, x)
        prediction = max(r for r in range(1, k + 1) if r == 1 or f >= halves[r - 2])
        w = moved(w, step * (label - f), x)
        yield prediction, tuple(w), halves


def mapped(function, *values):
    """The function applied to the numbers of equally nested tuples; None stays None."""
    if values[0] is None:
        return None
    if isinstance(values[0], tuple):
        return tuple(mapped(function, *parts) for parts in zip(*values, strict=True))
    return function(*values)


def averages(run):
    """After each round of a run, the mean ``(w, b)`` of the rules held after every row so far, in fractions.

    The mean is READINGS 10's: a rule counts once for the row that made it and once for every row it survives.
    """
    total = None
    for rounds, (_, w, b) in enumerate(run, start=1):
        rule = mapped(Fraction, (w, b))
        total = rule if total is None else mapped(lambda old, new: old + new, total, rule)
        yield mapped(lambda value, count=rounds: value / count, total)


def initial_rule(algorithm, n, k, signed=False, **_):
    """The ``(w, b)`` an algorithm holds before its first round on rows of n numbers."""
    if algorithm is mcp:
        return ((Fraction(0),) * n,) * k, None
    if algorithm is widrow_hoff:
        return (Fraction(0),) * n, tuple(Fraction(2 * r + 1, 2) for r in range(1, k))
    start = Fraction(1, n + k - 1) if algorithm is muprank and not signed else Fraction(0)
    return (start,) * n, (start,) * (k - 1)


def predict_averaged(algorithm, X, y, k, **parameters):
    """For each row, before it is learned, the prediction of the mean of the rules held after earlier rows.

    Widrow-Hoff's thresholds 3/2, 5/2, ... make its closest rank the first unmet threshold, as in other rules.
    """
    rows = with_constant(X, parameters.get("intercept", False))
    w, b = initial_rule(algorithm, len(rows[0]), k, **parameters)
    for row, mean in zip(rows, averages(algorithm(X, y, k, **parameters)), strict=True):
        x = [Fraction(x_i) / Fraction(parameters.get("radius", 1)) for x_i in row]
        yield highest([dot(w_r, x) for w_r in w]) if b is None else first_unmet(dot(w, x), b)
        w, b = mean
