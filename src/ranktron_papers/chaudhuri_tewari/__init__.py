"""Chaudhuri & Tewari (2015), "Perceptron-like algorithms for online learning to rank": SLAM and its minimax variant."""

from __future__ import annotations

from ..experiment import Paper
from .constant import CONSTANT
from .lower import LOWER
from .separable import FIGURE_1
from .sets import MADE, MQ2008, MSLR, YAHOO, YANDEX

PAPER = Paper(
    name="chaudhuri-tewari",
    title="Perceptron-like Algorithms for Online Learning to Rank",
    authors="Sougata Chaudhuri, Ambuj Tewari",
    published="2015, arXiv 1508.00842",
    experiments=(FIGURE_1, CONSTANT, LOWER, MQ2008, MADE, MSLR, YAHOO, YANDEX),
)
