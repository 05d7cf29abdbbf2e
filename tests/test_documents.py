"""What the documents mention exists: files, folders and modules; and they name the recommended estimators first."""

from __future__ import annotations

import pydoc
import re
from pathlib import Path

import pytest

import ranktron

ROOT = Path(__file__).parents[1]
# The changelog speaks of what once was.
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("tests/*.md")]
DOCUMENTS = [path for path in PAGES if path.stem != "CHANGELOG"]
# Paths are given from the folder of the document, the root of the project, or the package; modules by their dotted names.
BASES = (ROOT, ROOT / "src" / "ranktron", ROOT / "src")
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]+(/[\w.-]+)*(/|\.pyi?|\.md)")
MODULE = re.compile(r"(ranktron|ranktron_papers|benchmarks|tests)(\.[a-z_]\w*)+")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_modules_that_are_mentioned_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    code = {word for span in CODE.findall(text) for word in span.split()}
    paths = {word for word in code if PATH.fullmatch(word)}
    modules = {word for word in code if MODULE.fullmatch(word) and not PATH.fullmatch(word)}
    missing = [path for path in paths if not any((base / path).exists() for base in (document.parent, *BASES))]
    missing += [link for link in LINK.findall(text) if not (document.parent / link).exists()]
    missing += [module for module in modules if pydoc.locate(module) is None]
    assert missing == []


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
