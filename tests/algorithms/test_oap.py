"""OAP against Harrington's Algorithm 2 with the same coins; and that members, layouts, batches and threads do not matter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktron
from ranktron.algorithms import oap
from ranktron.core import hashed_random
from ranktron.models.learners import ensemble
from tests.covering import examples

from ..family import state, stream
from ..papers import harrington as paper
from .runs import flat, integer_streams

CROWDS = [("bpm", "correct"), ("bagging", "correct"), ("voting", "correct"), ("voting", "survival")]
every_crowd = pytest.mark.parametrize(("combine", "votes"), CROWDS, ids=["bpm", "bagging", "correct", "survival"])
both_hypotheses = pytest.mark.parametrize("average", [False, True], ids=["last", "averaged"])
EXACT = {
    "PRank": (ranktron.PRank, paper.prank_step),
    "PRank-strict": (partial(ranktron.PRank, ties="strict"), partial(paper.prank_step, ties="strict")),
    "SiPRank": (ranktron.SiPRank, paper.siprank_step),
}
EVERY = {
    **{name: base for name, (base, _) in EXACT.items()},
    "NoPRank": ranktron.NoPRank,
    "NoPRank-margin": partial(ranktron.NoPRank, margin="loss", trigger="margin"),
    "MuPRank": partial(ranktron.MuPRank, radius=8.0),
    "ROMMAPRank": ranktron.ROMMAPRank,
    "AROWPRank": ranktron.AROWPRank,
    "OrdinalLogit": ranktron.OrdinalLogit,
    "OrdinalLogit-1": partial(ranktron.OrdinalLogit, order=1),
    "MulticlassPerceptron": partial(ranktron.MulticlassPerceptron, fit_intercept=True),
    "WidrowHoff": ranktron.WidrowHoff,
}
LAYOUTS = {"lanes": 1e9, "rows": 0}  # values of WIDEST_LANES: members lie side by side, or one after another


def coin(sampling, tau, seed, rows, members):
    """The library's coin as the oracle takes it."""
    steps, counts = (
        hashed_random.poisson() if sampling == "poisson" else hashed_random.bernoulli(tau),
        np.zeros((rows, members), np.uint32),
    )
    with np.errstate(over="ignore"):
        for t in range(rows):
            hashed_random.coin_flips(counts[t], np.uint64(seed or 0), t, 0, steps)
    return lambda t, j: int(counts[t, j])


def crowd(base, k=5, average=False, **parameters):
    return ranktron.OAP(estimator=base(average=average), classes=range(1, k + 1), **parameters)


def assert_same_run(make, run, X, y, average, like=lambda numbers: numbers):
    model, predictions = make(), make().predict_then_learn(X, y).tolist()
    for t, (row, label, expected) in enumerate(zip(X, y, run, strict=True)):
        assert model.predict_one(row) == predictions[t] == expected.prediction, f"round {t}"
        if t:
            assert model.predict_mean([row]) == pytest.approx([float(expected.mean)], rel=1e-15)
            shares = [[float(share) for share in expected.shares]]
            assert model.predict_proba([row]).tolist() == model.vote_shares([row]).tolist() == shares
        model.learn_one(row, label)
        rules = expected.averages if average else expected.members
        members = np.hstack([model.members_coef_, model.members_thresholds_]).tolist()
        assert members == [like(flat(rule)) for rule in rules], f"round {t}"
        votes = expected.votes if model.combine == "voting" else [1] * model.n_members
        assert model.members_votes_.tolist() == list(votes), f"round {t}"
    return model


