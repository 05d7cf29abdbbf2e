"""Sample weights: presentations for the perceptrons, 0 or 1 for No-PRank, the step for Widrow-Hoff and the logit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import ranktron

from ..family import ALTERNATIVES, LINEAR_IDS, LINEAR_VARIANTS, VARIANTS, make, state, stream
from ..models.contract import every_linear_variant, every_variant, fresh_and_trained, model_for, refused


def variants(meaning: str) -> Any:
    kept = [
        (variant, name_id) for variant, name_id in zip(LINEAR_VARIANTS, LINEAR_IDS) if make(variant[0]).sample_weights == meaning
    ]
    return pytest.mark.parametrize(("name", "parameters"), [variant for variant, _ in kept], ids=[name_id for _, name_id in kept])


def test_which_weights_each_estimator_takes() -> None:
    meaning = {name: make(name).sample_weights for name, _ in VARIANTS}
    counted = {"PRank", "SiPRank", "MuPRank", "MulticlassPerceptron", "OAP", "Voted", "AROWPRank"}
    assert {name for name, kind in meaning.items() if kind == "counts"} >= counted
    assert meaning["NoPRank"] == meaning["ROMMAPRank"] == "flags"
    assert meaning["WidrowHoff"] == meaning["OrdinalLogit"] == "steps"


COUNTS = np.array([3, 0, 1, 2, 1] * 8)


@variants("counts")
@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("rows", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_a_weight_is_that_many_presentations(name: str, parameters: dict[str, Any], average: bool, rows: Any) -> None:
    X, y = stream(40)
    repeated = make(name, **parameters, average=average).partial_fit(rows(np.repeat(X, COUNTS, 0)), np.repeat(y, COUNTS))
    for weights in (COUNTS, COUNTS.astype(float), COUNTS.tolist(), COUNTS.astype(np.uint8)):
        model = make(name, **parameters, average=average)
        assert state(model.partial_fit(rows(X), y, sample_weight=weights)) == state(repeated)
        assert state(model.fit(rows(X), y, sample_weight=weights)) == state(repeated)
    assert model.n_seen_ == COUNTS.sum()


@variants("counts")
def test_weights_apply_in_every_epoch(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40)
    model = make(name, **parameters, epochs=3).fit(X, y, sample_weight=COUNTS)
    repeated = make(name, **parameters, epochs=3).fit(np.repeat(X, COUNTS, 0), np.repeat(y, COUNTS))
    assert state(model) == state(repeated)


@variants("counts")
def test_shuffled_rows_keep_their_weights(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40)
    order = np.repeat(rows := np.random.default_rng(3).permutation(40), COUNTS[rows])
    model = make(name, **parameters, shuffle=True, random_state=3).fit(X, y, sample_weight=COUNTS)
    assert state(model) == state(make(name, **parameters, random_state=3).fit(X[order], y[order]))


@variants("flags")
@pytest.mark.parametrize("rows", [np.asarray, sp.csr_array], ids=["dense", "csr"])
def test_a_flag_of_zero_leaves_the_row_out(name: str, parameters: dict[str, Any], rows: Any) -> None:
    X, y = stream(40)
    kept = COUNTS > 0
    model = make(name, **parameters).partial_fit(rows(X), y, sample_weight=kept.astype(int))
    assert state(model) == state(make(name, **parameters).partial_fit(rows(X[kept]), y[kept], classes=[1, 2, 3, 4, 5]))


@variants("flags")
@fresh_and_trained
def test_other_weights_than_flags_are_refused(name: str, parameters: dict[str, Any], trained: bool) -> None:
    X, y = stream(40)
    model = model_for(name, parameters, trained)
    for weight in (2, 0.5, 1e-9):
        for learn in (model.partial_fit, model.fit):
            with refused(model, "sample_weight", "0 or 1"):
                learn(X, y, sample_weight=np.where(np.arange(40) == 39, weight, 1))
    with refused(model, "unexpected keyword argument"):
        model.fit(X, y, weight=np.ones(40))


@variants("flags")
def test_fit_takes_flags_too(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40)
    kept = np.arange(40) % 3 > 0
    model = make(name, **parameters).fit(X, y, sample_weight=kept)
    assert state(model) == state(make(name, **parameters, classes=[1, 2, 3, 4, 5]).fit(X[kept], y[kept]))


@pytest.mark.parametrize("parameters", [{}, *ALTERNATIVES["WidrowHoff"][:1]])
@pytest.mark.parametrize("average", [True, False])
def test_a_weight_scales_the_step(parameters: dict[str, Any], average: bool) -> None:
    X, y = stream(40)
    weights = np.random.default_rng(0).uniform(0, 2, 40)
    model = make("WidrowHoff", **parameters, average=average).partial_fit(X, y, sample_weight=weights)
    intercept = parameters.get("fit_intercept", False)
    rows = np.hstack([X, np.ones((40, 1))]) if intercept else X
    w, held = np.zeros(rows.shape[1]), []
    for x, label, weight in zip(rows, y, weights):
        w = w + weight * parameters.get("step", 0.1) * (label - w @ x) * x
        held.append(w)
    expected = np.mean(held, 0) if average else w
    np.testing.assert_allclose(model.coef_, expected[:4], rtol=1e-9)
    assert model.intercept_ == pytest.approx(expected[4] if intercept else 0.0)


@variants("steps")
def test_a_step_of_weight_zero_moves_nothing(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40)
    model = make(name, **parameters, average=False).partial_fit(X, y)
    before = model.coef_
    model.partial_fit(X, y, sample_weight=np.zeros(40))
    np.testing.assert_array_equal(model.coef_, before)


@every_variant
def test_weights_of_one_are_no_weights(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40)
    weighted = make(name, **parameters).partial_fit(X, y, sample_weight=np.ones(40))
    assert state(weighted) == state(make(name, **parameters).partial_fit(X, y))


BAD_WEIGHTS: dict[str, Any] = {
    "negative": np.r_[np.ones(39), -1],
    "nan": np.r_[np.ones(39), np.nan],
    "infinite": np.r_[np.ones(39), np.inf],
    "too few": np.ones(39),
    "too many": np.ones(41),
    "column": np.ones((40, 1)),
    "scalar": 1.0,
}


@every_variant
@fresh_and_trained
@pytest.mark.parametrize("case", BAD_WEIGHTS)
def test_bad_weights_are_refused(name: str, parameters: dict[str, Any], trained: bool, case: str) -> None:
    X, y = stream(40)
    model = model_for(name, parameters, trained)
    for method in ("partial_fit", "fit"):
        with refused(model, "sample_weight"):
            getattr(model, method)(X, y, sample_weight=BAD_WEIGHTS[case])


@variants("counts")
@fresh_and_trained
@pytest.mark.parametrize("weight", [0.5, 1.5, 1 - 1e-9])
def test_weights_that_are_no_counts_are_refused(name: str, parameters: dict[str, Any], trained: bool, weight: float) -> None:
    X, y = stream(40)
    model = model_for(name, parameters, trained)
    for method in ("partial_fit", "fit"):
        with refused(model, "sample_weight"):
            getattr(model, method)(X, y, sample_weight=np.where(np.arange(40) == 39, weight, 1))


@pytest.mark.parametrize("weights", [["one"] * 40, np.ones(40, complex), np.full(40, 1e300)], ids=["words", "complex", "huge"])
def test_weights_that_are_no_numbers_of_this_world_are_refused(weights: Any) -> None:
    X, y = stream(40)
    model = ranktron.PRank()
    with refused(model, "sample_weight"):
        model.partial_fit(X, y, sample_weight=weights)


@every_linear_variant
def test_nothing_but_zeros_teaches_nothing(name: str, parameters: dict[str, Any]) -> None:
    X, y = stream(40)
    if make(name).sample_weights != "flags":
        model = make(name, **parameters)
        with refused(model, "sample_weight", "zero"):
            model.fit(X, y, sample_weight=np.zeros(40))
    model = make(name, **parameters).partial_fit(X, y)
    before = model.coef_.tobytes(), model.n_updates_
    if make(name).sample_weights != "steps":
        model.partial_fit(X, y, sample_weight=np.zeros(40))
        assert (model.coef_.tobytes(), model.n_updates_) == before
