"""The oracles of Jain, Natarajan & Tewari, against rounds worked by hand and what the paper proves or claims."""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.covering import examples

from . import crammer_singer
from . import jain_natarajan_tewari as paper
from .crammer_singer import dot

COSTS = [[0, 2, 5], [1, 0, 1], [F(7, 2), 0, 0]]
TILTED = [[1, 0], [F(3, 5), F(4, 5)], [-1, 0], [0, -1]]
RANKINGS = [("ndcg", 1.1), ("ndcg", -1), ("precision@2", 2)]
TASKS = {
    "binary": (paper.binary((3, 2)), range(2)),
    "multiclass": (paper.multiclass(4), range(4)),
    "ordinal": (paper.ordinal(5), range(5)),
    "costs": (paper.cost_matrix(COSTS), range(3)),
    "finite": (paper.finite(TILTED, [[0, 1, 2], [3, 0, 1], [1, 1, 0], [0, 2, 2]]), range(3)),
    "reject": (paper.published_reject([F(1, 2), F(1, 4), 1, F(1, 8)]), range(4)),
    "reject of two": (paper.published_reject([F(1, 2), F(1, 4)]), range(2)),
    **{
        f"{loss.__name__} of {m}": (paper.multilabel(m, loss), list(itertools.product((0, 1), repeat=m)))
        for loss, m in itertools.product((paper.hamming, paper.subset, paper.error_set), (3, 4))
    },
    **{
        f"{measure} by {power}": (paper.ranking(4, measure, power), [(0, 3, 1, 1), (1, 0, 0, 1), (2, 2, 2, 2), (0, 0, 0, 0)])
        for measure, power in RANKINGS
    },
}
every_task = pytest.mark.parametrize(("task", "labels"), TASKS.values(), ids=TASKS)
numbers = st.fractions(-3, 3, max_denominator=4)
small = st.integers(-2, 2)


def drawn_scores(data, task, values=numbers):
    d = len(task.rep(task.predictions[0]))
    return data.draw(st.lists(values, min_size=d, max_size=d))


@st.composite
def streams(draw, labels, rows=12, features=3):
    """Rows of small integers, so that scores often tie, and their labels."""
    d, n = draw(st.integers(1, features)), draw(st.integers(1, rows))
    X = draw(st.lists(st.lists(small, min_size=d, max_size=d), min_size=n, max_size=n))
    return X, draw(st.lists(st.sampled_from(labels), min_size=n, max_size=n))


@every_task
def test_representations_are_unit_vectors_and_pred_gives_them_back(task, labels):
    for sigma in task.predictions:
        assert float(dot(task.rep(sigma), task.rep(sigma))) == pytest.approx(1, rel=1e-14)
        assert paper.pred(task, task.rep(sigma)) == sigma
    assert len({tuple(task.rep(sigma)) for sigma in task.predictions}) == len(task.predictions)


@every_task
@settings(max_examples=examples(10))
@given(data=st.data())
def test_the_most_similar_is_the_nearest_at_any_scale(task, labels, data):
    t, c = drawn_scores(data, task), data.draw(st.fractions(F(1, 9), 9))
    said = paper.pred(task, t)
    assert paper.pred(task, [c * v for v in t]) == said
    away = {sigma: math.dist(task.rep(sigma), t) for sigma in task.predictions}
    assert away[said] == pytest.approx(min(away.values()), abs=1e-12)


@every_task
@settings(max_examples=examples(10))
@given(data=st.data())
def test_every_label_has_a_correct_prediction_and_sigma_y_is_one(task, labels, data):
    t = drawn_scores(data, task)
    for y in labels:
        assert task.loss(task.correct(y, t), y) == 0
        assert sorted(task.scan(y)) == sorted(task.predictions)
        assert min(task.loss(sigma, y) for sigma in task.predictions) == 0


