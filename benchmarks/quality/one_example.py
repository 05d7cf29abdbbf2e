"""One example at a time: the cost of learning with Rater, compared with River's logistic regression."""

from __future__ import annotations

from functools import partial
from typing import Any

from river import linear_model

import ranktron

from ..one import interpreted
from ..peers import learn_all, mappings
from ..problems import CLASSES, Problem, linear
from ..report import Bar, Line, Section, at_most
from ..timing import Race, Run

ROUNDS, EXAMPLES, FEW, FEATURES = 15, 3_000, 200, 20
RIVER = "River's `LogisticRegression`: predict and learn, mapping"
BARS: dict[str, Bar] = {"`Rater`: learn, array": at_most(1), "`Rater`: learn, mapping": at_most(1)}
NOTES = f"""\
{EXAMPLES:,} examples of {FEATURES} features, one call each ({FEW} before anything is compiled), to models that are not reset
between rounds; times against that of {RIVER}, which separates two classes, while `Rater` learns {len(CLASSES)} ranks."""


def sections() -> list[Section]:
    """One table."""
    race = Race(ROUNDS)
    runs = contenders(linear(EXAMPLES, FEATURES, fresh=1_000))
    for name, run in runs.items():
        race.add(name, lambda run=run: run, FEW if name.endswith("yet") else EXAMPLES)
    race.run()
    lines = [Line(name, race.cost(name, RIVER), BARS.get(name)) for name in runs if name != RIVER]
    return [Section("One example at a time: `Rater`", NOTES, lines)]


def contenders(problem: Problem) -> dict[str, Run]:
    """The models, which know all ranks before the race."""
    dicts, labels, arrays = mappings(problem.X), problem.y.tolist(), list(problem.X)
    binary = [label > 2 for label in labels]
    river = linear_model.LogisticRegression()
    return {
        RIVER: partial(answer_and_learn, river, dicts, binary),
        "River's `LogisticRegression`: learn, mapping": partial(
            learn_all, linear_model.LogisticRegression().learn_one, dicts, binary
        ),
        "`Rater`: learn, array": partial(learn_all, rater().learn_one, arrays, labels),
        "`Rater`: learn, mapping": partial(learn_all, rater().learn_one, dicts, labels),
        "`Rater`: predict and learn, array": partial(answer_and_learn, rater(), arrays, labels),
        "`Rater`: predict and learn, mapping": partial(answer_and_learn, rater(), dicts, labels),
        "`Rater`: learn, array, not compiled yet": interpreted(partial(learn_all, rater().learn_one, arrays[:FEW], labels[:FEW])),
        "`PRank`: learn, array": partial(learn_all, ranktron.PRank(classes=CLASSES).learn_one, arrays, labels),
    }


def rater() -> ranktron.Rater:
    """A PRank with its classes given."""
    return ranktron.Rater(classes=CLASSES)


def answer_and_learn(model: Any, examples: list[Any], labels: list[Any]) -> None:
    """Predict, then learn."""
    for x, y in zip(examples, labels, strict=True):
        model.predict_one(x)
        model.learn_one(x, y)
