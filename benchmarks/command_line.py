"""`ranktron learn` from file to model, compared with Vowpal Wabbit learning the same examples from its own format."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from . import SETTINGS
from .problems import SEED
from .report import Bar, Line, Section, at_least, at_most
from .timing import Ratio, spread

SIZES = (1, 10, 100, 500)
ROUNDS = {1: 40, 10: 20, 100: 16, 500: 10}
STARTS = 15
COLUMNS, DIFFERENT = 136, 6_000
OURS, WABBIT, NUMPY, HELP = "ranktron", "wabbit", "numpy", "help"
WHOLE: dict[int, Bar] = {100: at_least(1), 500: at_least(3)}
NOTES = (
    "`python -m ranktron learn FILE --algorithm prank --model OUT` against `python -m vowpalwabbit --quiet -d FILE -f OUT`, "
    f"which fits a least-squares regression. Each row has {COLUMNS} features with six decimal places, three in ten of them 0, in "
    "LETOR's format and in Vowpal Wabbit's. The files are in the system's cache. Every run is a process of its own, timed from "
    "start to exit, on all cores; the two programs take turns. Ranktron predicts every row before it learns it, and reports "
    "accuracy, kappa and the learner's own loss; Vowpal Wabbit keeps single precision. Time spent waiting for a core is included."
)
STARTING = (
    'Time of the whole process, divided by that of `python -c "import numpy"`. The small file has 300 rows of 20 features. Cold '
    "means with an empty cache of compiled code, so numba compiles once during the run."
)


class Files(NamedTuple):
    """The same rows in both formats."""

    ours: Path
    wabbit: Path


def sections() -> list[Section]:
    """Files of all sizes, then start-up."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [racing(folder), starting(folder)]


def racing(folder: Path) -> Section:
    """From file to model."""
    lines: list[Line] = []
    memory: dict[int, float] = {}
    rows = text_rows()
    for size in SIZES:
        written = files(folder, rows, size)
        seconds = timed({OURS: learning(folder, written.ours), WABBIT: fitting(folder, written.wabbit)}, ROUNDS[size])
        result = learned(folder, [written.ours])
        memory[size] = result["peak_memory_bytes"]
        quality = f"MAE {result['loss']:.3f} while learning, {memory[size] / 1e6:.0f} MB of memory"
        lines.append(Line(f"{size} MB, the whole command: times as fast", ratio(seconds, WABBIT, OURS), WHOLE.get(size), quality))
    fourfold = learned(folder, [written.ours] * 4)["peak_memory_bytes"]
    lines.append(Line("2,000 MB against 500 MB: memory", fourfold / memory[500], at_most(1.1), f"{fourfold / 1e6:.0f} MB"))
    return Section("Command line: file to model against Vowpal Wabbit", NOTES, lines)


def starting(folder: Path) -> Section:
    """What start-up costs."""
    small = folder / "small.txt"
    random = np.random.default_rng(SEED)
    small.write_text("".join(f"{row.sum() > 0:d} {features(row)}\n" for row in random.normal(size=(300, 20))))
    numpy, helping = ([sys.executable, *rest] for rest in (["-c", "import numpy"], ["-m", "ranktron", "--help"]))
    times = timed({NUMPY: numpy, HELP: helping, OURS: learning(folder, small), WABBIT: fitting(folder, small)}, STARTS)
    bars = {HELP: at_most(4), OURS: at_most(15, "5")}
    names = {HELP: "`ranktron --help`", OURS: "a small file to a model", WABBIT: "the same by Vowpal Wabbit"}
    lines = [Line(names[name], ratio(times, name, NUMPY), bars.get(name)) for name in names]
    with tempfile.TemporaryDirectory() as empty:
        cold = seconds_of(learning(folder, files(folder, text_rows(), 10).ours), NUMBA_CACHE_DIR=empty)
    lines.append(Line("a file of 10 MB, cold", cold / float(np.median(times[NUMPY]))))
    return Section("Command line: starting", STARTING, lines)


def timed(commands: dict[str, list[str]], rounds: int) -> dict[str, list[float]]:
    """The seconds of each command in each round; a first round is not counted."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            taken = seconds_of(command)
            times[name] += [taken] if number else []
    return times


def ratio(times: dict[str, list[float]], name: str, reference: str) -> Ratio:
    """The ratio of two commands' times, round by round."""
    return spread([own / other for own, other in zip(times[name], times[reference], strict=True)])


def learning(folder: Path, *paths: Path) -> list[str]:
    """Ranktron's command line."""
    options = ["--algorithm", "prank", "--model", str(folder / "m"), "--json"]
    return [sys.executable, "-m", "ranktron", "learn", *map(str, paths), *options]


def fitting(folder: Path, path: Path) -> list[str]:
    """Vowpal Wabbit's command line."""
    return [sys.executable, "-m", "vowpalwabbit", "--quiet", "-d", str(path), "-f", str(folder / "m.vw")]


def learned(folder: Path, paths: Sequence[Path]) -> dict[str, Any]:
    """The last line of JSON that Ranktron's command prints."""
    printed = subprocess.run(learning(folder, *paths), env=environment(), capture_output=True, text=True, check=True).stdout
    result: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return result


def seconds_of(command: Sequence[str], **settings: str) -> float:
    """The time of a process from start to exit."""
    began = time.perf_counter()
    subprocess.run(command, env=environment() | settings, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def environment() -> dict[str, str]:
    """The environment without the settings of the other sections."""
    return {key: value for key, value in os.environ.items() if key not in (*SETTINGS, "PYTHONDONTWRITEBYTECODE")}


def text_rows() -> list[tuple[int, int, str]]:
    """Grade, query and features of 6,000 different rows."""
    random = np.random.default_rng(SEED)
    X = random.random((DIFFERENT, COLUMNS)) * (random.random((DIFFERENT, COLUMNS)) < 0.7)
    scores = (X - 0.35) @ random.normal(size=COLUMNS) + random.normal(size=DIFFERENT) / 2
    grades = np.digitize(scores, np.quantile(scores, [0.4, 0.65, 0.85, 0.95])).tolist()
    queries = np.sort(random.integers(0, 300, DIFFERENT)).tolist()
    return list(zip(grades, queries, map(features, X), strict=True))


def features(row: np.ndarray) -> str:
    """A row in the notation that both formats share."""
    return " ".join([f"{place}:{value:.6f}" for place, value in enumerate(row.tolist(), 1)])


def files(folder: Path, rows: list[tuple[int, int, str]], size: int) -> Files:
    """Files of ``size`` megabytes that repeat the rows."""
    written = Files(folder / "letor.txt", folder / "wabbit.txt")
    lines = [f"{grade} qid:{query} {text}\n".encode() for grade, query, text in rows]
    theirs = [f"{grade} | {text}\n".encode() for grade, _, text in rows]
    count = round(size * 1e6 / np.mean([len(line) for line in lines]))
    for path, some in zip(written, (lines, theirs), strict=True):
        with open(path, "wb") as file:
            for start in range(0, count, len(some)):
                file.write(b"".join(some[: count - start]))
    return written
