"""`ranktron learn` does what the library does, row by row, and tells of it what the metrics say."""

from __future__ import annotations

import csv
import io
import itertools
import json
import sys

import numpy as np
import pytest

import ranktron
from ranktron import metrics
from ranktron.data.streams import text_blocks
from ranktron.models import files
from tests.cli.program import lists, process, ratings, run

GRADES = {
    "loss": metrics.mean_absolute_error,
    "accuracy": metrics.accuracy,
    "kappa": metrics.quadratic_weighted_kappa,
    "macro_mae": metrics.macro_mae,
}


def grade_figures(y, told):
    return {name: pytest.approx(function(y, told), abs=1e-12) for name, function in GRADES.items()}


def list_figures(y, scores, qid):
    ndcg10 = metrics.ndcg(y, scores, qid, k=10, empty="skip")
    values = {
        "loss": 1 - ndcg10,
        "ndcg@10": ndcg10,
        "ndcg": metrics.ndcg(y, scores, qid, empty="skip"),
        "map": metrics.average_precision(y, scores, qid, empty="skip"),
        "mrr": metrics.mrr(y, scores, qid, empty="skip"),
        "precision@10": metrics.precision_at(y, scores, 10, qid, empty="skip"),
    }
    return {name: pytest.approx(value, abs=1e-12) for name, value in values.items()}


def part(record, names):
    return {name: record[name] for name in names}


def test_ratings_are_learned_and_judged_as_the_library_does(tmp_path, capsys):
    X, y = ratings(tmp_path / "a.svm", 400)
    told = run(capsys, "learn", tmp_path / "a.svm", "--model", tmp_path / "m").result
    model = ranktron.Rater()
    expected = grade_figures(y, model.predict_then_learn(X, y))
    assert part(told, GRADES) == expected
    assert (told["command"], told["algorithm"], told["examples"], told["features"]) == ("learn", "rater", 400, 6)
    assert (told["updates"], told["classes"]) == (model.n_updates_, [1, 2, 3, 4, 5])
    assert told["learners_loss"] == pytest.approx(model.cumulative_loss_ / 400)
    assert told["seconds"] > 0
    assert told["peak_memory_bytes"] > 1e6
    kept = ranktron.load(tmp_path / "m")
    assert np.array_equal(kept.coef_, model.coef_)
    assert np.array_equal(kept.thresholds_, model.thresholds_)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells what this program itself has held")
def test_memory_is_that_of_the_program_not_of_the_one_that_started_it(tmp_path):
    ratings(tmp_path / "a.svm", 20)
    large = np.ones(400_000_000, np.uint8)
    told = json.loads(process("learn", tmp_path / "a.svm", "--json").stdout)
    assert told["peak_memory_bytes"] < len(large)


def test_lists_are_learned_and_judged_as_the_library_does(tmp_path, capsys):
    X, y, qid = lists(tmp_path / "a.svm", 60)
    told = run(capsys, "learn", tmp_path / "a.svm", "--model", tmp_path / "m").result
    model = ranktron.Ranker()
    expected = list_figures(y, model.predict_then_learn(X, y, qid=qid), qid)
    empty = sum(not y[qid == q].any() for q in range(60))
    assert part(told, expected) == expected
    assert (told["algorithm"], told["lists"], told["lists_without_relevant"]) == ("ranker", 60, empty)
    assert 0 < empty < 60
    assert told["learners_loss"] == pytest.approx(model.cumulative_loss_ / 60)
    assert np.array_equal(ranktron.load(tmp_path / "m").coef_, model.coef_)


@pytest.mark.parametrize(
    ("words", "model"),
    [
        (["-a", "noprank", "--trigger", "margin", "--beta", "2"], lambda: ranktron.NoPRank(trigger="margin", beta=2)),
        (["-a", "oap", "--n-members", "7", "--seed", "3"], lambda: ranktron.OAP(n_members=7, random_state=3)),
        (
            ["-a", "oap", "--n-members", "3", "--estimator", "noprank"],
            lambda: ranktron.OAP(n_members=3, estimator=ranktron.NoPRank()),
        ),
        (["-a", "wh", "--step", "0.05", "--fit-intercept"], lambda: ranktron.WidrowHoff(step=0.05, fit_intercept=True)),
        (["-a", "MCP", "--no-average"], lambda: ranktron.MulticlassPerceptron(average=False)),
        (
            ["-a", "noprank", "--kernel", "Gaussian(gamma=0.5)", "--budget", "20", "--no-average"],
            lambda: ranktron.NoPRank(kernel=ranktron.kernels.Gaussian(0.5), budget=20, average=False),
        ),
        (["-a", "predtron", "--task", "Ordinal"], lambda: ranktron.Predtron(ranktron.tasks.Ordinal())),
    ],
    ids=["noprank", "oap", "oap of noprank", "widrow-hoff", "mcp", "kernel", "predtron"],
)
def test_algorithms_and_their_parameters(tmp_path, capsys, words, model):
    X, y = ratings(tmp_path / "a.svm", 150)
    told = run(capsys, "learn", tmp_path / "a.svm", *words).result
    assert part(told, GRADES) == grade_figures(y, model().predict_then_learn(X, y))


