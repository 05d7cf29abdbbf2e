"""The rankers over lists against Chaudhuri & Tewari's pseudocode, list by list.

Rows and steps are small dyadic numbers and AP's weights 1, 1/2 or 1/4, so sums are exact and ties are ties in both; elsewhere
rows are drawn from the normal distribution, so only equal rows tie, and results differ by rounding.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ranktron
from ranktron.kernels import Polynomial
from tests.covering import examples

from ..papers import chaudhuri_tewari as paper
from .test_kernels import mapped

MEASURES = ("ndcg", "ndcg@1", "ndcg@3", "ndcg@10", "ap")
BOTH = ("index", "average")
EXACT = [
    *(("SLAM", {"measure": measure, "ties": ties}) for measure, ties in itertools.product(("ap", "ndcg@1"), BOTH)),
    *(("MinimaxRank", {"measure": measure}) for measure in MEASURES),
]
ROUNDED = [
    *(("SLAM", {"measure": measure, "ties": ties}) for measure, ties in itertools.product(MEASURES, BOTH)),
    *(("SLAM", {"measure": measure, "margin": margin}) for measure, margin in itertools.product(("ndcg", "ap"), (0.3, 4.0))),
    *(("SLAM", {"measure": measure, "soften": T}) for measure, T in itertools.product(MEASURES, (0.2, 1.0))),
    ("SLAM", {"measure": "ndcg@3", "soften": 3.0, "margin": 2.0, "ties": "average"}),
    *(("ListNet", {"measure": measure}) for measure in ("ndcg@3", "ap")),
]
STEPS = [0.25, 1.5, ranktron.AdaGrad(0.3)]
both_hypotheses = pytest.mark.parametrize("average", [False, True], ids=["last", "averaged"])


def named(cases):
    return [f"{name}-{'-'.join(map(str, parameters.values()))}" for name, parameters in cases]


exact_cases = pytest.mark.parametrize(("name", "parameters"), EXACT, ids=named(EXACT))
rounded_cases = pytest.mark.parametrize(("name", "parameters"), ROUNDED, ids=named(ROUNDED))


def dyadic(R):
    """Whether the relevant documents, and those of the highest grade, are 0, 1, 2 or 4."""
    return {sum(grade > 0 for grade in R), R.count(max(R))} <= {0, 1, 2, 4}


@st.composite
def integer_lists(draw, lists=8, documents=6, features=3):
    """Lists of different lengths, single documents and equal grades among them, whose weights are dyadic."""
    d = draw(st.integers(1, features))
    row = st.lists(st.integers(-2, 2), min_size=d, max_size=d)
    made = []
    for _ in range(draw(st.integers(1, lists))):
        R = draw(st.lists(st.integers(0, 4), min_size=1, max_size=documents).filter(dyadic))
        made.append((draw(st.lists(row, min_size=len(R), max_size=len(R))), R))
    return made


def normal_lists(seed, lists=25, features=3, grades=range(5)):
    """Lists of 1 to 9 documents, the last row often a copy of the first, so that its score ties for ever."""
    draw, made = random.Random(seed), []
    for _ in range(lists):
        m = draw.randint(1, 9)
        X = [[draw.gauss(0, 1) for _ in range(features)] for _ in range(m)]
        X[-1] = X[0] if draw.random() < 0.5 else X[-1]
        made.append((X, [grades[draw.randint(0, draw.choice([0, 1, 4]))] for _ in X]))
    return made


def oracle(name, lists, parameters):
    """The rounds of the oracle, with the library's parameters."""
    algorithm = {"SLAM": paper.perceptron, "MinimaxRank": paper.minimax, "ListNet": paper.listnet}[name]
    step = parameters.get("step", 1)
    step = ("adagrad", step.rate) if isinstance(step, ranktron.AdaGrad) else step
    return algorithm(lists, **{**parameters, "step": step})


def model(name, average=False, **parameters):
    return getattr(ranktron, name)(average=average, **parameters)


def exactly(name, step, margin, parameters):
    """Parameters of the library and of the oracle; fractions keep the oracle exact."""
    own = {**parameters, "margin": margin, **({"step": step} if name == "SLAM" else {})}
    return {key: float(value) if isinstance(value, Fraction) else value for key, value in own.items()}, own


sizes = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2)])


