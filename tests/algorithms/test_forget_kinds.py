"""The mean that forgets, of rankers and of Predtron: every list, or example, forgets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import ranktron
from ranktron import AdaGrad, ListNet, MinimaxRank, Predtron
from ranktron.compile import policy
from ranktron.kernels import Gaussian
from ranktron.tasks import Multiclass, Multilabel, SubsetRanking

from .. import family
from ..models.predtron.family import CASES, Case, learn, learn_singly
from ..models.rankers import family as lists

RANKERS = [(name, parameters) for name, parameters in lists.LINEAR_VARIANTS if parameters in ({}, {"step": AdaGrad(1.0)})]
RANKERS += [("ListNet", {"step": AdaGrad(1.0)}), ("SLAM", {"soften": 2.0, "step": 1.0})]
PREDTRONS = ["binary-reject", "classes", "classes-reject", "ordinal", "hamming-l1", "hamming-trace", "lists-driven", "own"]
HALF = 0.5


def recurrence(hypotheses: list[np.ndarray]) -> np.ndarray:
    """The mean of hypotheses of which each counts half as much as the next."""
    total, held = np.zeros_like(hypotheses[0]), 0.0
    for one in hypotheses:
        total, held = HALF * total + one, HALF * held + 1.0
    return total / held


@pytest.mark.parametrize(("name", "parameters"), RANKERS, ids=lists.ids_of(RANKERS))
def test_every_list_forgets(name: str, parameters: dict[str, Any], tmp_path: Any) -> None:
    X, y, qid = lists.stream(90, d=5, seed=4)
    mean, last, held = lists.make(name, **parameters, forget=HALF), lists.make(name, **parameters, average=False), []
    for rows, grades in lists.each(X, y, qid):
        mean.learn_list(rows, grades)
        last.learn_list(rows, grades)
        held.append(last.coef_)
    np.testing.assert_allclose(mean.coef_, recurrence(held), rtol=1e-9, atol=1e-12)
    if name != "Ranker":  # which sees rows as they stand in their lists
        np.testing.assert_allclose(mean.predict(X), X @ recurrence(held), rtol=1e-9, atol=1e-12)
    first, split = qid < 150, lists.make(name, **parameters, forget=HALF)
    split.partial_fit(X[first], y[first], qid[first]).save(tmp_path / "model")
    split = ranktron.load(tmp_path / "model").partial_fit(X[~first], y[~first], qid[~first])
    assert lists.learned(split) == lists.learned(mean)


@pytest.mark.parametrize("case", [CASES[name] for name in PREDTRONS], ids=PREDTRONS)
def test_every_example_of_a_predtron_forgets(case: Case) -> None:
    stream, held = case.stream(80), []
    mean, last = case.make(forget=HALF), case.make(average=False)
    for one in stream.each():
        learn(mean, one)
        held.append(learn(last, one).coef_)
    np.testing.assert_allclose(mean.coef_, recurrence(held), rtol=1e-9, atol=1e-12)
    singly = learn_singly(learn(case.make(forget=HALF), stream.part(0, 20)), stream.part(20, 80))
    assert singly.coef_.tobytes() == mean.coef_.tobytes()


def test_who_rejects_knows_the_next_sum_of_weights_across_scalings() -> None:
    X, y = family.stream(300, seed=2)
    model = Predtron(Multiclass(5, reject=0.3), forget=HALF)
    told = model.predict_then_learn(X, y - 1)
    again = Predtron(Multiclass(5, reject=0.3), forget=HALF)
    for t, (row, label) in enumerate(zip(X, y - 1)):
        assert t == 0 or again.predict(row[None])[0] == told[t]
        again.learn_one(row, label)
    assert 0 < np.mean(told == -1) < 1


def test_rankers_without_a_mean_have_nothing_to_forget() -> None:
    with pytest.raises(ValueError, match=r"ListNet: forget=0\.5 has no effect"):
        ListNet(average=False, forget=0.5).fit([[1.0], [2.0]], [0, 1])


COMPILED: dict[str, Any] = {
    "WidrowHoff": lambda: family.make("WidrowHoff", fit_intercept=True, step=0.01, forget=HALF),
    "classes": lambda: family.make("MulticlassPerceptron", fit_intercept=True, forget=HALF),
    "MuPRank": lambda: family.make("MuPRank", forget=HALF),
    "ROMMAPRank": lambda: family.make("ROMMAPRank", forget=HALF),
    "budget": lambda: family.make("PRank", kernel=Gaussian(0.1), budget=12, policy="forgetron", forget=HALF),
    "MinimaxRank": lambda: MinimaxRank(forget=HALF),
    "AdaGrad": lambda: ListNet(step=AdaGrad(0.1), forget=HALF),
    "link": lambda: Predtron(Multiclass(5, reject=0.3), link="l1", forget=HALF),
    "sets": lambda: Predtron(Multilabel("hamming"), forget=HALF),
    "lists": lambda: Predtron(SubsetRanking(), loss_driven=True, link="group", forget=HALF),
}


OFTEN = [("link", "dense")]
BOTH = [
    pytest.param(name, storage, id=f"{name}-{storage}", marks=() if (name, storage) in OFTEN else pytest.mark.full)
    for name in COMPILED
    for storage in ("dense", "sparse")
]


def examples(model: Any) -> tuple[Any, ...]:
    if isinstance(model, MinimaxRank | ListNet) or isinstance(getattr(model, "task", None), SubsetRanking):
        return lists.stream(90, d=9, seed=5)
    X, y = family.stream(150, d=9, seed=5)
    return (X, (X[:, :3] > 0).astype(int)) if isinstance(getattr(model, "task", None), Multilabel) else (X, y - 1)


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore:the budget is spent")
@pytest.mark.parametrize(("name", "storage"), BOTH)
def test_compiled_code_forgets_as_interpreted_code_does(name: str, storage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    for patience in (math.inf, 0):
        monkeypatch.setattr(policy, "PATIENCE", patience)
        model = COMPILED[name]()
        X, *targets = examples(model)
        told = model.predict_then_learn(X if storage == "dense" else sp.csr_array(X), *targets)
        numbers = {**model._learner.arrays(), **model._learner.tallies}
        runs.append((np.asarray(told, float).tobytes(), {part: array.tobytes() for part, array in numbers.items()}))
    assert runs[0] == runs[1]
