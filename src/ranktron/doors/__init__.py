"""Front doors: what a newcomer should use. Behind them stands the best of what was measured, so they may change."""

from __future__ import annotations

from typing import Any

from ..algorithms import ALL, ORDINAL, RANKING
from .ranker import Ranker
from .rater import Rater

__all__ = ["Ranker", "Rater"]

# All that rate, the door first: every row has a label.
RATERS: dict[str, Any] = {"Rater": Rater, **{name: ALL[name] for name in ORDINAL}}

# All that rank: every list of rows has grades.
RANKERS: dict[str, Any] = {"Ranker": Ranker, **{name: ALL[name] for name in RANKING}}

MODELS: dict[str, Any] = {**RATERS, **RANKERS, "Predtron": ALL["Predtron"]}
