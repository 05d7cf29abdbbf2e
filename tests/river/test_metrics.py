"""River's face of the metrics: in its evaluation, windows, sums of metrics and clones."""

from __future__ import annotations

import copy
import pickle
from collections import deque
from typing import Any

import pytest
from river import datasets, dummy, evaluate, preprocessing, stats
from river import metrics as rivers

from ranktron import metrics
from ranktron.river import OAP, PRank
from ranktron.river import metrics as river_metrics
from tests.family import stream

GRADES = {
    river_metrics.MAE: metrics.mean_absolute_error,
    river_metrics.MacroMAE: metrics.macro_mae,
    river_metrics.QuadraticKappa: metrics.quadratic_weighted_kappa,
}
every_metric = pytest.mark.parametrize(("face", "batch"), list(GRADES.items()), ids=lambda one: one.__name__)


def examples(n: int = 300) -> list[tuple[dict[str, float], int]]:
    X, y = stream(n)
    return [(dict(zip("abcd", row.tolist())), int(label)) for row, label in zip(X, y)]


def told_before_learning(model: Any, ask: str = "predict_one") -> list[tuple[Any, Any]]:
    answers = []
    for x, y in examples():
        answers.append((y, getattr(model, ask)(x)))
        model.learn_one(x, y)
    return [(y, told) for y, told in answers if told not in (None, {})]


@every_metric
def test_progressive_validation_is_the_function_of_all_predictions(face: Any, batch: Any) -> None:
    metric = evaluate.progressive_val_score(examples(), preprocessing.StandardScaler() | PRank(), face())
    expected = batch(*zip(*told_before_learning(preprocessing.StandardScaler() | PRank())))
    assert metric.get() == expected
    shown = f"{expected:.2%}" if face is river_metrics.QuadraticKappa else f"{expected:,.6f}"
    assert repr(metric) == str(metric) == f"{face.__name__}: {shown}".rstrip("0")


def test_progressive_validation_of_probabilities() -> None:
    model, classes = OAP(n_members=7, classes=[1, 2, 3, 4, 5]), [1, 2, 3, 4, 5]
    metric = evaluate.progressive_val_score(examples(), model.clone(), river_metrics.RPS(classes))
    told = told_before_learning(model, "predict_proba_one")
    shares = [[own[label] for label in classes] for _, own in told]
    assert metric.get() == metrics.ranked_probability_score([y for y, _ in told], shares, classes=classes)


def test_words_with_their_order() -> None:
    words = sorted({y for _, y in datasets.ImageSegments().take(200)}, reverse=True)
    metric = river_metrics.MAE(classes=words)
    model = preprocessing.MinMaxScaler() | PRank(classes=words)
    evaluate.progressive_val_score(datasets.ImageSegments().take(200), model, metric)
    assert 0 < metric.get() < len(words) - 1
    with pytest.raises(ValueError, match="labels that are not finite numbers need classes="):
        evaluate.progressive_val_score(datasets.ImageSegments().take(9), PRank(classes=words), river_metrics.MAE())


def test_together_with_rivers_own() -> None:
    ours = river_metrics.MAE() + rivers.Accuracy() + river_metrics.QuadraticKappa() + river_metrics.RPS([1, 2, 3, 4, 5])
    evaluate.progressive_val_score(examples(), OAP(n_members=7, classes=[1, 2, 3, 4, 5]), ours)
    mae, accuracy, kappa, rps = ours.get()
    assert 1 - accuracy <= mae <= 4 * (1 - accuracy)
    assert 0 < kappa < 1
    assert 0 < rps < mae
    theirs = rivers.Accuracy() + river_metrics.MAE()
    evaluate.progressive_val_score(examples(), PRank(), theirs)
    assert theirs.get()[1] > 0


@every_metric
def test_a_rolling_window(face: Any, batch: Any) -> None:
    metric, window = face(), deque[Any]()
    for pair in told_before_learning(PRank()):
        metric.update(*pair)
        window.append(pair)
        if len(window) > 25:
            metric.revert(*window.popleft())
            assert metric.get() == batch(*zip(*window))


def test_the_mean_error_is_rivers() -> None:
    ours, theirs, weighted = river_metrics.MAE(), rivers.MAE(), stats.Mean()
    for number, (y, told) in enumerate(told_before_learning(PRank())):
        ours.update(y, told, w=1 + number % 3)
        theirs.update(y, told, w=1 + number % 3)
        weighted.update(abs(y - told), w=1 + number % 3)
    assert ours.get() == pytest.approx(theirs.get(), rel=1e-9)
    assert ours.get() == pytest.approx(weighted.get(), rel=1e-9)


@pytest.mark.parametrize("face", [getattr(river_metrics, name) for name in river_metrics.__all__])
def test_what_river_asks_of_a_metric(face: Any) -> None:
    settings = next(face._unit_test_params())
    metric = face(**settings)
    assert metric.get() == 0.0
    assert metric.works_with(PRank())
    assert not metric.works_with(dummy.StatisticRegressor(stats.Mean()))
    assert metric.works_with_weights
    assert metric.requires_labels == (face is not river_metrics.RPS)
    assert metric.bigger_is_better == (face is river_metrics.QuadraticKappa)
    told = [(False, True), (True, False), (True, True)]
    for true, predicted in told:
        metric.update(true, predicted if metric.requires_labels else {predicted: 1.0})
    fresh = metric.clone()
    assert (fresh.get(), fresh._get_params()) == (0.0, metric._get_params())
    assert fresh.is_better_than(metric) != metric.is_better_than(fresh)
    for twin in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric)), metric.clone(include_attributes=True)):
        assert twin.get() == metric.get() != 0.0
