"""Start-up time; every measurement has a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

from . import SETTINGS
from .report import Bar, Line, Section, at_most
from .timing import spread

ROUNDS = 7
NUMPY = "`import numpy`"
LEARNING = """
from ranktron.algorithms import PRank
import numpy as np
random = np.random.default_rng(0)
X = random.standard_normal((1000, 20))
PRank(classes=[0, 1]).partial_fit(X, (X[:, 0] > 0).astype(int))
"""
PROGRAMS = {
    NUMPY: "import numpy",
    "`import ranktron`": "import ranktron",
    "`from ranktron.algorithms import PRank`": "from ranktron.algorithms import PRank",
    "the same, and learning 1,000 rows of 20 features": LEARNING,
    "the same, by the compiled kernel from its cache": LEARNING,
    "`from ranktron import PRank`, a scikit-learn estimator": "from ranktron import PRank",
    "`import sklearn.linear_model`": "import sklearn.linear_model",
    "`import river`": "import river",
    "`from river import linear_model`": "from river import linear_model",
}
BARS: dict[str, Bar] = {"`import ranktron`": at_most(2.5)}
LIGHT = list(PROGRAMS)[1:4]  # neither numba nor scikit-learn may be loaded by these
NOTES = (
    "Time inside a fresh process until the line is done, against that of importing numpy; the start of the interpreter is not "
    "counted, and Python's compiled files exist already. Waiting for a core is included here. Where the table says that numba "
    "and scikit-learn are not loaded, this is asserted."
)


def sections() -> list[Section]:
    """One new process per program and round."""
    for name in PROGRAMS:
        seconds(name)
    rounds = [{name: seconds(name) for name in PROGRAMS} for _ in range(ROUNDS)]
    lines = []
    for name in list(PROGRAMS)[1:]:
        ratio = spread([times[name] / times[NUMPY] for times in rounds])
        lines.append(Line(name, ratio, BARS.get(name), "neither numba nor scikit-learn loaded" if name in LIGHT else ""))
    return [Section("Starting", NOTES, lines, headings=["what", "ratio", "bar", "holds", "asserted"])]


def seconds(name: str) -> float:
    """The time that the program measures itself."""
    program = f"import time; began = time.perf_counter()\n{PROGRAMS[name]}\nprint(time.perf_counter() - began)\n"
    if name in LIGHT:
        program += "import sys; assert not {'numba', 'sklearn'} & set(sys.modules), 'a heavy import'\n"
    done = subprocess.run([sys.executable, "-c", program], env=environment(name), capture_output=True, text=True, check=True)
    return float(done.stdout)


def environment(name: str) -> dict[str, str]:
    """The environment without the settings of the other sections."""
    usual = {key: value for key, value in os.environ.items() if key not in SETTINGS}
    return usual | {"RANKTRON_PATIENCE": "0"} if "compiled" in name else usual
