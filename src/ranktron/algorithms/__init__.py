"""One file per algorithm of a paper: its rule, its parameters and a reference. A class imported here is known everywhere."""

from typing import TYPE_CHECKING

from ..models.kinds.list import ListModel
from .arowprank import AROWPRank as AROWPRank
from .listnet import ListNet as ListNet
from .minimax_rank import MinimaxRank as MinimaxRank
from .multiclass_perceptron import MulticlassPerceptron as MulticlassPerceptron
from .muprank import MuPRank as MuPRank
from .noprank import NoPRank as NoPRank
from .oap import OAP as OAP
from .ordinal_logit import OrdinalLogit as OrdinalLogit
from .prank import PRank as PRank
from .predtron import Predtron as Predtron
from .rommaprank import ROMMAPRank as ROMMAPRank
from .siprank import SiPRank as SiPRank
from .slam import SLAM as SLAM
from .voted import Voted as Voted
from .widrow_hoff import WidrowHoff as WidrowHoff

# All algorithms by their names.
ALL = {name: kind for name, kind in globals().items() if getattr(kind, "__module__", "").startswith(f"{__name__}.")}
# Those that rank: every list of rows has grades.
RANKING = tuple(name for name, kind in ALL.items() if issubclass(kind, ListModel))
# Those that rate: every row has a label. Predtron's task decides what it predicts.
ORDINAL = tuple(name for name in ALL if name not in (*RANKING, "Predtron"))

if not TYPE_CHECKING:  # type checkers read the imports above
    __all__ = [*ALL]
