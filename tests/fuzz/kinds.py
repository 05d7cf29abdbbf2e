"""Every kind of model that a file can hold, and how each is used once it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import ranktron
from ranktron.models import files
from tests.collaborative import made
from tests.family import VARIANT_IDS, VARIANTS, make, stream
from tests.models.predtron import family as predtrons
from tests.models.rankers import family as rankers

LABELS = np.array(["awful", "bad", "fair", "good", "great"])
# Features beyond which a ``Rater`` is made of other parts.
WIDE = 132


def ordinal(name: str, parameters: dict[str, Any]) -> Any:
    """A model that has learned labels of rows."""
    X, y = stream(140, seed=3)
    return make(name, **parameters).partial_fit(X, LABELS[y - 1])


def with_names(name: str, **parameters: Any) -> Any:
    """A model that has learned mappings, one at a time."""
    model = make(name, **parameters)
    for row, label in zip(stream(30, seed=4)[0], stream(30, seed=4)[1]):
        model.learn_one({f"feature {j}": value for j, value in enumerate(row)}, int(label))
    return model


def wide_rater() -> Any:
    """A rater of too many features for a belief."""
    return make("Rater").partial_fit(*stream(20, WIDE, seed=5))


def ranker(name: str, parameters: dict[str, Any]) -> Any:
    """A model that has learned lists."""
    return rankers.make(name, **parameters).partial_fit(*rankers.stream(14))


def is_ours(case: predtrons.Case) -> bool:
    """Whether a file can hold the task."""
    return not isinstance(case.task, predtrons.Wind)


KINDS: dict[str, Callable[[], Any]] = {
    **{key: lambda given=given: ordinal(*given) for key, given in zip(VARIANT_IDS, VARIANTS)},
    **{
        f"ranker {key}": lambda given=given: ranker(*given)
        for key, given in zip(rankers.ids_of(rankers.VARIANTS), rankers.VARIANTS)
    },
    **{f"predtron {key}": lambda case=case: case.trained() for key, case in predtrons.CASES.items() if is_ours(case)},
    "PRank of names": lambda: with_names("PRank"),
    "PRank that hashes": lambda: with_names("PRank", hash_bits=5),
    "Rater of names": lambda: with_names("Rater"),
    "Rater of many features": wide_rater,
    "Voted with a kernel": lambda: ordinal("Voted", {"estimator": ranktron.PRank(kernel=ranktron.kernels.Gaussian(0.1))}),
    "OAP of beliefs": lambda: ordinal("OAP", {"estimator": ranktron.OrdinalLogit(average=False)}),
    "Recommender": lambda: made.learned(60, factors=3),
    "Recommender of few": lambda: made.learned(60, factors=3, memory=20, per_person=True),
    "Recommender that hears others": lambda: made.learned(60, factors=2, per_person=True, others=True),
}


def use(path: Path) -> None:
    """Load a model and do all with it that a user might; what raises anything but ValueError is an error of ours."""
    model = ranktron.load(path)
    for act in (rate_pairs,) if hasattr(model, "recommend") else (answer, learn, answer, tell):
        act(model)
    if model.n_seen_ >= 0:
        allowed(model.save, path.with_name("again"))
        ranktron.load(path.with_name("again"))


def is_refused(path: Path) -> bool:
    """Use a model file, if it is not refused, in a sentence."""
    try:
        use(path)
    except files.BadModelFile as error:
        check_readable(error)
        return True
    return False


def check_readable(error: ValueError) -> None:
    """Raise AssertionError for an error that is not one line of bounded length."""
    if "\n" in str(error) or len(str(error)) > 1000:
        raise AssertionError(f"not a sentence: {error}")


def allowed(call: Callable[..., Any], *args: Any) -> None:
    """Call something that may refuse what it is given."""
    try:
        call(*args)
    except ValueError as error:
        check_readable(error)


def rate_pairs(model: Any) -> None:
    """Recommend and learn."""
    people, items = made.triples(8)[:2]
    labels = model.classes_.tolist()
    allowed(model.predict, people, items)
    allowed(model.recommend, people[0], 3)
    allowed(model.learn_one, people[0], items[0], labels[0])
    allowed(model.partial_fit, people, items, [labels[t % len(labels)] for t in range(8)])
    allowed(model.recommend, people[1], 3)


def answer(model: Any) -> None:
    """Ask for all that a model can say of rows."""
    X = rows(model)
    for name in ("predict", "decision_function", "project", "predict_proba", "explain", "rank"):
        if hasattr(model, name) and (name != "explain" or hasattr(model, "coef_")):
            allowed(getattr(model, name), X)
    if hasattr(model, "predict_one"):
        allowed(model.predict_one, X[0])
    if hasattr(model, "predict_interval"):
        allowed(model.predict_interval, X)


def learn(model: Any) -> None:
    """Learn one example and a few rows, and predict some of them before."""
    X = rows(model)
    if hasattr(model, "rank"):
        grades = np.arange(len(X)) % 3
        allowed(model.learn_list, X[:4], grades[:4])
        allowed(model.partial_fit, X, grades, np.arange(len(X)) // 3)
        return
    y = targets(model, len(X))
    allowed(model.learn_one, X[0], y[0])
    allowed(model.partial_fit, X, y)
    allowed(model.predict_then_learn, X, y)


def tell(model: Any) -> None:
    """Look at what a model has learned."""
    allowed(lambda: str(model.drift()))
    for name in (
        "coef_",
        "thresholds_",
        "support_",
        "dual_coef_",
        "survived_",
        "members_coef_",
        "classes_",
        "threshold_",
        "intercept_",
    ):
        allowed(lambda name=name: getattr(model, name, None))
    str(model)


def rows(model: Any) -> np.ndarray:
    """Rows for a model."""
    return np.random.default_rng(0).standard_normal((9, max(model.n_features_in_, 1)))


def targets(model: Any, count: int) -> Any:
    """Labels, or sets of labels, that a model knows."""
    labels = model.classes_
    if "labels" in model._known():
        return (np.arange(count * len(labels)).reshape(count, -1) % 2).astype(int)
    return labels[np.arange(count) % len(labels)]
