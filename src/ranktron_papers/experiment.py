"""What an experiment is: trials that measure numbers, the numbers that a paper prints, and the paper's claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .judging import Verdict
    from .results import Results

# What one trial measures, by name: single numbers, and curves as lists. A curve has the same length in every trial.
Numbers = dict[str, float | list[float]]


class Printed(NamedTuple):
    """A number that a paper prints; ``number`` is the name of the measured one that it is compared with."""

    number: str
    value: float
    source: str
    # Half the width of the interval that the paper gives.
    half: float | None = None


class Claim(NamedTuple):
    """A statement of a paper, and the rule that judges it by the measured numbers."""

    text: str
    source: str
    judge: Callable[[Results], Verdict]


class DataSet(NamedTuple):
    """The data set that a paper used, and the one that an experiment runs on."""

    paper: str
    # Its name, or a function from the loaded data to the name; empty if it is the paper's own.
    used: str | Callable[[Any], str] = ""

    def stand_in(self, data: Any = None) -> str:
        """A note for results on another data set than the paper's; empty for the paper's own.

        >>> DataSet("EachMovie", "MovieLens").stand_in(), DataSet("EachMovie").stand_in()
        ('MovieLens, standing in for EachMovie', '')
        """
        used = self.used(data) if callable(self.used) else self.used
        return f"{used}, standing in for {self.paper}" if used and used != self.paper else ""


class Experiment(NamedTuple):
    """A number of trials, each a pure function of its seed (0, 1, 2, …) and of the data.

    ``trial`` must be a function at the top of its module, so that it can be sent to other processes. ``load`` returns the data or
    raises ``MissingData``. ``draw`` draws into a matplotlib figure. ``axes`` holds the x values of every curve, by name.
    """

    name: str
    paper: str
    title: str
    # What the experiment does, for a reader who does not know the paper: two to four sentences.
    about: str
    trial: Callable[[int, Any], Numbers]
    trials: int
    # The number of trials in a quick run, which takes the first ones; 0 leaves the experiment out.
    quick: int
    # How long a trial takes on one core, roughly.
    seconds: float
    printed: tuple[Printed, ...] = ()
    claims: tuple[Claim, ...] = ()
    draw: Callable[[Results, Any], None] | None = None
    axes: dict[str, list[float]] = {}
    load: Callable[[], Any] | None = None
    # The data set that is used; required if data are loaded, or generated in place of a paper's data set.
    data_set: DataSet | None = None


class Paper(NamedTuple):
    """A paper and its experiments."""

    name: str
    title: str
    authors: str
    published: str
    experiments: tuple[Experiment, ...]
    # What the paper is about, for a reader who does not know it: two or three sentences.
    about: str = ""
