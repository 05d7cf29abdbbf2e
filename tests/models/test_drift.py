"""Drift: angles and shifts that are known, verdicts on streams that change in known ways, and a trail that files keep."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest

import ranktron
from ranktron import ListNet, MulticlassPerceptron, PRank
from ranktron.data import synthetic
from ranktron.kernels import Gaussian
from ranktron.models.drift import Drift, Era, Movement, drift_of, eras_of, shifts_of, turn_of
from ranktron.models.history import KEPT, NOTHING, WIDEST

from .rankers.family import stream as lists


def changed(n: int = 2_048, seed: int = 1, turn: float = 0.0, shift: float = 0.0, d: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Normal features and five ranks; half way the direction turns by so many degrees, and thresholds by so many ranks."""
    random = np.random.default_rng(seed)
    X, later = random.standard_normal((n, d)), np.arange(n) >= n // 2
    angle = np.where(later, math.radians(turn), 0.0)
    value = np.cos(angle) * X[:, 0] + np.sin(angle) * X[:, 1] + 0.4 * random.standard_normal(n)
    return X, 1 + np.digitize(value - 0.6 * shift * later, [-0.9, -0.3, 0.3, 0.9])


# Eras


def test_the_mean_between_two_ages_is_the_difference_of_their_sums():
    held = np.random.default_rng(0).standard_normal((300, 3))
    points = [(n, held[:n].mean(axis=0), held[:n, :2].mean(axis=0)) for n in (100, 150, 300)]
    for era, (start, stop) in zip(eras_of(points, is_mean=True), [(0, 100), (100, 150), (150, 300)], strict=True):
        assert (era.start, era.stop) == (start, stop)
        np.testing.assert_allclose(era.w, held[start:stop].mean(axis=0), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(era.b, held[start:stop, :2].mean(axis=0), rtol=1e-9, atol=1e-12)


def era(w, b, start=0, stop=1):
    return Era(start, stop, np.array(w, float), np.array(b, float))


@pytest.mark.parametrize(("w", "degrees"), [([3, 0], 0), ([5, 5], 45), ([0, 2], 90), ([-1, 0], 180), ([0, 0], 0)])
def test_turns_are_angles_whatever_the_lengths(w, degrees):
    assert turn_of(era([2, 0], []), era(w, [])) == pytest.approx(degrees)


def test_shifts_are_in_mean_widths_of_a_rank_along_the_direction():
    old = era([2, 0], [2, 4, 10])  # at 1, 2 and 5: two ranks between them, 2 wide in the mean
    assert shifts_of(old, era([0, 4], [4, 16, 20])).tolist() == [0.0, 1.0, 0.0]
    assert shifts_of(era([2, 0], [4]), era([1, 0], [3])).tolist() == [1.0]  # one threshold: in units of the features
    assert shifts_of(old, era([1, 0], [1, 2])).tolist() == []  # a rank is new
    assert shifts_of(era([1, 0], [1, 1]), era([1, 0], [1, 2])).tolist() == []  # no rank has a width


def test_what_chance_does_shrinks_as_eras_grow():
    turns = [0.0, 10.0, 0.0, 0.0]
    eras = [
        era([math.cos(math.radians(t)), math.sin(math.radians(t))], [], s, e)
        for t, (s, e) in zip(turns, [(0, 100), (100, 200), (200, 400), (400, 800)])
    ]
    found = drift_of(eras, is_mean=True, unit="row").movements
    assert [one.since for one in found] == [100, 200, 400]
    assert math.isnan(found[1].turn_by_chance)
    largest = max(10.0 / math.sqrt(2 / 100), 10.0 / math.sqrt(1 / 100 + 1 / 200))
    assert found[2].turn_by_chance == pytest.approx(largest * math.sqrt(1 / 200 + 1 / 400))


# Verdicts


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, "no more than chance does"),
        ({"turn": 50.0}, "since row 1,024 while thresholds moved little: what makes a grade has changed"),
        ({"shift": 1.0}, "raters have become stricter"),
        ({"shift": -1.0}, "raters have become milder"),
    ],
)
@pytest.mark.parametrize("parameters", [{}, {"forget": 0.003}, {"scale": "settled"}], ids=["mean", "forgets", "scaled"])
def test_what_changed_is_told(change, words, parameters):
    told = PRank(**parameters).partial_fit(*changed(**change)).drift().told
    assert words in told


def test_with_a_scale_angles_do_not_hang_on_units():
    X, y = changed(turn=50.0)
    plain = PRank(scale="settled").partial_fit(X, y).drift().movements[-1]
    other = PRank(scale="settled").partial_fit(X * [1, 1e3, 1e-3, 7] + [5, 0, 1, 0], y).drift().movements[-1]
    assert other.turn == pytest.approx(plain.turn, rel=0.02)
    assert np.allclose(other.shifts, plain.shifts, atol=0.05)


