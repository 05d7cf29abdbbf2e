"""The oracles of OAP, voting, kernels and ROMMA, against rounds worked by hand, each other and what is proved of them."""

import itertools
import math
import random
from fractions import Fraction as F
from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize

from . import crammer_singer as paper
from . import harrington, kernels, romma
from .test_oracles import problems, stream

STEPS = [
    (harrington.prank_step, paper.prank, {}),
    (harrington.prank_step, paper.prank, {"ties": "strict"}),
    (harrington.siprank_step, paper.siprank, {}),
    (harrington.noprank_step, paper.noprank, {"margin": "loss"}),
    (harrington.noprank_step, paper.noprank, {"trigger": "margin", "beta": F(1, 2)}),
]
DUALS = [
    (kernels.prank, paper.prank, {}),
    (kernels.prank, paper.prank, {"ties": "strict"}),
    (kernels.siprank, paper.siprank, {}),
    (kernels.noprank, paper.noprank, {}),
    (kernels.noprank, paper.noprank, {"trigger": "margin"}),
    (kernels.mcp, paper.mcp, {}),
    (kernels.mcp, paper.mcp, {"update": "uniform"}),
    (kernels.widrow_hoff, paper.widrow_hoff, {"step": F(1, 50)}),
]
WITH_INTERCEPT = [(kernels.mcp, paper.mcp, {}), (kernels.widrow_hoff, paper.widrow_hoff, {"step": F(1, 50)})]
ZERO = ((0,), (0, 0, 0, 0))


def always(t, j):
    return 1


def drawn(seed, most):
    """A coin that tells the same however often it is asked."""
    return lambda t, j: random.Random(f"{seed} {t} {j}").randint(0, most)


@pytest.mark.parametrize("combine", ["bpm", "bagging", "voting"])
@pytest.mark.parametrize(("step", "algorithm", "parameters"), STEPS)
def test_one_member_shown_every_row_is_the_algorithm_itself(step, algorithm, parameters, combine):
    X, y = stream(0, k=4, rows=25)
    rounds = list(harrington.oap(X, y, 4, partial(step, **parameters), 1, always, combine))
    assert [(r.prediction, *r.members[0]) for r in rounds] == list(algorithm(X, y, 4, **parameters))
    assert [r.averages[0] for r in rounds] == list(paper.averages(algorithm(X, y, 4, **parameters)))
    averaged = harrington.oap(X, y, 4, partial(step, **parameters), 1, always, combine, averaged=True)
    assert [r.prediction for r in averaged] == list(paper.predict_averaged(algorithm, X, y, 4, **parameters))


# Row 1 is shown to the first of two members only, which starts as in Figure 1, and row 2 to both: the first does as in
# Figure 1, for the second tau = 1, 1, 1, -1. Rows 3 and 4 are shown to the second, which is right about them.
SHOWN = [(1, 0), (1, 1), (0, 1), (0, 1)]
MEMBERS = [(((-4,), (1, 1, 1, 1)), ZERO)] + [(((-1,), (0, 0, 0, 1)), ((2,), (-1, -1, -1, 1)))] * 3


@pytest.mark.parametrize(
    ("combine", "predictions", "means"),
    [
        ("bpm", [5, 1, 4, 4], [5, 3, 3, 3]),  # 0 against 0; -4 against 1; 1 against -1, -1, -1, 2
        ("bagging", [5, 3, 3, 3], [5, 3, 3, 3]),  # ranks 5 and 5; then 1 and 5
        ("voting", [5, 3, 3, 5], [5, 3, 3, 5]),  # no votes before row 3, one vote for rank 5 before row 4
    ],
)
def test_two_members_by_hand(combine, predictions, means):
    run = harrington.oap([[1]] * 4, [1, 4, 5, 5], 5, harrington.prank_step, 2, lambda t, j: SHOWN[t][j], combine)
    rounds = list(run)
    assert [r.prediction for r in rounds] == predictions
    assert [r.mean for r in rounds] == means
    assert [r.members for r in rounds] == MEMBERS
    assert [r.votes for r in rounds] == [(0, 0), (0, 0), (0, 1), (0, 2)]
    assert rounds[1].averages == (((F(-5, 2),), (F(1, 2),) * 3 + (1,)), ((1,), (F(-1, 2),) * 3 + (F(1, 2),)))
    assert rounds[1].shares == (F(1, 2), 0, 0, 0, F(1, 2))
    assert rounds[3].shares == ((0, 0, 0, 0, 1) if combine == "voting" else rounds[1].shares)


