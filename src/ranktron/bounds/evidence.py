"""The evidence for a guarantee: rows and a rule that does well on them, or a margin that the user assumes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .chaudhuri_tewari import counted_grades, list_margin
from .crammer_singer import margin as margin_of
from .crammer_singer import missed
from .slack import ListBound, best_inseparable, best_inseparable_list
from .widest import NotSeparable, best_list_margin, best_margin, rows_of_lists, table


class NoTheorem(Exception):
    """The reason why there is no guarantee; it follows a colon."""


class Evidence(NamedTuple):
    """A rule with margin gamma on rows of norm R at most, and its shortfall D or its surrogate loss."""

    R: float
    gamma: float
    words: str
    D: float = 0.0
    surrogate: float = 0.0


class CertificateData(NamedTuple):
    """The arguments of a certificate."""

    X: Any = None
    y: Any = None
    qid: Any = None
    comparator: Any = None
    margin: float | None = None
    radius: float | None = None

    @property
    def rows(self) -> np.ndarray:
        """The rows as an array."""
        return table(self.X)

    def passes(self, model: Any) -> int:
        """The number of times that the model has learned the rows, or lists."""
        of_lists = hasattr(model, "learn_list")
        rounds = len(rows_of_lists(self.qid, len(self.rows))) if of_lists else len(self.rows)
        times, over = divmod(int(model.n_seen_), rounds)
        if over or not times:
            what = "lists" if of_lists else "rows"
            raise ValueError(
                f"the model has learned {model.n_seen_} {what} and X holds {rounds}: pass everything that it has learned"
            )
        return times

    def assumed(self, radius_of: Callable[[np.ndarray], float]) -> Evidence | None:
        """The evidence from a margin that the user assumes, if there is one."""
        if self.margin is None:
            return None
        if not self.margin > 0:
            raise ValueError(f"margin={self.margin!r} should be a number above 0")
        R = float(self.radius) if self.radius is not None else radius_of(self.rows)
        return Evidence(R, float(self.margin), f"a margin of {self.margin:.4g} is assumed")


def longest(rows: np.ndarray) -> float:
    """The largest norm of a row."""
    return float(np.linalg.norm(rows, axis=1).max())


def ranks_in(y: Any, model: Any) -> np.ndarray:
    """The ranks of labels, from 1."""
    place = {label: rank for rank, label in enumerate(np.asarray(model.classes_).tolist(), 1)}
    try:
        return np.array([place[label] for label in np.asarray(y).tolist()])
    except KeyError as unknown:
        raise ValueError(f"label {unknown.args[0]!r} is not among the classes that the model has learned") from None


def rule_for(model: Any, given: CertificateData, exact: bool = False) -> Evidence:
    """A rule (w, b) in the Euclidean norm, for PRank and related algorithms; ``exact`` requires it to be right on all rows."""
    assumed = given.assumed(longest)
    if assumed is not None:
        return assumed
    rows, ranks, k = given.rows, ranks_in(given.y, model), len(model.classes_)
    data = _Rows(rows, ranks, longest(rows), math.sqrt(given.passes(model)))
    if given.comparator is not None:
        return data.evidence_of(*rule_of(given.comparator, rows.shape[1], k), "the comparator", exact)
    try:
        best = best_margin(rows, ranks, k)
        return data.evidence_of(best.coef, best.thresholds, "the best rule", exact)
    except NotSeparable:
        if exact:
            raise NoTheorem("its theorem needs a rule that is right on all rows, and there is none") from None
        loose = best_inseparable(rows, ranks, k)
        words = "no rule is right on all rows, and the best one is the comparator"
        return Evidence(data.R, loose.margin, words, loose.missed * data.times)


class _Rows(NamedTuple):
    """Rows, their ranks, the largest norm, and the root of the number of times that they were learned."""

    rows: np.ndarray
    ranks: np.ndarray
    R: float
    times: float

    def evidence_of(self, w: np.ndarray, b: np.ndarray, who: str, exact: bool) -> Evidence:
        """The margin of a rule, or a larger margin that it misses on some rows if that makes the bound of Theorem 2 smaller."""
        gamma = margin_of(w, b, self.rows, self.ranks)
        if exact and gamma <= 0:
            raise NoTheorem(f"its theorem needs a rule that is right on all rows, and {who} is not")
        log_gamma = _lowest(lambda log: self._root(w, b, math.exp(log)), math.log(math.hypot(self.R, 1.0)))
        target = math.exp(log_gamma)
        if gamma > 0 and (exact or math.hypot(self.R, 1.0) / gamma <= self._root(w, b, target)):
            return Evidence(self.R, gamma, f"{who} has margin {gamma:.4g}")
        words = f"{who} has margin {gamma:.4g}, and the bound uses {target:.2g}" if gamma > 0 else f"{who} is wrong on some rows"
        return Evidence(self.R, target, words, missed(w, b, self.rows, self.ranks, target) * self.times)

    def _root(self, w: np.ndarray, b: np.ndarray, gamma: float) -> float:
        """The root of the bound of Theorem 2, without its factor k - 1."""
        return (missed(w, b, self.rows, self.ranks, gamma) * self.times + math.hypot(self.R, 1.0)) / gamma


def rule_of(comparator: Any, d: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The weights and thresholds of a comparator for d features and k ranks."""
    try:
        w, b = comparator
    except (TypeError, ValueError):
        raise ValueError("comparator should be (coef, thresholds), the weights and the thresholds of a rule") from None
    return shaped(w, (d,)), shaped(b, (k - 1,))


