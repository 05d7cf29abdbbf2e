"""The oracles themselves, against rounds worked by hand and against what the paper proves of them."""

import itertools
import math
import random
from fractions import Fraction as F

import numpy as np
import pytest
from scipy.optimize import minimize

from . import crammer_singer as paper

THRESHOLD_RULES = [
    (paper.prank, {}),
    (paper.prank, {"ties": "strict"}),
    (paper.siprank, {}),
    (paper.noprank, {}),
    (paper.noprank, {"margin": "loss"}),
    (paper.noprank, {"margin": "distance"}),
    (paper.noprank, {"trigger": "margin"}),
    (paper.noprank, {"margin": "loss", "trigger": "margin"}),
    (paper.noprank, {"margin": "distance", "trigger": "margin", "beta": F(1, 3)}),
]
OTHER_RULES = [
    (paper.mcp, {}),
    (paper.mcp, {"update": "uniform"}),
    (paper.mcp, {"update": "uniform", "gate": "error set", "intercept": True}),
    (paper.widrow_hoff, {"step": F(1, 10)}),
    (paper.widrow_hoff, {"step": F(1, 10), "intercept": True}),
]
MULTIPLICATIVE_RULES = [
    (paper.muprank, {"step": 0.3, "radius": 3}),
    (paper.muprank, {"step": 0.3, "radius": 3, "signed": True}),
]
NOPRANK_RULES = [rule for rule in THRESHOLD_RULES if rule[0] is paper.noprank]


