"""Plant each fault in a copy of the project, run tests there, and say which faults they notice.

``python -m tests.faults`` runs, for each fault, those of the gate's tests that are about it. ``--whole`` runs the whole gate, up
to its first failure; ``--all`` runs all cases of the tests, as ``make test-all`` does; words choose the faults whose sentences
or files contain them. The exit status is the number of faults that no test noticed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tests.faults import FAULTS
from tests.faults.fault import Fault

ROOT = Path(__file__).parents[2]
COPIED = ("src", "tests", "docs", "benchmarks", "tools", "conftest.py", "pyproject.toml", "README.md", "CHANGELOG.md", "Makefile")
WHOLE = ("--doctest-modules", "src", "tests", "docs", "README.md")
# Seconds in which a fault that makes a test run for ever is taken for noticed.
LIMIT = 900


def copied(folder: Path) -> None:
    """Copy the project, without the tests of faults themselves: they notice every one."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "faults"))
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)


def failure(fault: Fault | None, selection: Iterable[str], options: Iterable[str]) -> str:
    """The first test that fails with this fault; an empty string if all pass."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copied(folder)
        if fault is not None:
            fault.plant(folder / "src")
        words = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *options, *selection]
        around = {**os.environ, "PYTHONPATH": str(folder / "src")}
        try:
            done = subprocess.run(words, cwd=folder, env=around, capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return "a test does not end"
        if done.returncode not in (0, 1):
            raise RuntimeError(f"the tests could not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
        return (failed[0] if failed else "a test failed") if done.returncode else ""


def main() -> int:
    """Plant the faults and report."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("words", nargs="*", help="faults whose sentence or file contains one of these; else all of them")
    parser.add_argument("--whole", action="store_true", help="run the whole gate for each fault")
    parser.add_argument("--all", action="store_true", help="run all cases of the tests")
    parser.add_argument(
        "--passing", action="store_true", help="the tests are known to pass without faults: do not run them first"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="faults at a time")
    given = parser.parse_args()
    faults = [one for one in FAULTS if not given.words or any(word in one.breaks or word in one.file for word in given.words)]
    options = ["--all"] if given.all else []

    def selection(fault: Fault) -> Iterable[str]:
        return WHOLE if given.whole else [f"tests/{place}" for place in fault.tests]

    everything = sorted({place for fault in faults for place in selection(fault)})
    wrong = "" if given.passing else failure(None, everything, options)
    if wrong:
        print(f"these tests fail without any fault, so they prove nothing: {wrong}")
        return -1
    missed = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        running = {pool.submit(failure, fault, selection(fault), options): fault for fault in faults}
        for done in as_completed(running):
            fault, noticed = running[done], done.result()
            print(f"{'caught' if noticed else 'MISSED'}  {fault.file}: {fault.breaks}  {noticed[:200]}", flush=True)
            missed += not noticed
    print(f"{len(faults) - missed} of {len(faults)} faults caught")
    return missed


if __name__ == "__main__":
    sys.exit(main())
