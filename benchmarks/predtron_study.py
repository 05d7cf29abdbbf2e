"""What Predtron's options achieve: rejecting, class weights, links and steps; with plots if matplotlib is installed."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from ranktron import Predtron, bounds, metrics
from ranktron.data import separable
from ranktron.tasks import Binary, CostMatrix, Multiclass, Multilabel, Ordinal, SubsetRanking

from .report import Line, Section, at_least, at_most

SEEDS, ROWS = 20, 20_000
COSTS, RATIOS, WIDTHS = (0.05, 0.1, 0.2, 0.4), (1, 2, 5, 10, 20), (50, 100, 200, 400)
APART = 2.0  # deviations, from one class of the weighted problem to the other
LISTS, DOCUMENTS, RELEVANT, DRAWS, STEPS = 100, 10, 5, 10, (0.01, 0.1, 1.0, 10.0)
IMAGES = Path("docs/img")
Panels = dict[str, dict[str, np.ndarray]]
Part = tuple[list[Line], Section]


class Mean(NamedTuple):
    """A mean, and half of Student's 95 % interval."""

    value: float
    interval: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ±{self.interval:.3f}"


def mean(values: Any) -> Mean:
    """The mean over the seeds."""
    return Mean(float(np.mean(values)), float(stats.t.ppf(0.975, len(values) - 1) * stats.sem(values)))


def beyond(differences: list[np.ndarray]) -> float:
    """The highest lower end of an interval."""
    return max(one.value - one.interval for one in map(mean, differences))


def sections() -> list[Section]:
    """The bars and the tables."""
    parts = [rejecting(), weighing(), linking()]
    bars = Section("Predtron: what its options promise", PROMISES, [line for lines, _ in parts for line in lines])
    return [bars, *(table for _, table in parts), stepping()]


# Rejecting


