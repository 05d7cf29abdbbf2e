"""Columns whose weights no machine has memory for are refused in a sentence; others are not looked at."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from ranktron import OAP, AROWPRank, PRank, Ranker, Rater
from ranktron.kernels import Gaussian
from ranktron.models import sizes

WIDE = csr_matrix((np.ones(3), [0, 5, 2**31 - 2], [0, 1, 2, 3]), shape=(3, 2**31 - 1))


@pytest.mark.parametrize(("model", "needed"), [(Rater(), 127), (PRank(), 31), (OAP(), 1_615)])
@pytest.mark.parametrize("learn", ["fit", "partial_fit", "predict_then_learn"])
def test_rows_that_are_too_wide_are_refused(model, needed: int, learn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "_memory", lambda: 16 << 30)
    told = (
        f"2,147,483,647 features need {needed:,} GB of weights, and this machine has 16 GB: "
        "hash them, or leave out columns that are always 0"
    )
    with pytest.raises(ValueError, match=f"^{told}$"):
        getattr(model, learn)(WIDE, [1, 2, 3])
    assert model._learner is None


def test_lists_that_are_too_wide_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "_memory", lambda: 16 << 30)
    with pytest.raises(ValueError, match="2,147,483,647 features need 47 GB of weights"):
        Ranker(query_scale=None).fit(WIDE, [0, 1, 2], [1, 1, 1])


def test_what_fits_is_learned() -> None:
    wide = csr_matrix((np.ones(3), [0, 5, 2**21], [0, 1, 2, 3]), shape=(3, 2**21 + 1))
    assert PRank().partial_fit(wide, [1, 2, 3]).n_features_in_ == 2**21 + 1


def test_a_limit_for_several_models_is_what_they_cost_together() -> None:
    assert sizes.most_features([PRank()]) == sizes.MOST == 1 << 24
    alone = sizes.most_features([OAP()])
    assert alone < 1 << 22
    assert sizes.most_features([OAP()] * 5) == pytest.approx(alone / 5, rel=1e-6)
    assert sizes.most_features([OAP(), PRank()]) < alone
    assert sizes.most_features([AROWPRank(), PRank()]) == sizes.MOST  # the first one refuses more columns than it can have
    assert sizes.most_features([PRank(kernel=Gaussian(0.5), budget=10_000)]) == sizes.MEMORY // 80_000
