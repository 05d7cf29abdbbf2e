"""The drift of a model as plain data, for terminals and pages."""

from __future__ import annotations

import math
from typing import Any


def drift_record(model: Any) -> dict[str, Any] | None:
    """The drift of a model as plain data, None if the model does not record it."""
    try:
        drift = model.drift()
    except ValueError:
        return None
    movements = [
        one._asdict()
        | {"turn_by_chance": _known(one.turn_by_chance), "shift_by_chance": _known(one.shift_by_chance)}
        | {"shifts": one.shifts.tolist(), "turned": one.turned, "moved": one.moved}
        for one in drift.movements
    ]
    return {"told": drift.told, "unit": drift.unit, "found": drift.found is not None, "movements": movements}


def farthest(movement: dict[str, Any]) -> float | None:
    """The largest shift of a threshold, None if there are no thresholds."""
    return max(map(abs, movement["shifts"]), default=None)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
