"""Write the present version's files; they are never written again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import ranktron
from ranktron.collaborative import Recommender
from tests.family import weights_of

from .kinds import kinds

FOLDER = Path(__file__).parent / ranktron.__version__


def main() -> None:
    """One file a kind, and beside each the predictions and weights before and after ten rows more."""
    FOLDER.mkdir(exist_ok=True)
    for name, kind in kinds().items():
        first, then = (tuple(part[some] for part in kind.learned) for some in (slice(50), slice(50, None)))
        write(name, kind.make(), first, then)
    write_recommender()


def ratings() -> list[tuple[str, int, int]]:
    """Ratings of a few items by a few people, some of whom come late."""
    rng = np.random.default_rng(11)
    return [(f"p{int(rng.integers(4 + t // 10))}", int(rng.integers(9)), int(rng.integers(1, 6))) for t in range(60)]


def write_recommender() -> None:
    """A file of ratings, and what is expected of all pairs then and later."""
    model, triples = Recommender(per_person=True), ratings()
    model.partial_fit(triples[:50], classes=range(1, 6)).save(FOLDER / "Recommender.ranktron")
    predicted = {"before": recommended(model), "after": recommended(model.partial_fit(triples[50:]))}
    (FOLDER / "Recommender.json").write_text(json.dumps(predicted) + "\n")


def recommended(model: Recommender) -> list[Any]:
    """What is recommended to everybody, and to somebody unknown."""
    return [model.recommend(person, 9) for person in ("p0", "p1", "p2", "p9", "nobody")]


def write(name: str, model: Any, first: tuple[Any, ...], then: tuple[Any, ...]) -> None:
    """A file of what was learned first, and what the model says then and later."""
    model.partial_fit(*first).save(FOLDER / f"{name}.ranktron")
    predicted = {}
    for when, rows in (("before", None), ("after", then)):
        if rows is not None:
            model.partial_fit(*rows)
        predicted[when] = [model.predict(np.concatenate([first[0], then[0]])).tolist(), weights_of(model).tolist()]
    (FOLDER / f"{name}.json").write_text(json.dumps(predicted) + "\n")


if __name__ == "__main__":
    main()
