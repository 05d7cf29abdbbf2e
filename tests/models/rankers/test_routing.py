"""scikit-learn's tools around rankers: ids reach every step by metadata routing, and a score without them is an error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import ranktron
from ranktron import QueryScaler, metrics

from .family import every_name, make, scores_of, state, stream


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def asking(name: str, **parameters: Any) -> Any:
    """A ranker that asks for the ids."""
    ranker = make(name, **parameters).set_fit_request(qid=True).set_score_request(qid=True)
    return ranker.set_predict_request(qid=True) if ranker.looks_within_lists else ranker


def scaled(name: str, **parameters: Any) -> Any:
    """A pipeline in which both steps ask for them."""
    return make_pipeline(QueryScaler().set_fit_request(qid=True).set_transform_request(qid=True), asking(name, **parameters))


def data(n_lists: int = 24) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lists whose features have a scale of their own in each, and whose rows are mixed."""
    X, y, qid = stream(n_lists, seed=3)
    random = np.random.default_rng(5)
    mixed = random.permutation(len(y))
    return (X * 10.0 ** random.integers(-2, 3, n_lists)[qid - 100, None])[mixed], y[mixed], qid[mixed]


def by_hand(model: Any, scaler: Any = None, n_splits: int = 3) -> list[float]:
    """The score of each fold, without scikit-learn's tools."""
    X, y, qid = data()
    scores = []
    for train, test in GroupKFold(n_splits).split(X, y, qid):
        seen, unseen = (X[rows] if scaler is None else scaler.fit_transform(X[rows], qid=qid[rows]) for rows in (train, test))
        scores.append(clone(model).fit(seen, y[train], qid[train]).score(unseen, y[test], qid[test]))
    return scores


@pytest.mark.usefixtures("routing")
@every_name
def test_cross_validation_by_lists(name: str) -> None:
    X, y, qid = data()
    how = {"cv": GroupKFold(3), "params": {"qid": qid, "groups": qid}, "error_score": "raise"}
    assert cross_val_score(asking(name), X, y, **how).tolist() == by_hand(make(name))
    assert cross_val_score(scaled(name), X, y, **how).tolist() == by_hand(make(name), QueryScaler())


@pytest.mark.usefixtures("routing")
@every_name
def test_a_pipeline_learns_what_its_steps_do_by_hand(name: str) -> None:
    X, y, qid = data()
    pipeline = scaled(name).fit(X, y, qid=qid)
    rows = QueryScaler().fit_transform(X, qid=qid)
    ranker = make(name).fit(rows, y, qid)
    assert state(pipeline[-1]) == state(ranker)
    assert pipeline.predict(X, qid=qid).tobytes() == scores_of(ranker, rows, qid).tobytes()
    assert pipeline.score(X, y, qid=qid) == ranker.score(rows, y, qid)
    assert pipeline[-1].rank(pipeline[:-1].transform(X, qid=qid), qid).tolist() == ranker.rank(rows, qid).tolist()


@pytest.mark.usefixtures("routing")
@every_name
def test_a_grid_search_by_lists_through_a_pipeline(name: str) -> None:
    X, y, qid = data()
    last = name.lower()
    grid = {"queryscaler__method": ["minmax", "standard"], f"{last}__epochs": [1, 3], f"{last}__measure": ["ndcg@3", "ap"]}
    search = GridSearchCV(scaled(name), grid, cv=GroupKFold(3), error_score="raise").fit(X, y, qid=qid, groups=qid)
    folds = [search.cv_results_[f"split{fold}_test_score"] for fold in range(3)]
    for parameters, *scores in zip(search.cv_results_["params"], *folds):
        own = {key.partition("__")[2]: value for key, value in parameters.items()}
        assert scores == by_hand(make(name, epochs=own["epochs"], measure=own["measure"]), QueryScaler(own["method"]))
    assert search.best_estimator_[-1].n_seen_ == 24 * search.best_params_[f"{last}__epochs"]
    assert search.score(X, y, qid=qid) == search.best_estimator_.score(X, y, qid=qid)


