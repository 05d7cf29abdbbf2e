"""ROMMA (Li & Long) in place of the perceptron inside PRank, Harrington's closing suggestion, to test the library against.

On a mistake the rule v = (w, b_1, ..., b_{k-1}) becomes the shortest one with v.v_t >= |v_t|^2, v_t the present rule, that
gives the row its rank with a margin of 1: y_r (w.x - b_r) >= 1 for all r. Rows and ranks are as in ``crammer_singer``.
"""

import itertools
from fractions import Fraction

from .crammer_singer import averages, dot, first_unmet, mapped, sides


def constraints(w, b, x, label):
    """The conditions g.v >= h as pairs (g, h): v.v_t >= |v_t|^2 first, then one a threshold."""
    k, v_t = len(b) + 1, [*w, *b]
    yield v_t, dot(v_t, v_t)
    for r, y_r in enumerate(sides(label, k), start=1):
        yield [*(y_r * x_i for x_i in x), *(-y_r if s == r else 0 for s in range(1, k))], 1


def solved(matrix, right):
    """The solution of a square system by elimination, None when there is not exactly one; for fractions."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = next((j for j in range(i, len(rows)) if rows[j][i] != 0), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(len(rows)):
            if j != i:
                rows[j] = [value - rows[j][i] * top for value, top in zip(rows[j], rows[i], strict=True)]
    return [row[-1] for row in rows]


def shortest(conditions):
    """``(v, multipliers)`` of the shortest v with g.v >= h for all pairs (g, h), or None if no v meets them all.

    Every set of conditions is tried as the active one: v is then the sum of multiplier times g over the set, with g.v = h
    on it. It is the minimum if no multiplier is negative and the others hold too (Kuhn & Tucker). |v|^2 is strictly
    convex, so all sets that pass give the same v; sets of dependent g can be left out, since a smaller one passes.
    """
    for active in itertools.product((True, False), repeat=len(conditions)):
        chosen = [condition for condition, on in zip(conditions, active, strict=True) if on]
        found = solved([[dot(g, other) for other, _ in chosen] for g, _ in chosen], [h for _, h in chosen])
        if found is None or any(multiplier < 0 for multiplier in found):
            continue
        left = iter(found)
        multipliers = [next(left) if on else Fraction(0) for on in active]
        v = [dot(multipliers, [g[i] for g, _ in conditions]) for i in range(len(conditions[0][0]))]
        if all(dot(g, v) >= h for g, h in conditions):
            return v, multipliers
    return None


def solve_romma(w, b, x, label):
    """The rule ``(w, b)`` after a mistake, in fractions, exact for floats too; None if no rule meets all conditions.

    That is so when v_t is a sum of multiples, none positive, of the row's constraints: for instance when the row that made
    the first rule comes back with the label at the other end.
    """
    w, b, x = mapped(Fraction, (tuple(w), tuple(b), tuple(x)))
    found = shortest(list(constraints(w, b, x, label)))
    return None if found is None else (tuple(found[0][: len(w)]), tuple(found[0][len(w) :]))


def restarted(w, b, x, label):
    """The shortest rule for the row alone, the past forgotten."""
    return solve_romma([0] * len(w), [0] * len(b), x, label)


def romma_step(w, b, x, label, impossible="keep"):
    """``(w, b, updated)`` after one row; the rule is rounded to floats when it or the row holds one.

    A row that cannot be reconciled with the present rule leaves it as it is (``"keep"``) or starts it anew
    (``"restart"``); neither paper foresees it.
    """
    w, b = tuple(w), tuple(b)
    if first_unmet(dot(w, x), b) == label:
        return w, b, False
    rule = solve_romma(w, b, x, label) or {"keep": (w, b), "restart": restarted(w, b, x, label)}[impossible]
    floats = any(isinstance(number, float) for number in (*w, *b, *x))
    return *(mapped(float, rule) if floats else rule), rule != (w, b)


def romma(X, y, k, impossible="keep"):
    """Yields ``(prediction, w, b)`` once a round; exact runs must be short, since fractions grow fast with every update."""
    w, b = (0,) * len(X[0]), (0,) * (k - 1)
    for x, label in zip(X, y, strict=True):
        prediction = first_unmet(dot(w, x), b)
        w, b, _ = romma_step(w, b, x, label, impossible)
        yield prediction, w, b


def averaged_romma(X, y, k, impossible="keep"):
    """The mean of the rules held after each row so far, in fractions, and its prediction before the row."""
    w, b = (0,) * len(X[0]), (0,) * (k - 1)
    for x, mean in zip(X, averages(romma(X, y, k, impossible)), strict=True):
        prediction = first_unmet(dot(w, [Fraction(x_i) for x_i in x]), b)
        w, b = mean
        yield prediction, w, b
