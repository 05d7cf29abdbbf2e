"""From what is known of a pair to a label: by a rater that all people share, or by one of their own that leans on it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np


class Raters:
    """The rater of all, and of each person who has one of their own.

    What a person's own rater says counts n, the number of ratings it has learned, and what the shared one says counts ``shrink``.
    """

    def __init__(self, rater: Any, per_person: bool, shrink: float) -> None:
        self.shared, self.per_person, self.shrink = rater, per_person, shrink
        self.own: dict[int, Any] = {}

    def _of(self, person: int) -> Any:
        if person not in self.own:
            self.own[person] = dataclasses.replace(self.shared)
        return self.own[person]

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

    def learn(self, who: np.ndarray, rows: np.ndarray, labels: np.ndarray, predict: bool) -> np.ndarray | None:
        """Learn the labels of rows in their order; returns what was predicted of each before, if that is wanted."""
        if self.per_person:
            return self._learn_one_by_one(who, rows, labels, predict)
        if predict:
            told: np.ndarray = self.shared.predict_then_learn(rows, labels)
            return told
        self.shared.partial_fit(rows, labels)
        return None

    def _learn_one_by_one(self, who: np.ndarray, rows: np.ndarray, labels: np.ndarray, predict: bool) -> np.ndarray | None:
        told = labels.copy() if predict else None
        for place, (person, label) in enumerate(zip(who.tolist(), labels.tolist())):
            if told is not None:
                told[place] = self.predict(who[place : place + 1], rows[place : place + 1])[0]
            self.learn_one(person, rows[place], label)
        return told

    def learn_one(self, person: int, row: np.ndarray, label: Any) -> None:
        """The same for one row."""
        self.shared.learn_one(row, label)
        if self.per_person:
            self._of(person).learn_one(row, label)

    # Answers

    def predict(self, who: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The labels of rows: the middle one by probability, where raters are mixed."""
        if not self.per_person:
            labels: np.ndarray = self.shared.predict(rows)
            return labels
        reached = np.cumsum(self.predict_proba(who, rows), axis=1) >= 0.5
        reached[:, -1] = True
        middle: np.ndarray = self.shared.classes_[reached.argmax(axis=1)]
        return middle

    def predict_one(self, person: int, row: np.ndarray) -> Any:
        """The label of a single row."""
        return self.predict(np.array([person]), row).tolist()[0] if self.per_person else self.shared.predict_one(row[0])

    def predict_proba(self, who: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The probability of each label."""
        shares = np.array(_probabilities(self.shared, rows))
        for person, places in _by_person(who) if self.own else ():
            own = self.own.get(person)
            if own is not None:
                weight = own.n_seen_ / (own.n_seen_ + self.shrink)
                shares[places] *= 1.0 - weight
                shares[np.ix_(places, self._columns(own))] += weight * _probabilities(own, rows[places])
        return shares

    def _columns(self, own: Any) -> np.ndarray:
        """Where the labels that a rater knows are among all."""
        everybody = self.shared.classes_.tolist()
        return np.array([everybody.index(label) for label in own.classes_.tolist()])


def _by_person(who: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Everybody with the places of their rows."""
    order = np.argsort(who, kind="stable")
    people, starts = np.unique(who[order], return_index=True)
    yield from zip(people.tolist(), np.split(order, starts[1:]))


def _probabilities(rater: Any, rows: np.ndarray) -> np.ndarray:
    """Those that a rater gives; one that knows none is sure of what it predicts."""
    if hasattr(rater, "predict_proba"):
        shares: np.ndarray = rater.predict_proba(rows)
        return shares
    sure: np.ndarray = np.equal.outer(rater.predict(rows), rater.classes_).astype(np.float64)
    return sure
