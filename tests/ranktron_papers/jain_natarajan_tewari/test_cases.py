"""Predtron's special cases: the runs that are compared are what they should be, and differences would be seen."""

from __future__ import annotations

import importlib
import itertools
import math
from typing import Any

import numpy as np
import pytest

from ranktron import bounds
from ranktron.tasks import Multiclass, Multilabel, MultilabelRanking, Task
from ranktron_papers.jain_natarajan_tewari import classes, ranks, sets

framework = importlib.import_module("ranktron_papers.jain_natarajan_tewari.framework")  # not the function of that name

# Two classes


def test_the_perceptron_by_hand() -> None:
    X, y = np.array([[1.0, 0.0], [0.0, 2.0], [1.0, -1.0], [-1.0, 1.0]]), np.array([-1, 1, 1, 1])
    said, w = classes.perceptron(X, y)
    assert said.tolist() == [1, 1, -1, -1]  # 0 is positive; w is (-1, 0) after the first row, and (0, -1) after the third
    assert w.tolist() == [-1.0, 0.0]


def test_rows_of_two_classes_are_whole_and_apart() -> None:
    X, y, w = classes.two_classes(0, 200, 6)
    assert X.shape == (200, 6)
    assert (X.round() == X).all()
    assert (y * (X @ w)).min() >= 5
    turned = [classes.mislabelled(0, y, share) for share in (0.0, 0.1, 0.3)]
    assert (turned[0] == y).all()
    assert 0.02 < (turned[1] != y).mean() < 0.2
    assert (turned[2] != y)[turned[1] != y].all()


def test_two_classes_are_the_perceptron_and_keep_its_bound() -> None:
    numbers = classes.binary(1, n=150, n_features=5, duel=12)
    assert [numbers[name] for name in ("rounds that differ, separable rows", "rounds that differ, a tenth mislabelled")] == [0, 0]
    assert numbers["largest difference of weights"] == 0
    assert numbers["margin over the classical one"] == pytest.approx(2)
    assert numbers["bound of Theorem 1 over R²/γ²"] == pytest.approx(1)
    assert numbers["mistakes over R²/γ², orthogonal rows"] == pytest.approx(1)
    assert 0 < numbers["mistakes over R²/γ², random rows"] < 1
    assert numbers["mistakes over those allowed"] == max(
        one / most for one, most in zip(numbers["mistakes"], numbers["mistakes allowed"])
    )


def test_a_run_that_is_no_perceptron_would_be_seen() -> None:
    X, y, _ = classes.two_classes(1, 100, 5)
    assert classes._differing(X, y) == (0.0, 0.0)
    said = classes.perceptron(X, classes.mislabelled(1, y, 0.3))[0]
    assert (said != classes.perceptron(X, y)[0]).any()


def test_the_mistakes_allowed_solve_their_equation() -> None:
    X, y, w = classes.two_classes(0, 80, 5)
    u, R, wrong = w / 7.0, 9.0, classes.mislabelled(0, y, 0.2)
    hinge = sum(max(0.0, 1 - label * (x @ u)) for x, label in zip(X, wrong))
    mistakes, most = classes._with_mislabelled(X, wrong, u, R)
    assert most - R * math.sqrt(u @ u) * math.sqrt(most) == pytest.approx(hinge)
    assert mistakes == (classes.perceptron(X, wrong)[0] != wrong).sum()


def test_corollary_2_as_printed_is_broken_by_the_heavy_label_alone() -> None:
    numbers = classes.weighted(0, n=100, n_features=4, duel=9)
    for heavy, light in classes.WEIGHTS:  # n rows cost n α₁; 4R²/γ² is n
        name = f"orthogonal rows, {heavy:g} and {light:g}"
        assert numbers[f"loss over the printed bound, {name}"] == pytest.approx(light**2 / heavy)
        assert numbers[f"loss over the corrected bound, {name}"] == pytest.approx(light / heavy)
    assert numbers["largest change of W, Algorithm 1"] == numbers["share of answers changed, Algorithm 1"] == 0
    assert numbers["share of answers changed, loss-driven"] > 0


