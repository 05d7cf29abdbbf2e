"""What ``forget`` is about, model by model."""

from __future__ import annotations

from typing import Any

from ..core.scorers.forgetting_average import forgetting_average
from ..core.scorers.protocol import divisor
from .learners.parts import Parts


def with_fading_mean(model: Any, parts: Parts) -> Parts:
    """The parts with a mean over time that forgets, where one is kept and the parameters say so."""
    if model.forget is None:
        return parts
    averages = divisor(parts.scorer, 2) == 2
    if not (averages or model.forgets or _scales(model)):
        raise ValueError(f"{type(model).__name__}: forget={model.forget!r} finds nothing to forget: average=True gives it a mean")
    return parts._replace(scorer=forgetting_average(parts.scorer, float(model.forget))) if averages else parts


def refuse_to_fade(model: Any) -> None:
    """Raise if hypotheses that are combined were to forget: of such a model only the scaling can."""
    if model.forget is not None and not _scales(model):
        name = type(model).__name__
        raise ValueError(f"{name}: what it combines does not forget: leave forget=None, or pass forget= to the estimator alone")


def _scales(model: Any) -> bool:
    return getattr(model, "scale", None) is not None
