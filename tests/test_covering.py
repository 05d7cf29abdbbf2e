"""The gate's choice of cases covers what it says."""

from __future__ import annotations

import itertools

import pytest

from tests.covering import MOST, Case, chosen, mark_full

pytest_plugins = ["pytester"]


def combinations(cases: list[Case], strength: int) -> set[tuple[tuple[int, object], ...]]:
    return {found for case in cases for found in itertools.combinations(enumerate(case), strength)}


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 2, 2), (2, 2, 2, 2), (2, 3)])
def test_every_pair_of_values_occurs(sizes: tuple[int, ...]) -> None:
    cases: list[Case] = list(itertools.product(*map(range, sizes)))
    kept = [cases[place] for place in chosen(cases, "a test")]
    assert combinations(kept, 2) == combinations(cases, 2)
    assert len(kept) <= MOST


@pytest.mark.parametrize(("sizes", "strength"), [((5, 6), 2), ((4, 4, 4), 2), ((3, 2), 1)])
def test_every_value_occurs_as_often_as_any_where_pairs_take_too_many(sizes: tuple[int, ...], strength: int) -> None:
    cases: list[Case] = list(itertools.product(*map(range, sizes)))
    kept = [cases[place] for place in chosen(cases, "a test", strength)]
    assert len(kept) == max(sizes)
    for values in zip(*kept):
        counts = [values.count(value) for value in set(values)]
        assert max(counts) - min(counts) <= 1
    assert combinations(kept, 1) == combinations(cases, 1)


def test_a_costly_test_has_as_many_cases_as_it_says(pytester: pytest.Pytester) -> None:
    items = pytester.getitems(
        """
        import pytest

        @pytest.mark.gate(2)
        @pytest.mark.parametrize("n", range(5))
        def test_costly(n): ...

        @pytest.mark.parametrize("n", range(5))
        def test_cheap(n): ...
        """
    )
    mark_full(items)
    left = [item.name.partition("[")[0] for item in items if not item.get_closest_marker("full")]
    assert left == ["test_costly"] * 2 + ["test_cheap"] * 5


def test_tests_of_other_names_try_other_pairs() -> None:
    cases: list[Case] = list(itertools.product(range(6), range(6)))
    assert len({frozenset(chosen(cases, name)) for name in "abcdefgh"}) > 4
