"""Ways out: a linear model as text that a search engine, RankLib or any other program reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import formats
from .rules import as_rule

__all__ = ["export"]

WRITERS = {
    "elasticsearch": formats.elasticsearch,
    "opensearch": formats.elasticsearch,
    "solr": formats.solr,
    "ranklib": formats.ranklib,
    "json": formats.plain,
}


def export(
    model: Any, target: str, *, name: str = "ranktron", feature_names: Iterable[Any] | None = None, sample: Any = None
) -> str:
    """The text by which ``target`` scores and sorts documents as ``model`` does.

    Parameters
    ----------
    model : fitted estimator or pipeline
        A linear model of ranktron, or a scikit-learn Pipeline of StandardScaler, MinMaxScaler, MaxAbsScaler and RobustScaler
        steps that ends in one. The scaling is folded in, so the text is for features as the pipeline gets them.
    target : {"elasticsearch", "opensearch", "solr", "ranklib", "json"}
        Who will read it; see the table.
    name : str
        What the model will be called there.
    feature_names : sequence of str, optional
        The features' names there, in the order of the columns. Otherwise they are those of the data frame or the mappings that
        the model learned from, or else f1, f2, …
    sample : array, sparse matrix or data frame, optional
        Rows as they are given to ``model``. Where need be the constant is raised, so that the lowest score among them, and that
        of a document without any feature, is above 0 by a tenth of the range of their scores. Not for ``"json"``.

    Notes
    -----
    All weights are written, zeros too, with every digit that float64 has.

    ================  ==========================================  ==================  ============================
    target            the text is                                 it computes in      a constant is
    ================  ==========================================  ==================  ============================
    "elasticsearch",  the body of ``POST                          float32             in the mean of a ``standard``
    "opensearch"      _ltr/_featureset/NAME/_createmodel``                            normaliser
    "solr"            the body of ``PUT schema/model-store``      float32             in the ``avg`` of a
                                                                                      ``StandardNormalizer``
    "ranklib"         a model file; column j is feature j + 1     float64, features   feature 0 of a
                                                                  in float32          "Linear Regression"
    "json"            weights, intercept, thresholds, classes     what you like       ``intercept``
    ================  ==========================================  ==================  ============================

    Lucene allows no score below 0, and a model has such scores unless ``sample`` lifts them: without it, documents that
    Elasticsearch or OpenSearch rescores below 0 fall behind those that it does not rescore, and a query made of such scores is
    wrong or refused. Solr keeps rescored documents in front whatever they score. Everywhere a feature that a document lacks
    counts as 0 before any scaling. Where all weights are 0 there is nothing to sort, and search engines get no constant.

    Examples
    --------
    >>> from ranktron import PRank, export
    >>> model = PRank(average=False).partial_fit([[1.0, 0.0], [0.0, 2.0]], [2, 1], classes=[1, 2])
    >>> print(export(model, "ranklib", feature_names=["title", "age"]))
    ## Coordinate Ascent
    ## Name = "ranktron"
    ## Features = ["title", "age"]
    1:0.0 2:-2.0
    """
    if not isinstance(target, str) or target not in WRITERS:
        raise ValueError(f"target={target!r} should be one of {', '.join(map(repr, WRITERS))}")
    if not isinstance(name, str) or not name:
        raise ValueError(f"name={name!r} should be a string that is not empty")
    rule = as_rule(model, feature_names)
    if sample is not None:
        if target == "json":
            raise ValueError('sample= is for targets that allow no score below 0; "json" holds the model as it is: leave it out')
        rule = rule.above_zero(sample)
    return WRITERS[target](rule, name)
