"""Crammer & Singer (2005), "Online ranking by projecting": PRank and its variants."""

from __future__ import annotations

from ..experiment import Paper
from .figure_6 import FIGURE_6
from .figure_7 import FIGURE_7
from .illustrated import FIGURE_1, FIGURE_4

PAPER = Paper(
    name="crammer-singer",
    title="Online ranking by projecting",
    authors="Koby Crammer and Yoram Singer",
    published="Neural Computation 17(1), 2005",
    experiments=(FIGURE_1, FIGURE_4, FIGURE_6, *FIGURE_7),
    about="PRank learns to rate: it projects an example onto a direction, and ordered thresholds cut the line into ranks. On a "
    "mistake the direction and the thresholds that are on the wrong side move towards each other. The paper proves that "
    "mistakes are few where some rule ranks everything with a margin, gives three variants, and compares them with "
    "regression and classification.",
)
