"""Lists to judge, and what trec_eval says of them."""

from __future__ import annotations

from typing import Any

import numpy as np


def ragged(n_lists: int, longest: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lists of 1 to ``longest`` documents, rows mixed; some scores are equal and some lists hold nothing relevant."""
    random = np.random.default_rng(seed)
    qid = random.permutation(np.repeat(np.arange(n_lists), random.integers(1, longest + 1, n_lists)))
    y = np.maximum(random.integers(-3, 5, len(qid)), 0) * (qid % 11 > 0)
    return y, np.round(random.standard_normal(len(qid)) + 0.2 * y, 2), qid


def trec(y: list[int], scores: list[float], qid: list[Any], k: int) -> dict[str, list[float]]:
    """trec_eval's measures of every list, in the order of first appearance.

    Of equal scores it puts the last document's name first, so names fall from row to row. It reads scores in single precision.
    """
    import pytrec_eval

    assert (np.float32(scores) == np.array(scores)).all() or len(np.unique(np.float32(scores))) == len(np.unique(scores))
    judged: dict[str, dict[str, int]] = {str(q): {} for q in qid}
    run: dict[str, dict[str, float]] = {str(q): {} for q in qid}
    for row, (grade, score, q) in enumerate(zip(y, scores, qid)):
        name = f"{len(y) - row:09d}"
        judged[str(q)][name], run[str(q)][name] = grade, score
    wanted = {"map", "ndcg", f"ndcg_cut.{k}", "recip_rank", f"P.{k}"}
    results = pytrec_eval.RelevanceEvaluator(judged, wanted).evaluate(run)
    names = ["map", "ndcg", f"ndcg_cut_{k}", "recip_rank", f"P_{k}"]
    return {name: [results[q][name] for q in judged] for name in names}
