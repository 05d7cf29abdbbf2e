"""Front doors: what a newcomer should use. Behind them stands the best of what was measured, so they may change."""

from .ranker import Ranker
from .rater import Rater

__all__ = ["Ranker", "Rater"]
ORDINAL = ("Rater",)
"""Those that rate: every row has a label."""

RANKING = ("Ranker",)
"""Those that rank: every list of rows has grades."""
