"""Models: parameters → learner → what was learned, in plain Python around the core."""

from .kinds.model import NotFitted
from .kinds.ordinal import OrdinalModel
from .loading import load

__all__ = ["NotFitted", "OrdinalModel", "load"]
