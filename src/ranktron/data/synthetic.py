"""Synthetic streams: the papers' problems, and plain ones to measure on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .people import World, counts

if TYPE_CHECKING:
    from .sets import Ratings

CRAMMER_SINGER_THRESHOLDS = (-1.0, -0.1, 0.25, 1.0)


def crammer_singer(
    n: int, *, noise: float = 0.125, explicit: bool = True, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The synthetic problem of Crammer & Singer (2005, section 6), after Herbrich et al.: ranks 1 to 5 of points in a square.

    The rank follows 10 (x₁ - ½)(x₂ - ½) plus noise, so it is no linear function of the point; ``explicit`` gives the six features
    1, √2 x₁, √2 x₂, x₁², √2 x₁x₂, x₂² whose inner product is the paper's kernel (x·z + 1)².

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
    """Normal features and ranks 1 to ``n_ranks``, equally frequent, along one direction with noise of that many deviations.

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

    Grades are uniform. The documents of each have a normal distribution of their own, but for the place along the direction,
    which is the grade and a uniform number up to 1 - ``margin``.

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


# Of the grades 0 to 4 among the judged documents of a web search engine.
SEARCH_SHARES = (0.52, 0.32, 0.13, 0.02, 0.01)


def search(
    n_lists: int, *, n_documents: int = 120, n_features: int = 136, noise: float = 2.0, seed: int | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Long lists of noisy documents, as a search engine has them: rows, grades 0 to 4, most of them low, and list ids.

    A document's worth is a sum of normal features, a third of which matter, with ``noise`` times as much that nothing tells.

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

    People differ in how lenient, how extreme and how erratic they are and in what they like, items in fame, quality and in
    ``kinds`` of traits. Everybody picks famous items and what they like, so who rated what tells something, too. Errors of the
    usual methods are as large as on MovieLens 100k.

    >>> made = ratings(1_000, people=50, items=80, seed=0)
    >>> len(made.names_people), len(made.names_items), sorted(set(made.ratings.tolist()))
    (50, 80, [1.0, 2.0, 3.0, 4.0, 5.0])
    """
    from .sets import Ratings

    random = np.random.default_rng(seed)
    world = World.drawn(people, items, kinds, random)
    shares = counts(n, people, items, random)
    who = np.repeat(np.arange(people), shares)
    what = np.concatenate([world.chosen(person, count, random) for person, count in enumerate(shares.tolist())])
    order = random.permutation(len(who))
    who, what = who[order], what[order]
    return Ratings(who, what, world.stars(who, what, random).astype(np.float64), np.arange(people), np.arange(items))
