"""Metrics of grades, of intervals and of ranked lists, as functions of arrays and as objects that a stream updates.

Functions agree with scikit-learn and trec_eval wherever the definitions are the same; the docstrings say where.

>>> from ranktron import metrics
>>> metrics.ndcg([2, 0, 1], [0.9, 0.5, 0.7], k=10)
1.0
>>> metrics.mean_absolute_error([1, 2, 3], [1, 3, 3])
0.3333333333333333
"""

from typing import TYPE_CHECKING

from .grades import accuracy as accuracy
from .grades import interval_coverage as interval_coverage
from .grades import interval_width as interval_width
from .grades import macro_mae as macro_mae
from .grades import mean_absolute_error as mean_absolute_error
from .grades import quadratic_weighted_kappa as quadratic_weighted_kappa
from .grades import ranked_probability_score as ranked_probability_score
from .lists import average_precision as average_precision
from .lists import err as err
from .lists import mrr as mrr
from .lists import ndcg as ndcg
from .lists import precision_at as precision_at
from .streams import ERR as ERR
from .streams import MAE as MAE
from .streams import MRR as MRR
from .streams import NDCG as NDCG
from .streams import RPS as RPS
from .streams import Accuracy as Accuracy
from .streams import AveragePrecision as AveragePrecision
from .streams import MacroMAE as MacroMAE
from .streams import Precision as Precision
from .streams import QuadraticKappa as QuadraticKappa

if not TYPE_CHECKING:  # type checkers read the imports above
    __all__ = [name for name, value in globals().items() if hasattr(value, "__module__") and name[0] != "_"]
