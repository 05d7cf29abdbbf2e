"""`ranktron evaluate`: the metrics of the library on all rows, to the last bit, whatever the blocks they came in."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron import metrics
from ranktron.cli.evaluate.tallies import ExactMean, ListTally, RatingTally, exact_sum
from ranktron.tasks import Multiclass
from tests.cli.asking import drawn, fails, in_terminal, lists, ratings, run, saved, svmlight


@pytest.fixture
def rating(tmp_path: Path) -> tuple[Any, np.ndarray, np.ndarray]:
    X, y = ratings(300)
    model = saved(tmp_path / "m.ranktron", "PRank", X[:100], y[:100])
    svmlight(tmp_path / "test.svm", X[100:], y[100:])
    return model, X[100:], y[100:]


@pytest.fixture
def ranking(tmp_path: Path) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray]:
    X, y, qid = lists(40)
    model = saved(tmp_path / "m.ranktron", "ListNet", X, y, qid)
    svmlight(tmp_path / "test.letor", X, y, qid)
    return model, X, y, qid


def verdict(tmp_path: Path, data: str, *options: Any) -> dict[str, Any]:
    told = run("evaluate", tmp_path / "m.ranktron", tmp_path / data, *options)
    assert told.status == 0, told.err
    result: dict[str, Any] = json.loads(told.out)
    return result


# Ratings


def test_figures_of_ratings_are_the_librarys(rating: Any, tmp_path: Path) -> None:
    model, X, y = rating
    told, guesses = verdict(tmp_path, "test.svm"), model.predict(X)
    assert told["mae"] == metrics.mean_absolute_error(y, guesses)
    assert told["macro_mae"] == metrics.macro_mae(y, guesses)
    assert told["accuracy"] == metrics.accuracy(y, guesses)
    assert told["kappa"] == metrics.quadratic_weighted_kappa(y, guesses)
    assert told["rows"] == len(y)
    assert told["command"] == "evaluate"
    assert told["seconds"] > 0
    assert told["peak_memory_bytes"] > 1_000_000


def test_the_table_counts_every_pair(rating: Any, tmp_path: Path) -> None:
    model, X, y = rating
    told, guesses = verdict(tmp_path, "test.svm"), model.predict(X)
    assert told["labels"] == [1, 2, 3, 4]
    assert told["confusion"] == [[int(((y == a) & (guesses == b)).sum()) for b in (1, 2, 3, 4)] for a in (1, 2, 3, 4)]


def test_vote_shares_are_scored(tmp_path: Path) -> None:
    X, y = ratings(200)
    model = saved(tmp_path / "m.ranktron", "OAP", X, y, n_members=8)
    svmlight(tmp_path / "test.svm", X, y)
    expected = metrics.ranked_probability_score(y, model.predict_proba(X), classes=[1, 2, 3, 4])
    assert verdict(tmp_path, "test.svm")["rps"] == expected


def test_strings_have_the_order_of_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = ratings(80)
    names = np.array(["bad", "fair", "good", "best"])[y - 1]
    Path("rows.csv").write_text("a,b,c,d,grade\n" + "".join(f"{','.join(map(str, x))},{n}\n" for x, n in zip(X.tolist(), names)))
    run("learn", "rows.csv", "-t", "grade", "--classes", "bad,fair,good,best", "-m", "m.ranktron", "--quiet")
    told = json.loads(run("evaluate", "m.ranktron", "rows.csv").out)
    answers = run("predict", "m.ranktron", "rows.csv").lines
    assert told["labels"] == ["bad", "fair", "good", "best"]
    assert told["mae"] == metrics.mean_absolute_error(names.tolist(), answers, classes=["bad", "fair", "good", "best"])


def test_rows_without_an_answer_are_counted_apart(tmp_path: Path) -> None:
    X, y = ratings(400)
    model = saved(tmp_path / "m.ranktron", "Predtron", X, y, task=Multiclass(reject=0.1))
    svmlight(tmp_path / "test.svm", X, y)
    told, guesses = verdict(tmp_path, "test.svm"), model.predict(X)
    answered = guesses != -1
    assert 0 < told["rejected"] == (~answered).sum()
    assert told["accuracy"] == metrics.accuracy(y[answered], guesses[answered])
    assert "Rows that the model rejected are left out of all figures." in told["choices"]


def test_a_label_never_seen_is_refused_with_its_line(rating: Any, tmp_path: Path) -> None:
    (tmp_path / "test.svm").write_text("1 1:1\n7 1:2\n")
    sentence = fails("evaluate", tmp_path / "m.ranktron", tmp_path / "test.svm")
    assert sentence == f"{tmp_path}/test.svm, line 2: label 7 is not among the labels of the model, [1, 2, 3, 4]"


def test_such_rows_may_be_skipped(rating: Any, tmp_path: Path) -> None:
    lines = (tmp_path / "test.svm").read_text()
    expected = verdict(tmp_path, "test.svm")["confusion"]
    (tmp_path / "test.svm").write_text("7 1:1\n" + lines + "1 1:nan\n")
    told = verdict(tmp_path, "test.svm", "--on-error", "skip", "--quiet")
    assert (told["confusion"], told["skipped"]) == (expected, 2)


# Intervals


def test_the_bootstrap_is_that_of_rows() -> None:
    """The table of labels is drawn anew; the same from drawing rows, of which it is a shortcut."""
    _, y = ratings(400, seed=3)
    told = np.clip(y + np.random.default_rng(1).integers(-1, 2, len(y)), 1, 4)
    tally = RatingTally(Known([1, 2, 3, 4]))
    tally.update(y - 1, y, told, None)
    figures = tally.figures()
    random = np.random.default_rng(5)
    samples = [random.integers(0, len(y), len(y)) for _ in range(1000)]
    functions = {"mae": metrics.mean_absolute_error, "kappa": metrics.quadratic_weighted_kappa, "macro_mae": metrics.macro_mae}
    for name, function in functions.items():
        drawn = [function(y[rows], told[rows], classes=[1, 2, 3, 4]) for rows in samples]
        low, high = np.quantile(drawn, [0.025, 0.975])
        spread = high - low  # ends of 1,000 and 2,000 draws differ by less than a tenth of it
        assert abs(figures[name].low - low) < 0.1 * spread
        assert abs(figures[name].high - high) < 0.1 * spread
        assert figures[name].low < figures[name].value < figures[name].high


class Known:
    """A model that only knows its labels."""

    def __init__(self, labels: list[Any]) -> None:
        self.classes_ = np.array(labels)


def test_one_row_has_no_interval(tmp_path: Path, rating: Any) -> None:
    (tmp_path / "one.svm").write_text("2 1:1\n")
    assert verdict(tmp_path, "one.svm")["intervals"]["mae"] == [None, None]


def test_the_mean_has_its_standard_error() -> None:
    values = np.random.default_rng(0).random(50)
    mean = ExactMean()
    for part in np.array_split(values, 7):
        mean.add(part)
    figure, error = mean.get(), 1.959963984540054 * values.std(ddof=1) / math.sqrt(50)
    assert figure.value == math.fsum(values.tolist()) / 50
    assert figure.low == pytest.approx(figure.value - error, rel=1e-12)
    assert figure.high == pytest.approx(figure.value + error, rel=1e-12)


def test_sums_are_exact_in_any_parts() -> None:
    random = np.random.default_rng(0)
    values = (random.standard_normal(500) * 10.0 ** random.integers(-12, 12, 500)).tolist()
    kept: list[float] = []
    for start in range(0, 500, 13):
        kept = exact_sum([*kept, *values[start : start + 13]])
    assert math.fsum(kept) == math.fsum(values)
    assert len(kept) < 10


# Lists


@pytest.mark.parametrize(("empty", "worth"), [("skip", "skip"), ("0", 0.0), ("1", 1.0)])
def test_figures_of_lists_are_the_librarys(empty: str, worth: Any, ranking: Any, tmp_path: Path) -> None:
    model, X, y, qid = ranking
    told, scores = verdict(tmp_path, "test.letor", "--empty", empty), model.predict(X)
    how = {"qid": qid, "empty": worth}
    for k in (1, 3, 5, 10):
        assert told[f"ndcg@{k}"] == metrics.ndcg(y, scores, k=k, **how)
        assert told[f"precision@{k}"] == metrics.precision_at(y, scores, k, **how)
    assert told["ndcg"] == metrics.ndcg(y, scores, **how)
    assert told["map"] == metrics.average_precision(y, scores, **how)
    assert told["mrr"] == metrics.mrr(y, scores, **how)
    assert told["err"] == metrics.err(y, scores, highest=3, **how)
    assert (told["lists"], told["lists_without_relevant"]) == (40, len({q for q in qid if not y[qid == q].any()}))


def test_blocks_do_not_matter() -> None:
    X, y, qid = lists(60, seed=2)
    scores = X[:, 0] + X[:, 3]
    whole, parts = ListTally("skip", 3.0), ListTally("skip", 3.0)
    whole.update(y, scores, qid)
    for some in np.array_split(np.unique(qid), 9):
        own = np.isin(qid, some)
        parts.update(y[own], scores[own], qid[own].astype(str))
    assert [figure.value for figure in parts.figures().values()] == [figure.value for figure in whole.figures().values()]


def test_a_model_that_rates_is_judged_by_its_order(tmp_path: Path) -> None:
    X, y, qid = lists(30)
    model = saved(tmp_path / "m.ranktron", "PRank", X, y)
    svmlight(tmp_path / "test.letor", X, y, qid)
    told = verdict(tmp_path, "test.letor", "--lists")
    assert told["task"] == "lists"
    assert told["ndcg@10"] == metrics.ndcg(y, model.project(X), qid, k=10, empty="skip")
    assert verdict(tmp_path, "test.letor")["task"] == "ratings"


def test_a_scale_may_be_given(ranking: Any, tmp_path: Path) -> None:
    model, X, y, qid = ranking
    told = verdict(tmp_path, "test.letor", "--highest", "4")
    assert told["err"] == metrics.err(y, model.predict(X), qid, highest=4, empty="skip")
    assert "there is a grade of 3, above --highest 2" in fails(
        "evaluate", tmp_path / "m.ranktron", tmp_path / "test.letor", "--highest", "2"
    )


def test_a_grade_above_the_scale_of_the_first_rows_leaves_err_out() -> None:
    tally = ListTally("skip", None)
    tally.update(np.array([1, 0]), np.array([1.0, 2.0]), np.array([1, 1]))
    tally.update(np.array([3, 0]), np.array([1.0, 2.0]), np.array([2, 2]))
    told = tally.result()
    assert math.isnan(told["err"])
    assert told["ndcg"] == metrics.ndcg([1, 0, 3, 0], [1.0, 2.0, 1.0, 2.0], [1, 1, 2, 2])
    assert "ERR needs the highest grade at the start, and 3 came later; pass --highest 3." in told["choices"]


def test_no_list_that_counts_leaves_nothing_to_tell(ranking: Any, tmp_path: Path) -> None:
    (tmp_path / "none.letor").write_text("0 qid:1 1:1\n0 qid:1 2:1\n")
    told = verdict(tmp_path, "none.letor")
    assert told["ndcg"] is None
    assert told["lists_without_relevant"] == 1


def test_a_bad_grade_is_refused_with_its_line(ranking: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.letor").write_text("1 qid:1 1:1\n-2 qid:1 1:3\n")
    assert "bad.letor, line 2: grade -2" in fails("evaluate", tmp_path / "m.ranktron", tmp_path / "bad.letor")


@pytest.mark.parametrize(
    ("options", "why"),
    [(("--empty", "2"), "--empty should be skip, 0 or 1, not '2'"), (("--highest", "-1"), "--highest should be a grade above 0")],
    ids=["empty", "highest"],
)
def test_bad_options_are_refused(options: tuple[str, str], why: str, ranking: Any, tmp_path: Path) -> None:
    assert why in fails("evaluate", tmp_path / "m.ranktron", tmp_path / "test.letor", *options)


# How it is told


def test_csv_has_a_line_a_measure(rating: Any, tmp_path: Path) -> None:
    lines = list(csv.DictReader(io.StringIO(run("evaluate", tmp_path / "m.ranktron", tmp_path / "test.svm", "--csv").out)))
    told = verdict(tmp_path, "test.svm")
    assert [line["measure"] for line in lines] == ["mae", "macro_mae", "accuracy", "kappa"]
    assert [float(line["value"]) for line in lines] == [told[line["measure"]] for line in lines]
    assert [[float(line["low"]), float(line["high"])] for line in lines] == list(told["intervals"].values())


@pytest.mark.parametrize("width", [80, 120])
def test_a_terminal_gets_tables(width: int, rating: Any, tmp_path: Path) -> None:
    told = in_terminal("evaluate", tmp_path / "m.ranktron", tmp_path / "test.svm", width=width)
    assert told.out == drawn("evaluate", tmp_path / "m.ranktron", tmp_path / "test.svm", width=width).out
    result = verdict(tmp_path, "test.svm")
    assert told.status == 0
    assert f"{result['kappa']:.4f}" in told.out
    assert all(len(line) <= width for line in told.lines)
    below = told.out.partition("Labels")[2].splitlines()  # what is above may wrap anywhere, by the length of the path
    table = [line.split() for line in below if line[:1] in "1234" and line.split()]
    counts = [[0 if cell == "·" else int(cell) for cell in line[1:5]] for line in table]
    assert counts == result["confusion"]


def test_a_table_too_wide_for_the_terminal_is_said(tmp_path: Path) -> None:
    X, _ = ratings(300)
    y = np.digitize(X[:, 0], np.linspace(-2, 2, 24))
    saved(tmp_path / "m.ranktron", "PRank", X, y)
    told = drawn("evaluate", tmp_path / "m.ranktron", svmlight(tmp_path / "test.svm", X, y))
    assert "labels is too wide for this terminal; --json has it." in told.out
    assert all(len(line) <= 80 for line in told.lines)


def test_lists_get_a_table_too(ranking: Any, tmp_path: Path) -> None:
    told = drawn("evaluate", tmp_path / "m.ranktron", tmp_path / "test.letor")
    result = verdict(tmp_path, "test.letor")
    table = told.out.partition("measure")[2].partition("\n\n")[0].splitlines()[1:]
    figures = {line.split()[0]: line.split()[1] for line in table}
    assert figures["NDCG@10"] == f"{result['ndcg@10']:.4f}"
    assert figures["ERR"] == f"{result['err']:.4f}"
    assert len(figures) == len(result["intervals"])
    assert f"{result['lists_without_relevant']} of 40 lists hold no relevant document; they are left out." in told.out
    assert all(len(line) <= 80 for line in told.lines)
