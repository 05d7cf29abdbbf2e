"""Blocks with hashed columns, what models answer for blocks, and what they keep about a stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ranktron import algorithms
from ranktron.models.features import _hashed
from ranktron.models.loading import load
from ranktron.models.streaming import answer, feed, project

from ..family import stream
from .test_streaming import NAMES, block, every_form, few, growing, portrait, rows_or_sparse


@pytest.mark.parametrize("name", [*algorithms.ORDINAL, *algorithms.RANKING])
def test_hashed_blocks_are_mappings_whose_names_are_hashed(name: str) -> None:
    bits, columns = 4, [3, 7, 8, 12]
    names = [next(text for text in map(str, range(999)) if _hashed(text, bits) == column) for column in columns]
    X, y = stream(30, 4, seed=5)
    wide = np.zeros((30, 1 << bits))
    wide[:, columns] = X
    fed, single = ((getattr(algorithms, name)(hash_bits=bits, **few(name))) for _ in range(2))
    examples = [dict(zip(names, x.tolist())) for x in X]
    qid = np.repeat(np.arange(6), 5)
    for part in (slice(0, 10), slice(10, 30)):
        feed(fed, block(wide[part], y[part], qid[part], "sparse", None))
    if name in algorithms.RANKING:
        for q in range(6):
            single.learn_list(examples[5 * q : 5 * q + 5], y[5 * q : 5 * q + 5])
        fed.learn_list(examples[:5], y[:5])
        single.learn_list(examples[:5], y[:5])
    else:
        single.classes = sorted(set(y[:10].tolist()))
        for x, label in zip([*examples, examples[0]], [*y.tolist(), int(y[0])]):
            single.learn_one(x, label)
            single._learner.labels.closed = False
        fed.learn_one(examples[0], int(y[0]))
    assert portrait(fed) == portrait(single)


@every_form
@pytest.mark.parametrize("names", [NAMES, None], ids=["named", "unnamed"])
@pytest.mark.parametrize("name", [*algorithms.ORDINAL, *algorithms.RANKING])
def test_answers_leave_out_what_is_not_known_and_take_what_is_missing_for_zero(name: str, names: Any, form: str) -> None:
    X, y = stream(30, 6, seed=6)
    qid = np.repeat(np.arange(6), 5)
    model = getattr(algorithms, name)(**few(name))
    feed(model, block(X[:, :4].copy(), y, qid, names=names))
    short = np.where(np.arange(4) < 2, X[:, :4], 0.0)
    expected = [model.predict(part if form == "dense" else rows_or_sparse(part, form)) for part in (X[:, :4], short)]
    before = portrait(model)
    for part, told in zip((X, X[:, :2]), expected):
        asked = block(np.ascontiguousarray(part), form=form, names=names)
        assert answer(model, asked).tolist() == told.tolist()
        if name in algorithms.RANKING:
            assert project(model, asked).tolist() == told.tolist()
        elif hasattr(model, "project"):
            known = X[:, :4] if part is X else short
            assert (
                project(model, asked).tolist()
                == model.project(known if form == "dense" else rows_or_sparse(known, form)).tolist()
            )
    assert portrait(model) == before


def test_what_has_no_projection_says_so() -> None:
    model = algorithms.Predtron()
    feed(model, block(*stream(20)))
    with pytest.raises(ValueError, match="Predtron has no projection"):
        project(model, block(stream(3)[0]))


@pytest.mark.parametrize("name", ["PRank", "OAP", "ListNet", "Predtron"])
def test_what_a_model_is_told_about_its_data_is_kept_with_it(name: str, tmp_path: Path) -> None:
    about = {
        "data": {"format": "csv", "drop": ["id"], "header": True, "n": 3, "share": 0.1, "nothing": None},
        "run": {"epoch": 2},
    }
    blocks = [block(X, y, np.zeros(len(y), int)) for X, y in growing("dense")]
    model = getattr(algorithms, name)(**few(name))
    plain = tmp_path / "plain"
    for one in blocks[:3]:
        feed(model, one)
    model.save(plain)
    model._metadata = about
    model.save(tmp_path / "told")
    loaded, other = (load(tmp_path / file, vars(algorithms)) for file in ("told", "plain"))
    assert (loaded._metadata, other._metadata, type(model)()._metadata) == (about, {}, {})
    assert loaded.snapshot()._metadata == about
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "told").read_bytes()
    assert [feed(one, blocks[3]).tolist() for one in (loaded, other)] == [feed(model, blocks[3]).tolist()] * 2
    assert portrait(loaded) == portrait(other) == portrait(model)


@pytest.mark.parametrize("name", [*algorithms.ORDINAL, *algorithms.RANKING])
def test_names_that_were_not_hashed_are_all_there_are(name: str) -> None:
    """As for a data frame: with ``hash_bits`` memory is bounded, whatever names come."""
    X, y = stream(10)
    model = getattr(algorithms, name)(hash_bits=3, **few(name))
    feed(model, block(X, y, np.repeat([0, 1], 5)))
    before = portrait(model)
    with pytest.raises(ValueError, match="feature 'new' has no column: with hash_bits"):
        model.learn_list([{"new": 1.0}], [1]) if name in algorithms.RANKING else model.learn_one({"new": 1.0}, 1)
    assert portrait(model) == before
