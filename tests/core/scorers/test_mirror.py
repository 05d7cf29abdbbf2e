"""Scorers behind a link: their weights and means against the literal formulas, whatever the storage and size of the rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ranktron.core.protocol import accumulate_average, score, score_mean, update
from ranktron.core.scorers.direction import direction
from ranktron.core.scorers.mirror import FACTOR, Q, dual_power, link_anew, mirror
from ranktron.core.scorers.per_class import per_class
from ranktron.core.scorers.protocol import hypothesis
from ranktron.core.scorers.trace_mirror import trace_mirror
from tests.core.scorers.mirror_oracle import LINKS, Oracle, close, csr, image, learn, learn_lists, norm_of, stream, taught


@pytest.mark.parametrize("storage", [np.asarray, csr], ids=["dense", "csr"])
@pytest.mark.parametrize("p", [5, 8, 40, 300])
@pytest.mark.parametrize("link", LINKS)
def test_weights_and_their_mean_are_the_literal_ones(link, p, storage):
    X, labels = stream(80, 4, p)
    oracle = Oracle(4, p, link).learn(X, labels)
    last, mean = (taught(mirror(p, 4, average, link == "group"), storage(X), labels) for average in (False, True))
    close(hypothesis(last, 4, 80).coef, oracle.W)
    close(hypothesis(mean, 4, 80).coef, oracle.mean())
    scores = np.zeros(4)
    for i in range(3):
        score(mean, storage(X), i, scores)
        close(scores, oracle.W @ X[i])
        score_mean(mean, storage(X), i, 80, scores)
        close(scores, 80 * oracle.mean() @ X[i])
        score_mean(last, storage(X), i, 80, scores)
        close(scores, oracle.W @ X[i])


@pytest.mark.parametrize("link", [*LINKS, "trace"])
def test_theta_is_the_gradient_of_psi_at_the_weights(link):
    X, labels = stream(40, 9, 12)
    scorer = trace_mirror(12, 9, False) if link == "trace" else mirror(12, 9, False, link == "group")
    W = hypothesis(taught(scorer, X, labels), 9, 40).coef
    q = dual_power(9 if link == "trace" else 12)
    r = q / (q - 1)
    numeric = np.zeros_like(W)
    for place in np.ndindex(*W.shape):
        step = np.zeros_like(W)
        step[place] = 1e-5
        above, below = (norm_of(W + sign * step, link, r) ** 2 / 2 for sign in (1, -1))
        numeric[place] = (above - below) / 2e-5
    close(numeric, scorer.theta, rtol=1e-5)


def pushed(link, q, X, pushes, storage):
    """A scorer moved by ``pushes`` along each row, and the sum of the weights it should have held."""
    scorer = mirror(X.shape[1], pushes.shape[1], True, link == "group")
    scorer.clock[Q] = q
    theta, total = np.zeros(scorer.theta.shape), np.zeros(scorer.theta.shape)
    for i, push in enumerate(pushes):
        update(scorer, storage(X), i, push, i)
        accumulate_average(scorer, 1.0)
        theta += push[:, None] * X[i]
        unit = np.abs(theta).max()
        total += unit * image(theta / unit, link, q)
    return scorer, total


@pytest.mark.parametrize("storage", [np.asarray, csr], ids=["dense", "csr"])
@pytest.mark.parametrize("link", LINKS)
def test_a_mean_stays_exact_while_weights_grow_step_by_step_and_shrink_again(link, storage):
    """At the q of a million features the powers of θ then grow by forty digits."""
    X = np.random.default_rng(5).normal(1.0, 0.5, (600, 10))
    pushes = np.repeat([[1.0, -0.5], [-1.0, 0.5]], [350, 250], axis=0)
    scorer, total = pushed(link, 14.0, X, pushes, storage)
    close(hypothesis(scorer, 2, 600).coef, total / 600)


@pytest.mark.parametrize("storage", [np.asarray, csr], ids=["dense", "csr"])
@pytest.mark.parametrize("link", LINKS)
def test_rows_far_larger_than_all_before_are_learned_as_well(link, storage):
    X = np.random.default_rng(6).normal(size=(5, 10)) * 10.0 ** np.array([[-140], [0], [-140], [140], [0]])
    scorer, total = pushed(link, 14.0, X, np.array([[1.0, -0.5]] * 5), storage)
    close(hypothesis(scorer, 2, 5).coef, total / 5)


@pytest.mark.parametrize("link", LINKS)
def test_what_moves_there_and_back_is_zero_again(link):
    X = np.array([[1.0, 0.5, 0, 3, 0, 0, 2, 0, 1]])
    scorer, scores = mirror(9, 2, True, link == "group"), np.full(2, 7.0)
    for push in (1.0, -1.0):
        update(scorer, csr(X), 0, np.array([push, -push]), 0)
        accumulate_average(scorer, 1.0)
    assert score(scorer, X, 0, scores) == 0
    assert scores.tolist() == [0, 0]
    once = image(np.array([[1.0], [-1.0]]) * X, link, dual_power(9))
    close(hypothesis(scorer, 2, 2).coef, once / 2)


@pytest.mark.parametrize("size", [1e-200, 1e-20, 1e20, 1e150])
@pytest.mark.parametrize("link", LINKS)
def test_weights_scale_with_the_step_however_small_or_large(link, size):
    X, labels = stream(60, 3, 20)
    scorers = [mirror(20, 3, True, link == "group") for _ in range(2)]
    for scorer, step in zip(scorers, (1.0, size)):
        scorer.clock[Q] = 14.0
        taught(scorer, csr(X), labels, step)
    one, other = (hypothesis(scorer, 3, 60).coef for scorer in scorers)
    close(other / size, one)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("storage", [np.asarray, csr], ids=["dense", "csr"])
@pytest.mark.parametrize(
    "make", [lambda a: mirror(7, 4, a, False), lambda a: mirror(7, 4, a, True), lambda a: trace_mirror(7, 4, a)]
)
def test_up_to_seven_features_a_link_is_the_identity_bit_for_bit(make, storage, average):
    X, labels = stream(100, 4, 7)
    scorer, plain = (taught(one, storage(X), labels) for one in (make(average), per_class(7, 4, average, False)))
    assert scorer[0].tobytes() == scorer[1].tobytes() == plain.W.tobytes()
    assert hypothesis(scorer, 4, 100).coef.tobytes() == hypothesis(plain, 4, 100).coef.tobytes()
    ours, theirs = np.zeros(4), np.zeros(4)
    for by in (score, lambda model, X, i, scores: score_mean(model, X, i, 100, scores)):
        by(scorer, storage(X), 1, ours)
        by(plain, storage(X), 1, theirs)
        assert ours.tobytes() == theirs.tobytes()


def lists(n, m, p, seed=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n * m, p)) * (rng.random((n * m, p)) < 0.5)
    return X, np.arange(n * m).reshape(n, m), rng.normal(size=(n, m))


@pytest.mark.parametrize("storage", [np.asarray, csr], ids=["dense", "csr"])
@pytest.mark.parametrize("link", [*LINKS, "trace"])
def test_a_line_moves_along_the_rows_of_a_list_at_once(link, storage):
    X, rows, pushes = lists(30, 6, 50)
    line = trace_mirror(50, 1, True, as_line=True) if link == "trace" else mirror(50, 1, True, link == "group", as_line=True)
    learn_lists.interpreted(line, storage(X), rows, pushes, 0)
    thetas = np.cumsum([push @ X[row] for row, push in zip(rows, pushes)], axis=0)
    held = [image(theta[None], "l1", 2.0 if link == "trace" else dual_power(50)) for theta in thetas]
    assert hypothesis(line, 1, 30).coef.shape == (50,)
    close(hypothesis(line, 1, 30).coef, np.mean(held, axis=0)[0])
    scores = np.full(3, 7.0)
    assert score(line, storage(X), 2, scores) == 0
    close(scores[:1], held[-1] @ X[2])
    assert scores[1:].tolist() == [7, 7]  # the places of the documents to come
    assert link == "trace" or not line.gradient.any()


@pytest.mark.parametrize("storage", [np.asarray, csr], ids=["dense", "csr"])
@pytest.mark.parametrize("link", LINKS)
def test_a_line_of_few_features_is_a_direction_bit_for_bit(link, storage):
    X, rows, pushes = lists(20, 5, 6)
    line, plain = mirror(6, 1, True, link == "group", as_line=True), direction(6, True)
    for scorer in (line, plain):
        learn_lists.interpreted(scorer, storage(X), rows, pushes, 0)
    assert hypothesis(line, 1, 20).coef.tobytes() == hypothesis(plain, 1, 20).coef.tobytes()


@pytest.mark.parametrize("storage", [np.asarray, csr], ids=["dense", "csr"])
@pytest.mark.parametrize("average", [False, True])
def test_spectral_weights_and_their_mean_are_the_literal_ones(average, storage):
    X, labels = stream(60, 9, 30)
    oracle = Oracle(9, 30, "trace").learn(X, labels)
    scorer = taught(trace_mirror(30, 9, average), storage(X), labels)
    close(hypothesis(scorer, 9, 60).coef, oracle.mean() if average else oracle.W, rtol=1e-9)


STORAGES = {"float64": np.asarray, "float32": lambda X: X.astype(np.float32), "csr": csr}


@pytest.mark.compiled
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("link", LINKS)
def test_compiled_code_learns_as_interpreted_code_does(link, storage):
    for p, average in ((6, True), (90, False), (90, True)):
        X, labels = stream(150, 4, p, growth=1e3)
        rows = STORAGES[storage](X)
        runs = [
            taught(mirror(p, 4, average, link == "group"), rows, labels, run=run) for run in (learn.interpreted, learn.compiled)
        ]
        assert [part.tobytes() for part in runs[0][:4]] == [part.tobytes() for part in runs[1][:4]]


@pytest.mark.compiled
@pytest.mark.parametrize("storage", STORAGES)
def test_compiled_code_learns_lists_as_interpreted_code_does(storage):
    X, rows, pushes = lists(60, 6, 50)
    lines = [mirror(50, 1, True, False, as_line=True) for _ in range(2)]
    for line, run in zip(lines, (learn_lists.interpreted, learn_lists.compiled)):
        run(line, STORAGES[storage](X), rows, pushes, 0)
    assert [part.tobytes() for part in lines[0][:5]] == [part.tobytes() for part in lines[1][:5]]


@pytest.mark.compiled
@pytest.mark.parametrize("link", LINKS)
def test_compiled_powers_are_the_interpreted_ones(link):
    """A hundred thousand of them, over all sizes that powers keep apart."""
    rng = np.random.default_rng(4)
    theta = rng.choice([-1.0, 1.0], (2, 50_000)) * 10.0 ** rng.uniform(-30, 0, (2, 50_000))
    parts = []
    for run in (link_anew.interpreted, link_anew.compiled):
        scorer = mirror(50_000, 2, True, link == "group")
        scorer.theta[:] = theta
        run(*scorer[:4], scorer.is_group)
        parts.append((scorer.u.tobytes(), scorer.clock.tobytes()))
        assert scorer.clock[FACTOR] > 0
        assert scorer.clock[Q] == math.log(50_000)
    assert parts[0] == parts[1]