def stream(seed, k, rows=40, n=3, kind=int):
    """Small integers, so that scores often tie with thresholds, and labels that are mostly learnable."""
    draw = random.Random(seed)
    X = [[kind(draw.randint(-3, 3)) for _ in range(n)] for _ in range(rows)]
    y = [min(k, max(1, sum(map(int, x)) + (k + 1) // 2 + draw.randint(-1, 1))) for x in X]
    return X, y


def flat(rule):
    return [rule] if not isinstance(rule, tuple) else [number for part in rule for number in flat(part)]


def only(run):
    (first,) = run
    return first


# From zero f = 0 = b_r for every r, so the prediction is k and "paper" counts every threshold as an error.


@pytest.mark.parametrize(
    ("label", "k", "ties", "w", "b"),
    [
        (1, 5, "paper", (-4, -8), (1, 1, 1, 1)),  # tau = -1, -1, -1, -1
        (1, 5, "strict", (-4, -8), (1, 1, 1, 1)),  # all four lie between 1 and 5
        (3, 5, "paper", (0, 0), (-1, -1, 1, 1)),  # tau = 1, 1, -1, -1
        (3, 5, "strict", (-2, -4), (0, 0, 1, 1)),  # tau = 0, 0, -1, -1
        (4, 5, "paper", (2, 4), (-1, -1, -1, 1)),  # tau = 1, 1, 1, -1
        (5, 5, "paper", (0, 0), (0, 0, 0, 0)),  # right: no update, ties or not
        (1, 2, "paper", (-1, -2), (1,)),
        (2, 2, "paper", (0, 0), (0,)),
    ],
)
def test_prank_first_round(label, k, ties, w, b):
    assert only(paper.prank([[1, 2]], [label], k, ties=ties)) == (k, w, b)


def test_prank_moves_a_tied_threshold_on_the_right_side():
    # Round 1: tau = 1, 1, -1, -1. Round 2: f = 0, first b above it is b_3 = 1; y = 4 errs on r = 3 only.
    # Round 3: f = 0 = b_3 counts as above, so 4; y = 5 errs on r = 4, and on r = 3 by the tie.
    X, y = [[1, 2], [1, 0], [0, 1]], [3, 4, 5]
    assert list(paper.prank(X, y, 5)) == [
        (5, (0, 0), (-1, -1, 1, 1)),
        (3, (1, 0), (-1, -1, 0, 1)),
        (4, (1, 2), (-1, -1, -1, 0)),
    ]


def test_prank_strict_leaves_tied_thresholds_outside():
    # Round 2: w = (-2, -4), f = 0 = b_1 = b_2, so 3; y = 5 moves r = 3, 4: tau = 0, 0, 1, 1.
    X, y = [[1, 2], [2, -1]], [3, 5]
    assert list(paper.prank(X, y, 5, ties="strict"))[1] == (3, (2, -6), (0, 0, 0, 0))


def test_prank_figure_1():
    # Round 1: w = -4, b = 1, 1, 1, 1. Then f = -4 is rank 1; y = 4: b_1, b_2, b_3 fall by one, w gains 3 x.
    assert list(paper.prank([[1], [1]], [1, 4], 5))[1] == (1, (-1,), (0, 0, 0, 1))


@pytest.mark.parametrize("seed", range(5))
def test_prank_strict_moves_as_many_thresholds_as_the_loss(seed):
    X, y = stream(seed, k=5)
    before = (0, 0, 0, 0)
    for label, (prediction, _, b) in zip(y, paper.prank(X, y, 5, ties="strict")):
        assert sum(abs(new - old) for new, old in zip(b, before)) == abs(prediction - label)
        before = b


def test_siprank_by_hand():
    # Round 1: prediction 5 > 1, so r = 4 and tau = -1. Round 2: f = -5 is rank 1 < 4, so r = 1 and tau = 1.
    assert list(paper.siprank([[1, 2], [1, 2]], [1, 4], 5)) == [
        (5, (-1, -2), (0, 0, 0, 1)),
        (1, (0, 0), (-1, 0, 0, 1)),
    ]


def test_siprank_of_two_ranks_is_prank():
    X, y = stream(0, k=2)
    assert list(paper.siprank(X, y, 2)) == list(paper.prank(X, y, 2))


@pytest.mark.parametrize("seed", range(5))
def test_siprank_moves_one_threshold_by_one(seed):
    X, y = stream(seed, k=5)
    before = (0, 0, 0, 0)
    for label, (prediction, _, b) in zip(y, paper.siprank(X, y, 5)):
        moves = sorted(abs(new - old) for new, old in zip(b, before))
        assert moves == [0, 0, 0, int(prediction != label)]
        before = b


@pytest.mark.parametrize(
    ("label", "k", "margin", "w", "b"),
    [
        # a = 1 and c_r = margin_r. All thresholds active: S = sum(y_r c_r) / k, tau_r = c_r - y_r S.
        (1, 2, "fixed", F(-1, 2), (F(1, 2),)),  # S = -1/2
        (1, 5, "fixed", F(-4, 5), (F(1, 5),) * 4),  # S = -4/5
        (2, 5, "fixed", F(-2, 5), (F(-7, 5), F(3, 5), F(3, 5), F(3, 5))),  # S = (1 - 3)/5
        (3, 5, "fixed", 0, (-1, -1, 1, 1)),  # the sides balance
        (5, 5, "fixed", 0, (0, 0, 0, 0)),  # right
        (1, 5, "loss", F(-16, 5), (F(4, 5),) * 4),  # four times the fixed one
        (2, 5, "loss", F(-6, 5), (F(-21, 5), F(9, 5), F(9, 5), F(9, 5))),  # three times
        (1, 3, "distance", -1, (0, 1)),  # c = 1, 2: S = -1, tau = 0, 1
        (2, 3, "distance", 0, (-1, 1)),  # c = 1, 1: the sides balance
        (3, 4, "distance", F(1, 2), (F(-3, 2), F(-1, 2), F(3, 2))),  # c = 2, 1, 1: S = 2/4
    ],
)
def test_noprank_first_round(label, k, margin, w, b):
    assert only(paper.noprank([[1]], [label], k, margin=margin)) == (k, (w,), b)


def test_noprank_distance_with_inactive_thresholds():
    # c = 1, 2, 3, 4. Only c_4 and c_3 active: S = -7/3, tau = 2/3, 5/3; c_2 + S = -1/3, so tau_2 = 0.
    assert only(paper.noprank([[1]], [1], 5, margin="distance")) == (5, (F(-7, 3),), (0, 0, F(2, 3), F(5, 3)))


@pytest.mark.parametrize("margin", ["fixed", "loss"])
def test_noprank_margin_trigger_learns_from_a_right_prediction(margin):
    # f = 0 is rank 2, right, but the margin is 0 < 1: S = 1 / (1 + 1). Without a loss "loss" asks for beta.
    prediction, w, b = only(paper.noprank([[1]], [2], 2, margin=margin, trigger="margin"))
    assert (prediction, w, b) == (2, (F(1, 2),), (F(-1, 2),))


def test_noprank_margin_trigger_rests_at_the_margin():
    # After round 1 the row has exactly the margin asked for, which is no violation.
    first, second = paper.noprank([[1, 2]] * 2, [1] * 2, 5, trigger="margin")
    assert (first[0], second[0]) == (5, 1)
    assert first[1:] == second[1:]


def test_solver_leaves_a_met_threshold_alone():
    # c_1 = 1 - 5 < 0. Alone c_2 = 1: S = -1/(1 + 1), tau_2 = 1/2.
    assert paper.solve_noprank(0, 1, (-5, 0), 2, (1, 1)) == (F(-1, 2), (-5, F(1, 2)))


def test_solver_of_a_zero_row_moves_thresholds_only_as_needed():
    # a = 0: tau = max(0, c) with c = 1, 2, -3; the weights move by S times a row of zeros.
    assert paper.solve_noprank(0, 0, (0, 1, 4), 3, (1, 1, 1)) == (1 + 2, (-1, -1, 4))


def problems(seed, count, k):
    """Random rules with ordered thresholds, a row each, a label and uneven margins."""
    draw = random.Random(seed)
    for _ in range(count):
        w, x = ([F(draw.randint(-8, 8), 4) for _ in range(3)] for _ in range(2))
        b = sorted(F(draw.randint(-12, 12), 4) for _ in range(k - 1))
        yield w, x, b, draw.randint(1, k), [F(draw.randint(1, 6), 2) for _ in b]


@pytest.mark.parametrize("k", [2, 3, 5, 7])
def test_solver_satisfies_the_kkt_conditions(k):
    for w, x, b, label, asked in problems(k, 50, k):
        f, a = np.dot(w, x), np.dot(x, x)
        S, new_b = paper.solve_noprank(f, a, b, label, asked)
        side = [1 if r < label else -1 for r in range(1, k)]
        slack = [s * (f + a * S - new) - m for s, new, m in zip(side, new_b, asked)]
        tau = [s * (old - new) for s, old, new in zip(side, b, new_b)]
        assert min(slack) >= 0
        assert min(tau) >= 0
        assert all(t * room == 0 for t, room in zip(tau, slack))
        assert sum(s * t for s, t in zip(side, tau)) == S


def closest_rule(old, x, label, asked):
    """Equation 4.1 as it stands, in all n + k - 1 variables, by sequential quadratic programming."""
    side = np.where(np.arange(1, len(asked) + 1) < label, 1.0, -1.0)
    rows = np.hstack([np.outer(side, x), -np.diag(side)])
    meets = {"type": "ineq", "fun": lambda v: rows @ v - asked, "jac": lambda v: rows}
    distance = {"fun": lambda v: np.sum((v - old) ** 2) / 2, "jac": lambda v: v - old}
    return minimize(**distance, x0=old, constraints=meets, method="SLSQP", options={"ftol": 1e-14}).x


@pytest.mark.parametrize("k", [2, 5])
def test_solver_agrees_with_a_general_optimiser(k):
    for w, x, b, label, asked in problems(k, 8, k):
        S, new_b = paper.solve_noprank(np.dot(w, x), np.dot(x, x), b, label, asked)
        new_w = [w_i + S * x_i for w_i, x_i in zip(w, x)]
        found = closest_rule(np.array([*w, *b], float), np.array(x, float), label, np.array(asked, float))
        np.testing.assert_allclose(found, np.array([*new_w, *new_b], float), atol=1e-6)


@pytest.mark.parametrize(("algorithm", "parameters"), NOPRANK_RULES)
def test_noprank_predictions_do_not_depend_on_beta(algorithm, parameters):
    X, y = stream(1, k=5, rows=25)
    base, scaled = (list(algorithm(X, y, 5, **{**parameters, "beta": beta})) for beta in (F(1), F(7, 2)))
    for (prediction, w, b), (same, large_w, large_b) in zip(base, scaled):
        assert prediction == same
        assert [v * F(7, 2) for v in (*w, *b)] == [*large_w, *large_b]


def test_noprank_reads_floats_exactly():
    X, y = stream(2, k=4, rows=15)
    tenths = [[v / 10 for v in x] for x in X]
    exact = [[F(v) for v in x] for x in tenths]
    assert list(paper.noprank(tenths, y, 4, beta=0.5)) == list(paper.noprank(exact, y, 4, beta=F(1, 2)))


def test_muprank_two_ranks_by_hand():
    # w = b = 1/2, f = b is rank 2; y = 1: w/2 = 1/4, 2b = 1, Z = 5/4. f = .2 < .8 is rank 1; y = 2 undoes it.
    first, second = paper.muprank([[1], [1]], [1, 2], 2, step=math.log(2))
    assert first[0] == 2
    assert flat(first[1:]) == pytest.approx([0.2, 0.8])
    assert second[0] == 1
    assert flat(second[1:]) == pytest.approx([0.5, 0.5])


def test_muprank_five_ranks_by_hand():
    # All 1/5; tau = 1, 1, -1, -1 sums to 0, so w stays: 2/10, b = 1/10, 1/10, 4/10, 4/10, Z = 12/10.
    prediction, w, b = only(paper.muprank([[1]], [3], 5, step=math.log(2)))
    assert prediction == 5
    assert [*w, *b] == pytest.approx([1 / 6, 1 / 12, 1 / 12, 1 / 3, 1 / 3])


@pytest.mark.parametrize("signed", [False, True])
def test_muprank_rests_when_right_although_tied(signed):
    # f = 1/5 (signed 0) equals every threshold: rank 5, right.
    prediction, w, b = only(paper.muprank([[1]], [5], 5, step=1, signed=signed))
    assert prediction == 5
    assert set(w + b) == ({0} if signed else {1 / 5})


def test_muprank_negative_input_by_hand():
    # f = -1/2 is rank 1; y = 2: tau = 1, w e^(-log 2) = 1/4, b/2 = 1/4, Z = 1/2: back to halves.
    # A zero row then gives f = 0 < 1/2, rank 1; y = 2: w stays 1/2, b/2 = 1/4, Z = 3/4.
    first, second = paper.muprank([[-1], [0]], [2, 2], 2, step=math.log(2))
    assert first[0] == 1
    assert flat(first[1:]) == pytest.approx([1 / 2, 1 / 2])
    assert second[0] == 1
    assert flat(second[1:]) == pytest.approx([2 / 3, 1 / 3])


def test_signed_muprank_by_hand():
    # Four components of 1/4, f = 0 = b is rank 2; y = 1, so tau = -1:
    # w+ = 1/8, w- = 1/2, b+ = 1/2, b- = 1/8, Z = 5/4.
    prediction, w, b = only(paper.muprank([[1]], [1], 2, step=math.log(2), signed=True))
    assert prediction == 2
    assert [*w, *b] == pytest.approx([-0.3, 0.3])


def test_muprank_divides_rows_by_the_radius():
    X, y = stream(3, k=5)
    halved = [[v / 4 for v in x] for x in X]
    assert list(paper.muprank(X, y, 5, 0.2, radius=4)) == list(paper.muprank(halved, y, 5, 0.2))


@pytest.mark.parametrize("k", [2, 5])
def test_muprank_weights_sum_to_one_and_stay_positive_and_ordered(k):
    X, y = stream(4, k, rows=200)
    for _, w, b in paper.muprank(X, y, k, step=0.2, radius=3):
        assert sum(w) + sum(b) == pytest.approx(1)
        assert min(w + b) > 0
        assert all(low <= high + 1e-12 for low, high in itertools.pairwise(b))


def test_signed_muprank_stays_in_the_unit_ball_and_ordered():
    X, y = stream(4, k=5, rows=200)
    run = list(paper.muprank([[-v for v in x] for x in X], y, 5, step=0.2, radius=3, signed=True))
    for _, w, b in run:
        assert sum(map(abs, w + b)) <= 1
        assert all(low <= high + 1e-12 for low, high in itertools.pairwise(b))
    assert max(run[-1][1]) < 0  # labels fall with every feature


@pytest.mark.parametrize(("k", "gamma"), [(2, 0.5), (3, 0.1), (5, 0.25)])
def test_theory_step_is_where_theorem_4_is_smallest(k, gamma):
    # d/d eta of eta gamma - log cosh(eta (k - 1)) is gamma - (k - 1) tanh(eta (k - 1)).
    assert math.tanh(paper.theory_step(k, gamma) * (k - 1)) == pytest.approx(gamma / (k - 1))


def test_theory_step_by_hand():
    assert paper.theory_step(3, 1) == pytest.approx(math.log(3) / 4)  # log((2 + 1)/(2 - 1)) / (2 * 2)


def test_mcp_max_by_hand():
    # From zero class 1 wins; y = 3. Then the scores are -1, 0, 1; y = 2 and class 3 loses the row.
    assert list(paper.mcp([[1, 2], [1, 0]], [3, 2], 3)) == [
        (1, ((-1, -2), (0, 0), (1, 2)), None),
        (3, ((-1, -2), (1, 0), (0, 2)), None),
    ]


def test_mcp_uniform_by_hand():
    # Round 1: E = {1, 2}. Round 2: scores -1/2, -1/2, 1; y = 2 ties with 1, so E = {1, 3}.
    half = F(1, 2)
    assert list(paper.mcp([[1, 2], [1, 0]], [3, 2], 3, update="uniform")) == [
        (1, ((-half, -1), (-half, -1), (1, 2)), None),
        (3, ((-1, -1), (half, -1), (half, 2)), None),
    ]


@pytest.mark.parametrize(
    ("update", "gate", "W"),
    [
        ("max", "mistake", ((0,), (0,), (0,))),
        ("uniform", "mistake", ((0,), (0,), (0,))),
        ("max", "error set", ((0,), (0,), (0,))),
        ("uniform", "error set", ((2,), (-1,), (-1,))),  # E = {2, 3} by the tie: half of 2 each
    ],
)
def test_mcp_right_by_a_tie(update, gate, W):
    assert only(paper.mcp([[2]], [1], 3, update=update, gate=gate)) == (1, W, None)


def test_mcp_intercept_is_a_last_column_of_ones():
    assert only(paper.mcp([[2]], [2], 2, intercept=True)) == (1, ((-2, -1), (2, 1)), None)


def test_mcp_updates_agree_for_two_classes():
    X, y = stream(5, k=2)
    assert list(paper.mcp(X, y, 2)) == list(paper.mcp(X, y, 2, update="uniform"))


def test_widrow_hoff_by_hand():
    # w: 0 + (3-0)/2 = 3/2; f = 5/2 is rank 3, right but for 1/2: 3/2 + (3 - 5/2)/2 * 5/3 = 23/12;
    # f = 23/2 is 5, clipped: 23/12 + (5 - 23/2)/2 * 6 = -211/12; f = -211/12 is 1, clipped.
    rows = [[1], [F(5, 3)], [6], [1]]
    run = list(paper.widrow_hoff(rows, [3, 3, 5, 1], 5, step=F(1, 2)))
    assert [prediction for prediction, _, _ in run] == [1, 3, 5, 1]
    assert [w for _, w, _ in run[:3]] == [(F(3, 2),), (F(23, 12),), (F(-211, 12),)]
    assert run[0][2] == (F(3, 2), F(5, 2), F(7, 2), F(9, 2))


@pytest.mark.parametrize(("f", "rank"), [(1.4, 1), (1.5, 2), (2.4, 2), (2.5, 3), (3.5, 4), (4.5, 4), (-3, 1)])
def test_widrow_hoff_rounds_halves_up_and_clips(f, rank):
    # A first row of 1 with label 4 and step 1/4 leaves w = 1, so the second row is its own score.
    assert list(paper.widrow_hoff([[1], [f]], [4, 1], 4, step=F(1, 4)))[1][0] == rank


def test_widrow_hoff_intercept_by_hand():
    # The row is (2, 1) and y = 2: w = 2/4 * (2, 1).
    assert only(paper.widrow_hoff([[2]], [2], 2, step=F(1, 4), intercept=True))[:2] == (1, (1, F(1, 2)))


@pytest.mark.parametrize("kind", [int, F])
@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize(("algorithm", "parameters"), THRESHOLD_RULES + OTHER_RULES)
def test_exact_input_stays_exact(algorithm, parameters, k, kind):
    X, y = stream(6, k, rows=20, kind=kind)
    run = list(algorithm(X, y, k, **parameters))
    assert {type(number) for round_ in run for number in flat(round_)} <= {int, F, type(None)}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("algorithm", "parameters"), THRESHOLD_RULES)
def test_thresholds_stay_ordered(algorithm, parameters, seed):
    X, y = stream(seed, k=5)
    assert all(tuple(sorted(b)) == b for _, _, b in algorithm(X, y, 5, **parameters))


@pytest.mark.parametrize(("algorithm", "parameters"), THRESHOLD_RULES)
def test_rules_move_on_every_mistake_and_otherwise_only_by_the_margin(algorithm, parameters):
    X, y = stream(7, k=5)
    before, moves_without_mistake = ((0, 0, 0), (0, 0, 0, 0)), 0
    for label, (prediction, *rule) in zip(y, algorithm(X, y, 5, **parameters)):
        assert prediction == label or tuple(rule) != before
        moves_without_mistake += prediction == label and tuple(rule) != before
        before = tuple(rule)
    assert (moves_without_mistake > 0) == (parameters.get("trigger") == "margin")


def test_averages_by_hand():
    # Rules held: (-1; 1), then y = 2 at f = -1 undoes it: (0; 0), then f = 0 is rank 2, right: (0; 0).
    run = paper.prank([[1], [1], [1]], [1, 2, 2], 2)
    assert list(paper.averages(run)) == [((-1,), (1,)), ((F(-1, 2),), (F(1, 2),)), ((F(-1, 3),), (F(1, 3),))]


def test_averaged_prank_by_hand():
    # 0 against 0 is rank 2; -1 against 1 is 1; -1/2 against 1/2 is 1, where the last rule says 2.
    assert list(paper.predict_averaged(paper.prank, [[1], [1], [1]], [1, 2, 2], 2)) == [2, 1, 1]


@pytest.mark.parametrize(
    ("algorithm", "parameters", "x", "rank"),
    [
        (paper.prank, {}, -2, 5),
        (paper.siprank, {}, -2, 5),
        (paper.noprank, {}, -2, 5),
        (paper.mcp, {}, -2, 1),
        (paper.mcp, {"intercept": True}, -2, 1),
        (paper.widrow_hoff, {"step": F(1, 2), "intercept": True}, 9, 1),
        (paper.muprank, {"step": 0.1}, 1, 5),  # 1/5 against 1/5
        (paper.muprank, {"step": 0.1, "radius": 2}, 1, 1),  # 1/10 against 1/5
        (paper.muprank, {"step": 0.1, "signed": True}, -1, 5),  # 0 against 0
    ],
)
def test_averaged_rule_before_any_row(algorithm, parameters, x, rank):
    assert list(paper.predict_averaged(algorithm, [[x]], [2], 5, **parameters)) == [rank]
    assert only(algorithm([[x]], [2], 5, **parameters))[0] == rank


def mean(rules, i, j=None):
    numbers = [rule[i] if j is None else rule[i][j] for rule in rules]
    return sum(map(F, numbers)) / len(numbers)


@pytest.mark.parametrize(("algorithm", "parameters"), THRESHOLD_RULES + MULTIPLICATIVE_RULES)
def test_averaged_threshold_rule_counts_the_mean_thresholds_met(algorithm, parameters):
    X, y = stream(8, k=4, rows=30)
    run = list(algorithm(X, y, 4, **parameters))
    predictions = list(paper.predict_averaged(algorithm, X, y, 4, **parameters))
    for i in range(1, 30):
        _, w, b = zip(*run[:i])
        x = [F(v, parameters.get("radius", 1)) for v in X[i]]
        f = sum(mean(w, j) * x[j] for j in range(3))
        assert predictions[i] == 1 + sum(f >= mean(b, r) for r in range(3))


@pytest.mark.parametrize("update", ["max", "uniform"])
def test_averaged_mcp_takes_the_highest_mean_score(update):
    X, y = stream(9, k=4, rows=30)
    rules = [W for _, W, _ in paper.mcp(X, y, 4, update=update)]
    predictions = list(paper.predict_averaged(paper.mcp, X, y, 4, update=update))
    for i in range(1, 30):
        t = [sum(mean(rules[:i], c, j) * X[i][j] for j in range(3)) for c in range(4)]
        assert predictions[i] == 1 + int(np.argmax(t))


def test_averaged_widrow_hoff_rounds_the_mean_score():
    X, y = stream(9, k=4, rows=30)
    weights = [w for _, w, _ in paper.widrow_hoff(X, y, 4, step=F(1, 10), intercept=True)]
    predictions = list(paper.predict_averaged(paper.widrow_hoff, X, y, 4, step=F(1, 10), intercept=True))
    for i in range(1, 30):
        f = sum(mean(weights[:i], j) * v for j, v in enumerate([*X[i], 1]))
        assert predictions[i] == min(4, max(1, math.floor(f + F(1, 2))))


@pytest.mark.parametrize(
    ("algorithm", "wrong"),
    [
        (paper.prank, {"ties": "loose"}),
        (paper.noprank, {"margin": "wide"}),
        (paper.noprank, {"trigger": "never"}),
        (paper.mcp, {"update": "min"}),
        (paper.mcp, {"gate": "open"}),
    ],
)
def test_an_unknown_option_is_an_error(algorithm, wrong):
    with pytest.raises(KeyError):
        list(algorithm([[1], [1]], [1, 2], 3, **wrong))
