"""The oracles of Chaudhuri & Tewari, against rounds worked by hand, other libraries and what the paper proves or claims."""

import itertools
import math
import random
from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.metrics import average_precision_score, ndcg_score

from tests.covering import examples

from . import chaudhuri_tewari as paper
from .crammer_singer import dot

MEASURES = ("ndcg", "ndcg@1", "ndcg@2", "ndcg@3", "ap")
D2 = 1 / math.log2(3)
numbers = st.fractions(-3, 3, max_denominator=4)
grades = st.lists(st.integers(0, 4), min_size=1, max_size=7)
temperatures = st.sampled_from([0.01, 0.3, 1.0, 5.0])
every_measure = pytest.mark.parametrize("measure", MEASURES)
both_ties = pytest.mark.parametrize("ties", ["index", "average"])
# Where drawing lists takes longer than judging them, each is judged in all these ways.
EVERY = list(itertools.product(MEASURES, ("index", "average")))


@st.composite
def scored(draw, count=1):
    """Grades, and ``count`` scores for each of them."""
    R = draw(grades)
    return R, *(draw(st.lists(numbers, min_size=len(R), max_size=len(R))) for _ in range(count))


@st.composite
def streams(draw, lists=6, features=3):
    """Lists of different lengths in small whole numbers."""
    d = draw(st.integers(1, features))
    row = st.tuples(st.integers(0, 3), st.lists(st.integers(-2, 2), min_size=d, max_size=d))
    drawn = draw(st.lists(st.lists(row, min_size=1, max_size=5), min_size=1, max_size=lists))
    return [([x for _, x in rows], [grade for grade, _ in rows]) for rows in drawn]


def prepared(R, measure, ties):
    """The grades as the measure sees them, and their weights."""
    seen = paper.judged(R, measure)
    return seen, paper.weights(seen, measure, ties)


def middle(s, t):
    return [(a + b) / 2 for a, b in zip(s, t, strict=True)]


def squared(x):
    return dot(x, x)


def spread(v):
    """v_max: the largest ratio of two positive weights."""
    positive = [v_i for v_i in v if v_i > 0]
    return max(positive) / min(positive)


def counted(measure, m):
    """What stands for m in the bounds: Theorem 8 has the cut-off instead."""
    return min(paper.cut(measure) or m, m)


@given(st.permutations(range(6)), st.lists(st.integers(0, 4), min_size=6, max_size=6), st.integers(1, 8))
def test_measures_are_scikit_learns_when_no_scores_tie(s, R, k):
    assume(min(R) < max(R) and max(R) > 0)
    gains = [[2**grade - 1 for grade in R]]
    assert paper.ndcg(s, R, k) == pytest.approx(ndcg_score(gains, [s], k=k))
    assert float(paper.average_precision(s, R)) == pytest.approx(average_precision_score([grade > 0 for grade in R], s))


@given(scored())
def test_a_mistake_is_a_loss(drawn):
    R, s = drawn
    for measure in MEASURES:
        loss = 1 - paper.measured(s, R, measure)
        assert paper.mistaken(s, R, measure) == (abs(loss) > 1e-12)
        assert -1e-12 < loss <= 1


def test_lists_without_anything_to_rank_count_1():
    for R, measure in itertools.product(([0, 0, 0], [3, 3], [0], [4]), MEASURES):
        assert paper.measured([0] * len(R), R, measure) == 1
        assert not paper.mistaken([0] * len(R), R, measure)


def test_measures_by_hand():
    # Document 0 first, then 1: ties go to the lower index. Gains 0, 3, 1 against 3, 1, 0 at best.
    assert paper.argsort([0, 0, -1]) == [0, 1, 2]
    assert paper.ndcg([0, 0, -1], [0, 2, 1]) == pytest.approx((3 * D2 + 0.5) / (3 + D2))
    assert [paper.ndcg([0, 0, -1], [0, 2, 1], 1), paper.ndcg([0, 2, 1], [0, 2, 1], 1)] == [0, 1]
    assert paper.average_precision([0, 0, -1], [0, 2, 1]) == F(1, 2) * (F(1, 2) + F(2, 3))