def test_reject_is_never_predicted_as_published_and_ours_is() -> None:
    numbers = classes.rejecting(0, n=120, n_features=5)
    published = [value for name, value in numbers.items() if name.startswith("rejected") and "costs" in name]
    assert len(published) == 2 * len(classes.REJECTS)
    assert not any(published)
    assert numbers["rejected of noisy rows by reject=0.3"] > 0
    ratios = {costs: [numbers[f"loss over the {kind} bound, costs {costs}"] for kind in ("printed", "corrected")]
              for costs in ("1 1", "0.5 0.5", "0.9 0.1")}  # fmt: skip
    assert ratios["1 1"][0] == pytest.approx(ratios["1 1"][1])
    assert ratios["0.5 0.5"][0] == pytest.approx(2 * ratios["0.5 0.5"][1])  # β₁²/β₂² is 1 where 1/β₂ is 2
    assert ratios["0.9 0.1"][0] == pytest.approx(10 / 81 * ratios["0.9 0.1"][1])


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_lead_over_classes_is_one_over_reject_as_far_as_is_said(k: int) -> None:
    random = np.random.default_rng(k)
    for _ in range(50):
        t = np.sort(random.normal(size=k))
        t -= t.mean()
        assert t[-1] >= classes.rejection_margin(t[-1] - t[-2], k) - 1e-12
    tight = np.array([-1.0] * (k - 1) + [k - 1.0])
    assert tight[-1] == pytest.approx(classes.rejection_margin(tight[-1] - tight[-2], k))


# Several classes and ranks


def test_several_classes_are_apart_and_the_run_is_the_multiclass_perceptrons() -> None:
    X, y, W = ranks.several_classes(0, 150, 6, 4)
    scores = X @ W.T
    assert (scores.argmax(axis=1) == y).all()
    assert (np.diff(np.sort(scores, axis=1))[:, -1] >= 5 - 1e-9).all()
    numbers = ranks.multiclass(0, n=150, n_features=6, k=4, duel=20)
    assert [numbers[f"rounds that differ, {rows}"] for rows in ("separable rows", "a tenth mislabelled")] == [0, 0]
    assert numbers["largest difference of weights"] == 0
    assert numbers["difference of margins"] < 1e-12
    assert numbers["difference of surrogates"] < 1e-12
    assert numbers["bound of Theorem 1 over that of Crammer & Singer"] == pytest.approx(2)
    assert numbers["rounds with an error set"] == numbers["mistakes"] + numbers["rounds with an error set and no mistake"]
    assert 0.3 < numbers["mistakes over the bound of Theorem 1, adversary"] <= 0.5  # a factor 2 is lost, see the bounds


def test_error_sets_by_hand() -> None:
    X = np.eye(2)[[0, 0, 1, 1]]
    assert ranks.error_sets(X, np.array([0, 0, 1, 1]), 2) == (
        1,
        2,
    )  # ties are told class 0: right twice, wrong once, then learned
    assert ranks.error_sets(X, np.array([1, 1, 1, 1]), 2) == (2, 0)


