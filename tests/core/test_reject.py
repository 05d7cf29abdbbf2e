"""The rejection threshold: what it is, that it pays, and that units, outliers and compiling do not matter to it."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from scipy import stats

from ranktron.compile.policy import Loop
from ranktron.core.protocol import calibrate, decide, decide_without_reject, next_calibration_row
from ranktron.core.reject import BAR, BINS, MEAN, REJECTED, RELATIVE, bin_of, edge_above, record_lead, threshold_of, with_reject

COSTS = (0.05, 0.1, 0.2, 0.4)
SEEDS, ROWS = 20, 400
KINDS = {  # classes, noise, averaged
    "two classes, averaged": (2, 0.2, True),
    "two classes, last": (2, 0.05, False),
    "four classes, averaged": (4, 0.4, True),
    "ten classes, last": (10, 0.2, False),
}
every_kind = pytest.mark.parametrize("kind", KINDS)


@functools.cache
def stream(kind: str, seed: int, unit: float = 1.0, rows: int = ROWS) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the perceptron of this kind says of noisy rows before it learns them: scores in sum, over how many, and labels.

    Of two classes there is one score. There is one number more than rows: over how many the scores of the row to come would be.
    """
    k, noise, averaged = KINDS[kind]
    rng = np.random.default_rng([seed, k])
    X = rng.normal(size=(rows, 5))
    best = (X @ rng.normal(size=(5, k))).argmax(axis=1)
    y = np.where(rng.random(rows) < noise, (best + rng.integers(1, k, rows)) % k, best)
    X = unit * X
    W = np.zeros((1 if k == 2 else k, 5))
    total, told = np.zeros_like(W), np.empty((rows, len(W)))
    for t, (x, label) in enumerate(zip(X, y)):
        told[t] = (total if averaged else W) @ x
        scores = W @ x
        if k == 2:
            W[0] += (2 * label - 1) * x * ((scores[0] >= 0) != label)
        elif (now := scores.argmax()) != label:
            W[label] += x
            W[now] -= x
        total += W
    held = np.maximum(np.arange(rows + 1), 1) if averaged else np.ones(rows + 1, int)
    return told, held, y


@Loop
def answer(decision, scores, held, labels, answers):
    """Answer, then watch, every row."""
    for i in range(labels.shape[0]):
        answers[i] = decide(decision, scores[i])
        record_lead(decision, scores[i], labels[i], held[i], held[i + 1])


def answered(kind: str, seed: int, cost: float, unit: float = 1.0, compiled: bool = False):
    """The decision after a stream, and its answers."""
    scores, held, y = stream(kind, seed, unit)
    decision, answers = with_reject(cost, KINDS[kind][0] == 2), np.empty(len(y), np.int64)
    (answer.compiled if compiled else answer.interpreted)(decision, scores, held, y, answers)
    return decision, answers


@functools.cache
def outcome(kind: str, cost: float) -> tuple[np.ndarray, np.ndarray]:
    """For each seed: errors + cost · rejections, less the errors of never rejecting; and which rows were rejected."""
    extra, rejected = np.empty(SEEDS), np.empty((SEEDS, ROWS), bool)
    for seed in range(SEEDS):
        decision, answers = answered(kind, seed, cost)
        scores, _, y = stream(kind, seed)
        wrong = np.array([decide_without_reject(decision, row) for row in scores]) != y
        rejected[seed] = answers == REJECTED
        extra[seed] = np.where(rejected[seed], cost - wrong, 0.0).sum()
    return extra, rejected


def tolerance(differences: np.ndarray) -> float:
    """How far above 0 the mean may lie if the true one is 0: half the 95 % interval of Student's t."""
    return float(stats.t.ppf(0.975, len(differences) - 1) * differences.std(ddof=1) / math.sqrt(len(differences)))


# What it pays


@pytest.mark.parametrize("cost", COSTS)
@every_kind
def test_to_reject_costs_no_more_than_never_to_reject(kind, cost):
    extra, _ = outcome(kind, cost)
    assert extra.mean() <= tolerance(extra)


@every_kind
def test_where_errors_are_many_and_rejections_cheap_it_gains(kind):
    extra, rejected = outcome(kind, 0.05)
    assert rejected.any()
    assert extra.mean() < -tolerance(extra)


@pytest.mark.gate(2)
@every_kind
def test_a_higher_cost_never_rejects_a_row_that_a_lower_one_answers(kind):
    lower, *others = (outcome(kind, cost)[1] for cost in COSTS)
    assert lower.sum() > others[-1].sum()
    for higher in others:
        assert (higher <= lower).all()
        lower = higher


