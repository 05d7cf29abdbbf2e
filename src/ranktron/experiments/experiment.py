"""What an experiment is: trials that give numbers, the numbers that a paper prints, and what it claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .judging import Verdict
    from .results import Results

Numbers = dict[str, float | list[float]]
"""What one trial measures: single numbers, and curves as lists, which have the same length in every trial."""


class Printed(NamedTuple):
    """A number that a paper prints, and which of ours it is to be compared with."""

    number: str
    value: float
    source: str
    half: float | None = None
    """Half of the interval that the paper gives."""


class Claim(NamedTuple):
    """A sentence of a paper that numbers can decide."""

    text: str
    source: str
    judge: Callable[[Results], Verdict]


class DataSet(NamedTuple):
    """The data set that a paper used, and the one that an experiment runs on."""

    paper: str
    used: str | Callable[[Any], str] = ""
    """Its name, or a function from the loaded data to the name; it is the paper's data set if this is empty."""

    def stand_in(self, data: Any = None) -> str:
        """What is said of results on another data set than the paper's; empty for the paper's own.

        >>> DataSet("EachMovie", "MovieLens").stand_in(), DataSet("EachMovie").stand_in()
        ('MovieLens, standing in for EachMovie', '')
        """
        used = self.used(data) if callable(self.used) else self.used
        return f"{used}, standing in for {self.paper}" if used and used != self.paper else ""


class Experiment(NamedTuple):
    """So many trials, each a pure function of its seed (0, 1, 2 and so on) and of the data; a quick run takes the first ones.

    ``trial`` is a function at the top of its module, as processes share it. ``load`` gives the data, or raises ``MissingData``.
    ``draw`` fills a figure of matplotlib. ``axes`` says where the points of curves lie, by name.
    """

    name: str
    paper: str
    title: str
    about: str
    """What is done, for a reader who has not read the paper: two to four sentences."""
    trial: Callable[[int, Any], Numbers]
    trials: int
    quick: int
    """Trials of a quick run; 0 to leave it out there."""
    seconds: float
    """What a trial takes on one core, roughly."""
    printed: tuple[Printed, ...] = ()
    claims: tuple[Claim, ...] = ()
    draw: Callable[[Results, Any], None] | None = None
    axes: dict[str, list[float]] = {}
    load: Callable[[], Any] | None = None
    data_set: DataSet | None = None
    """Which data set these are; needed where data are loaded, and where they are drawn in place of a paper's data set."""


class Paper(NamedTuple):
    """A paper and its experiments."""

    name: str
    title: str
    authors: str
    published: str
    experiments: tuple[Experiment, ...]
    about: str = ""
    """What it is about, for a reader who has not read it: two or three sentences."""
