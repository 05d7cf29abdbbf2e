"""Runs that end early go on where their checkpoint stands, and end in the very file of the run that nobody disturbed."""

from __future__ import annotations

import contextlib
import json
import os

import numpy as np
import pytest

import ranktron
from ranktron.cli.learn import checkpoint as _checkpoint
from tests.cli.program import lists, ratings, run


class Killed(BaseException):
    """What a test raises in place of a kill."""


@pytest.fixture
def killed_after(monkeypatch):
    """Lets the program end at once after so many checkpoints, unless the run is complete by then."""
    save = _checkpoint.Checkpoint.save

    def arrange(saves):
        left = iter(range(saves - 1, -1, -1))

        def save_or_die(self, run):
            save(self, run)
            if not run.is_over and next(left) == 0:
                raise Killed

        monkeypatch.setattr(_checkpoint.Checkpoint, "save", save_or_die)

    return arrange


def learn(capsys, data, folder, name, *words):
    own = ["-m", folder / f"{name}.model", "--checkpoint", folder / f"{name}.run", "--resume", folder / f"{name}.run"]
    return run(capsys, "learn", *data, *words, *own)


def write_table(path, n):
    X, y = ratings(path, n)
    cities = ["Rome", "Oslo", "Bern", "", "Lima"]
    towns = [cities[(row // 7) % (1 + row // 30) % 5] for row in range(n)]  # new ones come later
    lines = [f"{a},{b},{town},{label}" for (a, b), town, label in zip(X[:, 1:3], towns, y)]
    path.write_text("\n".join(["a,b,city,stars", *lines]) + "\n")


RUNS = {
    "plain": ["--checkpoint-rows", 50],
    "passes": ["--checkpoint-rows", 50, "--epochs", 3],
    "shuffled": ["--checkpoint-rows", 50, "--epochs", 2, "--shuffle", "--seed", 4],
    "oap": ["--checkpoint-rows", 50, "-a", "oap", "--n-members", 5],
    "poisson": ["--checkpoint-rows", 50, "-a", "oap", "--n-members", 4, "--sampling", "poisson", "--combine", "voting"],
    "voted": ["--checkpoint-rows", 50, "-a", "voted"],
    "kernel": ["--checkpoint-rows", 50, "-a", "noprank", "--kernel", "Gaussian(1)"],
    "budget": [
        "--checkpoint-rows",
        50,
        "-a",
        "noprank",
        "--kernel",
        "Gaussian(1)",
        "--budget",
        30,
        "--policy",
        "random",
        "--no-average",
    ],
    "mu": ["--checkpoint-rows", 50, "-a", "muprank", "--radius", 9, "--signed"],
    "lists": ["--checkpoint-rows", 50],
    "lists shuffled": ["--checkpoint-rows", 50, "--epochs", 2, "--shuffle", "-a", "slam"],
    "table": ["--checkpoint-rows", 50, "--target", "stars"],
    "table shuffled": ["--checkpoint-rows", 50, "--target", "stars", "--epochs", 2, "--shuffle"],
    "table hashed": ["--checkpoint-rows", 50, "--target", "stars", "--hash-bits", 6],
}


@pytest.mark.parametrize("name", RUNS)
def test_the_same_file_after_any_end(tmp_path, capsys, killed_after, name):
    write = write_table if "table" in name else lists if "lists" in name else ratings
    data = [tmp_path / f"{one}.{'csv' if 'table' in name else 'svm'}" for one in "ab"]
    for path in data:
        write(path, 60 if name in ("lists", "lists shuffled", "voted") else 180)
    words = [*RUNS[name], "--every", 70]
    whole = learn(capsys, data, tmp_path, "whole", *words)
    answer, ends = None, 0
    while answer is None:
        with contextlib.suppress(Killed):
            ends += 1
            killed_after(1)
            answer = learn(capsys, data, tmp_path, "parts", *words)
    assert ends >= 3
    assert (tmp_path / "parts.model").read_bytes() == (tmp_path / "whole.model").read_bytes()
    timed = {"seconds", "learning_seconds", "rows_per_second", "peak_memory_bytes"}
    told, expected = ({key: one.result[key] for key in one.result.keys() - timed} for one in (answer, whole))
    assert (told, answer.points) == (expected, whole.points)


@pytest.mark.parametrize("words", [[], ["--shuffle"]], ids=["in order", "shuffled"])
@pytest.mark.parametrize(("write", "longest"), [(ratings, 1), (lists, 8)], ids=["rows", "lists"])
def test_saved_at_least_every_so_many_rows(tmp_path, capsys, monkeypatch, write, longest, words):
    write(tmp_path / "a.svm", 330)
    saved = [0]
    save = _checkpoint.Checkpoint.save
    monkeypatch.setattr(_checkpoint.Checkpoint, "save", lambda self, run: (saved.append(run.rows), save(self, run)))
    told = learn(capsys, [tmp_path / "a.svm"], tmp_path, "c", "--checkpoint-rows", 100, *words).result
    assert saved[-1] == told["examples"]
    assert 100 <= np.diff(saved[:-1]).min() <= np.diff(saved).max() < 100 + longest


def test_saved_every_so_many_seconds(tmp_path, capsys, monkeypatch):
    ratings(tmp_path / "a.svm", 100)
    data, saved, clock = [tmp_path / "a.svm", tmp_path / "a.svm", tmp_path / "a.svm"], [], iter(range(0, 1000, 3))
    monkeypatch.setattr(_checkpoint.time, "monotonic", lambda: next(clock))
    save = _checkpoint.Checkpoint.save
    monkeypatch.setattr(_checkpoint.Checkpoint, "save", lambda self, run: (saved.append(run.rows), save(self, run)))
    learn(capsys, data, tmp_path, "c", "--checkpoint-seconds", 3)
    assert saved[:3] == [100, 200, 300]


# What has to be the same

CHANGES = {
    "algorithm": (["-a", "prank"], "with --algorithm noprank, but this command is with --algorithm prank"),
    "parameter": (["--trigger", "margin"], "with --trigger mistake, but this command is with --trigger margin"),
    "average": (["--no-average"], "with --average, but this command is without --average"),
    "kernel": (["--kernel", "Gaussian(2)"], "without --kernel, but this command is with --kernel Gaussian(gamma=2)"),
    "passes": (["--epochs", 2], "with --epochs 1, but this command is with --epochs 2"),
    "order": (["--shuffle"], "without --shuffle, but this command is with --shuffle"),
    "classes": (["--classes", "1,2,3,4,5"], "without --classes, but this command is with --classes 1,2,3,4,5"),
    "reading": (["--missing", "zero"], "with --missing error, but this command is with --missing zero"),
    "points": (["--every", 10], "without --every, but this command is with --every 10"),
    "blocks": (["--checkpoint-rows", 20], "with --checkpoint-rows 100000, but this command is with --checkpoint-rows 20"),
}


@pytest.mark.parametrize(("words", "difference"), CHANGES.values(), ids=CHANGES)
def test_other_settings_are_refused(tmp_path, capsys, words, difference):
    ratings(tmp_path / "a.svm", 60)
    learn(capsys, [tmp_path / "a.svm"], tmp_path, "c", "-a", "noprank")
    before = (tmp_path / "c.model").read_bytes(), (tmp_path / "c.run").read_bytes()
    answer = learn(capsys, [tmp_path / "a.svm"], tmp_path, "c", "-a", "noprank", *words)
    assert (answer.status, answer.out) == (1, "")
    assert f"{tmp_path}/c.run was made {difference}; repeat the command with the same settings" in answer.err
    assert before == ((tmp_path / "c.model").read_bytes(), (tmp_path / "c.run").read_bytes())


def test_other_data_are_refused(tmp_path, capsys):
    data = [tmp_path / "a.svm"]
    ratings(data[0], 60)
    learn(capsys, data, tmp_path, "c")
    assert f"{tmp_path}/c.run was made from 1 files, not 2" in learn(capsys, data * 2, tmp_path, "c").err
    os.utime(data[0], ns=(1, 1))
    assert f"{data[0]} has changed since {tmp_path}/c.run was made from it" in learn(capsys, data, tmp_path, "c").err


def test_threads_may_be_other_ones(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 60)
    learn(capsys, [tmp_path / "a.svm"], tmp_path, "c", "-a", "oap", "--n-members", 3)
    assert learn(capsys, [tmp_path / "a.svm"], tmp_path, "c", "-a", "oap", "--n-members", 3, "--n-jobs", 2).status == 0


def test_a_complete_run_is_told_again(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 60)
    first = learn(capsys, [tmp_path / "a.svm"], tmp_path, "c", "--every", 20)
    assert first.err == f"{tmp_path}/c.run does not exist yet; starting from the beginning\n"
    written = (tmp_path / "c.model").read_bytes()
    (tmp_path / "c.model").unlink()
    again = learn(capsys, [tmp_path / "a.svm"], tmp_path, "c", "--every", 20)
    assert again.err == f"{tmp_path}/c.run holds a complete run; nothing is left to learn\n"
    assert (again.result["loss"], again.points) == (first.result["loss"], first.points)
    assert (tmp_path / "c.model").read_bytes() == written


def test_a_checkpoint_that_is_not_there_is_an_error_elsewhere(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 60)
    answer = run(capsys, "learn", tmp_path / "a.svm", "--resume", tmp_path / "x", "--checkpoint", tmp_path / "y")
    assert answer.status == 1
    assert f"{tmp_path}/x: no such file or directory" in answer.err


# Models that learn more


def test_a_model_learns_more(tmp_path, capsys):
    (X, y), (Z, z) = ratings(tmp_path / "a.svm", 80), ratings(tmp_path / "b.svm", 70, seed=1)
    run(capsys, "learn", tmp_path / "a.svm", "-a", "noprank", "--beta", "2", "-m", tmp_path / "m")
    answer = run(capsys, "learn", tmp_path / "b.svm", "--resume", tmp_path / "m", "-m", tmp_path / "m")
    model = ranktron.NoPRank(beta=2).partial_fit(X, y)
    told = model.predict_then_learn(Z, z)
    assert answer.result["loss"] == pytest.approx(np.abs(told - z).mean())
    assert (answer.result["examples"], answer.result["algorithm"]) == (70, "noprank")
    assert np.array_equal(ranktron.load(tmp_path / "m").coef_, model.coef_)
    assert answer.err == f"{tmp_path}/m has learned 80 examples before these\n"


def test_a_model_of_the_library_learns_more(tmp_path, capsys):
    (X, y), (Z, z) = ratings(tmp_path / "a.svm", 80), ratings(tmp_path / "b.svm", 70, seed=1)
    ranktron.PRank().partial_fit(X, y).save(tmp_path / "m")
    run(capsys, "learn", tmp_path / "b.svm", "--resume", tmp_path / "m", "-m", tmp_path / "n")
    model = ranktron.PRank().partial_fit(X, y).partial_fit(Z, z)
    assert np.array_equal(ranktron.load(tmp_path / "n").coef_, model.coef_)


def test_a_model_that_learns_more_can_be_broken_off_too(tmp_path, capsys, killed_after, monkeypatch):
    ratings(tmp_path / "a.svm", 80)
    ratings(tmp_path / "b.svm", 200, seed=1)
    run(capsys, "learn", tmp_path / "a.svm", "-a", "oap", "--n-members", 4, "-m", tmp_path / "m")
    words = ["--checkpoint", tmp_path / "c", "--checkpoint-rows", 60]
    run(capsys, "learn", tmp_path / "b.svm", "--resume", tmp_path / "m", "-m", tmp_path / "whole", *words)
    killed_after(2)
    with pytest.raises(Killed):
        run(capsys, "learn", tmp_path / "b.svm", "--resume", tmp_path / "m", "-m", tmp_path / "parts", *words)
    monkeypatch.undo()
    answer = run(capsys, "learn", tmp_path / "b.svm", "--resume", tmp_path / "c", "-m", tmp_path / "parts", *words)
    assert "continuing after 120 rows" in answer.err
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-a", "prank"], "holds noprank and cannot continue as prank; leave --algorithm out"),
        (["--beta", "3"], "was made with beta=2; leave out --beta, or start again"),
        (["--classes", "1,2,3,4,5"], "was made with classes=None; leave out --classes"),
    ],
)
def test_a_model_keeps_its_parameters(tmp_path, capsys, words, sentence):
    ratings(tmp_path / "a.svm", 80)
    run(capsys, "learn", tmp_path / "a.svm", "-a", "noprank", "--beta", "2", "-m", tmp_path / "m")
    answer = run(capsys, "learn", tmp_path / "a.svm", "--resume", tmp_path / "m", *words)
    assert (answer.status, answer.out) == (1, "")
    assert sentence in answer.err


def test_what_a_killed_program_left_behind_is_cleared(tmp_path, capsys):
    ratings(tmp_path / "a.svm", 60)
    old, new, other = (tmp_path / name for name in (".c.run." + "0" * 16, ".c.run." + "1" * 16, ".c.run.notes"))
    for path in (old, new, other):
        path.write_text("")
    os.utime(old, (1, 1))
    learn(capsys, [tmp_path / "a.svm"], tmp_path, "c")
    assert (old.exists(), new.exists(), other.exists()) == (False, True, True)


def test_a_checkpoint_is_a_model_file(tmp_path, capsys):
    X, _ = ratings(tmp_path / "a.svm", 60)
    learn(capsys, [tmp_path / "a.svm"], tmp_path, "c")
    assert np.array_equal(ranktron.load(tmp_path / "c.run").predict(X), ranktron.load(tmp_path / "c.model").predict(X))
    size = int.from_bytes((tmp_path / "c.model").read_bytes()[:8], "little")
    header = json.loads(json.loads((tmp_path / "c.model").read_bytes()[8 : 8 + size])["__metadata__"]["ranktron"])
    assert set(header["about"]) == {"data"}
