"""Ranktron learns to rate and to rank from a stream of graded feedback, one example at a time."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .algorithms import *  # noqa: F403
    from .estimators import load as load

__version__ = "0.2.0"

_SUBMODULES = ("algorithms", "bounds", "data", "estimators", "kernels", "models", "river")


def __getattr__(name: str) -> Any:
    """Estimators load scikit-learn, so they are not loaded before somebody asks for one."""
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in __dir__():
        return getattr(importlib.import_module(".estimators", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    algorithms = importlib.import_module(".algorithms", __name__)
    return ["__version__", "load", *algorithms.__all__, *_SUBMODULES]
