"""Front doors: what a newcomer should use. Behind them stands the best of what was measured, so they may change."""

from .ranker import Ranker

__all__ = ["Ranker"]
RANKING = ("Ranker",)
"""Those that rank: every list of rows has grades."""
