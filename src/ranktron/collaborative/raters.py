"""From what is known of a pair to a label: by a rater that all people share, or by one of their own that leans on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .tastes import FEATURES

Named = dict[str, float]


class Cases(NamedTuple):
    """Who rates, what is known of the pairs, a row each, and what others said of the items, where people's own raters see it."""

    who: np.ndarray
    rows: np.ndarray
    others: list[Named] | None = None

    def own(self, place: int) -> Any:
        """The rows for a person's own rater."""
        row = self.rows[place]
        return row if self.others is None else {**dict(zip(FEATURES, row.tolist())), **self.others[place]}

    def one(self, place: int) -> Cases:
        """One of them."""
        part = slice(place, place + 1)
        return Cases(self.who[part], self.rows[part], None if self.others is None else self.others[part])


class Raters:
    """The rater of all, and of each person who has one of their own.

    What a person's own rater says counts n, the number of ratings it has learned, and what the shared one says counts ``shrink``.
    """

    def __init__(self, shared: Any, own: Any, shrink: float) -> None:
        self.shared, self.pattern, self.shrink = shared, own, shrink
        self.per_person = own is not None
        self.own: dict[int, Any] = {}

    def all(self) -> Iterator[tuple[str, Any]]:
        """All raters by name, for a file."""
        yield "shared", self.shared
        for person, own in self.own.items():
            yield str(person), own

    def put(self, name: str, rater: Any) -> None:
        """Have a rater again that ``all`` gave."""
        if name == "shared":
            self.shared = rater
        else:
            self.own[int(name)] = rater

    # Learning

    def learn(self, cases: Cases, labels: np.ndarray, predict: bool) -> np.ndarray | None:
        """Learn labels in their order; returns what was predicted of each before, if that is wanted."""
        if self.per_person:
            return self._learn_one_by_one(cases, labels, predict)
        if predict:
            return self.shared.predict_then_learn(cases.rows, labels)
        self.shared.partial_fit(cases.rows, labels)
        return None

    def _learn_one_by_one(self, cases: Cases, labels: np.ndarray, predict: bool) -> np.ndarray | None:
        predicted = labels.copy() if predict else None
        for place, label in enumerate(labels.tolist()):
            case = cases.one(place)
            if predicted is not None:
                predicted[place] = self.predict(case)[0]
            self.learn_one(case, label)
        return predicted

    def learn_one(self, case: Cases, label: Any) -> None:
        """The same for one."""
        self.shared.learn_one(case.rows[0], label)
        if self.per_person:
            person = int(case.who[0])
            if person not in self.own:
                self.own[person] = dataclasses.replace(self.pattern)
            self.own[person].learn_one(case.own(0), label)

    # Answers

    def predict(self, cases: Cases) -> np.ndarray:
        """The labels: the middle ones by probability, where raters are mixed."""
        if not self.per_person:
            return self.shared.predict(cases.rows)
        reached = np.cumsum(self.predict_proba(cases), axis=1) >= 0.5
        reached[:, -1] = True
        return self.shared.classes_[reached.argmax(axis=1)]

    def predict_one(self, case: Cases) -> Any:
        """The label of a single one."""
        return self.predict(case).tolist()[0] if self.per_person else self.shared.predict_one(case.rows[0])

    def predict_proba(self, cases: Cases) -> np.ndarray:
        """The probability of each label; a rater that knows none is sure of what it predicts."""
        shares = np.array(_shares(self.shared, cases.rows))
        for place, person in enumerate(cases.who.tolist()) if self.own else ():
            own = self.own.get(person)
            if own is not None:
                weight = own.n_seen_ / (own.n_seen_ + self.shrink)
                shares[place] *= 1.0 - weight
                shares[place, self._columns(own)] += weight * _own_shares(own, cases.own(place))
        return shares

    def _columns(self, own: Any) -> np.ndarray:
        """Where the labels that a rater knows are among all."""
        everybody = self.shared.classes_.tolist()
        return np.array([everybody.index(label) for label in own.classes_.tolist()])


def _shares(rater: Any, rows: np.ndarray) -> np.ndarray:
    if hasattr(rater, "predict_proba"):
        return rater.predict_proba(rows)
    return np.equal.outer(rater.predict(rows), rater.classes_).astype(np.float64)


def _own_shares(rater: Any, x: Any) -> np.ndarray:
    if isinstance(x, np.ndarray):
        return _shares(rater, x[None, :])[0]
    if hasattr(rater, "predict_proba_one"):
        return np.array(list(rater.predict_proba_one(x).values()))
    return np.array([float(label == rater.predict_one(x)) for label in rater.classes_.tolist()])
