"""A process that finds object code for every loop learns and answers, without numba, what interpreted code does, bit for bit."""

from __future__ import annotations

import hashlib
import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from ranktron.compile import policy
from ranktron.data import iter_letor, read_letor, read_svmlight
from tests import family
from tests.compile import test_compiled
from tests.metrics.lists import ragged
from tests.metrics.test_conventions import METRICS
from tests.models.predtron import family as predtron
from tests.models.predtron import test_compiled as predtron_runs
from tests.models.rankers import family as lists
from tests.models.rankers import test_compiled as list_runs
from tests.processes import PACKAGE, run

Runs = Iterator[tuple[str, Any]]
# What these watch to learn when to reject is told in exponents, by a function of numba's own.
NEED_NUMBA = {"binary-reject", "classes-reject"}


def rows() -> Runs:
    """Every rule of the ordinal models on every kind of rows."""
    X, y = family.stream(60, 13, seed=5)
    for name, parameters, storage in (case.values for case in test_compiled.CASES):
        for average in (True, False):
            yield (
                f"{name} {parameters} {storage} {average}",
                one_of_rows(name, parameters, average, test_compiled.STORAGE[storage](X), y),
            )


def one_of_rows(name: str, parameters: Any, average: bool, X: Any, y: np.ndarray) -> Any:
    model = family.make(name, average=average, classes=range(1, 6), **parameters)
    told = model.predict_then_learn(X, y)
    return told.tolist(), family.state(model), model.predict(X).tolist(), model.decision_function(X).tobytes()


def crowds() -> Runs:
    """Members on two threads."""
    X, y = family.stream(600, 13, seed=5)
    model = family.make("OAP", n_members=40, n_jobs=2, classes=range(1, 6))
    told = model.predict_then_learn(X, y)
    yield "OAP", (told.tolist(), family.state(model))


def threads() -> Runs:
    """Several models that learn at once, each of which has to be loaded first."""
    X, y = family.stream(60, 13, seed=5)
    cases = [(name, {}, True, form(X), y) for name in ("PRank", "NoPRank", "SiPRank") for form in (np.asarray, as_csr)] * 4
    with ThreadPoolExecutor(8) as pool:
        yield from enumerate(pool.map(lambda case: one_of_rows(*case), cases))


def as_csr(X: np.ndarray) -> Any:
    return sp.csr_array(X * (np.abs(X) > 0.5))


def lists_of_rows() -> Runs:
    """Every rule of the rankers on every kind of rows, and of grades."""
    X, y, qid = lists.stream(8, d=13, longest=30, seed=5)
    mixed = np.random.default_rng(0).permutation(len(qid))
    for name, parameters, storage in (case.values for case in list_runs.CASES):
        X_stored = list_runs.STORAGE[storage](X)
        for scale, grades in list_runs.SCALES.items():
            for order in (slice(None), mixed):
                model = lists.make(name, average=scale != "flags", **parameters)
                told = model.predict_then_learn(X_stored[order], grades(y)[order], qid[order])
                yield (
                    f"{name} {parameters} {storage} {scale} {order}",
                    (told.tobytes(), lists.state(model), model.predict(X_stored).tobytes()),
                )


def structures() -> Runs:
    """Predtron with its tasks and links."""
    for name in predtron_runs.DENSE + predtron_runs.SPARSE:
        if name not in NEED_NUMBA:
            case = predtron.CASES[name]
            stream = case.stream(60, seed=3)
            given = stream if name in predtron_runs.DENSE else stream.of(as_csr(stream.X))
            model = predtron.learn(case.make(), given.part(0, 25))
            told = model.predict_then_learn(*given.part(30, 60).given())
            yield name, (str(np.asarray(told, object).tolist()), predtron.state(model), predtron.answers(model, given.X))


def metrics() -> Runs:
    """Every metric of lists."""
    y, scores, qid = ragged(150, 300, seed=3)
    for name, metric in METRICS.items():
        yield name, metric(y * 0.75, scores, qid, empty="skip", per_list=True).tobytes()


def texts() -> Runs:
    """Files in both formats, with and without comments, at once and in blocks, and with indices of both sizes."""
    random = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        for name, most in (("short", 90), ("long", 2**40)):
            path = Path(folder) / name
            lines = [
                f"{random.integers(5)} qid:{q} "
                + " ".join(f"{j}:{random.standard_normal():.7g}" for j in sorted(indices))
                + " # doc"
                for q in range(40)
                for indices in [set(random.integers(1, most, 9).tolist())]
            ]
            path.write_text("\n".join(lines) + "\n")
            yield f"{name} letor", parts(*read_letor(path)[:3])
            yield f"{name} comments", (parts(*read_letor(path, comments=True)[:3]), read_letor(path, comments=True)[3])
            yield f"{name} svmlight", parts(*read_svmlight(path))
            yield f"{name} blocks", [parts(*block) for block in iter_letor(path, rows=7)]


def parts(X: Any, *others: Any) -> Any:
    return X.shape, X.data.tobytes(), X.indices.tolist(), X.indptr.tolist(), [np.asarray(other).tolist() for other in others]


def door() -> Runs:
    """What most people use, on dense rows."""
    X, y = family.stream(60, 13, seed=5)
    yield "Rater", one_of_rows("Rater", {}, False, X, y)


RUNS: dict[str, Callable[[], Runs]] = {
    run_all.__name__: run_all for run_all in (rows, door, crowds, threads, lists_of_rows, structures, metrics, texts)
}

# The others compile what other tests compile anyway, one after the other.
QUICK = ("door",)


def digests(name: str) -> dict[str, str]:
    """What every one of some runs gives, in short."""
    return {str(key): hashlib.blake2b(repr(told).encode(), digest_size=16).hexdigest() for key, told in RUNS[name]()}


FRESH = """
import json, sys
from tests.compile.test_object_cache_runs import digests
assert "numba" not in sys.modules
print(json.dumps([digests({name!r}), "numba" in sys.modules]))
"""


def in_a_fresh_process(name: str) -> tuple[dict[str, str], bool]:
    """What runs give compiled, and whether numba was needed."""
    folders = os.pathsep.join([str(PACKAGE.parent), str(Path(__file__).parents[2])])
    found, numba_was_needed = json.loads(run(FRESH.format(name=name), folders, RANKTRON_PATIENCE="0"))
    return found, numba_was_needed


@pytest.mark.compiled
@pytest.mark.parametrize("name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in RUNS])
def test_object_code_gives_what_interpreted_code_does(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "PATIENCE", math.inf)
    expected = digests(name)
    found, numba_was_needed = in_a_fresh_process(name)
    if numba_was_needed:  # what was not there was compiled, and is there now
        assert found == expected
        found, numba_was_needed = in_a_fresh_process(name)
    assert found == expected
    assert not numba_was_needed
