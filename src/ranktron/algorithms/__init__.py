"""One paper's algorithm a file: its rule, how it is put together, and a reference."""

from .multiclass_perceptron import MulticlassPerceptron
from .muprank import MuPRank
from .noprank import NoPRank
from .prank import PRank
from .siprank import SiPRank
from .widrow_hoff import WidrowHoff

__all__ = ["MuPRank", "MulticlassPerceptron", "NoPRank", "PRank", "SiPRank", "WidrowHoff"]
