"""Streams and runs that several tests of the algorithms share."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from ..family import LINEAR_IDS, LINEAR_VARIANTS, make

WITHOUT_THRESHOLDS = ("MulticlassPerceptron", "Voted")  # or not such as predictions go by
THRESHOLDED = [
    (variant, variant_id)
    for variant, variant_id in zip(LINEAR_VARIANTS, LINEAR_IDS)
    if variant[0] not in WITHOUT_THRESHOLDS and variant[1].get("combine", "bpm") == "bpm"
]
THRESHOLD_VARIANTS, THRESHOLD_IDS = zip(*THRESHOLDED)


@st.composite
def integer_streams(draw, ranks=(2, 6), largest=2, rows=25, features=4):
    """Small integers, so that projections often fall on thresholds: rows, ranks from 1 and the number of ranks."""
    k = draw(st.integers(*ranks))
    d, n = draw(st.integers(1, features)), draw(st.integers(min(rows, 4), rows))
    row = st.lists(st.integers(-largest, largest), min_size=d, max_size=d)
    X = draw(st.lists(row, min_size=n, max_size=n))
    return X, draw(st.lists(st.integers(1, k), min_size=n, max_size=n)), k


def fresh(name, k, **parameters):
    """An estimator of the ranks 1 to k that predicts with its last hypothesis unless told otherwise."""
    if name == "MuPRank":
        parameters.setdefault("radius", 1.0)
    return make(name, **{"average": False, **parameters}, classes=range(1, k + 1))


def near(name, **parameters):
    """An estimator for features around 1: with a radius far beyond them Mu-PRank would hardly move."""
    return make(name, **({"radius": 8.0} if name == "MuPRank" else {}), **parameters)


def rule(model):
    """The rule as the oracles yield it: nested tuples, an intercept as the weight of a last feature, None for no thresholds."""
    coef = model.coef_
    if getattr(model, "fit_intercept", False):
        coef = np.concatenate([coef, np.atleast_1d(model.intercept_)[:, None] if coef.ndim == 2 else [model.intercept_]], axis=-1)
    weights = tuple(map(tuple, coef.tolist())) if coef.ndim == 2 else tuple(coef.tolist())
    return weights, None if coef.ndim == 2 else tuple(model.thresholds_.tolist())


def steps(model, X, y):
    """What the model says of each row before learning it, and the rule it holds afterwards."""
    for t, (row, label) in enumerate(zip(X, y)):
        prediction = model.predict_one(row)
        if t % 2:
            model.partial_fit([row], [label])
        else:
            model.learn_one(row, label)
        yield prediction, *rule(model)


def flat(nested):
    """All numbers of nested tuples; None has none."""
    if nested is None:
        return []
    return [float(number) for part in nested for number in flat(part)] if isinstance(nested, tuple) else [nested]