BLIND = [("two classes, averaged", 0.5), ("two classes, last", 0.6), ("ten classes, last", 0.9)]


@pytest.mark.parametrize(("kind", "cost"), BLIND)
def test_where_a_blind_guess_is_as_good_hardly_anything_is_rejected(kind, cost):
    extra, rejected = outcome(kind, cost)
    assert extra.mean() <= tolerance(extra)
    assert rejected.mean() < stats.norm.sf(2.0)  # what passes two standard deviations by chance


def test_where_every_answer_is_wrong_none_is_given():
    decision = with_reject(0.3, True)
    gaps = np.random.default_rng(0).lognormal(sigma=3.0, size=300)
    for gap in gaps:
        record_lead(decision, np.array([gap]), 0, 1, 1)
    assert gaps.max() > 16 * decision.state[MEAN]  # so the last bin is among them, which has no end
    assert threshold_of(decision.state) == math.inf
    assert decide(decision, np.array([1e300])) == REJECTED


def test_where_no_answer_is_wrong_all_are_given():
    decision = with_reject(0.01, True)
    for gap in np.random.default_rng(0).exponential(size=300):
        record_lead(decision, np.array([gap]), 1, 1, 1)
    assert threshold_of(decision.state) == 0.0
    assert decide(decision, np.array([0.0])) == 1


# What it is


def naive_threshold(gaps, errors, cost):
    """The threshold from the list of all observations, each with its weight, and thresholds written down as numbers."""
    edges = [*(2.0**power * (1 + step / 4) for power in range(-12, 4) for step in range(4)), math.inf][1:]
    ratios, weights, mean, weight, look, found = [], np.empty(0), 0.0, 0.0, 0.0, 0.0
    for n, gap in enumerate(gaps, 1):
        if mean == 0.0:
            mean, weight = gap, float(gap > 0.0)
        else:
            weight += 1.0
            mean = ((weight - 1.0) * mean + min(gap, 4.0 * mean)) / weight
        ratios.append(gap / mean if mean else 0.0)
        weights = np.append(weights, 1.0)
        if n >= look:
            below = [np.array(ratios) < edge for edge in edges]
            sums = [(weights @ (errors[:n] * inside), weights @ inside) for inside in below]
            gains = [wrong - cost * rows - 2.0 * math.sqrt(cost * rows) for wrong, rows in sums]
            found = edges[int(np.argmax(gains))] if max(gains) > 0.0 else 0.0
            look, weights, weight = n * (1 + 1 / 32), weights * (31 / 32), weight * 31 / 32
    return found, mean


@pytest.mark.parametrize("rows", [1, 2, 31, 33, 100, 399])
@pytest.mark.parametrize("cost", [0.05, 0.3])
@every_kind
def test_the_threshold_is_that_of_the_list_of_all_observations(kind, cost, rows):
    scores, held, y = stream(kind, 3)
    decision, gaps, errors = with_reject(cost, KINDS[kind][0] == 2), [], []
    for row, over, after, label in zip(scores[:rows], held, held[1:], y):
        record_lead(decision, row, label, over, after)
        ordered = np.sort(row)
        gaps.append((2.0 * abs(row[0]) if len(row) == 1 else ordered[-1] - ordered[-2]) / over)
        errors.append(float(decide_without_reject(decision, row) != label))
    relative, mean = naive_threshold(gaps, np.array(errors), cost)
    assert decision.state[RELATIVE] == relative
    assert decision.state[MEAN] == pytest.approx(mean, rel=1e-12)
    assert threshold_of(decision.state) == pytest.approx(relative * mean, rel=1e-12)
    assert decision.state[BAR] == threshold_of(decision.state) * held[rows]  # the scores to come are sums over so many


def test_bins_end_where_the_next_ones_begin():
    edges = [edge_above(place) for place in range(BINS)]
    assert edges[-1] == math.inf
    assert [bin_of(edge) for edge in edges] == [*range(1, BINS), BINS - 1]
    assert [bin_of(np.nextafter(edge, 0.0)) for edge in edges] == list(range(BINS))
    assert [bin_of(ratio) for ratio in (0.0, 5e-324, 2.0**-12, 1.0, 1e308)] == [0, 0, 0, 48, BINS - 1]


def at_threshold(theta: float, binary: bool):
    decision = with_reject(0.2, binary)
    decision.state[BAR] = theta
    return decision