@every_task
@settings(max_examples=examples(10))
@given(data=st.data())
def test_the_surrogate_is_convex_and_never_below_the_loss(task, labels, data):
    (s, t), y = (drawn_scores(data, task) for _ in range(2)), data.draw(st.sampled_from(labels))
    sigma_y = task.correct(y, [0] * len(t))
    phi = [paper.surrogate(task, u, y, sigma_y) for u in (s, t, [(a + b) / 2 for a, b in zip(s, t, strict=True)])]
    assert phi[0] >= task.loss(paper.pred(task, s), y) >= 0
    assert 2 * phi[2] <= phi[0] + phi[1]
    assert paper.augmented(task, s, y) in paper.all_augmented(task, s, y)
    if task.loss(paper.pred(task, s), y) > 0:  # then line 9 moves
        assert paper.augmented(task, s, y) != task.correct(y, s)


@settings(max_examples=examples(30))
@given(st.lists(numbers, min_size=4, max_size=4), st.integers(0, 3))
def test_the_surrogate_of_classes_is_the_hinge_loss(t, y):
    lead = t[y] - max(t_j for j, t_j in enumerate(t) if j != y)
    assert paper.surrogate(paper.multiclass(4), t, y, y) == max(0, 1 - lead)
    assert paper.margin(paper.multiclass(4), t, y) == (lead if lead > 0 else None)


