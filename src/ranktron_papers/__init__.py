"""The papers' experiments, one folder per paper: data, settings, seeds, printed numbers and claims.

They use public names of ranktron only. ``ranktron reproduce`` runs them and reports what they measure.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

from .experiment import Claim, DataSet, Experiment, Numbers, Paper, Printed
from .judging import Verdict
from .results import Results

__all__ = ["Claim", "DataSet", "Experiment", "Numbers", "Paper", "Printed", "Results", "Verdict", "all_papers", "chosen"]

# The module of each paper, in the order of reports.
MODULES = {
    "crammer-singer": "crammer_singer",
    "harrington": "harrington",
    "predtron": "jain_natarajan_tewari",
    "chaudhuri-tewari": "chaudhuri_tewari",
    "slides": "slides",
    "bounds": "theorems",
}


def all_papers() -> dict[str, Paper]:
    """Every paper with its experiments, by name."""
    return {name: importlib.import_module(f".{module}", __name__).PAPER for name, module in MODULES.items()}


def chosen(names: Sequence[str] = ()) -> list[Experiment]:
    """The experiments that have these names or belong to papers that have them; all experiments if no name is given."""
    papers = all_papers()
    known = {experiment.name: experiment for paper in papers.values() for experiment in paper.experiments}
    for name in names:
        if name not in known and name not in papers:
            raise ValueError(f"there is no experiment {name!r}: --list shows them all")
    wanted = [name for name in known if not names or name in names or known[name].paper in names]
    return [known[name] for name in wanted]