def test_weights_by_hand():
    # By relevance: document 3, then 0, 2 (equals, in the list's order), then 1. With k = 2 only 3 and 0 are within.
    Z = 3 + D2
    assert paper.weights_ndcg([1, 0, 1, 2], 2) == pytest.approx([D2 / Z, 0, 0, 3 / Z])
    assert paper.weights_ndcg([1, 0, 1, 2], 2, "average") == pytest.approx([D2 / Z / 2, 0, D2 / Z / 2, 3 / Z])
    assert paper.weights_ndcg([1, 0, 1, 2], 1, "average") == [0, 0, 0, 1]
    assert paper.weights_ap([1, 0, 4, 2]) == paper.weights_ap([1, 0, 4, 2], "average") == [F(1, 3), 0, F(1, 3), F(1, 3)]


@given(grades)
def test_weights_sum_to_1_and_fall_with_relevance(R):
    assume(max(R) > 0)
    for measure, ties in EVERY:
        seen, v = prepared(R, measure, ties)
        assert sum(v) == pytest.approx(1)
        assert all(v[i] >= v[j] for i in range(len(R)) for j in range(len(R)) if seen[i] > seen[j])


@given(scored(), st.data())
def test_only_shared_weights_do_not_depend_on_the_order_of_the_list(drawn, data):
    # Section 4.2 says documents of one grade are exchangeable; by index they are not: (1, 1, 0) scored (1, 0, 0) or (0, 1, 0).
    R, s = drawn
    order = data.draw(st.permutations(range(len(R))))
    for measure in MEASURES:
        shuffled, v = prepared([R[i] for i in order], measure, "average")
        old = paper.slam(s, *prepared(R, measure, "average"))
        assert paper.slam([s[i] for i in order], shuffled, v) == pytest.approx(old)
    weights = paper.weights_ndcg([1, 1, 0])
    assert paper.slam([1, 0, 0], [1, 1, 0], weights) == weights[1] < weights[0] == paper.slam([0, 1, 0], [1, 1, 0], weights)


@given(scored(), st.sampled_from([F(1, 2), 1, 3]))
def test_slam_is_the_linear_programme_of_eq_8(drawn, margin):
    R, s = drawn
    v = [F(i % 3, 2) for i in range(len(R))]
    pairs = [(i, j) for i in range(len(R)) for j in range(len(R)) if R[i] > R[j]]
    rows = [[-float(i == d) for d in range(len(R))] for i, _ in pairs] or None
    found = linprog([float(v_i) for v_i in v], rows, [float(s[i] - s[j] - margin) for i, j in pairs] or None)
    assert found.fun == pytest.approx(float(paper.slam(s, R, v, margin)), abs=1e-9)


# Theorem 4. The proof orders equal grades by score, which gives those that are outscored the least weights of their grade; any
# other order, and the mean, can only give them more. So it holds for unsorted lists, whichever way ties are broken.
@settings(max_examples=examples(300))
@given(scored(), st.sampled_from([F(1, 2), 1, 2]))
def test_slam_is_an_upper_bound_on_the_loss(drawn, margin):
    R, s = drawn
    for measure, ties in EVERY:
        assert paper.slam(s, *prepared(R, measure, ties), margin) >= margin * (1 - paper.measured(s, R, measure)) - 1e-12


@both_ties
@every_measure
def test_slam_is_an_upper_bound_on_every_short_list(measure, ties):
    closest = math.inf
    for R in itertools.chain.from_iterable(itertools.product(range(3), repeat=m) for m in range(1, 5)):
        seen, v = prepared(list(R), measure, ties)
        for s in itertools.product(range(len(R)), repeat=len(R)):
            loss = 1 - paper.measured(s, R, measure)
            closest = min(closest, paper.slam(s, seen, v) / loss if loss > 1e-12 else math.inf)
    # Equality, where the only document outscored is the last within the cut, by a score tie, and falls out of it; else never.
    assert (closest == pytest.approx(1)) == (measure in ("ndcg@1", "ndcg@2", "ndcg@3"))
    assert closest >= 1 - 1e-12


def test_a_margin_below_1_loses_the_upper_bound():
    assert paper.slam([0, 0], [0, 1], [0, 1], F(1, 2)) == F(1, 2) < 1 - paper.ndcg([0, 0], [0, 1], 1)


