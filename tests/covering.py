"""Which cases of a test the gate runs: few that cover its parameters, where ``--all`` runs the whole product."""

from __future__ import annotations

import itertools
import zlib
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

import pytest
from hypothesis import settings

# A product is cut to all pairs of values where those take at most so many cases, and else to every value once.
MOST = 6

# Of so many models of one contract each test tries as many, and other tests try others.
FEW = 2

# The gate tries a quarter of the examples that a test asks Hypothesis for, but not fewer than so many.
FEWEST_EXAMPLES = 5

Case = tuple[Hashable, ...]

_alike: list[Any] = []


def examples(count: int) -> int:
    """How many examples Hypothesis tries in this run, for a test that has ``count`` of them with ``--all``."""
    return max(FEWEST_EXAMPLES, count * settings.default.max_examples // 100)


def chosen(cases: list[Case], name: str, strength: int = 2) -> set[int]:
    """The places of cases that cover every value of every parameter, and every pair of values if that takes few of them.

    Tests of different ``name`` combine values differently, so that together they try more pairs than each of them does.
    """
    return (strength == 2 and _cover(cases, 2, name, MOST)) or _cover(cases, 1, name, len(cases))


def _cover(cases: list[Case], strength: int, name: str, most: int) -> set[int]:
    """Greedily, the places of cases in which every combination of that many values occurs; none if that takes too many.

    Of cases that are as good, one is taken whose values were taken least often.
    """
    kept, start = set[int](), _seed(name) % len(cases)
    order = [*range(start, len(cases)), *range(start)]
    values = [[*enumerate(case)] for case in cases]
    combinations = [set(itertools.combinations(of_case, strength)) for of_case in values]
    missing = set[Hashable]().union(*combinations)
    taken = Counter[Hashable]()
    while missing:
        best = max(order, key=lambda place: (len(combinations[place] & missing), -sum(taken[one] for one in values[place])))
        kept.add(best)
        missing -= combinations[best]
        taken.update(values[best])
        if len(kept) > most:
            return set()
    return kept


def _seed(name: str) -> int:
    return zlib.crc32(name.encode())


def alike(values: Any) -> Any:
    """Values of a parameter, after saying that they are models of one contract: of these the gate gives each test a few."""
    _alike.append(values)
    return values


def _is_left_out(item: Any, name: str) -> bool:
    """Whether it is the turn of other models; those of a test are spread evenly over all, from a start that ``name`` makes."""
    for names, values in _parametrised(item):
        if any(values is known for known in _alike) and len(values) > FEW:
            place = next(place for place, value in enumerate(values) if _is(value, [item.callspec.params[one] for one in names]))
            if (place - _seed(name)) * FEW % len(values) >= FEW:
                return True
    return False


def _is(value: Any, given: list[Any]) -> bool:
    return value is given[0] if len(given) == 1 else all(one is other for one, other in zip(value, given, strict=True))


def _case(item: Any) -> Case:
    """The identities of what a test is given, one for each time that it is parametrised."""
    given = item.callspec.params
    groups = [names for names, _ in _parametrised(item)]
    groups += [[name] for name in given if not any(name in group for group in groups)]
    return tuple(tuple(id(given[name]) for name in group if name in given) for group in groups)


def _parametrised(item: Any) -> list[tuple[list[str], Any]]:
    """The names and the values of each time that a test is parametrised."""
    given = [mark.args for mark in item.iter_markers("parametrize")]
    return [([name.strip() for name in one[0].split(",")] if isinstance(one[0], str) else [*one[0]], one[1]) for one in given]


def mark_full(items: list[pytest.Item]) -> None:
    """Mark what the gate leaves out of products of parameters with ``full``."""
    tests: dict[str, list[Any]] = {}
    for item in items:
        if hasattr(item, "callspec") and not item.get_closest_marker("full"):
            name = item.nodeid.partition("[")[0]
            if _is_left_out(item, name):
                item.add_marker("full")
            else:
                tests.setdefault(name, []).append(item)
    for name, cases in tests.items():
        for place in {*range(len(cases))} - {*_kept(cases, name)}:
            cases[place].add_marker("full")


def _kept(cases: list[Any], name: str) -> Iterable[int]:
    """The places of the cases of a test that the gate runs."""
    gate = cases[0].get_closest_marker("gate")
    if gate is not None:
        return [(_seed(name) + k) % len(cases) for k in range(*gate.args)]
    given = [_case(case) for case in cases]
    strength = 1 if cases[0].get_closest_marker("compiled") else 2  # each case of a compiled test takes seconds to compile
    return chosen(given, name, strength) if len(given[0]) > 1 else range(len(cases))
