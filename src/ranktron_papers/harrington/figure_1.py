"""Harrington, Figure 1: the rules that agree with five rows, their centre, and how near to it the mean of many PRanks is."""

from __future__ import annotations

from typing import Any

import numpy as np

import ranktron

from ..experiment import Claim, Experiment, Numbers
from ..judging import Verdict, less
from ..plots import BLACK, BLUE, GREY, ORANGE, tidy_lines
from ..results import Results
from ..rules import by_case, every, mean_text, of_case, part
from .methods import MEMBERS

ROWS, REPEATS, TAU = 5, 400, 0.3
# How many rules are drawn, the least share that must agree with the rows, and how many are tested on how many unseen rows.
DRAWN, LEAST, TRUTHS, UNSEEN = 40_000, 0.02, 200, 500
# The number of features beside the threshold. The text adds a dimension for it to two, but draws a plane.
CASES = {"one feature": 1, "two features": 2}
PRANK, BPM, CENTRE, MEMBER = "PRank", "OAP-BPM", "centre", "a member of OAP"
ANGLE, ERROR = "{}, degrees from the centre", "{}, error on unseen rows"


def trial(seed: int, data: Any = None, repeats: int = REPEATS, members: int = MEMBERS) -> Numbers:
    """Five rows of two ranks, learned again and again, with one feature and with two."""
    numbers: Numbers = {}
    for case, n_features in CASES.items():
        random = np.random.default_rng([seed, n_features])
        rows, agreeing = problem(random, n_features)
        rules = learned(rows, seed, repeats, members)
        rules[CENTRE] = agreeing.mean(axis=0, keepdims=True)
        numbers |= of_case(case, measured(random, rules, rows, agreeing))
    return numbers | plane(rows, rules)


def problem(random: np.random.Generator, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows (x, -1) and rules (w, c) of length 1 that agree with all of them.

    A row of rank 1 has its sign changed, so a rule agrees with a row if their product is positive. The rules are drawn uniformly
    from all directions.
    """
    while True:
        drawn = random.standard_normal((DRAWN, n_features + 1))
        rows = np.column_stack([random.uniform(-1.0, 1.0, (ROWS, n_features)), np.full(ROWS, -1.0)])
        rows *= np.where(rows @ drawn[0] >= 0, 1.0, -1.0)[:, None]  # the first is the true rule
        agreeing = drawn[(drawn @ rows.T > 0).all(axis=1)]
        if len(set(rows[:, -1])) == 2 and len(agreeing) >= LEAST * DRAWN:
            return rows, agreeing / np.linalg.norm(agreeing, axis=1, keepdims=True)


def learned(rows: np.ndarray, seed: int, repeats: int, members: int) -> dict[str, np.ndarray]:
    """The rules (w, c) of PRank, of OAP's members and of their mean, one per row."""
    ranks = np.where(rows[:, -1] < 0, 2, 1)
    X, y = np.tile(-rows[:, :-1] / rows[:, -1:], (repeats, 1)), np.tile(ranks, repeats)
    single = ranktron.PRank(average=False, classes=[1, 2]).partial_fit(X, y)
    oap = ranktron.OAP(tau=TAU, n_members=members, random_state=seed, classes=[1, 2]).partial_fit(X, y)
    means = {name: np.append(model.coef_, model.thresholds_)[None] for name, model in ((PRANK, single), (BPM, oap))}
    return {**means, MEMBER: np.column_stack([oap.members_coef_, oap.members_thresholds_])}


def measured(
    random: np.random.Generator, rules: dict[str, np.ndarray], rows: np.ndarray, agreeing: np.ndarray
) -> dict[str, float]:
    """The angle between rules and the centre, their errors if any agreeing rule may be true, and the share that agrees."""
    unseen = np.column_stack([random.uniform(-1.0, 1.0, (UNSEEN, rows.shape[1] - 1)), np.full(UNSEEN, -1.0)])
    truths = agreeing[:TRUTHS] @ unseen.T > 0
    numbers = {f"{name}, share that agrees": float((some @ rows.T > 0).all(axis=1).mean()) for name, some in rules.items()}
    for name, some in rules.items():
        cosines = some @ rules[CENTRE][0] / np.linalg.norm(some, axis=1) / np.linalg.norm(rules[CENTRE])
        numbers[ANGLE.format(name)] = float(np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))).mean())
        numbers[ERROR.format(name)] = float(np.mean([(one @ unseen.T > 0) != truths for one in some]))
    return numbers


def plane(rows: np.ndarray, rules: dict[str, np.ndarray]) -> Numbers:
    """Project three-dimensional rules and rows from the origin onto the plane that touches the unit sphere at the centre.

    There a row is a line a + b u + c v = 0, and a rule is a point.
    """
    basis = np.linalg.qr(np.column_stack([rules[CENTRE][0], np.eye(3)[:, :2]]))[0]
    basis *= np.sign(basis[:, 0] @ rules[CENTRE][0])
    lines = rows @ basis
    places = {name: (some @ basis)[:, 1:] / np.abs(some @ basis)[:, :1] for name, some in rules.items()}
    points: Numbers = {f"{name}, {axis}": places[name][:, i].tolist() for name in PLACED for i, axis in enumerate("uv")}
    return points | {f"lines, {axis}": lines[:, i].tolist() for i, axis in enumerate("abc")}


PLACED = (PRANK, BPM, MEMBER)


def nearer(results: Results) -> Verdict:
    """Whether the mean of the members is nearer to the centre than PRank, and than its members are."""
    cases = {}
    for case in CASES:
        own = part(results, case)
        ours, single, member = (ANGLE.format(name) for name in (BPM, PRANK, MEMBER))
        text = f"{mean_text(own, ours)}° from it, PRank {mean_text(own, single)}°, its members {mean_text(own, member)}°"
        cases[case] = every([less(own, ours, single), less(own, ours, member)], text)
    return by_case(cases, link="with")


