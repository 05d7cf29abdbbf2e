"""Whether a curve grows like a logarithm or like a power, from the better of two fits."""

import numpy as np
import pytest

from ranktron_papers.growth import logarithmic
from ranktron_papers.judging import CONSISTENT, FAILS, UNDECIDED
from ranktron_papers.results import Results

WIDE, NARROW = [25 * 2**i for i in range(8)], [25, 50, 100]


def grown(curve, places=WIDE, noise=0.01, trials=10, quick=False):
    """Noisy curves."""
    random = np.random.default_rng(0)
    values = [curve(np.array(places, float)) * (1 + noise * random.standard_normal(len(places))) for _ in range(trials)]
    return Results([{"curve": one.tolist()} for one in values], quick)


@pytest.mark.parametrize(
    ("curve", "places", "noise", "word"),
    [
        (np.log, WIDE, 0.01, CONSISTENT),
        (lambda p: 60 * np.log(p) - 80, WIDE, 0.01, CONSISTENT),
        (lambda p: p**0.32, WIDE, 0.01, FAILS),
        (np.sqrt, WIDE, 0.01, FAILS),
        (np.log, NARROW, 0.1, UNDECIDED),
        (lambda p: p**0.32, NARROW, 0.1, UNDECIDED),
        (np.ones_like, WIDE, 0.0, UNDECIDED),
    ],
)
def test_the_better_fit_decides_if_it_is_surely_better(curve, places, noise, word):
    assert logarithmic(grown(curve, places, noise), "curve", places, "p").word == word


def test_a_quick_run_of_one_trial_does_not_tell():
    assert logarithmic(grown(np.log, trials=1, quick=True), "curve", WIDE, "p").word == UNDECIDED


def test_the_reason_has_the_exponent_and_both_errors():
    reason = logarithmic(grown(lambda p: p**0.5, noise=0.0), "curve", WIDE, "p").reason
    assert reason.startswith("from 25 to 3,200 a + b log p is off by ")
    assert reason.endswith(" and the power p^0.50 by 0.0%")