def test_means_round_halves_up():
    assert [harrington.nearest(F(n, 4)) for n in (4, 5, 6, 7, 10)] == [1, 1, 2, 2, 3]


@pytest.mark.parametrize("most", [1, 3])
def test_a_member_learns_from_its_own_stream(most):
    # Rows as often as they are shown, through the plain algorithm; the averages still count all 30 rows once.
    X, y = stream(1, k=4, rows=30)
    coin = drawn(5, most)
    runs = {
        votes: list(harrington.oap(X, y, 4, harrington.prank_step, 3, coin, votes=votes)) for votes in ("correct", "survival")
    }
    for j in range(3):
        shown = [t for t in range(30) for _ in range(coin(t, j))]
        own = list(paper.prank([X[t] for t in shown], [y[t] for t in shown], 4))
        right = [prediction == y[t] for t, (prediction, _, _) in zip(shown, own)]
        rules = [((0, 0, 0), (0, 0, 0)), *(rule for _, *rule in own)]
        held = [tuple(rules[sum(s <= t for s in shown)]) for t in range(30)]
        assert [r.members[j] for r in runs["correct"]] == held
        assert runs["correct"][-1].averages[j] == list(paper.averages([(None, *rule) for rule in held]))[-1]
        assert runs["correct"][-1].votes[j] == sum(right)
        assert runs["survival"][-1].votes[j] == len(list(itertools.takewhile(bool, reversed(right))))


def test_averaged_bpm_is_the_mean_over_members_and_rows():
    X, y = stream(2, k=4, rows=30)
    rounds = list(harrington.oap(X, y, 4, harrington.prank_step, 4, drawn(6, 1), averaged=True))
    for t in range(1, 30):
        rules = [rule for r in rounds[:t] for rule in r.members]
        w, b = (np.sum([rule[i] for rule in rules], axis=0) for i in (0, 1))
        assert rounds[t].prediction == 1 + np.sum(w @ X[t] >= b)


@pytest.mark.parametrize(("combine", "third"), [("mean", 2), ("plurality", 1), ("median", 2)])
def test_voted_by_hand(combine, third):
    # 0 against 0 is rank 2, then (-1; 1) alone has a count: rank 1; then one vote each for 1 and 2, and 2 is right.
    rounds = list(harrington.voted([[1]] * 3, [1, 2, 2], 2, harrington.prank_step, combine))
    assert [r.prediction for r in rounds] == [2, 1, third]
    assert rounds[-1].hypotheses == (((0,), (0,), 0), ((-1,), (1,), 1), ((0,), (0,), 2))
    assert (rounds[-1].mean, rounds[-1].shares) == (F(3, 2), (F(1, 2), F(1, 2)))


def test_voted_survival_by_hand():
    # No counts before the third row: the last hypothesis decides.
    rounds = list(harrington.voted([[1]] * 3, [1, 2, 2], 2, harrington.prank_step, count="survival"))
    assert [r.prediction for r in rounds] == [2, 1, 2]
    assert [count for _, _, count in rounds[-1].hypotheses] == [0, 0, 1]


def test_voted_limit_drops_the_smallest_count_and_of_equals_the_oldest():
    # Made: (-1; 1), (0; 0), (-1; 1), (0; 0), all with count 1. The third update drops the start, the later the oldest.
    X, y = [[1]] * 6, [1, 2, 2, 1, 2, 1]
    rounds = list(harrington.voted(X, y, 2, harrington.prank_step, limit=3))
    counts = [[(w[0], count) for w, _, count in r.hypotheses] for r in rounds]
    assert counts[2] == [(0, 0), (-1, 1), (0, 2)]
    assert counts[3:] == [[(-1, 1), (0, 2), (-1, 1)], [(0, 2), (-1, 1), (0, 1)], [(0, 2), (0, 1), (-1, 1)]]