def test_a_ranker_with_a_step_and_a_measure(tmp_path, capsys):
    X, y, qid = lists(tmp_path / "a.svm", 40)
    words = ["-a", "slam", "--step", "AdaGrad(0.3)", "--soften", "0.5", "--measure", "ap"]
    told = run(capsys, "learn", tmp_path / "a.svm", *words).result
    model = ranktron.SLAM(step=ranktron.AdaGrad(0.3), soften=0.5, measure="ap")
    scores = model.predict_then_learn(X, y, qid=qid)
    assert told["ap"] == told["map"] == pytest.approx(metrics.average_precision(y, scores, qid, empty="skip"))
    assert told["loss"] == pytest.approx(1 - told["ap"])


def test_rows_with_queries_can_be_rated_all_the_same(tmp_path, capsys):
    X, y, _ = lists(tmp_path / "a.svm", 30)
    told = run(capsys, "learn", tmp_path / "a.svm", "-a", "prank").result
    assert part(told, GRADES) == grade_figures(y, ranktron.PRank().predict_then_learn(X, y))


def test_test_files_are_judged_by_the_final_model(tmp_path, capsys):
    X, y = ratings(tmp_path / "a.svm", 300)
    others = {name: ratings(tmp_path / name, 100, seed) for seed, name in enumerate(["b.svm", "c.svm"], 5)}
    words = [word for name in others for word in ("--test", tmp_path / name)]
    told = run(capsys, "learn", tmp_path / "a.svm", *words).result["test"]
    model = ranktron.Rater().partial_fit(X, y)
    for name, (Z, z) in others.items():
        assert told[str(tmp_path / name)] == grade_figures(z, model.predict(Z))


def test_several_files_are_one_stream(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 200)
    whole = (tmp_path / "a.svm").read_text().splitlines(keepends=True)
    (tmp_path / "b.svm").write_text("".join(whole[:70]))
    (tmp_path / "c.svm").write_text("".join(whole[70:]))
    one = run(capsys, "learn", tmp_path / "a.svm").result
    two = run(capsys, "learn", tmp_path / "b.svm", tmp_path / "c.svm").result
    assert part(two, GRADES) == part(one, GRADES)
    assert two["examples"] == 200


def test_a_pipe_is_a_stream_too(tmp_path):
    ratings(tmp_path / "a.svm", 200)
    file = process("learn", tmp_path / "a.svm", "-m", tmp_path / "m")
    pipe = process("learn", "-", "-m", tmp_path / "n", input=(tmp_path / "a.svm").read_text())
    assert part(json.loads(pipe.stdout), GRADES) == part(json.loads(file.stdout), GRADES)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()
    assert pipe.stderr == file.stderr == ""


def test_passes_over_the_data(tmp_path, capsys):
    X, y = ratings(tmp_path / "a.svm", 200)
    told = run(capsys, "learn", tmp_path / "a.svm", "--epochs", 3, "-m", tmp_path / "m").result
    model = ranktron.Rater()
    passes = [model.predict_then_learn(X, y) for _ in range(3)]
    assert (told["examples"], told["epochs"], told["updates"]) == (200, 3, model.n_updates_)
    assert part(told, GRADES) == grade_figures(y, passes[0])
    assert part(told["last_pass"], GRADES) == grade_figures(y, passes[2])
    assert np.array_equal(ranktron.load(tmp_path / "m").coef_, model.coef_)


