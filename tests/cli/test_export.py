"""`ranktron export`: the text of `ranktron.export`, in a file or on standard output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from scipy import sparse

import ranktron

from ..waiting import LIMIT
from .asking import fails, lists, ratings, run, saved, svmlight
from .program import environment


@pytest.fixture
def ranking(tmp_path: Path) -> tuple[Any, np.ndarray, Path]:
    X, y, qid = lists()
    return saved(tmp_path / "m.ranktron", "ListNet", X, y, qid), X, svmlight(tmp_path / "rows.letor", X, y, qid)


@pytest.mark.parametrize("target", ["elasticsearch", "opensearch", "solr", "ranklib", "json"])
def test_the_text_is_the_librarys(target: str, ranking: Any, tmp_path: Path) -> None:
    model, _, _ = ranking
    told = run("export", tmp_path / "m.ranktron", "--to", target)
    assert told == (0, ranktron.export(model, target) + "\n", "")


def test_names_are_passed_on(ranking: Any, tmp_path: Path) -> None:
    model, _, _ = ranking
    told = run(
        "export", tmp_path / "m.ranktron", "--to", "solr", "--name", "shop", "--features", "title,body", "--features", "a, b"
    )
    assert told.out == ranktron.export(model, "solr", name="shop", feature_names=["title", "body", "a", "b"]) + "\n"


def test_a_sample_lifts_scores(ranking: Any, tmp_path: Path) -> None:
    model, X, data = ranking
    told = run("export", tmp_path / "m.ranktron", "--to", "elasticsearch", "--sample", data)
    assert told.out == ranktron.export(model, "elasticsearch", sample=X) + "\n"
    assert told.out != run("export", tmp_path / "m.ranktron", "--to", "elasticsearch").out


def test_a_sparse_sample_does_too(ranking: Any, tmp_path: Path) -> None:
    model, _, _ = ranking
    (tmp_path / "sparse.svm").write_text("0 2:1.5\n1 1:3\n0 4:-2 9:7\n")
    rows = sparse.csr_array(np.array([[0, 1.5, 0, 0], [3, 0, 0, 0], [0, 0, 0, -2]]))
    told = run("export", tmp_path / "m.ranktron", "--to", "ranklib", "--sample", tmp_path / "sparse.svm")
    assert told.out == ranktron.export(model, "ranklib", sample=rows) + "\n"


def test_columns_of_a_table_are_in_the_models_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = ratings()
    frame = polars.DataFrame(X, schema=["a", "b", "c", "d"])
    frame.with_columns(y=y).write_csv("rows.csv")
    run("learn", "rows.csv", "-t", "y", "-m", "m.ranktron", "--quiet")
    frame.select("d", "c", "b", "a").write_csv("turned.csv")
    model = ranktron.load("m.ranktron")
    told = run("export", "m.ranktron", "--to", "solr", "--sample", "turned.csv")
    assert told.out == ranktron.export(model, "solr", sample=X) + "\n"
    assert list(json.loads(told.out)["params"]["weights"]) == ["a", "b", "c", "d"]


def test_a_file_is_written(ranking: Any, tmp_path: Path) -> None:
    told = run("export", tmp_path / "m.ranktron", "--to", "json", "-o", tmp_path / "model.json")
    assert told == (0, "", "")
    assert (tmp_path / "model.json").read_text() == run("export", tmp_path / "m.ranktron", "--to", "json").out


def test_scikit_learn_is_not_loaded(ranking: Any, tmp_path: Path) -> None:
    code = f"""
import sys
from ranktron.cli import app
try:
    app(["export", {str(tmp_path / "m.ranktron")!r}, "--to", "json"], prog_name="ranktron")
finally:
    sys.stderr.write(str([name for name in ("sklearn", "numba", "scipy") if name in sys.modules]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), timeout=LIMIT)
    assert done.stderr == b"[]"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--to", "lucene"), "--to should be elasticsearch, opensearch, solr, ranklib or json, not 'lucene'"),
        (("--to", "solr", "--features", "a,b"), "feature_names should be 4 names"),
        (("--to", "solr", "--name", ""), "name='' should be a string that is not empty"),
        (("--to", "solr", "--sample", "nowhere.svm"), "nowhere.svm does not exist"),
    ],
    ids=["target", "features", "name", "sample"],
)
def test_bad_options_are_refused(options: tuple[str, ...], why: str, ranking: Any, tmp_path: Path) -> None:
    assert why in fails("export", tmp_path / "m.ranktron", *options)


def test_a_target_is_needed(ranking: Any, tmp_path: Path) -> None:
    assert run("export", tmp_path / "m.ranktron").status == 2


def test_what_is_not_linear_is_refused(tmp_path: Path) -> None:
    from ranktron.kernels import Polynomial

    X, y = ratings(20)
    saved(tmp_path / "m.ranktron", "PRank", X, y, kernel=Polynomial(2))
    assert "has a kernel, and so is not a weighted sum of features" in fails("export", tmp_path / "m.ranktron", "--to", "json")