@exact_cases
@settings(max_examples=examples(60))
@given(lists=integer_lists(), step=sizes, margin=sizes)
def test_every_round_is_the_papers(name, parameters, lists, step, margin):
    ours, theirs = exactly(name, step, margin, parameters)
    learner, loss, updates = model(name, **ours), 0, 0
    for t, ((X, R), now) in enumerate(zip(lists, oracle(name, lists, theirs), strict=True)):
        if t:
            assert learner.rank(X).tolist() == now.order, f"list {t}"
        if t % 2:
            assert learner.predict(X).tolist() == now.scores, f"list {t}"
            learner.learn_list(X, R)
        else:
            assert learner.predict_then_learn(X, R).tolist() == now.scores, f"list {t}"
        loss, updates = loss + now.loss, updates + now.updated
        assert learner.coef_.tolist() == now.w, f"list {t}"
        assert (learner.n_seen_, learner.n_updates_) == (t + 1, updates)
        assert learner.cumulative_loss_ == pytest.approx(float(loss), rel=1e-12, abs=1e-12)


def assert_same_run(name, parameters, lists):
    near = partial(pytest.approx, rel=1e-9 if "soften" in parameters else 1e-12, abs=1e-12)
    learner, loss, updates = model(name, **parameters), 0, 0
    for t, ((X, R), now) in enumerate(zip(lists, oracle(name, lists, parameters), strict=True)):
        assert learner.predict_then_learn(X, R) == near(now.scores, rel=1e-9), f"list {t}"
        loss, updates = loss + now.loss, updates + now.updated
        assert learner.coef_ == near([float(w) for w in now.w]), f"list {t}"
        assert (learner.n_seen_, learner.n_updates_) == (t + 1, updates), f"list {t}"
        assert learner.cumulative_loss_ == near(float(loss)), f"list {t}"
    assert 0 < updates < len(lists)


@rounded_cases
@pytest.mark.parametrize("step", STEPS, ids=str)
def test_every_round_is_the_papers_but_for_rounding(name, parameters, step):
    for seed in range(4):
        assert_same_run(name, {**parameters, "step": step}, normal_lists(seed))


@rounded_cases
@pytest.mark.parametrize("grades", [(0, 0.5, 1.25, 7, 8.5), (0, 3, 17, 40, 41)], ids=["fractions", "large"])
def test_grades_need_not_be_small_whole_numbers(name, parameters, grades):
    assert_same_run(name, {**parameters, "step": 0.25}, normal_lists(8, grades=grades))


@exact_cases
@settings(max_examples=examples(40))
@given(lists=integer_lists(), step=sizes, margin=sizes)
def test_the_average_is_the_mean_of_the_weights_held_after_each_list(name, parameters, lists, step, margin):
    ours, theirs = exactly(name, step, margin, parameters)
    learner, rounds = model(name, average=True, **ours), list(oracle(name, lists, theirs))
    said = [0] * len(rounds[0].w)
    for (X, R), mean in zip(lists, paper.means(rounds), strict=True):
        scores = [float(paper.dot(said, x)) for x in X]
        assert learner.predict_then_learn(X, R) == pytest.approx(scores, rel=1e-12, abs=1e-12)
        assert learner.coef_ == pytest.approx([float(w) for w in mean], rel=1e-12, abs=1e-12)
        said = mean
    assert learner.n_updates_ == sum(now.updated for now in rounds)
    assert learner.cumulative_loss_ == pytest.approx(float(sum(now.loss for now in rounds)), rel=1e-12, abs=1e-12)


@rounded_cases
@pytest.mark.parametrize("step", STEPS, ids=str)
def test_the_average_is_the_mean_but_for_rounding(name, parameters, step):
    lists = normal_lists(7)
    learner, rounds = model(name, average=True, step=step, **parameters), oracle(name, lists, {**parameters, "step": step})
    for (X, R), mean in zip(lists, paper.means(rounds), strict=True):
        learner.learn_list(X, R)
        assert learner.coef_ == pytest.approx([float(w) for w in mean], rel=1e-9, abs=1e-12)


def shuffled(lists, draw):
    """All rows in one table with their qid, rows of a list in its order, and the lists in the order of first appearance."""
    ids = [qid for qid, (_, R) in enumerate(lists) for _ in R]
    draw.shuffle(ids)
    left = [list(zip(*one)) for one in lists]
    rows = [left[qid].pop(0) for qid in ids]
    return [x for x, _ in rows], [grade for _, grade in rows], ids, [lists[qid] for qid in dict.fromkeys(ids)]


