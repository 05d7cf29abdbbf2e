"""`ranktron predict`: what the library says, one a line or beside the rows, whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron import algorithms
from tests.cli.asking import fails, lists, piped, ratings, run, saved, svmlight


@pytest.fixture
def rating(tmp_path: Path) -> tuple[Any, np.ndarray, Path]:
    X, y = ratings()
    model = saved(tmp_path / "m.ranktron", "PRank", X, y)
    return model, X, svmlight(tmp_path / "rows.svm", X, y)


@pytest.fixture
def ranking(tmp_path: Path) -> tuple[Any, np.ndarray, np.ndarray, Path]:
    X, y, qid = lists()
    model = saved(tmp_path / "m.ranktron", "ListNet", X, y, qid)
    return model, X, qid, svmlight(tmp_path / "rows.letor", X, y, qid)


# One a line


def test_labels_are_the_librarys(rating: Any, tmp_path: Path) -> None:
    model, X, data = rating
    assert run("predict", tmp_path / "m.ranktron", data).lines == [str(label) for label in model.predict(X).tolist()]


def test_scores_are_the_librarys_to_the_last_bit(rating: Any, tmp_path: Path) -> None:
    model, X, data = rating
    told = run("predict", tmp_path / "m.ranktron", data, "--scores")
    assert [float(line) for line in told.lines] == model.project(X).tolist()


def test_intervals_are_the_librarys_beside_what_is_predicted_or_asked_for(rating: Any, tmp_path: Path) -> None:
    model, X, data = rating
    low, high = model.predict_interval(X, 0.8)
    told = run("predict", tmp_path / "m.ranktron", data, "--interval", "0.8")
    assert [line.split("\t") for line in told.lines] == np.column_stack([model.predict(X), low, high]).astype(str).tolist()
    scored = run("predict", tmp_path / "m.ranktron", data, "--scores", "--interval", "0.8")
    assert [line.split("\t")[1:] for line in scored.lines] == np.column_stack([low, high]).astype(str).tolist()


def test_intervals_that_cannot_be_told_are_refused(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    assert "coverage=0.2 should be a number from 0.5 to 0.99" in fails(
        "predict", tmp_path / "m.ranktron", data, "--interval", "0.2"
    )


def test_a_ranker_has_no_intervals(ranking: Any, tmp_path: Path) -> None:
    _, _, _, data = ranking
    assert "ListNet has no intervals; models that rate do" in fails("predict", tmp_path / "m.ranktron", data, "--interval", "0.9")


def test_a_ranker_tells_scores(ranking: Any, tmp_path: Path) -> None:
    model, X, _, data = ranking
    told = run("predict", tmp_path / "m.ranktron", data)
    assert [float(line) for line in told.lines] == model.predict(X).tolist()


def test_places_are_those_of_the_order_in_each_list(ranking: Any, tmp_path: Path) -> None:
    model, X, qid, data = ranking
    told = run("predict", tmp_path / "m.ranktron", data, "--rank")
    places = np.array([int(line) for line in told.lines])
    for one in np.unique(qid):
        own = qid == one
        assert (np.argsort(places[own]) == model.rank(X[own])).all()
        assert sorted(places[own]) == list(range(1, own.sum() + 1))


def test_of_equal_rows_the_earlier_stands_first(ranking: Any, tmp_path: Path) -> None:
    _, _, qid, data = ranking
    places = [int(line) for line in run("predict", tmp_path / "m.ranktron", data, "--rank").lines]
    first, second = np.flatnonzero(qid == 12)[:2]  # which are equal
    assert places[second] == places[first] + 1


def test_scores_and_places_have_a_tab_between_them(ranking: Any, tmp_path: Path) -> None:
    _, _, _, data = ranking
    both = run("predict", tmp_path / "m.ranktron", data, "--rank", "--scores").lines
    scores, places = (run("predict", tmp_path / "m.ranktron", data, option).lines for option in ("--scores", "--rank"))
    assert both == [f"{score}\t{place}" for score, place in zip(scores, places)]


def test_a_model_that_rates_tells_places_too(tmp_path: Path) -> None:
    X, y, qid = lists()
    model = saved(tmp_path / "m.ranktron", "PRank", X, y)
    data = svmlight(tmp_path / "rows.letor", X, y, qid)
    places = np.array([int(line) for line in run("predict", tmp_path / "m.ranktron", data, "--rank").lines])
    for one in np.unique(qid):
        own = qid == one
        assert (np.argsort(places[own]) == np.argsort(-model.project(X[own]), kind="stable")).all()


@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        ((0.5, 1.0, 1.5), {"0.5", "1.0", "1.5"}),
        ((1.0, 2.0), {"1", "2"}),
        (("bad", "so so"), {"bad", "so so"}),
        (("a\nb", "c"), {'"a\\nb"', "c"}),
    ],
    ids=["half stars", "whole", "strings", "a line end"],
)
def test_labels_are_told_as_they_are_written(labels: Any, texts: set[str], tmp_path: Path) -> None:
    X, _ = ratings(120)
    y = np.array(labels)[np.digitize(X[:, 0], [-0.5, 0.5][: len(labels) - 1])]
    model = algorithms.PRank(classes=labels).partial_fit(X, y)
    model.save(tmp_path / "m.ranktron")
    told = run("predict", tmp_path / "m.ranktron", svmlight(tmp_path / "rows.svm", X, [0] * len(X)))
    assert len(told.lines) == len(X)
    assert set(told.lines) == texts


def test_no_answer_is_an_empty_line(tmp_path: Path) -> None:
    from ranktron.tasks import Multiclass

    X, y = ratings(400)
    names = np.array(["bad", "fair", "good", "great"])[y - 1]
    model = saved(tmp_path / "m.ranktron", "Predtron", X, names, task=Multiclass(reject=0.1))
    told = run("predict", tmp_path / "m.ranktron", svmlight(tmp_path / "rows.svm", X, y)).lines
    assert told == ["" if label is None else label for label in model.predict(X).tolist()]
    assert "" in told


def test_several_files_follow_one_another(rating: Any, tmp_path: Path) -> None:
    _, X, data = rating
    more = svmlight(tmp_path / "more.svm", X[:5], [1] * 5)
    told = run("predict", tmp_path / "m.ranktron", data, more).lines
    assert told == run("predict", tmp_path / "m.ranktron", data).lines + run("predict", tmp_path / "m.ranktron", more).lines


def test_features_beyond_those_learned_are_left_out(rating: Any, tmp_path: Path) -> None:
    model, X, _ = rating
    wide = svmlight(tmp_path / "wide.svm", np.hstack([X, np.full((len(X), 2), 1e9)]), [1] * len(X))
    assert run("predict", tmp_path / "m.ranktron", wide).lines == [str(label) for label in model.predict(X).tolist()]


def test_svmlight_has_no_room(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    assert "svmlight lines cannot have more columns" in fails("predict", tmp_path / "m.ranktron", data, "--append")


# Files


def test_a_file_gets_what_would_be_printed(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    told = run("predict", tmp_path / "m.ranktron", data, "--output", tmp_path / "out.txt")
    assert told == (0, "", "")
    assert (tmp_path / "out.txt").read_text() == run("predict", tmp_path / "m.ranktron", data).out


def test_a_failure_leaves_the_old_file_and_nothing_else(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    data.write_text(data.read_text() + "this is no line\n")
    (tmp_path / "out.txt").write_text("old")
    before = sorted(path.name for path in tmp_path.iterdir())
    assert "line 61" in fails("predict", tmp_path / "m.ranktron", data, "-o", tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_link_stays_a_link(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    run("predict", tmp_path / "m.ranktron", data, "-o", tmp_path / "link.txt")
    assert (tmp_path / "link.txt").is_symlink()
    assert len((tmp_path / "real.txt").read_text().splitlines()) == 60


@pytest.mark.parametrize(
    ("path", "why"), [("/dev/full", "no space left on device"), ("nowhere/out.txt", "no such file or directory")], ids=str
)
def test_what_cannot_be_written_is_named(path: str, why: str, rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    assert fails("predict", tmp_path / "m.ranktron", data, "-o", path) == f"{path}: {why}"


def test_a_device_is_written_to_and_not_replaced(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    assert run("predict", tmp_path / "m.ranktron", data, "-o", "/dev/null").status == 0
    assert Path("/dev/null").is_char_device()


# Pipes


def test_standard_input_is_read(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    told = piped("predict", tmp_path / "m.ranktron", "-", given=data.read_bytes())
    assert told.out == run("predict", tmp_path / "m.ranktron", data).out


def test_whoever_has_seen_enough_may_leave(tmp_path: Path) -> None:
    X, y = ratings(20_000, d=2)
    saved(tmp_path / "m.ranktron", "PRank", X[:50], y[:50])
    data = svmlight(tmp_path / "rows.svm", X, y)
    after = f"2> {tmp_path / 'err'} | head -n 1; echo ${{PIPESTATUS[0]}}"
    line, status = piped("predict", tmp_path / "m.ranktron", data, "--scores", after=after).lines
    assert float(line) != 0.0
    assert status == "0"
    assert (tmp_path / "err").read_text() == ""


# What is wrong


def test_nan_is_refused_with_its_line(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    data.write_text("1 1:0.5 2:1\n2 1:nan\n")
    assert f"{data}, line 2: feature 1 is NaN" in fails("predict", tmp_path / "m.ranktron", data)


def test_nan_may_stand_for_zero(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    data.write_text("1 1:0.5 2:1\n2 1:nan 2:3\n")
    told = run("predict", tmp_path / "m.ranktron", data, "--missing", "zero", "--scores").lines
    data.write_text("1 1:0.5 2:1\n2 2:3\n")
    assert told == run("predict", tmp_path / "m.ranktron", data, "--scores").lines


def test_bad_lines_are_left_out_on_request_and_counted(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    good = data.read_text().splitlines()
    data.write_text("\n".join([good[0], "1 1:nan 2:2", good[1], "what is this", good[2], "2 2:inf"]) + "\n")
    told = run("predict", tmp_path / "m.ranktron", data, "--on-error", "skip")
    svmlight_again = tmp_path / "good.svm"
    svmlight_again.write_text("\n".join(good[:3]) + "\n")
    assert told.lines == run("predict", tmp_path / "m.ranktron", svmlight_again).lines
    assert told.err.startswith("3 lines were skipped:\n")
    assert all(f"line {line}: " in told.err for line in (2, 4, 6))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"hello", "this is not a ranktron model file"),
        (None, "no such file"),
        (b"cut", "only the beginning of one"),
        (b"hurt", "damaged"),
    ],
    ids=["no model", "no file", "cut", "damaged"],
)
def test_what_is_no_model_is_refused(content: bytes | None, why: str, rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    whole = (tmp_path / "m.ranktron").read_bytes()
    bad = tmp_path / "bad.ranktron"
    if content is not None:
        hurt = whole[:-1] + bytes([whole[-1] ^ 1])
        bad.write_bytes({b"cut": whole[:300], b"hurt": hurt}.get(content, content))
    assert why in fails("predict", bad, data)


def test_a_model_of_a_newer_version_is_refused(rating: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ranktron.models import files

    model, _, data = rating
    monkeypatch.setattr(files, "FORMAT", 99)
    model.save(tmp_path / "new.ranktron")
    monkeypatch.undo()
    assert "in a newer format than this version reads: upgrade ranktron" in fails("predict", tmp_path / "new.ranktron", data)


def test_sets_of_labels_are_for_python(tmp_path: Path) -> None:
    from ranktron.tasks import Multilabel

    X, _ = ratings()
    algorithms.Predtron(Multilabel()).partial_fit(X, X > 0).save(tmp_path / "m.ranktron")
    sentence = fails("predict", tmp_path / "m.ranktron", svmlight(tmp_path / "rows.svm", X, [0] * len(X)))
    assert "does not predict one label per row; use it from Python" in sentence


@pytest.mark.parametrize(("content", "why"), [("", "holds no rows"), ("1 1:x\n", "line 1")], ids=["empty", "no number"])
def test_bad_data_are_refused(content: str, why: str, rating: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.svm"
    bad.write_text(content)
    sentence = fails("predict", tmp_path / "m.ranktron", bad)
    assert why in sentence
    assert str(bad) in sentence


@pytest.mark.parametrize("option", ["--missing", "--on-error"])
def test_a_word_that_is_none_is_refused(option: str, rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    assert fails("predict", tmp_path / "m.ranktron", data, option, "maybe").startswith(f"{option} should be ")


def test_places_need_lists(rating: Any, tmp_path: Path) -> None:
    _, _, data = rating
    assert "qid" in fails("predict", tmp_path / "m.ranktron", data, "--rank")
