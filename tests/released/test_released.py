"""Files of every released version load, answer and go on learning as they did then."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import ranktron
from tests.family import stream, weights_of

from .__main__ import ratings, recommended
from .kinds import LABELS, kinds

# Exponentials and powers differ between C libraries; linear algebra differs between libraries of it.
INEXACT = ("MuPRank", "ListNet", "OrdinalLogit", "Rater", "Ranker", "SLAM, softened", "OAP of OrdinalLogit")
INEXACT_PREDTRONS = ("Predtron of sets", "Predtron of orders", "Predtron of lists", "Predtron of costs")

EVERY = sorted(Path(__file__).parent.glob("*/*.ranktron"))
FILES = [file for file in EVERY if file.stem != "Recommender"]
KINDS = kinds()


def test_every_kind_of_this_version_has_a_file() -> None:
    names = {file.stem for file in EVERY if file.parent.name == ranktron.__version__}
    assert names == {*KINDS, "Recommender"}


@pytest.mark.filterwarnings("ignore:the budget is spent")
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_released_file_answers_and_learns_as_it_did(file: Path) -> None:
    X, *targets = KINDS[file.stem].learned
    expected = json.loads(file.with_suffix(".json").read_text())
    model = ranktron.load(file)
    is_ranker = len(targets) == 2
    same = pytest.approx if file.stem.startswith(INEXACT) or file.stem in INEXACT_PREDTRONS else lambda number: number
    for when in ("before", "after"):
        if when == "after":
            model.partial_fit(X[50:], *(target[50:] for target in targets))
        predictions, weights = expected[when]
        assert model.predict(X).tolist() == (same(predictions) if is_ranker else predictions)
        assert weights_of(model).ravel().tolist() == same(np.ravel(weights).tolist())


def test_probabilities_of_a_file_without_a_slope_stay_without_one() -> None:
    X, y = stream(60, 4, seed=11)
    model = ranktron.load(Path(__file__).parent / "0.7.0" / "OrdinalLogit.ranktron")
    assert model.calibrate is False
    for more in (0, 10):
        if more:
            model.partial_fit(X[50:], LABELS[y[50:] - 1])
        below = 1 / (1 + np.exp((X @ model.coef_)[:, None] - model.thresholds_))
        np.testing.assert_allclose(model.predict_proba(X).cumsum(axis=1)[:, :-1], below, rtol=1e-9)
        assert list(model.predict_proba_one(X[0]).values()) == pytest.approx(model.predict_proba(X)[0].tolist(), rel=1e-12)


@pytest.mark.parametrize("file", sorted(set(EVERY) - set(FILES)), ids=lambda file: file.parent.name)
def test_a_released_recommender_recommends_and_learns_as_it_did(file: Path) -> None:
    expected, model = json.loads(file.with_suffix(".json").read_text()), ranktron.load(file)
    for when, rows in (("before", []), ("after", ratings()[50:])):
        if rows:
            model.partial_fit(rows)
        for now, then in zip(recommended(model), expected[when]):
            assert [item for item, _ in now] == [item for item, _ in then]
            assert [stars for _, stars in now] == pytest.approx([stars for _, stars in then])
