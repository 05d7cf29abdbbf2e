"""A stream of lists gives one model, however it is cut, presented or ordered, and tells what it counts."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest

from ranktron import metrics

from .family import both_averages, each, every_direction, every_name, every_variant, learned, make, state, stream


@every_variant
@both_averages
def test_lists_one_by_one_are_lists_all_at_once(name: str, parameters: dict[str, Any], average: bool) -> None:
    X, y, qid = stream(20, longest=21)
    whole, parts, alone = (make(name, **parameters, average=average) for _ in range(3))
    whole.partial_fit(X, y, qid)
    for number, (rows, grades) in enumerate(each(X, y, qid)):
        parts.partial_fit(rows, grades, qid=[number] * len(rows))
        assert alone.learn_list(rows, grades) is None
    assert state(parts) == state(whole)
    assert learned(alone) == learned(whole)
    assert whole.n_seen_ == 20


@every_variant
def test_where_a_stream_is_cut_does_not_matter(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(30, d=9, seed=1)
    whole, cut = make(name, **parameters).partial_fit(X, y, qid), make(name, **parameters)
    for lists in np.split(np.unique(qid), [1, 2, 9, 25]):
        rows = np.isin(qid, lists)
        cut.partial_fit(X[rows], y[rows], qid[rows])
    assert state(cut) == state(whole)


@every_variant
@both_averages
def test_predict_then_learn_says_what_predict_would_have_said(name: str, parameters: dict[str, Any], average: bool) -> None:
    X, y, qid = stream(20, seed=2)
    model, twin = make(name, **parameters, average=average), make(name, **parameters, average=average)
    told, before = model.predict_then_learn(X, y, qid), []
    for rows, grades in each(X, y, qid):
        before.append(twin.predict(rows) if before else np.zeros(len(rows)))
        twin.learn_list(rows, grades)
    assert told.tobytes() == np.concatenate(before).tobytes()
    assert learned(model) == learned(twin)
    assert np.abs(told).max() > 0


@every_variant
def test_an_id_of_an_earlier_call_is_a_new_list(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(8)
    again, anew = make(name, **parameters), make(name, **parameters)
    for model, ids in ((again, qid), (anew, qid + 1000)):
        model.partial_fit(X, y, qid).partial_fit(X, y, ids)
    assert state(again) == state(anew)
    assert again.n_seen_ == 16


@every_variant
def test_without_ids_all_rows_are_one_list(name: str, parameters: dict[str, Any]) -> None:
    X, y, _ = stream(8)
    whole, alone = make(name, **parameters).partial_fit(X, y), make(name, **parameters)
    alone.learn_list(X, y)
    assert state(whole) == state(alone)
    assert learned(whole) == learned(make(name, **parameters).partial_fit(X, y, qid=["a"] * len(y)))
    assert whole.n_seen_ == 1


@every_variant
def test_fit_forgets_lists_features_and_ids(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(10)
    model = make(name, **parameters).fit(*stream(5, d=7, seed=3))
    assert state(model.fit(X, y)) == state(make(name, **parameters).fit(X, y))
    assert state(model.fit(X[:, :2], y, qid)) == state(make(name, **parameters).partial_fit(X[:, :2], y, qid))


@every_variant
def test_epochs_are_as_many_passes(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(10)
    passes = make(name, **parameters)
    for _ in range(3):
        passes.partial_fit(X, y, qid)
    assert state(make(name, **parameters, epochs=3).fit(X, y, qid)) == state(passes)
    assert passes.n_seen_ == 30


class Backwards:
    """A source of one permutation."""

    def permutation(self, count: int) -> np.ndarray:
        return np.arange(count)[::-1]

    def integers(self, most: int) -> int:
        return 0


@every_variant
def test_shuffling_changes_the_order_of_lists_and_no_more(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(10)
    shuffled = make(name, **parameters, shuffle=True, random_state=Backwards()).fit(X, y, qid)
    backwards = make(name, **parameters)
    for rows, grades in [*each(X, y, qid)][::-1]:
        backwards.learn_list(rows, grades)
    assert learned(shuffled) == learned(backwards)


@every_name
def test_shuffled_fits_depend_on_the_random_state_alone(name: str) -> None:
    X, y, qid = stream(20)
    first, again, other = (state(make(name, shuffle=True, random_state=seed, epochs=2).fit(X, y, qid)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert first != state(make(name, epochs=2).fit(X, y, qid))


@every_variant
def test_averaging_does_not_change_what_is_learned(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(20, seed=4)
    mean, last = (make(name, **parameters, average=average).fit(X, y, qid) for average in (True, False))
    assert (mean.n_updates_, mean.cumulative_loss_) == (last.n_updates_, last.cumulative_loss_)
    assert mean._learner.arrays()["w"].tobytes() == last._learner.arrays()["w"].tobytes()
    assert mean.predict(X).tolist() != last.predict(X).tolist()


@every_direction
def test_the_mean_is_that_of_the_hypotheses_held_after_each_list(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(20, seed=4)
    mean, last, held = make(name, **parameters), make(name, **parameters, average=False), []
    for rows, grades in each(X, y, qid):
        mean.learn_list(rows, grades)
        last.learn_list(rows, grades)
        held.append(last.coef_)
        np.testing.assert_allclose(mean.coef_, np.mean(held, axis=0), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(mean.predict(X), X @ np.mean(held, axis=0), rtol=1e-9, atol=1e-12)


def judged(measure: str, grades: np.ndarray, scores: np.ndarray) -> float:
    if measure == "ap":
        return float(metrics.average_precision(grades, scores))
    return float(metrics.ndcg(grades, scores, k=int(measure.partition("@")[2] or len(grades))))


@every_variant
def test_the_loss_is_that_of_the_lists_as_they_were_ranked_before(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(20, seed=5)
    model, loss = make(name, **parameters, average=False), 0.0
    for seen, (rows, grades) in enumerate(each(X, y, qid)):
        scores = model.predict(rows) if seen else np.zeros(len(rows))
        loss += 1 - judged(model.measure, grades, scores)  # a list with nothing relevant counts 1, the papers' way
        model.learn_list(rows, grades)
        assert model.n_seen_ == seen + 1
        assert model.cumulative_loss_ == pytest.approx(loss, rel=1e-12, abs=1e-12)
    assert 0 < model.n_updates_ <= 17
    assert loss > 0


@every_variant
def test_updates_are_the_lists_that_move_the_hypothesis(name: str, parameters: dict[str, Any]) -> None:
    X, y, qid = stream(30, seed=6)
    model, counted, moved = make(name, **parameters, average=False), [0], [np.zeros(len(X)).tobytes()]
    for rows, grades in each(X, y, qid):
        model.learn_list(rows, grades)
        counted.append(model.n_updates_)
        moved.append(model.predict(X).tobytes())
    assert np.diff(counted).tolist() == [after != before for before, after in itertools.pairwise(moved)]
    assert 0 < counted[-1] < 30


@every_name
def test_nothing_is_warned_of(name: str) -> None:
    X, y, qid = stream(10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = make(name, epochs=3).fit(X, y, qid).partial_fit(X, y, qid)
    assert model.n_seen_ == 40
