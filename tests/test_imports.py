"""``import ranktron`` loads little; a public name is imported when it is first used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ranktron
from ranktron import algorithms, doors
from tests.cli.program import environment
from tests.processes import LOADED, run


def test_the_package_loads_neither_numpy_nor_its_own_parts() -> None:
    program = "import sys, ranktron; print(*(name for name in sys.modules if name.startswith(('numpy', 'sklearn', 'ranktron'))))"
    told = subprocess.run([sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["ranktron"]


def test_every_algorithm_is_where_it_is_said_to_be() -> None:
    assert {name: getattr(algorithms, name) for name in algorithms.__all__} == algorithms.ALL
    assert {*algorithms.ORDINAL, *algorithms.RANKING, "Predtron"} == {*algorithms.ALL}
    assert {**doors.RATERS, **doors.RANKERS, "Predtron": algorithms.Predtron} == doors.MODELS
    assert {"Rater": doors.Rater, "Ranker": doors.Ranker}.items() <= doors.MODELS.items()


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'ranktron' has no attribute 'nothing'$"):
        ranktron.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_everything_but_submodules_is_imported_by_a_star() -> None:
    names: dict[str, object] = {}
    exec("from ranktron import *", names)
    assert set(names) - {"__builtins__"} == {*doors.MODELS, "QueryScaler", "load", "export", "AdaGrad"}
    assert names["Rater"] is ranktron.Rater


def test_a_small_job_on_a_model_loads_neither_numba_nor_scikit_learn() -> None:
    small = (
        "from ranktron.algorithms import NoPRank; import numpy as np; X = np.random.default_rng(0).random((500, 9));"
        "model = NoPRank().partial_fit(X, (4 * X[:, 0]).astype(int)); model.predict(X)"
    )
    assert run(small + LOADED) == ""


def test_names_of_submodules_are_found() -> None:
    assert {"PRank", "load", "river", "bounds"} <= set(dir(ranktron))
    assert ranktron.bounds.__name__ == "ranktron.bounds"
