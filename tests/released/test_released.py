"""Files of every released version load, answer and go on learning as they did then."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ranktron
from tests.family import stream, weights_of

from .__main__ import QUERIES

FILES = sorted(Path(__file__).parent.glob("*/*.ranktron"))


def test_every_algorithm_of_this_version_has_a_file() -> None:
    names = {file.stem for file in FILES if file.parent.name == ranktron.__version__}
    assert names == {*ranktron.algorithms.__all__, "PRank on a budget", "SLAM on a budget"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_released_file_answers_and_learns_as_it_did(file: Path) -> None:
    X, y = stream(60, 4, seed=11)
    labels = np.array(["awful", "bad", "fair", "good", "great"])
    told = json.loads(file.with_suffix(".json").read_text())
    model = ranktron.load(file)
    is_ranker = type(model).__name__ in ranktron.algorithms.RANKING
    same = pytest.approx if file.stem in ("MuPRank", "ListNet") else lambda number: number  # C libraries' exponentials differ
    assert model.predict(X).tolist() == (same(told["before"][0]) if is_ranker else told["before"][0])
    assert weights_of(model).ravel().tolist() == same(np.ravel(told["before"][1]).tolist())
    model.partial_fit(X[50:], *((y[50:], QUERIES[50:]) if is_ranker else (labels[y[50:] - 1],)))
    assert model.predict(X).tolist() == (same(told["after"][0]) if is_ranker else told["after"][0])
    assert weights_of(model).ravel().tolist() == same(np.ravel(told["after"][1]).tolist())
