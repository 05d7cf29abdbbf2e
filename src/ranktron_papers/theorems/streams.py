"""Losses beside bounds on random streams: separable ones, learned until there are no mistakes, and others, learned once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import ranktron
from ranktron import bounds
from ranktron.data import separable, synthetic

# Measured losses and their bounds, by the name of a theorem.
Measured = dict[str, tuple[float, float]]


# The size of OAP.
MEMBERS = 6


class StreamSizes(NamedTuple):
    """How much is learned: numbers of rows and lists, and the most passes."""

    rows: int = 150
    noisy: int = 600
    lists: int = 40
    passes: int = 40


def converged(model: Any, stream: tuple[Any, ...], passes: int) -> Any:
    """The model after as many passes as it needs until nothing changes, at most ``passes``."""
    updates = -1
    for _ in range(passes):
        model.partial_fit(*stream)
        if model.n_updates_ == updates:
            break
        updates = model.n_updates_
    return model


def estimator(kind: str, **parameters: Any) -> Any:
    """A new estimator with its last hypothesis, as in the theorems."""
    average = {} if kind == "OAP" else {"average": False}
    return getattr(ranktron, kind)(**average, **parameters)


def longest(X: np.ndarray) -> float:
    """R, the largest norm of a row."""
    return float(np.linalg.norm(X, axis=1).max())


def streams(seed: int, size: StreamSizes) -> Measured:
    """The losses and bounds on all kinds of streams."""
    found: Measured = {}
    for part in (additive, multiplicative, noisy_ranks, lists, noisy_lists, judged_lists):
        found |= part(np.random.default_rng([seed, len(found)]), size)
    return found


def additive(random: np.random.Generator, size: StreamSizes) -> Measured:
    """PRank, Si-PRank, No-PRank and OAP, beside the bounds by the best margin."""
    k, d = int(random.integers(2, 6)), int(random.integers(3, 8))
    X, y = separable.ordinal(size.rows, d, k, margin=0.2, seed=int(random.integers(1 << 30)))
    R, gamma, ranks = longest(X), bounds.best_margin(X, y + 1, k).margin, range(k)
    prank = converged(estimator("PRank", classes=ranks), (X, y), size.passes)
    single = converged(estimator("SiPRank", classes=ranks), (X, y), size.passes)
    optimal = converged(estimator("NoPRank", classes=ranks), (X, y), size.passes)
    oap = converged(estimator("OAP", n_members=MEMBERS, tau=0.5, classes=ranks), (X, y), min(size.passes, 8))
    short = 0.64 / R  # where Harrington's R⁴ is below R²
    small = converged(estimator("PRank", classes=ranks), (X * short, y), size.passes)
    gamma_of_short = bounds.best_margin(X * short, y + 1, k).margin
    return {
        "CS Theorem 1": (prank.cumulative_loss_, bounds.prank_loss(k, R, gamma)),
        "CS Theorem 1 for Si-PRank": (single.cumulative_loss_, bounds.prank_loss(k, R, gamma)),
        "CS footnote 2": (single.n_updates_, bounds.siprank_mistakes(R, gamma)),
        "CS Theorem 3": (weights_used(X, y, k, size.passes), bounds.noprank_weights(1.0, gamma)),
        "CS Corollary 1": (optimal.n_updates_, bounds.noprank_mistakes(R, gamma)),
        "CS after Corollary 1": (optimal.cumulative_loss_, bounds.noprank_loss(k, R, gamma)),
        "H section 2": (prank.n_updates_, bounds.prank_loss(k, R, gamma)),
        "H section 2, as printed": (small.n_updates_, bounds.as_printed.prank_mistakes(k, 0.64, gamma_of_short)),
        "H section 3": (oap.n_updates_, bounds.oap_updates(MEMBERS, k, R, gamma)),
    }


def out_of_order(seed: int, size: StreamSizes) -> int:
    """In how many rounds an algorithm's thresholds are out of order."""
    random = np.random.default_rng([seed, 7])
    k = int(random.integers(3, 7))
    X, y = random.uniform(-1, 1, (size.rows, 4)), random.integers(k, size=size.rows)
    models = [estimator(kind, classes=range(k)) for kind in ("PRank", "SiPRank", "NoPRank")]
    models.append(estimator("MuPRank", step=0.5, classes=range(k)))
    rounds = 0
    for row, label in zip(X, y):
        for model in models:
            model.learn_one(row, label)
            rounds += int((np.diff(model.thresholds_) < 0).any())
    return rounds


def weights_used(X: np.ndarray, y: np.ndarray, k: int, passes: int) -> float:
    """Σ τ of No-PRank if it learns whenever the margin is violated; each τ is the distance by which its threshold moves."""
    model, total, before = estimator("NoPRank", classes=range(k), trigger="margin"), 0.0, np.zeros(k - 1)
    for row, label in zip(np.tile(X, (min(passes, 3), 1)), np.tile(y, min(passes, 3))):
        model.learn_one(row, label)
        total, before = total + float(np.abs(model.thresholds_ - before).sum()), model.thresholds_
    return total


