"""Certificates where no theorem applies, or where data do not belong to the model: a sentence says why."""

from __future__ import annotations

import types

import numpy as np
import pytest

import ranktron
from ranktron import bounds, kernels, tasks
from ranktron.data import separable

from .test_certificates import CLASSES, GAMMA, LISTS, RANKS, R, taught


@pytest.mark.parametrize(
    ("model", "stream", "sentence"),
    [
        (taught("ROMMAPRank"), RANKS, "ROMMA's mistake bound is for two classes"),
        (taught("WidrowHoff", step=0.01), RANKS, "Widrow-Hoff's theorems bound squared errors"),
        (taught("ListNet", LISTS), LISTS, "ListNet's loss"),
        (taught("SLAM", LISTS), LISTS, "not for AdaGrad"),
        (taught("SLAM", LISTS, step=1.0), LISTS, "need a step below 0.0006032; this one is 1."),
        (taught("SLAM", LISTS, step=1e-4, soften=0.5), LISTS, "for margin=1 and soften=0"),
        (taught("PRank", kernel=kernels.Gaussian(1.0)), RANKS, "radius² is the largest"),
        (taught("PRank", kernel=kernels.Gaussian(1.0), budget=5), RANKS, "a model with a budget forgets"),
        (taught("Voted", estimator=ranktron.NoPRank()), RANKS, "not for NoPRank"),
        (taught("Predtron", CLASSES, task=tasks.RejectAsPublished((0.5, 0.5, 0.5))), CLASSES, "see bounds.predtron_margin"),
        (taught("Predtron", CLASSES, task=tasks.CostMatrix([[0, 0, 1], [1, 0, 1], [1, 1, 0]])), CLASSES, "costs nothing"),
        (taught("PRank", scale="standard"), RANKS, "scale the rows before learning"),
        (taught("PRank"), (), "pass X and y"),
    ],
)
def test_where_no_theorem_applies_a_sentence_says_why(model, stream, sentence):
    found = bounds.certificate(model, *stream)
    assert found.guarantee is None
    assert sentence in found.remarks[0]
    assert str(found).endswith(found.remarks[0])
    assert found.future is not None


def test_sets_by_their_error_set_and_orders_by_index_have_no_theorem():
    X, Y = separable.multilabel(40, 6, 4, margin=0.3, seed=0)
    model = taught("Predtron", (X, Y), task=tasks.Multilabel("error-set"))
    found = bounds.certificate(model, X, Y, margin=0.1)
    assert "several sets have no error-set loss" in found.remarks[0]
    assert found.future == bounds.future_loss(model.cumulative_loss_, 40, 4.0)
    X, y, qid = separable.subset_ranking(20, 4, 5, margin=0.2, seed=0)
    model = taught("Predtron", (X, y, qid), task=tasks.SubsetRanking(ties="index"))
    assert 'for ties="score"' in bounds.certificate(model, X, y, qid, margin=0.1).remarks[0]


def test_slam_needs_its_lists_and_an_exact_theorem_a_right_rule():
    slam = taught("SLAM", LISTS, step=1e-5)
    assert "depends on the lengths and grades" in bounds.certificate(slam, margin=0.1, radius=1.0).remarks[0]
    wrong = bounds.certificate(taught("NoPRank"), *RANKS, comparator=(-np.ones(4), np.zeros(2)))
    assert "and the comparator is not" in wrong.remarks[0]


def test_a_matrix_for_classes_may_be_given():
    model, best = taught("MulticlassPerceptron", CLASSES), bounds.best_class_margin(*CLASSES)
    given = bounds.certificate(model, *CLASSES, comparator=best.coef).guarantee
    assert given.bound == pytest.approx(bounds.certificate(model, *CLASSES).guarantee.bound)


class Another(ranktron.PRank):
    """A model of a user's own, derived from ours."""


def test_an_algorithm_is_known_by_what_it_derives_from():
    model = Another().partial_fit(*RANKS)
    assert bounds.certificate(model, margin=0.1, radius=1.0).guarantee.theorem.startswith("Theorem 1")
    stranger = types.SimpleNamespace(n_seen_=3, cumulative_loss_=1, classes_=[1, 2], epochs=1)
    found = bounds.certificate(stranger)
    assert "no theorem is known for SimpleNamespace" in found.remarks[0]
    assert found.future == bounds.future_loss(1, 3)


