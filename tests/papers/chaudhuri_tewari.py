"""Literal pseudocode of Chaudhuri & Tewari, "Perceptron-like Algorithms for Online Learning to Rank", to test against.

A list is a pair ``(X, R)``: rows of numbers and a grade for each of them, in any order. Documents count from 0, positions
from 1. Numbers keep their kind, so integers and fractions stay exact where the mathematics is rational: AP, its weights, and
NDCG cut off after the first position. Measures are named ``"ndcg"``, ``"ndcg@k"`` and ``"ap"``.
"""

import math
from collections import namedtuple
from fractions import Fraction

from .crammer_singer import dot, left_to_right

Round = namedtuple("Round", "scores order loss w updated")


def argsort(s):
    """Documents best first; of equal scores the lower index."""
    return sorted(range(len(s)), key=lambda i: (-s[i], i))


def gain(grade):
    return 2**grade - 1


def discount(position):
    """1 / log2(position + 1), a fraction where that is one."""
    power = (position + 1).bit_length() - 1
    return Fraction(1, power) if 2**power == position + 1 else 1 / math.log2(position + 1)


def discounted(grades, k=None):
    """The sum of G(grade) D(position) over the first k of the grades in their order."""
    return left_to_right(gain(grade) * discount(i) for i, grade in enumerate(grades[:k], start=1))


def ndcg(s, R, k=None):
    """Eq. (1); 1 for a list whose grades are all equal. Z_k is what the grades in falling order give."""
    if min(R) == max(R):
        return 1
    return discounted([R[i] for i in argsort(s)], k) / discounted(sorted(R, reverse=True), k)


def average_precision(s, R):
    """Eq. (2), grades above 0 relevant; 1 for a list without a relevant document."""
    relevant = [R[i] > 0 for i in argsort(s)]
    r = sum(relevant)
    precisions = (Fraction(sum(relevant[:j]), j) for j in range(1, len(R) + 1) if relevant[j - 1])
    return Fraction(1, r) * left_to_right(precisions) if r else 1


def cut(measure):
    """The k of ``"ndcg@k"``, None for ``"ndcg"``."""
    return int(measure.split("@")[1]) if "@" in measure else None


def judged(R, measure):
    """The grades as a measure sees them: AP knows relevant (1) and not (0) only."""
    return [int(grade > 0) for grade in R] if measure == "ap" else list(R)


def measured(s, R, measure):
    return average_precision(s, R) if measure == "ap" else ndcg(s, R, cut(measure))


def mistaken(s, R, measure):
    """RML != 0, told from the grades alone: D falls and G rises strictly, so only grades in falling order reach 1."""
    grades = judged(R, measure)
    k = cut(measure)
    return [grades[i] for i in argsort(s)][:k] != sorted(grades, reverse=True)[:k]


def shared(v, R):
    """Each weight replaced by the mean over the documents of the same grade."""
    return [Fraction(1, R.count(grade)) * left_to_right(v[j] for j in range(len(R)) if R[j] == grade) for grade in R]


def weights_ndcg(R, k=None, ties="index"):
    """Eq. (11), and (24) with a cut-off, for a list in any order; i is the document's position by relevance.

    Equal grades stand in the order of the list (``"index"``) or share their weights equally (``"average"``).
    """
    position = {i: p for p, i in enumerate(argsort(R), start=1)}
    Z = discounted(sorted(R, reverse=True), k)
    within = [k is None or position[i] <= k for i in range(len(R))]
    v = [gain(R[i]) * discount(position[i]) / Z if within[i] and Z else 0 for i in range(len(R))]
    return {"index": v, "average": shared(v, R)}[ties]


def weights_ap(R, ties="index"):
    """Eq. (10), for a list in any order: relevant documents weigh the same, so there are no ties to break."""
    r = sum(grade > 0 for grade in R)
    v = [Fraction(1, r) if grade > 0 else 0 for grade in R]
    return {"index": v, "average": shared(v, judged(R, "ap"))}[ties]


def weights(R, measure, ties="index"):
    return weights_ap(R, ties) if measure == "ap" else weights_ndcg(R, cut(measure), ties)


def excess(s, R, i, margin):
    """b_ij for all j: by how much j comes too close to i, or 0 unless i is the more relevant."""
    return [margin + s[j] - s[i] if R[i] > R[j] else 0 for j in range(len(R))]


def slam(s, R, v, margin=1):
    """Eq. (9) with Delta = margin."""
    return left_to_right(v[i] * max(0, max(excess(s, R, i, margin))) for i in range(len(R)))


def slam_subgradient(s, R, v, margin=1):
    """Eq. (13), with respect to s: the sum of v_i (e_k - e_i); the lowest k of equals."""
    g = [0] * len(R)
    for i in range(len(R)):
        b = excess(s, R, i, margin)
        if max(b) > 0:
            k = b.index(max(b))
            g[k] = g[k] + v[i]
            g[i] = g[i] - v[i]
    return g


def exponentials(s, R, i, margin, T):
    """``(top, terms)``: the terms of 1 + sum of exp(b_ij / T) over the less relevant j, divided by the largest, exp(top)."""
    b = {j: (margin + s[j] - s[i]) / T for j in range(len(R)) if R[j] < R[i]}
    top = max([0.0, *b.values()])
    return top, {None: math.exp(-top), **{j: math.exp(b_j - top) for j, b_j in b.items()}}


def softened(s, R, v, margin=1, T=1.0):
    """``slam`` with T log(1 + sum of exp(b_ij / T)) for max(0, max b_ij), over the less relevant j."""
    total = 0
    for i in range(len(R)):
        top, terms = exponentials(s, R, i, margin, T)
        total = total + v[i] * T * (top + math.log(left_to_right(terms.values())))
    return total