def shaped(comparator: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A part of a comparator as an array."""
    part = np.asarray(comparator, float)
    if part.shape != shape:
        raise ValueError(f"comparator has an array of shape {part.shape} where {shape} is needed")
    return part


def _lowest(function: Callable[[float], float], about: float) -> float:
    from scipy.optimize import minimize_scalar

    return float(minimize_scalar(function, bounds=(about - 15, about + 15), method="bounded").x)


def rule_in_1_norm(model: Any, given: CertificateData) -> Evidence:
    """A rule in the 1-norm for rows divided by the model's radius, for Mu-PRank."""
    assumed = given.assumed(lambda rows: 1.0)
    if assumed is not None:
        return assumed._replace(R=1.0)
    rows, ranks = given.rows / model.radius, ranks_in(given.y, model)
    given.passes(model)
    if given.comparator is None:
        return _best_in_1_norm(rows, ranks, model)
    w, b = rule_of(given.comparator, rows.shape[1], len(model.classes_))
    gamma = margin_of(w, b, rows, ranks, order=1)
    if gamma <= 0 or not (model.signed or min(w.min(), b.min()) >= 0):
        raise NoTheorem("the comparator has to be right on all rows, without negative numbers unless the model is signed")
    return Evidence(1.0, gamma, f"the comparator has margin {gamma:.4g} in the 1-norm")


def _best_in_1_norm(rows: np.ndarray, ranks: np.ndarray, model: Any) -> Evidence:
    try:
        best = best_margin(rows, ranks, len(model.classes_), order=1, signed=model.signed)
    except NotSeparable:
        kind = "rule" if model.signed else "rule without negative numbers"
        raise NoTheorem(f"Mu-PRank's theorem needs a {kind} that is right on all rows") from None
    return Evidence(1.0, best.margin, f"the best rule has margin {best.margin:.4g} in the 1-norm")


def direction_for(model: Any, given: CertificateData, bound: ListBound) -> Evidence:
    """A direction for lists with a small bound."""
    assumed = given.assumed(longest)
    if assumed is not None:
        return assumed
    rows, grades, times = given.rows, counted_grades(given.y, model.measure), given.passes(model)
    if given.comparator is not None:
        w = shaped(given.comparator, (rows.shape[1],))
        return _of_direction(w, "the comparator", rows, grades, given.qid, times, bound)
    try:
        best = best_list_margin(rows, grades, given.qid)
        return _of_direction(best.coef, "the best direction", rows, grades, given.qid, times, bound)
    except NotSeparable:
        kind = {name: getattr(bound, name) for name in ("algorithm", "measure", "ties", "step")}
        loose = best_inseparable_list(rows, grades, given.qid, **kind)
        words = "no direction ranks all lists, and the best one is the comparator"
        return _missing(float(np.linalg.norm(loose.coef)), loose.surrogate * times, bound, words)


def _of_direction(
    w: np.ndarray, who: str, rows: np.ndarray, grades: np.ndarray, qid: Any, times: int, bound: ListBound
) -> Evidence:
    """The margin of a direction, or its surrogate loss at another length if that makes the bound smaller."""
    gamma, scores = list_margin(w, rows, grades, qid), rows @ w / np.linalg.norm(w)

    def surrogate(norm: float) -> float:
        return times * bound.surrogate(scores * norm, grades, qid)

    norm = math.exp(_lowest(lambda log: bound.loss(math.exp(log), surrogate(math.exp(log))), -math.log(bound.R or 1.0)))
    if gamma > 0 and bound.loss(1 / gamma, 0.0) <= bound.loss(norm, surrogate(norm)):
        return Evidence(bound.R, gamma, f"{who} has margin {gamma:.4g}")
    words = f"{who} has margin {gamma:.4g}, and the bound uses {1 / norm:.2g}" if gamma > 0 else f"{who} misorders some lists"
    return _missing(norm, surrogate(norm), bound, words)


def _missing(norm: float, surrogate: float, bound: ListBound, words: str) -> Evidence:
    return Evidence(bound.R, 1 / norm if norm else math.inf, words, surrogate=surrogate)
