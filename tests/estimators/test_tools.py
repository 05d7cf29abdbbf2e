"""scikit-learn's tools around the estimators: clones, pickles, pipelines, searches."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

import ranktron

from ..family import NAMES, make, state, stream
from ..models.contract import every_variant

every_name = pytest.mark.parametrize("name", NAMES)


def quick(name: str, **parameters: Any) -> Any:
    """An estimator whose steps suit standardised features."""
    return make(name, **({"step": 0.01} if name == "WidrowHoff" else {}), **parameters)


@every_variant
def test_clone_keeps_parameters_and_forgets_what_was_learned(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters, classes=[1, 2, 3, 4, 5]).partial_fit(*stream())
    again = clone(model)
    assert again.get_params() == model.get_params()
    assert state(again) == {}
    assert state(again.partial_fit(*stream())) == state(model)


@every_variant
def test_parameters_round_trip(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters)
    assert {key: model.get_params()[key] for key in parameters} == parameters
    other = make(name, average=False, epochs=3, shuffle=True, random_state=1, classes=[2, 1], missing="zero", hash_bits=4)
    assert other.set_params(**model.get_params()) is other
    assert other.get_params() == model.get_params()
    assert type(model)(**model.get_params()).get_params() == model.get_params()


@every_name
def test_an_unknown_parameter_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Invalid parameter 'speed'"):
        make(name).set_params(speed=1)
    with pytest.raises(TypeError, match="speed"):
        make(name, speed=1)


@every_name
def test_the_constructor_keeps_parameters_as_they_are(name: str) -> None:
    classes = np.array([3, 1, 2])
    model = make(name, classes=classes, epochs="never checked here")
    assert model.classes is classes
    assert model.epochs == "never checked here"


def test_repr_shows_what_differs_from_the_defaults() -> None:
    assert repr(ranktron.PRank(ties="strict")) == "PRank(ties='strict')"


@every_variant
@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("copied", [lambda model: pickle.loads(pickle.dumps(model)), copy.deepcopy], ids=["pickle", "deepcopy"])
def test_a_copy_made_mid_stream_goes_on_bit_for_bit(name: str, parameters: dict[str, Any], average: bool, copied: Any) -> None:
    X, y = stream(50)
    model = make(name, **parameters, average=average).partial_fit(X[:25], y[:25], classes=[1, 2, 3, 4, 5])
    model.learn_one(X[25], y[25])
    twin = copied(model)
    assert type(twin) is type(model)
    assert state(twin) == state(model)
    before = state(model)
    twin.partial_fit(X[26:40], y[26:40]).learn_one(X[40], y[40])
    assert state(model) == before
    model.partial_fit(X[26:40], y[26:40]).learn_one(X[40], y[40])
    assert state(twin) == state(model)
    assert twin.predict_one(X[41]) == model.predict_one(X[41])


@every_name
def test_fit_forgets_rows_features_and_labels(name: str) -> None:
    X, y = stream(40)
    model = make(name, epochs=2).fit(stream(30, d=7, k=3, seed=1)[0], ["a", "b", "c"] * 10)
    assert state(model.fit(X, y)) == state(make(name, epochs=2).fit(X, y))
    assert model.n_seen_ == 80


@every_name
def test_fit_with_epochs_is_as_many_passes(name: str) -> None:
    X, y = stream(30)
    passes = make(name)
    for _ in range(3):
        passes.partial_fit(X, y)
    fitted, passed = state(make(name, epochs=3).fit(X, y)), state(passes)
    for noted in ("intervals", "slope"):  # by rows that come for the first time
        fitted.pop(noted, None), passed.pop(noted, None)
    assert fitted == passed


@every_name
def test_shuffled_fits_depend_on_the_random_state_alone(name: str) -> None:
    X, y = stream(40)
    first, again, other = (state(make(name, shuffle=True, random_state=seed).fit(X, y)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert first != state(make(name).fit(X, y))


@every_name
def test_a_pipeline_learns_what_the_steps_do_by_hand(name: str) -> None:
    X, y = stream(60)
    scaled = StandardScaler().fit(5 * X + 2)
    pipeline = make_pipeline(StandardScaler(), quick(name)).fit(5 * X + 2, y)
    by_hand = quick(name).fit(scaled.transform(5 * X + 2), y)
    np.testing.assert_array_equal(pipeline.predict(5 * X + 2), by_hand.predict(scaled.transform(5 * X + 2)))
    assert pipeline.score(5 * X + 2, y) == by_hand.score(scaled.transform(5 * X + 2), y)


@every_name
def test_a_pipeline_of_sparse_rows(name: str) -> None:
    X, y = stream(40)
    pipeline = make_pipeline(MaxAbsScaler(), quick(name)).fit(csr_matrix(X), y)
    assert set(pipeline.predict(csr_matrix(X))) <= {1, 2, 3, 4, 5}


@every_name
def test_a_grid_search_picks_among_parameters(name: str) -> None:
    X, y = stream(60, k=3)
    grid = {"shuffle": [True, False], "epochs": [1, 3]}
    search = GridSearchCV(quick(name), grid, cv=3, n_jobs=1, error_score="raise").fit(X, y)
    assert set(search.best_params_) == {"shuffle", "epochs"}
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    assert search.best_estimator_.n_seen_ == 60 * search.best_params_["epochs"]


@every_name
def test_cross_validation_is_better_than_chance(name: str) -> None:
    X, _ = stream(120, k=3)
    y = np.digitize(X @ [1.0, -2.0, 0.5, 0.0], [-1.0, 1.0])
    needed = {"MuPRank": {"signed": True, "radius": 5.0}, "WidrowHoff": {"fit_intercept": True, "step": 0.05}}
    model = make(name, epochs=3, **needed.get(name, {}))
    scores = cross_val_score(model, X, y, cv=3, n_jobs=1, error_score="raise")
    assert scores.mean() > 0.5
    assert cross_val_predict(model, X, y, cv=3).shape == y.shape


@every_name
def test_score_is_accuracy(name: str) -> None:
    X, y = stream(50)
    model = quick(name).fit(X, y)
    right, weights = model.predict(X) == y, np.arange(50)
    assert model.score(X, y) == right.mean()
    assert model.score(X, y, sample_weight=weights) == pytest.approx(np.average(right, weights=weights))


@pytest.mark.parametrize("kind", [ranktron.OAP, ranktron.Voted, ranktron.river.OAP, ranktron.river.Voted])
def test_an_aggregate_takes_its_estimator_by_position_and_nothing_else(kind: Any) -> None:
    member = ranktron.PRank(ties="strict")
    model = kind(member, classes=[1, 2, 3])
    assert model.estimator is member
    assert model.classes == [1, 2, 3]
    if kind.__module__ != "ranktron.river":
        assert repr(clone(model)) == repr(model)
        assert clone(model).estimator.get_params() == member.get_params()
    with pytest.raises(TypeError, match="takes from 1 to 2 positional arguments but 3 were given"):
        kind(member, 10)
