"""Numbers and claims as rows of tables, for reports, CSV files and the papers' pages."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ranktron.statistics import Mean

from .experiment import Experiment, Printed
from .judging import CONSISTENT, DEPENDS, FAILS, HOLDS, NOT_COMPARABLE, UNDECIDED, matches
from .results import Results

NOT_RUN = "not run"
# Verdicts in the order of reports, as verbs for one claim and for several.
CLAIM_WORDS = {
    HOLDS: ("holds", "hold"),
    CONSISTENT: ("is consistent with what was measured", "are consistent with what was measured"),
    FAILS: ("does not hold", "do not hold"),
    DEPENDS: ("depends", "depend"),
    UNDECIDED: ("is undecided", "are undecided"),
    NOT_RUN: ("was not run", "were not run"),
}
# The same for printed numbers.
NUMBER_WORDS = {
    HOLDS: ("agrees", "agree"),
    FAILS: ("differs", "differ"),
    UNDECIDED: CLAIM_WORDS[UNDECIDED],
    NOT_COMPARABLE: ("is not comparable, being of other data", "are not comparable, being of other data"),
    NOT_RUN: ("was not measured", "were not measured"),
}

QUICK, FULL = "quick", "full"
# A relative error up to this comes from floating point, not from chance.
_ROUNDING = 1e-12


class NumberRow(NamedTuple):
    """A number or a point of a curve: what was measured, and what the paper prints."""

    experiment: str
    number: str
    place: float | None
    mean: float | None
    low: float | None
    high: float | None
    trials: int
    printed: float | None = None
    printed_half: float | None = None
    source: str = ""
    # Whether the measured number agrees with the printed one.
    verdict: str = ""
    # The data set that was used and the paper's, if they differ.
    data: str = ""

    @property
    def half(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


class ClaimRow(NamedTuple):
    """A claim and its verdict."""

    paper: str
    experiment: str
    claim: str
    source: str
    verdict: str
    reason: str
    trials: int
    # "quick" if only the first trials were run, otherwise "full".
    run: str
    # The data set that was used and the paper's, if they differ.
    data: str = ""


def numbers_of(experiment: Experiment, results: Results) -> list[NumberRow]:
    """All numbers of an experiment; one that is printed more than once has a row for each time."""
    _check_names(experiment, results)
    return [row for name in results.names for row in _rows(experiment, results, name)]


def _rows(experiment: Experiment, results: Results, name: str) -> Iterator[NumberRow]:
    if results.values(name).ndim > 1:
        for place, mean, half in zip(experiment.axes[name], *(part.tolist() for part in results.curve(name))):
            yield _row(experiment, results, name, Mean(mean, half), place)
        return
    row = _row(experiment, results, name, results.mean(name))
    found = [one for one in experiment.printed if one.number == name]
    for one in found:
        word = NOT_COMPARABLE if results.stand_in else matches(results, one, decimals(one)).word
        yield row._replace(printed=one.value, printed_half=one.half, source=one.source, verdict=word, data=results.stand_in)
    if not found:
        yield row


def _row(experiment: Experiment, results: Results, name: str, mean: Mean, place: float | None = None) -> NumberRow:
    low, high = (None, None) if math.isnan(mean.half) else (mean.value - mean.half, mean.value + mean.half)
    return NumberRow(experiment.name, name, place, mean.value, low, high, len(results))


def decimals(printed: Printed) -> int:
    """How many decimals a number is printed with: at least two unless it is whole, because .30 is 0.3 in Python.

    >>> [decimals(Printed("", *one)) for one in ((0.3, ""), (0.875, ""), (12.0, ""), (0.4, "", 0.001))]
    [2, 3, 0, 3]
    """
    texts = [f"{value:.10g}".partition(".")[2] for value in (printed.value, printed.half or 0.0)]
    longest = max(map(len, texts))
    return max(longest, 2) if longest else 0


def _check_names(experiment: Experiment, results: Results) -> None:
    for trial in results.trials:
        if other := set(results.names) - set(trial):
            raise ValueError(f"not every trial measures {min(other)}")
    for name in results.names:
        values = results.values(name)
        if values.ndim > 1 and len(experiment.axes.get(name, ())) != values.shape[1]:
            raise ValueError(f"the axis of the curve {name} should have its {values.shape[1]} points")
    single = {name for name in results.names if results.values(name).ndim == 1}
    for one in experiment.printed:
        if one.number not in single:
            raise ValueError(f"{one.number} is printed ({one.source}), but no single number that is measured has this name")


def claims_of(experiment: Experiment, results: Results) -> list[ClaimRow]:
    """The claims of an experiment, judged."""
    run = QUICK if results.is_quick else FULL
    rows = []
    for claim in experiment.claims:
        word, reason = claim.judge(results)
        row = ClaimRow(experiment.paper, experiment.name, claim.text, claim.source, word, reason, len(results), run)
        rows.append(row._replace(data=results.stand_in))
    return rows


def unmeasured(experiment: Experiment) -> list[NumberRow]:
    """Rows for the printed numbers of an experiment that was not run."""
    return [
        NumberRow(experiment.name, one.number, None, None, None, None, 0, one.value, one.half, one.source, NOT_RUN)
        for one in experiment.printed
    ]


def unjudged(experiment: Experiment, why: str, is_quick: bool) -> list[ClaimRow]:
    """Rows for the claims of an experiment that was not run."""
    run = QUICK if is_quick else FULL
    return [
        ClaimRow(experiment.paper, experiment.name, claim.text, claim.source, NOT_RUN, why, 0, run) for claim in experiment.claims
    ]


def tally(verdicts: Iterable[str], said: Iterable[str] = CLAIM_WORDS) -> dict[str, int]:
    """How often each verdict was given; ``said`` defaults to the verdicts on claims."""
    counts = Counter(verdicts)
    return {word: counts[word] for word in said}


def tally_text(tally: Mapping[str, int], said: Mapping[str, tuple[str, str]] = CLAIM_WORDS) -> str:
    """A tally as a clause.

    >>> tally_text({"holds": 2, "does not hold": 1, "depends": 0}), tally_text({"holds": 2, "does not hold": 1}, NUMBER_WORDS)
    ('2 hold, 1 does not hold', '2 agree, 1 differs')
    """
    return ", ".join(f"{count} {said[word][count != 1]}" for word, count in tally.items() if count)


def headline(claims: Mapping[str, int], printed: Mapping[str, int], stand_ins: int = 0) -> str:
    """Two sentences that count the verdicts; ``stand_ins`` claims were judged on other data than the paper's.

    >>> headline({"holds": 2, "undecided": 1}, {"holds": 110, "does not hold": 19})
    'Of 3 claims 2 hold, 1 is undecided. Of 129 printed numbers 110 agree, 19 differ.'
    """
    others = f" ({stand_ins} {'was' if stand_ins == 1 else 'were'} judged on other data than the paper used)" if stand_ins else ""
    total, numbers = sum(claims.values()), sum(printed.values())
    text = f"{_of(total, 'claim')} {tally_text(claims)}{others}." if total else "There are no claims to judge."
    return f"{text} {_of(numbers, 'printed number')} {tally_text(printed, NUMBER_WORDS)}." if numbers else text


def _of(count: int, what: str) -> str:
    return f"Of {count} {what}{'s' if count != 1 else ''}"


def format_mean(mean: float | None, half: float | None = None, form: str = "") -> str:
    """A mean ± half the width of its interval, with the digits that the interval justifies, or in a form such as "%.2f".

    >>> format_mean(0.123456, 0.0041234), format_mean(1234.56, 12.0), format_mean(2 / 3), format_mean(0.25, 0.0)
    ('0.1235 ± 0.0041', '1235 ± 12', '0.6667', '0.25')
    >>> format_mean(0.123456, 0.1, "%.2f")
    '0.12 ± 0.10'
    """
    if mean is None:
        return "–"
    half = half if half and half > _ROUNDING * abs(mean) else None
    if not form:
        form = f"%.{max(1 - math.floor(math.log10(half)), 0)}f" if half else "%.4g"
    return form % mean + (f" ± {form % half}" if half else "")


# Files


def csv_text(kind: Any, rows: Iterable[NumberRow | ClaimRow]) -> str:
    """Rows of a kind as CSV with a header."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(kind._fields)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return f"{value:.8g}"
    return "" if value is None else value


def read_numbers(path: Path) -> list[NumberRow]:
    """The rows of a numbers.csv."""
    reals = ("place", "mean", "low", "high", "printed", "printed_half")
    return [
        NumberRow(**{**one, **{name: float(one[name]) if one[name] else None for name in reals}, "trials": int(one["trials"])})
        for one in _lines(path, NumberRow)
    ]


def read_claims(path: Path) -> list[ClaimRow]:
    """The rows of a claims.csv."""
    return [ClaimRow(**{**one, "trials": int(one["trials"])}) for one in _lines(path, ClaimRow)]


def _lines(path: Path, kind: Any) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if tuple(reader.fieldnames or ()) != kind._fields:
            raise ValueError(f"{path} should have the columns {', '.join(kind._fields)}; another version wrote it")
        return list(reader)
