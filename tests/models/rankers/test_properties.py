"""What holds for any lists: gradients that sum to zero, no way of writing a list that matters, and no score too large."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ranktron
from ranktron import AdaGrad
from tests.covering import examples

from ...papers import chaudhuri_tewari as paper
from ..contract import learned_once
from .family import DIRECTIONS, every_direction, every_linear_variant, ids_of, make, stream

GRADIENTS = [(name, parameters) for name, parameters in DIRECTIONS if name != "MinimaxRank"]
every_gradient = pytest.mark.parametrize(("name", "parameters"), GRADIENTS, ids=ids_of(GRADIENTS))
whole = st.integers(-4, 4)


@st.composite
def lists(draw: Any, smallest: int = 2, features: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Rows of small whole numbers, and grades."""
    count = draw(st.integers(smallest, 7))
    X = draw(hnp.arrays(np.int64, (count, features), elements=whole))
    return X.astype(float), np.array(draw(st.lists(st.integers(0, 4), min_size=count, max_size=count)))


@st.composite
def distinct(draw: Any) -> tuple[np.ndarray, np.ndarray]:
    """Rows and grades of which no two are the same."""
    count = draw(st.integers(2, 5))
    grades = draw(st.permutations(range(5)))[:count]
    rows = draw(st.lists(st.tuples(whole, whole, whole), min_size=count, max_size=count, unique=True))
    return np.array(rows, float), np.array(grades)


@learned_once
def warm(name: str, parameters: dict[str, Any]) -> Any:
    """A model that has learned something, whose answers are those of its last hypothesis."""
    return make(name, **parameters, average=False).fit(*stream(8, d=3, seed=1))