def multiplicative(random: np.random.Generator, size: StreamSizes) -> Measured:
    """Mu-PRank by the best margin in the 1-norm; changed signs of columns give a rule without negative weights."""
    k, d = int(random.integers(2, 5)), int(random.integers(4, 30))
    X, y = separable.ordinal(size.rows, d, k, margin=0.2, seed=int(random.integers(1 << 30)))
    X = X / np.abs(X).max()
    signed = bounds.best_margin(X, y + 1, k, order=1)
    positive = X * np.append(np.where(signed.coef[:-1] < 0, -1.0, 1.0), 1.0)  # the last column is constant
    gamma = bounds.best_margin(positive, y + 1, k, order=1, signed=False).margin
    step = bounds.muprank_theory_step(k, gamma) / 2
    ranks = range(k)
    plain = converged(estimator("MuPRank", step=step, classes=ranks), (positive, y), size.passes)
    theory = converged(estimator("MuPRank", step="theory", gamma=gamma, classes=ranks), (positive, y), size.passes)
    both = converged(estimator("MuPRank", step="theory", gamma=signed.margin, signed=True, classes=ranks), (X, y), size.passes)
    at_theory = bounds.muprank_loss(k, d, signed.margin, bounds.muprank_theory_step(k, signed.margin), signed=True)
    return {
        "CS Theorem 4": (plain.cumulative_loss_, bounds.muprank_loss(k, d, gamma, step)),
        "CS Theorem 4, signed": (both.cumulative_loss_, at_theory),
        "CS Corollary 2": (theory.cumulative_loss_, bounds.muprank_loss_at_theory_step(k, d, gamma)),
        "CS Corollary 2, as printed": (
            theory.cumulative_loss_,
            bounds.as_printed.muprank_loss_at_theory_step(k, d, gamma),
        ),
    }


def noisy_ranks(random: np.random.Generator, size: StreamSizes) -> Measured:
    """Streams with 2 % of the labels changed, beside the bound by its best rule."""
    k, n = int(random.integers(2, 5)), size.noisy
    X, y = separable.ordinal(n, 3, k, margin=0.3, seed=int(random.integers(1 << 30)))
    y = np.where(random.random(n) < 0.02, random.integers(k, size=n), y)
    model = estimator("PRank", classes=range(k)).partial_fit(X, y)
    best = bounds.best_inseparable(X, y + 1, k)
    X2, y2 = separable.binary(n, 3, margin=0.5, seed=int(random.integers(1 << 30)))
    y2 = np.where(random.random(n) < 0.02, -y2, y2)
    perceptron = estimator("Predtron", task=ranktron.tasks.Binary(), classes=[-1, 1], step=0.5).partial_fit(X2, y2)
    return {
        "CS Theorem 2": (model.cumulative_loss_, best.loss),
        "CT Theorem 1": (perceptron.cumulative_loss_, hinge_bound(X2, y2)),
    }


def hinge_bound(X: np.ndarray, y: np.ndarray) -> float:
    """The smallest value of Eq. 5: a labelled row is a list of y x/2 and -y x/2, of which the first is relevant."""
    halves = np.stack([y[:, None] * X / 2, -y[:, None] * X / 2], axis=1).reshape(-1, X.shape[1])
    best = bounds.best_inseparable_list(halves, np.tile([1, 0], len(X)), np.repeat(np.arange(len(X)), 2), algorithm="minimax")
    return bounds.perceptron_mistakes_inseparable(longest(X), float(np.linalg.norm(best.coef)), best.surrogate)


def lists(random: np.random.Generator, size: StreamSizes) -> Measured:
    """SLAM at its theory step and MinimaxRank on separable lists, beside the bounds by the best margin."""
    m = int(random.integers(2, 8))
    drawn = int(random.integers(1 << 30))
    X, y, qid = synthetic.chaudhuri_tewari(size.lists, n_documents=m, n_features=6, margin=0.5, seed=drawn)
    kept = np.repeat(y.reshape(-1, m).max(axis=1) > 0, m)  # lists with a relevant document
    X, y, qid = X[kept], y[kept], qid[kept]
    gamma = bounds.best_list_margin(X, y, qid).margin
    model = converged(estimator("MinimaxRank", measure="ndcg"), (X, y, qid), size.passes)
    return {
        "CT Corollary 7, NDCG": slam((X, y, qid), "ndcg", gamma, size.passes),
        "CT Corollary 7, AP": slam((X, y, qid), "ap", bounds.best_list_margin(X, y > 0, qid).margin, size.passes),
        "CT Theorem 8, Eq. 23": slam((X, y, qid), "ndcg@2", gamma, size.passes),
        "CT Corollary 11": (model.cumulative_loss_, bounds.minimax_loss(longest(X), gamma)),
    }


def slam(stream: tuple[Any, ...], measure: str, gamma: float, passes: int) -> tuple[float, float]:
    """The loss of SLAM at its theory step and its bound."""
    known = bounds.list_bound(*stream, measure=measure)
    step = bounds.slam_theory_step(known.m, known.R, known.v_max)
    model = converged(estimator("SLAM", measure=measure, step=step), stream, passes)
    return model.cumulative_loss_, bounds.slam_loss(known.m, known.R, gamma, known.v_max)