def softened_gradient(s, R, v, margin=1, T=1.0):
    """The sum over i and less relevant j of v_i p_ij (e_j - e_i), p_ij the share of exp(b_ij / T)."""
    g = [0] * len(R)
    for i in range(len(R)):
        _, terms = exponentials(s, R, i, margin, T)
        total = left_to_right(terms.values())
        for j in range(len(R)):
            if j in terms:
                g[j] = g[j] + v[i] * terms[j] / total
                g[i] = g[i] - v[i] * terms[j] / total
    return g


def phi_c(s, R, margin=1):
    """Eq. (27)."""
    documents = range(len(R))
    return max(max(0, margin + s[j] - s[i]) if R[i] > R[j] else 0 for i in documents for j in documents)


def phi_c_subgradient(s, R, margin=1):
    """Eq. (29), with respect to s: e_j - e_i, (i, j) the first pair in lexicographic order with the maximum of eq. (27)."""
    documents = range(len(R))
    pairs = [(i, j) for i in documents for j in documents if R[i] > R[j]]
    best = max(margin + s[j] - s[i] for i, j in pairs)
    i, j = next((i, j) for i, j in pairs if margin + s[j] - s[i] == best)
    on = int(margin + s[j] - s[i] >= 0)
    return [on * ((d == j) - (d == i)) for d in documents]


def top_one(s):
    """Cao et al.: the probability of each document to come first."""
    highest = max(s)
    terms = [math.exp(s_i - highest) for s_i in s]
    return [term / left_to_right(terms) for term in terms]


def cross_entropy(s, R):
    """ListNet's loss: minus the sum of P_R(i) log P_s(i)."""
    return -left_to_right(p * math.log(q) for p, q in zip(top_one(R), top_one(s), strict=True))


def cross_entropy_gradient(s, R):
    return [q - p for p, q in zip(top_one(R), top_one(s), strict=True)]


def pulled(X, g):
    """X^T g."""
    return [left_to_right(g[i] * X[i][c] for i in range(len(X))) for c in range(len(X[0]))]


def descended(w, z, step, squares):
    """``(w, squares)`` after a step along -z. ``("adagrad", rate)`` divides by the root of the squares so far, these included."""
    if not isinstance(step, tuple):
        return [w_c - step * z_c for w_c, z_c in zip(w, z, strict=True)], squares
    squares = [q + z_c * z_c for q, z_c in zip(squares, z, strict=True)]
    shares = [z_c / math.sqrt(q) if q else 0 for q, z_c in zip(squares, z, strict=True)]
    return [w_c - step[1] * share for w_c, share in zip(w, shares, strict=True)], squares


def run(lists, measure, step, learns, gradient):
    """The loop of Algorithms 2 and 3, a ``Round`` a list: scores, order and loss before the update, w after it."""
    w = squares = None
    for X, R in lists:
        w, squares = (w, squares) if w is not None else ([0] * len(X[0]), [0] * len(X[0]))
        s = [dot(w, x) for x in X]
        grades, updated = judged(R, measure), learns(s, R)
        if updated:
            w, squares = descended(w, pulled(X, gradient(s, grades)), step, squares)
        yield Round(s, argsort(s), 1 - measured(s, R, measure), w, updated)


def perceptron(lists, measure, margin=1, ties="index", step=1, soften=0.0):
    """Algorithm 2; ``soften`` > 0 is the temperature of ``softened``, and the test for a mistake stays."""

    def gradient(s, R):
        v = weights(R, measure, ties)
        return softened_gradient(s, R, v, margin, soften) if soften else slam_subgradient(s, R, v, margin)

    return run(lists, measure, step, lambda s, R: mistaken(s, R, measure), gradient)


def minimax(lists, measure, margin=1, step=1):
    """Algorithm 3."""
    return run(lists, measure, step, lambda s, R: mistaken(s, R, measure), lambda s, R: phi_c_subgradient(s, R, margin))


def listnet(lists, step, measure="ndcg@10"):
    """Section 8's baseline, online gradient descent on ListNet's cross entropy; learns every list whose grades differ."""
    return run(lists, measure, step, lambda s, R: len(set(judged(R, measure))) > 1, cross_entropy_gradient)


def means(rounds):
    """After each list, the mean of the w held after each list so far, updated or not; in fractions, exact for floats too."""
    total = None
    for t, now in enumerate(rounds, start=1):
        total = [a + Fraction(b) for a, b in zip(total or [0] * len(now.w), now.w, strict=True)]
        yield [a / t for a in total]


def unit(d, c, length):
    """``length`` times the c-th unit vector, c from 1."""
    return [length if i == c else 0 for i in range(1, d + 1)]


def adversary(rank, learn, m, radius, gamma):
    """Theorem 9's lists (eq. 25) and grades, played against a ranker: ``rank(X)`` gives an order, ``learn(X, R)`` the grades."""
    T = math.floor(Fraction(radius) ** 2 / Fraction(gamma) ** 2) - 1
    d = T + 1
    for i in range(1, T + 1):
        X = [unit(d, i + 1, radius), unit(d, i + 1, -radius), *([unit(d, 1, radius)] * (m - 2))]
        R = [0, 1, *[0] * (m - 2)] if rank(X)[0] == 0 else [1, 0, *[0] * (m - 2)]
        learn(X, R)
        yield X, R


def separator(lists, radius, gamma):
    """Theorem 9's w* for the lists played: coordinate i goes by the grades of list i - 1, where the paper prints i."""
    size = Fraction(gamma) / (2 * Fraction(radius))
    return [-size, *(size if R[0] > R[1] else -size for _, R in lists)]
