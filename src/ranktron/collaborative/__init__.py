"""Ratings of items by people, from (person, item, rating), one at a time: what to expect, and what to recommend."""

from .answers import Share
from .recommender import Recommender

__all__ = ["Recommender", "Share"]
