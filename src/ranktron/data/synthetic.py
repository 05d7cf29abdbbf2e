"""Synthetic streams: the papers' problems, and problems for benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .sets import Ratings

CRAMMER_SINGER_THRESHOLDS = (-1.0, -0.1, 0.25, 1.0)


def crammer_singer(
    n: int, *, noise: float = 0.125, explicit: bool = True, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The synthetic problem of Crammer & Singer (2005, section 6), after Herbrich et al.: ranks 1 to 5 of points in a square.

    The rank follows 10 (x₁ - ½)(x₂ - ½) plus noise, so it is not a linear function of the point. ``explicit`` returns the six
    features 1, √2 x₁, √2 x₂, x₁², √2 x₁x₂, x₂² instead of the point; their inner product is the paper's kernel (x·z + 1)².

    >>> X, y = crammer_singer(1000, seed=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((1000, 6), [1, 2, 3, 4, 5])
    """
    random = np.random.default_rng(seed)
    points = random.random((n, 2))
    value = 10 * (points[:, 0] - 0.5) * (points[:, 1] - 0.5) + noise * random.standard_normal(n)
    y = 1 + np.searchsorted(CRAMMER_SINGER_THRESHOLDS, value, side="left")
    return quadratic_map(points) if explicit else points, y


def quadratic_map(points: np.ndarray) -> np.ndarray:
    """The features whose inner products are (x·z + 1)² for points of two coordinates."""
    x1, x2 = points[:, 0], points[:, 1]
    root = np.sqrt(2.0)
    return np.column_stack([np.ones(len(points)), root * x1, root * x2, x1**2, root * x1 * x2, x2**2])


