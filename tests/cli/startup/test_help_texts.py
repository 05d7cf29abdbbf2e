"""docs/cli.md holds the help texts as they are, and these tell of the parameters what the algorithms do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tools.write_help import help_texts, updated

from ranktron.cli.startup.commands import COMMANDS

PAGE = Path(__file__).parents[3] / "docs" / "cli.md"


def test_the_page_is_not_stale() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == updated(page), "docs/cli.md is stale: run python tools/write_help.py docs/cli.md"


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_explains_itself_by_an_example(name: str) -> None:
    text = help_texts().partition(f"### ranktron {name}\n")[2].partition("\n### ")[0]
    assert f"Usage: ranktron {name} " in text
    assert re.search(rf"^  +ranktron {name}", text, re.MULTILINE)


def test_a_page_without_a_place_for_them_is_refused() -> None:
    with pytest.raises(ValueError, match="between which the help texts go"):
        updated("# A page")
