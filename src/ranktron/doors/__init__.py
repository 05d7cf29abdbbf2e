"""Front doors: what a newcomer should use. Behind them stands the best of what was measured, so they may change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _at_once
from .._late import Late
from ..algorithms import ALL, ORDINAL, RANKING

if TYPE_CHECKING or _at_once:
    from .ranker import Ranker
    from .rater import Rater

__all__ = ["Ranker", "Rater"]

_OURS = {name: f"{__name__}.{name.lower()}:{name}" for name in __all__}

# All that rate, the door first: every row has a label.
RATERS = Late({"Rater": _OURS["Rater"], **{name: ALL.places[name] for name in ORDINAL}})

# All that rank: every list of rows has grades.
RANKERS = Late({"Ranker": _OURS["Ranker"], **{name: ALL.places[name] for name in RANKING}})

MODELS = Late({**RATERS.places, **RANKERS.places, "Predtron": ALL.places["Predtron"]})

__getattr__ = Late(_OURS).attributes_of(__name__)
