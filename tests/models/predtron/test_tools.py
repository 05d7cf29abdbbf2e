"""scikit-learn's tools around Predtrons: search, validation, pipelines, wrappers, and ids that are routed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.metrics import f1_score, hamming_loss
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ranktron import Predtron
from ranktron.data import separable
from ranktron.tasks import Binary, Multiclass, Multilabel, MultilabelRanking, Ordinal, SubsetRanking

from .family import state


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_links_and_steps_are_searched() -> None:
    X, y = separable.classes(120, 9, 4, seed=0)
    search = GridSearchCV(Predtron(Ordinal()), {"link": ["euclidean", "l1", "group"], "step": [0.1, 1.0]}, cv=3).fit(X, y)
    assert set(search.best_params_) == {"link", "step"}
    assert search.best_score_ == max(search.cv_results_["mean_test_score"]) > 0.5
    assert state(search.best_estimator_) == state(Predtron(Ordinal(), **search.best_params_).fit(X, y))


def test_tasks_are_searched_too() -> None:
    X, y = separable.classes(120, 9, 4, seed=0)
    search = GridSearchCV(Predtron(), {"task": [None, Multiclass(4), Ordinal(4)], "epochs": [1, 2]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.6
    assert type(search.best_estimator_).__name__ == "Predtron"


@pytest.mark.parametrize("task", [Multiclass(), Ordinal(), Binary()])
def test_words_are_cross_validated(task: Any) -> None:
    X, y = separable.classes(90, 6, 3, seed=1)
    if isinstance(task, Binary):
        y = (y > 1).astype(int)
    words = np.array(["red", "green", "blue"])[y]
    scores = cross_val_score(Predtron(task, epochs=3), X, words, cv=3)
    by_hand = [
        (Predtron(task, epochs=3).fit(X[train], words[train]).predict(X[test]) == words[test]).mean()
        for train, test in StratifiedKFold(3).split(X, words)
    ]
    assert scores.tolist() == pytest.approx(by_hand)
    assert scores.mean() > 0.7


@pytest.mark.parametrize("loss", ["hamming", "subset"])
def test_sets_of_labels_are_cross_validated(loss: str) -> None:
    X, Y = separable.multilabel(120, 6, 3, seed=0)
    model = make_pipeline(StandardScaler(), Predtron(Multilabel(loss), epochs=5))
    told = cross_val_predict(model, X, Y, cv=4)
    assert told.shape == Y.shape
    assert hamming_loss(Y, told) < 0.2
    assert f1_score(Y, told, average="macro") > 0.8
    scores = cross_val_score(model, X, Y, cv=4)
    assert scores.mean() == pytest.approx((told == Y).all(axis=1).mean(), abs=1e-12)


def test_a_set_is_told_label_by_label_by_its_wrapper() -> None:
    X, Y = separable.multilabel(120, 6, 3, margin=0.3, seed=0)
    wrapped = MultiOutputClassifier(Predtron(Binary(), epochs=20)).fit(X, Y)
    assert (wrapped.predict(X) == Y).mean() > 0.95


def test_sets_as_frames_and_sparse_matrices() -> None:
    X, Y = separable.multilabel(60, 6, 3, seed=0)
    plain = Predtron(Multilabel()).fit(X, Y)
    frame = pd.DataFrame(Y, columns=["a", "b", "c"], index=np.arange(60)[::-1])
    named = Predtron(Multilabel()).fit(pd.DataFrame(X, columns=list("uvwxyz")), frame)
    for given in (sp.csr_matrix(Y), sp.csc_array(Y), Y.astype(bool)):
        assert state(Predtron(Multilabel()).fit(X, given)) == state(plain)
        assert plain.score(X, given) == plain.score(X, Y)
    assert named.coef_.tobytes() == plain.coef_.tobytes()
    assert named.score(pd.DataFrame(X, columns=list("uvwxyz")), frame) == plain.score(X, Y)
    assert named.classes_.tolist() == ["a", "b", "c"]


def test_orders_of_labels_are_cross_validated() -> None:
    X, Y = separable.multilabel_ranking(90, 6, 4, seed=0)
    for measure in ("ndcg", "precision@2"):
        scores = cross_val_score(Predtron(MultilabelRanking(measure=measure), epochs=3, step=0.3), X, Y, cv=3)
        assert scores.min() > 0.8
    told = Predtron(MultilabelRanking(), epochs=3, step=0.3).fit(X, Y).predict(X)
    assert (np.sort(told, axis=1) == np.arange(4)).all()


def lists() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, y, qid = separable.subset_ranking(30, 5, 6, seed=0)
    mixed = np.random.default_rng(0).permutation(len(y))
    return X[mixed], y[mixed], qid[mixed]


@pytest.mark.usefixtures("routing")
def test_ids_are_routed_to_lists() -> None:
    X, y, qid = lists()
    model = Predtron(SubsetRanking(), epochs=2).set_fit_request(qid=True).set_score_request(qid=True)
    scores = cross_val_score(model, X, y, params={"qid": qid, "groups": qid}, cv=GroupKFold(3))
    by_hand = [
        clone(model).fit(X[train], y[train], qid[train]).score(X[test], y[test], qid[test])
        for train, test in GroupKFold(3).split(X, y, qid)
    ]
    assert scores.tolist() == by_hand
    assert min(scores) > 0.8
    search = GridSearchCV(
        model, {"link": ["euclidean", "group"], "task": [SubsetRanking(), SubsetRanking(2.0)]}, cv=GroupKFold(3)
    )
    assert search.fit(X, y, qid=qid, groups=qid).best_score_ > 0.8
    piped = make_pipeline(StandardScaler(), clone(model)).fit(X, y, qid=qid)
    assert piped.score(X, y, qid=qid) > 0.8


@pytest.mark.usefixtures("routing")
def test_ids_that_nobody_asked_for_are_refused() -> None:
    X, y, qid = lists()
    with pytest.raises(UnsetMetadataPassedError, match="qid"):
        cross_val_score(Predtron(SubsetRanking()), X, y, params={"qid": qid, "groups": qid}, cv=GroupKFold(3))
    with pytest.raises(TypeError, match="qid"):
        Predtron().set_score_request(qid=True)


@pytest.mark.usefixtures("routing")
def test_weights_are_routed_to_classes_and_sets() -> None:
    X, Y = separable.multilabel(60, 6, 3, seed=0)
    for task, targets in ((Multiclass(), Y[:, 0] + Y[:, 1]), (Multilabel(), Y)):
        weights = np.arange(60) % 3
        model = Predtron(task).set_fit_request(sample_weight=True)
        piped = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model)
        piped.fit(X, targets, sample_weight=weights)
        scaled = StandardScaler().fit_transform(X)
        assert state(piped[-1]) == state(Predtron(task).fit(scaled, targets, sample_weight=weights))


def test_a_request_of_one_kind_survives_a_clone_of_another_task() -> None:
    with sklearn.config_context(enable_metadata_routing=True):
        model = Predtron(SubsetRanking()).set_fit_request(qid=True)
        assert clone(model).get_metadata_routing().fit.requests["qid"] is True
        assert "qid" not in Predtron().get_metadata_routing().fit.requests
        assert "sample_weight" in Predtron(Multilabel()).get_metadata_routing().fit.requests
