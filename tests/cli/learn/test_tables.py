"""Tables: labels that are words, columns of text, and rows as mappings."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ranktron
from tests.cli.program import run

VERDICTS = ["poor", "fair", "good"]


def rows(n, seed=0):
    """Mappings of a number and a word, and their verdicts."""
    random = np.random.default_rng(seed)
    price, city = random.normal(size=n).round(2).tolist(), random.choice(["Rome", "Oslo", "Bern"], n).tolist()
    worth = np.array(price) + (np.array(city) == "Rome") + random.normal(size=n) / 4
    return [{"price": p, "city": c, "verdict": VERDICTS[place]} for p, c, place in zip(price, city, np.digitize(worth, [0, 1]))]


def write_csv(path, records):
    lines = [",".join(map(str, record.values())) for record in records]
    path.write_text("\n".join([",".join(records[0]), *lines]) + "\n")


def write_jsonl(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def one_by_one(records, **parameters):
    """What the library learns from the same rows as mappings, predicting each before it is learned."""
    model, told = ranktron.Rater(**parameters), []
    for record in records:
        x = {"price": record["price"], f"city={record['city']}": 1.0}
        told.append(model.predict_one(x))
        model.learn_one(x, record["verdict"])
    return model, told


@pytest.mark.parametrize(("name", "write"), [("a.csv", write_csv), ("a.jsonl", write_jsonl)])
def test_labels_in_an_order_that_is_given(tmp_path, capsys, name, write):
    records = rows(120)
    write(tmp_path / name, records)
    answer = run(capsys, "learn", tmp_path / name, "--target", "verdict", "--classes", "poor, fair,good", "-m", tmp_path / "m")
    model, told = one_by_one(records, classes=VERDICTS)
    off = [abs(VERDICTS.index(one) - VERDICTS.index(record["verdict"])) for one, record in zip(told, records)]
    assert answer.result["loss"] == pytest.approx(np.mean(off))
    assert answer.result["classes"] == VERDICTS
    kept = ranktron.load(tmp_path / "m")
    for record in rows(20, seed=1):
        x = {"price": record["price"], f"city={record['city']}": 1.0}
        assert kept.predict_one(x) == model.predict_one(x)
    assert "one-hot encoded" in answer.err
    assert "labels in order" not in answer.err


def test_the_order_of_words_is_told_where_nobody_gave_it(tmp_path, capsys):
    write_csv(tmp_path / "a.csv", rows(60))
    answer = run(capsys, "learn", tmp_path / "a.csv", "-t", "verdict")
    assert "labels in order: fair < good < poor; use --classes for another order\n" in answer.err
    assert run(capsys, "learn", tmp_path / "a.csv", "-t", "verdict", "--quiet").err == ""


def test_columns_that_are_left_out(tmp_path, capsys):
    write_csv(tmp_path / "a.csv", rows(60))
    told = run(capsys, "learn", tmp_path / "a.csv", "-t", "verdict", "--drop", "city", "-m", tmp_path / "m").result
    assert told["features"] == 1
    assert ranktron.load(tmp_path / "m").feature_names_in_.tolist() == ["price"]


def test_lists_by_a_column(tmp_path, capsys):
    records = [{"grade": row % 3, "list": row // 5, "a": (row * 7) % 11, "b": row % 4} for row in range(100)]
    write_csv(tmp_path / "a.csv", records)
    told = run(capsys, "learn", tmp_path / "a.csv", "-t", "grade", "--query", "list", "-m", tmp_path / "m").result
    X, y = np.array([[one["a"], one["b"]] for one in records]), np.array([one["grade"] for one in records])
    model = ranktron.Ranker().partial_fit(X, y, qid=[one["list"] for one in records])
    assert (told["algorithm"], told["lists"], told["examples"]) == ("ranker", 20, 100)
    assert np.array_equal(ranktron.load(tmp_path / "m").coef_, model.coef_)


def test_a_label_that_the_model_has_never_seen_is_none_to_test_by(tmp_path, capsys):
    write_csv(tmp_path / "a.csv", rows(60))
    write_csv(tmp_path / "b.csv", [{**row, "verdict": "superb"} for row in rows(5)])
    answer = run(capsys, "learn", tmp_path / "a.csv", "-t", "verdict", "--test", tmp_path / "b.csv", "-m", tmp_path / "m")
    assert answer.status == 1
    assert f"{tmp_path}/b.csv: label 'superb' is not among the labels of the model: 'fair', 'good', 'poor'" in answer.err
    assert (tmp_path / "m").exists()  # what was learned is not lost


def test_a_table_needs_a_target(tmp_path, capsys):
    write_csv(tmp_path / "a.csv", rows(5))
    answer = run(capsys, "learn", tmp_path / "a.csv")
    assert answer.status == 1
    assert "price, city, verdict" in answer.err
    assert "--target" in answer.err


def test_more_of_the_same_table_needs_no_options(tmp_path, capsys):
    records = rows(100)
    write_csv(tmp_path / "a.csv", records[:60])
    write_csv(tmp_path / "b.csv", records[60:])
    run(capsys, "learn", tmp_path / "a.csv", "-t", "verdict", "--classes", ",".join(VERDICTS), "-m", tmp_path / "m")
    answer = run(capsys, "learn", tmp_path / "b.csv", "--resume", tmp_path / "m", "-m", tmp_path / "m")
    assert answer.result["examples"] == 40
    model, _ = one_by_one(records, classes=VERDICTS)
    kept = ranktron.load(tmp_path / "m")
    assert dict(zip(kept.feature_names_in_, kept.coef_)) == pytest.approx(dict(zip(model.feature_names_in_, model.coef_)))


def test_rows_that_are_not_answered_are_counted(tmp_path, capsys):
    write_csv(tmp_path / "a.csv", rows(300))
    words = ["-t", "verdict", "-a", "predtron", "--task", "Multiclass(reject=0.2)", "--drop", "city"]
    told = run(capsys, "learn", tmp_path / "a.csv", *words).result
    model = ranktron.Predtron(ranktron.tasks.Multiclass(reject=0.2))
    records = rows(300)
    answers = model.predict_then_learn([[one["price"]] for one in records], [one["verdict"] for one in records])
    answered = [one is not None for one in answers]
    right = [one == record["verdict"] for one, record in zip(answers, records) if one is not None]
    assert told["rejected"] == pytest.approx(1 - np.mean(answered))
    assert told["accuracy"] == pytest.approx(np.mean(right))
    assert 0 < told["rejected"] < 1
