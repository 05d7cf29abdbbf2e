"""Files of every released version load, answer and go on learning as they did then."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ranktron
from tests.family import stream, weights_of

from .__main__ import QUERIES, predtrons, ratings, recommended

# Where exponentials and powers are taken, which differ between C libraries.
INEXACT = ("MuPRank", "ListNet", "OrdinalLogit", "Rater", "Ranker", "Predtron of sets", "Predtron of orders", "Predtron of lists")

EVERY = sorted(Path(__file__).parent.glob("*/*.ranktron"))
FILES = [file for file in EVERY if file.stem != "Recommender"]


def test_every_algorithm_of_this_version_has_a_file() -> None:
    names = {file.stem for file in EVERY if file.parent.name == ranktron.__version__}
    more = {"PRank on a budget", "SLAM on a budget", "Recommender", *predtrons(np.ones(1))}
    assert names == {*ranktron.doors.MODELS, *more}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_released_file_answers_and_learns_as_it_did(file: Path) -> None:
    X, y = stream(60, 4, seed=11)
    labels = np.array(["awful", "bad", "fair", "good", "great"])
    told = json.loads(file.with_suffix(".json").read_text())
    model = ranktron.load(file)
    is_ranker = type(model).__name__ in ranktron.doors.RANKERS or "lists" in file.stem
    targets = (y, QUERIES) if is_ranker else (labels[y - 1],)
    if file.stem in (kinds := predtrons(y)):
        targets = kinds[file.stem][1]
    same = (lambda number: number) if file.stem not in INEXACT else pytest.approx
    assert model.predict(X).tolist() == (same(told["before"][0]) if is_ranker else told["before"][0])
    assert weights_of(model).ravel().tolist() == same(np.ravel(told["before"][1]).tolist())
    model.partial_fit(X[50:], *(target[50:] for target in targets))
    assert model.predict(X).tolist() == (same(told["after"][0]) if is_ranker else told["after"][0])
    assert weights_of(model).ravel().tolist() == same(np.ravel(told["after"][1]).tolist())


def test_probabilities_of_a_file_without_a_slope_stay_without_one() -> None:
    X, y = stream(60, 4, seed=11)
    model = ranktron.load(Path(__file__).parent / "0.7.0" / "OrdinalLogit.ranktron")
    assert model.calibrate is False
    for more in (0, 10):
        if more:
            model.partial_fit(X[50:], np.array(["awful", "bad", "fair", "good", "great"])[y[50:] - 1])
        below = 1 / (1 + np.exp((X @ model.coef_)[:, None] - model.thresholds_))
        np.testing.assert_allclose(model.predict_proba(X).cumsum(axis=1)[:, :-1], below, rtol=1e-9)
        assert list(model.predict_proba_one(X[0]).values()) == pytest.approx(model.predict_proba(X)[0].tolist(), rel=1e-12)


@pytest.mark.parametrize("file", sorted(set(EVERY) - set(FILES)), ids=lambda file: file.parent.name)
def test_a_released_recommender_recommends_and_learns_as_it_did(file: Path) -> None:
    told, model = json.loads(file.with_suffix(".json").read_text()), ranktron.load(file)
    for when, rows in (("before", []), ("after", ratings()[50:])):
        if rows:
            model.partial_fit(rows)
        for now, then in zip(recommended(model), told[when]):
            assert [item for item, _ in now] == [item for item, _ in then]
            assert [stars for _, stars in now] == pytest.approx([stars for _, stars in then])
