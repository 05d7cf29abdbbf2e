"""`ranktron inspect`: what a model is, pictures of it, and differences of scores taken apart."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ranktron
from ranktron import algorithms
from ranktron.kernels import Gaussian
from tests.cli.asking import drawn, fails, in_terminal, lists, ratings, run, saved, svmlight


def shown(path: Path, *options: Any) -> dict[str, Any]:
    told = run("inspect", path, *options)
    assert told.status == 0, told.err
    result: dict[str, Any] = json.loads(told.out)
    return result


# What it is


def test_all_that_a_model_is(tmp_path: Path) -> None:
    X, y = ratings(100)
    model = saved(tmp_path / "m.ranktron", "PRank", X, y, ties="strict")
    told = shown(tmp_path / "m.ranktron")
    assert (told["command"], told["algorithm"], told["task"]) == ("inspect", "PRank", "ratings")
    assert (told["examples"], told["updates"]) == (100, model.n_updates_)
    assert told["loss"] == model.cumulative_loss_ / 100
    assert told["labels"] == [1, 2, 3, 4]
    assert told["thresholds"] == model.thresholds_.tolist()
    assert told["library"] == f"ranktron {ranktron.__version__}"
    assert told["bytes"] == (tmp_path / "m.ranktron").stat().st_size
    assert told["changed"] == {"ties": "strict"}
    assert told["noted"] == 100
    assert 0.2 < told["right"] < 1.0
    assert told["parameters"]["average"] is True
    assert told["features"] == {"count": 4, "named": False, "hash_bits": None, "without_weight": 0}


def test_the_strongest_features_come_first(tmp_path: Path) -> None:
    X, y = ratings(100, d=9)
    X[:, 3] = 0.0
    model = saved(tmp_path / "m.ranktron", "PRank", X, y)
    order = np.argsort(-np.abs(model.coef_))
    told = shown(tmp_path / "m.ranktron", "--top", 3)
    assert told["strongest"] == [{"feature": int(j) + 1, "weight": float(model.coef_[j])} for j in order[:3]]
    assert told["features"]["without_weight"] == 1
    assert len(shown(tmp_path / "m.ranktron", "--top", 50)["strongest"]) == 8


def test_every_class_has_its_own_weights(tmp_path: Path) -> None:
    X, y = ratings(100)
    model = saved(tmp_path / "m.ranktron", "MulticlassPerceptron", X, y)
    told = shown(tmp_path / "m.ranktron", "--top", 1)
    row, column = np.unravel_index(np.abs(model.coef_).argmax(), model.coef_.shape)
    assert told["strongest"] == [{"feature": column + 1, "label": row + 1, "weight": model.coef_[row, column]}]
    assert told["thresholds"] is None


def test_crowds_and_supports_have_sizes(tmp_path: Path) -> None:
    X, y = ratings(100)
    saved(tmp_path / "oap.ranktron", "OAP", X, y, n_members=7)
    voted = saved(tmp_path / "voted.ranktron", "Voted", X, y, limit=9)
    kernel = saved(tmp_path / "kernel.ranktron", "PRank", X, y, kernel=Gaussian(0.5), budget=12, average=False)
    assert shown(tmp_path / "oap.ranktron")["members"] == 7
    assert shown(tmp_path / "voted.ranktron")["hypotheses"] == len(voted.survived_)
    told = shown(tmp_path / "kernel.ranktron")
    assert (told["support"], told["budget"], told["strongest"]) == (len(kernel.support_), 12, [])


def test_crowds_and_supports_are_drawn(tmp_path: Path) -> None:
    X, y = ratings(60)
    kernel = {"kernel": Gaussian(0.5), "budget": 12, "average": False}
    for name, parameters, line in [("OAP", {"n_members": 7}, "members"), ("PRank", kernel, "support")]:
        saved(tmp_path / "m.ranktron", name, X, y, **parameters)
        lines = {one.split()[0]: one.split()[1:] for one in drawn("inspect", tmp_path / "m.ranktron").lines if one.strip()}
        assert lines[line][0] == {"members": "7", "support": "12"}[line]
    assert "Gaussian(gamma=0.5)," in lines["parameters"]


def test_many_labels_are_told_in_part(tmp_path: Path) -> None:
    X, _ = ratings(300)
    saved(tmp_path / "m.ranktron", "PRank", X, np.digitize(X[:, 0], np.linspace(-2, 2, 40)))
    told = drawn("inspect", tmp_path / "m.ranktron")
    assert "…" in told.out
    assert len(told.lines) < 50


def test_hashed_features_are_numbers(tmp_path: Path) -> None:
    model = algorithms.PRank(hash_bits=4, classes=[1, 2])
    model.learn_one({"price": 2.0}, 1)
    model.save(tmp_path / "m.ranktron")
    column = int(np.flatnonzero(model.coef_)[0])
    assert [one["feature"] for one in shown(tmp_path / "m.ranktron")["strongest"]] == [f"#{column}"]
    assert "hashed into 2^4 columns" in drawn("inspect", tmp_path / "m.ranktron").out


def test_rankers_have_no_labels(tmp_path: Path) -> None:
    X, y, qid = lists(20)
    model = saved(tmp_path / "m.ranktron", "SLAM", X, y, qid, soften=0.5)
    told = shown(tmp_path / "m.ranktron")
    assert (told["task"], told["labels"], told["thresholds"], told["examples"]) == ("lists", None, None, 20)
    assert told["loss"] == model.cumulative_loss_ / 20


def test_names_and_how_data_were_read_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text("y,price,city\n" + "".join(f"{1 + i % 3},{i % 3},{'ab'[i % 2]}\n" for i in range(12)))
    run("learn", "rows.csv", "-t", "y", "-m", "m.ranktron", "--quiet")
    told = shown(Path("m.ranktron"))
    assert {one["feature"] for one in told["strongest"]} <= {"price", "city=a", "city=b"}
    assert told["data"]["target"] == "y"
    assert "city=a" in drawn("inspect", "m.ranktron").out


# Pictures


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("name", ["PRank", "MulticlassPerceptron", "Voted", "WidrowHoff"])
def test_a_terminal_gets_pictures_that_fit(name: str, width: int, tmp_path: Path) -> None:
    X, y = ratings(100)
    labels = np.array(["bad", "a label that is very long and goes on", "good", "great"])[y - 1]
    order = ["bad", "a label that is very long and goes on", "good", "great"]
    model = getattr(algorithms, name)(classes=order)
    names = ["price", "the age of the customer when they were first seen by anyone", "c", "d"]
    for x, label in zip(X.tolist(), labels.tolist()):
        model.learn_one(dict(zip(names, x)), label)
    model.save(tmp_path / "m.ranktron")
    told = drawn("inspect", tmp_path / "m.ranktron", width=width)
    assert told.status == 0
    assert all(len(line) <= width for line in told.lines)
    assert "Strongest features" in told.out
    assert ("Thresholds" in told.out) == (name != "MulticlassPerceptron")
    assert "weights show which feature matters more only if all features were" in " ".join(told.out.split())


def test_an_empty_interval_is_said(tmp_path: Path) -> None:
    algorithms.PRank(classes=[1, 2, 3], average=False).partial_fit([[1.0], [-1.0]], [3, 1]).save(tmp_path / "m.ranktron")
    thresholds = shown(tmp_path / "m.ranktron")["thresholds"]
    told = drawn("inspect", tmp_path / "m.ranktron").out
    assert thresholds[0] == thresholds[1]
    assert "an empty interval: no row gets this label" in told


# Why


@pytest.mark.parametrize("name", ["PRank", "NoPRank", "MulticlassPerceptron", "WidrowHoff", "OAP"])
@pytest.mark.parametrize("top", [2, 50])
def test_terms_add_up_to_the_difference_of_scores(name: str, top: int, tmp_path: Path) -> None:
    X, y = ratings(80, d=7)
    parameters = {"n_members": 5} if name == "OAP" else {}
    model = saved(tmp_path / "m.ranktron", name, X, y, **parameters)
    data = svmlight(tmp_path / "rows.svm", X, y)
    scores = run("predict", tmp_path / "m.ranktron", data, "--scores").lines
    told = shown(tmp_path / "m.ranktron", "--why", data, "--rows", "3,7", "--top", top)
    assert told["scores"] == [float(scores[2]), float(scores[6])]
    assert told["difference"] == told["scores"][0] - told["scores"][1]
    parts = [term["contribution"] for term in told["terms"]] + [told["others"], told["rounding"]]
    assert math.fsum(parts) == told["difference"]
    assert told["n_others"] == 7 - min(top, 7)
    sizes = abs(X[2]) @ abs(np.atleast_2d(model.coef_)).sum(axis=0) + abs(X[6]) @ abs(np.atleast_2d(model.coef_)).sum(axis=0)
    assert abs(told["rounding"]) <= 100 * np.finfo(float).eps * sizes  # a few roundings for each of 14 products
    assert told["labels"] == model.predict(X[[2, 6]]).tolist()


def test_whole_numbers_add_up_exactly(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    X, y = random.integers(-5, 6, (64, 5)).astype(float), random.integers(1, 4, 64)
    model = saved(tmp_path / "m.ranktron", "PRank", X, y, average=False)
    told = shown(tmp_path / "m.ranktron", "--why", svmlight(tmp_path / "rows.svm", X, y), "--rows", "1,2")
    exact = [Fraction(w) * Fraction(a - b) for w, a, b in zip(model.coef_.tolist(), X[0].tolist(), X[1].tolist())]
    assert told["rounding"] == 0.0
    assert sorted(term["contribution"] for term in told["terms"]) == sorted(float(term) for term in exact if term)
    assert sum(exact) == Fraction(told["difference"])


def test_the_largest_terms_come_first(tmp_path: Path) -> None:
    X, y, qid = lists(20)
    saved(tmp_path / "m.ranktron", "ListNet", X, y, qid)
    told = shown(tmp_path / "m.ranktron", "--why", svmlight(tmp_path / "rows.letor", X, y, qid), "--rows", "5,2")
    sizes = [abs(term["contribution"]) for term in told["terms"]]
    assert sizes == sorted(sizes, reverse=True)
    for term in told["terms"]:
        assert term["values"] == [X[4, term["feature"] - 1], X[1, term["feature"] - 1]]
        assert term["contribution"] == term["weight"] * (term["values"][0] - term["values"][1])
    assert told["labels"] is None
    assert [place.rpartition(" ")[2] for place in told["places"]] == ["5", "2"]


def test_text_columns_are_features_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text("y,city\n" + "".join(f"{1 + i % 2},{'ab'[i % 2]}\n" for i in range(8)))
    run("learn", "rows.csv", "-t", "y", "-m", "m.ranktron", "--quiet")
    told = shown(Path("m.ranktron"), "--why", "rows.csv", "--rows", "2,1")
    assert {term["feature"]: term["values"] for term in told["terms"]} == {"city=a": [0.0, 1.0], "city=b": [1.0, 0.0]}
    assert told["difference"] > 0
    seen = in_terminal("inspect", "m.ranktron", "--why", "rows.csv", "--rows", "2,1")
    assert "Row 2 is above row 1" in seen.out
    assert "rows.csv, line 3" in seen.out
    assert seen.out == drawn("inspect", "m.ranktron", "--why", "rows.csv", "--rows", "2,1").out
    assert all(len(line) <= 80 for line in seen.lines)
    assert "Row 1 is below row 2" in drawn("inspect", "m.ranktron", "--why", "rows.csv", "--rows", "1,2").out
    assert "1 more" in drawn("inspect", "m.ranktron", "--why", "rows.csv", "--rows", "1,2", "--top", "1").out


def test_missing_numbers_are_taken_as_the_model_takes_them(tmp_path: Path) -> None:
    X, y = ratings()
    saved(tmp_path / "m.ranktron", "PRank", X, y, missing="zero")
    (tmp_path / "rows.svm").write_text("1 1:nan 2:1\n1 1:2 2:1\n")
    told = shown(tmp_path / "m.ranktron", "--why", tmp_path / "rows.svm", "--rows", "1,2")
    assert [term["values"] for term in told["terms"]] == [[0.0, 2.0]]


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ("3", "two numbers of rows, such as 3,7"),
        ("a,b", "two numbers of rows, such as 3,7"),
        ("0,1", "two different rows, counted from 1"),
        ("2,2", "two different rows"),
        ("1,99", "has 60 rows, but --rows names row 99"),
    ],
)
def test_rows_that_are_not_there_are_refused(rows: str, why: str, tmp_path: Path) -> None:
    X, y = ratings()
    saved(tmp_path / "m.ranktron", "PRank", X, y)
    data = svmlight(tmp_path / "rows.svm", X, y)
    assert why in fails("inspect", tmp_path / "m.ranktron", "--why", data, "--rows", rows)


def test_a_file_needs_rows(tmp_path: Path) -> None:
    X, y = ratings()
    saved(tmp_path / "m.ranktron", "PRank", X, y)
    assert "must be given together" in fails("inspect", tmp_path / "m.ranktron", "--rows", "1,2")


@pytest.mark.parametrize(
    ("name", "parameters", "why"),
    [
        ("PRank", {"kernel": Gaussian(1.0)}, "has a kernel"),
        ("Voted", {}, "sorts by the votes of many hypotheses"),
        ("OAP", {"combine": "voting", "n_members": 3}, "sorts by the votes of many hypotheses"),
    ],
    ids=["kernel", "voted", "votes"],
)
def test_what_is_no_sum_of_features_is_refused(name: str, parameters: dict[str, Any], why: str, tmp_path: Path) -> None:
    X, y = ratings(20)
    saved(tmp_path / "m.ranktron", name, X, y, **parameters)
    data = svmlight(tmp_path / "rows.svm", X, y)
    assert why in fails("inspect", tmp_path / "m.ranktron", "--why", data, "--rows", "1,2")


# Drift


def drifting(n: int = 1_100) -> tuple[np.ndarray, np.ndarray]:
    """Rows of which the last half has other features to go by."""
    X = np.random.default_rng(4).standard_normal((n, 4))
    return X, np.digitize(np.where(np.arange(n) < 512, X[:, 0], X[:, 1]), [-0.7, 0.0, 0.7])


def test_what_has_drifted_is_told_in_numbers_and_in_a_sentence(tmp_path: Path) -> None:
    model = saved(tmp_path / "m.ranktron", "PRank", *drifting())
    told, drift = shown(tmp_path / "m.ranktron")["drift"], model.drift()
    assert told["told"] == drift.told
    assert told["found"] is True
    assert [one["since"] for one in told["movements"]] == [128, 256, 512]
    assert told["movements"][-1]["turn"] == drift.movements[-1].turn
    assert told["movements"][-1]["shifts"] == drift.movements[-1].shifts.tolist()
    assert told["movements"][0]["turn_by_chance"] is None


def test_drift_is_drawn_where_there_is_a_verdict(tmp_path: Path) -> None:
    X, y = drifting()
    model = saved(tmp_path / "m.ranktron", "PRank", X, y)
    saved(tmp_path / "young.ranktron", "PRank", X[:300], y[:300])
    saved(tmp_path / "last.ranktron", "PRank", X, y, average=False)
    text = " ".join(drawn("inspect", tmp_path / "m.ranktron").out.split())
    assert "Drift" in text
    assert model.drift().told in text
    assert "Drift" not in drawn("inspect", tmp_path / "young.ranktron").out
    assert "Drift" not in drawn("inspect", tmp_path / "last.ranktron").out
    assert shown(tmp_path / "last.ranktron")["drift"] is None
