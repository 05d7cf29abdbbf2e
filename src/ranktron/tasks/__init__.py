"""Tasks for :class:`Predtron`: what it predicts, how predictions are represented, and the loss of mistakes.

>>> from ranktron.tasks import Multilabel
>>> task = Multilabel("hamming")
>>> task.loss_of([1, 0, 1, 1], [1, 1, 1, 0])
2.0
>>> task.decode([0.5, -2.0, 0.1, -0.3]).tolist()
[1, 0, 1, 0]
"""

from .classes import Binary, Multiclass, Ordinal
from .cost_tables import CostMatrix, Finite, RejectAsPublished
from .multilabel import Multilabel
from .own import check
from .protocol import Task
from .rankings import MultilabelRanking, SubsetRanking

# Tasks that loops see as their ``core``. Of any other task loops call the methods.
OURS = (Binary, CostMatrix, Finite, Multiclass, Multilabel, MultilabelRanking, Ordinal, RejectAsPublished, SubsetRanking)

__all__ = [
    "Binary",
    "CostMatrix",
    "Finite",
    "Multiclass",
    "Multilabel",
    "MultilabelRanking",
    "Ordinal",
    "RejectAsPublished",
    "SubsetRanking",
    "Task",
    "check",
]
