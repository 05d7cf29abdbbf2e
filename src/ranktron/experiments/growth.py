"""Whether a curve grows like a logarithm or like a power: two fits of two numbers each, compared trial by trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .judging import CONSISTENT, FAILS, HOLDS, UNDECIDED, Verdict, less
from .results import Results

_LOG, _POWER = "relative error of a logarithm", "relative error of a power"


def logarithmic(results: Results, curve: str, places: Sequence[float], variable: str) -> Verdict:
    """Whether a + b log x fits a curve better than c xᵈ; both are measured by the relative errors that the power minimises.

    No finite range proves what happens in the limit, so a better logarithm is consistent with the claim. A better power with an
    exponent above 0 contradicts it, and where neither is surely better the range is too short to tell.
    """
    fits = Results([_fits(np.asarray(one[curve], float), np.asarray(places, float)) for one in results.trials], results.is_quick)
    told = (
        f"from {places[0]:,} to {places[-1]:,} a + b log {variable} is off by {fits.mean(_LOG).value:.1%}, and the power "
        f"{variable}^{fits.mean('exponent').value:.2f} by {fits.mean(_POWER).value:.1%}"
    )
    if less(fits, _LOG, _POWER).word == HOLDS:
        return Verdict(CONSISTENT, told)
    is_power = less(fits, _POWER, _LOG).word == HOLDS and less(fits, "none", "exponent").word == HOLDS
    return Verdict(FAILS if is_power else UNDECIDED, told)


def _fits(values: np.ndarray, places: np.ndarray) -> dict[str, float | list[float]]:
    """The exponent of the power, and the root mean squared relative error of each fit."""
    by_log = np.polynomial.Polynomial.fit(np.log(places), values, 1)(np.log(places))
    intercept, exponent = np.polynomial.polynomial.polyfit(np.log(places), np.log(values), 1)
    by_power = np.exp(intercept) * places**exponent
    errors = {name: float(np.sqrt(np.mean((fit / values - 1) ** 2))) for name, fit in ((_LOG, by_log), (_POWER, by_power))}
    return {"none": 0.0, "exponent": float(exponent), **errors}
