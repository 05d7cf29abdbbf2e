"""PRank's time per row compared with River and Vowpal Wabbit, which take rows one at a time."""

from __future__ import annotations

from functools import partial

import ranktron

from .peers import River, VowpalWabbit, mappings, river_classifier, river_regression, texts
from .problems import CLASSES, Problem, linear
from .report import Line, Section
from .timing import Race, Run

ROUNDS, SUBSET = 5, 20_000
OURS = "PRank"
NOTES = (
    f"Ranktron learns 1,000,000 × 20 in one `partial_fit`, the others the first {SUBSET:,} of these rows; times are per row. "
    "Making River's mappings is not timed, nor is making Vowpal Wabbit's text unless stated. Their quality is in a table "
    "below."
)


def sections() -> list[Section]:
    """One table of the cost per row."""
    problem = linear(1_000_000, 20)
    race = Race(ROUNDS)
    race.add(OURS, lambda: partial(ranktron.PRank(classes=CLASSES).partial_fit, problem.X, problem.y), len(problem.y))
    part = problem._replace(X=problem.X[:SUBSET], y=problem.y[:SUBSET])
    names = [*add_river(race, part), *add_vowpal_wabbit(race, part)]
    race.run()
    lines = [Line(f"`PRank()` against {name}: times as fast", race.speed(OURS, name)) for name in names]
    return [Section("River and Vowpal Wabbit, per row of 20 features", NOTES, lines)]


def add_river(race: Race, problem: Problem) -> list[str]:
    """Loops of ``learn_one``."""
    examples, labels = mappings(problem.X), problem.y.tolist()
    makers = {
        "River's `LinearRegression.learn_one`": river_regression,
        "River's `OneVsRestClassifier(Perceptron()).learn_one`": river_classifier,
    }
    for name, make in makers.items():
        race.add(name, lambda make=make: learning(make(), examples, labels), SUBSET)
    return list(makers)


def learning(model: River, examples: list, labels: list) -> Run:
    """One pass of a new model."""
    return partial(model.learn, examples, labels)


def add_vowpal_wabbit(race: Race, problem: Problem) -> list[str]:
    """From parsed examples, from text, and including the writing of the text."""
    lines = texts(problem.X, problem.y)
    names = {
        "Vowpal Wabbit's regression on parsed examples": partial(learning_parsed, lines),
        "Vowpal Wabbit's regression on text": lambda: partial(VowpalWabbit().learn, lines),
        "Vowpal Wabbit's regression on text, making it counted": lambda: partial(learn_as_text, VowpalWabbit(), problem),
        "Vowpal Wabbit's `--oaa 5` on text": lambda: partial(VowpalWabbit("--oaa 5").learn, lines),
    }
    for name, prepare in names.items():
        race.add(name, prepare, SUBSET)
    return list(names)


def learning_parsed(lines: list[str]) -> Run:
    """A new workspace with its examples."""
    peer = VowpalWabbit()
    return partial(peer.learn, peer.parse(lines))


def learn_as_text(peer: VowpalWabbit, problem: Problem) -> VowpalWabbit:
    """Learn from an array by way of text."""
    return peer.learn(texts(problem.X, problem.y))