def test_another_surrogate_is_not_the_hinge(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ranks.hinge_difference(0, 3, 20) < 1e-12
    monkeypatch.setattr(ranks, "Multiclass", ranks.Ordinal)
    assert ranks.hinge_difference(0, 3, 20) > 0.1


def test_ranks_lie_along_a_line_and_classes_find_them() -> None:
    X, y, w, thresholds = ranks.along_a_line(0, 100, 3, 5)
    assert ((X @ w)[:, None] >= thresholds).sum(axis=1).tolist() == y.tolist()
    assert bounds.margin(w, thresholds, X, y + 1) > 0
    W = ranks.as_classes(w, thresholds)
    rows = np.column_stack([X, np.ones(100)])
    assert (rows @ W.T).argmax(axis=1).tolist() == y.tolist()
    assert W.mean(axis=0) == pytest.approx(np.zeros(4))


def test_losses_of_ranks_stand_beside_their_bounds() -> None:
    numbers = ranks.ordinal(0, ranks=(2, 4), n=120, n_features=3)
    for ours, bound in (("Predtron, theory step", "Predtron"), ("PRank", "PRank")):
        shares = np.array(numbers[ours]) / numbers[f"bound of {bound}"]
        name = "Predtron's loss over its bound, theory step" if ours != "PRank" else "PRank's loss over its bound"
        assert numbers[name] == pytest.approx(shares.max())
        assert 0 < shares.max() < 1
    few, many = (numbers[f"bound of Predtron over that of PRank, {which} ranks"] for which in ("fewest", "most"))
    assert few == pytest.approx(2)  # with two ranks both rules are one, and Predtron's margin is half as wide by √2
    assert many > 3 * few


# The framework


def test_the_framework_in_small() -> None:
    numbers = framework.framework(0, tried=3, n=40, levels=3)
    assert numbers["tasks that break a law"] == 0
    assert numbers["lowest surrogate"] >= 0
    assert numbers["surrogate less loss, at least"] >= -1e-12
    assert numbers["how far surrogates are from convex"] < 1e-12
    assert numbers["rounds in which a kernel differs from its features"] == 0
    assert 0 < numbers["loss-driven loss over its bound, staircase"] <= 1
    assert 0 < numbers["loss over Theorem 1, staircase"] <= 0.5  # no stream costs more than half of it
    ratio = numbers["loss of Algorithm 1 over the loss-driven bound, staircase"] / numbers["loss over Theorem 1, staircase"]
    assert ratio == pytest.approx(4)  # C_L / c_L of three levels


class Long(Task):
    """A task whose representations are too long."""

    n_scores = 2

    def representation(self, prediction: Any) -> np.ndarray:
        return 2 * np.eye(2)[prediction]

    def decode(self, scores: np.ndarray) -> int:
        return int(np.argmax(scores))

    def loss_of(self, prediction: Any, label: Any) -> float:
        return float(prediction != label)

    def loss_augmented(self, scores: np.ndarray, label: Any) -> int:
        return 1 - label


def test_a_task_that_breaks_a_law_is_counted() -> None:
    assert framework._breaks_a_law(0, 3, "long", Long(), [0, 1], [0, 1])
    assert not framework._breaks_a_law(0, 3, "classes", Multiclass(2), [0, 1], [0, 1])


def test_with_ties_by_score_the_surrogate_is_not_convex() -> None:
    labels = [np.array([1, 1, 0, 0])]
    assert framework._surrogates(0, 60, MultilabelRanking(ties="score"), labels)[0] > 1e-3
    assert framework._surrogates(0, 60, MultilabelRanking(ties="index"), labels)[0] < 1e-12


# Sets and orders


def test_sets_of_labels_in_small() -> None:
    numbers = sets.multilabel(0, m=3, tried=6, n=120)
    assert [numbers[f"off the worst set, {loss}"] for loss in sets.LOSSES] == pytest.approx([0, 0, 0], abs=1e-12)
    assert numbers["rounds in which one label differs from the perceptron"] == 0
    assert numbers["sets right, subset loss"] > 0.5 > numbers["sets right, subset loss as printed"]
    assert all(0 < numbers[f"loss over Theorem 1, {loss}"] < 1 for loss in ("hamming", "subset"))


def test_what_is_not_the_worst_set_would_be_seen() -> None:
    class Blind(Multilabel):
        def loss_augmented(self, scores: np.ndarray, label: Any) -> np.ndarray:
            return np.asarray(label)

    assert sets._off_the_worst(0, Blind("hamming"), 3, 10) > 0.1


def test_orders_in_small() -> None:
    numbers = sets.rankings(0, lists=6, documents=3, tried=6, idle=4)
    for name in ("1/i", "-i^1.1", "-i^2"):
        assert numbers[f"off the worst order, {name}"] < 1e-12
        assert numbers[f"difference of margins, {name}"] < 1e-12
    assert numbers["separation asked at the bottom over that at the top, 1/i"] == pytest.approx(
        (1 / 2) / (1 / 380)
    )  # 1/19 - 1/20
    assert numbers["separation asked at the bottom over that at the top, -i^2"] == pytest.approx(3 / 39)
    assert numbers["steps of -i^1.1 that do not grow"] == numbers["steps of 1/i that do not fall"] == 0
    assert numbers["smallest loss over the one in Corollary 5"] > 1
    assert all(0 < numbers[f"loss over Corollary {number}"] < 1 for number in (5, 6, 7, 8))


def test_steps_are_the_differences_of_places() -> None:
    assert sets.steps(2.0, 4) == pytest.approx([3, 5, 7])
    assert sets.steps(-1.0, 4) == pytest.approx([1 / 2, 1 / 6, 1 / 12])


def test_all_sets_are_all() -> None:
    assert {tuple(each) for each in sets.all_sets(3)} == set(itertools.product((0, 1), repeat=3))
