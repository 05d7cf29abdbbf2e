"""The page as text: whole, closed to the network, and without a word of the data taken for markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from ranktron.cli.compare.report.page import page
from tests.cli import program
from tests.cli.results import EVIL, hard, played

VOID = {"meta", "link", "br", "wbr"}
SHAPES = {"path", "line", "rect", "circle"}


class Reading(HTMLParser):
    """Elements in the order in which they open, and the text in them; ends that fit no start are counted as faults."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.faults, self.texts = [], [], [], {}
        self.feed(text)
        self.close()
        self.faults += self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def text(self, *tags):
        return " ".join(part for tag in tags for part in self.texts.get(tag, []))


@pytest.fixture(scope="module")
def result():
    return played("--limit", 200, "-a", "prank,siprank,wh", "--sweep", "step=0.01,0.1", "--repeats", 3)


@pytest.mark.parametrize(
    "make", [lambda: played("--limit", 60, "-a", "prank,siprank", "--repeats", 1), hard], ids=["plain", "hard"]
)
def test_every_element_is_closed_and_nothing_is_fetched(make):
    text = page(make())
    found = Reading(text)
    assert found.faults == []
    assert not [
        value for _, attributes in found.elements for name, value in attributes.items() if name in ("src", "srcset", "action")
    ]
    assert [attributes["href"] for _, attributes in found.elements if "href" in attributes] == ["data:,"]
    assert not re.search(r"https?:|@import|url\((?!#)", text)
    policy = next(a["content"] for tag, a in found.elements if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")


def test_texts_of_the_data_are_never_markup():
    text = page(hard())
    found = Reading(text)
    assert [tag for tag, _ in found.elements].count("script") == 2  # the curves and what the page does
    assert EVIL not in text
    assert EVIL in found.text("title", "h1", "td", "th", "dd", "p", "code")
    handlers = {name for _, attributes in found.elements for name in attributes if name.startswith("on")}
    assert handlers == set()


def test_all_numbers_are_in_the_page_without_its_script(result):
    found = Reading(page(result))
    words = found.text("span", "td", "th", "h1", "p", "dd", "b", "code", "text", "caption")
    for record in result["league"]:
        assert f"{record['loss']:.4f}" in words
        assert f"± {record['loss_interval']:.4f}" in words
        assert f"{record['accuracy']:.1%}" in words
        assert record["verdict"] in words
    for one in result["data"]["labels"]:
        assert f"{one['rows']:,}" in words
        assert f"{one['rows'] / 200:.1%}" in words
    for text in (result["headline"], result["data"]["order"], result["line"], result["sweeps"][0]["told"], "Bonferroni"):
        assert text in words
    last = [f"{curve[-1]:.4f}" for curve in result["curves"]["loss"].values()]
    assert all(loss in words for loss in last)


def test_every_curve_is_drawn_named_and_has_its_band(result):
    found = Reading(page(result))
    kinds = [a.get("class", "") for tag, a in found.elements if tag == "path" and "data-place" in a]
    charts = 4  # wide and narrow, over both axes
    assert sum("curve" in kind for kind in kinds) == charts * 4
    assert sum("band" in kind for kind in kinds) == charts * 4
    for record in result["league"]:
        assert record["name"] in found.text("text")


def test_one_order_has_no_bands_and_says_why():
    text = page(played("--limit", 60, "-a", "prank,siprank", "--repeats", 1))
    assert 'class="band' not in text
    assert "With one order there are no intervals." in text
    assert "Use --repeats 5." in text


def test_curves_beyond_those_with_names_are_grey():
    found = Reading(page(hard()))
    curves = [a["class"] for tag, a in found.elements if tag == "path" and "curve" in a.get("class", "") and "data-place" in a]
    assert sum("rest" in kind for kind in curves) == 4 * (30 - 14)
    assert "The 14 best have names; the other 16 are grey." in found.text("p")


def test_lists_have_their_own_figures():
    text = page(played("synthetic", "--limit", 400, "-a", "listnet,slam", "--repeats", 2))
    assert "NDCG@10" in text
    assert "MAP" in text
    assert "accuracy" not in text
    assert "lists learned" in text


def test_points_lie_in_the_charts():
    for shape, attributes in Reading(page(hard())).elements:
        if shape == "text":
            assert 0 <= float(attributes["x"]) <= 960
            assert 0 <= float(attributes["y"]) <= 430


def test_the_report_is_there_whole_or_not_at_all(capsys, tmp_path, monkeypatch):
    path = tmp_path / "league.html"
    path.write_text("before")
    answer = program.run(capsys, "compare", "--limit", 60, "-a", "prank,siprank", "--repeats", 2, "--report", path)
    assert f"The report is in {path}." in answer.err
    assert path.read_text().endswith("</html>\n")
    path.write_text("before")

    def failing(result):
        raise ValueError("something is wrong")

    monkeypatch.setattr("ranktron.cli.compare.job.page", failing)
    answer = program.run(capsys, "compare", "--limit", 60, "-a", "prank", "--repeats", 2, "--report", path)
    assert (answer.status, answer.err) == (1, "ranktron: something is wrong\n")
    assert path.read_text() == "before"
    assert [one.name for one in tmp_path.iterdir()] == ["league.html"]


@pytest.fixture(scope="module")
def in_order():
    """A league in the order of the data, which tells of drift: of two models that do, and of one that does not."""
    return played("--limit", 1_100, "-a", "prank,wh(step=0.01),prank(average=False)", "--repeats", 1)


def test_drift_is_told_of_every_model_that_tells_it(in_order):
    told = {record["name"]: record["drift"] for record in in_order["league"]}
    assert told.pop("PRank(average=False)") is None
    text = page(in_order)
    assert Reading(text).faults == []
    for drift in told.values():
        assert drift["told"] in text
        assert [one["since"] for one in drift["movements"]] == [128, 256, 512]
        for one in drift["movements"]:
            assert f"since {one['since']:,}: {one['turn']:.1f}°" in text
            assert f"since {one['since']:,}: {max(map(abs, one['shifts'])):.2f} of a rank" in text
    assert text.count('class="strip"') == 2 * len(told)


def test_names_in_the_table_of_drift_are_no_markup(in_order):
    renamed = {**in_order, "league": [{**one, "name": EVIL} for one in in_order["league"]]}
    renamed["curves"] = {**in_order["curves"], "loss": {EVIL: in_order["curves"]["loss"]["PRank"]}}
    renamed["curves"]["interval"] = {EVIL: in_order["curves"]["interval"]["PRank"]}
    assert Reading(page(renamed)).faults == []
    assert "<script>alert" not in page(renamed)


def test_in_shuffles_there_is_no_drift_to_tell(result):
    assert all(record["drift"] is None for record in result["league"])
    assert "--repeats 1 keeps their order" in page(result)
    assert 'class="strip"' not in page(result)
