"""The page in a real browser, without a window: light and dark, wide and narrow, pointed at and printed."""

from __future__ import annotations

import itertools
import re

import pytest

from ranktron.cli.compare.report.page import page
from tests.cli.browser import Browser, Page, find
from tests.cli.results import hard, played

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    browser = Browser(find(), tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    words = ("--limit", 250, "-a", "prank,siprank,wh,prank(average=False)", "--sweep", "step=0.01,0.1", "--repeats", 3)
    for name, result in (("plain", played(*words)), ("hard", hard())):
        (folder / f"{name}.html").write_text(page(result), encoding="utf8")
    return folder


@pytest.mark.parametrize("name", ["plain", "hard"])
@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_loads_alone_in_silence_and_fits(browser, pages, name, width, dark):
    shown = Page(browser, pages / f"{name}.html", width, dark=dark)
    assert shown.complaints() == []
    assert shown.requests() == []
    assert shown.run("document.documentElement.scrollWidth") <= width
    wide = """[...document.querySelectorAll("body *")].filter(one => !one.closest(".box") && !one.closest("svg")
              && one.getBoundingClientRect().right > innerWidth + 1).map(one => one.outerHTML.slice(0, 80))"""
    assert shown.run(wide) == []


def test_on_a_wide_page_no_table_has_to_be_scrolled(browser, pages):
    shown = Page(browser, pages / "plain.html")
    hidden = shown.run("[...document.querySelectorAll('.box')].map(one => one.scrollWidth - one.clientWidth)")
    assert len(hidden) == 5  # the league, the curves as numbers, a grid, the labels, the settings
    assert max(hidden) <= 0


def test_one_chart_fits_each_width(browser, pages):
    shown = {width: Page(browser, pages / "plain.html", width) for width in (360, 1280)}
    visible = """[...document.querySelectorAll(".chart")].filter(one => one.checkVisibility()
                 && !one.closest("details")).map(one => one.classList[1])"""
    assert (shown[360].run(visible), shown[1280].run(visible)) == (["narrow"], ["wide"])
    for one in shown.values():
        sizes = one.run("""[...document.querySelectorAll(".chart text")].filter(text => text.checkVisibility())
                           .map(text => text.getBoundingClientRect().height)""")
        assert min(sizes) > 9  # as high as text that can be read


def test_names_in_the_chart_do_not_overlap(browser, pages):
    shown = Page(browser, pages / "hard.html")
    boxes = shown.run("""[...document.querySelector(".chart.wide").querySelectorAll(".name")]
                         .map(one => one.getBoundingClientRect()).map(one => [one.top, one.bottom, one.right])
                         .sort((a, b) => a[0] - b[0])""")
    assert len(boxes) == 14
    assert all(above[1] <= below[0] + 2 for above, below in itertools.pairwise(boxes))
    assert max(right for *_, right in boxes) <= 1280


def test_light_and_dark_differ(browser, pages):
    colours = {}
    for dark in (False, True):
        shown = Page(browser, pages / "plain.html", dark=dark)
        colours[dark] = shown.run("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    brightness = {dark: [sum(map(int, re.findall(r"\d+", one)[:3])) for one in found] for dark, found in colours.items()}
    assert brightness[False][0] > 700 > 250 > brightness[False][1]
    assert brightness[True][0] < 250 < 600 < brightness[True][1]


def test_pointing_at_the_chart_tells_the_losses_there(browser, pages):
    shown = Page(browser, pages / "plain.html")
    left, top = shown.run("(box => [box.left, box.top])(document.querySelector('.chart').getBoundingClientRect())")
    assert shown.run("getComputedStyle(document.querySelector('.tip')).display") == "none"
    shown.call("Input.dispatchMouseEvent", type="mouseMoved", x=left + 300, y=top + 200)
    text = shown.run("document.querySelector('.tip').innerText")
    assert re.search(r"^\d+ rows", text)
    assert len(re.findall(r"\d\.\d{4}", text)) == 5
    assert shown.run("document.querySelector('.tip').getBoundingClientRect().right") <= 1280
    assert shown.complaints() == []


def test_pointing_at_a_line_of_the_table_lights_its_curve(browser, pages):
    shown = Page(browser, pages / "plain.html", height=2500)
    x, y = shown.run(
        "(box => [box.left + 20, box.top + 10])(document.querySelectorAll('tr[data-place]')[1].getBoundingClientRect())"
    )
    shown.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    lit = shown.run("[...document.querySelector('.chart').querySelectorAll('.lit')].map(one => one.dataset.place)")
    assert set(lit) == {"1"}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_prints_dark_on_white(browser, pages, dark):
    shown = Page(browser, pages / "plain.html", dark=dark)
    paper = shown.pdf()
    assert paper.startswith(b"%PDF")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 6
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    shown.call("Emulation.setEmulatedMedia", media="print", features=[scheme])
    assert shown.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert shown.run("document.querySelector('.chart.wide').checkVisibility()") is True
    assert shown.run("document.querySelector('details').checkVisibility()") is False
