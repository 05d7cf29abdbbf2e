"""What was asked of a stream."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Options(NamedTuple):
    """The arguments of ``open_stream`` that readers look at."""

    target: str | None = None
    query: str | None = None
    drop: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    header: bool = True
    zero_based: bool = False
    hash_bits: int | None = None
    max_features: int | None = None
    labelled: bool = True
    lists: bool = False
    names: tuple[str, ...] | None = None
    n_columns: int | None = None
    grow: bool = True
    # What columns hold, if that was settled before: "number", "flag" or "text".
    kinds: Mapping[str, str] = MappingProxyType({})
    # Whether another file said what is asked for, so that this one need not have all of it.
    is_known: bool = False

    @property
    def most_features(self) -> int | None:
        """How many columns there may be: those that a model does not know are left out and need no limit."""
        return self.max_features if self.grow else None
