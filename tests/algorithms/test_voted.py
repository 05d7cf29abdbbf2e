"""The voted perceptron against the literal one, hypothesis by hypothesis, and over every other estimator by replaying its run."""

from __future__ import annotations

import copy
import itertools
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktron
from tests.covering import examples

from ..family import state, stream
from ..papers import harrington as paper
from .runs import flat, integer_streams

COMBINES = ("mean", "plurality", "median")
COUNTS = ("survival+1", "survival")
LIMITS = (1, 2, 5, None)
every_vote = pytest.mark.parametrize(("combine", "count"), list(itertools.product(COMBINES, COUNTS)))
every_limit = pytest.mark.parametrize("limit", LIMITS)

EXACT = {
    "PRank": (ranktron.PRank, paper.prank_step),
    "PRank-strict": (partial(ranktron.PRank, ties="strict"), partial(paper.prank_step, ties="strict")),
    "SiPRank": (ranktron.SiPRank, paper.siprank_step),
}
OTHERS = {
    "NoPRank": partial(ranktron.NoPRank, margin="loss", trigger="margin"),
    "MuPRank": partial(ranktron.MuPRank, radius=4.0, step=0.5, signed=True),
    "ROMMAPRank": ranktron.ROMMAPRank,
    "AROWPRank": ranktron.AROWPRank,
    "OrdinalLogit": ranktron.OrdinalLogit,
    "OrdinalLogit-1": partial(ranktron.OrdinalLogit, order=1),
    "MulticlassPerceptron": partial(ranktron.MulticlassPerceptron, fit_intercept=True),
    "WidrowHoff": ranktron.WidrowHoff,
}


def voted(base, k, **parameters):
    return ranktron.Voted(estimator=base(), classes=range(1, k + 1), **parameters)


def assert_same_run(make, run, X, y, like=lambda numbers: numbers):
    model, predictions = make(), make().predict_then_learn(X, y).tolist()
    for t, (row, label, expected) in enumerate(zip(X, y, run, strict=True)):
        assert model.predict_one(row) == predictions[t] == expected.prediction, f"round {t}"
        if t:
            assert model.predict_mean([row]) == pytest.approx([float(expected.mean)], rel=1e-15)
            assert model.vote_shares([row]).tolist() == [[float(share) for share in expected.shares]]
        model.learn_one(row, label)
        coef, thresholds = model.hypotheses_coef_.tolist(), model.hypotheses_thresholds_.tolist()
        rules = [[*w, *b] for w, b in zip(coef, thresholds, strict=True)]
        assert rules == [like(flat((w, b))) for w, b, _ in expected.hypotheses], f"round {t}"
        assert model.survived_.tolist() == [survived for _, _, survived in expected.hypotheses], f"round {t}"
    return model


@every_limit
@every_vote
@settings(max_examples=examples(15))
@given(data=st.data())
def test_every_round_is_freund_and_schapires(combine, count, limit, data):
    X, y, k = data.draw(integer_streams(rows=15, features=3))
    base, step = EXACT[data.draw(st.sampled_from(sorted(EXACT)))]
    run = list(paper.voted(X, y, k, step, combine, count, limit))
    model = assert_same_run(partial(voted, base, k, combine=combine, count=count, limit=limit), run, X, y)
    assert model.cumulative_loss_ == sum(abs(one.prediction - label) for one, label in zip(run, y))
    assert limit or model.n_updates_ == len(run[-1].hypotheses) - 1


@every_limit
@every_vote
def test_every_round_over_noprank_is_freund_and_schapires(combine, count, limit):
    X, y = (part.tolist() for part in stream(12, d=2, k=4, seed=1))
    run = paper.voted(X, y, 4, paper.noprank_step, combine, count, limit)
    make = partial(voted, ranktron.NoPRank, 4, combine=combine, count=count, limit=limit)
    assert_same_run(make, run, X, y, partial(pytest.approx, rel=1e-9, abs=1e-12))


def replayed(base, X, y, k, count, limit):
    """Before each row the hypotheses that the estimator has held so far, copies of it, with their counts."""
    start, model = COUNTS[::-1].index(count), base(average=False, classes=range(1, k + 1))
    held = [(copy.deepcopy(model), 0)]
    for row, label in zip(X, y):
        yield held
        updates = model.n_updates_ if model._learner else 0
        model.learn_one(row, label)
        if model.n_updates_ > updates:
            held = [*held, (copy.deepcopy(model), start)]
        else:
            held = [*held[:-1], (held[-1][0], held[-1][1] + 1)]
        if limit is not None and len(held) > limit:
            gone = min(held[:-1], key=lambda one: one[1])
            held = [one for one in held if one is not gone]
    yield held