@given(scored(2), st.sampled_from([F(1, 2), 1, 2]))
def test_slam_is_convex_with_its_subgradient_and_lipschitz(drawn, margin):
    R, s, t = drawn
    for seen, v in (prepared(R, *how) for how in EVERY):
        phi = partial(paper.slam, R=seen, v=v, margin=margin)
        g, apart = paper.slam_subgradient(s, seen, v, margin), [b - a for a, b in zip(s, t, strict=True)]
        assert phi(middle(s, t)) <= (phi(s) + phi(t)) / 2 + 1e-12
        assert phi(t) >= phi(s) + dot(g, apart) - 1e-12
        # The paper's constant is 2; each a^i has norm root 2, so that will do.
        assert abs(phi(t) - phi(s)) <= math.sqrt(2 * squared(apart)) + 1e-12


def test_the_lipschitz_constant_is_root_2():
    risen = paper.slam([1, -1], [0, 1], [0, 1]) - paper.slam([0, 0], [0, 1], [0, 1])
    assert risen**2 == 2 * squared([1, -1])


def test_equal_grades_in_the_order_of_their_scores_are_not_convex():
    R, weights = [1, 1, 0], paper.weights_ndcg([1, 1, 0])

    def phi(s):
        position = {i: p for p, i in enumerate(sorted(range(3), key=lambda i: (-R[i], -s[i])))}
        return paper.slam(s, R, [weights[position[i]] for i in range(3)])

    assert phi([1, 0, 0]) == phi([0, 1, 0]) == weights[1]
    assert phi([F(1, 2), F(1, 2), 0]) == 0.5 > weights[1]


@settings(max_examples=examples(400))
@given(streams(lists=1), st.lists(st.integers(-2, 2), min_size=3, max_size=3), st.sampled_from([0.0, 0.3, 5.0]))
def test_lemma_5_holds_on_mistakes_softened_or_not(drawn, w, T):
    """Theorem 8's k for m holds by ``"average"`` too, where more than k documents may weigh something.

    The softened loss is larger and its gradient, as long in the 1-norm, at most 2, so it keeps the inequality.
    """
    [(X, R)] = drawn
    s = [dot(w[: len(x)], x) for x in X]
    mistaken = [(measure, ties) for measure, ties in EVERY if paper.mistaken(s, R, measure)]
    assume(mistaken)
    for measure, ties in mistaken:
        seen, v = prepared(R, measure, ties)
        loss, g = paper.slam(s, seen, v), paper.slam_subgradient(s, seen, v)
        if T:
            loss, g = paper.softened(s, seen, v, 1, T), paper.softened_gradient(s, seen, v, 1, T)
        bound = 4 * counted(measure, len(R)) * max(map(squared, X)) * spread(v) * loss
        assert squared(paper.pulled(X, g)) <= bound + 1e-9


def test_lemma_5_is_tight_at_the_first_position_and_fails_without_a_mistake():
    X, R = [[-1], [1]], [0, 1]
    v = paper.weights_ndcg(R, 1)
    assert squared(paper.pulled(X, paper.slam_subgradient([0, 0], R, v))) == 4 == 4 * paper.slam([0, 0], R, v)
    near = [F(-1, 4), F(1, 4)]  # ranked right, margin not met: the loss is 1/2 and the gradient as long as ever
    assert squared(paper.pulled(X, paper.slam_subgradient(near, R, v))) == 4 > 4 * paper.slam(near, R, v)


def test_shared_weights_bring_the_length_of_the_list_back_into_theorem_8():
    for m in (4, 40):
        R = [2, *[1] * (m - 2), 0]
        assert spread(paper.weights_ndcg(R, 2)) == pytest.approx(3 / D2)
        assert spread(paper.weights_ndcg(R, 2, "average")) == pytest.approx((m - 2) * 3 / D2)


