"""The result of a reproduction as plain data: the JSON output, and the source of the report and of the terminal's tables."""

from __future__ import annotations

import functools
import inspect
import platform
import textwrap
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

import ranktron_papers
from ranktron import __version__

from .. import Experiment
from ..runs.run import Outcome
from ..tables import NOT_RUN, NUMBER_WORDS, tally
from .titles import headings

# The most characters of a setting.
_LONGEST = 300


def result_of(outcomes: Sequence[Outcome], settings: dict[str, Any], figures: str) -> dict[str, Any]:
    """The whole result; ``figures`` is the warning if there are no figures."""
    short = headings(ranktron_papers.all_papers().values())
    records = [_experiment(one) | {"heading": short[one.experiment.name]} for one in outcomes]
    claims = [claim for one in records for claim in one["claims"]]
    printed = [row for one in records for row in one["numbers"] if row["printed"] is not None]
    return {
        "command": "reproduce",
        "version": __version__,
        "line": settings["line"],
        "run": "quick" if settings["quick"] else "full",
        "jobs": settings["jobs"],
        "out": settings["out"],
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}",
        "claims": tally(claim["verdict"] for claim in claims),
        "printed": tally((row["verdict"] for row in printed), NUMBER_WORDS),
        "on_other_data": sum(bool(claim["data"]) for claim in claims),
        "papers": [_paper(name, records) for name in dict.fromkeys(one["paper"] for one in records)],
        "experiments": records,
        "figures": figures,
        "seconds": settings["seconds"],
        "peak_memory_bytes": settings["peak"],
    }


def _paper(name: str, records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    paper = ranktron_papers.all_papers()[name]
    own = [one for one in records if one["paper"] == name]
    return {
        "name": name,
        "title": paper.title,
        "authors": paper.authors,
        "published": paper.published,
        "about": paper.about,
        "experiments": [one["name"] for one in own],
        "claims": tally(claim["verdict"] for one in own for claim in one["claims"]),
    }


def _experiment(outcome: Outcome) -> dict[str, Any]:
    one, results = outcome.experiment, outcome.results
    return {
        "name": one.name,
        "paper": one.paper,
        "title": one.title,
        "about": one.about,
        "status": "failed" if outcome.has_failed else NOT_RUN if results is None else "run",
        "why": outcome.why,
        "trials": 0 if results is None else len(results),
        "trials_in_full": one.trials,
        "is_quick": False if results is None else results.is_quick,
        "work_seconds": round(outcome.seconds, 3),
        "kept": outcome.kept,
        "fingerprint": outcome.fingerprint,
        **settings_of(one),
        "numbers": [row._asdict() for row in outcome.numbers],
        "claims": [row._asdict() for row in outcome.claims],
    }


def settings_of(experiment: Experiment) -> dict[str, Any]:
    """The function of a trial, its settings (bound arguments and defaults) and its code."""
    trial: Any = experiment.trial
    given: dict[str, Any] = {}
    while isinstance(trial, functools.partial):
        given = dict(zip(_parameters(trial.func), trial.args)) | trial.keywords | given
        trial = trial.func
    own = {name: value for name, value in _parameters(trial).items() if value is not inspect.Parameter.empty and name != "data"}
    try:
        code = textwrap.dedent(inspect.getsource(trial))
    except (OSError, TypeError):
        code = ""
    module = getattr(trial, "__module__", None) or "builtins"
    settings = {name: _setting_text(value) for name, value in (own | given).items()}
    return {"trial": f"{module}.{trial.__qualname__}", "settings": settings, "code": code}


def _parameters(function: Any) -> dict[str, Any]:
    """The parameters of a function with their defaults."""
    return {name: one.default for name, one in inspect.signature(function).parameters.items()}


def _setting_text(value: Any) -> str:
    return getattr(value, "__qualname__", None) or textwrap.shorten(repr(value), _LONGEST, placeholder=" …")
