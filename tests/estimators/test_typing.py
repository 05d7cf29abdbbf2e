"""What type checkers know of the estimators, which are made of models when they are imported."""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ranktron
from ranktron import estimators, models
from ranktron.models.kinds.ordinal import OnceIsEnough

USER = """
from collections.abc import Iterable

import ranktron
from ranktron import OAP, ListNet, PRank, Predtron, QueryScaler, Ranker, Rater, Voted
from ranktron.tasks import SubsetRanking

X, y, qid = [[1.0], [2.0]], [1, 2], [7, 7]
share: float = Rater().score(X, y)
parameters: dict[str, object] = Rater().get_params()
model: Rater = Rater().set_params(scale=None).fit(X, y)
members: Iterable[OAP | Voted] = [OAP(PRank(), tau=0.2), Voted(PRank())]
ndcg: float = Ranker().fit(X, y, qid=qid).score(X, y, qid=qid)
ranker: ListNet = ListNet().set_fit_request(qid=True).set_score_request(qid=True)
exact: float = Predtron().set_params(step=2.0).fit(X, y).score(X, y)
order = Predtron(SubsetRanking()).fit(X, y, qid=qid).rank(X)
scaled = QueryScaler().set_params(method="standard").fit(X).transform(X, qid=qid)
told = ranktron.NoPRank().fit(X, y).predict_proba
"""


# What Model declares for type checkers only.
DECLARED = {
    method.name
    for block in ast.walk(ast.parse(inspect.getsource(models.kinds.model)))
    if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
    for method in block.body
    if isinstance(method, ast.FunctionDef)
}


def checked(folder: Path, user: str) -> str:
    """What mypy says of a user's file."""
    (folder / "user.py").write_text(user)
    settings = {**os.environ, "MYPYPATH": str(Path(ranktron.__file__).parents[1])}
    words = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", os.devnull, "user.py"]
    return subprocess.run(words, cwd=folder, env=settings, capture_output=True, text=True).stdout


def test_a_users_file_is_checked_strictly(tmp_path: Path) -> None:
    told = checked(tmp_path, USER)
    lines = re.findall(r"^user.py:(\d+): error: (.*)$", told, re.MULTILINE)
    assert lines == [(str(USER.count("\n")), '"NoPRank" has no attribute "predict_proba"  [attr-defined]')], told


@pytest.mark.parametrize("name", sorted(estimators.ESTIMATORS))
def test_every_estimator_is_typed_by_its_model(name: str, revealed: dict[str, str]) -> None:
    assert revealed[name] == f"{estimators.doors.MODELS[name].__module__}.{name}"


@pytest.fixture(scope="module")
def revealed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What type checkers take each estimator for."""
    lines = [f"reveal_type(ranktron.{name}())" for name in estimators.ESTIMATORS]
    told = checked(tmp_path_factory.mktemp("user"), "\n".join(["import ranktron", *lines]))
    return {kind.rpartition(".")[2]: kind for kind in re.findall('Revealed type is "(.*)"', told)}


@pytest.mark.parametrize("name", sorted(estimators.ESTIMATORS))
def test_what_is_declared_is_there(name: str) -> None:
    model = getattr(estimators, name)()
    declared = DECLARED - ({"set_fit_request"} if isinstance(model, OnceIsEnough) else set())
    assert "get_params" in declared
    assert {method for method in declared if not hasattr(model, method)} == set()
