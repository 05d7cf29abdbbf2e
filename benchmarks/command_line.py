"""The command line from file to model, beside Vowpal Wabbit's, which learns the same examples from its own format."""

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
ROUNDS = {1: 1000, 10: 200, 100: 16, 500: 10}
RESAMPLED = 2_000
STARTS = 15
COLUMNS, DIFFERENT = 136, 6_000
OURS, WABBIT, NUMPY, HELP = "ranktron", "wabbit", "numpy", "help"
WHOLE: dict[int, Bar] = {100: at_least(1), 500: at_least(3)}
NOTES = (
    "`python -m ranktron learn FILE --algorithm prank --model OUT` against `python -m vowpalwabbit --quiet -d FILE -f OUT`, "
    f"which fits a least-squares regression: {COLUMNS} features a row, six places, three values in ten 0, in LETOR's format "
    "and in Vowpal Wabbit's, in the system's cache. A process each, from start to exit, on all cores, in turns. Ranktron "
    "predicts every row before it learns it, and tells accuracy, kappa and the learner's own loss; Vowpal Wabbit keeps single "
    "precision. Start-up is the same command on a file of one row, with the compiled code loaded; it is run just before each "
    "run, in every other round just after it, and taken off it. (Of two equal runs of one program after runs of the other, the "
    "second takes longer if it is Ranktron's, and less long if it is Vowpal Wabbit's: two rounds that follow each other are "
    "averaged, and that is gone.) What is left in the median gives the rows a second; what resampled rounds give in 95 of 100 "
    "cases is in brackets. Standing in line for a core is counted."
)
STARTING = (
    'The whole process, in times of `python -c "import numpy"`. The small file has 300 rows of 20 features. Cold means that '
    "nothing was ever compiled on the machine, so that numba compiles in the middle of the run, once."
)


class Files(NamedTuple):
    """The same rows for both."""

    ours: Path
    wabbit: Path