# The steps of SLAM, in units of the largest one with a bound. The theorems are about the best one.
STEPS = (0.05, 0.2, 1.0, 5.0, 20.0)


def noisy_lists(random: np.random.Generator, size: StreamSizes) -> Measured:
    """Lists of three documents, 2 % of them with inverted grades, beside the bound by its best direction."""
    n = size.noisy // 2
    X, y, qid = disc_lists(random, n, 3, 0.4)
    y = np.where(np.repeat(random.random(n) < 0.02, 3), 1 - y, y)
    minimax = estimator("MinimaxRank", measure="ap").partial_fit(X, y, qid)
    at_best = {measure: best_slam(X, y, qid, measure) for measure in ("ap", "ndcg", "ndcg@1")}
    found = {name: bounds.best_inseparable_list(X, y, qid, measure=name) for name in at_best}
    known = bounds.list_bound(X, y, qid, measure="ndcg")
    norm = float(np.linalg.norm(found["ndcg"].coef))
    printed = bounds.as_printed.slam_loss_inseparable(known.m, known.R, norm, known.v_max, found["ndcg"].surrogate)
    best = bounds.best_inseparable_list(X, y, qid, algorithm="minimax", measure="ap")
    return {
        "CT Theorem 6, AP": (at_best["ap"], found["ap"].loss),
        "CT Theorem 6, NDCG": (at_best["ndcg"], found["ndcg"].loss),
        "CT Eq. 19, as printed": (at_best["ndcg"], printed),
        "CT Theorem 8": (at_best["ndcg@1"], found["ndcg@1"].loss),
        "CT Theorem 10": (minimax.cumulative_loss_, best.loss),
    }


def best_slam(X: np.ndarray, y: np.ndarray, qid: np.ndarray, measure: str, steps: tuple[float, ...] = STEPS) -> float:
    """The loss at the best of some steps."""
    known = bounds.list_bound(X, y, qid, measure=measure)
    largest = 2 * bounds.slam_theory_step(known.m, known.R, known.v_max)
    models = [estimator("SLAM", measure=measure, step=float(part * largest)) for part in steps]
    return float(min(model.partial_fit(X, y, qid).cumulative_loss_ for model in models))


def disc_lists(random: np.random.Generator, n: int, m: int, margin: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lists of points in the unit disc, of which those to the right are relevant, with this margin."""
    y = random.integers(2, size=(n, m))
    y[:, 0], y[:, 1] = 1, 0
    y = random.permuted(y, axis=1).ravel()
    across = random.uniform(margin / 2, 0.8, n * m) * (2 * y - 1)
    return np.column_stack([across, random.uniform(-0.6, 0.6, n * m)]), y, np.repeat(np.arange(n), m)


def judged_lists(random: np.random.Generator, size: StreamSizes) -> Measured:
    """Theorem 4 for random scores and Lemma 5 for SLAM's updates, on the list that comes closest to each."""
    X, y, qid = synthetic.chaudhuri_tewari(size.lists, n_documents=5, n_features=4, seed=int(random.integers(1 << 30)))
    nearest: Measured = {"CT Theorem 4": (0.0, 1.0), "CT Lemma 5": (0.0, 1.0)}
    for measure in ("ndcg", "ap", "ndcg@2"):
        model, w = estimator("SLAM", measure=measure, step=0.01), np.zeros(4)
        for one in range(size.lists):
            rows, grades, scores = X[qid == one], y[qid == one], random.normal(scale=random.choice([0.01, 0.3, 3.0]), size=5)
            if grades.max() == 0:
                continue
            surrogate = bounds.slam_surrogate(scores, grades, measure=measure)
            nearest["CT Theorem 4"] = nearer(nearest["CT Theorem 4"], (loss_of(grades, scores, measure), surrogate))
            limit = gradient_limit(rows, grades, w, measure)
            model.learn_list(rows, grades)
            moved = float(np.sum(((model.coef_ - w) / 0.01) ** 2))
            nearest["CT Lemma 5"] = nearer(nearest["CT Lemma 5"], (moved, limit))
            w = model.coef_
    return nearest


def nearer(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The one of two measurements that is closer to its bound."""
    return other if other[0] * one[1] > one[0] * other[1] else one


def loss_of(grades: np.ndarray, scores: np.ndarray, measure: str) -> float:
    """1 - the measure of one list."""
    if measure == "ap":
        return 1 - float(ranktron.metrics.average_precision(grades > 0, scores))
    return 1 - float(ranktron.metrics.ndcg(grades, scores, k=int(measure.partition("@")[2] or len(grades))))


def gradient_limit(rows: np.ndarray, grades: np.ndarray, w: np.ndarray, measure: str) -> float:
    """The bound of Lemma 5 on the squared gradient of one list at the direction w."""
    known = bounds.list_bound(rows, grades, measure=measure)
    return bounds.slam_gradient(known.m, known.R, known.v_max, bounds.slam_surrogate(rows @ w, grades, measure=measure))
