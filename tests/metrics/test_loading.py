"""What metrics load."""

from __future__ import annotations

from ranktron import metrics
from tests.processes import LOADED, run


def test_small_jobs_load_neither_numba_nor_scikit_learn_nor_river() -> None:
    small = "from ranktron import metrics; metrics.ndcg([1, 0], [2, 1]); metrics.MAE().update(1, 2)"
    assert run(small + LOADED.replace("'pandas'", "'pandas', 'river'")) == ""


def test_all_names_are_there_and_have_examples_or_say_which_function_they_are() -> None:
    for name in metrics.__all__:
        text = getattr(metrics, name).__doc__
        assert ">>>" in text or "of a stream" in text, name
