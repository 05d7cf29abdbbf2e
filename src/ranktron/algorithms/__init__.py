"""One paper's algorithm a file: its rule, how it is put together, and a reference."""

from .multiclass_perceptron import MulticlassPerceptron
from .muprank import MuPRank
from .noprank import NoPRank
from .oap import OAP
from .prank import PRank
from .rommaprank import ROMMAPRank
from .siprank import SiPRank
from .voted import Voted
from .widrow_hoff import WidrowHoff

__all__ = ["OAP", "MuPRank", "MulticlassPerceptron", "NoPRank", "PRank", "ROMMAPRank", "SiPRank", "Voted", "WidrowHoff"]
