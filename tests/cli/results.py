"""Results of leagues to make reports of: played for real, and made up to be hard to show."""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any

from ranktron.cli import app

EVIL = "<script>alert(1)</script>&\"'"


def played(*words: Any) -> dict[str, Any]:
    """The result of ``compare``."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        app(["compare", *map(str, words), "--json"], prog_name="ranktron")
    result: dict[str, Any] = json.loads(out.getvalue())
    return result


def hard() -> dict[str, Any]:
    """Thirty models with long names, a grid, notes, labels and files whose texts look like markup, and points without a value."""
    names = [f"Model(parameter={i}, another_parameter=Something(0.{i}), third={EVIL})" for i in range(30)]
    at = [25 * (i + 1) for i in range(300)]
    losses = {name: [0.2 + 0.02 * i + 20 / (x + 20) for x in at] for i, name in enumerate(names)}
    losses[names[3]][:5] = [None] * 5  # type: ignore[list-item]
    verdicts = ["best", *["not told apart"] * 3, *["sure at 95 %"] * 26]
    league = [_record(place, name, losses[name][-1], verdicts[place]) for place, name in enumerate(names)]
    league[-1]["loss"] = 99.0
    points = [{**record, "point": {"step": EVIL, "tau": "0.1"}} for record in league[:3]]
    grid = {"family": EVIL, "best": names[0], "told": f"{EVIL} is best of 3.", "warnings": [f"the best {EVIL}"], "points": points}
    return {
        "command": "compare", "version": "1.2.3", "line": f"ranktron compare {EVIL} {'x' * 300}", "unit": "rows",
        "measure": "loss (ranks off)", "headline": f"{names[0]} is best.", "repeats": 5, "seed": 0, "entries": names,
        "data": {
            "files": [f"folder/{EVIL}.csv", "w" * 200], "told": "", "format": "csv", "rows": 7500, "lists": None,
            "features": 12_345, "labels": [{"label": f"{EVIL}{i}", "rows": 100 + i} for i in range(30)],
            "encoding": f"{EVIL} is one-hot", "order": "In order.", "bad_lines": 3,
        },
        "league": league, "sweeps": [grid], "out": {EVIL: EVIL}, "notes": [f"{EVIL} was removed: {EVIL}"],
        "curves": {"unit": "rows", "at": at, "loss": losses, "interval": {name: [0.01] * 300 for name in names}},
        "stopped": True, "seconds": 1.25, "peak_memory_bytes": 10**8,
    }  # fmt: skip


def _record(place: int, name: str, loss: float, verdict: str) -> dict[str, Any]:
    return {
        "place": place + 1, "name": name, "algorithm": "Model", "family": "Model", "settings": {"third": EVIL},
        "parameters": {"third": EVIL, "kernel": {"kernel": "Gaussian", "parameters": {"gamma": 1.0}}, "budget": None},
        "loss": loss, "loss_interval": 0.01, "accuracy": 0.5, "kappa": None, "macro_mae": 0.4, "losses": [loss] * 5,
        "updates": 123.4, "rows_per_second": 56_789.0, "own_loss": 0.5, "behind": 0.02 * place, "behind_interval": 0.001,
        "verdict": verdict,
    }  # fmt: skip