def immune(results: Results) -> Verdict:
    """Whether the centre is wrong less often than PRank."""
    cases = {}
    for case in CASES:
        own = part(results, case)
        centre, ours, single = (ERROR.format(name) for name in (CENTRE, BPM, PRANK))
        text = f"wrong on {mean_text(own, centre)} of unseen rows, "
        text += f"PRank on {mean_text(own, single)}, OAP-BPM on {mean_text(own, ours)}"
        cases[case] = Verdict(less(own, centre, single).word, text)
    return by_case(cases, link="with")


def more_immune(results: Results) -> Verdict:
    """Whether the mean of the members is wrong less often than PRank."""
    cases = {}
    for case in CASES:
        own = part(results, case)
        names = ERROR.format(BPM), ERROR.format(PRANK)
        cases[case] = Verdict(less(own, *names).word, f"wrong on {mean_text(own, names[0])}, PRank on {mean_text(own, names[1])}")
    return by_case(cases, link="with")


def draw(results: Results, figure: Any) -> None:
    """The rules of the trial with two features in which members differ most, and the errors of all trials."""
    left, right = figure.subplots(1, 2, width_ratios=(1.3, 1))
    draw_plane(left, max(results.trials, key=lambda one: len(set(np.round(one[f"{MEMBER}, u"], 9)))))
    draw_errors(right, results)


def draw_plane(axes: Any, one: Any) -> None:
    """Draw a line for each row, the region that agrees, dots for the members, and marks for three rules."""
    wide = 1.15 * max(0.3, *(float(np.abs(one[f"{name}, {axis}"]).max()) for name in PLACED for axis in "uv"))
    u, v = np.meshgrid(np.linspace(-wide, wide, 400), np.linspace(-wide, wide, 400))
    sides = [a + b * u + c * v for a, b, c in zip(*(one[f"lines, {axis}"] for axis in "abc"), strict=True)]
    axes.contourf(u, v, np.min(sides, axis=0), levels=[0.0, 1e9], colors=[BLUE], alpha=0.13)
    for side in sides:
        axes.contour(u, v, side, levels=[0.0], colors=[GREY], linewidths=1.0)
    looks = {MEMBER: ("o", BLUE, 3, 0.35), PRANK: ("s", ORANGE, 7, 1.0), BPM: ("D", BLUE, 7, 1.0)}
    for name, (mark, colour, size, alpha) in looks.items():
        label = {MEMBER: "100 members of OAP", BPM: "their mean, OAP-BPM"}.get(name, name)
        axes.plot(one[f"{name}, u"], one[f"{name}, v"], mark, color=colour, markersize=size, alpha=alpha, label=label)
    axes.plot(0, 0, "*", color=BLACK, markersize=11, label="centre: the Bayes point")
    axes.set(xlim=(-wide, wide), ylim=(-wide, wide), aspect="equal", xticks=[], yticks=[])
    axes.set_xlabel("directions of (w, c), and the borders of five rows;\nshaded: those that agree with all five rows")
    axes.legend(frameon=False, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)


def draw_errors(axes: Any, results: Results) -> None:
    """Draw the errors as dots with intervals."""
    order = {CENTRE: BLACK, BPM: BLUE, PRANK: ORANGE, MEMBER: GREY}
    lines = {(case, name): -i for j, case in enumerate(CASES) for i, name in enumerate(order, 6 * j)}
    for (case, name), line in lines.items():
        mean = results.mean(f"{case}: {ERROR.format(name)}")
        axes.errorbar(100 * mean.value, line, xerr=100 * mean.half, fmt="o", color=order[name], markersize=5)
        if name == CENTRE:
            axes.text(0.0, line + 0.8, case, weight="bold", va="center", fontsize=9)
    axes.set_yticks(list(lines.values()), [name for _, name in lines])
    axes.set(xlabel=f"error on unseen rows (%), {len(results)} trials", ylim=(-9.6, 1.3))
    axes.set_xlim(left=0)
    tidy_lines(axes)


FIGURE_1 = Experiment(
    name="harrington-figure-1",
    paper="harrington",
    title="Harrington, Figure 1: the Bayes point",
    about="A rule predicts rank 2 if w·x reaches a threshold c, and rank 1 otherwise. Each of five rows excludes half of all "
    "rules. The shaded region has the rules that agree with all five rows. Any of them may be true; the one in the centre, "
    "the Bayes point, has the smallest expected error. PRank stops as soon as it is inside the region. OAP-BPM is the mean of "
    "100 PRanks, each of which learns a random part of the rows, over 400 passes. The text may mean one feature and the "
    "threshold, or two features, so both are run.",
    trial=trial,
    trials=200,
    quick=60,
    seconds=0.05,
    claims=(
        Claim(
            "Equally weighted sums of the weights and thresholds of N PRanks estimate the Bayes point.",
            "Section 3, Figure 1",
            nearer,
        ),
        Claim("The centre of the region gives some immunity to unseen examples.", "Section 3, on Figure 1", immune),
        Claim(
            "Averaging the N rank rules has a lower loss on unseen examples than PRank.",
            "Section 5, on the setting of Figure 1",
            more_immune,
        ),
    ),
    draw=draw,
    axes={
        **{f"{name}, {axis}": [1.0] for name in (PRANK, BPM) for axis in "uv"},
        **{f"{MEMBER}, {axis}": [float(j) for j in range(1, MEMBERS + 1)] for axis in "uv"},
        **{f"lines, {axis}": [float(i) for i in range(1, ROWS + 1)] for axis in "abc"},
    },
)
