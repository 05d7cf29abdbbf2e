"""One paper's algorithm a file: its rule, how it is put together, and a reference."""

from .arowprank import AROWPRank
from .listnet import ListNet
from .minimax_rank import MinimaxRank
from .multiclass_perceptron import MulticlassPerceptron
from .muprank import MuPRank
from .noprank import NoPRank
from .oap import OAP
from .ordinal_logit import OrdinalLogit
from .prank import PRank
from .predtron import Predtron
from .predtron_kinds import ClassPredtron, ListPredtron, TargetPredtron
from .rommaprank import ROMMAPRank
from .siprank import SiPRank
from .slam import SLAM
from .voted import Voted
from .widrow_hoff import WidrowHoff

__all__ = ["OAP", "AROWPRank", "MuPRank", "MulticlassPerceptron", "NoPRank", "OrdinalLogit", "PRank", "ROMMAPRank", "SiPRank"]
__all__ += ["Voted", "WidrowHoff"]
ORDINAL = tuple(__all__)
"""Those that rate: every row has a label."""

__all__ += ["SLAM", "ListNet", "MinimaxRank"]
RANKING = tuple(__all__[len(ORDINAL) :])
"""Those that rank: every list of rows has grades."""

__all__ += ["Predtron"]
Predtron.kinds = {"classes": ClassPredtron, "targets": TargetPredtron, "lists": ListPredtron}