def moved(model: Any, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    before = model.coef_
    model.learn_list(X, y)
    return model.coef_ - before


def tells_apart(model: Any, X: np.ndarray) -> bool:
    """Whether no two scores are so near that rounding could swap them."""
    return bool((np.diff(np.sort(model.predict(X))) > 1e-6).all())


@every_linear_variant
@settings(max_examples=examples(40))
@given(one=lists(), added=hnp.arrays(np.int64, 3, elements=st.integers(-9, 9)))
def test_what_all_documents_share_is_not_learned(name: str, parameters: dict[str, Any], one: Any, added: np.ndarray) -> None:
    X, y = one
    plain, shifted = warm(name, parameters), warm(name, parameters)
    assume(tells_apart(plain, X))
    np.testing.assert_allclose(moved(shifted, X + added, y), moved(plain, X, y), rtol=1e-6, atol=1e-8)
    assert shifted.n_updates_ == plain.n_updates_
    assert shifted.cumulative_loss_ == pytest.approx(plain.cumulative_loss_)


@every_linear_variant
@settings(max_examples=examples(40))
@given(one=lists())
def test_a_feature_that_is_constant_in_every_list_weighs_nothing(name: str, parameters: dict[str, Any], one: Any) -> None:
    X, y = one
    model = make(name, **{**parameters, "step": 0.5} if name != "MinimaxRank" else parameters)
    for rows, grades in ((X, y), (X[::-1], y), (X, y[::-1])):
        model.learn_list(np.column_stack([rows, np.full(len(rows), 8.0)]), grades)
    assert model.coef_[-1] == pytest.approx(0.0, abs=1e-12)


@every_linear_variant
@settings(max_examples=examples(40))
@given(one=distinct(), random=st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_matter(name: str, parameters: dict[str, Any], one: Any, random: Any) -> None:
    X, y = one
    order = random.sample(range(len(y)), len(y))
    plain, turned = warm(name, parameters), warm(name, parameters)
    assume(tells_apart(plain, X))
    np.testing.assert_allclose(moved(turned, X[order], y[order]), moved(plain, X, y), rtol=1e-9, atol=1e-12)
    assert turned.n_updates_ == plain.n_updates_
    assert turned.cumulative_loss_ == pytest.approx(plain.cumulative_loss_)


@settings(max_examples=examples(60))
@given(margin=st.floats(1e-3, 1e3), power=st.integers(-20, 20), average=st.booleans(), seed=st.integers(0, 99))
def test_minimax_rank_depends_on_no_margin_and_no_scale(margin: float, power: int, average: bool, seed: int) -> None:
    X, y, qid = stream(10, seed=seed)
    plain = ranktron.MinimaxRank(average=average).fit(X, y, qid)
    other = ranktron.MinimaxRank(margin=margin, average=average).fit(X * 2.0**power, y, qid)
    assert (other.coef_ == plain.coef_ * 2.0**power).all()
    assert other.rank(X * 2.0**power, qid).tolist() == plain.rank(X, qid).tolist()
    assert (other.n_updates_, other.cumulative_loss_) == (plain.n_updates_, plain.cumulative_loss_)


@settings(max_examples=examples(30))
@given(power=st.integers(-20, 20), seed=st.integers(0, 99), measure=st.sampled_from(["ndcg", "ndcg@3", "ap"]))
def test_slam_from_zero_depends_on_the_ratio_of_step_and_margin_alone(power: int, seed: int, measure: str) -> None:
    X, y, qid = stream(10, seed=seed)
    plain = ranktron.SLAM(step=0.5, measure=measure).fit(X, y, qid)
    other = ranktron.SLAM(step=0.5 * 2.0**power, margin=2.0**power, measure=measure).fit(X, y, qid)
    assert (other.coef_ == plain.coef_ * 2.0**power).all()


@pytest.mark.parametrize("rate", [0.01, 0.1, 2.0])
@pytest.mark.parametrize("name", ["SLAM", "ListNet"])
@settings(max_examples=examples(30))
@given(one=lists())
def test_the_first_step_of_adagrad_is_its_rate_in_every_feature(name: str, rate: float, one: Any) -> None:
    X, y = one
    model, plain = (make(name, step=step, average=False) for step in (AdaGrad(rate), 1.0))
    model.learn_list(X, y), plain.learn_list(X, y)
    real = np.abs(plain.coef_) > 1e-9  # what is left of sums that cancel has a sign too
    np.testing.assert_allclose(model.coef_[real], rate * np.sign(plain.coef_[real]), rtol=1e-12)
    assert (np.abs(model.coef_) <= rate * (1 + 1e-12)).all()


def gradient(model: Any, scores: list[float], grades: list[Any]) -> list[float]:
    seen = paper.judged(grades, model.measure)
    if type(model).__name__ == "ListNet":
        return paper.cross_entropy_gradient(scores, seen)
    if type(model).__name__ == "MinimaxRank":
        return paper.phi_c_subgradient(scores, seen, model.margin)
    weights = paper.weights(seen, model.measure, model.ties)
    if model.soften:
        return paper.softened_gradient(scores, seen, weights, model.margin, model.soften)
    return paper.slam_subgradient(scores, seen, weights, model.margin)


@every_gradient
@pytest.mark.parametrize("size", [1.0, 30.0, 1e3, 1e6])
@settings(max_examples=examples(25))
@given(one=lists())
def test_scores_of_any_size_give_the_papers_gradient(name: str, parameters: dict[str, Any], size: float, one: Any) -> None:
    X, y = one
    model = warm(name, {**parameters, "step": 0.5})
    assume(tells_apart(model, size * X))
    updates, scores = model.n_updates_, model.predict(size * X).tolist()
    change = moved(model, size * X, y)
    if model.n_updates_ > updates:
        expected = -0.5 * size * X.T @ np.array(gradient(model, scores, y.tolist()), float)
        np.testing.assert_allclose(change, expected, rtol=1e-6, atol=1e-6 * size)
    else:
        assert not change.any()
    assert np.isfinite(model.predict(size * X)).all()


SCALES: dict[str, Any] = {
    "two": lambda random, count: random.integers(0, 2, count),
    "few": lambda random, count: random.integers(0, 5, count) * random.integers(0, 2, count),
    "many": lambda random, count: random.integers(0, 31, count),
    "more than a table holds": lambda random, count: random.integers(0, 60, count),
    "fractions": lambda random, count: random.integers(0, 9, count) / 4,
    "all different": lambda random, count: random.permutation(count) / 8,
}


@every_direction
@pytest.mark.parametrize("scale", SCALES)
def test_lists_of_any_length_give_the_papers_gradient(name: str, parameters: dict[str, Any], scale: str) -> None:
    random = np.random.default_rng(list(SCALES).index(scale))
    own = {} if name == "MinimaxRank" else {"step": 0.5}
    model = warm(name, {**parameters, **own})
    for count in (2, 3, 9, 11, 12, 25, 40):
        X, y = random.integers(-2, 3, (count, 3)).astype(float), SCALES[scale](random, count)  # many scores tie
        updates, scores = model.n_updates_, model.predict(X).tolist()
        is_due = len(set(paper.judged(y.tolist(), model.measure))) > 1
        is_due &= name == "ListNet" or paper.mistaken(scores, y.tolist(), model.measure)
        change = moved(model, X, y)
        assert model.n_updates_ == updates + is_due
        expected = -own.get("step", 1.0) * X.T @ np.array(gradient(model, scores, y.tolist()), float) if is_due else 0.0
        np.testing.assert_allclose(change, expected + np.zeros(3), rtol=1e-9, atol=1e-9)


@every_linear_variant
@settings(max_examples=examples(30))
@given(one=lists(), size=st.sampled_from([1e6, 1e12, 1e100]), down=st.booleans())
def test_no_size_of_scores_gives_nan(name: str, parameters: dict[str, Any], one: Any, size: float, down: bool) -> None:
    X, y = one
    model = warm(name, parameters)
    for rows, grades in ((size * X, y), (-size * X if down else X, y[::-1]), (X, y)):
        model.learn_list(rows, grades)
        assert np.isfinite(model.predict(X)).all()
        assert np.isfinite(model.cumulative_loss_)


@pytest.mark.parametrize("soften", [1e-300, 1e-6, 1e3, 1e300])
def test_any_temperature_will_do(soften: float) -> None:
    X, y, qid = stream(20)
    assert np.isfinite(ranktron.SLAM(soften=soften, step=0.5).fit(X, y, qid).coef_).all()


@settings(max_examples=examples(60))
@given(one=lists(), measure=st.sampled_from(["ndcg", "ndcg@2", "ap"]))
def test_without_temperature_the_softened_rule_is_the_papers(one: Any, measure: str) -> None:
    X, y = one
    model = warm("SLAM", {"soften": 1e-4, "measure": measure, "step": 0.5})
    scores = model.predict(X)
    apart = np.subtract.outer(scores, scores)[~np.eye(len(y), dtype=bool)]
    assume(min(np.abs(apart).min(), np.abs(apart + 1).min()) > 0.01)
    seen = paper.judged(y.tolist(), measure)
    sharp = paper.slam_subgradient(scores.tolist(), seen, paper.weights(seen, measure))
    assume(paper.mistaken(scores.tolist(), seen, measure))
    np.testing.assert_allclose(moved(model, X, y), -0.5 * X.T @ np.array(sharp, float), rtol=1e-9, atol=1e-9)
