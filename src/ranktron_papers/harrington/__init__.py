"""Harrington (2003), "Online ranking/collaborative filtering using the perceptron algorithm": OAP, an ensemble of PRanks."""

from __future__ import annotations

from ..experiment import Paper
from .cystic_fibrosis import CYSTIC_FIBROSIS
from .eachmovie import EACHMOVIE
from .figure_1 import FIGURE_1
from .figure_2 import FIGURE_2
from .margin import MARGINS
from .ohsumed import OHSUMED
from .table_1 import TABLE_1
from .tau import TAU_AND_N

PAPER = Paper(
    name="harrington",
    title="Online ranking/collaborative filtering using the perceptron algorithm",
    authors="Edward F. Harrington",
    published="ICML 2003",
    experiments=(FIGURE_1, FIGURE_2, TABLE_1, TAU_AND_N, MARGINS, OHSUMED, CYSTIC_FIBROSIS, EACHMOVIE),
    about="PRank stops at the first rule that fits. Harrington runs many PRanks at once, shows each of them a random part of the "
    "stream, and puts them together: by the mean of their rules (OAP-BPM), the mean of their ranks (OAP-Bagg), or that mean "
    "by votes (OAP-VP). He reports that the mean rule generalises best.",
)
