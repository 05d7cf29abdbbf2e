"""The slope that turns scores into probabilities."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ranktron.core.calibration import MEMORY, learned_slope, slope_of, steepen
from ranktron.core.protocol import calibration_state, decide
from ranktron.metrics import ranked_probability_score


@pytest.mark.parametrize("truth", [0.05, 1.0, 7.0])
def test_the_slope_of_a_logistic_stream_is_found(truth: float) -> None:
    random = np.random.default_rng(1)
    scores = random.normal(size=8_000) / truth
    above = random.random(8_000) < 1 / (1 + np.exp(-truth * scores))
    decision = learned_slope()
    for score, is_above in zip(scores.tolist(), above.tolist()):
        steepen(decision.state, score, is_above)
    assert slope_of(decision) == pytest.approx(truth, rel=0.15)  # of 2,000 answers that weigh, 5 % is a standard error


def test_a_step_goes_down_the_loss() -> None:
    """The derivative of log(1 + exp(∓ a s)) along log a, by differences."""
    for score, is_above in ((0.7, True), (0.7, False), (-1.3, True), (-1.3, False)):
        side = 1.0 if is_above else -1.0
        decision = learned_slope()
        before, curvature = decision.state.tolist()

        def loss(log_slope: float, z: float = side * score) -> float:
            return math.log1p(math.exp(-math.exp(log_slope) * z))

        derivative = (loss(before + 1e-6) - loss(before - 1e-6)) / 2e-6
        steepen(decision.state, score, is_above)
        chance = 1 / (1 + math.exp(-score))
        curvature += chance * (1 - chance) * score * score - curvature / MEMORY
        assert decision.state[0] == pytest.approx(before - derivative / max(curvature, 1.0), rel=1e-6)


def test_scores_beyond_all_measure_leave_it_finite() -> None:
    decision = learned_slope()
    for score in (1e300, -1e300, 0.0, 5e-324):
        for is_above in (True, False):
            steepen(decision.state, score, is_above)
    assert np.isfinite(decision.state).all()
    assert set(calibration_state(decision)) == {"slope"}
    assert decide(decision, np.array([1.0, -1.0, 0.5])) == 1


def test_probabilities_of_many_features_are_calibrated() -> None:
    """Beyond its belief a Rater has no probabilities but by the slope: they are as good as the true ones, nearly."""
    from ranktron.doors import Rater
    from ranktron.doors.rater import MOST_FEATURES

    random = np.random.default_rng(0)
    X = random.normal(size=(3_000, MOST_FEATURES + 2))
    projection = X[:, :3] @ [2.0, -1.0, 1.0]
    cuts = np.array([-2.0, 0.0, 2.0])
    above = 1 / (1 + np.exp(cuts - projection[:, None]))
    y = (random.random(3_000)[:, None] < above).sum(axis=1)
    model = Rater().fit(X[:2_000], y[:2_000])
    ends = np.ones((1_000, 1)), np.zeros((1_000, 1))
    truth = -np.diff(np.hstack([ends[0], above[2_000:], ends[1]]), axis=1)
    best = ranked_probability_score(y[2_000:], truth, classes=[0, 1, 2, 3])
    blind = ranked_probability_score(y[2_000:], np.tile(np.bincount(y) / 3_000, (1_000, 1)), classes=[0, 1, 2, 3])
    told = model.predict_proba(X[2_000:])
    found = ranked_probability_score(y[2_000:], told, classes=[0, 1, 2, 3])
    assert np.allclose(told.sum(axis=1), 1.0)
    assert found - best < 0.25 * (blind - best)
