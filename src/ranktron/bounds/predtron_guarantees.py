"""The guarantees of Predtron and of the multiclass perceptron, from the losses, representations and margin of the task."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..core.measures import ndcg_smallest_loss
from . import jain_natarajan_tewari as predtron
from .evidence import CertificateData, Evidence, NoTheorem, longest, ranks_in, shaped
from .widest import NotSeparable, best_class_margin, rows_of_lists


class Facts(NamedTuple):
    """The smallest and the largest loss of a wrong prediction, and the largest squared distance of two representations."""

    smallest: float
    largest: float
    spread: float


def largest_loss(model: Any) -> float | None:
    """The largest loss of a round, as ``cumulative_loss_`` counts it, or None if the model does not know it."""
    if hasattr(model, "learn_list"):
        return 1.0
    if not hasattr(model, "task"):
        return float(len(model.classes_) - 1)
    name = _name(model)
    if name == "Finite":
        return float(np.max(model.task.losses))
    if name in ("RejectAsPublished", "MultilabelRanking"):
        return 1.0
    return float(_facts(model).largest) if name in (*CLASSES, "Multilabel") else None


CLASSES = ("Binary", "Multiclass", "Ordinal", "CostMatrix")


def _name(model: Any) -> str:
    """The name of the model's task; the multiclass perceptron has none."""
    task = getattr(model, "task", None)
    return "Multiclass" if task is None else type(task).__name__


def _facts(model: Any, given: CertificateData | None = None) -> Facts:
    name, task = _name(model), model.task
    if name == "Binary":
        return Facts(min(task.weights or (1.0,)), max(task.weights or (1.0,)), 4.0)
    if name in ("Multiclass", "Ordinal"):
        return Facts(1.0, len(model.classes_) - 1.0 if name == "Ordinal" else 1.0, 2.0)
    if name == "CostMatrix":
        return Facts(task.smallest_loss, float(np.max(task.costs)), 2.0)
    if name == "Multilabel":
        m = len(model.classes_)
        return Facts(1.0, {"hamming": float(m), "error-set": float(m**2 // 4), "subset": 1.0}[task.loss], 4.0)
    return _ranking_facts(task, given)


def _ranking_facts(task: Any, given: CertificateData | None) -> Facts:
    if given is None or given.y is None:
        raise NoTheorem("the bound for orders depends on their lengths and grades; pass X and y, with qid for lists")
    grades = np.asarray(given.y)
    lengths = [grades.shape[1]] if grades.ndim == 2 else list(map(len, rows_of_lists(given.qid, len(grades))))
    spread = max(predtron.predtron_ranking_spread(m, task.power) for m in set(lengths))
    if task.measure != "ndcg":
        return Facts(1 / int(task.measure.partition("@")[2]), 1.0, spread)
    return Facts(ndcg_smallest_loss(max(lengths), int(grades.max())), 1.0, spread)


def predtron_bound(model: Any, given: CertificateData) -> tuple[float, Evidence]:
    """The bound at the step of the model, or of the loss-driven version."""
    name = _name(model)
    if name not in (*CLASSES, "Multilabel", "MultilabelRanking", "SubsetRanking"):
        raise NoTheorem(f"the margin for {name} is not computed; see bounds.predtron_margin and bounds.predtron_loss_at_step")
    if name == "Multilabel" and model.task.loss == "error-set":
        raise NoTheorem("several sets have no error-set loss, and Algorithm 1 may demote one of them")
    if name == "CostMatrix" and (np.array(model.task.costs) + np.eye(len(model.task.costs)) == 0).any():
        raise NoTheorem("the margin is not computed if a class other than the label costs nothing")
    if not model.loss_driven and getattr(model.task, "ties", "score") != "score":
        raise NoTheorem('the bound for orders is for ties="score" or the loss-driven version')
    facts, evidence = _facts(model, given), matrix_for(model, given)
    if model.loss_driven:
        return predtron.predtron_loss_driven(evidence.R, evidence.gamma, facts.largest, facts.spread), evidence
    step = float(model.step) if model.step != "theory" else predtron.predtron_theory_step(model.radius, facts.smallest)
    return predtron.predtron_loss_at_step(evidence.R, evidence.gamma, step, *facts), evidence


def matrix_for(model: Any, given: CertificateData) -> Evidence:
    """The margin of a matrix in the norm of the link; R is the radius for this link."""
    link = getattr(model, "link", "euclidean")
    assumed = given.assumed(lambda rows: _radius(model, given, rows, link))
    if assumed is not None:
        return assumed
    rows = given.rows
    given.passes(model)
    rows = np.column_stack([rows, np.ones(len(rows))]) if model.fit_intercept else rows
    if given.comparator is not None:
        W = shaped(given.comparator, _shape(model, rows.shape[1]))
        gamma, words = _margin(model, given, rows, W, link), "the comparator"
        if gamma <= 0:
            raise NoTheorem("the comparator has to be right on all rows with a margin")
    else:
        gamma, words = _best(model, given, rows, link), "the best matrix"
    return Evidence(_radius(model, given, rows, link), gamma, f"{words} has margin {gamma:.4g}")


def _shape(model: Any, d: int) -> tuple[int, ...]:
    is_line = hasattr(model, "learn_list") or _name(model) == "Binary"
    return (d,) if is_line else (len(model.classes_), d)


def _margin(model: Any, given: CertificateData, rows: np.ndarray, W: np.ndarray, link: str) -> float:
    name = _name(model)
    if name == "Binary":
        return predtron.predtron_binary_margin(W, rows, 2 * ranks_in(given.y, model) - 3, link)
    if name in CLASSES:
        return predtron.predtron_class_margin(W, rows, ranks_in(given.y, model) - 1, link)
    if name == "Multilabel":
        return predtron.predtron_multilabel_margin(W, rows, np.asarray(given.y), link)
    if name == "MultilabelRanking":
        return predtron.predtron_label_ranking_margin(W, rows, np.asarray(given.y), model.task.power, link)
    return predtron.predtron_list_margin(W, rows, np.asarray(given.y), given.qid, model.task.power, link)


def _best(model: Any, given: CertificateData, rows: np.ndarray, link: str) -> float:
    name = _name(model)
    if name not in CLASSES or link != "euclidean":
        raise NoTheorem("the best matrix is found for classes and the Euclidean link only; pass comparator= or margin=")
    try:
        best = best_class_margin(rows, ranks_in(given.y, model) - 1, len(model.classes_))
    except NotSeparable:
        raise NoTheorem("its bound needs a matrix of weights that is right on all rows, and there is none") from None
    return best.margin * (math.sqrt(2) if name == "Binary" else 1.0)  # w of unit norm stands for two rows of ±w/√2


def _radius(model: Any, given: CertificateData, rows: np.ndarray, link: str) -> float:
    """The largest size of a row, or of a list: its largest singular value, or the largest norm of a column."""
    by_columns = link in ("l1", "group")
    if hasattr(model, "learn_list"):
        lists = [rows[of] for of in rows_of_lists(given.qid, len(rows))]
        R = max(float(np.linalg.norm(one, axis=0).max() if by_columns else np.linalg.norm(one, 2)) for one in lists)
    else:
        R = float(np.abs(rows).max()) if by_columns else longest(rows)
    n_scores = 1 if hasattr(model, "learn_list") else len(np.atleast_2d(model.coef_))
    return predtron.predtron_link_radius(R, rows.shape[1], link, n_scores) if link != "euclidean" else R
