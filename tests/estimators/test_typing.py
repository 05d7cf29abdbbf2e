"""What type checkers know of the estimators, which are made when they are imported."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ranktron
from ranktron import estimators

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


def test_a_users_file_is_checked_strictly(tmp_path: Path) -> None:
    (tmp_path / "user.py").write_text(USER)
    settings = {**os.environ, "MYPYPATH": str(Path(ranktron.__file__).parents[1])}
    words = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", os.devnull, "user.py"]
    told = subprocess.run(words, cwd=tmp_path, env=settings, capture_output=True, text=True)
    lines = re.findall(r"^user.py:(\d+): error: (.*)$", told.stdout, re.MULTILINE)
    assert lines == [(str(USER.count("\n")), '"NoPRank" has no attribute "predict_proba"  [attr-defined]')], told.stdout


STUB = ast.parse(Path(estimators.__file__).with_suffix(".pyi").read_text()).body
CLASSES = {one.name: one for one in STUB if isinstance(one, ast.ClassDef)}


def test_every_estimator_is_declared() -> None:
    declared = {one.name for one in STUB if isinstance(one, ast.ClassDef | ast.FunctionDef) and not one.name.startswith("_")}
    assert declared == set(estimators.__all__)


@pytest.mark.parametrize("name", sorted(set(estimators.__all__) - {"load"}))
def test_what_is_declared_is_there(name: str) -> None:
    model, classes = getattr(estimators, name)(), [name]
    for one in classes:  # and the bases that the stub has itself
        classes += [base.id for base in CLASSES[one].bases if isinstance(base, ast.Name) and base.id in CLASSES]
        methods = {member.name for member in CLASSES[one].body if isinstance(member, ast.FunctionDef)} - {"__getattr__"}
        assert methods <= set(dir(model))