@both_hypotheses
@pytest.mark.parametrize("sampling", ["bernoulli", "poisson"])
@every_crowd
@settings(max_examples=examples(25))
@given(data=st.data())
def test_every_round_is_harringtons(combine, votes, sampling, average, data):
    X, y, k = data.draw(integer_streams(rows=12, features=3))
    base, step = EXACT[data.draw(st.sampled_from(sorted(EXACT)))]
    tau, seed = data.draw(st.sampled_from([0.3, 0.7, 1.0])), data.draw(st.sampled_from([None, 1, 2**40]))
    N, layout, updates = data.draw(st.integers(1, 5)), data.draw(st.sampled_from(sorted(LAYOUTS))), []

    def counted(*row):
        learned = step(*row)
        updates.append(learned[-1])
        return learned

    shape = {"n_members": N, "tau": tau, "combine": combine, "votes": votes, "sampling": sampling, "random_state": seed}
    run = list(paper.oap(X, y, k, counted, N, coin(sampling, tau, seed, len(X), N), combine, votes, average))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oap, "WIDEST_LANES", LAYOUTS[layout])
        model = assert_same_run(partial(crowd, base, k, average, **shape), run, X, y, average)
    assert model.n_updates_ == sum(updates)


@both_hypotheses
@every_crowd
@pytest.mark.parametrize("asked", [{}, {"margin": "distance", "trigger": "margin", "beta": 0.5}], ids=["mistake", "margin"])
def test_every_round_of_noprank_members_is_harringtons(asked, combine, votes, average):
    X, y = (part.tolist() for part in stream(9, d=2, k=4, seed=len(asked)))
    shape = {"n_members": 4, "tau": 0.5, "combine": combine, "votes": votes, "random_state": 3}
    base, step = partial(ranktron.NoPRank, **asked), partial(paper.noprank_step, **asked)
    run = paper.oap(X, y, 4, step, 4, coin("bernoulli", 0.5, 3, len(X), 4), combine, votes, average)
    assert_same_run(partial(crowd, base, 4, average, **shape), run, X, y, average, partial(pytest.approx, rel=1e-9, abs=1e-12))


@both_hypotheses
@pytest.mark.parametrize("name", EVERY)
def test_one_member_that_sees_everything_is_the_estimator(name, average):
    X, y = stream(70, seed=4)
    alone = EVERY[name](average=average, classes=range(1, 6))
    predictions = alone.predict_then_learn(X, y)
    for combine in ("bpm", "bagging", "voting"):
        model = crowd(EVERY[name], average=average, n_members=1, tau=1.0, combine=combine)
        assert (model.predict_then_learn(X, y) == predictions).all()
        assert (model.predict(X) == alone.predict(X)).all()
        assert (model.coef_ == alone.coef_).all()
        assert (model.members_coef_[0] == alone.coef_).all()
        assert name == "MulticlassPerceptron" or (model.thresholds_ == alone.thresholds_).all()
        assert model.n_updates_ == alone.n_updates_ > 0
        assert average or model.cumulative_loss_ == alone.cumulative_loss_ > 0


@both_hypotheses
@pytest.mark.parametrize("name", EVERY)
def test_what_one_member_scores_is_what_the_estimator_scores(name, average):
    X, y = stream(70, seed=4)
    alone = EVERY[name](average=average).partial_fit(X, y)
    model = crowd(EVERY[name], average=average, n_members=1, tau=1.0).partial_fit(X, y)
    assert (model.decision_function(X) == alone.decision_function(X)).all()
    assert (model.project(X) == alone.project(X)).all()


@both_hypotheses
@every_crowd
@pytest.mark.parametrize("name", EVERY)
def test_the_loss_is_that_of_the_combined_prediction(name, combine, votes, average):
    X, y = stream(60, seed=5)
    model = crowd(EVERY[name], average=average, n_members=3, combine=combine, votes=votes)
    assert np.abs(model.predict_then_learn(X, y) - y).sum() == model.cumulative_loss_


@both_hypotheses
@pytest.mark.parametrize("name", EVERY)
def test_the_rule_is_the_mean_of_the_members(name, average):
    X, y = stream(60, seed=6)
    for combine in ("bpm", "bagging"):
        model = crowd(EVERY[name], average=average, n_members=7, tau=0.5, combine=combine).partial_fit(X, y)
        assert model.coef_ == pytest.approx(model.members_coef_.mean(axis=0), rel=1e-12, abs=1e-13) != model.members_coef_[0]
        if name != "MulticlassPerceptron":
            assert model.thresholds_ == pytest.approx(model.members_thresholds_.mean(axis=0), rel=1e-12, abs=1e-13)


