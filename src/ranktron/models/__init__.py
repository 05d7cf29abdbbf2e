"""Models: parameters → learner → what was learned, in plain Python around the core."""

from .learned import NotFitted
from .loading import load
from .ordinal import OrdinalModel

__all__ = ["NotFitted", "OrdinalModel", "load"]
