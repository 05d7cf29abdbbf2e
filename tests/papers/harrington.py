"""Literal pseudocode of Harrington's OAP family and of Freund & Schapire's voted perceptron, to test the library against.

A member is a rule ``(w, b)`` that learns by a step: a function ``(w, b, x, label) -> (w, b, updated)`` of one row.
Rows, ranks and kinds of number are as in ``crammer_singer``; means, shares and averages over time are fractions.
"""

import math
from collections import namedtuple
from fractions import Fraction

from .crammer_singer import between, dot, errors, first_unmet, left_to_right, mapped, margins, moved, sides, solve_noprank

Vote = namedtuple("Vote", "prediction mean shares")
Aggregate = namedtuple("Aggregate", "prediction mean shares members votes averages")
Voted = namedtuple("Voted", "prediction mean shares hypotheses")


def rank(rule, x):
    w, b = rule
    return first_unmet(dot(w, x), b)


def prank_step(w, b, x, label, ties="paper"):
    """Harrington, Algorithm 1, which is Crammer & Singer's Figure 2."""
    f = dot(w, x)
    prediction = first_unmet(f, b)
    if prediction == label:
        return w, b, False
    tau = {"paper": errors(f, b, label), "strict": between(prediction, label, len(b) + 1)}[ties]
    return tuple(moved(w, left_to_right(tau), x)), tuple(b_r - tau_r for b_r, tau_r in zip(b, tau, strict=True)), True


def siprank_step(w, b, x, label):
    """Crammer & Singer, end of section 3: a single threshold, the one next to the prediction on the label's side."""
    prediction = rank((w, b), x)
    if prediction == label:
        return w, b, False
    moving, tau = (prediction - 1, -1) if prediction > label else (prediction, 1)
    return tuple(moved(w, tau, x)), tuple(b_r - tau if r == moving else b_r for r, b_r in enumerate(b, start=1)), True


def noprank_step(w, b, x, label, beta=1, margin="fixed", trigger="mistake"):
    """Crammer & Singer, Figure 3, in fractions; ``trigger="margin"`` also learns from a margin not met."""
    w, b, x = mapped(Fraction, (tuple(w), tuple(b), tuple(x)))
    k, f = len(b) + 1, dot(w, x)
    prediction = first_unmet(f, b)
    asked = margins(prediction, label, k, Fraction(beta), margin)
    violated = any(y_r * (f - b_r) < m for y_r, b_r, m in zip(sides(label, k), b, asked, strict=True))
    if not {"mistake": prediction != label, "margin": violated}[trigger]:
        return w, b, False
    S, new_b = solve_noprank(f, dot(x, x), b, label, asked)
    return tuple(moved(w, S, x)), new_b, True


def nearest(mean):
    """The nearest integer, halves up."""
    return math.floor(mean + Fraction(1, 2))


def weighted(ranks, weights, k):
    """The weighted mean of the ranks, and for each rank from 1 to k its share of the weight."""
    total = sum(weights)
    mean = Fraction(sum(v * r for r, v in zip(ranks, weights, strict=True)), total)
    return mean, tuple(Fraction(sum(v for r, v in zip(ranks, weights) if r == s), total) for s in range(1, k + 1))


def combined(rules, votes, x, combine):
    """The rank members give together, the mean of their ranks and the shares of the ranks, for one row.

    ``"bpm"`` is Algorithm 2's mean rule, not divided by N; its mean and shares are those of ``"bagging"``, where every
    member counts 1. ``"voting"`` weighs members by their votes, or equally when nobody has any.
    """
    weights = votes if combine == "voting" and any(votes) else [1] * len(rules)
    mean, shares = weighted([rank(rule, x) for rule in rules], weights, len(rules[0][1]) + 1)
    summed = mapped(lambda *numbers: left_to_right(numbers), *rules)
    prediction = {"bpm": rank(summed, x), "bagging": nearest(mean), "voting": nearest(mean)}[combine]
    return Vote(prediction, mean, shares)


def present(step, rule, v, x, label, votes):
    """One presentation of a row to a member; its rank counts before it learns.

    ``"correct"`` counts all right ranks, ``"survival"`` those since the last update, which resets it to 0.
    """
    right = rank(rule, x) == label
    w, b, updated = step(*rule, x, label)
    return (w, b), {"correct": v + right, "survival": 0 if updated else v + right}[votes]


def oap(X, y, k, step, n_members, coin, combine="bpm", votes="correct", averaged=False):
    """Harrington, Algorithm 2 and section 3.1, as corrected in READINGS 11.

    ``coin(t, j)`` says how often row t (from 0) is presented to member j. Each round yields what the members said together
    before the row, then the members ``(w, b)``, their votes and their averages ``(w, b)`` over all rows so far: every
    row counts, whether the member was shown it or not. ``averaged=True`` lets these averages speak, the start before
    any row; they learn, and earn their votes, by their present rules all the same.
    """
    rules, v = [((0,) * len(X[0]), (0,) * (k - 1))] * n_members, [0] * n_members
    totals = means = mapped(Fraction, tuple(rules))
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        together = combined(means, v, [Fraction(x_i) for x_i in x], combine) if averaged else combined(rules, v, x, combine)
        for j in range(n_members):
            for _ in range(coin(t, j)):
                rules[j], v[j] = present(step, rules[j], v[j], x, label, votes)
        totals = mapped(lambda old, new: old + Fraction(new), totals, tuple(rules))
        means = mapped(lambda total, count=t + 1: total / count, totals)
        yield Aggregate(*together, tuple(rules), tuple(v), means)


def elected(hypotheses, x, combine):
    """The rank hypotheses ``(w, b, count)`` give together, the mean rank and the shares of the ranks, for one row.

    ``"mean"`` rounds the mean, halves up; ``"plurality"`` takes the largest share, the lowest rank of equals; ``"median"``
    the largest rank that at least half of the weight reaches. Without any count the last hypothesis decides alone.
    """
    counts, k = [count for _, _, count in hypotheses], len(hypotheses[0][1]) + 1
    weights = counts if any(counts) else [0] * (len(counts) - 1) + [1]
    mean, shares = weighted([rank((w, b), x) for w, b, _ in hypotheses], weights, k)
    prediction = {
        "mean": nearest(mean),
        "plurality": shares.index(max(shares)) + 1,
        "median": max(m for m in range(1, k + 1) if 2 * sum(shares[m - 1 :]) >= 1),
    }[combine]
    return Vote(prediction, mean, shares)


def voted(X, y, k, step, combine="mean", count="survival+1", limit=None):
    """Freund & Schapire's voted perceptron over any step: every hypothesis, oldest first, with its count.

    A hypothesis made by an update starts at 1 (``"survival+1"``) or 0 (``"survival"``), the zero one at 0 in both; the
    last gains 1 for every row without an update. An update that makes more than ``limit`` drops the smallest count, the
    oldest of equals, and never the new hypothesis.
    """
    start = {"survival+1": 1, "survival": 0}[count]
    hypotheses = [((0,) * len(X[0]), (0,) * (k - 1), 0)]
    for x, label in zip(X, y, strict=True):
        together = elected(hypotheses, x, combine)
        w, b, survived = hypotheses[-1]
        new_w, new_b, updated = step(w, b, x, label)
        if updated:
            hypotheses.append((new_w, new_b, start))
        else:
            hypotheses[-1] = (w, b, survived + 1)
        if limit is not None and len(hypotheses) > limit:
            counts = [held for _, _, held in hypotheses[:-1]]
            del hypotheses[counts.index(min(counts))]
        yield Voted(*together, tuple(hypotheses))
