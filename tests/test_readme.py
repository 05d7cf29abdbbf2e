"""The README and the guide name estimators that exist, the recommended ones first."""

from __future__ import annotations

import re
from pathlib import Path

import ranktron

ROOT = Path(__file__).parents[1]


def test_the_tables_in_the_readme_list_estimators_once_and_the_recommended_ones_first() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    grades, lists = text[text.index("## Algorithms for grades") : text.index("## Compared with")].split("## Algorithms for lists")
    for table, models, first in ((grades, ranktron.doors.RATERS, "Rater"), (lists, ranktron.doors.RANKERS, "Ranker")):
        listed = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
        assert len(listed) == len(set(listed))
        assert set(listed) <= set(models)
        assert listed[0] == first


def test_the_guide_recommends_ranker_first_for_lists() -> None:
    text = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    named = re.findall(rf"\b({'|'.join(ranktron.doors.RANKERS)})\(", text[text.index("## Lists") :])
    assert named[0] == "Ranker"
    assert re.findall(r"^- `(\w+)\(", text, re.MULTILINE)[0] == "Ranker"  # which one?
