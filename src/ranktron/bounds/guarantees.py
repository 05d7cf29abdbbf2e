"""The guarantee of each algorithm, by its own theorem."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from typing import Any, NamedTuple

from . import chaudhuri_tewari as lists
from . import crammer_singer as ranks
from .evidence import CertificateData, Evidence, NoTheorem, direction_for, rule_for, rule_in_1_norm
from .jain_natarajan_tewari import predtron_error_set_rounds
from .predtron_guarantees import largest_loss, matrix_for, predtron_bound
from .slack import ListBound, list_bound


class Guarantee(NamedTuple):
    """A number that a model has counted, the bound that a theorem gives for it, and its value if every round had been wrong."""

    what: str
    measured: float
    bound: float
    worst: float
    theorem: str
    evidence: str

    @property
    def is_vacuous(self) -> bool:
        """Whether the bound is no better than the largest possible value."""
        return self.bound >= 0.99 * self.worst

    def __str__(self) -> str:
        """The guarantee in one sentence or two."""
        known = f"{self.what} is at most {shown(self.bound)}, measured {shown(self.measured)}: {self.theorem}; {self.evidence}."
        return (
            f"{known} The bound is vacuous so far: the largest possible value is {shown(self.worst)}."
            if self.is_vacuous
            else known
        )


def shown(number: float) -> str:
    """A number for a sentence."""
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:.3g}"


def guaranteed(model: Any, given: CertificateData) -> tuple[Guarantee | None, str]:
    """The guarantee that a theorem gives, or None and the reason."""
    names = [cls.__name__ for cls in type(model).__mro__ if cls.__name__ in BY_NAME]
    try:
        if not names:
            raise NoTheorem(f"no theorem is known for {type(model).__name__}")
        _check(model, given)
        theorem = BY_NAME[names[0]]
        if isinstance(theorem, str):
            raise NoTheorem(theorem)
        return theorem(model, given), ""
    except NoTheorem as why:
        return None, f"Nothing is guaranteed: {why}."


def _check(model: Any, given: CertificateData) -> None:
    if getattr(model, "scale", None) is not None:
        raise NoTheorem("scale= changes the scaling with every row, which no theorem allows; scale the rows before learning")
    kernel, budget = getattr(model, "kernel", None), getattr(model, "budget", None)
    if kernel is not None and budget is not None:
        raise NoTheorem("a model with a budget forgets, which no theorem allows")
    if kernel is not None and (given.margin is None or given.radius is None):
        raise NoTheorem("with a kernel, pass margin= and radius= in its feature space; radius² is the largest K(x, x)")
    if given.X is None and (given.margin is None or given.radius is None):
        raise NoTheorem("pass X and y, the rows that the model has learned, or margin= and radius=")
    if given.margin is None and given.y is None:
        raise ValueError("X needs y, the labels that the model has learned with it")


def _prank(model: Any, given: CertificateData) -> Guarantee:
    evidence, k = rule_for(model, given), len(model.classes_)
    bound = ranks.prank_loss_inseparable_tighter(k, evidence.R, evidence.gamma, evidence.D)
    return _of_ranks(model, bound, "Theorem 1" if not evidence.D else "Theorem 2", evidence)


def _siprank(model: Any, given: CertificateData) -> Guarantee:
    evidence, k = rule_for(model, given), len(model.classes_)
    bound = (k - 1) * ranks.siprank_mistakes(evidence.R, evidence.gamma, evidence.D)
    return _of_ranks(model, bound, "Theorem 1" if not evidence.D else "Theorem 2", evidence)


def _noprank(model: Any, given: CertificateData) -> Guarantee:
    evidence = rule_for(model, given, exact=True)
    bound = ranks.noprank_loss(len(model.classes_), evidence.R, evidence.gamma)
    return _of_ranks(model, bound, "Corollary 1", evidence)


def _muprank(model: Any, given: CertificateData) -> Guarantee:
    evidence, k = rule_in_1_norm(model, given), len(model.classes_)
    step = float(model.step) if model.step != "theory" else ranks.muprank_theory_step(k, model.gamma)
    bound = ranks.muprank_loss(k, model.n_features_in_, evidence.gamma, step, bool(model.signed))
    if bound == math.inf:
        better = ranks.muprank_theory_step(k, evidence.gamma) if evidence.gamma < k - 1 else math.inf
        raise NoTheorem(
            f"step={step:.4g} is too large for Theorem 4; the best step for margin {evidence.gamma:.4g} is {better:.4g}"
        )
    return _of_ranks(model, bound, "Theorem 4", evidence)


def _of_ranks(model: Any, bound: float, theorem: str, evidence: Evidence) -> Guarantee:
    counted, worst = float(model.cumulative_loss_), float(model.n_seen_ * (len(model.classes_) - 1))
    return Guarantee("The ranking loss", counted, bound, worst, f"{theorem} of Crammer & Singer 2005", evidence.words)


def _of_many(model: Any, given: CertificateData) -> Guarantee:
    """The updates of all members; no theorem bounds the loss of the combined prediction of OAP or Voted."""
    base = type(model.estimator).__name__ if model.estimator is not None else "PRank"
    if base not in ("PRank", "SiPRank"):
        raise NoTheorem(f"the updates of members are bounded for PRank and SiPRank, not for {base}")
    evidence = rule_for(model, given, exact=True)
    members, k = getattr(model, "n_members", 1), len(model.classes_)
    each = ranks.prank_loss_tighter(k, evidence.R, evidence.gamma)
    each = each if base == "PRank" else ranks.siprank_mistakes(evidence.R, evidence.gamma)
    theorem = "Theorem 1 of Crammer & Singer 2005" + (", for each member" if members > 1 else "")
    counted, worst = float(model.n_updates_), float(model.n_seen_ * members)
    return Guarantee("The number of updates", counted, members * each, worst, theorem, evidence.words)


def _minimax(model: Any, given: CertificateData) -> Guarantee:
    if given.X is None:
        given = given._replace(X=[[given.radius]], y=[0])  # only the norm of rows matters here
    bound = list_bound(given.X, given.y, given.qid, algorithm="minimax", measure=model.measure)
    evidence = direction_for(model, given, bound)
    return _of_lists(model, bound, evidence, "Corollary 11", "Theorem 10")


def _slam(model: Any, given: CertificateData) -> Guarantee:
    if model.soften or model.margin != 1:
        raise NoTheorem("SLAM's theorems are for margin=1 and soften=0")
    if not isinstance(model.step, numbers.Real):
        raise NoTheorem("SLAM's theorems are for a constant step, such as bounds.slam_theory_step, not for AdaGrad")
    if given.X is None:
        raise NoTheorem("SLAM's bound depends on the lengths and grades of lists: pass X, y and qid")
    kind = {"measure": model.measure, "ties": model.ties, "step": float(model.step)}
    bound = list_bound(given.X, given.y, given.qid, algorithm="slam", **kind)
    if bound.loss(1.0, 0.0) == math.inf:
        largest = 2 * lists.slam_theory_step(bound.m, bound.R, bound.v_max)
        raise NoTheorem(f"SLAM's theorems need a step below {largest:.4g}; this one is {model.step:.4g}")
    return _of_lists(model, bound, direction_for(model, given, bound), "Corollary 7", "Theorem 6")


def _of_lists(model: Any, bound: ListBound, evidence: Evidence, separable: str, inseparable: str) -> Guarantee:
    limit = bound._replace(R=evidence.R).loss(1 / evidence.gamma, evidence.surrogate)
    theorem = f"{separable if not evidence.surrogate else inseparable} of Chaudhuri & Tewari 2015"
    counted, worst = float(model.cumulative_loss_), float(model.n_seen_)
    return Guarantee(f"The sum of 1 - {model.measure.upper()}", counted, limit, worst, theorem, evidence.words)


def _multiclass(model: Any, given: CertificateData) -> Guarantee:
    evidence = matrix_for(model, given)
    bound = predtron_error_set_rounds(evidence.R, evidence.gamma)  # whether it demotes one class or all that scored no less
    theorem = "Crammer & Singer 2003, as in footnote 2 of Jain, Natarajan & Tewari 2015"
    counted, worst = float(model.n_updates_), float(model.n_seen_)
    return Guarantee("The number of mistakes", counted, bound, worst, theorem, evidence.words)


def _predtron(model: Any, given: CertificateData) -> Guarantee:
    bound, evidence = predtron_bound(model, given)
    theorem = f"Theorem 1 of Jain, Natarajan & Tewari 2015 at this step{', loss-driven' if model.loss_driven else ''}"
    counted, worst = float(model.cumulative_loss_), float(model.n_seen_ * (largest_loss(model) or math.inf))
    return Guarantee("The loss", counted, bound, worst, theorem, evidence.words)


# The guarantee, or why there is none, by the name of the algorithm: that of the model's class, or of one of its bases.
BY_NAME: dict[str, Callable[[Any, CertificateData], Guarantee] | str] = {
    "PRank": _prank,
    "SiPRank": _siprank,
    "NoPRank": _noprank,
    "MuPRank": _muprank,
    "OAP": _of_many,
    "Voted": _of_many,
    "MulticlassPerceptron": _multiclass,
    "SLAM": _slam,
    "MinimaxRank": _minimax,
    "Predtron": _predtron,
    "ROMMAPRank": "ROMMA's mistake bound is for two classes, not for rules with several thresholds",
    "AROWPRank": "AROW's mistake bound is for two classes, not for rules with several thresholds",
    "OrdinalLogit": "its theorems bound the logistic loss, not the ranking loss",
    "WidrowHoff": "Widrow-Hoff's theorems bound squared errors, not the ranking loss",
    "ListNet": "theorems on gradient descent bound ListNet's loss against that of the best direction, not 1 - NDCG",
}
