# ruff: noqa: E501
"""Every parameter of any algorithm, what its values are called, None for a flag, and what it means; written by ``_docs``."""

from __future__ import annotations

PARAMETERS: list[tuple[str, str | None, str]] = [
    (
        "scale",
        "WORD",
        "How features are scaled: by all rows up to the last power of two, with what was learned carried over each time, by all rows so far, or not at all. standard, settled. (all)",
    ),
    (
        "forget",
        "VALUE",
        "For streams that change: the share of the past that every row forgets. (all)",
    ),
    (
        "average",
        None,
        "Predict with the mean of the hypotheses held after each row. (all but oap, voted)",
    ),
    (
        "kernel",
        "VALUE",
        'A kernel in place of the inner product: "Gaussian(0.5)", "Polynomial(2)" or Linear. (all but rater, muprank, arowprank, rommaprank, oap, voted, ordinallogit, ranker)',
    ),
    (
        "budget",
        "VALUE",
        "The most rows that a kernel model keeps. (all but rater, muprank, arowprank, rommaprank, oap, voted, ordinallogit, ranker)",
    ),
    (
        "policy",
        "WORD",
        "Which row a full budget lets go. oldest, random, forgetron. (all but rater, muprank, arowprank, rommaprank, oap, voted, ordinallogit, ranker)",
    ),
    (
        "ties",
        "WORD",
        "prank: paper, strict. slam: index, average.",
    ),
    (
        "step",
        "NUMBER",
        "muprank: η, or Corollary 2's for the margin gamma. widrowhoff: The learning rate. ordinallogit: For order=1: the learning rate, or steps that adapt to each feature and threshold. predtron: How far to move. ranker, listnet: The learning rate, or steps that adapt to each weight. slam: The learning rate η, or steps that adapt to each feature.",
    ),
    (
        "gamma",
        "VALUE",
        'The margin for step="theory". (muprank)',
    ),
    (
        "signed",
        None,
        "Weights and thresholds of either sign, as differences of two positive ones (EG±). (muprank)",
    ),
    (
        "radius",
        "NUMBER",
        'muprank: Rows are divided by it. predtron: The largest norm of a row, for step="theory".',
    ),
    (
        "beta",
        "NUMBER",
        "The margin asked for. (noprank)",
    ),
    (
        "margin",
        "WORD",
        "noprank: fixed, loss, distance. slam: Δ of Eq. 8, by how much scores should differ. minimaxrank: Δ of Eq. 26.",
    ),
    (
        "trigger",
        "WORD",
        "Learn on a wrong prediction (Figure 3), or whenever the margin is not met (Lemma 2). mistake, margin. (noprank)",
    ),
    (
        "r",
        "NUMBER",
        "How much a row that contradicts the belief is distrusted: the larger, the shorter the steps. (arowprank)",
    ),
    (
        "prior",
        "NUMBER",
        "arowprank: The variance of every weight and threshold before the first row, in units of the features: scale them. ordinallogit: For order=2: the variance of every weight and threshold before the first row, in units of the features: scale them.",
    ),
    (
        "estimator",
        "VALUE",
        "oap: What is copied. voted: What learns.",
    ),
    (
        "n_members",
        "N",
        "N, how many copies there are. (oap)",
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
        'For "voting": how many rows a member ranked correctly of those it was shown, in all or since its last update. correct, survival. (oap)',
    ),
    (
        "sampling",
        "WORD",
        "A row is shown to a member once with probability tau, or as often as a Poisson variable with mean 1 says (Oza 2001). bernoulli, poisson. (oap)",
    ),
    (
        "n_jobs",
        "N",
        "Threads to learn on, -1 for one a core. (oap)",
    ),
    (
        "count",
        "WORD",
        "A hypothesis has the votes of the rows it survived, and one for the row at which it was made (Freund & Schapire), or not. survival+1, survival. (voted)",
    ),
    (
        "limit",
        "VALUE",
        "The most hypotheses that are kept. (voted)",
    ),
    (
        "fit_intercept",
        None,
        "widrowhoff: Whether a constant is learned too, as intercept_. multiclassperceptron: Whether each class has a constant too. predtron: Whether each score has a constant too.",
    ),
    (
        "order",
        "N",
        "By a belief that knows how the features hang together, or by steps down the gradient. (ordinallogit)",
    ),
    (
        "calibrate",
        None,
        "Learn the slope a of the probabilities from the stream. (ordinallogit)",
    ),
    (
        "update",
        "WORD",
        "On a mistake demote the predicted class, or in equal shares every class that scored no less than the label. max, uniform. (multiclassperceptron)",
    ),
    (
        "task",
        "VALUE",
        "What to predict. (predtron)",
    ),
    (
        "link",
        "WORD",
        'In which norm the W that gets everything right is small: few weights ("l1"), few features ("group"), or few directions ("trace", which takes a singular value decomposition an update) that matter. euclidean, l1, group, trace. (predtron)',
    ),
    (
        "loss_driven",
        None,
        "Move as far as the loss is high. (predtron)",
    ),
    (
        "measure",
        "WORD",
        'ranker, slam: What is learned for: "ndcg", "ndcg@10" or any other cut-off, or "ap", for which grades above 0 are relevant. listnet: What score and cumulative_loss_ tell: "ndcg", "ndcg@10" or any other cut-off, or "ap". minimaxrank: What decides whether a list is in perfect order: "ndcg", "ndcg@10" or any other cut-off, or "ap", for which grades above 0 are relevant.',
    ),
    (
        "query_scale",
        "WORD",
        "How features are scaled within each list: to mean 0 and deviation 1, or to 0…1. standard, minmax. (ranker)",
    ),
    (
        "soften",
        "NUMBER",
        "The temperature T of T log(1 + Σ_j exp((Δ + s_j - s_i) / T)) in place of the paper's max(0, max_j Δ + s_j - s_i), which is T = 0. (slam)",
    ),
]
