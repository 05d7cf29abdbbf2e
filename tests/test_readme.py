"""The README and the guide name every estimator, the recommended ones first."""

from __future__ import annotations

import re
from pathlib import Path

import ranktron

ROOT = Path(__file__).parents[1]


def test_the_tables_in_the_readme_list_every_estimator_once() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    tables = text[text.index("## Algorithms for grades") : text.index("## Compared with")]
    assert sorted(re.findall(r"^\| `(\w+)` \|", tables, re.MULTILINE)) == sorted(set(ranktron.doors.MODELS) - {"Predtron"})


def test_the_guide_recommends_ranker_first_for_lists() -> None:
    text = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    named = re.findall(rf"\b({'|'.join(ranktron.doors.RANKERS)})\(", text[text.index("## Lists") :])
    assert named[0] == "Ranker"
    assert re.findall(r"^- `(\w+)\(", text, re.MULTILINE)[0] == "Ranker"  # which one?