@both_hypotheses
@every_crowd
@pytest.mark.parametrize("storage", [np.asarray, scipy.sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("name", ["PRank", "SiPRank", "NoPRank-margin"])
def test_members_as_lanes_and_as_rows_learn_the_same(monkeypatch, name, storage, combine, votes, average):
    X, y = stream(30, d=5, seed=7)
    models = []
    for widest in LAYOUTS.values():
        monkeypatch.setattr(oap, "WIDEST_LANES", widest)
        model = crowd(EVERY[name], average=average, n_members=9, combine=combine, votes=votes)
        models.append((model.predict_then_learn(storage(X), y).tolist(), state(model), model.predict_mean(X).tolist()))
    assert models[0] == models[1]


@pytest.fixture
def used(monkeypatch):
    """Threads are worth their while and take a few rows at a time: how many were used."""
    counts = set()
    monkeypatch.setattr(ensemble, "WORTH_THREADS", 0)
    monkeypatch.setattr(ensemble, "CHUNK", 7)
    monkeypatch.setattr("concurrent.futures.ThreadPoolExecutor", lambda count: counts.add(count) or ThreadPoolExecutor(count))
    return counts


@pytest.fixture(params=LAYOUTS)
def layout(request, monkeypatch):
    monkeypatch.setattr(oap, "WIDEST_LANES", LAYOUTS[request.param])


@every_crowd
@pytest.mark.parametrize(("name", "kind"), [("PRank", {"average": True}), ("PRank", {"sampling": "poisson"}), ("WidrowHoff", {})])
def test_threads_change_nothing(layout, used, name, kind, combine, votes):
    X, y = stream(15, seed=8)
    learned = []
    for n_jobs in (1, 2, 3, -1):
        shape = {"combine": combine, "votes": votes, "shuffle": True, "random_state": 5, "n_jobs": n_jobs, **kind}
        model = crowd(EVERY[name], n_members=66, **shape).fit(X, y, sample_weight=np.arange(15) % 3)
        learned.append((state(model), model.predict_then_learn(X, y).tolist(), state(model)))
    assert learned[0] == learned[1] == learned[2] == learned[3]
    assert used >= {2, 3}


@pytest.mark.parametrize("tau", [0.3, 0.01])
@pytest.mark.parametrize("combine", ["bpm", "bagging", "voting"])
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_the_first_refused_row_is_named_and_nothing_is_learned(layout, used, n_jobs, combine, tau):
    X, y = stream(40, seed=10)
    model = crowd(EVERY["PRank"], n_members=70, combine=combine, tau=tau, n_jobs=n_jobs).partial_fit(X[:20], y[:20])
    before, bad = state(model), X.copy()
    bad[33, 2] = bad[36, 1] = np.nan
    with pytest.raises(ValueError, match="NaN in row 13, column 2"):
        model.partial_fit(bad[20:], y[20:])
    assert state(model) == before
    assert used == ({n_jobs} if n_jobs > 1 else set())


@both_hypotheses
@pytest.mark.parametrize("sampling", ["bernoulli", "poisson"])
@every_crowd
def test_batches_do_not_matter(layout, combine, votes, sampling, average):
    X, y = stream(100, seed=11)
    shape = {"average": average, "n_members": 3, "combine": combine, "votes": votes, "sampling": sampling}
    whole, pieces, ones = (crowd(EVERY["PRank"], **shape) for _ in range(3))
    whole.partial_fit(X, y)
    for t in range(100):
        pieces.partial_fit(X[t : t + 1], y[t : t + 1])
        ones.learn_one(X[t], y[t])
    assert state(whole) == state(pieces) == state(ones)