@given(scored(2), temperatures, st.sampled_from([0.5, 1.0, 2.0]))
def test_softened_is_convex_above_and_not_far_above(drawn, T, margin):
    R, s, t = drawn
    for measure, ties in EVERY:
        seen, v = prepared(R, measure, ties)
        phi, hard = partial(paper.softened, R=seen, v=v, margin=margin, T=T), paper.slam(s, seen, v, margin)
        assert phi(s) + 1e-12 >= hard >= 0
        assert phi(s) + 1e-12 >= margin * (1 - paper.measured(s, R, measure))
        assert phi(s) <= hard + T * math.log(len(R)) * sum(v) + 1e-9
        assert phi(middle(s, t)) <= (phi(s) + phi(t)) / 2 + 1e-9


@given(scored(), st.sampled_from([0.3, 1.0, 5.0]))
def test_gradients_are_differences(drawn, T):
    R, s = drawn
    v = paper.weights_ndcg(R)
    for loss, gradient in (
        (partial(paper.softened, R=R, v=v, T=T), paper.softened_gradient(s, R, v, 1, T)),
        (partial(paper.cross_entropy, R=R), paper.cross_entropy_gradient(s, R)),
    ):
        h = 1e-5
        ways = [[h * (i == j) for j in range(len(s))] for i in range(len(s))]
        ahead, back = ([loss(np.add(s, sign * np.array(way)).tolist()) for way in ways] for sign in (1.0, -1.0))
        assert [float(g) for g in gradient] == pytest.approx([(a - b) / (2 * h) for a, b in zip(ahead, back)], abs=1e-7)


LIST = ([[1, 0], [0, 1], [1, 1]], [0, 2, 1])


@pytest.mark.parametrize(
    ("algorithm", "loss", "w"),
    [
        # Relevant are 1 and 2, weight 1/2 each, and 0 is ahead of both: z = x_0 - x_1 / 2 - x_2 / 2.
        (partial(paper.perceptron, measure="ap"), F(5, 12), [F(-1, 2), 1]),
        # Document 1 alone has weight; of 0 and 2, which tie, the lower: z = x_0 - x_1.
        (partial(paper.perceptron, measure="ndcg@1"), 1, [-1, 1]),
        # (1, 0), (1, 2) and (2, 0) tie, and (1, 0) comes first.
        (partial(paper.minimax, measure="ndcg@1"), 1, [-1, 1]),
        # The same z = (1, -1) divided by its own size.
        (partial(paper.minimax, measure="ap", step=("adagrad", F(1, 4))), F(5, 12), [-0.25, 0.25]),
    ],
)
def test_a_round_by_hand(algorithm, loss, w):
    rounds = list(algorithm([LIST, LIST]))
    assert [(now.loss, now.w, now.updated) for now in rounds] == [(loss, w, True), (0, w, False)]
    assert [now.order for now in rounds] == [[0, 1, 2], [1, 2, 0]]
    assert list(paper.means(rounds)) == [w, w]


def test_adagrad_divides_by_all_squares_so_far():
    # z = (3, 0), then (4, 0): 1 - 3/3 - 4/5; a coordinate without any gradient stays.
    w, squares = paper.descended([1, 7], [3, 0], ("adagrad", 1), [0, 0])
    assert (w, squares) == ([0, 7], [9, 0])
    assert paper.descended(w, [4, 0], ("adagrad", 1), squares) == ([-0.8, 7], [25, 0])


def test_means_count_every_list():
    rounds = list(paper.minimax([([[1]], [3]), ([[0], [2]], [0, 1]), ([[1], [1]], [1, 1])], "ndcg"))
    assert list(paper.means(rounds)) == [[0], [1], [F(4, 3)]]


def test_listnet_by_hand():
    # Both documents have probability 1/2, the target is e : 1, and the order is right already. Equal grades and single
    # documents teach nothing.
    p = math.e / (math.e + 1)
    rounds = list(paper.listnet([([[5]], [1]), ([[1], [3]], [1, 1]), ([[1], [0]], [1, 0])], 2.0))
    assert [(now.loss, now.updated) for now in rounds] == [(0, False), (0, False), (0, True)]
    assert rounds[-1].w == pytest.approx([2 * (p - 0.5)])


@given(streams(), st.sampled_from([F(1, 3), F(1, 2), 10]), st.sampled_from(MEASURES))
def test_algorithm_3_depends_neither_on_the_step_nor_on_the_margin(lists, size, measure):
    orders = [now.order for now in paper.minimax(lists, measure)]
    assert [now.order for now in paper.minimax(lists, measure, step=size)] == orders
    assert [now.order for now in paper.minimax(lists, measure, margin=size)] == orders


