"""What the documents say of the estimators as a whole."""

from __future__ import annotations

import re
from pathlib import Path

import ranktron

ROOT = Path(__file__).parents[1]


def test_the_tables_of_the_readme_have_every_estimator_once() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    tables = text[text.index("## The family") : text.index("## Any prediction problem")]
    assert sorted(re.findall(r"^\| `(\w+)` \|", tables, re.MULTILINE)) == sorted(set(ranktron.doors.MODELS) - {"Predtron"})


def test_the_guide_names_the_door_for_lists_first() -> None:
    text = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    named = re.findall(rf"\b({'|'.join(ranktron.doors.RANKERS)})\(", text[text.index("## Lists") :])
    assert named[0] == "Ranker"
    assert re.findall(r"^- `(\w+)\(", text, re.MULTILINE)[0] == "Ranker"  # which one?
