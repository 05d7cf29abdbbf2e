"""Saved, copied and frozen."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ranktron
from ranktron.algorithms import NoPRank
from ranktron.collaborative import Recommender
from ranktron.models import files
from ranktron.models.files import BadModelFile

from .made import STARS, answers, learned, same, state, triples

WAYS: list[dict[str, Any]] = [
    {},
    {"memory": 30, "rater": NoPRank(), "random_state": 3},
    {"per_person": True, "others": True, "draws": 1},
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("keep", ["file", "pickle", "copy"])
def test_what_was_kept_goes_on_bit_for_bit(way: dict[str, Any], keep: str, tmp_path: Path) -> None:
    model = learned(60, **way)
    model.save(tmp_path / "model")
    kept = {
        "file": lambda: ranktron.load(tmp_path / "model"),
        "pickle": lambda: pickle.loads(pickle.dumps(model)),
        "copy": lambda: copy.deepcopy(model),
    }[keep]()
    assert type(kept) is Recommender
    assert same(model, kept)
    more = triples(40, people=30, seed=2)
    assert same(model.partial_fit(*more), kept.partial_fit(*more))
    assert (answers(model) == answers(kept)).all()


def test_labels_that_grow_go_on_growing(tmp_path: Path) -> None:
    model = Recommender()
    for person, item, stars in zip(*triples(30)):
        model.learn_one(person, item, "abcde"[stars - 1])
    model.save(tmp_path / "model")
    again = ranktron.load(tmp_path / "model")
    for one in (model, again):
        one.learn_one("ann", "Up", "f")
    assert same(model, again)
    assert again.classes_.tolist()[-1] == "f"


def test_a_snapshot_stays_and_does_not_learn() -> None:
    model = learned(40)
    frozen, before = model.snapshot(), state(model)
    model.partial_fit(*triples(20, seed=3))
    assert state(frozen) == before != state(model)
    for learn in (
        lambda: frozen.learn_one("ann", 1, 3),
        lambda: frozen.fit(*triples(20)),
        lambda: frozen.partial_fit(*triples(20)),
    ):
        with pytest.raises(ValueError, match="a snapshot does not learn"):
            learn()


def test_ids_that_are_no_plain_data_cannot_be_saved(tmp_path: Path) -> None:
    model = Recommender(classes=STARS)
    model.learn_one(("a", "tuple"), "Up", 3)
    with pytest.raises(ValueError, match="an id of a person is neither a string nor a number"):
        model.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_numpys_ids_are_pythons(tmp_path: Path) -> None:
    model = Recommender(classes=STARS)
    model.learn_one(np.int64(3), np.str_("Up"), 3)
    model.learn_one(3, "Up", 4)
    model.save(tmp_path / "model")
    assert ranktron.load(tmp_path / "model").people_ == model.people_ == [3]


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [("past", (0, 0), 99), ("past", (0, 1), -1), ("past", (0, 2), 5), ("past", (3, 3), 99), ("people.marks", (0, 1), 99)],
)
def test_numbers_that_lead_nowhere_are_refused(name: str, place: Any, value: int, tmp_path: Path) -> None:
    """Compiled loops do not look: a file must not lead them out of their arrays."""
    learned(40).save(tmp_path / "model")
    header, arrays = files.read(tmp_path / "model")
    arrays[name][place] = value
    for key in ("format", "library"):
        del header[key]
    files.write(tmp_path / "bad", header, arrays)
    with pytest.raises(BadModelFile, match=name):
        ranktron.load(tmp_path / "bad")


@pytest.mark.parametrize(
    "name", ["past", "people.tastes", "items.offsets", "level", "counts", "people.names", "rater.shared.counts"]
)
def test_files_that_lack_something_are_refused(name: str, tmp_path: Path) -> None:
    learned(40).save(tmp_path / "model")
    header, arrays = files.read(tmp_path / "model")
    for key in ("format", "library"):
        del header[key]
    for bad in ({**arrays, name: arrays[name][:0]}, {part: array for part, array in arrays.items() if part != name}):
        files.write(tmp_path / "bad", header, bad)
        with pytest.raises(BadModelFile):
            ranktron.load(tmp_path / "bad")
