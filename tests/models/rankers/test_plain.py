"""Models without scikit-learn: the same in every bit, and nothing heavy is loaded for a few lists."""

from __future__ import annotations

from typing import Any

import pytest

from ranktron.models.kinds.model import NotFitted

from ..contract import run_process
from .family import every_name, every_variant, make, plain_class, state, stream

X, Y, QID = stream(10)


@every_variant
def test_a_plain_model_is_its_estimator(name: str, parameters: dict[str, Any]) -> None:
    plain, estimator = plain_class(name)(**parameters), make(name, **parameters)
    assert plain.predict_then_learn(X, Y, QID).tobytes() == estimator.predict_then_learn(X, Y, QID).tobytes()
    assert state(plain.fit(X, Y, QID)) == state(estimator.fit(X, Y, QID))
    assert plain.score(X, Y, QID) == estimator.score(X, Y, QID)
    assert plain.rank(X, QID).tolist() == estimator.rank(X, QID).tolist()
    with pytest.raises(ValueError, match="qid"):
        plain.score(X, Y)


@every_name
def test_a_plain_model_says_what_is_wrong_too(name: str) -> None:
    model = plain_class(name)()
    with pytest.raises(NotFitted, match="has not learned anything yet"):
        model.predict(X)
    model.fit(X, Y, QID)
    with pytest.raises(ValueError, match="X has 3 features"):
        model.partial_fit(X[:, :3], Y, QID)
    with pytest.raises(ValueError, match="one grade per row"):
        model.partial_fit(X, Y[:, None], QID)
    assert model.n_seen_ == 10


SMALL = """
import sys
import numpy as np
from ranktron.algorithms import SLAM, ListNet, MinimaxRank
from ranktron.doors import Ranker
X = np.arange(24.0).reshape(8, 3) % 7
for algorithm in (SLAM, MinimaxRank, ListNet, Ranker):
    model = algorithm().fit(X, [0, 1, 2, 0, 1, 2, 0, 1], qid=list("abababab"))
    model.learn_pair(X[0], X[1])
    algorithm().learn_pair({"a": 1.0}, {"b": 2.0})
    model.rank(X), model.score(X, [0, 1] * 4, qid=list("aabbaabb")), model.predict_then_learn(X, [0, 1] * 4)
print([module for module in ("sklearn", "scipy", "numba", "pandas") if module in sys.modules])
"""


def test_a_few_lists_load_nothing_heavy() -> None:
    assert run_process(SMALL, NUMBA_DISABLE_JIT="0", RANKTRON_PATIENCE="50000") == "[]"
