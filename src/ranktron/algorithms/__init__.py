"""One paper's algorithm a file: its rule, how it is put together, and a reference."""

from typing import TYPE_CHECKING

from .. import _at_once
from .._late import Late

if TYPE_CHECKING or _at_once:
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
    from .rommaprank import ROMMAPRank
    from .siprank import SiPRank
    from .slam import SLAM
    from .voted import Voted
    from .widrow_hoff import WidrowHoff

__all__ = ["OAP", "AROWPRank", "MuPRank", "MulticlassPerceptron", "NoPRank", "OrdinalLogit", "PRank", "ROMMAPRank", "SiPRank"]
__all__ += ["Voted", "WidrowHoff"]
# Those that rate: every row has a label.
ORDINAL = tuple(__all__)

__all__ += ["SLAM", "ListNet", "MinimaxRank"]
# Those that rank: every list of rows has grades.
RANKING = tuple(__all__[len(ORDINAL) :])

__all__ += ["Predtron"]

# Those of several words; the other files have the names of their algorithms.
_FILES = {
    "MinimaxRank": "minimax_rank",
    "MulticlassPerceptron": "multiclass_perceptron",
    "OrdinalLogit": "ordinal_logit",
    "WidrowHoff": "widrow_hoff",
}

ALL = Late({name: f"{__name__}.{_FILES.get(name, name.lower())}:{name}" for name in __all__})
__getattr__ = ALL.attributes_of(__name__)