def said(held, row, combine, k):
    """What the hypotheses say of a row together."""
    ranks, counts = [one.predict_one(row) for one, _ in held], [survived for _, survived in held]
    mean, shares = paper.weighted(ranks, counts if any(counts) else [0] * (len(held) - 1) + [1], k)
    above = [sum(shares[m:]) for m in range(k)]
    most = {"mean": paper.nearest(mean), "plurality": shares.index(max(shares)) + 1}
    return {**most, "median": max(m + 1 for m in range(k) if 2 * above[m] >= 1)}[combine]


@every_limit
@every_vote
@pytest.mark.parametrize("name", OTHERS)
def test_the_hypotheses_of_any_estimator_vote(name, combine, count, limit):
    random = np.random.default_rng(3)
    X, y = random.integers(-2, 3, (25, 2)).astype(float), random.integers(1, 5, 25)
    model = voted(OTHERS[name], 4, combine=combine, count=count, limit=limit)
    predictions = model.predict_then_learn(X, y).tolist()
    *run, held = replayed(OTHERS[name], X, y, 4, count, limit)
    assert predictions == [said(before, row, combine, 4) for before, row in zip(run, X)]
    assert model.survived_.tolist() == [survived for _, survived in held]
    for coef, (one, _) in zip(model.hypotheses_coef_, held, strict=True):
        assert one._learner is None or (coef == one.coef_).all()
    assert name == "WidrowHoff" or len(np.unique(predictions)) > 2 - name.startswith("OrdinalLogit")  # which starts in the middle


@pytest.mark.parametrize(("count", "votes"), [("survival+1", [0, 3]), ("survival", [0, 2])])
def test_a_row_that_is_passed_over_is_survived(count, votes):
    # No rule that ranks the first row lowest with margin 1 can be stretched until it ranks it highest.
    model = voted(ranktron.ROMMAPRank, 3, count=count).partial_fit([[1.0, 1.0]] * 3, [1, 3, 3])
    assert (model.n_updates_, model.survived_.tolist(), len(model.hypotheses_coef_)) == (1, votes, 2)


@pytest.mark.parametrize("name", [*EXACT, *OTHERS])
def test_the_estimators_own_averaging_plays_no_part(name):
    base = OTHERS[name] if name in OTHERS else EXACT[name][0]
    X, y = stream(40, seed=4)
    one, other = (ranktron.Voted(estimator=base(average=average)) for average in (False, True))
    assert one.partial_fit(X, y).predict(X).tolist() == other.partial_fit(X, y).predict(X).tolist()
    assert (one.hypotheses_coef_ == other.hypotheses_coef_).all()


@settings(max_examples=examples(30))
@given(stream=integer_streams())
def test_the_mean_rule_is_the_averaged_perceptron(stream):
    X, y, k = stream
    model = voted(ranktron.PRank, k).partial_fit(X, y)
    averaged = ranktron.PRank(classes=range(1, k + 1)).partial_fit(X, y)
    assert model.survived_.sum() == len(X)
    assert model.coef_ == pytest.approx(averaged.coef_, rel=1e-12, abs=1e-14)
    assert model.thresholds_ == pytest.approx(averaged.thresholds_, rel=1e-12, abs=1e-14)


@every_vote
def test_a_limit_that_is_never_reached_changes_nothing(combine, count):
    X, y = stream(50, seed=6)
    free, bound = (voted(ranktron.PRank, 5, combine=combine, count=count, limit=limit) for limit in (None, 51))
    assert (free.predict_then_learn(X, y) == bound.predict_then_learn(X, y)).all()
    assert (free.survived_ == bound.survived_).all()


@every_limit
@every_vote
def test_batches_do_not_matter(combine, count, limit):
    X, y = stream(60, seed=7)
    whole, pieces, ones = (voted(ranktron.PRank, 5, combine=combine, count=count, limit=limit) for _ in range(3))
    whole.partial_fit(X, y)
    for t in range(60):
        pieces.partial_fit(X[t : t + 1], y[t : t + 1])
        ones.learn_one(X[t], y[t])
    assert state(whole) == state(pieces) == state(ones)


def test_a_row_is_as_much_work_as_there_are_hypotheses():
    X, y = stream(300, 4, seed=2)
    model = ranktron.Voted(classes=range(1, 6))
    works = [model.partial_fit(X[start : start + 100], y[start : start + 100])._learner.work for start in (0, 100, 200)]
    assert works == sorted(works)
    assert works[-1] == len(model.survived_) > 50
