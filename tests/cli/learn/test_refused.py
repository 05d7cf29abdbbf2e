"""What `ranktron learn` refuses, each in one sentence, before anything is written."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ranktron
from tests.cli.program import lists, process, ratings, run


def one_sentence(answer, status=1):
    """The sentence, of an answer that has nothing else."""
    assert (answer.status, answer.out) == (status, "")
    [line] = answer.err.splitlines()
    assert line.startswith("ranktron: ")
    return line.removeprefix("ranktron: ")


CASES = {
    "no such algorithm": (["-a", "oapp"], "there is no algorithm 'oapp'; did you mean oap?"),
    "a parameter of another algorithm": (
        ["--tau", "0.2"],
        "Rater has no --tau; it has --average, --scale, --forget; oap has --tau",
    ),
    "a kernel where there is no place for one": (
        ["--kernel", "Gaussian(1)"],
        "Rater has no --kernel; it has --average, --scale, --forget; prank, noprank, siprank, widrowhoff have --kernel",
    ),
    "a value that may not be": (["-a", "oap", "--tau", "2"], "OAP: tau=2 should be a number above 0 and not above 1"),
    "a call that is none": (
        ["-a", "noprank", "--kernel", "Gauss(1)"],
        "--kernel 'Gauss(1)' is not valid; write a call such as 'Gaussian(0.5)'",
    ),
    "a call with a bad value": (
        ["-a", "noprank", "--kernel", "Gaussian(-1)"],
        "--kernel 'Gaussian(-1)': Gaussian: gamma=-1 should be a positive",
    ),
    "a call with another parameter": (
        ["-a", "noprank", "--kernel", "Gaussian(width=1)"],
        "Gaussian has no parameter width; it has gamma",
    ),
    "a call of something else": (["-a", "noprank", "--kernel", "eval('1')"], "is not valid"),
    "two formats": (["--json", "--csv"], "use --json or --csv, not both"),
    "a curve without points": (["--curve", "{folder}/c"], "--curve needs --every N"),
    "no such folder": (["-m", "{folder}/no/m"], "--model {folder}/no/m: no such folder {folder}/no"),
    "a folder for a file": (["--checkpoint", "{folder}"], "--checkpoint {folder}: not a regular file"),
    "a device": (["-m", "/dev/null"], "--model /dev/null: not a regular file"),
    "the data": (["-m", "{folder}/a.svm"], "--model {folder}/a.svm is also DATA; use another file"),
    "one file for two things": (["-m", "{folder}/m", "--checkpoint", "{folder}/m"], "--checkpoint {folder}/m is also --model"),
    "no test file": (["--test", "{folder}/b.svm"], "--test {folder}/b.svm: no such file"),
    "no model to go on with": (["--resume", "{folder}/m"], "{folder}/m: no such file or directory"),
    "what is no model": (["--resume", "{folder}/a.svm"], "{folder}/a.svm: this is not a ranktron model file"),
    "lists without queries": (["-a", "slam"], "there is no qid"),
    "labels beside the classes": (["--classes", "1,2,3"], "is not among classes [1, 2, 3]"),
    "a class twice": (["--classes", "1,2,1"], "name a label twice"),
    "what is neither stop nor skip": (["--on-error", "go"], "--on-error should be stop or skip, not 'go'"),
    "a kernel that adapts": (["-a", "minimaxrank", "--step", "1"], "MinimaxRank has no --step"),
}


@pytest.mark.parametrize(("words", "sentence"), CASES.values(), ids=CASES)
def test_refused(tmp_path, capsys, words, sentence):
    ratings(tmp_path / "a.svm", 60)
    words, sentence = [word.format(folder=tmp_path) for word in words], sentence.format(folder=tmp_path)
    assert sentence in one_sentence(run(capsys, "learn", tmp_path / "a.svm", *words))
    assert [path.name for path in tmp_path.iterdir()] == ["a.svm"]


def test_the_data_are_not_written_over_by_another_name(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 60)
    (tmp_path / "link").symlink_to(tmp_path / "a.svm")
    sentence = one_sentence(run(capsys, "learn", tmp_path / "link", "-m", tmp_path / "a.svm"))
    assert sentence == f"--model {tmp_path}/a.svm is also DATA; use another file"


def test_usage_errors_end_with_2(tmp_path, capsys):
    for words in (["--epochs", "0"], ["--epochs", "many"], ["--no-such-option"], ["--hash-bits", "31"]):
        answer = run(capsys, "learn", tmp_path / "a.svm", *words)
        assert answer.status == 2
        assert "Error: " in answer.err


def test_no_file_and_no_rows(tmp_path, capsys):
    assert one_sentence(run(capsys, "learn", tmp_path / "a.svm")) == f"{tmp_path}/a.svm does not exist; check the path"
    (tmp_path / "b.svm").write_text("# nothing\n")
    assert one_sentence(run(capsys, "learn", tmp_path / "b.svm", "-m", tmp_path / "m")) == f"{tmp_path}/b.svm holds no rows"
    assert not (tmp_path / "m").exists()


def test_a_pipe_is_read_once_only():
    answer = process("learn", "-", "--epochs", 2, input="1 1:2\n2 1:3\n")
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == "ranktron: a pipe can be read only once; --epochs 2 needs files\n"


# Rows that cannot be learned


def spoilt(path, rows, value="nan"):
    """Give the first feature of some rows another value."""
    lines = path.read_text().splitlines()
    for row in rows:
        head, tail = lines[row].split(" 1:")
        lines[row] = f"{head} 1:{value} {tail.partition(' ')[2]}"
    path.write_text("\n".join(lines) + "\n")


def test_a_bad_row_stops_with_its_line(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 60)
    spoilt(tmp_path / "a.svm", [41])
    sentence = one_sentence(run(capsys, "learn", tmp_path / "a.svm", "-m", tmp_path / "m"))
    assert sentence.startswith(f"{tmp_path}/a.svm, line 42: ")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("rows", [[0], [59], [10, 11, 12], list(range(0, 60, 2))], ids=["first", "last", "adjacent", "many"])
def test_bad_rows_are_skipped_and_counted(tmp_path, capsys, rows):
    X, y = ratings(tmp_path / "a.svm", 60)
    spoilt(tmp_path / "a.svm", rows, "inf")
    answer = run(capsys, "learn", tmp_path / "a.svm", "--on-error", "skip", "--classes", "1,2,3,4,5", "-m", tmp_path / "m")
    kept = np.setdiff1d(np.arange(60), rows)
    model = ranktron.Rater(classes=[1, 2, 3, 4, 5]).partial_fit(X[kept], y[kept])
    assert np.array_equal(ranktron.load(tmp_path / "m").coef_, model.coef_)
    told = answer.result
    assert (told["examples"], told["bad_lines"]) == (len(kept), len(rows))
    assert [line.partition(": ")[0] for line in told["first_bad_lines"]] == [
        f"{tmp_path}/a.svm, line {row + 1}" for row in rows[:10]
    ]
    assert answer.err.splitlines()[0] == f"{len(rows)} {'line was' if len(rows) == 1 else 'lines were'} skipped:"
    assert len(answer.err.splitlines()) == 1 + min(len(rows), 10)


def test_a_bad_row_of_a_list_leaves_the_rest_of_its_list(tmp_path, capsys):
    X, y, qid = lists(tmp_path / "a.svm", 30)
    bad = [row for row in (7, 8, 60) if (qid == qid[row]).sum() > 2]
    assert len(bad) == 3
    assert qid[7] == qid[8]
    spoilt(tmp_path / "a.svm", bad, "inf")
    told = run(capsys, "learn", tmp_path / "a.svm", "--on-error", "skip", "-m", tmp_path / "m").result
    kept = np.setdiff1d(np.arange(len(y)), bad)
    model = ranktron.Ranker().partial_fit(X[kept], y[kept], qid=qid[kept])
    assert np.array_equal(ranktron.load(tmp_path / "m").coef_, model.coef_)
    assert (told["examples"], told["lists"], told["bad_lines"]) == (len(kept), 30, 3)


def test_malformed_lines_are_skipped_and_counted_once_whatever_the_passes(tmp_path, capsys):
    X, y = ratings(tmp_path / "a.svm", 50)
    lines = (tmp_path / "a.svm").read_text().splitlines()
    whole = [*itertools.chain.from_iterable(zip(lines[:12], ["1 oops"] * 12)), *lines[12:]]
    (tmp_path / "a.svm").write_text("\n".join(whole) + "\n")
    answer = run(capsys, "learn", tmp_path / "a.svm", "--on-error", "skip", "--epochs", 2)
    told = answer.result
    assert (told["examples"], told["bad_lines"], len(told["first_bad_lines"])) == (50, 12, 10)
    assert told["loss"] == pytest.approx(np.abs(ranktron.Rater().predict_then_learn(X, y) - y).mean())


def test_missing_values_may_be_zero(tmp_path, capsys):
    X, y = ratings(tmp_path / "a.svm", 50)
    spoilt(tmp_path / "a.svm", [3, 20])
    X[[3, 20], 0] = 0.0
    told = run(capsys, "learn", tmp_path / "a.svm", "--missing", "zero").result
    assert told["loss"] == pytest.approx(np.abs(ranktron.Rater().predict_then_learn(X, y) - y).mean())


def test_bad_rows_of_a_test_file(tmp_path, capsys):
    (X, y), (Z, z) = ratings(tmp_path / "a.svm", 80), ratings(tmp_path / "b.svm", 40, seed=1)
    spoilt(tmp_path / "b.svm", [5, 9])
    words = ["learn", tmp_path / "a.svm", "--test", tmp_path / "b.svm"]
    assert f"{tmp_path}/b.svm, line 6: " in one_sentence(run(capsys, *words))
    told = run(capsys, *words, "--on-error", "skip").result["test"][str(tmp_path / "b.svm")]
    kept = np.setdiff1d(np.arange(40), [5, 9])
    assert told["loss"] == pytest.approx(np.abs(ranktron.Rater().partial_fit(X, y).predict(Z[kept]) - z[kept]).mean())
