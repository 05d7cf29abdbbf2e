"""`ranktron predict` of tables: columns by their names, and answers beside the rows they are of."""

from __future__ import annotations

import json
from pathlib import Path

import polars
import pytest

from ranktron import algorithms
from tests.cli.asking import fails, lists, ratings, run, saved, svmlight

REVIEWS = """stars,id,price,city
4,007,1.50,Rome
1,008,-2.25,"Paris, France"
3,009,0.10,Rome
2,010,-0.75,Oslo
4,011,2.00,Rome
1,012,-1.00,"Paris, France"
"""


@pytest.fixture
def reviews(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model that has learned from a CSV with text in it."""
    monkeypatch.chdir(tmp_path)
    Path("reviews.csv").write_text(REVIEWS)
    assert run("learn", "reviews.csv", "--target", "stars", "--drop", "id", "--model", "m.ranktron", "--quiet").status == 0
    return tmp_path


# Tables


def test_columns_are_found_by_their_names_and_need_no_labels(reviews: Path) -> None:
    rows = [line.split(",", 3) for line in REVIEWS.splitlines()]
    Path("turned.csv").write_text("".join(f"{city},{price}\n" for _, _, price, city in rows))
    assert run("predict", "m.ranktron", "turned.csv").lines == run("predict", "m.ranktron", "reviews.csv").lines


def test_a_column_that_was_not_learned_from_is_left_out_with_a_note(reviews: Path) -> None:
    Path("more.csv").write_text("price,colour,city,size\n1.5,red,Rome,3\n")
    told = run("predict", "m.ranktron", "more.csv")
    assert told.err == "ignored, because the model has not learned from them: colour, size\n"
    assert told.lines == run("predict", "m.ranktron", "reviews.csv").lines[:1]
    assert run("predict", "m.ranktron", "more.csv", "--quiet").err == ""


def test_a_column_that_is_missing_is_refused(reviews: Path) -> None:
    Path("less.csv").write_text("city\nRome\n")
    assert "less.csv has no column 'price'" in fails("predict", "m.ranktron", "less.csv")


def test_a_model_of_a_data_frame_finds_its_columns_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, y = ratings()
    frame = polars.DataFrame(X, schema=["a", "b", "c", "d"])
    model = algorithms.PRank().partial_fit(frame, y)
    model.save("m.ranktron")
    frame.select("d", "b", "a", "c").write_csv("rows.csv")
    assert run("predict", "m.ranktron", "rows.csv").lines == [str(label) for label in model.predict(X).tolist()]
    frame.select("d", "b", "a").write_csv("rows.csv")
    assert fails("predict", "m.ranktron", "rows.csv") == "the data have no numeric column 'c', which the model has learned from"


def test_names_and_numbers_of_features_do_not_mix(reviews: Path) -> None:
    X, y = ratings()
    svmlight(reviews / "rows.svm", X, y)
    assert "has learned features with names, but the data have features by number" in fails("predict", "m.ranktron", "rows.svm")
    saved(reviews / "numbers.ranktron", "PRank", X, y)
    assert "has learned features by number" in fails("predict", "numbers.ranktron", "reviews.csv")


# Beside the rows


def test_cells_stay_as_they_are_and_answers_come_behind(reviews: Path) -> None:
    labels = run("predict", "m.ranktron", "reviews.csv").lines
    scores = run("predict", "m.ranktron", "reviews.csv", "--scores").lines
    told = run("predict", "m.ranktron", "reviews.csv", "--append", "--scores").lines
    assert told[0] == "stars,id,price,city,prediction,score"
    assert told[1:] == [f"{line},{label},{score}" for line, label, score in zip(REVIEWS.splitlines()[1:], labels, scores)]


def test_lines_without_a_header_get_none(reviews: Path) -> None:
    Path("bare.csv").write_text("".join(REVIEWS.splitlines(True)[1:]))
    run("learn", "bare.csv", "--no-header", "-t", "c1", "--drop", "c2", "-m", "bare.ranktron", "--quiet")
    labels = run("predict", "bare.ranktron", "bare.csv").lines
    told = run("predict", "bare.ranktron", "bare.csv", "--append").lines
    assert told == [f"{line},{label}" for line, label in zip(REVIEWS.splitlines()[1:], labels, strict=True)]


def test_tabs_stay_tabs(reviews: Path) -> None:
    rows = polars.read_csv("reviews.csv", schema_overrides={"id": polars.String})
    rows.write_csv("reviews.tsv", separator="\t")
    told = run("predict", "m.ranktron", "reviews.tsv", "--append").lines
    assert told[0] == "stars\tid\tprice\tcity\tprediction"
    assert [line.split("\t")[-1] for line in told[1:]] == run("predict", "m.ranktron", "reviews.csv").lines


def test_parquet_becomes_csv(reviews: Path) -> None:
    polars.read_csv("reviews.csv").write_parquet("reviews.parquet")
    told = polars.read_csv(run("predict", "m.ranktron", "reviews.parquet", "--append").out.encode())
    assert told.columns == ["stars", "id", "price", "city", "prediction"]
    assert list(map(str, told["prediction"])) == run("predict", "m.ranktron", "reviews.csv").lines


def test_json_lines_get_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    records = [
        {"stars": 1 + i % 3, "price": i % 3 - 0.5, "who": {"city": "Łódź"}, "tags": ["a", "b"][: i % 2]} for i in range(12)
    ]
    Path("rows.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert run("learn", "rows.jsonl", "--target", "stars", "-m", "m.ranktron", "--quiet").status == 0
    told = [json.loads(line) for line in run("predict", "m.ranktron", "rows.jsonl", "--append", "--scores").lines]
    labels = run("predict", "m.ranktron", "rows.jsonl").lines
    assert [record | {"prediction": int(label)} for record, label in zip(records, labels)] == [
        {name: value for name, value in one.items() if name != "score"} for one in told
    ]
    assert [one["score"] for one in told] == [
        float(line) for line in run("predict", "m.ranktron", "rows.jsonl", "--scores").lines
    ]
    assert "Łódź" in run("predict", "m.ranktron", "rows.jsonl", "--append").out


def test_places_are_a_column_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    X, y, qid = lists()
    polars.DataFrame(X, schema=["a", "b", "c", "d"]).with_columns(grade=y, query=qid).write_csv("rows.csv")
    assert run("learn", "rows.csv", "-t", "grade", "-q", "query", "-m", "m.ranktron", "--quiet").status == 0
    told = polars.read_csv(run("predict", "m.ranktron", "rows.csv", "--append", "--rank").out.encode())
    assert told.columns[-2:] == ["prediction", "place"]
    by_score = told.select(polars.col("prediction").rank("ordinal", descending=True).over("query"))["prediction"]
    assert by_score.to_list() == told["place"].to_list()


def test_a_name_that_is_taken_is_refused(reviews: Path) -> None:
    Path("told.csv").write_text("price,city,prediction\n1,Rome,3\n")
    assert fails("predict", "m.ranktron", "told.csv", "--append", "--quiet").startswith(
        "--append: the data already have a column 'prediction'"
    )