@settings(max_examples=examples(30))
@given(st.lists(numbers, min_size=4, max_size=4), st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_line_8_for_label_sets_is_that_of_the_readings(t, y):
    signs = [1 if y_j else -1 for y_j in y]
    flipped = [int((sign > 0) != (2 * sign * t_j / 2 < 1)) for sign, t_j in zip(signs, t, strict=True)]
    assert list(paper.augmented(paper.multilabel(4, paper.hamming), t, y)) == flipped
    said = paper.pred(paper.multilabel(4, paper.subset), t)
    assert list(said) == [int(t_j > 0 or (t_j == 0 and j % 2 == 0)) for j, t_j in enumerate(t)]
    if list(said) != y:
        assert paper.augmented(paper.multilabel(4, paper.subset), t, y) == said


def test_label_sets_by_hand():
    assert [loss((1, 0, 0, 1), (0, 1, 0, 1)) for loss in (paper.hamming, paper.subset, paper.error_set)] == [2, 1, 1]
    assert [loss((0, 1, 0, 1), (0, 1, 0, 1)) for loss in (paper.hamming, paper.subset, paper.error_set)] == [0, 0, 0]
    assert [paper.error_set(sigma, (0, 1, 1, 0)) for sigma in ((1, 0, 0, 1), (1, 1, 1, 1), (0, 0, 0, 0))] == [4, 0, 0]
    # From 0 the even labels are predicted; both pairs of line 8 are wrong for y = {1}, and all of W moves along.
    (now,) = paper.predtron([[1, 2]], [(0, 1)], paper.multilabel(2, paper.error_set))
    assert (now.prediction, now.loss, now.updated) == ((1, 0), 1, True)
    assert np.array(now.W, float) == pytest.approx(math.sqrt(2) * np.array([[-1, -2], [1, 2]]))


@pytest.mark.parametrize("power", [1.1, 2, -1])
@pytest.mark.parametrize("y", [(3, 2, 1, 0), (2, 2, 1, 0), (1, 1, 0, 0), (4, 0, 0, 0), (1, 1, 1, 0)])
@settings(max_examples=examples(10))
@given(data=st.data())
def test_lemma_4(power, y, data):
    """A score that falls from grade to grade and is level in between has the margin of its narrowest gap."""
    task, grades = paper.ranking(4, power=power), sorted(set(y), reverse=True)
    gaps = data.draw(st.lists(st.fractions(F(1, 8), 3), min_size=len(grades), max_size=len(grades)))
    t = [-sum(gaps[: grades.index(grade)]) for grade in y]
    Z = math.sqrt(sum(paper.f(i, power) ** 2 for i in range(1, 5)))
    drops = [i for i in range(2, 5) if y[i - 1] < y[i - 2]]  # places from 1
    asked = [(t[i - 2] - t[i - 1]) * (paper.f(i - 1, power) - paper.f(i, power)) / Z for i in drops]
    assert float(paper.margin(task, t, y)) == pytest.approx(float(min(asked)), rel=1e-12)
    level = [grade for grade in grades if y.count(grade) > 1]
    if level:  # else every score that falls is compatible
        assert paper.margin(task, [v + F(j, 99) * (y[j] == level[0]) for j, v in enumerate(t)], y) is None
    assert paper.margin(task, t[::-1], y) is None


def test_orders_by_hand():
    task, Z = paper.ranking(3, power=2), math.sqrt(1 + 16 + 81)
    assert task.rep((2, 0, 1)) == pytest.approx([-4 / Z, -9 / Z, -1 / Z])
    assert paper.ranking(3, power=-1).rep((2, 0, 1)) == pytest.approx([3 / 7, 2 / 7, 6 / 7])
    assert paper.pred(task, [1, 2, 1]) == (1, 0, 2)
    assert task.correct((1, 0, 1), [0, 9, 5]) == (2, 0, 1)
    assert paper.ranking(3, ties="index").correct((1, 0, 1), [0, 9, 5]) == (0, 2, 1)
    D2 = 1 / math.log2(3)
    assert task.loss((0, 1, 2), (0, 2, 1)) == pytest.approx(1 - (3 * D2 + 0.5) / (3 + D2))
    assert [paper.precision_loss(k)((0, 1, 2), (0, 2, 1)) for k in (1, 2, 3, 4)] == [1, F(1, 2), 0, 0]
    assert {task.loss((0, 1), y) for y in ((0, 0), (2, 2))} == {paper.precision_loss(2)((0, 1), (0, 0))} == {0}
    # The order of the list is wrong, and at 0 line 8 takes the worst one, 0, 2, 1.
    (now,) = paper.subset_predtron([([[1, 0], [0, 1], [1, 1]], [0, 2, 1])], power=2)
    assert (now.prediction, now.updated) == ((0, 1, 2), True)
    assert now.W[0] == pytest.approx([(-9 + 1 - 4 + 4) / Z, (-1 + 9 - 4 + 4) / Z])


binary_streams = streams(range(2))


@settings(max_examples=examples(30))
@given(binary_streams, st.sampled_from([F(1, 2), F(1), F(3)]))
def test_binary_is_the_perceptron_with_twice_the_step(stream, step):
    w = [0] * len(stream[0][0])
    for x, y, now in zip(*stream, paper.predtron(*stream, paper.binary(), step=step), strict=True):
        side = 1 if y else -1
        if (1 if dot(w, x) >= 0 else -1) != side:
            w = [w_i + 2 * step * side * x_i for w_i, x_i in zip(w, x, strict=True)]
        assert now.W[0] == w


@settings(max_examples=examples(30))
@given(binary_streams, st.sampled_from([(3, 1), (F(1, 2), 5)]))
def test_weights_of_the_two_classes_act_in_the_loss_driven_version_only(stream, weights):
    plain, weighed = (list(paper.predtron(*stream, paper.binary(one))) for one in ((1, 1), weights))
    assert [now.W for now in plain] == [now.W for now in weighed]
    w = [0] * len(stream[0][0])
    for x, y, now in zip(*stream, paper.predtron(*stream, paper.binary(weights), loss_driven=True), strict=True):
        size = 2 * weights[y] * (1 if y else -1) if (dot(w, x) >= 0) != y else 0
        w = [w_i + size * x_i for w_i, x_i in zip(w, x, strict=True)]
        assert now.W[0] == w


def test_corollary_2_needs_the_weight_not_its_square():
    """READINGS 16: orthogonal inputs, all of the class that costs 30; w* = -(1, ..., 1) / root n has margin 2 / root n."""
    n, first, second = 9, 30, 20
    rounds = list(paper.predtron(paper.basis(n), [0] * n, paper.binary((first, second)), step=F(second, 4)))
    assert paper.margin(paper.binary(), [F(-1, 3)], 0) == F(2, 3)
    printed, right = (F(4 * first**2, below) / F(2, 3) ** 2 for below in (second**2, second))
    assert printed < sum(now.loss for now in rounds) == 30 * n <= right


@settings(max_examples=examples(30))
@given(streams(range(4)), st.sampled_from([F(1, 4), F(1), F(3)]))
def test_classes_are_those_of_the_multiclass_perceptron(stream, step):
    X, y = stream
    theirs = crammer_singer.mcp(X, [label + 1 for label in y], 4)
    for now, (prediction, W, _) in zip(paper.predtron(X, y, paper.multiclass(4), step=step), theirs, strict=True):
        assert (now.prediction + 1, now.W) == (prediction, [[step * v for v in row] for row in W])


def test_absolute_losses_are_not_those_of_the_multiclass_perceptron():
    # All tie at 0: pred is 0 and line 8 takes the farthest rank.
    (now,) = paper.predtron([[1]], [1], paper.ordinal(4))
    assert (now.prediction, now.loss, now.W) == (0, 1, [[0], [1], [0], [-1]])


@pytest.mark.parametrize("n", [2, 3, 4])
@settings(max_examples=examples(30))
@given(data=st.data())
def test_the_published_reject_never_rejects(n, data):
    """READINGS 16: from W = 0 the scores sum to 0, so REJECT is never more similar, nor better in line 8."""
    X, y = data.draw(streams(range(n)))
    costs = data.draw(st.lists(st.fractions(F(1, 9), 1), min_size=n, max_size=n))
    task, plain = paper.published_reject(costs), paper.predtron(X, y, paper.multiclass(n))
    for now, other in zip(paper.predtron(X, y, task), plain, strict=True):
        assert sum(now.t) == 0
        assert now == other
    # Scores with a sum do: REJECT is between the classes.
    assert paper.pred(task, [1] * n) == n


@pytest.mark.parametrize("name", ["binary", "multiclass", "ordinal", "costs", "hamming of 4", "subset of 4"])
def test_theorem_1_and_its_loss_driven_version_on_rows_that_cost_most(name):
    """Rows that some W of norm 1 has a margin on, and always the one that costs most, until none costs anything."""
    task, labels = TASKS[name]
    random = np.random.default_rng(3)
    best = random.standard_normal((len(task.rep(task.predictions[0])), 3))
    pool = []
    for x in random.standard_normal((25, 3)):
        t = (best / np.linalg.norm(best) @ x).tolist()
        right = [y for y in labels if paper.pred(task, t) in paper.all_correct(task, y) and (paper.margin(task, t, y) or 0) > 0.1]
        pool.extend((x.tolist(), y, float(paper.margin(task, t, y))) for y in right)
    gamma, R2 = min(margin for *_, margin in pool), max(dot(x, x) for x, *_ in pool)
    losses = {task.loss(sigma, y) for sigma, y in itertools.product(task.predictions, labels)} - {0}
    least, most = float(min(losses)), float(max(losses))
    held = [[0] * 3 for _ in best]

    def hardest():
        costs = True
        while costs:
            x, y, costs = max(
                ((x, y, task.loss(paper.pred(task, paper.scores(held, x)), y)) for x, y, _ in pool), key=lambda one: one[2]
            )
            yield x, y

    for loss_driven, bound in ((False, 4 * R2 * most**2 / least / gamma**2), (True, 4 * R2 * most / gamma**2)):
        held, total = [[0] * 3 for _ in best], 0
        for now in paper.run(hardest(), held, lambda x: task, paper.scores, paper.added, least / (4 * R2), loss_driven):
            held, total = now.W, total + now.loss
        assert 0 < total <= bound


@pytest.mark.parametrize("shape", [(3, 20), (9, 12), (12, 9), (1, 30), (2, 3)])
@pytest.mark.parametrize("link", [paper.l1, paper.group, paper.trace])
def test_links_are_the_gradients_of_half_the_squared_norm(link, shape):
    """Fenchel and Young: only the gradient W has <W, theta> = |W|_r^2 / 2 + |theta|_q^2 / 2, and then the norms are equal."""
    theta = np.random.default_rng(1).standard_normal(shape)
    theta[0] *= 3
    q = max(2, math.log(min(shape) if link is paper.trace else shape[1]))
    parts = {
        paper.l1: np.ravel,
        paper.group: lambda A: np.linalg.norm(A, axis=0),
        paper.trace: lambda A: np.linalg.svd(A, compute_uv=False),
    }[link]
    W = np.array(link(theta.tolist()))
    sizes = [np.linalg.norm(parts(A), order) for A, order in ((W, q / (q - 1)), (theta, q))]
    assert sizes[0] == pytest.approx(sizes[1], rel=1e-12)
    assert (W * theta).sum() == pytest.approx(sizes[0] ** 2, rel=1e-12)
    assert (q == 2) == (np.abs(W - theta).max() < 1e-12)
    assert np.array_equal(link(np.zeros(shape).tolist()), np.zeros(shape))