@pytest.mark.parametrize(
    ("scores", "theta", "told"),
    [
        ([3.0, 1.0, 2.0], 1.0, 0),  # a lead of the threshold is enough
        ([3.0, 1.0, 2.0], 1.5, REJECTED),
        ([1.0, 1.0], 0.0, 0),
        ([1.0, 1.0], 5e-324, REJECTED),
        ([0.0, -2.0, 2.0], 2.0, 2),
        ([-4.0], math.inf, 0),  # one class only
    ],
)
def test_the_best_class_must_lead_by_the_threshold(scores, theta, told):
    decision = at_threshold(theta, binary=False)
    assert decide(decision, np.array(scores)) == told
    assert decide_without_reject(decision, np.array(scores)) == np.argmax(scores)


@pytest.mark.parametrize(
    ("score", "theta", "told"), [(0.0, 0.0, 1), (-0.0, 0.0, 1), (-1.0, 2.0, 0), (1.0, 2.0, 1), (-1.0, 2.1, -1), (1.0, 2.1, -1)]
)
def test_of_one_score_the_sign_tells_and_twice_its_size_is_the_lead(score, theta, told):
    decision = at_threshold(theta, binary=True)
    assert decide(decision, np.array([score])) == told
    assert decide_without_reject(decision, np.array([score])) == (score >= 0)


def test_only_a_reluctant_decision_watches():
    assert next_calibration_row(with_reject(0.1, True), 7) == 7
    assert next_calibration_row(3, 7) < 0
    assert calibrate(3, None, np.zeros(2), 0, 1) is None


# What does not matter to it


@pytest.mark.parametrize("unit", [2.0**-20, 2.0**20, 1e-6, 1e6])
@every_kind
def test_the_unit_of_the_features_does_not_matter(kind, unit):
    (plain, told), (scaled, told_scaled) = answered(kind, 5, 0.2), answered(kind, 5, 0.2, unit)
    assert (told == told_scaled).all()
    exact = math.frexp(unit)[0] == 0.5
    theta = threshold_of(plain.state) * unit**2  # the weights have that unit too
    assert threshold_of(scaled.state) == pytest.approx(theta, rel=0.0 if exact else 1e-9)
    assert (plain.state[RELATIVE], *plain.state[-2 * BINS :]) == (scaled.state[RELATIVE], *scaled.state[-2 * BINS :])


@pytest.mark.parametrize("monster", [1e12, 1e300])
@every_kind
def test_a_monstrous_row_moves_the_threshold_by_a_fraction(kind, monster):
    decision, _ = answered(kind, 4, 0.1)
    relative, mean = decision.state[[RELATIVE, MEAN]]
    record_lead(decision, np.array([monster, 0.0])[: 1 if decision.binary else 2], 0, 1, 1)
    assert mean < decision.state[MEAN] < mean * (1 + 3 / (ROWS / 4))  # the rows in the mean weigh about half of what they are
    assert decision.state[RELATIVE] == relative


@pytest.mark.parametrize("scores", [[math.nan, 0.0], [math.inf, math.inf], [math.inf, 0.0], [1.7e308, -1.7e308], [3.0]])
def test_scores_without_a_finite_lead_teach_nothing(scores):
    decision, _ = answered("four classes, averaged", 4, 0.1)
    before = decision.state.copy()
    with np.errstate(all="ignore"):
        record_lead(decision, np.array(scores), 0, 1, 1)
    assert before[BAR] > 0.0
    assert decision.state[BAR] == threshold_of(before)
    assert (decision.state[1:] == before[1:]).all()


@pytest.mark.compiled
@pytest.mark.parametrize("unit", [1.0, 1e-6, 1e80])
@every_kind
def test_compiled_code_watches_and_answers_as_interpreted_code_does(kind, unit):
    for cost in (0.05, 0.3):
        one, answers = answered(kind, 6, cost, unit)
        other, compiled_answers = answered(kind, 6, cost, unit, compiled=True)
        assert one.state.tobytes() == other.state.tobytes()
        assert (answers == compiled_answers).all()


@pytest.mark.compiled
def test_compiled_code_puts_gaps_of_any_size_where_interpreted_code_does():
    rng = np.random.default_rng(0)
    scores = np.ldexp(rng.choice([0.5, 0.625, 0.75, 1.0 - 2.0**-53, 0.0], 4000), rng.integers(-30, 30, 4000))[:, None]
    scores[::50] = [[5e-324], [1e308], [math.inf], [math.nan]] * 20
    y, held = rng.integers(2, size=4000), np.ones(4001, int)
    states = []
    for run in (answer.interpreted, answer.compiled):
        decision, answers = with_reject(0.4, True), np.empty(4000, np.int64)
        run(decision, scores, held, y, answers)
        states.append((decision.state.tobytes(), answers.tolist()))
    assert states[0] == states[1]
