"""Ranktron learns to rate and to rank from a stream of graded feedback, one example at a time."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # type checkers take this for typing's, whose import takes longer than this file
if TYPE_CHECKING:
    from typing import Any

    from .estimators import *  # noqa: F403
    from .exports import export as export
    from .steps import AdaGrad as AdaGrad

__version__ = "0.9.0"

_SUBMODULES = (
    *("algorithms", "bounds", "collaborative", "data", "doors", "estimators"),
    *("kernels", "metrics", "models", "river", "tasks"),
)
# Public names that are not estimators, and their modules: these do not load scikit-learn.
_ELSEWHERE = {"AdaGrad": ".steps", "export": ".exports"}


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used: the estimators load scikit-learn, which takes a second."""
    if name == "__all__":  # for `from ranktron import *`; without submodules, because `river` needs River
        return [public for public in __dir__() if public not in ("__version__", *_SUBMODULES)]
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    if not name.startswith("_") and name in __dir__():
        try:
            value = getattr(importlib.import_module(_ELSEWHERE.get(name, ".estimators"), __name__), name)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "sklearn":
                raise
            raise ModuleNotFoundError(_advice(name)) from None
        return globals().setdefault(name, value)  # Python finds it there from now on
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    models = importlib.import_module(".doors", __name__).MODELS
    return ["__version__", "QueryScaler", "load", *models, *_ELSEWHERE, *_SUBMODULES]


def _advice(name: str) -> str:
    """What to do without scikit-learn."""
    needs = f"ranktron.{name} needs scikit-learn: pip install scikit-learn"
    for module in ("doors", "algorithms"):
        if name in importlib.import_module(f".{module}", __name__).__all__:
            return f"{needs}, or use ranktron.{module}.{name}, which does without"
    return needs