def sections() -> list[Section]:
    """Files of all sizes, then starting."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [racing(folder), starting(folder)]


def racing(folder: Path) -> Section:
    """File to model."""
    lines: list[Line] = []
    memory: dict[int, float] = {}
    rows = text_rows()
    (folder / "one").mkdir()
    one = files(folder / "one", rows, 0)
    for size in SIZES:
        written = files(folder, rows, size)
        seconds, nothing = runs(folder, written, one, ROUNDS[size])
        result = learned(folder, [written.ours])
        memory[size] = result["peak_memory_bytes"]
        quality = f"MAE {result['loss']:.3f} on the way, {memory[size] / 1e6:.0f} MB of memory"
        whole = spread([wabbit / own for own, wabbit in zip(seconds[OURS], seconds[WABBIT], strict=True)])
        lines.append(Line(f"{size} MB, the whole command: times as fast", whole, WHOLE.get(size), quality))
        lines.append(Line(f"{size} MB, rows a second after start-up: times as many", *after(seconds, nothing)))
    fourfold = learned(folder, [written.ours] * 4)["peak_memory_bytes"]
    lines.append(Line("2,000 MB against 500 MB: memory", fourfold / memory[500], at_most(1.1), f"{fourfold / 1e6:.0f} MB"))
    return Section("Command line: file to model against Vowpal Wabbit", NOTES, lines)


def after(seconds: dict[str, list[float]], nothing: dict[str, list[float]]) -> tuple[float, Bar, str]:
    """How many times as many rows a second, what start-up takes taken off, in rounds of both orders."""
    rounds = np.array([np.subtract(seconds[name], nothing[name]) for name in (OURS, WABBIT)]).reshape(2, -1, 2).mean(axis=2)
    own, wabbit = np.median(rounds, axis=1).tolist()
    chosen = np.random.default_rng(SEED).integers(rounds.shape[1], size=(RESAMPLED, rounds.shape[1]))
    shares = np.divide(*np.median(rounds[:, chosen], axis=2))
    low, high = np.percentile(shares, (2.5, 97.5)).tolist()
    return wabbit / own, at_least(3), f"{own / wabbit:.0%} of its time ({low:.0%} to {high:.0%})"


def starting(folder: Path) -> Section:
    """What it takes to begin."""
    small = folder / "small.txt"
    random = np.random.default_rng(SEED)
    small.write_text("".join(f"{row.sum() > 0:d} {features(row)}\n" for row in random.normal(size=(300, 20))))
    numpy, helping = ([sys.executable, *rest] for rest in (["-c", "import numpy"], ["-m", "ranktron", "--help"]))
    commands: dict[str, list[str]] = {NUMPY: numpy, HELP: helping, OURS: learning(folder, small), WABBIT: fitting(folder, small)}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(STARTS + 1):
        for name, command in commands.items():
            taken = seconds_of(command)
            times[name] += [taken] if number else []
    bars = {HELP: at_most(4), OURS: at_most(15, "5")}
    names = {HELP: "`ranktron --help`", OURS: "a small file to a model", WABBIT: "the same by Vowpal Wabbit"}
    lines = [Line(names[name], ratio(times, name, NUMPY), bars.get(name)) for name in names]
    with tempfile.TemporaryDirectory() as empty:
        cold = seconds_of(learning(folder, files(folder, text_rows(), 10).ours), NUMBA_CACHE_DIR=empty)
    lines.append(Line("a file of 10 MB, cold", cold / float(np.median(times[NUMPY]))))
    return Section("Command line: starting", STARTING, lines)


def ratio(times: dict[str, list[float]], name: str, reference: str) -> Ratio:
    """Round by round."""
    return spread([own / other for own, other in zip(times[name], times[reference], strict=True)])


def runs(folder: Path, written: Files, one: Files, rounds: int) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """The seconds of both, and on a file of one row, in turns and in both orders, after two rounds that do not count."""
    times: dict[str, list[float]] = {OURS: [], WABBIT: []}
    starts: dict[str, list[float]] = {OURS: [], WABBIT: []}
    turns: list[tuple[dict[str, list[float]], Files, dict[str, str]]]
    turns = [(starts, one, {"RANKTRON_PATIENCE": "0"}), (times, written, {})]
    for number in range(rounds + 2):
        for name in (OURS, WABBIT):
            for seconds, paths, settings in turns:
                command = learning(folder, paths.ours) if name == OURS else fitting(folder, paths.wabbit)
                taken = seconds_of(command, **settings)
                seconds[name] += [taken] if number > 1 else []
        turns.reverse()
    return times, starts


def learning(folder: Path, *paths: Path) -> list[str]:
    """Our command."""
    options = ["--algorithm", "prank", "--model", str(folder / "m"), "--json"]
    return [sys.executable, "-m", "ranktron", "learn", *map(str, paths), *options]


def fitting(folder: Path, path: Path) -> list[str]:
    """Theirs."""
    return [sys.executable, "-m", "vowpalwabbit", "--quiet", "-d", str(path), "-f", str(folder / "m.vw")]


def learned(folder: Path, paths: Sequence[Path]) -> dict[str, Any]:
    """What our command tells."""
    told = subprocess.run(learning(folder, *paths), env=environment(), capture_output=True, text=True, check=True).stdout
    result: dict[str, Any] = json.loads(told.splitlines()[-1])
    return result


def seconds_of(command: Sequence[str], **settings: str) -> float:
    """What a process takes, from start to exit."""
    began = time.perf_counter()
    subprocess.run(command, env=environment() | settings, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def environment() -> dict[str, str]:
    """As a user has it, not as the other sections do."""
    return {key: value for key, value in os.environ.items() if key not in (*SETTINGS, "PYTHONDONTWRITEBYTECODE")}


def text_rows() -> list[tuple[int, int, str]]:
    """Grades, queries and features of some thousand different rows."""
    random = np.random.default_rng(SEED)
    X = random.random((DIFFERENT, COLUMNS)) * (random.random((DIFFERENT, COLUMNS)) < 0.7)
    scores = (X - 0.35) @ random.normal(size=COLUMNS) + random.normal(size=DIFFERENT) / 2
    grades = np.digitize(scores, np.quantile(scores, [0.4, 0.65, 0.85, 0.95])).tolist()
    queries = np.sort(random.integers(0, 300, DIFFERENT)).tolist()
    return list(zip(grades, queries, map(features, X), strict=True))


def features(row: np.ndarray) -> str:
    """As both write them."""
    return " ".join([f"{place}:{value:.6f}" for place, value in enumerate(row.tolist(), 1)])


def files(folder: Path, rows: list[tuple[int, int, str]], size: int) -> Files:
    """So many megabytes of the rows, over and over again, or one row."""
    written = Files(folder / "letor.txt", folder / "wabbit.txt")
    lines = [f"{grade} qid:{query} {text}\n".encode() for grade, query, text in rows]
    theirs = [f"{grade} | {text}\n".encode() for grade, _, text in rows]
    count = max(1, round(size * 1e6 / np.mean([len(line) for line in lines])))
    for path, some in zip(written, (lines, theirs), strict=True):
        with open(path, "wb") as file:
            for start in range(0, count, len(some)):
                file.write(b"".join(some[: count - start]))
    return written
