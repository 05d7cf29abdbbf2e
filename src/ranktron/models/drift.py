"""Drift: how far the direction has turned and the thresholds have moved, against what chance would do."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..core.moments import scaling_now

# A movement is drift if it is FACTOR times what chance would do, and at least LEAST_TURN degrees or LEAST_SHIFT widths of a rank.
FACTOR, LEAST_TURN, LEAST_SHIFT = 2.0, 8.0, 0.3

# The number of movements that show what chance does.
REFERENCES = 2

# Whether all thresholds go up, or down, is judged by those that move at least this share of what the farthest does.
SLIGHT = 0.25

# What was learned since the last milestone is compared too once it is this share of all before it.
LATEST = 0.25


class Era(NamedTuple):
    """The direction and the thresholds that the rows from ``start`` to ``stop`` have led to."""

    start: int
    stop: int
    w: np.ndarray
    b: np.ndarray


class Movement(NamedTuple):
    """From what predicted before row ``since`` to what predicted from there to row ``until``.

    ``turn`` is the angle between the two directions in degrees. ``shifts`` has one number a threshold: how far it has moved along
    the direction, in the mean width of a rank; it is empty where there are no thresholds or their number has changed. Beside
    them is what chance would do, by what it did before: NaN while that is not known.
    """

    since: int
    until: int
    turn: float
    turn_by_chance: float
    shifts: np.ndarray
    shift_by_chance: float

    @property
    def shift(self) -> float:
        """How far the threshold moved that moved farthest."""
        return float(np.abs(self.shifts).max(initial=0.0))

    @property
    def turned(self) -> bool:
        """Whether the direction turned farther than by chance."""
        return self.turn > LEAST_TURN and self.turn > FACTOR * self.turn_by_chance

    @property
    def moved(self) -> bool:
        """Whether a threshold moved farther than by chance."""
        return self.shift > LEAST_SHIFT and self.shift > FACTOR * self.shift_by_chance


@dataclasses.dataclass(frozen=True)
class Drift:
    """The movements from milestone to milestone, the earliest first; printed, they are a table and a sentence that judges."""

    movements: tuple[Movement, ...]
    unit: str

    @property
    def found(self) -> Movement | None:
        """The latest movement that chance does not explain, if there is one."""
        return next((one for one in reversed(self.movements) if one.turned or one.moved), None)

    @property
    def told(self) -> str:
        """The judgement, in a sentence."""
        if len(self.movements) <= REFERENCES:
            return f"It is too early to judge drift: that takes 640 {self.unit}s."
        found = self.found
        return _calm(self.movements[-1], self.unit) if found is None else _judged(found, self.unit)

    def __str__(self) -> str:
        lines = [f"{'since ' + self.unit:>14}    turn by chance   shift by chance"] if self.movements else []
        for one in self.movements:
            shift = f"{one.shift:7.2f} {_chance(one.shift_by_chance, '.2f')}" if len(one.shifts) else ""
            lines.append(f"{one.since:14,} {one.turn:6.1f}° {_chance(one.turn_by_chance, '.1f')} {shift}".rstrip())
        return "\n".join([*lines, self.told])


def _chance(value: float, form: str) -> str:
    return f"{'' if math.isnan(value) else format(value, form):>9}"


def _calm(last: Movement, unit: str) -> str:
    thresholds = f" and no threshold moved by more than {last.shift:.2f} of a rank" if len(last.shifts) else ""
    return f"The direction turned by {last.turn:.1f}° since {unit} {last.since:,}{thresholds}: no more than chance does."


def _judged(one: Movement, unit: str) -> str:
    since, turned = f"since {unit} {one.since:,}", f"the direction turned by {one.turn:.0f}°"
    if one.turned and not len(one.shifts):
        return f"T{turned[1:]} {since}: what puts one above another has changed."
    if one.turned:
        beside = ", and thresholds moved with it" if one.moved else " while thresholds moved little"
        return f"T{turned[1:]} {since}{beside}: what makes a grade has changed."
    ups = {bool(shift > 0.0) for shift in one.shifts if abs(shift) > SLIGHT * one.shift}
    how, so = "moved", "grades are spread otherwise than before"
    if len(ups) == 1:
        how, so = ("rose", "raters have become stricter") if ups == {True} else ("fell", "raters have become milder")
    return f"Thresholds {how} by up to {one.shift:.1f} of a rank {since} while {turned} only: {so}."


def drift_in(learner: Any, is_mean: bool, unit: str) -> Drift:
    """The drift since the milestones that a learner remembers."""
    points = list(_points(learner))
    age, last = learner.age, points[-1][0] if points else 0
    if points and age >= (1.0 + LATEST) * last:
        now = learner.hypothesis()
        points.append((age, *_scaled(learner, now.coef, np.ravel(now.thresholds - now.intercept))))
    return drift_of(list(eras_of(points, is_mean)), is_mean, unit)


def _points(learner: Any) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """The rules of all milestones, for the features and the scaling that there are now."""
    for age, coef, thresholds in learner.trail:
        w = np.zeros(learner.features.count)
        w[: len(coef)] = coef
        yield age, *_scaled(learner, w, thresholds)


def _scaled(learner: Any, w: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A rule for rows as they come, as one for rows that are scaled: there an angle does not hang on the units of features."""
    if learner.moments is None:
        return w, b
    centre, inverse = (part[: len(w)] for part in scaling_now(learner.moments))
    return np.divide(w, inverse, out=np.zeros_like(w), where=inverse > 0.0), b - w @ centre


