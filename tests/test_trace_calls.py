"""The way from a method to the loop stays short, and docs/design.md shows it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
DESIGN = ROOT / "docs" / "design.md"

# Functions and files of a walk, at most.
BARS = {"PRank.partial_fit(X, y)": (60, 15), "Rater.learn_one(mapping, y)": (40, 12)}


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("trace_calls", ROOT / "tools" / "trace_calls.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown() -> str:
    """The walks as docs/design.md shows them."""
    _, text = DESIGN.read_text().split("<!-- trace_calls: begin -->\n```\n")
    return text.split("```\n<!-- trace_calls: end -->")[0]


def without_compiler(report: str) -> list[str]:
    """The lines of a report without those of compile/, which depend on whether compiled code is on disk, and without counts."""
    return [line.split(":")[0] for line in report.splitlines() if " compile/" not in line]


@pytest.mark.compiled
def test_the_walks_are_short_and_the_design_shows_them(tool: ModuleType) -> None:
    walks = tool.walks(interpreted=False)
    assert {name: (len(calls) <= BARS[name][0], tool.n_files(calls) <= BARS[name][1]) for name, calls in walks.items()} == {
        name: (True, True) for name in BARS
    }, tool.report(walks)
    assert without_compiler(shown()) == without_compiler(tool.report(walks)), "run tools/trace_calls.py and copy its output"


def test_the_design_says_about_how_many_functions_run_where_loops_are_interpreted(tool: ModuleType) -> None:
    said = dict(re.findall(r"about (\d+) functions for `(.*?)`", DESIGN.read_text()))
    counts = {name: len(calls) for name, calls in tool.walks(interpreted=True).items()}
    assert {name: int(count) for count, name in said.items()} == {name: 5 * round(count / 5) for name, count in counts.items()}


def test_the_tool_sees_every_function_of_the_package_once(tool: ModuleType) -> None:
    from ranktron.models.labels import Labels, as_labels

    calls = tool.trace(lambda: [Labels(as_labels([1, 2])).encode(as_labels([2, one])) for one in (1, 2)])
    assert [(one.depth, one.file, one.function) for one in calls] == [
        (0, "models/labels.py", "as_labels"),
        (0, "models/labels.py", "Labels.__init__"),
        (0, "models/labels.py", "Labels.encode"),
    ]