@pytest.mark.usefixtures("routing")
@every_name
def test_a_search_over_steps(name: str) -> None:
    if name == "MinimaxRank":
        assert "step" not in make(name).get_params()  # it has none to choose
        return
    X, y, qid = data()
    grid = {"step": [0.01, 1.0, ranktron.AdaGrad(0.1)]}
    search = GridSearchCV(asking(name), grid, cv=GroupKFold(3), error_score="raise").fit(X, y, qid=qid, groups=qid)
    assert search.cv_results_["split0_test_score"].tolist() == [by_hand(make(name, step=step))[0] for step in grid["step"]]


@pytest.mark.usefixtures("routing")
@every_name
def test_a_scorer_of_ones_own_gets_the_ids_too(name: str) -> None:
    X, y, qid = data()
    scorer = make_scorer(metrics.average_precision, empty="skip").set_score_request(qid=True)
    how = {"cv": GroupKFold(3), "scoring": scorer, "params": {"qid": qid, "groups": qid}, "error_score": "raise"}
    told, expected = cross_validate(asking(name), X, y, **how), []
    for train, test in GroupKFold(3).split(X, y, qid):
        scores = make(name).fit(X[train], y[train], qid[train]).predict(X[test])
        expected.append(metrics.average_precision(y[test], scores, qid[test], empty="skip"))
    assert told["test_score"].tolist() == expected


@pytest.mark.usefixtures("routing")
def test_ids_that_nobody_asked_for_are_an_error() -> None:
    X, y, qid = data()
    with pytest.raises(UnsetMetadataPassedError, match="qid"):
        cross_val_score(ranktron.ListNet(), X, y, cv=GroupKFold(3), params={"qid": qid, "groups": qid}, error_score="raise")
    half = ranktron.ListNet().set_fit_request(qid=True).set_score_request(qid=False)
    with pytest.raises(ValueError, match="pass qid= to score"):
        cross_val_score(half, X, y, cv=GroupKFold(3), params={"qid": qid, "groups": qid}, error_score="raise")


@every_name
def test_without_routing_a_score_is_an_error_and_no_number(name: str) -> None:
    X, y, qid = data()
    with pytest.raises(ValueError, match="pass qid= to score"):
        GridSearchCV(make(name), {"epochs": [1, 2]}, cv=GroupKFold(3), error_score="raise").fit(X, y, groups=qid, qid=qid)
    with pytest.raises(ValueError, match="pass qid= to score"):
        cross_val_score(make(name), X, y, groups=qid, cv=GroupKFold(3), params={"qid": qid}, error_score="raise")
    with pytest.warns(UserWarning, match="Scoring failed"):
        scores = cross_val_score(make(name), X, y, groups=qid, cv=GroupKFold(3), params={"qid": qid})
    assert np.isnan(scores).all()


@every_name
def test_cross_val_predict_without_routing(name: str) -> None:
    X, y, qid = data()
    scores = cross_val_predict(make(name), X, y, groups=qid, cv=GroupKFold(3), params={"qid": qid})
    for train, test in GroupKFold(3).split(X, y, qid):
        assert scores[test].tobytes() == make(name).fit(X[train], y[train], qid[train]).predict(X[test]).tobytes()


@every_name
def test_other_steps_need_no_ids(name: str) -> None:
    X, y, qid = data()
    pipeline = make_pipeline(StandardScaler(), make(name)).fit(X, y, **{f"{name.lower()}__qid": qid})
    rows = StandardScaler().fit_transform(X)
    assert state(pipeline[-1]) == state(make(name).fit(rows, y, qid))


@every_name
def test_lists_have_no_weights(name: str) -> None:
    X, y, qid = data()
    model = make(name).fit(X, y, qid)
    assert model.score(X, y, qid, sample_weight=None) == model.score(X, y, qid)
    with pytest.raises(ValueError, match="sample_weight"):
        model.score(X, y, qid, sample_weight=np.ones(len(y)))


@pytest.mark.usefixtures("routing")
@every_name
def test_requests_stay_with_clones(name: str) -> None:
    model = clone(asking(name).set_partial_fit_request(qid=True))
    routes = model.get_metadata_routing()
    assert [getattr(routes, method).requests["qid"] for method in ("fit", "partial_fit", "score")] == [True] * 3
    assert make(name).get_metadata_routing().fit.requests == {"qid": None}
