"""A model's own certificate is that of ``ranktron.bounds``."""

from __future__ import annotations

import pytest

import ranktron
from ranktron import bounds
from ranktron.data import separable, synthetic


@pytest.mark.parametrize("name", ["PRank", "SiPRank", "NoPRank", "WidrowHoff"])
def test_of_rows(name: str) -> None:
    X, y = separable.ordinal(200, 4, 3, margin=0.3, seed=0)
    model = getattr(ranktron, name)().partial_fit(X, y)
    assert model.certificate(X, y) == bounds.certificate(model, X, y)
    assert model.certificate(margin=0.2, radius=2.0, confidence=0.9) == bounds.certificate(
        model, margin=0.2, radius=2.0, confidence=0.9
    )
    assert f"{name} has learned 200 rows" in str(model.certificate())


def test_of_lists() -> None:
    X, y, qid = synthetic.chaudhuri_tewari(20, seed=0)
    model = ranktron.MinimaxRank().fit(X, y, qid=qid)
    told = model.certificate(X, y, qid)
    assert told == bounds.certificate(model, X, y, qid)
    assert told.rounds == 20
    assert told.loss == model.cumulative_loss_ <= told.guarantee.bound


def test_nothing_was_learned() -> None:
    with pytest.raises(ValueError, match="has not learned anything yet"):
        ranktron.PRank().certificate()
