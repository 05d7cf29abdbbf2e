"""The front door for lists: what it learns, against its definition; scales, sparse rows, explanations, and what it refuses."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import rankdata

from ranktron import AdaGrad, Ranker, doors, export
from ranktron.compile import policy
from ranktron.core import list_scaling
from ranktron.core.lists import lists_of
from ranktron.core.rows import CSR
from ranktron.data.streams.block import Block
from ranktron.models import streaming

from ..models.rankers.family import each, state, stream
from ..models.rankers.test_query_scaler import scaled
from ..papers import chaudhuri_tewari as paper

METHODS = ("standard", "minmax")
every_method = pytest.mark.parametrize("method", METHODS)
TEMPERATURE, RATE = 2.0, 0.1


# The definition


def standing_of(X: np.ndarray, method: str) -> np.ndarray:
    """The rows of one list: each feature, scaled, and beside it its rank, scaled."""
    columns = []
    for column in X.T.tolist():
        columns += [scaled(column, method), scaled(rankdata(column).tolist(), method)]
    return np.array(columns).T


class Oracle:
    """SLAM's softened loss on rows as they stand within their list, by AdaGrad, averaged."""

    def __init__(self, n_features: int, measure: str, method: str) -> None:
        self.measure, self.method = measure, method
        self.w, self.squares, self.total, self.count = *np.zeros((3, 2 * n_features)), 0

    def learn(self, X: np.ndarray, grades: list[int]) -> None:
        Z = standing_of(X, self.method)
        scores = (Z @ self.w).tolist()
        if paper.mistaken(scores, grades, self.measure):
            seen = paper.judged(grades, self.measure)
            weights = paper.weights(seen, self.measure, "average")
            gradient = Z.T @ np.array(paper.softened_gradient(scores, seen, weights, 1, TEMPERATURE), float)
            self.squares += gradient**2
            moved = self.squares > 0
            self.w[moved] -= RATE * gradient[moved] / np.sqrt(self.squares[moved])
        self.total, self.count = self.total + self.w, self.count + 1

    def predict(self, X: np.ndarray) -> np.ndarray:
        scores: np.ndarray = standing_of(X, self.method) @ (self.total / max(self.count, 1))
        return scores - scores.mean()


