"""The report of a reproduction as text: whole, closed to the network, everything in it, and no text taken for markup."""

from __future__ import annotations

import re

import pytest

from ranktron_papers.report.page import page
from ranktron_papers.tables import NUMBER_WORDS
from tests.cli.compare.test_report import Reading
from tests.cli.results import EVIL

LONG = "A sentence that goes on and on, with a_word_that_cannot_be_broken_anywhere_because_it_is_a_name_of_something. " * 4
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="540" height="317"><rect width="540" height="317" fill="#fff"/></svg>'
WORDS = ("holds", "consistent", "does not hold", "depends", "undecided", "not run")


def hard() -> dict:
    """Papers, names and reasons that look like markup or are very long, experiments of every status, many curves."""
    records = [_experiment(name, status) for name, status in (("a", "run"), ("b", "failed"), ("c", "not run"), ("d", "run"))]
    counts = dict.fromkeys(WORDS, 2)
    paper = {"title": f"{EVIL} {LONG}", "authors": EVIL, "published": EVIL, "about": f"{EVIL} {LONG}", "claims": counts}
    return {
        "command": "reproduce", "version": "1.2.3", "line": f"ranktron reproduce {EVIL} {'x' * 300}", "run": "quick", "jobs": 2,
        "out": EVIL, "date": "2001-02-03", "machine": EVIL, "claims": counts,
        "printed": dict.fromkeys(NUMBER_WORDS, 2), "on_other_data": 3,
        "papers": [
            {**paper, "name": "first", "experiments": ["a", "b"]},
            {**paper, "name": "second", "experiments": ["c", "d"], "claims": dict.fromkeys(WORDS, 0)},
        ],
        "experiments": records, "figures": f"There are no figures {EVIL}", "seconds": 12.5, "peak_memory_bytes": 10**8,
    }  # fmt: skip


def _experiment(name: str, status: str) -> dict:
    has_run = status == "run"
    claims = [
        {"paper": "first", "experiment": name, "claim": f"{EVIL} {LONG}", "source": EVIL, "verdict": word,
         "reason": f"{EVIL} {LONG}", "trials": 3, "run": "quick", "data": data}
        for data in ("", f"{EVIL} {LONG[:80]}") for word in (WORDS if has_run else ("not run",))
    ]  # fmt: skip
    printed = [_number(name, f"{EVIL} {LONG[:80]} {i}", None, 0.5, 0.25, word) for i, word in enumerate(NUMBER_WORDS)]
    curves = [_number(name, f"curve {i} {EVIL}", at, 0.5, None, "") for i in range(12) for at in range(1, 41)]
    return {
        "name": name, "paper": "first" if name in "ab" else "second", "title": f"{EVIL} {LONG[:120]}",
        "heading": f"{EVIL} {LONG[:99]}", "about": f"{EVIL} {LONG}",
        "status": status, "why": "" if has_run else f"{EVIL} {LONG}", "trials": 3 if has_run else 0, "trials_in_full": 100,
        "is_quick": has_run, "work_seconds": 61.0, "kept": 0, "fingerprint": "0123456789abcdef", "trial": f"module.{EVIL}",
        "settings": {EVIL: EVIL * 20}, "code": f"def trial():\n    return {EVIL!r}  # {'x' * 200}\n",
        "numbers": [*printed, *curves] if has_run else [one | {"mean": None, "low": None, "high": None} for one in printed],
        "claims": claims,
    }  # fmt: skip


def _number(experiment: str, name: str, place: float | None, mean: float, printed: float | None, verdict: str) -> dict:
    return {
        "experiment": experiment, "number": name, "place": place, "mean": mean, "low": mean - 0.125, "high": mean + 0.125,
        "trials": 3, "printed": printed, "printed_half": printed and 0.0625, "source": EVIL, "verdict": verdict,
        "data": EVIL if verdict == "not comparable" else "",
    }  # fmt: skip


@pytest.fixture(scope="module")
def found() -> Reading:
    return Reading(page(hard(), {"a": SVG}))


def test_every_element_is_closed_and_nothing_is_fetched(found):
    assert found.faults == []
    sources = [value for _, a in found.elements for name, value in a.items() if name in ("src", "srcset", "action")]
    assert [source.partition(",")[0] for source in sources] == ["data:image/svg+xml;base64"]
    links = {a["href"] for _, a in found.elements if "href" in a}
    assert all(link == "data:," or link.startswith("#") for link in links)
    assert not re.search(r"https?:|@import|url\((?!#)", page(hard(), {}))
    policy = next(a["content"] for tag, a in found.elements if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")


def test_links_lead_somewhere(found):
    targets = {a["id"] for _, a in found.elements if "id" in a}
    assert targets == {"first", "second", "a", "b", "c", "d"}
    assert {a["href"][1:] for tag, a in found.elements if tag == "a"} <= targets


def test_texts_are_never_markup(found):
    assert EVIL not in page(hard(), {"a": SVG})
    assert "script" not in [tag for tag, _ in found.elements]
    assert not {name for _, a in found.elements for name in a if name.startswith("on")}
    words = found.text("h1", "h2", "h3", "td", "th", "dd", "dt", "p", "code", "a", "span")
    assert words.count(EVIL) > 50


def test_all_that_was_measured_is_told(found):
    words = found.text("td", "span", "p", "dd", "b", "th", "li")
    for told in (
        "0.50",
        "± 0.12",
        "0.25",
        "± 0.0625",
        "0 to 2",
        "3, the first of 100",
        "trials/a/0123456789abcdef",
        "1:01 on one core",
    ):
        assert told in words
    chips = [a["class"] for tag, a in found.elements if tag == "span" and a.get("class", "").startswith("chip")]
    assert {kind.partition(" ")[2] for kind in chips} == {
        "holds", "consistent", "fails", "depends", "undecided", "otherdata", "notrun",
    }  # fmt: skip


def test_every_verdict_is_explained_once(found):
    terms = found.text("dd")
    for said in (
        "confirm the claim",
        "no run can prove",
        "measurements contradict the claim",
        "leaves something open",
        "chance explains",
        "another data set",
        "data are missing",
    ):
        assert terms.count(said) == 1


def test_what_was_not_run_says_why(found):
    warnings = found.text("p")
    assert warnings.count("Not run: ") == 1
    assert warnings.count("Failed: ") == 1
    assert "continues with the full run" in warnings


def test_a_full_run_is_not_called_quick():
    result = hard() | {"run": "full", "figures": ""}
    text = page(result, {})
    assert "quick run, of the first trials" not in text
    assert "There are no figures" not in text


def test_an_empty_result_is_a_page_too():
    counts = {"claims": dict.fromkeys(WORDS, 0), "printed": dict.fromkeys(NUMBER_WORDS, 0)}
    nothing = hard() | counts | {"experiments": [], "papers": []}
    found = Reading(page(nothing, {}))
    assert found.faults == []
    assert "There are no claims to judge." in found.text("p")
