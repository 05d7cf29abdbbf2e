"""Data: synthetic streams of the papers' experiments."""

from . import synthetic

__all__ = ["synthetic"]