def overlapping(n_classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal classes that overlap."""
    random = np.random.default_rng(seed)
    y = random.integers(n_classes, size=ROWS)
    return random.normal(size=(n_classes, 10))[y] + 2 * random.normal(size=(ROWS, 10)), y


def mislabelled(n_classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A fifth of the labels are replaced by another class's at random."""
    random = np.random.default_rng(seed)
    X, W = random.normal(size=(ROWS, 10)), random.normal(size=(n_classes, 10))
    shifts = random.integers(1, n_classes, size=ROWS) * (random.random(ROWS) < 0.2)
    return X, ((X @ W.T).argmax(axis=1) + shifts) % n_classes


STREAMS: dict[str, tuple[type, Callable[..., Any], int]] = {
    "two classes, overlapping": (Binary, overlapping, 2),
    "four classes, overlapping": (Multiclass, overlapping, 4),
    "three classes, a fifth mislabelled": (Multiclass, mislabelled, 3),
}


def rejecting() -> Part:
    """Shares and costs of every stream; the last cost is that of never rejecting."""
    figures = {name: shares_and_costs(*stream) for name, stream in STREAMS.items()}
    rises = [late - early for each in figures.values() for early, late in pairwise(each[:-1, :, 0])]
    worse = [one - each[-1, :, 1] for each in figures.values() for one in each[:-1, :, 1]]
    lines = [
        Line("rejecting: how far the share rejected rises with the cost, beyond the interval", beyond(rises), at_most(0)),
        Line("rejecting: what a row costs more than when never rejecting, beyond the interval", beyond(worse), at_most(0)),
    ]
    cells = [[name, *(f"{mean(way[:, 0])}; {mean(way[:, 1])}" for way in each)] for name, each in figures.items()]
    panels = {title: {name: each[:-1, :, kind] for name, each in figures.items()} for kind, title in enumerate(REJECTED)}
    never = {name: np.full(len(COSTS), each[-1, :, 1].mean()) for name, each in figures.items()}
    plot("predtron_reject", ("cost of a rejection", COSTS), panels, "never rejecting", {REJECTED[1]: never})
    headings = ["what", *(f"reject={cost}" for cost in COSTS), "never"]
    return lines, Section("Predtron: rejecting", REJECTING, headings=headings, cells=cells)


def shares_and_costs(task: Any, draw: Callable[..., Any], n_classes: int) -> np.ndarray:
    """(costs and never, seeds, 2)."""
    runs = [draw(n_classes, seed) for seed in range(SEEDS)]
    ways = [(task(reject=cost), cost) for cost in COSTS] + [(task(), 0.0)]
    return np.array([[share_and_cost(way, cost, *run) for run in runs] for way, cost in ways])


def share_and_cost(task: Any, cost: float, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """The share of rejected rows and the cost per row; each row is predicted before it is learned."""
    predicted = Predtron(task, classes=range(y.max() + 1), fit_intercept=True).predict_then_learn(X, y)
    return float(np.mean(predicted == -1)), float(np.where(predicted == -1, cost, predicted != y).mean())


# Class weights


def weighing() -> Part:
    """Both kinds of errors for every ratio of weights."""
    runs = [two_normals(seed) for seed in range(SEEDS)]
    rates = np.array([[error_rates(ratio, *run) for run in runs] for ratio in RATIOS])  # ratios, seeds, 2
    best = np.array([lowest(ratio) for ratio in RATIOS])
    grown = np.diff(rates, axis=0)
    saved = [float((own @ [1, ratio]).mean() / (rates[0] @ [1, ratio]).mean()) for ratio, own in zip(RATIOS, rates, strict=True)]
    lines = [
        Line("weights: how far misses rise with the weight of the class, beyond the interval", beyond(grown[..., 1]), at_most(0)),
        Line("weights: how far false alarms fall with it, beyond the interval", beyond(-grown[..., 0]), at_most(0)),
        Line(f"weights 1:{RATIOS[-1]}: cost against that of no weights", saved[-1], at_most(1)),
        Line("weights in Algorithm 1: the most that they move W", most_moved(*runs[0]), at_most(0)),
    ]
    cells = []
    for i, ratio in enumerate(RATIOS):
        kinds = [f"{mean(rates[i, :, kind])} ({best[i, kind]:.3f})" for kind in (0, 1)]
        cells.append([f"1:{ratio}", *kinds, f"{saved[i]:.3f}", f"{best[i] @ [1, ratio] / (best[0] @ [1, ratio]):.3f}"])
    title = "share of the class's rows"
    panels, dashed = ({title: dict(zip(KINDS, each, strict=True))} for each in (rates.transpose(2, 0, 1), best.T))
    plot("predtron_weights", ("weight of the heavy class; the light one has 1", RATIOS), panels, BEST, dashed)
    headings = ["weights", "false alarms", "misses", "cost against no weights", BEST]
    return lines, Section("Predtron: class weights", WEIGHING, headings=headings, cells=cells)


def two_normals(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two classes that overlap."""
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(ROWS, 5)), random.integers(2, size=ROWS)
    X[:, 0] += APART * (y - 0.5)
    return X, y


def weighted(ratio: float, loss_driven: bool = True) -> Any:
    return Predtron(Binary(weights=(1, ratio)), classes=[0, 1], loss_driven=loss_driven, fit_intercept=True)


def error_rates(ratio: float, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The error rates of the light and the heavy class; each row is predicted before it is learned."""
    wrong = weighted(ratio).predict_then_learn(X, y) != y
    return np.array([wrong[y == 0].mean(), wrong[y == 1].mean()])


def lowest(ratio: float) -> np.ndarray:
    """The error rates of the decision with the lowest cost."""
    shift = math.log(ratio) / APART
    return np.asarray(stats.norm.cdf([shift - APART / 2, -shift - APART / 2]))


def most_moved(X: np.ndarray, y: np.ndarray) -> float:
    plain, *others = (weighted(ratio, loss_driven=False).partial_fit(X, y).coef_ for ratio in RATIOS)
    return max(float(abs(other - plain).max()) for other in others)


# Links


def linking() -> Part:
    """Figure 1(c)."""
    figures = {link: np.array([[tuned(link, p, seed) for seed in range(DRAWS)] for p in WIDTHS]) for link in ("euclidean", "l1")}
    plain, sparse = (each.mean(axis=1)[-1] for each in figures.values())
    what = f"links, {WIDTHS[-1]} features: `euclidean` against `l1`, "
    lines = [Line(what + title, float(ratio), at_least(5)) for title, ratio in zip(LOSSES, plain / sparse, strict=True)]
    columns = [[str(mean(at)) for at in each[:, :, kind]] for kind in (0, 1) for each in figures.values()]
    panels = {title: {f'link="{link}"': each[:, :, kind] for link, each in figures.items()} for kind, title in enumerate(LOSSES)}
    plot("predtron_links", (f"features, of which {RELEVANT} matter", WIDTHS), panels)
    headings = ["features", *(f"`{link}`, {title}" for title, link in product(LOSSES, figures))]
    cells = [list(row) for row in zip(map(str, WIDTHS), *columns, strict=True)]
    return lines, Section("Predtron: links", LINKING, headings=headings, cells=cells)


def tuned(link: str, n_features: int, seed: int) -> tuple[float, float]:
    """The loss of test lists by the step chosen on other lists, and of the learned lists by the best step."""
    lists = separable.sparse_lists(4 * LISTS, DOCUMENTS, n_features, RELEVANT, seed=seed)
    train, choose, test = zip(*(np.split(array, [len(array) // 4, len(array) // 2]) for array in lists), strict=True)
    models = [Predtron(SubsetRanking(), link=link, step=step, average=False).partial_fit(*train) for step in STEPS]
    chosen = min(models, key=lambda model: ranking_loss(model, *choose))
    return ranking_loss(chosen, *test), min(model.cumulative_loss_ for model in models) / LISTS


def ranking_loss(model: Any, X: np.ndarray, y: np.ndarray, qid: np.ndarray) -> float:
    return 1.0 - float(metrics.ndcg(y, model.predict(X), qid))


# Steps

PRICES = np.where(np.eye(5, dtype=bool), 0, np.random.default_rng(0).integers(1, 11, size=(5, 5)))
GRADED = SubsetRanking(highest=2, longest=DOCUMENTS)
WIDE, LINE = partial(separable.classes, 2_000, 20, 5, margin=0.2), partial(separable.ordinal, 2_000, 11, 5, margin=0.2)
TAGGED = partial(separable.multilabel, 2_000, 20, 10, margin=0.05)
RANKED = partial(separable.subset_ranking, 2 * LISTS, DOCUMENTS, 20, margin=0.01)
# The task, streams for it, the largest loss, and the largest squared distance of representations.
TRIALS: dict[str, tuple[Any, Callable[..., Any], float, float]] = {
    "`Ordinal(5)`": (Ordinal(5), LINE, 4.0, 2.0),
    "`CostMatrix`, costs 1 to 10": (CostMatrix(PRICES), WIDE, 10.0, 2.0),
    '`Multilabel("hamming")`, 10 labels': (Multilabel(), TAGGED, 10.0, 4.0),
    f"`SubsetRanking()`, {DOCUMENTS} documents": (GRADED, RANKED, 1.0, bounds.predtron_ranking_spread(DOCUMENTS)),
}


def stepping() -> Section:
    """Every step for every task, on separable and on noisy streams."""
    cells = []
    for (name, trial), noise in product(TRIALS.items(), (0.0, 0.2)):
        means = np.mean([losses(*trial, noise, seed) for seed in range(DRAWS)], axis=0)
        cells.append([f"{name}, {'noisy' if noise else 'separable'}", *(f"{way:.3f} / {fresh:.3f}" for way, fresh in means)])
    headings = ["what", '"theory"', *map(str, STEPS), "2 C / (D R²)", "`loss_driven=True`"]
    return Section("Predtron: steps", STEPPING, headings=headings, cells=cells)


def losses(task: Any, draw: Callable[..., Any], most: float, spread: float, noise: float, seed: int) -> list[tuple[float, float]]:
    """For every step the progressive loss, and the loss of the averaged hypothesis on as many fresh rows."""
    X, y, *qid = draw(seed=seed)
    random, rows = np.random.default_rng(seed), X.reshape(-1, DOCUMENTS if qid else 1, X.shape[1])
    y = np.where(random.random(y.shape) < noise, random.permutation(y), y)
    radius = float(np.linalg.norm(rows, 2, axis=(1, 2)).max())
    ways: list[dict[str, Any]] = [{"step": step, "radius": radius} for step in ("theory", *STEPS)]
    ways += [{"step": bounds.predtron_best_step(radius, most, spread)}, {"loss_driven": True}]
    learned, fresh = zip(*(np.split(array, 2) for array in (X, y, *qid)), strict=True)
    return [both_losses(Predtron(task, **way).partial_fit(*learned), *fresh) for way in ways]


def both_losses(model: Any, X: np.ndarray, y: np.ndarray, *qid: np.ndarray) -> tuple[float, float]:
    on_the_way = model.cumulative_loss_ / model.n_seen_
    if qid:
        return on_the_way, ranking_loss(model, X, y, *qid)
    return on_the_way, float(np.mean([model.task.loss_of(*pair) for pair in zip(model.predict(X), y, strict=True)]))


# Plots


def plot(name: str, x: tuple[str, tuple[float, ...]], panels: Panels, dashed: str = "", references: Panels | None = None) -> None:
    """Curves with their intervals over the seeds, one panel per quantity; references are dashed, in the colour of their curve."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print(f"{name}.png: not drawn, for matplotlib is not there.")
        return
    figure = Figure(figsize=(max(6.0, 4.6 * len(panels)), 4.4), layout="constrained", facecolor="white")
    for axes, (title, curves) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels.items(), strict=True):
        axes.set(title=title, xlabel=x[0], xscale="log")
        axes.set_xticks(x[1], [f"{one:g}" for one in x[1]])
        axes.minorticks_off()
        axes.grid(alpha=0.3)
        draw(axes, x[1], curves, (references or {}).get(title, {}))
    if references:
        axes.plot([], [], "--", color="grey", label=dashed)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=len(panels), frameon=False)
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / f"{name}.png", dpi=130, metadata={"Software": None})


def draw(axes: Any, x: tuple[float, ...], curves: dict[str, np.ndarray], references: dict[str, np.ndarray]) -> None:
    """One panel, with colours for the colour-blind and markers."""
    for (label, values), colour, marker in zip(curves.items(), ("#0072B2", "#D55E00", "#009E73"), "os^", strict=False):
        heights, bars = np.transpose([mean(each) for each in values])
        axes.errorbar(x, heights, bars, marker=marker, markersize=5, capsize=3, color=colour, label=label)
        if label in references:
            axes.plot(x, references[label], "--", color=colour, linewidth=1.2)
    axes.set_ylim(bottom=0)


REJECTED = ("share of rows rejected", "cost of a row: errors and rejections")
KINDS = ("false alarms: light rows taken for heavy ones", "misses: heavy rows taken for light ones")
BEST = "the best there is"
LOSSES = ("1 - NDCG of test lists", "1 - NDCG while learning")
PROMISES = f"""\
The tables below say how. An interval is Student's of 95 %, over {SEEDS} seeds, paired; beyond it means less half its width, so
a number above 0 is significant."""
REJECTING = f"""\
{ROWS:,} rows, each predicted before it is learned, {SEEDS} seeds: the share of the rows that is rejected, and what a row costs, 1
for an error and the given cost for a rejection. Where a fifth of the labels is wrong everywhere, any prediction costs more than
.1, and then all rows are rejected. `docs/img/predtron_reject.png` is a plot of it."""
WEIGHING = f"""\
`Predtron(Binary(weights=(1, w)), loss_driven=True)`: two normal classes {APART:g} deviations apart, {ROWS:,} rows, each predicted
before it is learned, {SEEDS} seeds. False alarms among the rows of the light class and misses among those of the heavy one, in
brackets those of {BEST}; the cost is false alarms + w · misses. `docs/img/predtron_weights.png` is a plot of it."""
LINKING = f"""\
Figure 1(c) of the paper: {LISTS} lists of {DOCUMENTS} documents to learn, of whose features {RELEVANT} matter; the last
hypothesis on {2 * LISTS} test lists, and the learning one while learning, {DRAWS} draws. Steps are among .01, .1, 1 and 10: for
test lists the one that is best on {LISTS} other lists, while learning the best. `docs/img/predtron_links.png` is a plot of it."""
STEPPING = f"""\
The mean loss of the learning hypothesis while learning / of the averaged one on as many fresh rows; 1,000 rows or {LISTS} lists,
{DRAWS} seeds. Noisy: a fifth of the labels are those of other rows. "theory" is c_L / (4 R²); 2 C / (D R²) is the least step with
the bound of the loss-driven version, where C is the largest loss and D the largest squared distance of representations."""
