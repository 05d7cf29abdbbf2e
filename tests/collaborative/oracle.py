"""The recommender's learning, written down as plainly as possible: one rating after the other, lists and numbers only."""

from __future__ import annotations

import numpy as np

from ranktron.core.hashed_random import below
from ranktron.core.rows import lane_sum


class Side:
    def __init__(self, tastes: np.ndarray) -> None:
        self.tastes = [list(taste) for taste in tastes.tolist()]
        self.adds = [0.0] * len(tastes)
        self.doubts = [0.3] * len(tastes)
        self.rated: list[list[int]] = [[] for _ in tastes]


class Oracle:
    """Ratings are worth 0 to 4; ``memory`` says how many are kept."""

    def __init__(self, people: np.ndarray, items: np.ndarray, rate: float, damping: float, draws: int, latest: int, memory: int):
        self.people, self.items = Side(people), Side(items)
        self.rate, self.damping, self.draws, self.latest, self.memory = rate, damping, draws, latest, memory
        self.mean, self.noise = 0.0, 1.0
        self.all: list[tuple[int, int, float]] = []

    def taste(self, u: int, i: int) -> float:
        return lane_sum(np.array(self.people.tastes[u]) * np.array(self.items.tastes[i]))

    def expected(self, u: int, i: int) -> float:
        return self.mean + self.people.adds[u] + self.items.adds[i] + self.taste(u, i)

    def learn(self, u: int, i: int, value: float) -> float:
        """Learn a rating; returns what was expected before: by taste only of those who were rated before."""
        taste = self.taste(u, i) if self.people.rated[u] and self.items.rated[i] else 0.0
        told, t = self.mean + self.people.adds[u] + self.items.adds[i] + taste, len(self.all)
        self.mean += (value - self.mean) / (t + 1)
        error = value - (self.mean + self.people.adds[u] + self.items.adds[i] + taste)
        variance = self.noise + self.people.doubts[u] + self.items.doubts[i]
        for side, who in ((self.people, u), (self.items, i)):
            gain = side.doubts[who] / variance
            side.adds[who] += gain * error
            side.doubts[who] -= gain * side.doubts[who]
        self.noise += (error * error - self.noise) / (t + 100)
        before = [
            side.rated[who][-self.latest :][::-1] if self.latest else [] for side, who in ((self.people, u), (self.items, i))
        ]
        self.all.append((u, i, value))
        self.people.rated[u].append(t)
        self.items.rated[i].append(t)
        self.descend(t)
        for ages in before:
            for age in ages:
                if age > t - self.memory:
                    self.descend(age)
        for draw in range(self.draws):
            with np.errstate(over="ignore"):
                back = int(below(min(t + 1, self.memory), np.uint64(0), t * self.draws + draw))
            self.descend(t - back)
        return told

    def descend(self, age: int) -> None:
        """One step down the gradient of (value - expected)² / 2 + damping (|p|² + |q|²) / 2."""
        u, i, value = self.all[age]
        p, q = self.people.tastes[u], self.items.tastes[i]
        error = value - self.expected(u, i)
        keep, push = 1.0 - self.rate * self.damping, self.rate * error
        self.people.tastes[u] = [keep * a + push * b for a, b in zip(p, q)]
        self.items.tastes[i] = [keep * b + push * a for a, b in zip(p, q)]
