"""The entries of a league: typed algorithms, the default ones, and grids of parameters."""

from __future__ import annotations

import ast
import difflib
import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..shared.algorithms import RANKING, RATING, class_of, make, offered, read
from .league import Entry

RATERS = (
    "rater",
    "prank",
    "prank(average=False)",
    "siprank",
    "noprank(trigger=margin)",
    "muprank(signed=True, radius={radius})",
    "rommaprank",
    "arowprank",
    "ordinallogit",
    "oap",
    "voted(limit=10)",
    "multiclassperceptron",
    "widrowhoff(step={step})",
)
# For the papers' stream, whose grades are not linearly separable.
CURVED = "prank(kernel=Gaussian(1.0), budget=500, average=False)"

RANKERS = ("ranker", "listnet", "slam", "slam(soften=0.5)", "minimaxrank")


def parts(text: str) -> list[str]:
    """The parts of a text between commas that are not in brackets or quotes.

    >>> parts("prank, oap(tau=0.2, n_members=9),wh")
    ['prank', 'oap(tau=0.2, n_members=9)', 'wh']
    """
    found, depth, quote = [""], 0, ""
    for letter in text:
        quote = "" if letter == quote else quote or (letter if letter in "'\"" else "")
        depth += not quote and (letter in "([") - (letter in ")]")
        if letter == "," and not depth and not quote:
            found.append("")
        else:
            found[-1] += letter
    return [one.strip() for one in found if one.strip()]


def typed(text: str) -> tuple[str, dict[str, str]]:
    """A typed algorithm: its name, and its parameters as texts.

    >>> typed("slam(measure=ndcg@5, step=AdaGrad(0.1))")
    ('slam', {'measure': 'ndcg@5', 'step': 'AdaGrad(0.1)'})
    """
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        node = None
    if isinstance(node, ast.Name):
        return node.id, {}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args and all(one.arg for one in node.keywords):
        return node.func.id, {str(one.arg): ast.get_source_segment(text, one.value) or "" for one in node.keywords}
    raise ValueError(f"--algorithms: {text!r} is not valid; write a name, or a name with parameters such as oap(tau=0.2)")


def named(algorithm: str, texts: Mapping[str, str]) -> str:
    """The name of an entry, as it could be typed."""
    settings = ", ".join(f"{name}={text}" for name, text in texts.items())
    return f"{class_of(algorithm).__name__}({settings})" if settings else str(class_of(algorithm).__name__)


def grids(sweeps: Sequence[str]) -> dict[str, list[str]]:
    """The values of every swept parameter, as texts."""
    found: dict[str, list[str]] = {}
    for text in sweeps:
        name, equals, values = text.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not parts(values):
            raise ValueError(f"--sweep {text!r} is not valid; write a parameter and its values, such as step=0.01,0.1,1")
        found[name] = list(dict.fromkeys([*found.get(name, []), *parts(values)]))
    return found


def ranks(texts: Sequence[str]) -> bool | None:
    """Whether the algorithms rank lists; None if none is named. A league of both kinds is refused."""
    names = [class_of(typed(text)[0]).__name__.lower() for text in texts if text != "all"]
    kinds = {name in RANKING for name in names}
    if len(kinds) == 2:
        rater, ranker = (next(name for name in names if name in kind) for kind in (RATING, RANKING))
        raise ValueError(
            f"{ranker} ranks lists and {rater} rates rows, and their losses cannot be compared; compare one kind at a time"
        )
    return kinds.pop() if kinds else None


def entries(texts: Sequence[str], sweeps: Mapping[str, Sequence[str]], usual: Sequence[str]) -> list[Entry]:
    """All entries: every algorithm at every point of the grid of its own swept parameters that are not set."""
    requested = [one for text in texts for one in (usual if text == "all" else (text,))] or list(usual)
    found: dict[str, Entry] = {}
    swept: set[str] = set()
    for algorithm, settings in map(typed, dict.fromkeys(requested)):
        own = [name for name in offered(class_of(algorithm)) if name in sweeps and name not in settings]
        swept.update(own)
        for point in itertools.product(*(sweeps[name] for name in own)):
            entry = _entry(algorithm, settings, dict(zip(own, point)))
            found.setdefault(entry.name, entry)
    _check_swept(sweeps, swept, [typed(text) for text in requested])
    return list(found.values())


def _entry(algorithm: str, settings: Mapping[str, str], point: Mapping[str, str]) -> Entry:
    texts = {**settings, **point}
    made = functools.partial(make, algorithm, texts)
    made()  # raises if a value is wrong
    values = {name: read(text, name) for name, text in point.items()}
    return Entry(named(algorithm, texts), class_of(algorithm).__name__, texts, values, named(algorithm, settings), made)


def _check_swept(sweeps: Mapping[str, Sequence[str]], swept: set[str], requested: Sequence[tuple[str, dict[str, str]]]) -> None:
    for name in sweeps:
        if name in swept:
            continue
        if any(name in settings for _, settings in requested):
            raise ValueError(f"--sweep {name}: the algorithms with this parameter already have a value for it")
        known = sorted({own for algorithm, _ in requested for own in offered(class_of(algorithm))})
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else f"they have {', '.join(known)}"
        raise ValueError(f"--sweep {name}: none of the algorithms has this parameter; {hint}")


def usual_raters(largest: float, squared_norm: float, curved: bool = False) -> list[str]:
    """The default raters, set up for rows with values and squared norms up to this size."""
    step = 0.1 if squared_norm <= 10.0 else _one_digit(1.0 / squared_norm)
    radius = f"{_one_digit(2.0 * largest or 1.0):g}"
    usual = [text.format(radius=radius, step=f"{step:g}") for text in RATERS]
    return [*usual, CURVED] if curved else usual


def _one_digit(number: float) -> float:
    power = 10.0 ** math.floor(math.log10(number))
    return round(number / power) * power


def beyond(entry: Entry, name: str, values: Sequence[Any]) -> str | None:
    """Where better values may be if the entry's value is the first or last of these: "smaller", "larger", or None."""
    numbers = sorted({value for value in values if isinstance(value, int | float) and not isinstance(value, bool)})
    if len(numbers) < 2 or entry.point[name] not in (numbers[0], numbers[-1]):
        return None
    smaller = entry.point[name] == numbers[0]
    own, inner = (numbers[0], numbers[1]) if smaller else (numbers[-1], numbers[-2])
    further = own * own / inner if own * inner > 0 else 2 * own - inner
    try:
        make(entry.algorithm, {**entry.settings, name: round(further) if isinstance(own, int) else further})
    except ValueError:
        return None  # no further values are allowed
    return "smaller" if smaller else "larger"
