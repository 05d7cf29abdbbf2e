"""Grades held out: every method's error compared with Rater's, and other measures of the predictions."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Callable

import numpy as np

from ranktron import metrics

from ..problems import error
from ..report import Line, Section, at_most
from .measures import Quotient, calibration_error, quotient
from .methods import BATCH, METHODS, OURS, Answer
from .sets import FOLDS, FRESH, OVERLAP, REPEATS, ROWS, sets, splits

BAR = 1.03
Measure = Callable[[Answer, np.ndarray], float]
MEASURES: dict[str, Measure] = {
    "MAE": lambda answer, truth: error(answer.ranks, truth),
    "accuracy": lambda answer, truth: float(np.mean(answer.ranks == truth)),
    "kappa": lambda answer, truth: metrics.quadratic_weighted_kappa(truth, answer.ranks),
}


class Results:
    """Every measure of every method, by set and split, and the predictions and labels of each split."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._values: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
        self._said: dict[str, list[tuple[np.ndarray, np.ndarray]]] = defaultdict(list)

    def add(self, name: str, rows: tuple[np.ndarray, np.ndarray]) -> None:
        """Run all methods on all splits of one set."""
        self.names.append(name)
        n_ranks, tests = int(rows[1].max()), list(splits(name, rows))
        for method, learn in METHODS.items():
            answers = [learn(problem, n_ranks) for problem in tests]
            self._keep(method, answers, [problem.truth for problem in tests])

    def _keep(self, method: str, answers: list[Answer], truths: list[np.ndarray]) -> None:
        for measure, of in MEASURES.items():
            self._values[method, measure].append([of(*pair) for pair in zip(answers, truths, strict=True)])
        shares = [answer.shares for answer in answers if answer.shares is not None]
        if shares:
            self._values[method, "RPS"].append([rps(*pair) for pair in zip(truths, shares, strict=True)])
            self._said[method].append((np.concatenate(truths), np.concatenate(shares)))

    def values(self, method: str, measure: str) -> np.ndarray:
        """One number per set and split."""
        return np.array(self._values[method, measure])

    def has_shares(self, method: str) -> bool:
        return method in self._said

    def calibration(self, method: str) -> float:
        """The calibration errors, as means over the sets."""
        return float(np.mean([calibration_error(*pair) for pair in self._said[method]]))

    def ratio(self, method: str, measure: str = "MAE", other: str = OURS) -> Quotient:
        """The ratio of two methods' errors over all sets."""
        return quotient(self.values(method, measure), self.values(other, measure), OVERLAP)


def rps(truth: np.ndarray, shares: np.ndarray) -> float:
    return metrics.ranked_probability_score(truth - 1, shares)


def measured() -> Results:
    """All measures of all methods."""
    warnings.filterwarnings("ignore", module="skordinal|sklearn|scipy|lightgbm")  # steps that stop early, names of features
    results = Results()
    for name, rows in sets().items():
        results.add(name, rows)
    return results


# The report


def sections() -> list[Section]:
    """The bars, the errors, and the other measures."""
    results = measured()
    return [bars(results), errors(results), others(results)]


def bars(results: Results) -> Section:
    """The bars: as good as batch ordinal regression."""
    real = [place for place, name in enumerate(results.names) if name not in ("diabetes", "synthetic")]
    lines = []
    for what, places in {"the ordinal sets": real, "all sets": list(range(len(results.names)))}.items():
        if places:
            ours, theirs = (results.values(name, "MAE")[places] for name in (OURS, BATCH))
            found = quotient(ours, theirs, OVERLAP)
            interval = f"95 % interval {found.low:.3f}–{found.high:.3f}"
            lines.append(Line(f"{OURS} against {BATCH}: MAE, geometric mean over {what}", found.value, at_most(BAR), interval))
    return Section("Grades held out, nothing tuned", ABOUT, lines)


def errors(results: Results) -> Section:
    """One line per method, one column per set."""
    cells = []
    for method in METHODS:
        own = results.values(method, "MAE")
        row = [f"{mean:.3f}" for mean in own.mean(axis=1)]
        if method != OURS:
            ours = results.values(OURS, "MAE")
            ratios = [quotient(mine, theirs, OVERLAP) for mine, theirs in zip(own[:, None], ours[:, None], strict=True)]
            row = [f"{mean}{sign(ratio)}" for mean, ratio in zip(row, ratios, strict=True)]
        cells.append([method, *row, "1" if method == OURS else str(results.ratio(method))])
    headings = ["what", *results.names, f"against {OURS}"]
    return Section("Grades held out: MAE", NOTES, headings=headings, cells=cells)


def sign(ratio: Quotient) -> str:
    """A sign for a significant difference."""
    return " −" if ratio.low > 1 else " +" if ratio.high < 1 else ""


def others(results: Results) -> Section:
    """The other measures, as means over the sets."""
    cells = []
    for method in METHODS:
        means = [results.values(method, name).mean() for name in ("accuracy", "kappa")]
        row = [method, f"{means[0]:.1%}", f"{means[1]:.3f}", "", "", ""]
        if results.has_shares(method):
            scores = results.values(method, "RPS").mean(axis=1)
            against = "1" if method == OURS else str(results.ratio(method, "RPS"))
            row[3:] = [f"{np.exp(np.log(scores).mean()):.3f}", against, f"{results.calibration(method):.3f}"]
        cells.append(row)
    headings = ["what", "accuracy", "quadratic kappa", "RPS", f"RPS against {OURS}", "calibration error"]
    return Section("Grades held out: other measures", NOTES_OTHERS, headings=headings, cells=cells)


ABOUT = f"""\
{REPEATS} × {FOLDS}-fold stratified cross-validation, the same folds for all, rows in random order; of the synthetic problem as
many fresh draws of {ROWS:,} rows to learn and {FRESH:,} to test. {OURS} takes one pass over the raw features; all others get
features standardised by the training rows, and batch methods run until they converge. No method is tuned.
The sets: five of the ORCA framework (BSD-3), the wine quality of Cortez et al. 2009 (CC BY 4.0), scikit-learn's diabetes in
quintiles, and the problem of Crammer & Singer with its six explicit features."""

NOTES = f"""\
Mean absolute error in ranks, measured as above; + is significantly better than {OURS} on this set, − significantly worse, by the
95 % interval of the ratio, paired by split and widened for folds that share rows (Nadeau & Bengio 2003). The last column is the
geometric mean over the sets of the error against that of {OURS}, with its interval: above 1 is worse. Trees and kernels fit
non-linear sets better: trees win on wines, a kernel there and on balance; on most other sets they are worse than linear rules."""

NOTES_OTHERS = """\
As above. Accuracy and quadratic kappa are means over the sets. RPS, the ranked probability score, is a geometric mean, less is
better. The calibration error is the difference between the probability that the rank is above r and its frequency, in tenths of
the unit interval, all thresholds and splits together; the mean over the sets."""
