"""The result of a league as plain data: the table, the verdicts, the winners of grids, the curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...statistics import behind, mean_of
from ..shared.algorithms import own_parameters
from ..shared.drift import drift_record
from .entries import beyond
from .league import Entry, League

BEST, SURE, OPEN, UNTESTED = "best", "sure at 95 %", "not told apart", "not tested"


def table(league: League) -> list[dict[str, Any]]:
    """A record of every entry, best first, with how far it is behind and how sure that is."""
    records = sorted((_record(entry, league) for entry in league.entries), key=lambda one: (math.isnan(one["loss"]), one["loss"]))
    return [{"place": place, **record, **gap} for place, (record, gap) in enumerate(zip(records, _gaps(records)), 1)]


def _gaps(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """How far each record is behind the first, and how sure that is, in words."""
    gaps = [behind(records[0]["losses"], record["losses"], max(len(records) - 1, 1)) for record in records]
    words = [BEST, *(UNTESTED if gap.sure is None else SURE if gap.sure else OPEN for gap in gaps[1:])]
    return [{"behind": gap.difference, "behind_interval": gap.half, "verdict": word} for gap, word in zip(gaps, words)]


def extra_columns(result: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What the table has beside the loss: the keys of records, their titles, and how numbers are written."""
    if result["unit"] == "lists":
        return [(name, name.upper(), "{:.4f}") for name in ("ndcg@10", "map") if name in result["league"][0]]
    return [("accuracy", "accuracy", "{:.1%}"), ("kappa", "kappa", "{:.3f}")]


def _record(entry: Entry, league: League) -> dict[str, Any]:
    players = league.players[entry.name]
    models = [player.model for player in players]
    figures = [player.figures.values() for player in players]
    found: dict[str, Any] = {"name": entry.name, "algorithm": entry.algorithm, "family": entry.family, "settings": entry.settings}
    for name in figures[0]:
        value, half = mean_of([one[name] for one in figures])
        found |= {name: value, f"{name}_interval": half}
    found["losses"] = [one["loss"] for one in figures]
    found["own_loss"] = float(np.mean([float(model.cumulative_loss_ / model.n_seen_) for model in models]))
    found["updates"] = float(np.mean([model.n_updates_ for model in models]))
    found["rows_per_second"] = max((player.speed for player in players), default=math.nan)
    found["drift"] = drift_record(models[0]) if league.repeats == 1 else None  # there is no drift in a shuffle
    return found | {"parameters": parameters(models[0])}


def parameters(model: Any) -> dict[str, Any]:
    """All parameters of a model as plain data, except those for the order of rows."""
    described = model._described()
    return {name: described[name] for name in own_parameters(type(model)) if name not in ("epochs", "shuffle")}


def headline(records: Sequence[dict[str, Any]], repeats: int) -> str:
    """The best entry, and how sure that is, in a sentence."""
    best = records[0]
    if repeats < 2:
        return f"{best['name']} is best with a loss of {best['loss']:.4f} in this one order; --repeats 5 adds intervals."
    text = f"{best['name']} is best with a loss of {best['loss']:.4f} ± {best['loss_interval']:.4f}"
    close = [record["name"] for record in records if record["verdict"] == OPEN]
    if len(records) == 1:
        return f"{text}."
    if not close:
        return f"{text}, {SURE} against {'the other' if len(records) == 2 else f'all {len(records) - 1} others'}."
    return f"{text}; not told apart from {_enumerated(close)}."


def _enumerated(names: Sequence[str], most: int = 4) -> str:
    shown = list(names[:most]) + ([f"{len(names) - most} more"] if len(names) > most else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


# Grids


def sweeps(league: League, records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The grid of every algorithm that had one: its points, best first, and whether a better value may lie outside the grid."""
    families: dict[str, list[dict[str, Any]]] = {}
    points = {entry.name: entry for entry in league.entries}
    for record in records:
        if points[record["name"]].point:
            families.setdefault(record["family"], []).append(record)
    return [_grid(family, [points[one["name"]] for one in found], found) for family, found in families.items() if len(found) > 1]


def _grid(family: str, entries: Sequence[Entry], records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    best = entries[0]
    values = {name: [entry.point[name] for entry in entries] for name in best.point}
    edges = {name: beyond(best, name, tried) for name, tried in values.items()}
    points = [
        {
            "name": record["name"],
            "point": {name: record["settings"][name] for name in entry.point},
            "loss": record["loss"],
            "loss_interval": record["loss_interval"],
            **gap,
        }
        for record, entry, gap in zip(records, entries, _gaps(records))
    ]
    warnings = [_edge(best, name, side) for name, side in edges.items() if side]
    return {"family": family, "best": best.name, "told": _told(family, points), "warnings": warnings, "points": points}


def _told(family: str, points: Sequence[dict[str, Any]]) -> str:
    best = points[0]
    text = f"{family}: {_at(best)} is best of {len(points)}"
    if points[1]["verdict"] == UNTESTED:
        return f"{text} in this one order."
    close = [_at(point) for point in points if point["verdict"] == OPEN]
    return f"{text}, {SURE}." if not close else f"{text}, not told apart from {_enumerated(close)}."


def _at(point: dict[str, Any]) -> str:
    return ", ".join(f"{name}={text}" for name, text in point["point"].items())


def _edge(best: Entry, name: str, side: str) -> str:
    return f"the best {name} of {best.family}, {best.settings[name]}, is at the edge of the grid; try {side} values"


# Curves


def curves(league: League) -> dict[str, Any]:
    """The time-averaged losses: the points, and for every entry the mean over repeats and half its interval."""
    found = league.curves()
    return {
        "unit": league.unit,
        "at": league.at,
        "loss": {name: mean.tolist() for name, (mean, _) in found.items()},
        "interval": {name: half.tolist() for name, (_, half) in found.items()},
    }