@every_method
@pytest.mark.parametrize("measure", ["ndcg@10", "ndcg@2", "ap"])
def test_a_pass_is_its_definition_list_by_list(method: str, measure: str) -> None:
    X, y, qid = stream(20, seed=1)
    X[:, 1] = np.round(X[:, 1])  # ties
    X[:, 2] *= qid == 105  # constant in other lists
    model, oracle = Ranker(query_scale=method, measure=measure), Oracle(4, measure, method)
    for rows, grades in each(X, y, qid):
        expected = oracle.predict(rows)
        np.testing.assert_allclose(model.predict_then_learn(rows, grades), expected, rtol=1e-7, atol=1e-9)
        oracle.learn(rows, grades.tolist())
    mean = oracle.total / oracle.count
    np.testing.assert_allclose(model.coef_, mean[::2], rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(model.rank_coef_, mean[1::2], rtol=1e-7, atol=1e-9)
    assert model.n_updates_ >= 5


@pytest.mark.parametrize("how", list(itertools.product([False, True], repeat=2)), ids=str)
@pytest.mark.parametrize("longest", [5, 200])
def test_blocks_stand_as_defined(how: tuple[bool, bool], longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_scaling, "ENOUGH", 50)  # several blocks
    random = np.random.default_rng(longest)
    qid = random.integers(0, 4, 4 * longest // 2)
    X = np.round(random.standard_normal((len(qid), 3)), 1) * np.array([1e-160, 1.0, 1e160])
    lists, (standard, ranked) = lists_of(qid, len(qid)), how
    found = np.empty((len(X), 3 * (1 + ranked)))
    for block in list_scaling.scaled_blocks(
        X, 3, lists, np.arange(len(lists.bounds) - 1), list_scaling.How(standard, ranked, False)
    ):
        assert block.bad == -1
        found[block.origin] = block.rows
    for one in np.unique(qid):
        expected = standing_of(X[qid == one] * np.array([1e160, 1.0, 1e-160]), "standard" if standard else "minmax")
        np.testing.assert_allclose(found[qid == one], expected if ranked else expected[:, ::2], rtol=1e-9, atol=1e-9)


# Scales and layouts


@every_method
def test_units_change_nothing(method: str) -> None:
    X, y, qid = stream(20)
    other = X * np.array([1e9, 1e-9, 1.0, 1e150]) + np.array([1e9, 0.0, -7.0, 0.0])
    for change in (other, -3.0 + 0.5 * X):
        model, plain = (Ranker(query_scale=method).fit(rows, y, qid) for rows in (change, X))
        np.testing.assert_allclose(model.predict(change, qid), plain.predict(X, qid), rtol=1e-5, atol=1e-5)


def test_only_the_order_counts_for_ranks() -> None:
    X, _, qid = stream(20)
    (one,), (other,) = blocks(np.exp(X), qid), blocks(X, qid)
    assert one.rows[:, 1::2].tolist() == other.rows[:, 1::2].tolist()
    assert one.rows[:, ::2].tolist() != other.rows[:, ::2].tolist()


def blocks(X: Any, qid: Any, anchored: bool = True) -> list[list_scaling.Block]:
    rows, lists = CSR(X.indptr, X.indices, X.data) if sp.issparse(X) else X, lists_of(qid, X.shape[0])
    return list(
        list_scaling.scaled_blocks(rows, 4, lists, np.arange(len(lists.bounds) - 1), list_scaling.How(True, True, anchored))
    )


def test_a_document_without_a_feature_stores_nothing_of_it() -> None:
    X, y, qid = stream(20)
    X *= np.abs(X) > 0.8
    (block,) = blocks(sp.csr_array(X), qid)
    assert np.diff(block.rows.indptr).sum() == block.rows.indptr[-1] <= 2 * np.count_nonzero(X)
    dense, sparse = Ranker().fit(X, y, qid), Ranker().fit(sp.csr_array(X), y, qid)
    np.testing.assert_allclose(sparse.predict(sp.csr_array(X), qid), dense.predict(X, qid), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(sparse.explain(sp.csr_array(X), qid), dense.explain(X, qid), rtol=1e-9, atol=1e-9)


@every_method
def test_small_blocks_are_one_large_one(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y, qid = stream(20)
    mixed = np.random.default_rng(0).permutation(len(y))
    for rows in (X[mixed], sp.csr_array(X[mixed])):
        runs = []
        for enough in (1, 100, 1 << 18):
            monkeypatch.setattr(list_scaling, "ENOUGH", enough)
            model = Ranker(query_scale=method, epochs=2, shuffle=True, random_state=0).fit(rows, y[mixed], qid[mixed])
            runs.append(
                (
                    state(model),
                    model.predict(rows, qid[mixed]).tobytes(),
                    model.predict_then_learn(rows, y[mixed], qid[mixed]).tobytes(),
                )
            )
        assert runs[0] == runs[1] == runs[2]


@pytest.mark.compiled
@pytest.mark.parametrize("method", ["standard", pytest.param("minmax", marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", [np.asarray, pytest.param(sp.csr_array, marks=pytest.mark.full)], ids=["dense", "csr"])
def test_long_lists_compiled_are_interpreted_ones(method: str, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    qid = np.repeat(np.arange(4), [300, 1, 256, 257])  # few enough to count, and too many
    X = np.round(random.standard_normal((len(qid), 3)), 1) * (random.random((len(qid), 3)) > 0.3)
    X[:, 2] *= np.where(qid == 0, 1e-200, 1e200)
    y, runs = random.integers(0, 4, len(qid)), []
    for patience in (math.inf, 0):
        monkeypatch.setattr(policy, "PATIENCE", patience)
        model = Ranker(query_scale=method).fit(kind(X), y, qid)
        runs.append((state(model), model.predict(kind(X), qid).tobytes()))
    assert runs[0] == runs[1]


# Answers


@every_method
@pytest.mark.parametrize("average", [True, False])
def test_explanations_add_up_to_scores(method: str, average: bool) -> None:
    X, y, qid = stream(20)
    model = Ranker(query_scale=method, average=average).fit(X, y, qid)
    shares = model.explain(X, qid)
    assert shares.shape == X.shape
    np.testing.assert_allclose(shares.sum(axis=1), model.predict(X, qid), rtol=1e-9, atol=1e-12)
    for one in np.unique(qid):
        alone = standing_of(X[qid == one], method).reshape(-1, 4, 2) * np.stack([model.coef_, model.rank_coef_], axis=1)
        total = alone.sum(axis=2)
        np.testing.assert_allclose(shares[qid == one], total - total.mean(axis=0), rtol=1e-9, atol=1e-12)


def test_scores_are_above_and_below_the_mean_of_their_list() -> None:
    X, y, qid = stream(20)
    model = Ranker().fit(X, y, qid)
    scores = model.predict(X, qid)
    for one in np.unique(qid):
        assert scores[qid == one].sum() == pytest.approx(0.0, abs=1e-9)
        np.testing.assert_allclose(model.predict(X[qid == one]), scores[qid == one], rtol=1e-9, atol=1e-12)
    assert model.predict(X[:1]).tolist() == [0.0]  # a list of one


def test_without_scaling_it_is_a_direction() -> None:
    X, y, qid = stream(20)
    model = Ranker(query_scale=None).fit(X, y, qid)
    np.testing.assert_allclose(model.predict(X, qid), X @ model.coef_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.explain(X), X * model.coef_, rtol=1e-9, atol=1e-12)
    assert not hasattr(model, "rank_coef_")
    assert "weights" in export(model, "json")


def test_the_mean_is_that_of_the_hypotheses_held_after_each_list() -> None:
    X, y, qid = stream(20, seed=4)
    mean, last, held = Ranker(), Ranker(average=False), []
    for rows, grades in each(X, y, qid):
        mean.learn_list(rows, grades)
        last.learn_list(rows, grades)
        held.append([last.coef_, last.rank_coef_])
    np.testing.assert_allclose([mean.coef_, mean.rank_coef_], np.mean(held, axis=0), rtol=1e-9, atol=1e-12)


def test_blocks_are_answered_list_by_list() -> None:
    X, y, qid = stream(12)
    model = doors.Ranker().fit(X, y, qid)
    block = Block(X, 4, None, y, qid % 2)  # ids come again: a run is a list
    assert (
        streaming.answer(model, block).tobytes() == streaming.project(model, block).tobytes() == model.predict(X, qid).tobytes()
    )


def test_features_without_scaling_may_be_scaled_over_all_rows() -> None:
    X, y, qid = stream(40)
    units = np.array([1e6, 1e-6, 1.0, 1e3])
    model, other = (Ranker(query_scale=None, scale="standard").fit(rows, y, qid) for rows in (X, X * units))
    np.testing.assert_allclose(other.predict(X * units), model.predict(X), rtol=1e-6, atol=1e-6)


# Refusals


def test_what_has_no_score_of_its_own_is_not_exported() -> None:
    X, y, qid = stream(8)
    for target in ("elasticsearch", "solr", "ranklib", "json"):
        with pytest.raises(ValueError, match="query_scale=None"):
            export(Ranker().fit(X, y, qid), target)


def test_two_scalings_are_one_too_many() -> None:
    X, y, qid = stream(8)
    with pytest.raises(ValueError, match="leave one of them None"):
        Ranker(scale="standard").fit(X, y, qid)


@every_method
@pytest.mark.parametrize("rows", [np.asarray, sp.csr_array], ids=["dense", "csr"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_the_row_with_a_bad_number_is_named_and_nothing_learned(method: str, rows: Any, bad: float) -> None:
    X, y, qid = stream(8)
    model = Ranker(query_scale=method).fit(X, y, qid)
    before = state(model)
    X[9, 2] = bad
    for call in (
        model.partial_fit,
        model.predict_then_learn,
        lambda X, y, qid: model.predict(X, qid),
        lambda X, y, qid: model.explain(X, qid),
    ):
        with pytest.raises(ValueError, match="row 9, column 2"):
            call(rows(X), y, qid)
        assert state(model) == before


def test_a_step_of_the_users_own_is_made() -> None:
    X, y, qid = stream(8)
    models = [Ranker(step=step).fit(X, y, qid).coef_.tolist() for step in (None, AdaGrad(RATE), AdaGrad(0.5), 0.1)]
    assert models[0] == models[1]
    assert len({tuple(one) for one in models}) == 3
