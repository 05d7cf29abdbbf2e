"""What a ranker answers: scores, orders with ties by the lower row, and the mean of its measure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError
from sklearn.metrics import average_precision_score, ndcg_score

import ranktron

from .family import (
    both_averages,
    each,
    every_direction,
    every_name,
    every_row_variant,
    every_variant,
    make,
    refused,
    scores_of,
    state,
    stream,
)

MIXED = np.random.default_rng(3).permutation(len(stream()[0]))


def mixed() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, y, qid = stream()
    return X[MIXED], y[MIXED], qid[MIXED]


@every_direction
@both_averages
def test_scores_are_projections_on_the_direction(name: str, parameters: dict[str, Any], average: bool) -> None:
    X, y, qid = stream()
    model = make(name, **parameters, average=average).fit(X, y, qid)
    assert model.predict(X).shape == (len(X),)
    np.testing.assert_allclose(model.predict(X), X @ model.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.predict(sp.csr_array(X)), X @ model.coef_, rtol=1e-9, atol=1e-12)
    assert model.coef_.shape == (4,)


@every_row_variant
def test_a_rows_score_does_not_depend_on_the_others(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream()
    model = make(name, **parameters).fit(X, y, qid)
    single = np.concatenate([model.predict(X[row : row + 1]) for row in range(len(X))])
    assert single.tobytes() == model.predict(X).tobytes()


@every_variant
def test_the_order_of_one_list(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = mixed()
    model = make(name, **parameters).fit(X, y, qid)
    scores = model.predict(X).tolist()
    assert model.rank(X).tolist() == sorted(range(len(X)), key=lambda row: (-scores[row], row))


@every_variant
def test_orders_of_lists_come_one_after_another(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = mixed()
    model = make(name, **parameters).fit(X, y, qid)
    scores, order = scores_of(model, X, qid).tolist(), []
    for one in dict.fromkeys(qid.tolist()):
        order += sorted(np.flatnonzero(qid == one).tolist(), key=lambda row: (-scores[row], row))
    assert model.rank(X, qid).tolist() == order
    assert np.issubdtype(model.rank(X, qid).dtype, np.integer)


@every_name
def test_equal_scores_stand_in_the_order_of_their_rows(name: str) -> None:
    X, y, qid = stream(10)
    model = make(name).fit(X, y, qid)
    same = np.repeat(X[:3], 4, axis=0)[np.random.default_rng(0).permutation(12)]
    scores = model.predict(same)
    assert len(np.unique(scores)) == 3
    assert model.rank(same).tolist() == np.argsort(-scores, kind="stable").tolist()
    ids = np.arange(12) % 2
    expected = [*np.arange(0, 12, 2)[np.argsort(-scores[::2], kind="stable")]]
    assert model.rank(same, ids).tolist()[:6] == expected
    assert make(name).fit(np.zeros((5, 2)), range(5)).rank(np.ones((7, 2))).tolist() == [*range(7)]


@every_variant
def test_answering_changes_nothing(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = mixed()
    model = make(name, **parameters).fit(X, y, qid)
    before = state(model)
    first = model.predict(X).tobytes(), model.rank(X, qid).tobytes(), model.score(X, y, qid)
    assert (model.predict(X).tobytes(), model.rank(X, qid).tobytes(), model.score(X, y, qid)) == first
    assert state(model) == before


def judged(measure: str, grades: np.ndarray, scores: np.ndarray) -> float:
    """By scikit-learn, for scores that do not tie."""
    assert len(np.unique(scores)) == len(scores)
    if measure == "ap":
        return float(average_precision_score(grades > 0, scores))
    k = int(measure.partition("@")[2] or len(grades))
    return float(ndcg_score([2.0**grades - 1], [scores], k=k)) if len(grades) > 1 else 1.0


@every_name
@pytest.mark.parametrize("measure", ["ndcg", "ndcg@1", "ndcg@3", "ndcg@1000", "ap"])
def test_score_is_the_mean_over_lists_with_a_relevant_document(name: str, measure: str) -> None:
    X, y, qid = mixed()
    model = make(name, measure=measure).fit(X, y, qid)
    values = [judged(measure, grades, model.predict(rows)) for rows, grades in each(X, y, qid) if grades.any()]
    assert len(values) < 14  # of which one at least has nothing relevant
    assert model.score(X, y, qid) == pytest.approx(np.mean(values), rel=1e-12)
    assert isinstance(model.score(X, y, qid), float)


@every_name
def test_nothing_relevant_anywhere_has_no_score(name: str) -> None:
    X, y, qid = stream()
    assert np.isnan(make(name).fit(X, y, qid).score(X, np.zeros(len(y)), qid))


@every_name
def test_a_model_without_ids_is_scored_as_one_list(name: str) -> None:
    X, y, _ = stream()
    model = make(name).fit(X, y)
    assert model.score(X, y) == model.score(X, y, qid=["one"] * len(y))


@every_name
def test_lists_learned_one_at_a_time_leave_the_choice(name: str) -> None:
    X, y, qid = stream()
    model = make(name)
    for rows, grades in each(X, y, qid):
        model.learn_list(rows, grades)
    assert 0 < model.score(X, y, qid) <= 1
    assert model.score(X[:5], y[:5]) == model.score(X[:5], y[:5], qid=[0] * 5)


@every_name
def test_a_model_that_knows_ids_is_not_scored_without(name: str) -> None:
    X, y, qid = stream()
    for learn in ("fit", "partial_fit", "predict_then_learn"):
        model = make(name)
        getattr(model, learn)(X, y, qid)
        with refused(model, "qid"):
            model.score(X, y)
        model.partial_fit(X, y)
        with refused(model, "qid"):
            model.score(X, y)
        assert model.fit(X, y).score(X, y) > 0
        with refused(model.partial_fit(X, y, qid), "qid"):
            model.score(X, y)


@every_name
def test_refused_ids_are_not_remembered(name: str) -> None:
    X, y, qid = stream()
    model = make(name).fit(X, y)
    with refused(model, "row 3, column 1"):
        model.partial_fit(np.where(np.arange(X.size).reshape(X.shape) == 13, np.nan, X), y, qid)
    assert model.score(X, y) > 0


BAD_GRADES: dict[str, tuple[Any, tuple[str, ...]]] = {
    "too few": ([1, 0], ("2", "70")),
    "negative": ([-1] * 70, ("negative", "row 0")),
    "NaN": ([np.nan] * 70, ("NaN", "row 0")),
    "words": (["a"] * 70, ("grades",)),
    "none": (None, ("y",)),
}


@pytest.mark.parametrize("case", BAD_GRADES)
def test_score_refuses_grades_that_are_none(case: str) -> None:
    X, y, qid = (part[:70] for part in stream(40))
    grades, words = BAD_GRADES[case]
    model = ranktron.ListNet().fit(X, y, qid)
    with refused(model, *words):
        model.score(X, grades, qid)


@pytest.mark.parametrize("measure", ["map", "ndcg@0", "ndcg@", "ndcg@-1", "NDCG", "ndcg@1.5", None, 10])
def test_score_refuses_a_measure_that_is_none(measure: Any) -> None:
    X, y, qid = stream()
    model = ranktron.ListNet().fit(X, y, qid).set_params(measure=measure)
    with pytest.raises(ValueError, match="measure"):
        model.score(X, y, qid)


@every_name
def test_a_fresh_ranker_has_nothing_to_tell(name: str) -> None:
    model = make(name)
    for attribute in ("coef_", "n_features_in_", "feature_names_in_", "n_seen_", "n_updates_", "cumulative_loss_", "support_"):
        assert not hasattr(model, attribute)
    for ask in (lambda: model.predict([[1.0]]), lambda: model.rank([[1.0]]), lambda: model.score([[1.0]], [1])):
        with pytest.raises(NotFittedError, match="has not learned anything yet"):
            ask()
    with pytest.raises(NotFittedError, match="has not learned anything yet"):
        model.predict([{"a": 1.0}])


@every_variant
def test_kernels_have_a_support_and_others_a_direction(name: str, parameters: dict[str, Any]) -> None:
    model = make(name, **parameters).fit(*stream())
    missing = ["coef_"] if "kernel" in parameters else ["support_", "dual_coef_"]
    for attribute in missing:
        with pytest.raises(AttributeError, match="kernel"):
            getattr(model, attribute)
    assert not hasattr(model, "classes_")
    assert not hasattr(model, "thresholds_")
