"""Reading LETOR files, compared with scikit-learn, polars and Vowpal Wabbit reading the same numbers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars
import vowpalwabbit
from sklearn.datasets import load_svmlight_file

from ranktron.data import iter_letor, read_letor

from .problems import SEED
from .report import Line, Section, at_least
from .timing import Race

ROUNDS, SIZE, COLUMNS, DIFFERENT = 3, 200e6, 136, 6_000
OURS, DENSE, SKLEARN, POLARS, WABBIT = "`read_letor`", "`read_letor(dense=True)`", "`load_svmlight_file`", "polars", "wabbit"
BYTES, BLOCKS, COMMENTS = "the bytes", "`iter_letor`", "`read_letor(comments=True)`"
KINDS: dict[str, Callable[[float], str]] = {
    "six places, as in the LETOR collections": "{:.6f}".format,
    "the shortest text, as Python writes numbers": repr,
    "16 digits, as scikit-learn writes them": "{:.16g}".format,
}
NOTES = (
    f"Files of {SIZE / 1e6:.0f} MB with {COLUMNS} values a row, three in ten of them 0, in the system's cache. The whole call is "
    "timed. Ranktron and polars use all cores. polars reads the same numbers as CSV, Vowpal Wabbit as its own text, with "
    "`--noop`, which learns nothing; it keeps single precision, in hashed columns. The time that a run waited for a core is "
    "excluded for single threads only; for Ranktron and polars it is included."
)


class Files(NamedTuple):
    """The same rows in every format."""

    letor: Path
    csv: Path
    wabbit: Path


def sections() -> list[Section]:
    """One table per way of writing numbers."""
    found = []
    for kind, write in KINDS.items():
        with tempfile.TemporaryDirectory() as folder:
            race = contest(files(Path(folder), write)).run()
        found.append(Section(f"Reading: {kind}", NOTES, lines(race)))
    return found


def files(folder: Path, write: Callable[[float], str]) -> Files:
    """Files that repeat 6,000 different rows: more text than caches and branch predictors can remember."""
    random = np.random.default_rng(SEED)
    X = random.random((DIFFERENT, COLUMNS)) * (random.random((DIFFERENT, COLUMNS)) < 0.7)
    texts = [[write(value) for value in row] for row in X.tolist()]
    grades, queries = random.integers(0, 5, DIFFERENT).tolist(), np.sort(random.integers(0, 300, DIFFERENT)).tolist()
    features = [" ".join([f"{place}:{text}" for place, text in enumerate(row, 1)]) for row in texts]
    rows = list(zip(grades, queries, features, strict=True))
    written = Files(*(folder / name for name in ("letor.txt", "table.csv", "wabbit.txt")))
    comment = "#docid = GX008-86-4444840 inc = 1 prob = 0.086622"
    repeats = repeat(written.letor, [f"{grade} qid:{query} {text} {comment}\n" for grade, query, text in rows])
    repeat(written.csv, [",".join([str(grade), str(query), *row]) + "\n" for (grade, query, _), row in zip(rows, texts)], repeats)
    repeat(written.wabbit, [f"{grade} | {text}\n" for grade, _, text in rows], repeats)
    return written


def repeat(path: Path, lines: list[str], times: int = 0) -> int:
    """Write the lines ``times`` times, or until the file is large enough; returns how often."""
    text = "".join(lines).encode()
    times = times or round(SIZE / len(text))
    with open(path, "wb") as file:
        for _ in range(times):
            file.write(text)
    return times


def contest(written: Files) -> Race:
    """A race in which all read all rows."""
    race = Race(ROUNDS)
    runs: dict[str, Callable[[], Any]] = {
        OURS: partial(read_letor, written.letor),
        SKLEARN: partial(load_svmlight_file, str(written.letor), query_id=True),
        DENSE: partial(read_letor, written.letor, dense=True),
        COMMENTS: lambda: read_letor(written.letor, comments=True)[:0],
        BLOCKS: lambda: sum(len(y) for _, y, _ in iter_letor(written.letor)),
        POLARS: lambda: polars.read_csv(written.csv, has_header=False).shape,
        WABBIT: lambda: vowpalwabbit.Workspace(f"--quiet --noop -d {written.wabbit}").finish(),
        BYTES: lambda: len(written.letor.read_bytes()),
    }
    for name, run in runs.items():
        race.add(name, lambda run=run: run)
    return race


def lines(race: Race) -> list[Line]:
    """Ranktron's lines of the table."""
    worth = "bit-identical" if identical(race.results[OURS], race.results[SKLEARN]) else "not the same numbers"
    same = "the same" if (race.results[DENSE][0] == race.results[OURS][0].toarray()).all() else "not the same"
    return [
        Line(f"{OURS} against {SKLEARN}: times as fast", race.speed(OURS, SKLEARN), at_least(10, "20"), worth),
        Line(f"{DENSE} against {SKLEARN}: times as fast", race.speed(DENSE, SKLEARN), None, same),
        Line(f"{OURS} against polars' `read_csv`: times as fast", race.speed(OURS, POLARS)),
        Line(f"{OURS} against Vowpal Wabbit: times as fast", race.speed(OURS, WABBIT)),
        Line(f"{OURS} against reading the bytes and nothing else: time", race.cost(OURS, BYTES)),
        Line(f"{COMMENTS} against {OURS}: time", race.cost(COMMENTS, OURS)),
        Line(f"{BLOCKS}, which goes through the file twice, against {OURS}: time", race.cost(BLOCKS, OURS)),
    ]


def identical(ours: Any, theirs: Any) -> bool:
    """Whether all numbers and indices are equal bit for bit."""
    (X, y, qid), (Z, grades, queries) = ours, theirs
    places = (X.indices == Z.indices).all() and (X.indptr == Z.indptr).all() and (qid == queries).all()
    return bool(places and X.shape == Z.shape and X.data.tobytes() == Z.data.tobytes() and y.tobytes() == grades.tobytes())
