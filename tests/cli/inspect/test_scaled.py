"""`ranktron inspect` of models that scale their features: weights are compared by what a feature does, not by its unit."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron import doors
from tests.cli.asking import drawn, fails, lists, ratings, run, svmlight


def shown(path: Path, *options: Any) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(run("inspect", path, *options).out)
    return result


@pytest.fixture(scope="module")
def rater(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, np.ndarray]:
    """A model of features whose weights have the order of their numbers, in units that turn that order round; one is constant."""
    X, y = ratings(512)
    X = np.hstack([X * [1e-3, 1.0, 1e3, 1e6], np.ones((512, 1))])
    path = tmp_path_factory.mktemp("scaled") / "m.ranktron"
    model = doors.Rater().fit(X, y)
    model.save(path)
    return path, model, X


def test_features_come_by_what_a_deviation_of_them_adds(rater: tuple[Path, Any, np.ndarray]) -> None:
    path, model, X = rater
    told = shown(path)
    assert told["weights_per"] == "deviation"
    assert [one["feature"] for one in told["strongest"]] == [4, 3, 2, 1]
    for one in told["strongest"]:
        column = one["feature"] - 1
        assert one["weight"] == model.coef_[column]
        assert one["per_deviation"] == pytest.approx(model.coef_[column] * X[:, column].std(), rel=1e-9)  # 512 is a milestone


def test_both_numbers_are_in_the_picture(rater: tuple[Path, Any, np.ndarray]) -> None:
    out = drawn("inspect", rater[0]).out
    line = out.partition("Strongest features")[2].splitlines()[1].split()
    assert line[0] == "4"
    assert float(line[1]) == pytest.approx(rater[1].coef_[3], rel=1e-3)
    assert float(line[2]) == pytest.approx(rater[1].coef_[3] * rater[2][:, 3].std(), rel=1e-3)
    assert "beside it is what one standard deviation of the feature adds" in " ".join(out.split())


def test_values_and_ranks_of_a_ranker_can_be_compared(tmp_path: Path) -> None:
    X, y, qid = lists(40)
    model = doors.Ranker().fit(X, y, qid=qid)
    model.save(tmp_path / "m")
    told = shown(tmp_path / "m")
    assert told["weights_per"] == "list"
    weights = {str(j + 1): w for j, w in enumerate(model.coef_)} | {f"rank of {j + 1}": w for j, w in enumerate(model.rank_coef_)}
    assert {str(one["feature"]): one["weight"] for one in told["strongest"]} == weights
    out = drawn("inspect", tmp_path / "m", "--top", 3).out
    assert "Strongest features  3 of 8, values and ranks" in out
    assert "Values and ranks are scaled within each list" in " ".join(out.split())


def test_what_puts_one_row_of_a_list_above_another(tmp_path: Path) -> None:
    X, y, qid = lists(40)
    model = doors.Ranker().fit(X, y, qid=qid)
    model.save(tmp_path / "m")
    data = svmlight(tmp_path / "a.svm", X, y, qid)
    first, second = np.flatnonzero(qid == 20)[[2, 0]].tolist()
    words = ("inspect", tmp_path / "m", "--why", data, "--rows", f"{first + 1},{second + 1}")
    told = json.loads(run(*words).out)
    shares, scores = model.explain(X, qid=qid), model.predict(X, qid=qid)
    assert told["scores"] == [scores[first], scores[second]]
    for term in told["terms"]:
        column = term["feature"] - 1
        assert term["values"] == [X[first, column], X[second, column]]
        assert term["contribution"] == shares[first, column] - shares[second, column]
        assert term["weight"] is None
    added = math.fsum([*(term["contribution"] for term in told["terms"]), told["rounding"]])
    assert added == pytest.approx(told["difference"], rel=1e-15)
    assert abs(told["rounding"]) < 1e-12
    out = " ".join(drawn(*words).out.split())
    assert "both scaled within the list; that makes" in out
    assert "weight adds" not in out


def test_rows_of_different_lists_do_not_compare(tmp_path: Path) -> None:
    X, y, qid = lists(3)
    doors.Ranker().fit(X, y, qid=qid).save(tmp_path / "m")
    words = ("inspect", tmp_path / "m", "--why", svmlight(tmp_path / "a.svm", X, y, qid), "--rows")
    last = len(X)
    assert fails(*words, f"1,{last}").endswith(
        f"rows 1 and {last} of {tmp_path}/a.svm are in different lists; scores can be compared within a list only"
    )
    assert fails(*words, "1,99") == f"{tmp_path}/a.svm has {last} rows, but --rows names row 99"


def test_without_scaling_nothing_is_known_of_units(tmp_path: Path) -> None:
    X, y, qid = lists(10)
    doors.Ranker(query_scale=None).fit(X, y, qid=qid).save(tmp_path / "m")
    told = shown(tmp_path / "m")
    assert told["weights_per"] == "unit"
    assert all(set(one) == {"feature", "weight"} for one in told["strongest"])
