"""Intervals of every estimator: what they are, and that what they are made of is kept, copied, refused and loaded as all is."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ranktron
from ranktron.kernels import Gaussian
from ranktron.metrics import interval_coverage
from ranktron.models.learners import ensemble
from tests.family import VARIANT_IDS, VARIANTS, make, stream

every_variant = pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=VARIANT_IDS)
CLASSES = [1, 2, 3, 4, 5]
RELEASED = Path(__file__).parents[1] / "released"


def noted(model: Any) -> bytes:
    """What intervals are made of, to the last bit."""
    return b"".join(array.tobytes() for array in model._learner.tallies.values())


@every_variant
def test_it_does_not_matter_how_a_stream_is_cut(name, parameters):
    X, y = stream(150)
    whole, parts, told, one = (make(name, **parameters, classes=CLASSES) for _ in range(4))
    whole.partial_fit(X, y)
    told.predict_then_learn(X, y)
    for part in np.split(np.arange(150), [1, 50, 51, 128]):
        parts.partial_fit(X[part], y[part])
    for row, label in zip(X, y):
        one.learn_one(row, label)
    assert noted(whole) == noted(parts) == noted(told) == noted(one)


@every_variant
def test_sets_are_intervals_around_the_prediction_and_those_of_more_coverage_hold_those_of_less(name, parameters):
    X, y = stream(300)
    model = make(name, **parameters).partial_fit(X[:200], y[:200])
    ranks, before = model.predict(X) - 1, np.zeros((300, 5), bool)
    for coverage in (0.5, 0.6, 0.77, 0.9, 0.94, 0.99):
        sets, (low, high) = model.predict_set(X, coverage), model.predict_interval(X, coverage)
        assert (low.dtype, sets.shape, sets.dtype) == (model.classes_.dtype, (300, 5), bool)
        assert (sets == ((low[:, None] <= CLASSES) & (high[:, None] >= CLASSES))).all()
        assert sets[np.arange(300), ranks].all()
        assert (sets | ~before).all()
        before = sets
        for row in range(0, 300, 60):
            own = np.array(CLASSES)[sets[row]].tolist()
            assert model.predict_set_one(X[row], coverage) == own
            assert model.predict_interval_one(X[row], coverage) == (own[0], own[-1])


@every_variant
def test_a_model_that_was_kept_or_copied_goes_on_noting(name, parameters, tmp_path):
    X, y = stream(120)
    model = make(name, **parameters).partial_fit(X[:90], y[:90])
    model.save(tmp_path / "model")
    copies = [ranktron.load(tmp_path / "model"), pickle.loads(pickle.dumps(model)), copy.deepcopy(model)]
    frozen = model.snapshot()
    expected = model.predict_interval(X)
    assert model._learner.tallies["intervals"][0] == 90  # all were noted
    for own in [model, *copies]:
        own.partial_fit(X[90:], y[90:])
        assert noted(own) == noted(model)
        assert (own.predict_set(X) == model.predict_set(X)).all()
    assert np.array_equal(frozen.predict_interval(X), expected)
    assert noted(frozen) != noted(model)


@every_variant
def test_a_row_that_is_refused_is_not_noted(name, parameters):
    X, y = stream(40)
    model = make(name, **parameters).partial_fit(X, y)
    before, spoiled = noted(model), X.copy()
    spoiled[30, 2] = np.inf
    for learn in (model.partial_fit, model.predict_then_learn):
        with pytest.raises(ValueError, match="row 30, column 2"):
            learn(spoiled, y)
        assert noted(model) == before
    with pytest.raises(ValueError, match="infinity"):
        model.learn_one(spoiled[30], y[30])
    assert noted(model) == before


@pytest.mark.parametrize("coverage", [0.49, 0.995, 1.0, 0, 90, -1, float("nan"), None, "0.9", [0.9]])
def test_a_coverage_that_no_bar_is_kept_for_is_refused(coverage):
    model = ranktron.PRank().partial_fit(*stream(30))
    for ask in (model.predict_interval, model.predict_set):
        with pytest.raises(ValueError, match=r"coverage=.* should be a number from 0\.5 to 0\.99"):
            ask(np.ones((1, 4)), coverage)
    with pytest.raises(ValueError, match="coverage="):
        model.predict_interval_one(np.ones(4), coverage)


def test_nothing_was_learned_yet():
    with pytest.raises(ValueError, match="has not learned anything yet"):
        ranktron.PRank().predict_interval([[1.0]])
    with pytest.raises(ValueError, match="has not learned anything yet"):
        ranktron.PRank().predict_set_one({"a": 1.0})


def test_with_little_to_go_by_all_labels_are_in():
    X, y = stream(60)
    model = ranktron.PRank(classes=CLASSES)
    assert model.predict_interval_one(X[0]) == (1, 5)
    for row in range(4):
        assert model.predict_interval_one(X[row]) == (1, 5)
        model.learn_one(X[row], y[row])
    model.partial_fit(X[4:], y[4:])
    assert not model.predict_set(X).all()


def test_labels_and_names_that_appear_on_the_way():
    model, rng = ranktron.PRank(), np.random.default_rng(0)
    for row in range(300):
        names = ["a", "b", "c", "d"][: 1 + row // 60]
        x = {name: rng.standard_normal() for name in names}
        y = min(1 + row // 40, max(1, round(3 + 2 * x["a"])))
        if row:
            low, high = model.predict_interval_one(x)
            assert low <= model.predict_one(x) <= high
        model.learn_one(x, y)
    assert model.classes_.tolist() == [1, 2, 3, 4, 5, 6, 7, 8][: len(model.classes_)]
    assert len(model.classes_) > 4
    assert np.isfinite(model._learner.tallies["intervals"]).all()


def test_labels_that_are_no_numbers():
    X, y = stream(80)
    labels = np.array(["awful", "bad", "fair", "good", "great"])
    model = ranktron.PRank(classes=labels.tolist()).partial_fit(X, labels[y - 1])
    low, high = model.predict_interval(X)
    assert set(low) | set(high) <= set(labels)
    assert model.predict_interval_one(X[3]) == (low[3], high[3])


@pytest.mark.parametrize("file", sorted(RELEASED.glob("*/PRank.ranktron")), ids=lambda file: file.parent.name)
def test_files_of_versions_that_noted_nothing_begin_to_note(file):
    X, y = stream(60, 4, seed=11)
    model = ranktron.load(file)
    if model._learner.tallies["intervals"][0] == 0:
        assert model.predict_set(X).all()
    labels = np.array(["awful", "bad", "fair", "good", "great"])
    seen = model._learner.tallies["intervals"][0]
    model.partial_fit(X, labels[y - 1])
    assert model._learner.tallies["intervals"][0] == seen + 60


def test_rows_that_come_again_are_not_noted_again():
    X, y = stream(400, 6)
    once, often, heedless = (
        ranktron.PRank(kernel=Gaussian(2.0), average=False, epochs=epochs) for epochs in (1, 8, 1)
    )  # learns rows by heart
    once.fit(X[:200], y[:200])
    often.fit(X[:200], y[:200])
    for _ in range(8):
        heedless.partial_fit(X[:200], y[:200])
    assert (often.predict(X[:200]) == y[:200]).mean() > 0.7
    assert often._learner.tallies["intervals"][0] == 200
    covered = [interval_coverage(y[200:], *model.predict_interval(X[200:])) for model in (once, often, heedless)]
    assert min(covered[:2]) >= 0.85
    assert covered[2] < 0.6  # by rows that were known, labels are never strange
    often.partial_fit(X[200:], y[200:])
    assert often._learner.tallies["intervals"][0] == 400


@pytest.mark.parametrize("combine", ["bpm", "bagging"])
def test_members_that_learn_on_threads_note_nothing_of_their_own(combine, monkeypatch):
    monkeypatch.setattr(ensemble, "WORTH_THREADS", 1)
    X, y = stream(300)
    one, many = (ranktron.OAP(n_members=130, combine=combine, n_jobs=jobs).partial_fit(X, y) for jobs in (1, 2))
    assert noted(one) == noted(many)
    assert one._learner.tallies["intervals"][0] == 300


def test_river_and_scikit_learn_have_them_too():
    from ranktron import river

    X, y = stream(60)
    model, other = river.PRank(), ranktron.estimators.PRank(classes=CLASSES).partial_fit(X, y)
    for row, label in zip(X.tolist(), y.tolist()):
        model.learn_one(dict(enumerate(row)), label)
    low, high = model.predict_interval_one(dict(enumerate(X[0].tolist())))
    assert 1 <= low <= high <= 5
    assert other.predict_set(X).shape == (60, 5)
