"""Ranktron learns to rate and to rank from a stream of graded feedback, one example at a time."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as typing's, which takes a while to import: until then Ctrl-C would end the program with a traceback
if TYPE_CHECKING:
    from typing import Any

    from .estimators import *  # noqa: F403
    from .exports import export as export
    from .steps import AdaGrad as AdaGrad

__version__ = "0.8.0"

# Whether algorithms are all imported as soon as one is; the command line imports those that it needs.
_at_once = True

_SUBMODULES = (
    *("algorithms", "bounds", "collaborative", "data", "doors", "estimators"),
    *("kernels", "metrics", "models", "river", "tasks"),
)
# Names that need no face.
_ELSEWHERE = {"AdaGrad": ".steps", "export": ".exports"}


def __getattr__(name: str) -> Any:
    """Estimators load scikit-learn, so they are not loaded before somebody asks for one."""
    if name == "__all__":  # for `from ranktron import *`; no submodules, for `river` needs River
        return [public for public in __dir__() if public not in ("__version__", *_SUBMODULES)]
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    if not name.startswith("_") and name in __dir__():
        found = getattr(importlib.import_module(_ELSEWHERE.get(name, ".estimators"), __name__), name)
        return globals().setdefault(name, found)  # asked for once
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    ours = [name for folder in ("algorithms", "doors") for name in importlib.import_module(f".{folder}", __name__).__all__]
    return ["__version__", "QueryScaler", "load", *ours, *_ELSEWHERE, *_SUBMODULES]
