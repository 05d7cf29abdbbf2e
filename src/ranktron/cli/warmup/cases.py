"""Small runs of every loop that commands use, so that all of them are compiled."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ...compile import policy
from ...core.rows import CSR
from ...data.streams.block import Block
from ...models import streaming
from ..compare.entries import parts, typed
from ..evaluate.tallies import ListTally
from ..shared.algorithms import RANKING, class_of, make
from ..shared.figures import figures_of

# Parameters that lead to other loops than the defaults.
VARIANTS: dict[str, list[dict[str, str]]] = {
    "oap": [{}, {"combine": "voting"}],
    "ordinallogit": [{}, {"order": "1"}],
    "slam": [{}, {"step": "0.1"}, {"measure": "ap"}],
    "listnet": [{}, {"step": "0.1"}, {"measure": "ap"}],
    "minimaxrank": [{}, {"measure": "ap"}],
    "predtron": [
        {"task": "Multiclass()"},
        {"task": "Multiclass(reject=0.2)"},
        {"task": "Ordinal()"},
        {"task": "SubsetRanking()"},
    ],
}

KERNELS = ("Gaussian(1.0)", "Polynomial(2)", "Linear()")
_OF_ROWS = ("prank", "siprank", "noprank", "multiclassperceptron", "widrowhoff")
WITH_KERNELS = (*_OF_ROWS, *(name for name in RANKING if class_of(name).takes_kernels))
# Numbers of features: members of an ensemble learn side by side with few, and one after another with many.
NARROW, WIDE = 4, 220

# Algorithms whose loops differ for few and for many features.
OF_TWO_WIDTHS = ("oap", "rater")

N_LISTS, LENGTH = 4, 6


class Case(NamedTuple):
    """A model to run, and the kind of rows to run it on."""

    name: str
    parameters: dict[str, str]
    is_sparse: bool
    n_features: int

    def __str__(self) -> str:
        settings = "".join(f" {name}={value}" for name, value in self.parameters.items())
        return f"{self.name}{settings}, {'sparse' if self.is_sparse else 'dense'} rows"


def checked(texts: Iterable[str]) -> list[str]:
    """The algorithms that are typed, by their usual names; one that cannot be made is refused."""
    found = []
    for name, parameters in (typed(part) for text in texts for part in parts(text)):
        if parameters:
            make(name, parameters)
        settings = ", ".join(f"{parameter}={value}" for parameter, value in parameters.items())
        found.append(class_of(name).__name__.lower() + (f"({settings})" if settings else ""))
    return found


def cases(names: Iterable[str], with_kernels: bool) -> Iterator[Case]:
    """All variants of these algorithms; one with parameters has only that variant."""
    for name, given in map(typed, names):
        variants = [given] if given else VARIANTS.get(name, [{}])
        if with_kernels and not given and name in WITH_KERNELS:
            variants = [*variants, *({"kernel": kernel, "budget": "8", "average": "False"} for kernel in KERNELS)]
        for parameters in variants:
            for is_sparse in (False, True):
                yield Case(name, parameters, is_sparse, NARROW)
                if name in OF_TWO_WIDTHS:
                    yield Case(name, parameters, is_sparse, WIDE)


def compile_at_once() -> None:
    """Compile at the first row from now on, unless compiling is turned off."""
    if policy.may_compile():
        policy.PATIENCE = 0.0


def run(case: Case) -> None:
    """Learn, predict and evaluate as commands do."""
    parameters: dict[str, Any] = dict(case.parameters)
    if case.name == "muprank":
        parameters.setdefault("radius", "10.0")
    kinds = (np.float64, np.int64) if case.name in RANKING or "SubsetRanking" in str(parameters) else (np.int64,)
    for kind in kinds:
        model = make(case.name, parameters)
        block = _block(case.n_features, case.is_sparse, kind)
        for _ in range(2):
            predicted = streaming.feed(model, block)
        streaming.answer(model, block)
        if hasattr(model, "predict_proba"):
            model.predict_proba(streaming.known_part(model, streaming.as_table(block)))
        figures_of(model).update(block.y, predicted, block.qid)


def judge() -> None:
    """Compute all measures of lists."""
    block = _block(NARROW, False, np.float64)
    assert block.y is not None
    ListTally("skip", None).update(block.y, np.arange(len(block), dtype=np.float64), block.qid)


def _block(n_features: int, is_sparse: bool, kind: type) -> Block:
    random = np.random.Generator(np.random.PCG64(0))
    n_rows = N_LISTS * LENGTH
    values = random.uniform(0.1, 1.0, (n_rows, n_features))
    y: np.ndarray = (np.arange(n_rows) % 3).astype(kind)
    qid = np.repeat(np.arange(N_LISTS), LENGTH)
    if not is_sparse:
        return Block(values, n_features, None, y, qid)
    ends = np.arange(0, values.size + 1, n_features, dtype=np.int32)
    columns = np.tile(np.arange(n_features, dtype=np.int32), n_rows)
    return Block(CSR(ends, columns, values.ravel()), n_features, None, y, qid)


def read_lines(folder: str) -> None:
    """Read small files as commands do."""
    from ...data.streams import open_stream

    for name, line in (("dense", "1 qid:1 1:0.5 2:1.5\n"), ("sparse", "1 qid:1 2:1.5\n0 qid:1 1:0.25 # comment\n")):
        path = os.path.join(folder, f"{name}.letor")
        with open(path, "w") as file:
            file.write(line * 20)
        for _ in open_stream([path], lists=True).blocks():
            pass