@both_hypotheses
@pytest.mark.parametrize(("name", "parameters"), [*EXACT, *ROUNDED], ids=named([*EXACT, *ROUNDED]))
@pytest.mark.parametrize("epochs", [1, 2])
def test_a_table_is_learned_list_by_list_in_the_order_of_first_appearance(name, parameters, epochs, average):
    draw = random.Random(3)
    X, y, qid, lists = shuffled(normal_lists(11), draw)
    names = [f"query {q}" for q in qid]
    one = model(name, average=average, **parameters)
    for part, R in lists * epochs:
        one.learn_list(part, R)
    whole = model(name, average=average, epochs=epochs, **parameters).fit(X, y, qid=names)
    assert whole.coef_.tolist() == one.coef_.tolist()
    assert (whole.n_seen_, whole.n_updates_) == (one.n_seen_, one.n_updates_) == (epochs * len(lists), one.n_updates_)
    assert whole.cumulative_loss_ == one.cumulative_loss_


@both_hypotheses
@exact_cases
@settings(max_examples=examples(25))
@given(lists=integer_lists(), random=st.randoms(use_true_random=False))
def test_a_table_is_answered_list_by_list_before_learning(name, parameters, average, lists, random):
    X, y, qid, lists = shuffled(lists, random)
    rounds = list(oracle(name, lists, {**parameters}))
    held = [[0] * len(X[0]), *(paper.means(rounds) if average else (now.w for now in rounds))]
    position = {q: t for t, q in enumerate(dict.fromkeys(qid))}
    scores = [float(paper.dot(held[position[q]], x)) for x, q in zip(X, qid, strict=True)]
    own = {"step": 1.0} if name == "SLAM" else {}
    learner = model(name, average=average, **own, **parameters)
    assert learner.predict_then_learn(X, y, qid=np.array(qid)) == pytest.approx(scores, rel=1e-12, abs=1e-12)
    assert learner.coef_ == pytest.approx([float(w) for w in held[-1]], rel=1e-12, abs=1e-12)


@exact_cases
@settings(max_examples=examples(25))
@given(data=st.data())
def test_pairs_alone_teach(name, parameters, data):
    """A pair is a list of two; at a tie it is not in order, or no pair would ever teach weights of 0 anything."""
    d = data.draw(st.integers(1, 3))
    row = st.lists(st.integers(-2, 2), min_size=d, max_size=d)
    pairs = data.draw(st.lists(st.tuples(row, row), min_size=1, max_size=8))
    own = {"step": 1.0} if name == "SLAM" else {}
    learner, lists = model(name, **own, **parameters), [([worse, better], [0, 1]) for better, worse in pairs]
    for (better, worse), now in zip(pairs, oracle(name, lists, {**parameters}), strict=True):
        learner.learn_pair(better, worse)
        assert learner.coef_.tolist() == now.w


@exact_cases
@settings(max_examples=examples(40))
@given(lists=integer_lists(lists=6), step=sizes, margin=sizes)
def test_a_kernel_is_its_features(name, parameters, lists, step, margin):
    ours, theirs = exactly(name, step, margin, parameters)
    features = [(mapped(X, 2).tolist(), R) for X, R in lists]
    rounds = list(oracle(name, features, theirs))
    learner = model(name, kernel=Polynomial(2), **ours)
    for t, ((X, R), now) in enumerate(zip(lists, rounds, strict=True)):
        assert learner.predict_then_learn(X, R).tolist() == now.scores, f"list {t}"
    assert learner.n_updates_ == sum(now.updated for now in rounds)
    everything = [x for X, _ in lists for x in X]
    assert learner.predict(everything).tolist() == (mapped(everything, 2) @ np.array(rounds[-1].w, float)).tolist()
    averaged = model(name, average=True, kernel=Polynomial(2), **ours)
    for X, R in lists:
        averaged.learn_list(X, R)
    *_, mean = paper.means(rounds)
    assert averaged.predict(everything) == pytest.approx(mapped(everything, 2) @ np.array(mean, float), rel=1e-12, abs=1e-12)


@rounded_cases
def test_a_kernel_is_its_features_but_for_rounding(name, parameters):
    lists = normal_lists(5)
    rounds = oracle(name, [(mapped(X, 2).tolist(), R) for X, R in lists], {**parameters, "step": 0.25})
    learner, updates = model(name, kernel=Polynomial(2), step=0.25, **parameters), 0
    for t, ((X, R), now) in enumerate(zip(lists, rounds, strict=True)):
        assert learner.predict_then_learn(X, R) == pytest.approx(now.scores, rel=1e-9, abs=1e-9), f"list {t}"
        updates += now.updated
        assert (learner.n_seen_, learner.n_updates_) == (t + 1, updates)
