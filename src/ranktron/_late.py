"""Names that are imported when somebody asks for them: who uses one algorithm need not wait for all others."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any


def found_at(place: str) -> Any:
    """What a module calls by that name, the place being "module:name"."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


class Late(Mapping[str, Any]):
    """What is found at ``places``, each "module:name", by names for them.

    >>> Late({"half": "fractions:Fraction"})["half"](1, 2)
    Fraction(1, 2)
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self.places = dict(places)

    def __getitem__(self, name: str) -> Any:
        return found_at(self.places[name])

    def __contains__(self, name: object) -> bool:
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def attributes_of(self, module: str) -> Callable[[str], Any]:
        """The ``__getattr__`` of a module that has all of them."""

        def find(name: str) -> Any:
            if name in self:
                return self[name]
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)

        return find
