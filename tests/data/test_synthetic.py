"""The papers' generators against the papers' formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import norm

from ranktron.data.synthetic import crammer_singer, linear, quadratic_map


def papers_rank(x1, x2):
    """Section 6: max {r : 10 (x1 - 0.5)(x2 - 0.5) > b_r} with b = (-∞, -1, -0.1, 0.25, 1)."""
    thresholds = (-np.inf, -1, -0.1, 0.25, 1)
    return max(r for r, b in enumerate(thresholds, start=1) if 10 * ((x1 - 0.5) * (x2 - 0.5)) > b)


def test_without_noise_the_rank_is_the_papers():
    points, y = crammer_singer(2000, noise=0.0, explicit=False, seed=0)
    assert y.tolist() == [papers_rank(*point) for point in points]
    assert set(y.tolist()) == {1, 2, 3, 4, 5}


def test_points_fill_the_unit_square():
    points, _ = crammer_singer(4000, explicit=False, seed=1)
    assert points.shape == (4000, 2)
    assert points.min() >= 0
    assert points.max() <= 1
    quarters = np.histogram2d(*points.T, bins=2, range=[[0, 1], [0, 1]])[0]
    assert np.abs(quarters - 1000).max() < 5 * np.sqrt(4000 * 3 / 16)  # five deviations of a binomial


def test_the_noise_has_the_papers_deviation():
    """A rank stays what it is without noise with a probability that the normal distribution gives for each point."""
    points, y = crammer_singer(20_000, explicit=False, seed=2)
    value = 10 * (points[:, 0] - 0.5) * (points[:, 1] - 0.5)
    edges = np.array([-np.inf, -1, -0.1, 0.25, 1, np.inf])
    noiseless = (value[:, None] > edges[:-1]).sum(axis=1)
    stays = norm.cdf((edges[noiseless] - value) / 0.125) - norm.cdf((edges[noiseless - 1] - value) / 0.125)
    deviation = np.sqrt((stays * (1 - stays)).sum())
    assert abs((y == noiseless).sum() - stays.sum()) < 4 * deviation


def test_a_value_on_a_threshold_is_below_it(monkeypatch):
    """The rank is the highest r with a value > b_r, and 10 (1 - 0.5)(0.3 - 0.5) is b_2 = -1 exactly."""

    class OnePoint:
        def random(self, shape):
            return np.array([[1.0, 0.3]])

        def standard_normal(self, n):
            return np.zeros(n)

    assert 10 * (1 - 0.5) * (0.3 - 0.5) == -1
    monkeypatch.setattr(np.random, "default_rng", lambda seed: OnePoint())
    assert crammer_singer(1)[1].tolist() == [1]


def test_the_explicit_features_are_those_of_the_points():
    points, y = crammer_singer(50, explicit=False, seed=3)
    X, same = crammer_singer(50, seed=3)
    assert (quadratic_map(points) == X).all()
    assert (y == same).all()


def test_inner_products_of_the_map_are_the_kernel():
    X, Z = np.random.default_rng(4).uniform(-2, 2, (2, 30, 2))
    np.testing.assert_allclose(quadratic_map(X) @ quadratic_map(Z).T, (X @ Z.T + 1) ** 2, rtol=1e-12, atol=1e-12)


def test_without_noise_a_rule_of_the_map_ranks_every_point():
    """10 (x1 - ½)(x2 - ½) = 10 x1 x2 - 5 x1 - 5 x2 + 2.5 in the features 1, √2 x1, √2 x2, x1², √2 x1 x2, x2²."""
    X, y = crammer_singer(1000, noise=0.0, seed=5)
    root = np.sqrt(2)
    value = X @ np.array([2.5, -5 / root, -5 / root, 0, 10 / root, 0])
    assert (y == 1 + (value[:, None] > (-1, -0.1, 0.25, 1)).sum(axis=1)).all()


@pytest.mark.parametrize("k", [2, 5, 7])
def test_linear_ranks_are_equally_frequent(k):
    X, y = linear(70 * k, 4, n_ranks=k, seed=6)
    assert X.shape == (70 * k, 4)
    assert np.bincount(y, minlength=k + 1).tolist() == [0] + [70] * k


def is_separable(X, y, k):
    """Whether some (w, b) has y_r (w·x - b_r) ≥ 1 for every row and threshold, by linear programming."""
    sides = np.where(y[:, None] > np.arange(1, k), 1.0, -1.0)
    rows = [-sides[:, [r]] * np.column_stack([X, -np.tile(np.eye(k - 1)[r], (len(X), 1))]) for r in range(k - 1)]
    constraints = np.concatenate(rows)
    return linprog(np.zeros(constraints.shape[1]), constraints, -np.ones(len(constraints)), bounds=(None, None)).status == 0


@pytest.mark.parametrize(("noise", "separable"), [(0.0, True), (0.25, False)])
def test_only_noise_keeps_a_linear_rule_from_ranking_every_row(noise, separable):
    X, y = linear(200, 3, n_ranks=4, noise=noise, seed=7)
    assert is_separable(X, y, 4) == separable


@pytest.mark.parametrize("make", [lambda seed: crammer_singer(20, seed=seed), lambda seed: linear(20, 3, seed=seed)])
def test_a_seed_gives_the_same_stream(make):
    (X, y), (again, same), (other, _) = make(1), make(1), make(2)
    assert (again == X).all()
    assert (y == same).all()
    assert (other != X).any()
