"""Front doors: what a newcomer should use. Behind them stands the best of what was measured, so they may change."""

from __future__ import annotations

from typing import Any

from .. import algorithms
from .ranker import Ranker
from .rater import Rater

__all__ = ["Ranker", "Rater"]

RATERS: dict[str, Any] = {"Rater": Rater, **{name: getattr(algorithms, name) for name in algorithms.ORDINAL}}
"""All that rate, the door first: every row has a label."""

RANKERS: dict[str, Any] = {"Ranker": Ranker, **{name: getattr(algorithms, name) for name in algorithms.RANKING}}
"""All that rank: every list of rows has grades."""

MODELS: dict[str, Any] = {**RATERS, **RANKERS, "Predtron": algorithms.Predtron}
