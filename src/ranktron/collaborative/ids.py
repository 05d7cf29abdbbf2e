"""The names of people and items, and the numbers from 0 that the loops use for them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from ..models.files import as_json
from ..models.labels import short

UNKNOWN = -1


class Ids:
    """Names in the order in which they came.

    >>> ids = Ids("person")
    >>> ids.numbers(["ann", "bob", "ann"]), ids.places(["bob", "eve"])
    (array([0, 1, 0]), array([ 1, -1]))
    """

    def __init__(self, what: str, names: Iterable[Any] = ()) -> None:
        self.what = what
        self.names = list(names)
        self.number_of = {name: number for number, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def number(self, name: Any) -> int:
        """The number of a name, a new one if it has none."""
        try:
            number = self.number_of.get(name)
        except TypeError:
            self._refuse(name)
        return self._added(name) if number is None else number

    def numbers(self, names: Iterable[Any]) -> np.ndarray:
        """The numbers of names, new ones among them; if one is refused, none of them is."""
        before = len(self)
        try:
            return np.array([self.number(name) for name in listed(names)], np.int64)
        except ValueError:
            self.truncate(before)
            raise

    def places(self, names: Iterable[Any]) -> np.ndarray:
        """The numbers of names, -1 for those that have none."""
        try:
            return np.array([self.number_of.get(name, UNKNOWN) for name in listed(names)], np.int64)
        except TypeError:
            raise ValueError(
                f"an id of the {self.what} column cannot be looked up: ids should be strings or whole numbers"
            ) from None

    def place(self, name: Any) -> int:
        """The number of a name, -1 if it has none."""
        try:
            return self.number_of.get(name, UNKNOWN)
        except TypeError:
            self._refuse(name)

    def _added(self, name: Any) -> int:
        if name is None or name != name or (isinstance(name, float) and not name.is_integer()):
            self._refuse(name)
        self.number_of[name] = number = len(self.names)
        self.names.append(name.item() if isinstance(name, np.generic) else name)
        return number

    def truncate(self, count: int) -> None:
        """Forget all names but the first ``count``."""
        for name in self.names[count:]:
            del self.number_of[name]
        del self.names[count:]

    def _refuse(self, name: Any) -> NoReturn:
        raise ValueError(f"{self.what} {short(name)} is not an id: ids should be strings or whole numbers")

    def packed(self) -> np.ndarray:
        """The names as bytes, for a file."""
        text = as_json(self.names, f"an id of a {self.what} is neither a string nor a number")
        return np.frombuffer(text.encode(), np.uint8)

    @classmethod
    def unpacked(cls, what: str, packed: np.ndarray) -> Ids:
        """The names in an array that ``packed`` returned."""
        ids = cls(what, json.loads(packed.tobytes()))
        if len(ids.number_of) < len(ids):
            raise ValueError(f"a {what} occurs twice")
        return ids


def listed(names: Any) -> list[Any]:
    """Names as a list; numpy's values, and those of data frames, become Python's, which are looked up faster."""
    return names.tolist() if hasattr(names, "tolist") else list(names)
