"""The mean that forgets: equal to all hypotheses weighed one by one, and better than the plain mean where the world changes."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktron
from ranktron import PRank
from ranktron.data import synthetic
from ranktron.kernels import Gaussian
from tests.covering import examples

from ..family import NAMES, make, state, stream, weights_of
from ..papers.fading import faded_averages
from .runs import flat, fresh, integer_streams, rule
from .test_exact_runs import AVERAGED, AVERAGED_IDS, named

FORGETFUL = [name for name in NAMES if name not in ("OAP", "Voted", "Rater")]  # Rater forgets in its belief and its scaling too
every_name = pytest.mark.parametrize("name", FORGETFUL)
# These forget more than their mean, which is not there by default.
OTHERWISE = ("AROWPRank", "OrdinalLogit", "Rater")
only_the_mean = pytest.mark.parametrize("name", [name for name in FORGETFUL if name not in OTHERWISE])
# Rows after which, half of the past being forgotten with each, all sums have been scaled twice.
LONG = 150


@pytest.mark.parametrize("forget", [0.25, 0.875])
@pytest.mark.parametrize(("name", "oracle", "parameters", "kind"), AVERAGED, ids=AVERAGED_IDS)
@settings(max_examples=examples(20))
@given(data=st.data())
def test_every_mean_is_that_of_all_hypotheses_by_their_age(name, oracle, parameters, kind, forget, data):
    X, y, k = data.draw(integer_streams(**kind))
    model = fresh(name, k, average=True, forget=forget, **named(parameters))
    for row, label, mean in zip(X, y, faded_averages(oracle(X, y, k, **parameters), forget), strict=True):
        model.learn_one(row, label)
        assert flat(rule(model)) == pytest.approx(flat(mean), rel=1e-12, abs=1e-12)


def averaged(name, **parameters):
    return make(name, average=True, scale=None, **parameters)


def last_of(name, forget, **parameters):
    """The same by its last hypothesis, with all else that it forgets."""
    model = make(name, average=False, scale=None, **parameters)
    model.forget = forget if model.forgets else None
    return model


def hypothesis_of(model):
    return [np.atleast_1d(part).astype(float) for part in model._learned.hypothesis()]


@every_name
@pytest.mark.parametrize("forget", [0.5, 0.05])
def test_over_long_streams_it_is_the_recurrence_of_the_last_hypotheses(name, forget):
    X, y = stream(LONG, seed=3)
    mean, last = averaged(name, forget=forget, classes=range(1, 6)), last_of(name, forget=forget, classes=range(1, 6))
    sums, held = None, 0.0
    for t in range(LONG):
        mean.partial_fit(X[t : t + 1], y[t : t + 1])
        now = hypothesis_of(last.partial_fit(X[t : t + 1], y[t : t + 1]))
        sums = now if sums is None else [(1 - forget) * total + part for total, part in zip(sums, now)]
        held = (1 - forget) * held + 1
    for got, total in zip(hypothesis_of(mean), sums, strict=True):
        np.testing.assert_allclose(got, total / held, rtol=1e-9, atol=1e-12)
    decided = X @ mean.coef_.T if mean.coef_.ndim == 2 else mean.project(X)
    np.testing.assert_allclose(decided, X @ mean.coef_.T, rtol=1e-9, atol=1e-12)


@every_name
def test_to_forget_less_than_rounding_tells_is_the_plain_mean(name):
    X, y = stream(LONG, seed=4)
    plain, faint = averaged(name).partial_fit(X, y), averaged(name, forget=1e-17).partial_fit(X, y)
    assert [part.tolist() for part in hypothesis_of(plain)] == [part.tolist() for part in hypothesis_of(faint)]
    assert plain.predict(X).tolist() == faint.predict(X).tolist()


@every_name
def test_to_forget_almost_everything_is_the_last_hypothesis(name):
    X, y = stream(LONG, seed=4)
    forget = 1 - 2.0**-53
    forgotten, last = averaged(name, forget=forget).partial_fit(X, y), last_of(name, forget=forget).partial_fit(X, y)
    for got, expected in zip(hypothesis_of(forgotten), hypothesis_of(last), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-12)


@every_name
def test_batches_rows_and_files_tell_the_same(name, tmp_path):
    X, y = stream(LONG, seed=5)
    whole, singly, split = (averaged(name, forget=0.6, classes=range(1, 6)) for _ in range(3))
    told = whole.predict_then_learn(X, y)
    for t in range(LONG):
        assert t == 0 or singly.predict_one(X[t]) == told[t]
        singly.learn_one(X[t], y[t])
    split.partial_fit(X[:70], y[:70]).save(tmp_path / "model")
    loaded = ranktron.load(tmp_path / "model").partial_fit(X[70:], y[70:])
    assert state(loaded) == state(whole)
    assert weights_of(singly).tobytes() == weights_of(whole).tobytes()


def test_a_refused_sparse_batch_leaves_sums_that_were_scaled_on_the_way_as_they_were():
    X, y = stream(LONG, d=200, seed=6)
    model = PRank(forget=0.6, classes=range(1, 6)).partial_fit(sp.csr_array(X[:40]), y[:40])
    before = state(model)
    bad, labels = X[40:].copy(), y[40:].copy()
    bad[:, 1:] = 0.0  # the other columns are not touched by the batch
    bad[-3:, 0], labels[-3:] = 1e200, [1, 5, 1]  # one of the first two is a mistake, and the next product overflows
    with pytest.raises(ValueError, match=r"row 10[89]"):
        model.partial_fit(sp.csr_array(bad), labels)
    assert state(model) == before


def test_counts_are_as_many_presentations():
    X, y = stream(20)
    weights = np.arange(20) % 3
    counted = PRank(forget=0.3, classes=range(1, 6)).partial_fit(X, y, sample_weight=weights)
    repeated = PRank(forget=0.3, classes=range(1, 6)).partial_fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert state(counted) == state(repeated)


def test_names_may_appear_at_any_time_and_labels_too():
    X, y = stream(60, seed=8)
    model, known = PRank(forget=0.4), PRank(forget=0.4)
    for t, (row, label) in enumerate(zip(X.tolist(), y.tolist())):
        example = dict(zip("abcd", row)) if t > 10 else dict(zip("ab", row))
        model.learn_one(example, label)
        known.learn_one({**dict.fromkeys("abcd", 0.0), **example}, label)
    assert model.classes_.tolist() == [1, 2, 3, 4, 5]
    assert model.coef_.tolist() == known.coef_.tolist()
    assert model.thresholds_.tolist() == known.thresholds_.tolist()


def drifting(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The papers' stream, whose features change places half way."""
    X, y = synthetic.crammer_singer(n, seed=seed)
    X[n // 2 :] = np.roll(X[n // 2 :], 2, axis=1) * [1, -1, 1, -1, 1, -1]
    return X, y


def loss_of(model, X, y):
    """Ranks off in the last quarter, where a change half way is a while ago."""
    told = model.predict_then_learn(X, y)[-len(y) // 4 :]
    return np.abs(told - y[-len(y) // 4 :]).mean()


def test_where_the_world_changes_it_beats_the_mean_and_elsewhere_it_costs_little():
    classes = range(1, 6)
    change, calm = [], []
    for seed in range(5):
        X, y = drifting(2_000, seed)
        change.append([loss_of(PRank(classes=classes, forget=forget), X, y) for forget in (0.01, None)])
        X, y = synthetic.crammer_singer(2_000, seed=seed)
        calm.append([loss_of(PRank(classes=classes, forget=forget), X, y) for forget in (0.01, None)])
    faded, plain = np.transpose(change)
    assert (faded < 0.7 * plain).all()
    faded, plain = np.mean(calm, axis=0)
    assert faded < 1.3 * plain


@pytest.mark.parametrize("forget", [0, 1, -0.1, True, "0.1", float("nan")])
def test_a_share_is_above_0_and_below_1(forget):
    with pytest.raises(ValueError, match=r"PRank: forget=.* should be a number above 0 and below 1, or None"):
        PRank(forget=forget).fit([[1.0], [2.0]], [1, 2])


@only_the_mean
def test_without_a_mean_there_is_nothing_to_forget(name):
    X, y = stream(20)
    model = getattr(ranktron, name)(average=False, forget=0.1)
    with pytest.raises(ValueError, match=f"{name}: forget=0.1 has no effect with average=False and scale=None; set average=True"):
        model.fit(X, y)
    assert not hasattr(model, "coef_")


@pytest.mark.parametrize("name", ["OAP", "Voted"])
def test_hypotheses_that_are_combined_do_not_forget(name):
    with pytest.raises(ValueError, match=f"{name}: what it combines does not forget: leave forget=None"):
        make(name, forget=0.1).fit(*stream(20))


def test_on_a_budget_a_row_that_is_let_go_leaves_the_mean_too():
    X, y = stream(LONG, seed=9)
    with pytest.warns(UserWarning, match="the budget is spent"):
        model = PRank(kernel=Gaussian(0.1), budget=10, policy="forgetron", forget=0.05).partial_fit(X, y)
    assert model.dual_coef_.shape == (10,)
    assert np.isfinite(model.dual_coef_).all()
