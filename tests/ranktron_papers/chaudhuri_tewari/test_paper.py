"""All experiments of Chaudhuri & Tewari, and their figures."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from matplotlib.figure import Figure

from ranktron_papers import Results
from ranktron_papers.chaudhuri_tewari import PAPER
from ranktron_papers.chaudhuri_tewari.lists import READINGS
from ranktron_papers.chaudhuri_tewari.lower import LENGTHS, RANKERS
from ranktron_papers.chaudhuri_tewari.sets import MADE, MSLR

EXPERIMENTS = {experiment.name: experiment for experiment in PAPER.experiments}


def test_every_experiment_is_the_papers_own_and_can_be_sent_to_a_process():
    assert len(EXPERIMENTS) == len(PAPER.experiments)
    for experiment in PAPER.experiments:
        assert experiment.paper == PAPER.name
        assert experiment.name.startswith("chaudhuri-tewari-")
        assert 0 <= experiment.quick <= experiment.trials
        assert len(pickle.loads(pickle.dumps((experiment.trial, experiment.load)))) == 2
        assert all(len(places) <= 200 for places in experiment.axes.values())


def test_every_claim_says_where_it_stands():
    claims = [claim for experiment in PAPER.experiments for claim in experiment.claims]
    assert all(any(word in claim.source for word in ("Section", "Figure", "Theorem")) for claim in claims)
    for experiment in PAPER.experiments:
        assert len({(claim.text, claim.source) for claim in experiment.claims}) == len(experiment.claims)


def rising(experiment, **numbers):
    """Two trials whose curves rise from 0.5, and what else the figure needs."""
    curves = {name: np.linspace(0.5, 1.0, len(places)) for name, places in experiment.axes.items()}
    return Results(
        [{**{name: (curve + shift).tolist() for name, curve in curves.items()}, **numbers} for shift in (0.0, 0.01)], False
    )


NEEDED = {
    "chaudhuri-tewari-constant-loss": {f"{reading}: bound, MinimaxRank for NDCG@10": 100.0 for reading in READINGS},
    "chaudhuri-tewari-lower-bound": {"least margin over γ": 2.0},
    MADE.name: {f"as given: {title}, random order": 0.4 for title in ("AP", "NDCG@10")},
    MSLR.name: {f"{way}: {title}, random order": 0.4 for way in ("as given", "scaled") for title in ("AP", "NDCG@10")},
}
# Panels, and lines in each.
PANELS = {
    "chaudhuri-tewari-figure-1": (3, 3),
    "chaudhuri-tewari-constant-loss": (3, 5),
    "chaudhuri-tewari-lower-bound": (1, 3 + len(RANKERS) * len(LENGTHS)),
    MADE.name: (2, 7),
    MSLR.name: (4, 7),
}


@pytest.mark.parametrize("name", PANELS)
def test_figures(name):
    experiment, figure = EXPERIMENTS[name], Figure(figsize=(7.5, 4.4))
    experiment.draw(rising(experiment, **NEEDED.get(name, {})), figure)
    assert [len(axes.lines) for axes in figure.axes] == [PANELS[name][1]] * PANELS[name][0]
    assert all(axes.get_xlabel() for axes in figure.axes)
    assert figure.axes[0].get_ylabel()
    assert figure.legends or figure.axes[0].get_legend()
    figure.draw_without_rendering()
