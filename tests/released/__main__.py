"""Write the present version's files; they are never written again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import ranktron
from ranktron import tasks
from ranktron.collaborative import Recommender
from ranktron.kernels import Gaussian
from tests.family import NAMES, make, stream, weights_of

QUERIES = np.arange(60) // 7
FOLDER = Path(__file__).parent / ranktron.__version__


def main() -> None:
    """One file an algorithm and one with a kernel, and beside each the predictions and weights before and after ten rows more."""
    FOLDER.mkdir(exist_ok=True)
    X, y = stream(60, 4, seed=11)
    labels = np.array(["awful", "bad", "fair", "good", "great"])
    kernels = {"PRank on a budget": make("PRank", kernel=Gaussian(0.1), budget=20, policy="forgetron")}
    for name, model in ({name: make(name) for name in NAMES} | kernels).items():
        write(name, model.set_params(classes=labels.tolist()), (X[:50], labels[y[:50] - 1]), (X[50:], labels[y[50:] - 1]))
    rankers = {name: getattr(ranktron, name)() for name in ranktron.doors.RANKERS}
    rankers["SLAM on a budget"] = ranktron.SLAM(kernel=Gaussian(0.1), budget=20, policy="random")
    for name, model in rankers.items():
        write(name, model, (X[:50], y[:50], QUERIES[:50]), (X[50:], y[50:], QUERIES[50:]))

    for name, (model, targets) in predtrons(y).items():
        first, then = (tuple(part[rows] for part in (X, *targets)) for rows in (slice(50), slice(50, None)))
        write(name, model, first, then)
    write_recommender()


def ratings() -> list[tuple[str, int, int]]:
    """Ratings of a few items by a few people, some of whom come late."""
    rng = np.random.default_rng(11)
    return [(f"p{int(rng.integers(4 + t // 10))}", int(rng.integers(9)), int(rng.integers(1, 6))) for t in range(60)]


def write_recommender() -> None:
    """A file of ratings, and what is expected of all pairs then and later."""
    model, triples = Recommender(per_person=True), ratings()
    model.partial_fit(triples[:50], classes=range(1, 6)).save(FOLDER / "Recommender.ranktron")
    told = {"before": recommended(model), "after": recommended(model.partial_fit(triples[50:]))}
    (FOLDER / "Recommender.json").write_text(json.dumps(told) + "\n")


def recommended(model: Recommender) -> list[Any]:
    """What is recommended to everybody, and to somebody unknown."""
    return [model.recommend(person, 9) for person in ("p0", "p1", "p2", "p9", "nobody")]


def predtrons(y: np.ndarray) -> dict[str, tuple[Any, tuple[np.ndarray, ...]]]:
    """Predtrons of every kind, and what they learn."""
    sets = np.stack([y > 2, y % 2 == 0, y == 1], axis=1).astype(int)
    return {
        "Predtron": (ranktron.Predtron(tasks.Multiclass(reject=0.3)), (y,)),
        "Predtron of sets": (ranktron.Predtron(tasks.Multilabel("subset"), link="group"), (sets,)),
        "Predtron of orders": (ranktron.Predtron(tasks.MultilabelRanking(), loss_driven=True), (sets,)),
        "Predtron of lists": (ranktron.Predtron(tasks.SubsetRanking(power=2), link="l1"), (y, QUERIES)),
    }


def write(name: str, model: Any, first: tuple[Any, ...], then: tuple[Any, ...]) -> None:
    """A file of what was learned first, and what the model says then and later."""
    model.partial_fit(*first).save(FOLDER / f"{name}.ranktron")
    told = {}
    for when, rows in (("before", None), ("after", then)):
        if rows is not None:
            model.partial_fit(*rows)
        told[when] = [model.predict(np.concatenate([first[0], then[0]])).tolist(), weights_of(model).tolist()]
    (FOLDER / f"{name}.json").write_text(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
