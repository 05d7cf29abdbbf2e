"""Models: parameters → learner → what was learned, in plain Python around the core."""

from .loading import load
from .ordinal import NotFitted, OrdinalModel

__all__ = ["NotFitted", "OrdinalModel", "load"]