def drift_of(eras: list[Era], is_mean: bool, unit: str) -> Drift:
    """The drift between eras; the longer they are, the less chance moves a mean."""
    movements: list[Movement] = []
    chances: list[tuple[float, float]] = []
    for old, new in itertools.pairwise(eras):
        turn, shifts = turn_of(old, new), shifts_of(old, new)
        noise = math.sqrt(1.0 / (old.stop - old.start) + 1.0 / (new.stop - new.start)) if is_mean else 1.0
        known = chances if len(chances) >= REFERENCES else [(math.nan, math.nan)]
        by_chance = [noise * max(part) for part in zip(*known)]
        one = Movement(new.start, new.stop, turn, by_chance[0], shifts, by_chance[1])
        movements.append(one)
        chances.append((turn / noise, one.shift / noise))
    return Drift(tuple(movements), unit)


def eras_of(points: list[tuple[int, np.ndarray, np.ndarray]], is_mean: bool) -> Iterator[Era]:
    """The eras between these ages.

    Of means over all rows so far, the difference gives the mean between them; otherwise the hypothesis at the end is taken.
    """
    before, w_before, b_before = 0, np.zeros(1), np.zeros(1)
    for age, w, b in points:
        if is_mean and before:
            share = before / (age - before)
            yield Era(before, age, w + share * (w - w_before), b + share * (b - b_before) if len(b) == len(b_before) else b[:0])
        else:
            yield Era(before, age, w, b)
        before, w_before, b_before = age, w, b


def turn_of(old: Era, new: Era) -> float:
    """The angle between two directions in degrees, 0 where one is none."""
    lengths = np.linalg.norm(old.w), np.linalg.norm(new.w)
    if not min(lengths) > 0.0:
        return 0.0
    u, v = old.w / lengths[0], new.w / lengths[1]
    return math.degrees(2.0 * math.atan2(np.linalg.norm(u - v), np.linalg.norm(u + v)))


def shifts_of(old: Era, new: Era) -> np.ndarray:
    """How far each threshold has moved along the direction, in the mean width of the ranks between them, or of a unit."""
    lengths = np.linalg.norm(old.w), np.linalg.norm(new.w)
    if len(old.b) != len(new.b) or len(old.b) == 0 or not min(lengths) > 0.0:
        return np.empty(0)
    before, after = old.b / lengths[0], new.b / lengths[1]
    width = (before[-1] - before[0]) / (len(before) - 1) if len(before) > 1 else 1.0
    return (after - before) / width if width > 0.0 else np.empty(0)
