"""What :class:`Predtron` can be asked to predict: labels, their representations and what mistakes cost.

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
from .rankings import MultilabelRanking, SubsetRanking
from .task import Task, check

# Those that the loops know; any other is asked as an object, by its methods.
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
