"""From the start of a process to its result, with nothing compiled before: every measurement has a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from ranktron.compile import shipped

from . import SETTINGS
from .report import Bar, Line, Section, at_most
from .timing import Ratio, spread

ROUNDS = 3
SIZES = (1_000, 100_000, 1_000_000)
# The sources of an earlier release, to compare with.
EARLIER = os.environ.get("RANKTRON_EARLIER")
# The Python of an environment in which the wheel of ``make wheel`` is installed.
WHEEL = os.environ.get("RANKTRON_WHEEL")

DATA = """
import numpy as np
random = np.random.default_rng(0)
X = random.random(({rows}, 20))
y = (4 * X[:, 0]).astype(int)
"""
LEARNERS = {
    "`Rater()`, from the wheel": "from ranktron import Rater; Rater().fit(X, y)",
    "`Rater()`, empty cache": "from ranktron import Rater; Rater().fit(X, y)",
    "`Rater()`, full cache": "from ranktron import Rater; Rater().fit(X, y)",
    "`PRank()`, empty cache": "from ranktron.algorithms import PRank; PRank().fit(X, y)",
    "`PRank()`, full cache": "from ranktron.algorithms import PRank; PRank().fit(X, y)",
    "`SGDRegressor()`": "from sklearn.linear_model import SGDRegressor; SGDRegressor().fit(X, y)",
    "`LGBMRegressor()`": "from lightgbm import LGBMRegressor; LGBMRegressor(verbose=-1, n_jobs=1).fit(X, y)",
    "Vowpal Wabbit": (
        "from vowpalwabbit import Workspace\n"
        "learner = Workspace(quiet=True)\n"
        "for label, row in zip(y.tolist(), X.tolist()):\n"
        "    learner.learn(f'{label} | ' + ' '.join(f'{j}:{value:.6f}' for j, value in enumerate(row)))"
    ),
    "River's `LinearRegression()`": (
        "from river import linear_model\n"
        "learner = linear_model.LinearRegression()\n"
        "for label, row in zip(y.tolist(), X.tolist()):\n"
        "    learner.learn_one(dict(enumerate(row)), label)"
    ),
}
# Python gives these row by row what they learn, which takes minutes for a million.
SLOW = ("Vowpal Wabbit", "River's `LinearRegression()`")
REFERENCE, FROM_WHEEL = "`SGDRegressor()`", "`Rater()`, from the wheel"
NOTES = (
    "The time of a whole process, from its start to the fitted model, on rows of 20 features that it makes itself, against that "
    "of scikit-learn's `SGDRegressor`. The cache of compiled code is empty, or holds what the same program has compiled before; "
    "the wheel brings its loops. Vowpal Wabbit and River get their examples from Python; for a million rows they are left out."
)
FIRST = {
    "PRank": "from ranktron.algorithms import PRank; model = PRank()",
    "Rater": "from ranktron import Rater; model = Rater()",
    "OAP": "from ranktron.algorithms import OAP; model = OAP()",
    "SLAM": "from ranktron.algorithms import SLAM; model = SLAM()",
    "Ranker": "from ranktron import Ranker; model = Ranker()",
}
COMPILING = (
    "CPU time of the first `partial_fit` of a process with an empty cache, importing numba included, against that of the sources "
    "in RANKTRON_EARLIER, which are those of 0.7.0. The last line reads a small text."
)
# Seconds since the process was started, in Python.
SINCE_START = (
    "(time.clock_gettime(time.CLOCK_BOOTTIME)"
    " - int(open('/proc/self/stat').read().split()[21]) / __import__('os').sysconf('SC_CLK_TCK'))"
)


def sections() -> list[Section]:
    """The time to a first result, then what compiling costs."""
    cells = [row(rows) for rows in SIZES]
    headings = ["rows", *LEARNERS]
    table = Section("Cold: from the start of a process to the result", NOTES, headings=headings, cells=cells)
    return [table, *([compiling()] if EARLIER else [])]


def row(rows: int) -> list[str]:
    """The ratios for so many rows."""
    left_out = (*(SLOW if rows == SIZES[-1] else ()), *(() if WHEEL else (FROM_WHEEL,)))
    names = [name for name in LEARNERS if name not in left_out]
    with tempfile.TemporaryDirectory() as kept:
        times: dict[str, list[float]] = {name: [] for name in names}
        for number in range(ROUNDS + 1):
            for name in names:
                times[name].append(wall(name, rows, kept))
                if not number:
                    times[name].clear()
    return [f"{rows:,}", *(str(ratio(times, name)) if name in times else "" for name in LEARNERS)]


def ratio(times: dict[str, list[float]], name: str) -> Ratio:
    """The time against that of the reference, round by round."""
    return spread([own / other for own, other in zip(times[name], times[REFERENCE], strict=True)])


def wall(name: str, rows: int, kept: str) -> float:
    """The seconds of the process."""
    program = f"import time; began = time.time() - {SINCE_START}\n{DATA.format(rows=rows)}{LEARNERS[name]}"
    with tempfile.TemporaryDirectory() as empty:
        python = str(WHEEL) if name == FROM_WHEEL else sys.executable
        return measured(program, "time.time()", kept if "full" in name else empty, python=python)


def measured(program: str, clock: str, cache: str, sources: str | None = None, python: str = sys.executable) -> float:
    """What a clock says at the end of a program, less what ``began`` was."""
    left_out = (*SETTINGS, "PYTHONDONTWRITEBYTECODE", *(("PYTHONPATH",) if python == WHEEL else ()))
    usual = {key: value for key, value in os.environ.items() if key not in left_out}
    around = usual | {"NUMBA_CACHE_DIR": cache, "OMP_NUM_THREADS": "1"} | ({"PYTHONPATH": sources} if sources else {})
    words = [python, "-c", f"{program}\nprint({clock} - began)"]
    return float(subprocess.run(words, env=around, capture_output=True, text=True, check=True).stdout)


def compiling() -> Section:
    """What the first call costs, against an earlier release."""
    own, lines = str(Path(shipped.__file__).parents[2]), []
    for name in [*FIRST, "the text parser"]:
        costs = [[first(name, sources) for sources in (own, str(EARLIER))] for _ in range(ROUNDS)]
        bar: Bar = at_most(0.4)
        lines.append(Line(f"`{name}`" if name in FIRST else name, spread([ours / theirs for ours, theirs in costs]), bar))
    return Section("Cold: what compiling costs", COMPILING, lines)


def first(name: str, sources: str) -> float:
    """The CPU time of the first call."""
    setting = "import os; os.environ['RANKTRON_PATIENCE'] = '0'\nimport time\n"
    with tempfile.TemporaryDirectory() as empty:
        if name in FIRST:
            more = ", qid=np.arange(200) // 10" if name in ("SLAM", "Ranker") else ""
            program = f"{DATA.format(rows=200)}{FIRST[name]}\nbegan = time.process_time()\nmodel.partial_fit(X, y{more})"
        else:
            path = Path(empty) / "small.letor"
            path.write_text("1 qid:3 1:0.25 2:0.5\n" * 50)
            program = f"import ranktron.data\nbegan = time.process_time()\nranktron.data.read_letor({str(path)!r})"
        return measured(setting + program, "time.process_time()", f"{empty}/cache", sources)
