"""Made people who rate made items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class World(NamedTuple):
    """People and items as nobody sees them."""

    lenience: np.ndarray
    stretch: np.ndarray
    noise: np.ndarray
    likes: np.ndarray
    quality: np.ndarray
    fame: np.ndarray
    traits: np.ndarray

    @classmethod
    def drawn(cls, people: int, items: int, kinds: int, random: np.random.Generator) -> World:
        """Fame has a long tail, and what is known to many is better by tendency; some traits matter more than others."""
        fame = random.standard_normal(items)
        quality = 0.6 * (0.35 * fame + np.sqrt(1 - 0.35**2) * random.standard_normal(items))
        weights = 0.7 ** np.arange(kinds)
        traits = random.standard_normal((items, kinds)) * (weights / np.linalg.norm(weights))
        lenience, stretch, noise = random.standard_normal((3, people))
        likes = random.standard_normal((people, kinds))
        return cls(0.45 * lenience, np.exp(0.18 * stretch), 0.855 * np.exp(0.2 * noise), likes, quality, 1.75 * fame, traits)

    def chosen(self, person: int, count: int, random: np.random.Generator) -> np.ndarray:
        """Items that a person picks: famous ones, good ones, and what they like."""
        pull = self.fame + 0.55 * (self.traits @ self.likes[person]) + 0.25 * self.quality
        return np.argsort(-(pull + random.gumbel(size=len(pull))))[:count]

    def stars(self, people: np.ndarray, items: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Ratings from 1 to 5."""
        liking = (self.likes[people] * self.traits[items]).sum(axis=1)
        merit = self.quality[items] + 0.48 * liking + self.noise[people] * random.standard_normal(len(people))
        stars: np.ndarray = np.clip(np.rint(3.1 + self.lenience[people] + self.stretch[people] * merit), 1, 5).astype(np.int64)
        return stars


def counts(ratings: int, people: int, items: int, random: np.random.Generator) -> np.ndarray:
    """How many ratings everybody gives: a long tail, nobody very few, and so many in all but for rounding."""
    wanted = np.minimum(20 + random.lognormal(np.log(45), 1.15, people), 757)
    shares: np.ndarray = np.clip(np.rint(wanted * ratings / wanted.sum()), 1, items).astype(np.int64)
    return shares
