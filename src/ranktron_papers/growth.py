"""Whether a curve grows like a logarithm or like a power: two fits with two parameters each, compared within each trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .judging import CONSISTENT, FAILS, HOLDS, UNDECIDED, Verdict, less
from .results import Results

_LOG, _POWER = "relative error of a logarithm", "relative error of a power"


def logarithmic(results: Results, curve: str, places: Sequence[float], variable: str) -> Verdict:
    """Whether a + b log x fits a curve better than c xᵈ, by their relative errors.

    No finite range proves what happens in the limit, so a better logarithm is only consistent with the claim. A better power with
    an exponent above 0 contradicts it. If neither fit is surely better, the range is too short to decide.
    """
    fits = results.derived(lambda one: _fits(np.asarray(one[curve], float), np.asarray(places, float)))
    text = (
        f"from {places[0]:,} to {places[-1]:,} a + b log {variable} is off by {fits.mean(_LOG).value:.1%}, and the power "
        f"{variable}^{fits.mean('exponent').value:.2f} by {fits.mean(_POWER).value:.1%}"
    )
    if less(fits, _LOG, _POWER).word == HOLDS:
        return Verdict(CONSISTENT, text)
    is_power = less(fits, _POWER, _LOG).word == HOLDS and less(fits, "none", "exponent").word == HOLDS
    return Verdict(FAILS if is_power else UNDECIDED, text)


def _fits(values: np.ndarray, places: np.ndarray) -> dict[str, float | list[float]]:
    """The exponent of the power, and the root mean squared relative error of each fit."""
    by_log = np.polynomial.Polynomial.fit(np.log(places), values, 1)(np.log(places))
    intercept, exponent = np.polynomial.polynomial.polyfit(np.log(places), np.log(values), 1)
    by_power = np.exp(intercept) * places**exponent
    errors = {name: float(np.sqrt(np.mean((fit / values - 1) ** 2))) for name, fit in ((_LOG, by_log), (_POWER, by_power))}
    return {"none": 0.0, "exponent": float(exponent), **errors}
