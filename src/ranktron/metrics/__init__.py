"""Metrics of grades, of intervals and of ranked lists, as functions of arrays and as objects that a stream updates.

Functions agree with scikit-learn and trec_eval wherever the definitions are the same; the docstrings say where.

>>> from ranktron import metrics
>>> metrics.ndcg([2, 0, 1], [0.9, 0.5, 0.7], k=10)
1.0
>>> metrics.mean_absolute_error([1, 2, 3], [1, 3, 3])
0.3333333333333333
"""

from .grades import accuracy, macro_mae, mean_absolute_error, quadratic_weighted_kappa, ranked_probability_score
from .intervals import interval_coverage, interval_width
from .lists import average_precision, err, mrr, ndcg, precision_at
from .streams import ERR, MAE, MRR, NDCG, RPS, Accuracy, AveragePrecision, MacroMAE, Precision, QuadraticKappa

__all__ = [
    "ERR",
    "MAE",
    "MRR",
    "NDCG",
    "RPS",
    "Accuracy",
    "AveragePrecision",
    "MacroMAE",
    "Precision",
    "QuadraticKappa",
    "accuracy",
    "average_precision",
    "err",
    "interval_coverage",
    "interval_width",
    "macro_mae",
    "mean_absolute_error",
    "mrr",
    "ndcg",
    "precision_at",
    "quadratic_weighted_kappa",
    "ranked_probability_score",
]
