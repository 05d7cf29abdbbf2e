"""Grids in the same reading: their points, their winners and how sure these are; and who plays, as it is typed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ranktron import algorithms, doors, metrics
from ranktron.cli.compare.entries import entries, grids, parts, typed, usual_raters
from ranktron.data import synthetic
from tests.cli import program


def compared(capsys, *words):
    return program.run(capsys, "compare", "--limit", 250, *words, "--json").result


def names(texts, sweeps=(), usual=()):
    return [entry.name for entry in entries(texts, grids(sweeps), usual)]


def test_a_grid_is_the_product_of_its_values():
    found = names(["wh"], ["step=0.1,1", "average=True,False"])
    pairs = [f"(average={average}, step={step})" for average in ("True", "False") for step in ("0.1", "1")]
    assert sorted(found) == sorted(f"WidrowHoff{pair}" for pair in pairs)


def test_parameters_are_swept_where_they_are_and_where_they_are_open():
    found = names(["prank", "oap", "oap(tau=0.9)", "wh"], ["step=0.1,1", "tau=0.2,0.4"])
    assert found == ["PRank", "OAP(tau=0.2)", "OAP(tau=0.4)", "OAP(tau=0.9)", "WidrowHoff(step=0.1)", "WidrowHoff(step=1)"]


def test_what_is_named_twice_plays_once():
    assert names(["prank", "PRank", "prank()"]) == ["PRank"]


def test_values_may_hold_commas_in_brackets():
    assert parts('slam(step=AdaGrad(0.1), margin=2), "a,b"') == ["slam(step=AdaGrad(0.1), margin=2)", '"a,b"']
    assert grids(["step=AdaGrad(0.1),0.5", "step=2"]) == {"step": ["AdaGrad(0.1)", "0.5", "2"]}
    assert typed("noprank(trigger=margin)") == ("noprank", {"trigger": "margin"})


def test_a_name_can_be_typed_again():
    for text in usual_raters(3.0, 50.0, curved=True):
        (name,) = names([text])
        assert names([name]) == [name]


@pytest.mark.parametrize(("largest", "norm"), [(0.0, 0.0), (1e-9, 1e-17), (0.7, 1.0), (255.0, 1e6), (1e200, 1e300)])
def test_the_usual_settings_suit_rows_of_any_size(largest, norm):
    found = {entry.algorithm: entry for entry in entries([], {}, usual_raters(largest, norm))}
    assert set(found) == set(doors.RATERS)
    assert found["MuPRank"].make().radius > largest
    step = found["WidrowHoff"].make().step
    assert step > 0
    assert step * norm < 2  # where it would diverge


def test_each_point_is_a_run_of_its_own(capsys):
    result = compared(capsys, "-a", "wh", "--sweep", "step=0.01,0.3", "--repeats", 2)
    X, y = synthetic.crammer_singer(250, seed=0)
    for record in result["league"]:
        for repeat, loss in enumerate(record["losses"]):
            order = np.random.Generator(np.random.PCG64([0, repeat])).permutation(250)
            model = algorithms.WidrowHoff(step=float(record["settings"]["step"]), classes=[1, 2, 3, 4, 5])
            assert loss == metrics.mean_absolute_error(y[order], model.predict_then_learn(X[order], y[order]))


def test_the_winner_of_each_grid_is_marked_with_how_sure_it_is(capsys):
    result = compared(capsys, "-a", "prank,wh", "--sweep", "step=0.001,0.1,0.2", "--repeats", 4)
    (grid,) = result["sweeps"]
    points = grid["points"]
    assert grid["family"] == "WidrowHoff"
    assert [point["loss"] for point in points] == sorted(point["loss"] for point in points)
    assert grid["best"] == points[0]["name"]
    losses = {record["name"]: record["losses"] for record in result["league"]}
    for point in points[1:]:
        p = stats.ttest_rel(losses[point["name"]], losses[grid["best"]]).pvalue
        assert point["verdict"] == ("sure at 95 %" if 2 * p < 0.05 else "not told apart")
    assert {point["verdict"] for point in points} >= {"best", "sure at 95 %"}
    assert grid["told"].startswith(f"WidrowHoff: step={points[0]['point']['step']} is best of 3")


def test_a_winner_at_the_edge_is_said(capsys):
    low = compared(capsys, "-a", "wh", "--sweep", "step=0.1,3,30", "--repeats", 1)
    assert low["notes"][-1] == "The best step of WidrowHoff, 0.1, is at the edge of the grid; try smaller values."
    high = compared(capsys, "-a", "wh", "--sweep", "step=0.0001,0.001,0.01", "--repeats", 1)
    assert high["notes"][-1] == "The best step of WidrowHoff, 0.01, is at the edge of the grid; try larger values."
    inside = compared(capsys, "-a", "wh", "--sweep", "step=0.0001,0.1,30", "--repeats", 1)
    assert not any("edge" in note for note in inside["notes"])


def test_there_is_no_edge_where_there_is_nothing_beyond(capsys):
    result = compared(capsys, "-a", "oap(n_members=5)", "--sweep", "tau=0.05,1.0", "--repeats", 1)
    assert result["sweeps"][0]["best"].endswith("tau=1.0)")
    assert result["notes"] == []


def test_words_have_no_edge(capsys):
    result = compared(capsys, "-a", "prank", "--sweep", "ties=paper,strict", "--repeats", 2)
    assert len(result["league"]) == 2
    assert not any("edge" in note for note in result["notes"])