def test_directions_of_rankers_turn_too():
    X, y, qid = lists(1_024, d=5, longest=4, seed=3)
    assert "no more than chance does" in ListNet().partial_fit(X, y, qid).drift().told
    X[qid >= 100 + 512] = np.roll(X[qid >= 100 + 512], 1, axis=1)
    told = ListNet().partial_fit(X, y, qid).drift().told
    assert told.startswith("The direction turned by")
    assert "since list 512: what puts one above another has changed." in told


def test_thresholds_that_part_are_no_strictness():
    one = Movement(512, 1_024, 2.0, 3.0, np.array([-0.6, 0.0, 0.6]), 0.1)
    assert Drift((one,) * 3, "row").told == (
        "Thresholds moved by up to 0.6 of a rank since row 512 while the direction turned by 2° only: "
        "grades are spread otherwise than before."
    )


def test_it_takes_some_rows():
    X, y = changed(1_024)
    model = PRank().partial_fit(X[:120], y[:120])
    assert str(model.drift()) == "It is too early to judge drift: that takes 640 rows."
    assert "too early" in model.partial_fit(X[120:639], y[120:639]).drift().told
    assert "too early" not in model.partial_fit(X[639:640], y[639:640]).drift().told


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (PRank(average=False), "drift needs a mean over time, because a last hypothesis"),
        (PRank(kernel=Gaussian(0.1)), "drift needs a linear model of one direction"),
        (MulticlassPerceptron(), "drift needs a linear model of one direction"),
    ],
    ids=["last", "kernel", "classes"],
)
def test_what_does_not_tell_says_so(model, words):
    X, y = changed(150)
    with pytest.raises(ValueError, match=words):
        model.partial_fit(X, y).drift()


# The trail


def numbers(model: Any) -> list[Any]:
    return [(age, coef.tolist()) for age, coef, _ in model._learner.trail]


def test_it_holds_the_rules_of_the_last_milestones():
    X, y = changed(2 ** (7 + KEPT) + 64)
    model, expected = PRank(), {}
    for start in range(0, len(y), 64):
        model.partial_fit(X[start : start + 64], y[start : start + 64], classes=range(1, 6))
        expected[model.n_seen_] = model.coef_.tolist(), model.thresholds_.tolist()
    trail = model._learner.trail
    assert [age for age, _, _ in trail] == [2**power for power in range(8, 8 + KEPT)]
    assert [(coef.tolist(), thresholds.tolist()) for _, coef, thresholds in trail] == [expected[age] for age, _, _ in trail]


def test_batches_files_and_pickles_keep_it(tmp_path):
    X, y = changed(600)
    whole = PRank().partial_fit(X, y)
    half = PRank().partial_fit(X[:300], y[:300])
    half.save(tmp_path / "half")
    for other in (half, ranktron.load(tmp_path / "half"), pickle.loads(pickle.dumps(half)), PRank(classes=range(1, 6))):
        start = other.n_seen_ if other._learner else 0
        for row, label in zip(X[start:], y[start:]):
            other.learn_one(row, label)
        assert numbers(other) == numbers(whole)
        assert str(other.drift()) == str(whole.drift())


def test_a_refused_batch_leaves_it_as_it_was():
    X, y = changed(400)
    model = PRank().partial_fit(X[:200], y[:200])
    before = numbers(model)
    bad = X[200:].copy()
    bad[-3:] = 1e200  # one of the first two is a mistake, and the next product overflows
    with pytest.raises(ValueError, match=r"row 19[89]"):
        model.partial_fit(bad, np.where(np.arange(200) == 198, 5, 1))
    assert numbers(model) == before


def test_features_and_ranks_may_appear_between_milestones():
    X, y = changed(600)
    model = PRank()
    for t, (row, label) in enumerate(zip(X.tolist(), y.tolist())):
        model.learn_one(dict(zip("abcd" if t > 200 else "ab", row)), min(label, 4) if t < 300 else label)
    found = model.drift().movements
    assert [(one.since, len(one.shifts)) for one in found] == [(128, 3), (256, 0)]
    assert all(math.isfinite(one.turn) for one in found)


def test_wide_models_keep_none():
    X = np.zeros((130, WIDEST + 1))
    X[:, 0] = synthetic.crammer_singer(130, seed=1)[0][:, 1]
    model = PRank().partial_fit(X, np.arange(130) % 3)
    assert model._learner.trail is NOTHING
    with pytest.raises(ValueError, match="up to 1,000 weights"):
        model.drift()


def test_a_file_with_half_a_trail_is_refused(tmp_path):
    from ranktron.models import files

    PRank().partial_fit(*changed(200)).save(tmp_path / "model")
    header, arrays = files.read(tmp_path / "model")
    del arrays["trail.coefs"]
    files.write(tmp_path / "other", {name: part for name, part in header.items() if name not in ("format", "library")}, arrays)
    with pytest.raises(ValueError, match="its trail of milestones is incomplete"):
        ranktron.load(tmp_path / "other")
