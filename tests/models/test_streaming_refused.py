"""A block that is refused says which row it was and why, and leaves the model as it was, to the last bit of its file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron import algorithms, tasks
from ranktron.core.conformal import SEEN
from ranktron.models.inputs import Table
from ranktron.models.learners.rollback import row_of_largest
from ranktron.models.streaming import BadRow, answer, feed, project

from ..family import PLAIN, make, stream
from .contract import assert_readable, every_variant
from .rankers import family as lists
from .test_streaming import NAMES, Block, block, csr, every_form, every_list_variant, few

every_algorithm = pytest.mark.parametrize("name", [*algorithms.ORDINAL, *algorithms.RANKING])


@contextmanager
def refused(model: Any, folder: Path, row: int | None, *words: str) -> Iterator[None]:
    """An error of one readable line; where a row is to blame it is named, and the reason stands without it too."""
    model.save(folder / "before")
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - its words are looked at below
        yield
    error = caught.value
    assert isinstance(error, BadRow) == (row is not None)
    assert_readable(str(error), *(words if row is None else [f"row {row}"]))
    if isinstance(error, BadRow):
        assert error.row == row
        assert_readable(error.reason, *words)
        assert f"row {row}" not in error.reason
    model.save(folder / "after")
    assert (folder / "after").read_bytes() == (folder / "before").read_bytes()


def trained(name: str, parameters: dict[str, Any], **more: Any) -> Any:
    """A model that knows four columns by name and the labels 1 to 5."""
    model = make(name, library=PLAIN, **parameters, **more)
    feed(model, block(*stream(30, seed=7)))
    return model


def taught(name: str) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray]:
    """A model that knows ten rows in two lists, and these."""
    X, y = stream(10, seed=8)
    qid = np.repeat([0, 1], 5)
    model = getattr(algorithms, name)(**few(name))
    feed(model, block(X, y, qid))
    return model, X, y, qid


def wider(form: str, bad: Any = None, labels: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """Rows with two columns more, and labels of which the third and the ninth are new, so that much is learned before row 7."""
    X, y = stream(12, 6, seed=8)
    y[2], y[9] = 9, 0
    if bad is not None:
        X[7, 5] = bad
    return X, y if labels is None else labels(y)


@every_form
@every_variant
def test_numbers_that_are_none(name: str, parameters: dict[str, Any], form: str, tmp_path: Path) -> None:
    model = trained(name, parameters)
    for bad, words in ((np.nan, ("feature 'f05' is NaN", 'missing="zero"')), (np.inf, ("feature 'f05' is infinity",))):
        for more in ({}, {"labels": lambda y: np.clip(y, 1, 5)}):  # with new labels on the way, and without
            with refused(model, tmp_path, 7, *words):
                feed(model, block(*wider(form, bad, **more), form=form))
        with refused(model, tmp_path, 7, "is NaN" if np.isnan(bad) else "is infinity"):
            answer(model, block(wider(form, bad)[0][:, [0, 1, 2, 5]].copy(), form=form))


def test_columns_without_names_are_numbered_from_one(tmp_path: Path) -> None:
    model = make("PRank", library=algorithms)
    feed(model, block(*stream(30), names=None))
    with refused(model, tmp_path, 7, "feature 6 is NaN"):
        feed(model, block(*wider("dense", np.nan), names=None))


@every_form
@pytest.mark.parametrize("name", ["PRank", "MulticlassPerceptron", "OAP", "Voted"])
def test_rows_that_overflow(name: str, form: str, tmp_path: Path) -> None:
    model = trained(name, {})
    X, y = wider(form)
    X[7] = 1.7e308
    with refused(model, tmp_path, 7, "overflows"):
        feed(model, block(X, y, form=form))


def test_the_row_to_blame_for_an_overflow_is_one_of_the_part() -> None:
    X = np.ones((20, 3))
    X[4, 1], X[12, 2], X[15, 0] = 1e10, -1e20, 1e30
    for rows in (X, csr(X)):
        table = Table(rows, 20, 3, None)
        assert [row_of_largest(table.part(*part).rows) for part in ((0, 10), (10, 14), (3, 5), (10, 20))] == [4, 2, 1, 5]


LABELS: dict[str, tuple[Any, str]] = {
    "a fraction": (lambda y: np.where(np.arange(12) == 7, 2.5, y), "label 2.5 is not a whole number"),
    "huge": (lambda y: np.where(np.arange(12) == 7, 1e300, y), "label 1e+300"),
    "missing": (lambda y: np.where(np.arange(12) == 7, np.nan, y), "label"),
    "infinite": (lambda y: np.where(np.arange(12) == 7, -np.inf, y), "label"),
    "text among numbers": (lambda y: np.array([*y[:7].tolist(), "good", *y[8:].tolist()], object), "label 'good'"),
    "nothing": (lambda y: np.array([*y[:7].tolist(), None, *y[8:].tolist()], object), "label None"),
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("name", algorithms.ORDINAL)
def test_labels_that_are_no_grades(name: str, kind: str, tmp_path: Path) -> None:
    labels, words = LABELS[kind]
    model = trained(name, {})
    with refused(model, tmp_path, 7, words):
        feed(model, block(*wider("dense", labels=labels)))
    nothing = make(name, library=algorithms)
    with pytest.raises(BadRow):
        feed(nothing, block(*wider("dense", labels=labels)))
    assert nothing._learner is None


@pytest.mark.parametrize("name", algorithms.ORDINAL)
def test_texts_have_no_place_among_numbers(name: str, tmp_path: Path) -> None:
    model = trained(name, {})
    with refused(model, tmp_path, 0, "label 'x'", "[1, 2, 3, 4, 5]"):
        feed(model, block(stream(12)[0], np.array(["x"] * 12, object)))


@pytest.mark.parametrize("name", algorithms.ORDINAL)
def test_classes_that_were_given_are_all_there_are(name: str, tmp_path: Path) -> None:
    model = trained(name, {}, classes=range(1, 6))
    with refused(model, tmp_path, 2, "label 9 is not among classes [1, 2, 3, 4, 5]"):
        feed(model, block(*wider("dense")))
    nothing = make(name, library=PLAIN, classes=["low", "high"])
    with pytest.raises(BadRow, match="label 'mid' is not among classes") as caught:
        feed(nothing, block(stream(3)[0], np.array(["low", "high", "mid"], object)))
    assert (caught.value.row, nothing._learner) == (2, None)


@every_list_variant
def test_grades_that_are_none(name: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    model = lists.plain_class(name)(**parameters)
    X, y, qid = lists.stream(6, seed=7)
    feed(model, block(X, y, qid))
    wide, y, qid = lists.stream(6, 6, seed=8)
    for bad, words in ((-1, "grade -1"), (np.nan, "grade nan"), (1001, "grade 1001"), (np.inf, "grade inf")):
        grades = np.where(np.arange(len(y)) == 7, bad, y)
        with refused(model, tmp_path, 7, words, "0 to 1000"):
            feed(model, block(wide, grades, qid))
    with refused(model, tmp_path, 7, "grade 'x'"):
        feed(model, block(wide, np.array([*y[:7].tolist(), "x", *y[8:].tolist()], object), qid))
    wide[7, 5] = np.nan
    for form in ("dense", "sparse"):
        with refused(model, tmp_path, 7, "feature 'f05' is NaN"):
            feed(model, block(wide, y, qid, form))


@every_algorithm
def test_columns_that_are_not_those_learned_from(name: str, tmp_path: Path) -> None:
    model, X, y, qid = taught(name)
    others = ([NAMES[1], NAMES[0], *NAMES[2:]], ["a", "b", "c", "d"], [*NAMES[:3], "f04", "f03"])
    for names in others:
        for ask in (feed, answer, project):
            with refused(model, tmp_path, None, "columns", "order"):
                ask(model, block(X, y, qid, names=names))
    with refused(model, tmp_path, None, "with names", "have none"):
        feed(model, block(X, y, qid, names=None))
    plain = getattr(algorithms, name)(**few(name))
    feed(plain, block(X, y, qid, names=None))
    with refused(plain, tmp_path, None, "no names", "have some"):
        feed(plain, block(X, y, qid))


@every_algorithm
def test_hashed_columns_are_as_many_as_there_are(name: str, tmp_path: Path) -> None:
    X, y = stream(10, 8, seed=8)
    qid = np.repeat([0, 1], 5)
    model = getattr(algorithms, name)(hash_bits=3, **few(name))
    feed(model, block(X, y, qid, names=None))
    for columns in (stream(10, 9)[0], stream(10, 4)[0]):
        with refused(model, tmp_path, None, "8 columns", f"has {columns.shape[1]}"):
            feed(model, block(columns, y, qid, names=None))


def test_rows_that_are_known_teach_no_intervals_and_those_after_them_do(tmp_path: Path) -> None:
    X, y = stream(30, seed=7)
    once, model = trained("PRank", {}), trained("PRank", {})
    feed(model, block(X, y), known=True)
    assert model._learned.tallies["intervals"][SEEN] == 30
    with refused(model, tmp_path, 3, "is NaN"):
        feed(model, block(np.where(np.arange(30)[:, None] == 3, np.nan, X), y), known=True)
    for one in (once, model):
        feed(one, block(X, y))
        assert one._learned.tallies["intervals"][SEEN] == 60


@every_algorithm
def test_blocks_without_rows_change_nothing(name: str, tmp_path: Path) -> None:
    model, X, y, qid = taught(name)
    nothing = getattr(algorithms, name)(**few(name))
    model.save(tmp_path / "before")
    for form in ("dense", "sparse"):
        assert len(feed(model, block(stream(10, 6)[0][:0], y[:0], qid[:0], form))) == 0
        assert len(answer(model, block(X[:0], form=form))) == 0
        assert len(feed(nothing, block(X[:0], y[:0], qid[:0], form))) == 0
    model.save(tmp_path / "after")
    assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()
    assert nothing._learner is None


@every_algorithm
def test_what_else_cannot_be_learned(name: str, tmp_path: Path) -> None:
    model, X, y, qid = taught(name)
    with refused(model, tmp_path, None, "there is no"):
        feed(model, block(X, None, qid))
    with refused(model, tmp_path, None, "inconsistent numbers of samples: [10, 9]"):
        feed(model, block(X, y[:9], qid))
    with refused(model, tmp_path, None, "snapshot"):
        feed(model.snapshot(), block(X, y, qid))
    model.epochs = 0
    with pytest.raises(ValueError, match="epochs=0"):
        feed(model, block(X, y, qid))


def test_a_task_whose_targets_are_no_labels_is_refused() -> None:
    model = algorithms.Predtron(tasks.Multilabel())
    with pytest.raises(ValueError, match="a stream of rows with one label each has no targets for"):
        feed(model, Block(stream(5)[0], 4, None, stream(5)[1]))
    assert model._learner is None
