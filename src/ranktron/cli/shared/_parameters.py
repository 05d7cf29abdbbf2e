# ruff: noqa: E501
"""Every parameter of any algorithm, what its values are called, None for a flag, and what it means; written by ``_docs``."""

from __future__ import annotations

PARAMETERS: list[tuple[str, str | None, str]] = [
    (
        "scale",
        "WORD",
        'How features are scaled while learning, by the means and deviations of the rows so far. "settled" changes the scaling only at 8, 16, 32, … rows and carries over what was learned. standard, settled. (all)',
    ),
    (
        "forget",
        "VALUE",
        "For streams that change: the share of the past that every row or list forgets, between 0 and 1. (all)",
    ),
    (
        "average",
        None,
        "Predict with the mean of the hypotheses held after each row, or with the last one. (all but oap, voted)",
    ),
    (
        "kernel",
        "VALUE",
        "A kernel in place of the inner product, such as Gaussian(0.5), Polynomial(2) or Linear(). (all but rater, muprank, arowprank, rommaprank, oap, voted, ordinallogit, ranker)",
    ),
    (
        "budget",
        "VALUE",
        "The largest number of rows that a kernel model keeps. (all but rater, muprank, arowprank, rommaprank, oap, voted, ordinallogit, ranker)",
    ),
    (
        "policy",
        "WORD",
        "Which row a full budget drops: the oldest, a random one, or the oldest after the hypothesis has been shrunk so that this does little damage, as the Forgetron does. oldest, random, forgetron. (all but rater, muprank, arowprank, rommaprank, oap, voted, ordinallogit, ranker)",
    ),
    (
        "ties",
        "WORD",
        "prank: paper, strict. slam: index, average.",
    ),
    (
        "step",
        "NUMBER",
        'muprank: The learning rate η. "theory" is the one of Corollary 2 for the margin gamma. widrowhoff: The learning rate. ordinallogit: For order=1: the learning rate, or steps that adapt to each feature and threshold. predtron: How far to move. ranker, listnet: The learning rate, or steps that adapt to each weight. slam: The learning rate η, or steps that adapt to each feature.',
    ),
    (
        "gamma",
        "VALUE",
        'The margin that step="theory" assumes, below the number of thresholds. (muprank)',
    ),
    (
        "signed",
        None,
        "Learn weights and thresholds of either sign, as differences of two positive ones (EG±). (muprank)",
    ),
    (
        "radius",
        "NUMBER",
        'muprank: The largest absolute value of a feature. predtron: The largest norm of a row, which step="theory" needs.',
    ),
    (
        "beta",
        "NUMBER",
        "The margin β that a row should have. (noprank)",
    ),
    (
        "margin",
        "WORD",
        "noprank: fixed, loss, distance. slam: Δ of Eq. 8, by how much scores should differ. minimaxrank: Δ of Eq. 26, the margin between scores.",
    ),
    (
        "trigger",
        "WORD",
        "Learn on a wrong prediction (Figure 3), or whenever the margin is not met (Lemma 2). mistake, margin. (noprank)",
    ),
    (
        "r",
        "NUMBER",
        "How much a row that contradicts the belief is distrusted: the larger it is, the shorter are the steps. (arowprank)",
    ),
    (
        "prior",
        "NUMBER",
        "arowprank: The variance of every weight and threshold before the first row. ordinallogit: For order=2: the variance of every weight and threshold before the first row.",
    ),
    (
        "estimator",
        "VALUE",
        "The ordinal estimator of one hypothesis that is copied. (oap, voted)",
    ),
    (
        "n_members",
        "N",
        "The number N of copies. (oap)",
    ),
    (
        "tau",
        "NUMBER",
        "The probability that a member is shown a row. (oap)",
    ),
    (
        "combine",
        "WORD",
        "oap: bpm, bagging, voting. voted: mean, plurality, median.",
    ),
    (
        "votes",
        "WORD",
        'The votes of a member with combine="voting": the number of rows that it ranked correctly among those it was shown, in all or since its last update. correct, survival. (oap)',
    ),
    (
        "sampling",
        "WORD",
        "How often a row is shown to a member: once with probability tau, or as often as a Poisson variable with mean 1 says (Oza 2001), when tau has no effect. bernoulli, poisson. (oap)",
    ),
    (
        "n_jobs",
        "N",
        "The number of threads to learn on. (oap)",
    ),
    (
        "count",
        "WORD",
        "The votes of a hypothesis: one per row that it survived, and one for the row at which it was made (Freund & Schapire), or without the latter. survival+1, survival. (voted)",
    ),
    (
        "limit",
        "VALUE",
        "The largest number of hypotheses that are kept. (voted)",
    ),
    (
        "fit_intercept",
        None,
        "widrowhoff: Whether a constant is learned too. multiclassperceptron: Whether each class has a constant too. predtron: Whether each score has a constant too.",
    ),
    (
        "order",
        "N",
        "How it learns: 2 by a belief that knows how features are correlated, 1 by steps down the gradient. (ordinallogit)",
    ),
    (
        "calibrate",
        None,
        "Learn the slope a of the probabilities from the stream: each row updates it before the row is learned, by the scores that predict_proba uses. (ordinallogit)",
    ),
    (
        "update",
        "WORD",
        "Which classes are demoted on a mistake: the predicted one, or in equal shares every class that scored no less than the label. max, uniform. (multiclassperceptron)",
    ),
    (
        "task",
        "VALUE",
        "What to predict, such as Multiclass(), which None stands for. (predtron)",
    ),
    (
        "link",
        "WORD",
        'In which norm the W that gets everything right is small: few weights ("l1"), few features ("group"), or few directions ("trace", which takes a singular value decomposition per update) that matter. euclidean, l1, group, trace. (predtron)',
    ),
    (
        "loss_driven",
        None,
        "Move from the prediction that was made, by a step proportional to its loss. (predtron)",
    ),
    (
        "measure",
        "WORD",
        'ranker, slam: The measure of a ranked list that is learned for and reported by score and cumulative_loss_: "ndcg", "ndcg@10" or any other cut-off, or "ap", for which grades above 0 are relevant. listnet: The measure that score and cumulative_loss_ report: "ndcg", "ndcg@10" or any other cut-off, or "ap". minimaxrank: The measure that decides whether a list is in perfect order: "ndcg", "ndcg@10" or any other cut-off, or "ap", for which grades above 0 are relevant. score and cumulative_loss_ report it.',
    ),
    (
        "query_scale",
        "WORD",
        "How features, and their ranks, are scaled within each list: to mean 0 and deviation 1, or to 0…1. standard, minmax. (ranker)",
    ),
    (
        "soften",
        "NUMBER",
        "The temperature T of T log(1 + Σ_j exp((Δ + s_j - s_i) / T)) in place of the paper's max(0, max_j Δ + s_j - s_i), which is T = 0. (slam)",
    ),
]
