"""Two made-up papers with experiments of every kind, and the program that knows no others."""

from __future__ import annotations

import functools
import os
import random
import time
from pathlib import Path
from typing import Any

import ranktron_papers
from ranktron.data.sets import MissingData
from ranktron_papers import Claim, DataSet, Experiment, Paper, Printed
from ranktron_papers.judging import Verdict, always, less, matches

# What the environment may say: a seed whose trial fails, seconds that a trial takes, the first seed whose trial does not end, a
# file with one number.
FAILING, PAUSE, HELD, DATA = "MADEUP_FAILING", "MADEUP_PAUSE", "MADEUP_HELD", "MADEUP_DATA"

AT = [1.0, 10.0, 100.0, 1000.0]


def coin(seed: int, data: Any, bias: float = 0.5, tosses: int = 40) -> dict[str, Any]:
    """Toss a coin, and one that is worse."""
    time.sleep(float(os.environ.get(PAUSE, "0")))
    if HELD in os.environ:
        Path(os.environ[DATA]).with_name(f"worker {os.getpid()}").touch()  # this process is ready: it has a trial to do
    while seed >= int(os.environ.get(HELD, "1000")):
        time.sleep(1.0)
    if os.environ.get(FAILING) == str(seed):
        raise ValueError("the coin fell\non its edge")
    chance = random.Random(seed)
    shares = {name: sum(chance.random() < p for _ in range(tosses)) / tosses for name, p in (("fair", bias), ("poor", bias / 2))}
    return shares | {"tails": 1.0 - shares["fair"], "curve": [shares["fair"] / at for at in AT], "other": [1.0 / at for at in AT]}


def measured(seed: int, data: float) -> dict[str, float]:
    """What the data say."""
    return {"value": data + seed}


def constant(seed: int, data: Any) -> dict[str, float]:
    """Nothing is left to chance."""
    return {"pi": 3.25}


def loaded() -> float:
    """One number in a file."""
    path = os.environ.get(DATA, "")
    if not path:
        raise MissingData("the numbers of Nobody are not there: get them from nowhere")
    return float(Path(path).read_text())


def drawn(results: Any, figure: Any) -> None:
    """A curve with its band."""
    axes = figure.add_subplot()
    mean, half = results.curve("curve")
    axes.plot(AT, mean, label="fair")
    axes.fill_between(AT, mean - half, mean + half, alpha=0.2)
    axes.set(xlabel="tosses", ylabel="share of heads")
    axes.legend()


def _depends(results: Any) -> Verdict:
    return always({"the fair one": less(results, "poor", "fair"), "the poor one": less(results, "fair", "poor")})


COIN = Experiment(
    name="coin",
    paper="nobody",
    title="Figure 1: two coins",
    about="Two coins are tossed forty times each. One of them is fair, and the other one is not.",
    trial=functools.partial(coin, bias=0.5),
    trials=12,
    quick=3,
    seconds=0.05,
    printed=(
        Printed("fair", 0.5, "Table 1, row 1", 0.05),
        Printed("poor", 0.75, "Table 1, row 2"),
        Printed("poor", 0.2, "abstract"),
    ),
    claims=(
        Claim(
            "The poor coin shows heads less often.", "section 2, first sentence", functools.partial(less, low="poor", high="fair")
        ),
        Claim("The fair coin shows heads less often.", "section 2, second sentence", lambda one: less(one, "fair", "poor")),
        Claim("One shows heads less often than the other.", "Figure 1", _depends),
    ),
    draw=drawn,
    axes={"curve": AT, "other": AT},
)
DATA_SET = Experiment(
    name="data-set",
    paper="nobody",
    title="Table 2: a number in a file",
    about="A number is read from a file.",
    trial=measured,
    trials=4,
    quick=2,
    seconds=0.01,
    claims=(Claim("The number is read.", "Table 2", lambda one: Verdict("holds", f"it is {one.values('value')[0]:g}")),),
    load=loaded,
    data_set=DataSet("the numbers of Nobody"),
)
CONSTANT = Experiment(
    name="constant",
    paper="somebody",
    title="Section 1: a number",
    about="A number that does not change.",
    trial=constant,
    trials=1,
    quick=1,
    seconds=0.01,
    printed=(Printed("pi", 3.14, "section 1"),),
    claims=(Claim("It is 3.14.", "section 1", lambda one: matches(one, Printed("pi", 3.14, ""))),),
)
LONG = Experiment("long", "somebody", "Section 2: much of it", "For a full run.", coin, 5, 0, 0.01, axes=COIN.axes)

PAPER = Paper("nobody", "On coins", "A. Nobody", "Journal of Nothing, 1900", (COIN, DATA_SET))
OTHER = Paper("somebody", "On numbers", "B. Somebody & C. Somebody", "", (CONSTANT, LONG))
PAPERS = {"nobody": PAPER, "somebody": OTHER}


def all_papers() -> dict[str, Paper]:
    """These alone."""
    return PAPERS


if __name__ == "__main__":
    from ranktron.cli import main
    from tests.ranktron_papers import madeup  # the processes of a run find its functions there

    ranktron_papers.all_papers = madeup.all_papers
    main()
