"""The slope of OrdinalLogit's probabilities: what it is learned on, what it leaves alone, and how well calibrated they are."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

import ranktron
from ranktron.core.calibration import GROWTH, HALVED, MEMORY, PRIOR, ROWS, SHORTEST, calibrated_slope, learn_slope, slope_of
from ranktron.data import synthetic
from ranktron.metrics import ranked_probability_score

from ..family import make, state, stream

LABELS = range(1, 6)
VARIANTS = [{"order": order, "average": average} for order in (1, 2) for average in (False, True)]
VARIANTS += [{"order": 1, "step": 0.1}, {"order": 1, "scale": "standard"}, {"scale": "settled"}, {"order": 1, "forget": 0.05}]
every_variant = pytest.mark.parametrize("parameters", VARIANTS, ids=[" ".join(map(str, one.values())) for one in VARIANTS])


def taught(X, y, **parameters):
    return ranktron.OrdinalLogit(classes=LABELS, **parameters).partial_fit(X, y)


def calibration_error(model, X, y):
    """The mean gap between P(y > r) and its frequency, in tenths of the unit interval, all thresholds together."""
    above = 1.0 - model.predict_proba(X).cumsum(axis=1)[:, :-1]
    gaps = above - (y[:, None] > model.classes_[:-1])
    return np.abs(np.bincount((above * 9.999).astype(int).ravel(), gaps.ravel())).sum() / above.size


@pytest.mark.parametrize(
    ("parameters", "before", "bar"),
    [({}, 0.045, 0.012), ({"scale": "settled"}, 0.02, 0.012), ({"order": 1, "scale": "standard"}, 0.07, 0.025)],
    ids=["order 2", "order 2, settled", "order 1, standard"],
)
def test_probabilities_are_calibrated_on_the_papers_stream(parameters, before, bar):
    X, y = synthetic.crammer_singer(1_500, seed=1)
    fresh, truth = synthetic.crammer_singer(10_000, seed=2)
    assert calibration_error(taught(X, y, calibrate=False, **parameters), fresh, truth) > before
    assert calibration_error(taught(X, y, **parameters), fresh, truth) < bar


@pytest.mark.parametrize("parameters", [{}, {"scale": "settled"}, {"order": 1}], ids=["order 2", "order 2, settled", "order 1"])
def test_few_rows_do_not_make_probabilities_worse(parameters):
    """A slope without a prior doubles the ranked probability score of the second after 20 rows; five streams in the mean."""
    scores = {True: np.zeros(3), False: np.zeros(3)}
    for seed in range(5):
        X, y = synthetic.crammer_singer(2_050, seed=seed)
        for calibrate, sums in scores.items():
            model = taught(X[:3], y[:3], calibrate=calibrate, **parameters)
            for place, (start, stop) in enumerate([(3, 10), (10, 20), (20, 50)]):
                told = model.partial_fit(X[start:stop], y[start:stop]).predict_proba(X[50:])
                sums[place] += ranked_probability_score(y[50:], told, LABELS)
    assert (scores[True] < 1.05 * scores[False]).all()


@every_variant
def test_all_but_the_probabilities_is_as_without_it(parameters):
    X, y = stream(80)
    with_slope, without = (taught(X, y, calibrate=calibrate, **parameters) for calibrate in (True, False))
    assert with_slope.slope_ != 1.0 == without.slope_
    assert (with_slope.predict_proba(X) != without.predict_proba(X)).any()
    learned = state(with_slope)
    assert learned.pop("slope") == with_slope._learner.tallies["slope"].tobytes()
    assert learned == state(without)
    for answers in ("predict", "project", "decision_function", "predict_set"):
        assert getattr(with_slope, answers)(X).tobytes() == getattr(without, answers)(X).tobytes()


@every_variant
def test_the_slope_is_learned_on_the_scores_that_probabilities_come_from(parameters):
    """Before each row is learned, by what the model predicts with: for averages their mean."""
    X, y = stream(60)
    model, log_slope, curvature = ranktron.OrdinalLogit(classes=LABELS, **parameters), 0.0, 0.0
    for age, (row, label) in enumerate(zip(X, y.tolist())):
        below = np.cumsum(list(model.predict_proba_one(row).values()))[:-1]
        scores = np.log((1 - below) / below) / (model.slope_ if age else 1.0)
        model.learn_one(row, label)
        z = np.clip(np.exp(log_slope) * scores, -30, 30)
        keep = 1 - 1 / min(MEMORY / 4, SHORTEST + GROWTH * age)
        before, prior = (PRIOR / (1 + rows / HALVED) for rows in (age, age + 1))
        log_slope *= keep * (curvature + before) / (keep * curvature + prior)
        curvature = keep * curvature + (expit(z) * expit(-z) * z * z).sum()
        log_slope -= np.clip(((expit(z) - (label > np.arange(1, 5))) * z).sum() / (curvature + prior), -1, 1)
        assert model.slope_ == pytest.approx(np.exp(log_slope), rel=1e-6)


def test_the_slope_is_learned_in_every_epoch():
    """The first epoch's hypotheses are not those that answer in the end; the prior widens with new rows only.

    A Rater's slope stays as the first epoch left it.
    """
    X, y = stream(60)
    once, twice = (ranktron.OrdinalLogit(order=1, epochs=epochs).fit(X, y) for epochs in (1, 2))
    assert once.slope_ != twice.slope_
    assert once._learner.tallies["slope"][ROWS] == twice._learner.tallies["slope"][ROWS] == 60
    assert twice.partial_fit(X, y)._learner.tallies["slope"][ROWS] == 120
    assert ranktron.Rater(epochs=2).fit(X, y).slope_ == ranktron.Rater().fit(X, y).slope_


def test_without_evidence_the_slope_goes_back_to_one():
    """Answers at score 0 tell nothing: what was learned before them fades, faster than the prior does."""
    decision = calibrated_slope()
    decision.state[:] = 1.0, 1_000.0, 10_000.0
    for _ in range(10_000):
        learn_slope(decision.state, np.zeros(5), 1, 2, False)
    assert slope_of(decision) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("order", [1, 2])
def test_members_of_an_ensemble_learn_no_slope(order):
    X, y = stream(40)
    estimator = ranktron.OrdinalLogit(order=order)
    for model in (make("OAP", estimator=estimator), make("Voted", estimator=estimator)):
        assert "slope" not in model.partial_fit(X, y)._learner.tallies


def test_a_file_keeps_whether_there_is_a_slope(tmp_path):
    X, y = stream(40)
    for calibrate in (True, False):
        model = taught(X, y, calibrate=calibrate)
        model.save(tmp_path / "model")
        loaded = ranktron.load(tmp_path / "model")
        assert loaded.calibrate is calibrate
        assert state(loaded.partial_fit(X, y)) == state(model.partial_fit(X, y))
        assert loaded.slope_ == model.slope_