@pytest.mark.parametrize(("step", "algorithm", "parameters"), STEPS)
def test_voted_counts_are_the_average(step, algorithm, parameters):
    X, y = stream(3, k=4, rows=25)
    plain, means = list(algorithm(X, y, 4, **parameters)), list(paper.averages(algorithm(X, y, 4, **parameters)))
    for t, r in enumerate(harrington.voted(X, y, 4, partial(step, **parameters))):
        assert r.hypotheses[-1][:2] == plain[t][1:]
        parts = [paper.mapped(lambda value, count=count: F(value) * count, (w, b)) for w, b, count in r.hypotheses]
        assert paper.mapped(lambda mean, *values, n=t + 1: mean * n == sum(values), means[t], *parts) == ((True,) * 3,) * 2
    alone = harrington.voted(X, y, 4, partial(step, **parameters), limit=1)
    assert [r.prediction for r in alone] == [prediction for prediction, _, _ in plain]


@pytest.mark.parametrize("seed", range(10))
def test_elected_against_ballots_laid_out(seed):
    draw = random.Random(seed)
    hypotheses = [((draw.randint(-3, 3),), tuple(sorted(draw.choices(range(-3, 4), k=4))), draw.randint(0, 3)) for _ in range(9)]
    ballots = sorted(1 + sum(w[0] >= b_r for b_r in b) for w, b, count in hypotheses for _ in range(count))
    assert harrington.elected(hypotheses, [1], "median").prediction == ballots[len(ballots) // 2]
    assert harrington.elected(hypotheses, [1], "plurality").prediction == max(range(1, 6), key=ballots.count)
    assert harrington.elected(hypotheses, [1], "mean").prediction == math.floor(np.mean(ballots) + 0.5)


def weights(r, X, directions, mapping=list):
    """The primal weights of a round of a dual run."""
    rows = [mapping(X[s]) for s in r.points]
    n = len(mapping(X[0]))
    w = tuple(tuple(sum(alpha[c] * row[i] for alpha, row in zip(r.alpha, rows)) for i in range(n)) for c in range(directions))
    return w if directions > 1 else w[0]


@pytest.mark.parametrize(
    ("kernel", "mapping"), [(kernels.linear, list), (kernels.polynomial(2), kernels.quadratic_map_without_roots)]
)
@pytest.mark.parametrize(("dual", "primal", "parameters"), DUALS)
def test_dual_is_the_primal_on_mapped_rows(dual, primal, parameters, kernel, mapping):
    X, y = stream(4, k=4, rows=25, n=2, kind=F)
    rows, directions = [mapping(x) for x in X], 4 if primal is paper.mcp else 1
    rounds = list(dual(X, y, 4, kernel, **parameters))
    for r, (prediction, w, b) in zip(rounds, primal(rows, y, 4, **parameters), strict=True):
        assert (r.prediction, weights(r, X, directions, mapping)) == (prediction, w)
        assert r.b == (b if directions == 1 and primal is not paper.widrow_hoff else ())
    assert [r.averaged for r in rounds] == list(paper.predict_averaged(primal, rows, y, 4, **parameters))


@pytest.mark.parametrize(("dual", "primal", "parameters"), WITH_INTERCEPT)
def test_dual_intercept_is_a_last_column_of_ones(dual, primal, parameters):
    X, y = stream(5, k=4, rows=25, kind=F)
    rounds = list(dual(X, y, 4, kernels.linear, intercept=True, **parameters))
    expected = [prediction for prediction, _, _ in primal(X, y, 4, intercept=True, **parameters)]
    assert [r.prediction for r in rounds] == expected
    assert [r.averaged for r in rounds] == list(paper.predict_averaged(primal, X, y, 4, intercept=True, **parameters))


def test_quadratic_maps_have_the_kernel_as_their_inner_product():
    draw = random.Random(0)
    for _ in range(20):
        x, z = ([draw.randint(-3, 3) for _ in range(2)] for _ in range(2))
        assert len(kernels.quadratic_map(x)) == 6
        value = (x[0] * z[0] + x[1] * z[1] + 1) ** 2
        assert kernels.polynomial(2)(x, z) == value
        assert np.dot(*map(kernels.quadratic_map_without_roots, (x, z))) == value
        assert np.dot(*map(kernels.quadratic_map, (x, z))) == pytest.approx(value)


def test_gaussian_prank_by_hand():
    # Row 1 has alpha = -1 and b = 1. Row 2: f = -e^(-5/2) is rank 1, y = 2: alpha = 1, b = 0. Row 3: f = 1 - e^(-5/2).
    first, second, third = kernels.prank([[0, 0], [1, 2], [1, 2]], [1, 2, 2], 2, kernels.gaussian(0.5))
    assert (first.alpha, first.b, first.points) == (((-1,),), (1,), (0,))
    assert (second.prediction, second.alpha, second.b) == (1, ((-1,), (1,)), (0,))
    assert (third.prediction, third.points, third.sums, third.b_sums) == (2, (0, 1), ((-3,), (2,)), (1,))
    assert third.averaged == 1  # the sums so far: -2 e^(-5/2) + 1 against 1
    assert kernels.expansion(third.alpha, [[0, 0], [1, 2]], [1, 2], kernels.gaussian(0.5)) == [1 - math.exp(-2.5)]


def test_widrow_hoff_keeps_every_row_even_for_nothing():
    # (3 - 0)/2; (3 - 3/2)/2; then f = 9/4 * 4/3 = 3 = y: coefficient 0, a point all the same.
    rounds = list(kernels.widrow_hoff([[1], [1], [F(4, 3)]], [3, 3, 3], 4, kernels.linear, step=F(1, 2)))
    assert rounds[-1].points == (0, 1, 2)
    assert rounds[-1].alpha == ((F(3, 2),), (F(3, 4),), (0,))


@pytest.mark.parametrize("policy", ["oldest", "random", "forgetron"])
@pytest.mark.parametrize(("dual", "primal", "parameters"), DUALS)
def test_budgets(dual, primal, parameters, policy):
    X, y = stream(6, k=4, rows=30)
    X = [[v / 2 for v in x] for x in X]
    draws = [random.Random(n).randrange(4) for n in range(30)]
    options = {"policy": policy, "pick": draws.__getitem__}
    run = partial(dual, X, y, 4, kernels.gaussian(0.25), **parameters)
    assert list(run(budget=30, **options)) == list(run())
    rounds, evictions, before = list(run(budget=4, **options)), 0, ()
    for t, r in enumerate(rounds):
        updated = t in r.points
        expected = [*before, t] if updated else list(before)
        if len(expected) > 4:
            del expected[draws[evictions] if policy == "random" else 0]
            evictions += 1
        before = r.points
        assert r.points == tuple(expected)
        for point, sums in zip(r.points, r.sums):  # the sums over the rounds since the point came
            history = [earlier.alpha[earlier.points.index(point)] for earlier in rounds[point : t + 1]]
            assert np.asarray(sums, float) == pytest.approx(np.sum(history, axis=0).astype(float))
            held = np.sum([earlier.b for earlier in rounds[: t + 1]], axis=0)
            assert np.asarray(r.b_sums, float) == pytest.approx(held.astype(float))
    assert evictions > 3


# Row 1: alpha = -2, b = 1, 1. Row 2: rank 1, y = 2: alpha = 1, b = 0, 1; M = 2, so the room is 15/16, and D = 4.
@pytest.mark.parametrize(
    ("second", "phi"),
    [
        (1, 15 / 64),  # f'(x_r) = -1, mu = 1, A = 4 - 4
        (2, math.sqrt(4 + 15 / 16) - 2),  # f'(x_r) = 0, R2 = 4, A = 4/4: phi^2 + 4 phi
        (F(1, 2), 1 - math.sqrt(1 - 15 / 32)),  # f'(x_r) = -3/2, mu = 3/2, A = 4 - 6: 4 phi - 2 phi^2
    ],
)
def test_forgetron_by_hand(second, phi):
    _, r, last = kernels.prank([[1], [second], [5]], [1, 2, 3], 3, kernels.linear, budget=1, policy="forgetron")
    assert r.points == (1,)
    assert [*r.alpha[0], *r.b, r.Q] == pytest.approx([phi, 0, phi, 15 / 16], rel=1e-14)
    assert last.sums[0] == (2 * r.alpha[0][0],)
    assert last.b_sums == (1, 1 + 2 * r.b[1])  # the first round's b was not shrunk


def test_forgetron_adds_up_the_classes_by_hand():
    # alpha = (-1, 1), then (1, -1), so f' = 0 and A = 1 + 1, D = 2 + 2: 2 phi^2 + 4 phi = 15/16.
    _, r = kernels.mcp([[1], [1]], [2, 1], 2, kernels.linear, budget=1, policy="forgetron", intercept=True)
    phi = math.sqrt(1 + 15 / 32) - 1
    assert r.alpha[0] == pytest.approx((phi, -phi), rel=1e-14)
    assert r.b == (0, 0)


def test_forgetron_shrinks_the_intercept_of_widrow_hoff_by_hand():
    # Step 1/2: 2 and 2. f = 4, y = 1: -3/2 and 1/2. f'(x_r) = 1/2 = mu: A = 4 - 2, D = 4: 2 phi^2 + 4 phi = 15/16.
    run = kernels.widrow_hoff([[1], [1]], [4, 1], 4, kernels.linear, F(1, 2), intercept=True, budget=1, policy="forgetron")
    *_, r = run
    phi = math.sqrt(1 + 15 / 32) - 1
    assert [*r.alpha[0], *r.b] == pytest.approx([-1.5 * phi, 0.5 * phi], rel=1e-14)


def test_largest_factor_looks_at_one_first():
    # 3 phi - 9/4 phi^2 reaches 15/16 at phi = 1/2, rises to 1 at 2/3 and is back at 3/4, within the room, at 1.
    assert kernels.largest_factor(F(-9, 4), F(3), F(15, 16)) == 1


def test_largest_factor_against_the_formula():
    draw = random.Random(1)
    for _ in range(300):
        A, D, room = draw.uniform(-5, 5), draw.uniform(0, 5), draw.uniform(0.1, 5)
        phi = kernels.largest_factor(F(A), F(D), F(room))
        root = 1 if room >= A + D else 2 * room / (D + math.sqrt(D * D + 4 * A * room))
        assert phi == pytest.approx(root, rel=1e-13)
        assert F(A) * phi * phi + F(D) * phi <= F(room)


@pytest.mark.parametrize("seed", range(4))
def test_forgetron_of_two_ranks_keeps_its_promise(seed):
    X, y = stream(seed, k=2, rows=120)
    noisy = [label if i % 5 else 3 - label for i, label in enumerate(y)]
    M = shrunk = 0
    for label, r in zip(noisy, kernels.prank(X, noisy, 2, kernels.gaussian(0.5), budget=5, policy="forgetron")):
        M, shrunk = M + (r.prediction != label), shrunk + (r.shrink < 1)
        assert F(15, 32) * M >= r.Q
        assert 0 < r.shrink <= 1
    assert shrunk


def test_forgetron_does_not_mind_rows_of_zeros():
    rounds = list(kernels.prank([[0, 0]] * 4, [1, 2, 1, 2], 2, kernels.linear, budget=1, policy="forgetron"))
    assert len(rounds[-1].points) == 1


def test_romma_first_round_is_that_of_noprank():
    # From zero nothing has to be kept: the shortest rule with a margin of 1 is the closest one to zero.
    X, y = stream(7, k=4, rows=20)
    for x, label in zip(X, y):
        assert list(romma.romma([x], [label], 4)) == list(paper.noprank([x], [label], 4))


def test_romma_by_hand():
    # The shortest with b - w >= 1 is (-1/2; 1/2). Row (0), y = 2: -b >= 1, and (b - w)/2 >= 1/2 keeps the past.
    assert list(romma.romma([[1], [0]], [1, 2], 2)) == [(2, (F(-1, 2),), (F(1, 2),)), (1, (-2,), (-1,))]


def test_romma_of_two_ranks_is_the_binary_one():
    # Li & Long: v <- c v + d (x, -1), in closed form.
    X, y = stream(8, k=2, rows=60)
    v, updates = np.zeros(4), 0
    for x, label, (prediction, w, b) in zip(X, y, romma.romma([list(map(float, x)) for x in X], y, 2)):
        row, side = np.array([*x, -1.0]), 2 * label - 3
        if prediction != label and v.any():
            a, f, length = row @ row, v @ row, v @ v
            c, d = (a * length - side * f) / (a * length - f * f), length * (side - f) / (a * length - f * f)
            np.testing.assert_allclose([*w, *b], c * v + d * row, rtol=1e-9)
            updates += 1
        v = np.array([*w, *b])
    assert updates > 5


def mistaken(seed, count, k):
    """Random rules, a row each and a label they do not give it."""
    for w, x, b, label, _ in problems(seed, count, k):
        if paper.first_unmet(paper.dot(w, x), b) != label:
            yield w, b, x, label


@pytest.mark.parametrize("k", [2, 3, 5])
def test_romma_agrees_with_a_general_optimiser(k):
    for w, b, x, label in mistaken(k, 12, k):
        found = np.array(list(itertools.chain(*romma.solve_romma(w, b, x, label))), float)
        G, h = (np.array(part, float) for part in zip(*romma.constraints(w, b, x, label)))
        meets = {"type": "ineq", "fun": lambda v, G=G, h=h: G @ v - h, "jac": lambda v, G=G: G}
        length = {"fun": lambda v: v @ v / 2, "jac": lambda v: v}
        other = minimize(**length, x0=found + 1, constraints=meets, method="SLSQP", options={"ftol": 1e-14, "maxiter": 500}).x
        np.testing.assert_allclose(other, found, rtol=1e-5, atol=1e-5)


def test_romma_may_outgrow_its_past():
    # The row alone asks for (2/5, 0, 0; -7/5, 3/5, 3/5, 3/5), 26/5 / 77 along v_t, whose own length is 4/77.
    w, b = tuple(F(v, 77) for v in (12, 12, -4)), (F(1, 77),) * 4
    fifths = (F(-7, 5), F(3, 5), F(3, 5), F(3, 5))
    assert romma.solve_romma(w, b, [-1, 0, 0], 2) == ((F(2, 5), 0, 0), fifths)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_romma_cannot_take_back_its_first_row(k):
    kept, restarted = (list(romma.romma([[1, 2]] * 2, [1, k], k, impossible)) for impossible in ("keep", "restart"))
    assert kept[1] == (1, *kept[0][1:])
    assert restarted[1] == (1, *(tuple(-v for v in part) for part in restarted[0][1:]))


@pytest.mark.parametrize("k", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_romma_keeps_what_it_promises(k, seed):
    # With l the multiplier of v_t and f = w.x, thresholds below the label are min(l b_r, f - 1), the others
    # max(l b_r, f + 1): so they stay in order.
    X, y = stream(seed, k, rows=40, n=4)
    w, b = (0.0,) * 4, (0.0,) * (k - 1)
    for x, label in zip(X, y):
        if paper.first_unmet(paper.dot(w, x), b) != label:
            conditions = list(romma.constraints(*paper.mapped(F, (w, b, tuple(x))), label))
            v, (l, *rest) = romma.shortest(conditions)
            assert all(paper.dot(g, v) >= h for g, h in conditions)
            assert all(m == 0 or paper.dot(g, v) == h for m, (g, h) in zip((l, *rest), conditions))
            assert min(l, *rest) >= 0
            assert paper.dot(v, v) > sum(F(value) ** 2 for value in w + b)
            f, new = paper.dot(v[:4], x), v[4:]
            assert new == [min(l * F(t), f - 1) if r < label else max(l * F(t), f + 1) for r, t in enumerate(b, start=1)]
            assert new == sorted(new)
        w, b, _ = romma.romma_step(w, b, x, label)


def test_romma_inside_oap_and_averaged():
    X, y = stream(9, k=4, rows=30)
    X = [list(map(float, x)) for x in X]
    plain = list(romma.romma(X, y, 4))
    rounds = list(harrington.oap(X, y, 4, romma.romma_step, 1, always))
    assert [(r.prediction, *r.members[0]) for r in rounds] == plain
    averaged = list(romma.averaged_romma(X, y, 4))
    assert [tuple(rule) for _, *rule in averaged] == [r.averages[0] for r in rounds]
    assert [prediction for prediction, _, _ in averaged] == list(paper.predict_averaged(romma.romma, X, y, 4))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda X, y: harrington.oap(X, y, 3, harrington.prank_step, 1, always, "median"),
        lambda X, y: harrington.oap(X, y, 3, harrington.prank_step, 1, always, votes="all"),
        lambda X, y: harrington.voted(X, y, 3, harrington.prank_step, "bpm"),
        lambda X, y: harrington.voted(X, y, 3, harrington.prank_step, count="rows"),
        lambda X, y: kernels.prank(X, y, 3, kernels.linear, budget=1, policy="newest"),
        lambda X, y: romma.romma(X, y, 3, impossible="raise"),
    ],
)
def test_an_unknown_option_is_an_error(wrong):
    with pytest.raises(KeyError):
        list(wrong([[1], [1], [1]], [1, 3, 1]))
