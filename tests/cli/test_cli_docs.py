"""docs/cli.md holds the help texts as they are, and these tell of the parameters what the algorithms do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ranktron.cli import COMMANDS
from ranktron.cli.startup.docs import PARAMETERS, help_texts, parameters, renewed

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_page_is_not_stale() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == renewed(page), "docs/cli.md is stale: run python -m ranktron.cli.startup.docs docs/cli.md"


def test_options_are_the_parameters_of_the_algorithms() -> None:
    stale = f"{PARAMETERS.name} is stale: run python -m ranktron.cli.startup.docs docs/cli.md"
    assert PARAMETERS.read_text(encoding="utf-8") == parameters(), stale


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself_by_an_example(name: str) -> None:
    text = help_texts().partition(f"### ranktron {name}\n")[2].partition("\n### ")[0]
    assert f"Usage: ranktron {name} " in text
    assert re.search(rf"^  +ranktron {name}", text, re.MULTILINE)


def test_a_page_without_a_place_for_them_is_refused() -> None:
    with pytest.raises(ValueError, match="between which the help texts go"):
        renewed("# A page")
