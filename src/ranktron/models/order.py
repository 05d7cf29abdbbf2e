"""In which order a pass presents its rows, and how often: shuffling and sample weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.checks import refuse_masked
from .learners.learner import NO_INTEGERS, NO_NUMBERS

MOST_PRESENTATIONS = 1e9


def presentations(sample_weight: Any, n_rows: int, meaning: str) -> tuple[np.ndarray | None, np.ndarray]:
    """The order of the rows, or None if none is to be presented, and what to multiply their steps by.

    >>> presentations([2, 0, 1], 3, "counts")
    (array([0, 0, 2]), array([], dtype=float64))
    """
    if sample_weight is None:
        return NO_INTEGERS, NO_NUMBERS
    refuse_masked(sample_weight, "sample_weight")
    weights = np.asarray(sample_weight)
    if weights.dtype.kind not in "fiub":
        raise ValueError(f"sample_weight should hold numbers, not {weights.dtype} values")
    weights = weights.astype(np.float64)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight should hold one number per row, {n_rows}; its shape is {weights.shape}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError("sample_weight should hold numbers from 0 on")
    if meaning == "steps":
        return NO_INTEGERS, weights
    if meaning == "flags" and not np.isin(weights, (0, 1)).all():
        raise ValueError("sample_weight should hold 0 or 1 here: learning a row again would not change the model")
    if (weights != np.round(weights)).any():
        raise ValueError("sample_weight should hold whole numbers: each is how many times its row is presented")
    if weights.sum() > MOST_PRESENTATIONS:
        raise ValueError(f"sample_weight adds up to {weights.sum():g} presentations, which is more than {MOST_PRESENTATIONS:g}")
    order = np.repeat(np.arange(n_rows), weights.astype(np.int64))
    return order if len(order) else None, NO_NUMBERS


def generator(random_state: Any) -> Any:
    """A source of permutations."""
    return random_state if hasattr(random_state, "permutation") else np.random.default_rng(random_state)


def seed_of(random_state: Any) -> int:
    """The seed of random decisions: the number itself, 0 for None, so that equal models learn alike; a generator draws one."""
    if random_state is None:
        return 0
    if hasattr(random_state, "permutation"):
        draw = getattr(random_state, "integers", None) or random_state.randint
        return int(draw(1 << 31))
    return int(random_state) % (1 << 64)


def shuffled(order: np.ndarray, n_rows: int, random: Any) -> np.ndarray:
    """A random order of the rows, each presented as often as in ``order``."""
    rows: np.ndarray = random.permutation(n_rows)
    return rows if len(order) == 0 else np.repeat(rows, np.bincount(order, minlength=n_rows)[rows])
