"""Compile the common loops into a shared library, for the wheel: ``python tools/precompile.py FOLDER``.

These are the loops of all algorithms of the command line with their default parameters, averaged and not, of PRank with a kernel
on a budget, of the Recommender, of the measures of lists and of the text parsers, for dense rows of float64 and float32, CSR
matrices and mappings. They are compiled for the processors that ``ranktron.compile.shipped`` names, with every optimisation, and
linked by the C compiler.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

# The oldest glibc that any Python this package runs on is built for.
OLDEST_GLIBC = 17


def main() -> None:
    """Compile, or say which platform the library is for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="algorithms; by default all")
    parser.add_argument("--tag", action="store_true", help="print the tag of a wheel with the library")
    asked = parser.parse_args()
    if asked.tag:
        print(tag(asked.folder))
        return
    shutil.rmtree(asked.folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as cache:
        compile_all(asked.only, cache)
        link(Path(cache), asked.folder)


def around(cache: str) -> dict[str, str]:
    """The settings under which processes compile for the baseline, whatever this processor is."""
    from ranktron.compile.shipped import BASELINE

    processor = BASELINE[platform.machine()]
    return {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": cache, "RANKTRON_PATIENCE": "0"}


def compile_all(only: list[str], cache: str) -> None:
    """Run everything once, in one process a core."""
    os.environ.update(around(cache))
    from ranktron.compile.shipped import FOLDER

    if FOLDER.exists():
        sys.exit(f"{FOLDER} has loops already, which would be used instead of compiling: delete it")
    steps = list(cases(only))
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), get_context("spawn"), thoroughly) as pool:
        work = {pool.submit(run, *step): step for step in steps}
        for count, done in enumerate(as_completed(work), 1):
            done.result()
            name, parameters = work[done]
            print(f"{count:3} of {len(steps)}  {name} {parameters or ''}", file=sys.stderr, flush=True)


def thoroughly() -> None:
    """Optimise inner functions in full: users wait for none of that."""
    from ranktron.compile.inner import InnerCode

    InnerCode.is_thorough = True


def cases(only: list[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """What is run: algorithms with parameters, and what belongs to none."""
    from ranktron.cli.shared.algorithms import CLASSES, offered
    from ranktron.cli.warmup.cases import KERNELS, VARIANTS

    for name in only or CLASSES:
        for parameters in VARIANTS.get(name, [{}]):
            yield name, parameters
        if "average" in offered(CLASSES[name]):
            yield name, {"average": "False"}
        for kernel in KERNELS if name == "prank" else ():
            yield name, {"kernel": kernel, "budget": "8", "average": "False"}
    yield "lines", {}
    yield "measures", {}
    if not only:
        yield "recommender", {}


def run(name: str, parameters: dict[str, str]) -> None:
    """Learn and answer as the command line, and as users of the library do."""
    from ranktron.cli.warmup import cases as warming

    if name == "lines":
        with tempfile.TemporaryDirectory() as folder:
            warming.read_lines(folder)
    elif name == "measures":
        warming.judge()
    elif name == "recommender":
        recommend()
    else:
        widths = (warming.NARROW, warming.WIDE) if name in warming.OF_TWO_WIDTHS else (warming.NARROW,)
        for width in widths:
            for is_sparse in (False, True):
                warming.run(warming.Case(name, parameters, is_sparse, width))
            use(name, parameters, width)


def use(name: str, parameters: dict[str, str], width: int) -> None:
    """Call the methods of a model with rows of every kind."""
    import numpy as np
    import scipy.sparse as sp

    from ranktron.cli.shared.algorithms import RANKING, make

    X, y = np.random.default_rng(0).uniform(0.1, 1.0, (24, width)), np.arange(24) % 3
    ranks = name in RANKING or "SubsetRanking" in str(parameters)
    more: dict[str, Any] = {"qid": np.repeat(np.arange(4), 6)} if ranks else {}
    given = dict(parameters) | ({"radius": "100.0"} if name == "muprank" else {})
    mappings = [{f"f{number}": float(value) for number, value in enumerate(row)} for row in X]
    for rows in (X, X.astype(np.float32), sp.csr_array(X), sp.csr_array(X.astype(np.float32)), mappings):
        model = make(name, given)
        if rows is not mappings:
            model.fit(rows, y, **more)
            model.partial_fit(rows, y, **more)
            model.predict(rows)
            if hasattr(model, "predict_proba"):
                model.predict_proba(rows)
        if hasattr(model, "learn_one") and not ranks:
            for row, label in zip(mappings if rows is mappings else X, y.tolist()):
                model.learn_one(row, label)
                model.predict_one(row)


def recommend() -> None:
    """Learn and predict ratings."""
    import numpy as np

    from ranktron.collaborative import Recommender

    people, items, stars = np.arange(24) % 5, np.arange(24) % 7, np.arange(24) % 3
    model = Recommender().partial_fit(people, items, stars)
    model.predict(people, items)
    model.learn_one(1, 2, 1)
    model.predict_one(1, 2)


def link(cache: Path, folder: Path) -> None:
    """Make one shared library of all object files, and its index."""
    from ranktron.compile.cache import CodeFiles, package_digest
    from ranktron.compile.object_cache import SUFFIX
    from ranktron.compile.shipped import BASELINE, INDEX, LIBRARY

    stamp = package_digest()[:16]
    files, loops, objects = CodeFiles(cache, stamp), {}, []
    for path in sorted(cache.glob(f"*{SUFFIX}")):
        content = files.read(path.name)
        assert content is not None
        header, _, code = content.partition(b"\n")
        entry, is_silent = header.decode().split(" ")
        loops[entry] = is_silent
        objects.append(path.with_suffix(".o"))
        objects[-1].write_bytes(code)
    folder.mkdir(parents=True)
    library = folder / LIBRARY
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        sys.exit(f"{compiler}, which links the loops, is not there: install a C compiler")
    subprocess.run([compiler, "-shared", "-nostartfiles", "-Wl,-s", "-o", str(library), *map(str, objects), "-lm"], check=True)
    digest = hashlib.sha256(library.read_bytes()).hexdigest()
    index = [stamp, BASELINE[platform.machine()], digest, *(f"{entry} {is_silent}" for entry, is_silent in sorted(loops.items()))]
    (folder / INDEX).write_text("\n".join(index))
    print(f"{len(loops)} loops, {library.stat().st_size / 1e6:.1f} MB", file=sys.stderr)


def tag(folder: Path) -> str:
    """The tag of the wheel: any Python, on systems with a glibc that has all that the library calls."""
    from ranktron.compile.shipped import LIBRARY

    needed = [int(version) for version in re.findall(rb"GLIBC_2\.(\d+)", (folder / LIBRARY).read_bytes())]
    return f"py3-none-manylinux_2_{max([OLDEST_GLIBC, *needed])}_{platform.machine()}"


if __name__ == "__main__":
    main()
