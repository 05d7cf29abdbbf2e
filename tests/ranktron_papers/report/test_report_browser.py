"""The report of a reproduction in a real browser: light and dark, on a phone, on a desk and on paper."""

from __future__ import annotations

import json
import re

import pytest

import ranktron_papers
from ranktron_papers.report.page import page
from tests.cli.asking import run
from tests.cli.browser import Browser, Page, find
from tests.ranktron_papers import madeup

from .test_report import SVG, hard

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(find(), tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranktron_papers, "all_papers", madeup.all_papers)
        patch.delenv(madeup.DATA, raising=False)
        told = run("reproduce", "--out", folder / "out")
    assert json.loads(told.out)["claims"]["not run"] == 1
    (folder / "out" / "report.html").rename(folder / "plain.html")
    (folder / "hard.html").write_text(page(hard(), {"a": SVG, "d": SVG}), encoding="utf8")
    return folder


@pytest.mark.parametrize("name", ["plain", "hard"])
@pytest.mark.parametrize("width", [360, 390, 768, 1280])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_loads_alone_in_silence_and_fits(browser, pages, name, width, dark):
    shown = Page(browser, pages / f"{name}.html", width, dark=dark)
    assert shown.complaints() == []
    assert shown.requests() == []
    shown.run("for (const one of document.querySelectorAll('details')) one.open = true")
    assert shown.run("document.documentElement.scrollWidth") <= width
    wide = """[...document.querySelectorAll("body *")].filter(one => !one.closest(".box:not(.stack)") && !one.closest(".card")
              && one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1)
              .map(one => one.outerHTML.slice(0, 80))"""
    assert shown.run(wide) == []


def test_on_a_wide_page_only_curves_have_to_be_scrolled(browser, pages):
    shown = Page(browser, pages / "hard.html")
    hidden = shown.run("""[...document.querySelectorAll('.box')].filter(one => one.checkVisibility())
                          .map(one => [one.ariaLabel, one.scrollWidth - one.clientWidth])""")
    assert len(hidden) >= 6
    assert [label for label, size in hidden if size > 0] == []


def test_claims_are_read_from_top_to_bottom_on_a_phone(browser, pages):
    shown = Page(browser, pages / "plain.html", 390)
    tops = shown.run("""[...document.querySelectorAll('.stack tbody tr')].map(row => [...row.cells].map(cell =>
                        cell.getBoundingClientRect()).map(box => [box.top, box.left, box.right]))""")
    assert len(tops) > 4
    for row in tops:
        assert [top for top, *_ in row] == sorted(top for top, *_ in row)
        assert all(left >= 0 and right <= 390 for _, left, right in row)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_chips_can_be_read_and_figures_lie_on_white(browser, pages, dark):
    shown = Page(browser, pages / "hard.html", dark=dark)
    colours = shown.run("""[...document.querySelectorAll('.chip')].map(one => getComputedStyle(one).color)""")
    background = shown.run("getComputedStyle(document.body).backgroundColor")
    assert len(set(colours)) == 5
    assert min(_contrast(colour, background) for colour in colours) >= 4.5  # as WCAG asks of text
    assert shown.run("getComputedStyle(document.querySelector('.card')).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.run("document.querySelector('.card img').naturalWidth") == 540


def _contrast(one, other):
    """The ratio of two colours' luminances, as WCAG defines it."""
    levels = [[int(part) / 255 for part in re.findall(r"\d+", text)[:3]] for text in (one, other)]
    linear = [
        [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels_of] for levels_of in levels
    ]
    bright, dim = sorted((0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in linear), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_prints_dark_on_white(browser, pages, dark):
    shown = Page(browser, pages / "plain.html", dark=dark)
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", shown.pdf())) <= 8
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    shown.call("Emulation.setEmulatedMedia", media="print", features=[scheme])
    assert shown.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    colours = shown.run("[...document.querySelectorAll('.chip')].map(one => getComputedStyle(one).color)")
    assert min(_contrast(colour, "rgb(255, 255, 255)") for colour in colours) >= 4.5