def test_algorithm_2_depends_on_the_step():
    # w = step after list 1. In list 2 document 0 keeps a margin of step over 1, so it counts unless the step is 1.
    lists = [([[-1], [0]], [0, 1]), ([[2], [1], [-1]], [1, 0, 1]), ([[-1], [2]], [0, 0])]
    runs = [list(paper.perceptron(lists, "ap", step=step)) for step in (1, F(1, 10))]
    assert [run[1].w for run in runs] == [[0], [F(1, 20)]]
    assert [run[2].order for run in runs] == [[0, 1], [1, 0]]


ALGORITHMS = {
    "slam": (paper.perceptron, lambda s, R, measure: paper.slam(s, *prepared(R, measure, "index"))),
    "softened": (
        partial(paper.perceptron, soften=0.5),
        lambda s, R, measure: paper.softened(s, *prepared(R, measure, "index"), 1, 0.5),
    ),
    "minimax": (paper.minimax, lambda s, R, measure: paper.phi_c(s, paper.judged(R, measure))),
    "listnet": (paper.listnet, lambda s, R, measure: paper.cross_entropy(s, paper.judged(R, measure))),
}


@pytest.mark.parametrize("name", ALGORITHMS)
@given(streams(), st.sampled_from(MEASURES), st.sampled_from([F(1, 8), F(1), F(3)]), st.lists(numbers, min_size=3, max_size=3))
def test_the_regret_is_that_of_gradient_descent(name, lists, measure, step, u):
    """Eq. (17), for every algorithm against any u; the rounds without an update count nothing."""
    algorithm, surrogate = ALGORITHMS[name]
    u = u[: len(lists[0][0][0])]
    regret, held = -squared(u) / (2 * step), [0] * len(u)
    for (X, R), now in zip(lists, algorithm(lists, measure=measure, step=step)):
        other = [dot(u, x) for x in X]
        z = [(a - b) / step for a, b in zip(held, now.w, strict=True)]
        regret += now.updated * (surrogate(now.scores, R, measure) - surrogate(other, R, measure)) - step * squared(z) / 2
        held = now.w
    assert regret <= 1e-9


def separable(seed, m, gamma, count=12, w=(F(1, 2),) * 4):
    """Random lists, graded at random, kept if the unit vector w ranks them with margin gamma."""
    draw, kept = random.Random(seed), []
    while len(kept) < count:
        X = [[F(draw.randint(-8, 8), 8) for _ in w] for _ in range(m)]
        R, s = [draw.randint(0, 2) for _ in X], [dot(w, x) for x in X]
        apart = [s[i] - s[j] for i in range(m) for j in range(m) if R[i] > R[j]]
        if apart and min(apart) >= gamma:
            kept.append((X, R))
    return kept


def hardest(pool, measure, algorithm):
    """Plays the list of the pool that costs most, as long as one costs anything; yields the rounds."""
    w = [0] * len(pool[0][0][0])

    def lists():
        while any(paper.mistaken([dot(w, x) for x in X], R, measure) for X, R in pool):
            yield min(pool, key=lambda one: paper.measured([dot(w, x) for x in one[0]], one[1], measure))

    for now in algorithm(lists(), measure=measure):
        w = now.w
        yield now


@pytest.mark.parametrize("seed", range(4))
@every_measure
def test_losses_on_separable_streams_are_bounded(measure, seed):
    """Corollary 7, Theorem 8 and Corollary 11 at the step of the theory, for lists chosen to do harm.

    Softened, no u has loss 0, but u = c w*, c gamma = 1 + T log(4 T (m - 1) n v_max), has at most a quarter of what a mistake
    costs at least, 1 / (n v_max). Then eq. (17) bounds the loss by 8 c^2 n R^2 v_max.
    """
    m, gamma, T = 4, F(1, 8), 0.5
    pool = separable(seed, m, gamma)
    radius = max(squared(x) for X, _ in pool for x in X)
    for ties in ("index", "average"):
        size = counted(measure, m) * radius * max(spread(prepared(R, measure, ties)[1]) for _, R in pool)
        reach = 1 + T * max(0, math.log(4 * T * (m - 1) * size / radius))
        learner = partial(paper.perceptron, ties=ties, step=1 / (4 * size))
        for algorithm, bound in (
            (learner, 4 * size / gamma**2),
            (partial(learner, soften=T), 8 * size * reach**2 / gamma**2),
            (paper.minimax, 4 * radius / gamma**2),
        ):
            losses = [now.loss for now in itertools.islice(hardest(pool, measure, algorithm), 1000)]
            assert 0 < len(losses) < 1000, "a bounded loss means that mistakes come to an end, and here they soon do"
            assert sum(losses) <= bound


