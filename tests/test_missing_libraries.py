"""Without numba everything runs interpreted, and without scikit-learn only its estimators are missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import run

BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked())
"""
LEARN = """
import numpy as np
from ranktron.algorithms import PRank, SLAM
from ranktron.doors import Rater
from ranktron.metrics import ndcg
random = np.random.default_rng(0)
X = random.standard_normal((400, 5))
y, qid = np.digitize(X[:, 0], [-0.5, 0.5]), np.arange(400) // 8
for model in (PRank(), Rater()):
    model.fit(X, y)
    print(model.coef_.tobytes().hex()[:40], (model.predict(X) == y).mean())
model = SLAM().fit(X, y, qid=qid)
print(ndcg(y, model.predict(X), qid))
print("numba" in sys.modules, "sklearn" in sys.modules)
"""


def test_without_numba_everything_runs_interpreted(tmp_path: Path) -> None:
    """The cost of compiling is never paid, however long the job; what was compiled by others could still be used."""
    without = BLOCKED.format(names=["numba", "llvmlite"])
    expected = run("import sys" + LEARN, NUMBA_DISABLE_JIT="1")
    for patience in ("0", "1e-9"):  # seconds: with numba it would compile
        assert run(without + LEARN, RANKTRON_PATIENCE=patience, NUMBA_CACHE_DIR=str(tmp_path)) == expected


def test_a_command_without_numba_or_scikit_learn(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("a,b,grade\n" + "1,2,3\n2,1,1\n" * 20)
    command = BLOCKED.format(names=["numba", "llvmlite", "sklearn"]) + (
        f"sys.argv = ['ranktron', 'learn', {str(tmp_path / 'rows.csv')!r}, '--target', 'grade', '--json']\n"
        "from ranktron.__main__ import main\nmain()\n"
    )
    assert '"examples": 40' in run(command, RANKTRON_PATIENCE="1e-9")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "PRank",
            "ranktron.PRank needs scikit-learn: pip install scikit-learn, or use ranktron.algorithms.PRank, which does without",
        ),
        ("Rater", "ranktron.Rater needs scikit-learn: pip install scikit-learn, or use ranktron.doors.Rater, which does without"),
        ("load", "ranktron.load needs scikit-learn: pip install scikit-learn"),
    ],
)
def test_an_estimator_without_scikit_learn_says_what_to_do(name: str, said: str) -> None:
    code = BLOCKED.format(names=["sklearn"]) + f"import ranktron\nranktron.{name}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: {said}"