@pytest.mark.parametrize("kind", [ranktron.Rater, ranktron.PRank], ids=["rater", "prank"])
def test_passes_leave_the_same_model_as_those_of_the_library(tmp_path, capsys, kind):
    """Intervals too: they are learned from the first pass, for what is said of rows it learned tells little of new ones."""
    X, y = ratings(tmp_path / "a.svm", 200)
    words = ["-a", kind.__name__, "--epochs", 3, "--checkpoint-rows", 70, "--checkpoint", tmp_path / "c"]
    assert run(capsys, "learn", tmp_path / "a.svm", *words, "-m", tmp_path / "m").status == 0
    kind(epochs=3).fit(X, y).save(tmp_path / "n")
    (_, told), (_, expected) = (files.read(tmp_path / name) for name in "mn")
    assert told.keys() == expected.keys() >= {"intervals"}
    assert all(np.array_equal(told[name], expected[name]) for name in told)


def test_shuffling_takes_every_row_once_in_an_order_by_the_seed(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 300)
    models = {}
    for name, words in {
        "plain": [],
        "0": ["--shuffle"],
        "0 again": ["--shuffle", "--seed", 0],
        "1": ["--shuffle", "--seed", 1],
    }.items():
        told = run(capsys, "learn", tmp_path / "a.svm", *words, "-m", tmp_path / "m").result
        assert told["examples"] == 300
        models[name] = ranktron.load(tmp_path / "m").coef_.tolist()
    assert models["0"] == models["0 again"]
    assert len({tuple(model) for model in models.values()}) == 3


# The learning curve


@pytest.mark.parametrize("every", [1, 70, 150, 1000])
@pytest.mark.parametrize("block", [1 << 10, 1 << 22], ids=["many blocks", "one block"])
def test_points_of_the_curve_lie_at_multiples(tmp_path, capsys, monkeypatch, every, block):
    monkeypatch.setattr(text_blocks, "SIZE", block)
    X, y = ratings(tmp_path / "a.svm", 300)
    answer = run(capsys, "learn", tmp_path / "a.svm", "--every", every)
    told = ranktron.Rater().predict_then_learn(X, y)
    assert [point["rows"] for point in answer.points] == list(range(every, 301, every))
    for point in answer.points[::40] if every == 1 else answer.points:
        n = point["rows"]
        known = {name: point[name] for name in GRADES if point[name] is not None}  # kappa needs two labels
        assert known == part(grade_figures(y[:n], told[:n]), known)


def test_points_of_lists_lie_where_the_next_list_ends(tmp_path, capsys):
    X, y, qid = lists(tmp_path / "a.svm", 50)
    answer = run(capsys, "learn", tmp_path / "a.svm", "--every", 20)
    ends = [int((qid <= q).sum()) for q in range(50)]
    marks = itertools.groupby(ends, lambda end: end // 20)
    expected = [next(iter(group)) for mark, group in marks if mark]
    assert [point["rows"] for point in answer.points] == expected
    scores = ranktron.Ranker().predict_then_learn(X, y, qid=qid)
    n = expected[1]
    figures = list_figures(y[:n], scores[:n], qid[:n])
    assert part(answer.points[1], figures) == figures


def test_the_curve_does_not_change_what_is_learned(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 100)
    for name, words in {"m": [], "n": ["--every", 7]}.items():
        assert run(capsys, "learn", tmp_path / "a.svm", *words, "-m", tmp_path / name).status == 0
    assert (tmp_path / "m").read_bytes() == (tmp_path / "n").read_bytes()


def test_the_curve_in_a_file(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 100)
    points = run(capsys, "learn", tmp_path / "a.svm", "--every", 30).points
    answer = run(capsys, "learn", tmp_path / "a.svm", "--every", 30, "--curve", tmp_path / "c.jsonl")
    assert answer.points == []
    assert [json.loads(line) for line in (tmp_path / "c.jsonl").read_text().splitlines()] == points
    run(capsys, "learn", tmp_path / "a.svm", "--every", 30, "--curve", tmp_path / "c.csv")
    header, *lines = (line.split(",") for line in (tmp_path / "c.csv").read_text().splitlines())
    assert [dict(zip(header, map(float, line))) for line in lines] == points


def test_comma_separated_results(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 100)
    told = run(capsys, "learn", tmp_path / "a.svm", "--json", "--every", 40)
    [line] = csv.DictReader(io.StringIO(run(capsys, "learn", tmp_path / "a.svm", "--csv", "--test", tmp_path / "a.svm").out))
    assert (line["loss"], line["classes"]) == (str(told.result["loss"]), "[1, 2, 3, 4, 5]")
    assert float(line[f"test.{tmp_path / 'a.svm'}.loss"]) > 0
    lines = csv.DictReader(io.StringIO(run(capsys, "learn", tmp_path / "a.svm", "--csv", "--every", 40).out))
    assert [{name: float(value) for name, value in line.items()} for line in lines] == told.points
