"""``ranktron compare`` against runs of the library by hand: losses, curves, intervals, and what it says of them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from ranktron import algorithms, doors, metrics
from ranktron.cli.compare.standings import parameters
from ranktron.data import read_letor, synthetic
from tests.cli import program

RATERS = {"PRank": algorithms.PRank, "WidrowHoff(step=0.05)": lambda **more: algorithms.WidrowHoff(step=0.05, **more)}


def compared(capsys, *words):
    return program.run(capsys, "compare", *words, "--json").result


def by_name(result):
    return {record["name"]: record for record in result["league"]}


def told(model, X, y):
    return model.predict_then_learn(X, y)


@pytest.fixture(scope="module")
def stars(tmp_path_factory):
    path = tmp_path_factory.mktemp("compare") / "stars.svm"
    return (path, *program.ratings(path, 400, seed=3))


@pytest.fixture(scope="module")
def rankings(tmp_path_factory):
    path = tmp_path_factory.mktemp("compare") / "lists.svm"
    return (path, *program.lists(path, 60, seed=4))


def test_one_repeat_is_the_run_of_the_library_in_the_order_of_the_file(capsys, stars):
    path, X, y = stars
    result = compared(capsys, path, "-a", "prank,wh(step=0.05)", "--repeats", 1)
    for name, kind in RATERS.items():
        model = kind(classes=[1, 2, 3, 4, 5])
        guesses = told(model, X, y)
        record = by_name(result)[name]
        assert record["loss"] == metrics.mean_absolute_error(y, guesses)
        assert record["accuracy"] == metrics.accuracy(y, guesses)
        assert record["kappa"] == pytest.approx(metrics.quadratic_weighted_kappa(y, guesses), rel=1e-12)
        assert record["updates"] == model.n_updates_
        assert record["own_loss"] == model.cumulative_loss_ / 400
        assert record["loss_interval"] is None
        assert record["verdict"] in ("best", "not tested")


def test_repeats_are_seeded_permutations_and_their_mean_has_a_t_interval(capsys, stars):
    path, X, y = stars
    result = compared(capsys, path, "-a", "prank,wh(step=0.05)", "--repeats", 4, "--seed", 7)
    for name, kind in RATERS.items():
        losses = []
        for repeat in range(4):
            order = np.random.Generator(np.random.PCG64([7, repeat])).permutation(400)
            losses.append(metrics.mean_absolute_error(y[order], told(kind(classes=[1, 2, 3, 4, 5]), X[order], y[order])))
        record = by_name(result)[name]
        assert record["losses"] == losses
        assert record["loss"] == pytest.approx(np.mean(losses), rel=1e-12)
        assert record["loss_interval"] == pytest.approx(stats.t.ppf(0.975, 3) * stats.sem(losses), rel=1e-9)


def test_the_table_is_sorted_and_the_verdicts_are_those_of_paired_tests(capsys, stars):
    result = compared(capsys, stars[0], "-a", "prank,prank(ties=strict),siprank,wh", "--repeats", 5)
    records = result["league"]
    losses = [record["loss"] for record in records]
    assert losses == sorted(losses)
    assert [record["place"] for record in records] == [1, 2, 3, 4]
    assert records[0]["verdict"] == "best"
    for record in records[1:]:
        p = stats.ttest_rel(record["losses"], records[0]["losses"]).pvalue
        assert record["verdict"] == ("sure at 95 %" if 3 * p < 0.05 else "not told apart")
        assert record["behind"] == pytest.approx(record["loss"] - losses[0], abs=1e-12)
        error = stats.sem(np.subtract(record["losses"], records[0]["losses"]))
        assert record["behind_interval"] == pytest.approx(stats.t.ppf(1 - 0.025 / 3, 4) * error, rel=1e-9)  # Bonferroni
    assert {record["verdict"] for record in records} == {"best", "sure at 95 %", "not told apart"}
    close = [record["name"] for record in records if record["verdict"] == "not told apart"]
    assert result["headline"].startswith(f"{records[0]['name']} is best with a loss of {losses[0]:.4f} ± ")
    assert all(name in result["headline"].partition(";")[2] for name in close)


def test_curves_are_time_averages_on_the_way(capsys, stars):
    path, X, y = stars
    result = compared(capsys, path, "-a", "prank", "--repeats", 1)
    off = np.abs(told(algorithms.PRank(classes=[1, 2, 3, 4, 5]), X, y) - y)
    curves = result["curves"]
    assert np.diff(curves["at"], prepend=0).max() == 25  # a point every 25 rows, and later every 3 %
    assert curves["at"][-1] == 400
    assert curves["loss"]["PRank"] == [float(off[:at].sum() / at) for at in curves["at"]]
    assert set(curves["interval"]["PRank"]) == {None}


def test_lists_are_shuffled_whole_and_judged_as_score_does(capsys, rankings):
    path, *_ = rankings
    X, y, qid = read_letor(path, dense=True)
    result = compared(capsys, path, "-a", "listnet", "--repeats", 2, "--seed", 1)
    assert (result["unit"], result["data"]["lists"], result["data"]["rows"]) == ("lists", 60, len(y))
    for repeat in range(2):
        order = np.random.Generator(np.random.PCG64([1, repeat])).permutation(60)
        rows = np.concatenate([np.flatnonzero(qid == one) for one in order])
        scores = algorithms.ListNet().predict_then_learn(X[rows], y[rows], qid=qid[rows])
        ndcg = metrics.ndcg(y[rows], scores, qid[rows], k=10, empty="skip")
        assert result["league"][0]["losses"][repeat] == pytest.approx(1 - ndcg, rel=1e-12)
        if repeat == 0:
            first = metrics.average_precision(y[rows], scores, qid[rows], empty="skip")
        else:
            second = metrics.average_precision(y[rows], scores, qid[rows], empty="skip")
    assert result["league"][0]["map"] == pytest.approx((first + second) / 2, rel=1e-12)


def test_without_names_all_that_fit_the_data_play(capsys, stars, rankings):
    ratings = {record["algorithm"] for record in compared(capsys, stars[0], "--repeats", 1, "--limit", 30)["league"]}
    assert ratings == set(doors.RATERS)
    lists = compared(capsys, rankings[0], "--repeats", 1, "--limit", 60)["league"]
    assert {record["name"] for record in lists} == {"Ranker", "ListNet", "SLAM", "SLAM(soften=0.5)", "MinimaxRank"}


def test_all_is_the_usual_ones_and_names_may_join_them(capsys, rankings):
    names = [one["name"] for one in compared(capsys, rankings[0], "-a", "all,listnet(step=0.1)", "--repeats", 1)["league"]]
    assert sorted(names) == ["ListNet", "ListNet(step=0.1)", "MinimaxRank", "Ranker", "SLAM", "SLAM(soften=0.5)"]


def test_the_papers_stream_is_there_without_data(capsys):
    result = compared(capsys, "--limit", 200, "-a", "prank", "--repeats", 1, "--seed", 5)
    X, y = synthetic.crammer_singer(200, seed=5)
    guesses = told(algorithms.PRank(classes=[1, 2, 3, 4, 5]), X, y)
    assert result["league"][0]["loss"] == metrics.mean_absolute_error(y, guesses)
    assert compared(capsys, "synthetic", "--limit", 200, "-a", "prank", "--repeats", 1, "--seed", 5)["league"] != []


def test_random_algorithms_have_a_seed_of_their_own_in_every_repeat(capsys, stars):
    path, X, y = stars
    result = compared(capsys, path, "-a", "oap(n_members=3)", "--repeats", 2, "--seed", 10, "--limit", 120)
    for repeat, loss in enumerate(result["league"][0]["losses"]):
        order = np.random.Generator(np.random.PCG64([10, repeat])).permutation(120)
        model = algorithms.OAP(n_members=3, random_state=10 + repeat, classes=[1, 2, 3, 4, 5])
        assert loss == metrics.mean_absolute_error(y[order], told(model, X[order], y[order]))


def test_the_data_are_described(capsys, tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("stars,city,price\nlow,Rome,1.5\nhigh,Oslo,2\nmid,Rome,0\nlow,Bonn,1\n")
    result = compared(capsys, path, "--target", "stars", "--classes", "low,mid,high", "-a", "prank", "--repeats", 2)
    data = result["data"]
    assert (data["files"], data["format"], data["rows"], data["features"]) == ([str(path)], "csv", 4, 4)
    assert {one["label"]: one["rows"] for one in data["labels"]} == {"low": 2, "mid": 1, "high": 1}
    assert [one["label"] for one in data["labels"]] == ["low", "mid", "high"]
    assert "city" in data["encoding"]
    assert data["order"] == "The same 2 shuffles of the rows for all, each a random permutation by seed 0."


def test_csv_is_the_table(capsys, stars):
    answer = program.run(capsys, "compare", stars[0], "-a", "prank,siprank", "--repeats", 2, "--limit", 100, "--csv")
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    assert [row["place"] for row in rows] == ["1", "2"]
    assert float(rows[0]["loss"]) <= float(rows[1]["loss"])
    assert rows[0]["verdict"] == "best"


def test_a_pipe_is_read_once_for_all(stars):
    text = stars[0].read_text()
    done = program.process("compare", "-", "-a", "prank,siprank", "--repeats", 3, "--limit", 150, input=text)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert len(result["league"]) == 2
    assert result["data"]["rows"] == 150
    assert result["seconds"] > 0
    assert result["peak_memory_bytes"] > 1_000_000


def test_a_small_league_loads_no_large_library():
    script = (
        "import sys; from ranktron.cli import app\n"
        "try: app(['compare', '--limit', '60', '-a', 'prank,wh', '--report', '/dev/null', '--json'], prog_name='ranktron')\n"
        "except SystemExit: pass\n"
        "print(sorted({'numba', 'sklearn', 'scipy', 'polars', 'river', 'matplotlib', 'pandas', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], env=program.environment(), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_is_told_of_an_algorithm_are_parameters_that_it_has() -> None:
    of_prank, of_rater = parameters(algorithms.PRank()), parameters(doors.Rater())
    assert {"kernel", "budget", "policy"} <= of_prank.keys()
    assert not {"kernel", "budget", "policy"} & of_rater.keys()
    assert of_rater["scale"] == "settled"
