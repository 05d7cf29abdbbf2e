"""What a scorer has to become when its features are scaled anew, for nothing that it says to change.

Features z = (x - m) / s become z' = (x - m') / s'. With ratio = s' / s and shift = (m' - m) / s, z = ratio · z' + shift, so that
w·z - b_r = (ratio · w)·z' - (b_r - shift·w).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compile.generic import generic
from ..rows import lane_sum, lane_sums
from .adaptive_thresholded import AdaptiveThresholded
from .forgetting_average import HELD, ForgettingAverage
from .gaussian import GaussianBelief
from .thresholded import Thresholded


@generic
def rescale_hypothesis(scorer: Any, ratio: np.ndarray, shift: np.ndarray, age: int) -> None:
    """Change the scorer, after ``age`` rows, to say of features scaled anew what it said of them before; its mean too."""
    raise ValueError(
        "this algorithm has no scale='settled', for it cannot be carried over to another scale: use scale='standard'"
    )


@rescale_hypothesis.on(Thresholded)
def rescale_hypothesis_thresholded(cut, ratio, shift, age):
    _carry_line(cut, ratio, shift, age)


@rescale_hypothesis.on(AdaptiveThresholded)
def rescale_hypothesis_adaptive_thresholded(descent, ratio, shift, age):
    _carry_line(descent, ratio, shift, age)
    descent.squares[: len(ratio)] /= ratio * ratio  # a gradient is a multiple of the row


@rescale_hypothesis.on(GaussianBelief)
def rescale_hypothesis_gaussian_belief(belief, ratio, shift, age):
    """The covariance P becomes T P Tᵀ where (b, w) becomes T (b, w); what is read of P is symmetric, so what is written is."""
    _carry_line(belief, ratio, shift, age)
    m, n = len(belief.b), len(ratio)
    P = belief.covariance
    w_w, b_w, b_b = P[m : m + n, m : m + n].copy(), P[:m, m : m + n].copy(), P[:m, :m]
    along, across = lane_sums(w_w * shift), lane_sums(b_w * shift)
    b_b -= (across[:, None] + across) - lane_sum(shift * along)
    P[:m, m : m + n] = (b_w - along) * ratio
    P[m : m + n, :m] = P[:m, m : m + n].T
    P[m : m + n, m : m + n] = w_w * (ratio[:, None] * ratio)


@rescale_hypothesis.on(ForgettingAverage)
def rescale_hypothesis_forgetting_average(faded, ratio, shift, age):
    rescale_hypothesis(faded.scorer, ratio, shift, faded.clock[HELD])


def _carry_line(line, ratio, shift, age):
    n = len(ratio)
    w, lag = line.w[:n], line.lag[:n]
    if len(lag):
        line.total[:] -= lane_sum(shift * (age * w - lag))
        lag *= ratio
    line.b[:] -= lane_sum(shift * w)
    w *= ratio