def test_a_kernel_takes_a_margin_and_a_radius():
    model = taught("PRank", kernel=kernels.Gaussian(1.0))
    assert bounds.certificate(model, margin=0.1, radius=1.0).guarantee.bound == pytest.approx(300)


def test_rows_learned_again_say_nothing_of_the_future():
    again = taught("PRank", passes=2)
    found = bounds.certificate(again, *RANKS)
    assert found.future is None
    assert found.guarantee.measured == again.cumulative_loss_ <= found.guarantee.bound
    assert "learn each once" in found.remarks[0]
    assert bounds.certificate(ranktron.PRank(epochs=2).fit(*RANKS)).future is None


class Guess(tasks.Task):
    """A task of a user's own."""

    n_scores = 2

    def representation(self, prediction):
        return np.eye(2)[prediction]

    def loss_of(self, prediction, label):
        return float(prediction != label)

    def decode(self, scores):
        return int(np.argmax(scores))

    def loss_augmented(self, scores, label):
        return int(np.argmax(np.asarray(scores) + (np.arange(2) != label)))


def test_of_a_task_of_ones_own_the_largest_loss_has_to_be_told():
    model = taught("Predtron", (CLASSES[0], [int(label > 0) for label in CLASSES[1]]), task=Guess())
    found = bounds.certificate(model)
    assert found.future is None
    assert "pass largest=" in found.remarks[1]
    assert bounds.certificate(model, largest=1.0).future == bounds.future_loss(model.cumulative_loss_, 120)
    losses = np.array([[0.0, 3.0], [2.0, 0.0]])
    table = taught("Predtron", (CLASSES[0], CLASSES[1] > 0), task=tasks.Finite(np.eye(2), losses), classes=[False, True])
    assert bounds.certificate(table).future == bounds.future_loss(table.cumulative_loss_, 120, 3.0)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ((RANKS[0][:50], RANKS[1][:50]), "the model has learned 120 rows and X holds 50: pass everything that it has learned"),
        ((RANKS[0],), "X needs y, the labels that the model has learned"),
        ((RANKS[0], RANKS[1] + 1), "label 3 is not among the classes"),
    ],
)
def test_data_that_are_not_those_learned_are_refused(given, sentence):
    with pytest.raises(ValueError, match=sentence):
        bounds.certificate(taught("PRank"), *given)


def test_a_comparator_is_weights_and_thresholds_and_a_margin_is_positive():
    with pytest.raises(ValueError, match="comparator should be"):
        bounds.certificate(taught("PRank"), *RANKS, comparator=np.ones(4))
    with pytest.raises(ValueError, match=r"comparator has an array of shape \(3,\) where \(2,\) is needed"):
        bounds.certificate(taught("PRank"), *RANKS, comparator=(np.ones(4), np.ones(3)))
    with pytest.raises(ValueError, match=r"shape \(6,\) where \(3, 6\) is needed"):
        bounds.certificate(taught("MulticlassPerceptron", CLASSES), *CLASSES, comparator=np.ones(6))
    with pytest.raises(ValueError, match="margin=0 should be a number above 0"):
        bounds.certificate(taught("PRank"), *RANKS, margin=0)
    with pytest.raises(ValueError, match="30 lists and X holds 7"):
        bounds.certificate(taught("MinimaxRank", LISTS), *(part[LISTS[2] < 7] for part in LISTS))


def test_all_of_it_is_told_in_sentences():
    model = taught("PRank")
    first, second, third = str(bounds.certificate(model, margin=GAMMA, radius=R, confidence=0.9)).split("\n")
    assert first.startswith(f"PRank has learned 120 rows with a loss of {model.cumulative_loss_}, ")
    assert second.startswith(f"The ranking loss is at most {bounds.prank_loss_tighter(3, R, GAMMA):,.0f}, measured")
    assert second.endswith("The bound is vacuous so far: the largest possible value is 240.")
    assert third.startswith("With confidence 90%, the expected loss of a fresh row is at most ")
