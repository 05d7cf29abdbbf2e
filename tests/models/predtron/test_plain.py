"""A Predtron without a face, and what is loaded for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranktron import algorithms, models

from ..contract import run_process
from .family import OWN, Case, answers, every, every_case, learn, learn_singly, state


@every_case
def test_it_learns_what_its_face_learns(case: Case) -> None:
    stream = case.stream(20)
    plain, face = case.make(face=algorithms.Predtron), case.make()
    for model in (plain, face):
        learn_singly(learn(model, stream), stream)
    assert state(plain) == state(face)
    assert answers(plain, stream.X) == answers(face, stream.X)
    assert type(plain) is not type(face)
    assert isinstance(plain, algorithms.Predtron)


@every(["classes", "hamming", "lists-ndcg", *OWN])
def test_it_says_what_it_cannot_tell(case: Case) -> None:
    model, stream = case.make(face=algorithms.Predtron), case.stream(10)
    with pytest.raises(models.NotFitted, match="has not learned anything yet"):
        model.predict(stream.X)
    learn(model, stream)
    with pytest.raises(ValueError, match=r"X has 3 features, but Predtron is expecting 9"):
        model.predict(stream.X[:, :3])


@every(["classes-reject", "hamming", "lists-ndcg"])
def test_it_comes_back_from_its_file(case: Case, tmp_path: Path) -> None:
    stream = case.stream(20)
    model = learn(case.make(face=algorithms.Predtron), stream)
    model.save(tmp_path / "model")
    loaded = models.load(tmp_path / "model", {"Predtron": algorithms.Predtron})
    assert type(loaded) is type(model)
    assert state(learn(loaded, stream)) == state(learn(model, stream))


LOADED = """
import sys
from ranktron.tasks import Binary, Multilabel, MultilabelRanking, SubsetRanking
from ranktron.algorithms import Predtron
X = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
Predtron(Binary()).fit(X, [0, 1, 1]).predict(X)
Predtron(Multilabel("error-set"), link="l1").fit(X, [[0, 1], [1, 0], [1, 1]]).predict(X)
Predtron(MultilabelRanking(), loss_driven=True).fit(X, [[0, 1], [1, 0], [1, 2]]).predict(X)
Predtron(SubsetRanking(), loss_driven=True).fit(X, [0, 1, 2]).score(X, [0, 1, 2])
print(sorted(name for name in ("numba", "scipy", "sklearn", "river", "pandas") if name in sys.modules))
Predtron(SubsetRanking(), average=False).fit(X, [0, 1, 2])
print("scipy" in sys.modules, "sklearn" in sys.modules)
"""


def test_nothing_heavy_is_loaded_for_it_but_where_an_assignment_has_to_be_solved() -> None:
    assert run_process(LOADED).splitlines() == ["[]", "True False"]
