"""The list of experiments before a run: how long they take, and whether their data can be loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ranktron_papers

from .. import Experiment
from ..runs.fingerprints import digest_of
from ..runs.worker import Failure, failure_of
from .titles import headings

NONE_NEEDED, THERE, MISSING, FAULTY = "none needed", "there", "missing", "faulty"


def listed(wanted: Sequence[Experiment], jobs: int) -> dict[str, Any]:
    """What ``--list`` shows, as plain data."""
    known: dict[str, Failure | None] = {}
    papers = ranktron_papers.all_papers()
    short = headings(papers.values())
    records = []
    for one in wanted:
        data, why = _data(one.load, known)
        records.append(
            {
                "name": one.name,
                "paper": one.paper,
                "paper_title": papers[one.paper].title,
                "title": one.title,
                "heading": short[one.name],
                "quick_trials": one.quick,
                "trials": one.trials,
                "quick_seconds": expected(one, one.quick, jobs),
                "full_seconds": expected(one, one.trials, jobs),
                "data": data,
                "why": why,
            }
        )
    return {"jobs": jobs, "experiments": records}


def expected(experiment: Experiment, trials: int, jobs: int) -> float:
    """How many seconds ``trials`` take on ``jobs`` processes; a single trial is not divided among them.

    >>> from ranktron_papers import Experiment
    >>> one = Experiment("a", "b", "", "", lambda seed, data: {}, trials=10, quick=1, seconds=3.0)
    >>> expected(one, 10, 4), expected(one, 1, 4)
    (7.5, 3.0)
    """
    return round(max(trials * experiment.seconds / jobs, experiment.seconds if trials else 0.0), 3)


def _data(load: Callable[[], Any] | None, known: dict[str, Failure | None]) -> tuple[str, str]:
    """Whether data can be loaded, and the error if not; each loader is called once."""
    if load is None:
        return NONE_NEEDED, ""
    name = digest_of(load)
    if name not in known:
        known[name] = _tried(load)
    found = known[name]
    return (THERE, "") if found is None else (MISSING if found.is_missing else FAULTY, found.sentence)


def _tried(load: Callable[[], Any]) -> Failure | None:
    try:
        load()
    except (OSError, ValueError) as error:
        return failure_of(error)
    return None