def linear(
    n: int, n_features: int, *, n_ranks: int = 5, noise: float = 0.25, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Normal features and ranks 1 to ``n_ranks``, equally frequent, along one direction; ``noise`` is in standard deviations.

    >>> X, y = linear(1000, 3, seed=0)
    >>> X.shape, np.bincount(y)[1:].tolist()
    ((1000, 3), [200, 200, 200, 200, 200])
    """
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, n_features))
    direction = random.standard_normal(n_features)
    value = X @ (direction / np.linalg.norm(direction)) + noise * random.standard_normal(n)
    inner = np.linspace(0, 1, n_ranks + 1)[1:-1]
    return X, 1 + np.digitize(value, np.quantile(value, inner))


def chaudhuri_tewari(
    n_lists: int,
    *,
    n_documents: int = 20,
    n_features: int = 20,
    n_grades: int = 5,
    margin: float = 0.1,
    seed: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lists that a direction of norm 1 ranks with this margin (Chaudhuri & Tewari 2015, section 8): rows, grades and list ids.

    Grades are uniform. The documents of each grade have their own normal distribution, except along the direction: there a
    document's place is its grade plus a uniform number up to 1 - ``margin``.

    >>> X, y, qid = chaudhuri_tewari(10, seed=0)
    >>> X.shape, sorted(set(y.tolist())), len(set(qid.tolist()))
    ((200, 20), [0, 1, 2, 3, 4], 10)
    """
    random = np.random.default_rng(seed)
    direction = random.standard_normal(n_features)
    direction /= np.linalg.norm(direction)
    centres = random.standard_normal((n_grades, n_features))
    y = random.integers(n_grades, size=n_lists * n_documents)
    X = centres[y] + random.standard_normal((len(y), n_features))
    along = y + (1.0 - margin) * random.random(len(y))
    X += np.outer(along - X @ direction, direction)
    return X, y, np.repeat(np.arange(n_lists), n_documents)


# The shares of grades 0 to 4 among the judged documents of a web search engine.
SEARCH_SHARES = (0.52, 0.32, 0.13, 0.02, 0.01)


def search(
    n_lists: int, *, n_documents: int = 120, n_features: int = 136, noise: float = 2.0, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Long lists of noisy documents, like those of a search engine: rows, grades 0 to 4, most of them low, and list ids.

    A document's worth is a weighted sum of normal features, of which a third have a weight, plus ``noise`` times as much noise.

    >>> X, y, qid = search(50, seed=0)
    >>> X.shape, (np.bincount(y) / len(y)).round(2).tolist()
    ((6000, 136), [0.52, 0.32, 0.13, 0.02, 0.01])
    """
    random = np.random.default_rng(seed)
    direction = random.standard_normal(n_features) * (np.arange(n_features) % 3 == 0)
    X = random.standard_normal((n_lists * n_documents, n_features))
    worth = X @ (direction / np.linalg.norm(direction)) + noise * random.standard_normal(len(X))
    y = np.digitize(worth, np.quantile(worth, np.cumsum(SEARCH_SHARES)[:-1]))
    return X, y, np.repeat(np.arange(n_lists), n_documents)


def ratings(n: int = 100_000, *, people: int = 943, items: int = 1_682, kinds: int = 12, seed: int | None = None) -> Ratings:
    """About ``n`` ratings of one to five stars, in random order, of the size and kind of MovieLens 100k.

    People differ in how lenient, how extreme and how erratic they are, and in what they like. Items differ in fame, quality and
    ``kinds`` traits. People rate famous items and items that they like more often, so the choice of items is informative, too.
    The usual methods have errors as large as on MovieLens 100k.

    >>> made = ratings(1_000, people=50, items=80, seed=0)
    >>> len(made.names_people), len(made.names_items), sorted(set(made.ratings.tolist()))
    (50, 80, [1.0, 2.0, 3.0, 4.0, 5.0])
    """
    from .sets import Ratings

    random = np.random.default_rng(seed)
    world = _World.drawn(people, items, kinds, random)
    shares = _counts(n, people, items, random)
    who = np.repeat(np.arange(people), shares)
    what = np.concatenate([world.chosen(person, count, random) for person, count in enumerate(shares.tolist())])
    order = random.permutation(len(who))
    who, what = who[order], what[order]
    return Ratings(who, what, world.stars(who, what, random).astype(np.float64), np.arange(people), np.arange(items))


class _World(NamedTuple):
    """The hidden parameters of made people and items."""

    lenience: np.ndarray
    stretch: np.ndarray
    noise: np.ndarray
    likes: np.ndarray
    quality: np.ndarray
    fame: np.ndarray
    traits: np.ndarray

    @classmethod
    def drawn(cls, people: int, items: int, kinds: int, random: np.random.Generator) -> _World:
        """Draw the parameters. Fame has a long tail and correlates with quality; some traits matter more than others."""
        fame = random.standard_normal(items)
        quality = 0.6 * (0.35 * fame + np.sqrt(1 - 0.35**2) * random.standard_normal(items))
        weights = 0.7 ** np.arange(kinds)
        traits = random.standard_normal((items, kinds)) * (weights / np.linalg.norm(weights))
        lenience, stretch, noise = random.standard_normal((3, people))
        likes = random.standard_normal((people, kinds))
        return cls(0.45 * lenience, np.exp(0.18 * stretch), 0.855 * np.exp(0.2 * noise), likes, quality, 1.75 * fame, traits)

    def chosen(self, person: int, count: int, random: np.random.Generator) -> np.ndarray:
        """The items that a person rates: mostly famous ones, good ones, and those with traits that the person likes."""
        pull = self.fame + 0.55 * (self.traits @ self.likes[person]) + 0.25 * self.quality
        return np.argsort(-(pull + random.gumbel(size=len(pull))))[:count]

    def stars(self, people: np.ndarray, items: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Ratings from 1 to 5."""
        liking = (self.likes[people] * self.traits[items]).sum(axis=1)
        merit = self.quality[items] + 0.48 * liking + self.noise[people] * random.standard_normal(len(people))
        stars: np.ndarray = np.clip(np.rint(3.1 + self.lenience[people] + self.stretch[people] * merit), 1, 5).astype(np.int64)
        return stars


def _counts(ratings: int, people: int, items: int, random: np.random.Generator) -> np.ndarray:
    """The number of ratings of each person, with a long tail and a minimum; they sum up to about ``ratings``."""
    wanted = np.minimum(20 + random.lognormal(np.log(45), 1.15, people), 757)
    shares: np.ndarray = np.clip(np.rint(wanted * ratings / wanted.sum()), 1, items).astype(np.int64)
    return shares