def test_softened_loses_the_constant_of_theorem_8():
    # Many easy documents outweigh the hard one, at first in the list, until scores have grown. w* = (-1, -1) / root 2.
    X, R = [[0.5, -1], *[[-1, 0.5]] * 20, [0, 0]], [0] * 21 + [1]
    gamma2, radius2 = 1 / 8, 5 / 4
    losses = {
        T: [now.loss for now in paper.perceptron([(X, R)] * 200, "ndcg@1", step=1 / (4 * radius2), soften=T)] for T in (0.0, 1.0)
    }
    assert 0 < sum(losses[0.0]) <= 4 * radius2 / gamma2 < sum(losses[1.0])
    assert losses[1.0][-1] == 0


RANKERS = {
    "slam": partial(paper.perceptron, step=F(1, 2)),
    "averaged weights": partial(paper.perceptron, ties="average", margin=2, step=("adagrad", 0.1)),
    "softened": partial(paper.perceptron, soften=1.0),
    "minimax": paper.minimax,
    "listnet": partial(paper.listnet, step=0.1),
}


def replayed(algorithm):
    """``rank`` and ``learn``: the order is what a run over everything learned so far gives the list."""
    learned = []
    return lambda X: list(algorithm([*learned, (X, [0] * len(X))]))[-1].order, lambda X, R: learned.append((X, R))


@pytest.mark.parametrize("m", [2, 3, 6])
@pytest.mark.parametrize("name", RANKERS)
@pytest.mark.parametrize(("measure", "cost"), [("ndcg", 1 - D2), ("ndcg@2", 1 - D2), ("ndcg@1", 1), ("ap", F(1, 2))])
def test_the_adversary_of_theorem_9_costs_these_learners_the_same_every_round(measure, cost, name, m):
    # A new feature weighs 0, so 0 and 1 tie, ahead of all others or level with them: 1 is relevant, and second.
    algorithm = partial(RANKERS[name], measure=measure)
    lists = list(paper.adversary(*replayed(algorithm), m, radius=2, gamma=F(2, 3)))
    assert len(lists) == 8
    assert [float(now.loss) for now in algorithm(lists)] == pytest.approx([float(cost)] * 8)


@pytest.mark.parametrize("m", [2, 3, 5])
@given(data=st.data())
def test_the_adversary_of_theorem_9_against_any_ranker(m, data):
    """The cost is exact for two documents, the least for more; w* has margin gamma, and a norm of at most 1/2, not 1."""
    radius, gamma, losses = F(3, 2), F(1, 2), []
    orders, played = st.permutations(range(m)), []

    def learn(X, R):
        s = [-played[-1].index(i) for i in range(m)]
        losses.append((1 - paper.ndcg(s, R), 1 - paper.average_precision(s, R), played[-1].index(R.index(1))))

    lists = list(paper.adversary(lambda X: played.append(data.draw(orders)) or played[-1], learn, m, radius, gamma))
    assert len(lists) == 8
    for ndcg, ap, position in losses:
        assert (ndcg, ap) == (1 - 1 / math.log2(position + 2), 1 - F(1, position + 1))
        assert position == 1 if m == 2 else position >= 1
    w = paper.separator(lists, radius, gamma)
    for X, R in lists:
        s = [dot(w, x) for x in X]
        assert {s[i] - s[j] for i in range(m) for j in range(m) if R[i] > R[j]} == {gamma}
    assert squared(w) == 9 * gamma**2 / (4 * radius**2) == F(1, 4)
