"""``python -m ranktron_papers.pages docs/papers`` writes the numbers of a full run into the papers' pages.

A page marks the places: ``<!--= EXPERIMENT | WHAT -->…<!--/-->``, of which the middle is replaced. WHAT is ``claims``,
``printed``, ``trials`` or the name of a number. A form such as ``| %.2f`` may follow it or, for a curve, a place such as
``| at 100``. With a paper in place of EXPERIMENT, WHAT is ``claims`` or ``counts``. ``<!--= summary -->`` and
``<!--= summary of numbers -->`` are tables of all papers, and ``<!--= headline -->`` is two sentences that count all verdicts.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import ranktron_papers

from .tables import (
    CLAIM_WORDS,
    NUMBER_WORDS,
    QUICK,
    ClaimRow,
    NumberRow,
    csv_text,
    format_mean,
    headline,
    read_claims,
    read_numbers,
    tally,
    tally_text,
)

RESULTS, FIGURES = "results", "figures"
# The commands that renew the pages.
MAKE = "ranktron reproduce --out OUT, then python -m ranktron_papers.pages docs/papers --take OUT"

_MARK = re.compile(r"<!--=(?P<what>.*?)-->(?P<content>.*?)<!--/-->", re.DOTALL)
_BEGIN, _END = re.compile(r"<!--="), re.compile(r"<!--/-->")


class Measured:
    """The results of a run, read from numbers.csv and claims.csv in a folder."""

    def __init__(self, folder: Path) -> None:
        for name in ("numbers.csv", "claims.csv"):
            if not (folder / name).is_file():
                raise ValueError(f"{folder / name} does not exist; run {MAKE}")
        self.numbers, self.claims = read_numbers(folder / "numbers.csv"), read_claims(folder / "claims.csv")
        named = [*(row.experiment for row in self.numbers), *(row.experiment for row in self.claims)]
        self.experiments = list(dict.fromkeys(named))
        self.papers = list(dict.fromkeys(row.paper for row in self.claims))

    def text(self, mark: str) -> str:
        """The text for a mark."""
        name, what, form = ([part.strip() for part in mark.split("|")] + ["", ""])[:3]
        if name in _SUMMARIES:
            return _SUMMARIES[name](self)
        if name in self.papers and what in ("claims", "counts"):
            own = [row for row in self.claims if row.paper == name]
            return _claims(own) if what == "claims" else tally_text(tally(row.verdict for row in own))
        if name not in self.experiments:
            raise ValueError(f"there is no experiment {name!r}; there are {', '.join(self.experiments)}")
        return self._of_experiment(name, what, form)

    def _of_experiment(self, name: str, what: str, form: str) -> str:
        rows = [row for row in self.numbers if row.experiment == name]
        if what == "claims":
            return _claims([row for row in self.claims if row.experiment == name])
        if what == "printed":
            return _printed([row for row in rows if row.printed is not None])
        if what == "trials":
            return f"{max((row.trials for row in rows), default=0):,}"
        row = _found(rows, name, what, form)
        return format_mean(row.mean, row.half, form if form.startswith("%") else "")


def _found(rows: Sequence[NumberRow], experiment: str, number: str, form: str) -> NumberRow:
    """The row of a number, or of a point of a curve."""
    own = [row for row in rows if row.number == number]
    if not own:
        known = ", ".join(dict.fromkeys(row.number for row in rows))
        raise ValueError(f"{experiment} has no number {number!r}; it has {known}")
    place = form.removeprefix("at ").strip() if form.startswith("at ") else ""
    fitting = [row for row in own if (f"{row.place:g}" if row.place is not None else "") == place]
    if not fitting:
        places = ", ".join(f"{row.place:g}" for row in own if row.place is not None)
        raise ValueError(
            f"{experiment} has no {number!r} there; {f'it is a curve at {places}' if places else 'it is a single number'}"
        )
    return fitting[0]


# Tables


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows)]
    return "\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n\n"


def _claims(rows: Sequence[ClaimRow]) -> str:
    cells = [(f"on {row.data}: " * bool(row.data) + f"**{row.verdict}**", row.claim, row.source, row.reason) for row in rows]
    return _table(["verdict", "claim", "where", "what was measured"], cells)


def _printed(rows: Sequence[NumberRow]) -> str:
    cells = [
        (
            row.number,
            format_mean(row.printed, row.printed_half, "%.10g"),
            format_mean(row.mean, row.half) + f" on {row.data}" * bool(row.data),
            row.verdict,
            row.source,
        )
        for row in rows
    ]
    return _table(["number", "printed", "measured", "does it come out?", "where"], cells)


def _summary(measured: Measured) -> str:
    rows = []
    for paper in measured.papers:
        own = [row for row in measured.claims if row.paper == paper]
        counts = [*tally(row.verdict for row in own).values(), sum(bool(row.data) for row in own)]
        rows.append([paper, *(str(count or "–") for count in counts)])
    return _table(["paper", *CLAIM_WORDS, "of these on other data"], rows)


def _summary_of_numbers(measured: Measured) -> str:
    rows = []
    for paper in measured.papers:
        own = {row.experiment for row in measured.claims if row.paper == paper}
        counts = tally((row.verdict for row in measured.numbers if row.experiment in own and row.verdict), NUMBER_WORDS)
        rows.append([paper, *(str(count or "–") for count in counts.values())])
    return _table(["paper", *(several for _, several in NUMBER_WORDS.values())], rows)


def _headline(measured: Measured) -> str:
    printed = tally((row.verdict for row in measured.numbers if row.verdict), NUMBER_WORDS)
    return headline(tally(row.verdict for row in measured.claims), printed, sum(bool(row.data) for row in measured.claims))


_SUMMARIES = {"summary": _summary, "summary of numbers": _summary_of_numbers, "headline": _headline}


# Pages


def fill(page: str, measured: Measured) -> str:
    """A page with the measured numbers in its marks."""
    if len(_BEGIN.findall(page)) != len(_END.findall(page)):
        raise ValueError("a <!--= ... --> has no <!--/-->, or the other way round")
    return _MARK.sub(lambda mark: f"<!--={mark['what']}-->{measured.text(mark['what'])}<!--/-->", page)


def page_paths(folder: Path) -> list[Path]:
    """The files of the pages in a folder."""
    return sorted(folder.glob("*.md"))


def stale_pages(folder: Path) -> dict[Path, str]:
    """The pages in a folder that are not up to date, with the text that they should have."""
    measured = Measured(folder / RESULTS)
    found = {}
    for path in page_paths(folder):
        text = path.read_text(encoding="utf-8")
        try:
            wanted = fill(text, measured)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        if wanted != text:
            found[path] = wanted
    return found


def disagreements(folder: Path) -> list[str]:
    """Where the results in a folder do not belong to the experiments in the code."""
    measured = Measured(folder)
    known = [one for paper in ranktron_papers.all_papers().values() for one in paper.experiments]
    claims = Counter((one.name, claim.text, claim.source) for one in known for claim in one.claims)
    kept = Counter((row.experiment, row.claim, row.source) for row in measured.claims)
    found = [f"{name}: the claim {text!r} ({source}) is not in claims.csv" for name, text, source in claims - kept]
    found += [f"{name}: the claim {text!r} ({source}) is in claims.csv only" for name, text, source in kept - claims]
    printed = Counter((one.name, p.number, _short(p.value), _short(p.half), p.source) for one in known for p in one.printed)
    rows = [row for row in measured.numbers if row.printed is not None]
    before = Counter((row.experiment, row.number, _short(row.printed), _short(row.printed_half), row.source) for row in rows)
    found += [f"{name}: {number} is printed as {value} ({source}) in numbers.csv or in the code, not in both"
              for name, number, value, _, source in (printed - before) + (before - printed)]  # fmt: skip
    return sorted(found)


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.8g}"


def copy_results(out: Path, folder: Path) -> None:
    """Copy the results of a full run, with the figures and the curves that pages show."""
    measured = Measured(out)
    if any(row.run == QUICK for row in measured.claims):
        raise ValueError(f"{out} has the results of a quick run; repeat it without --quick")
    (folder / RESULTS).mkdir(parents=True, exist_ok=True)
    points = _points(folder)
    kept = [row for row in measured.numbers if row.place is None or (row.experiment, row.number) in points]
    (folder / RESULTS / "numbers.csv").write_text(csv_text(NumberRow, kept), encoding="utf-8")
    shutil.copyfile(out / "claims.csv", folder / RESULTS / "claims.csv")
    for name in figure_names(folder):
        if not (out / FIGURES / name).is_file():
            raise ValueError(f"a page shows {FIGURES}/{name}, and {out} has no such figure")
        (folder / FIGURES).mkdir(exist_ok=True)
        shutil.copyfile(out / FIGURES / name, folder / FIGURES / name)


def _points(folder: Path) -> set[tuple[str, str]]:
    """The curves of which pages show points, by experiment and name."""
    marks = [mark["what"].split("|") for path in page_paths(folder) for mark in _MARK.finditer(path.read_text(encoding="utf-8"))]
    return {(mark[0].strip(), mark[1].strip()) for mark in marks if len(mark) > 2}


def figure_names(folder: Path) -> list[str]:
    """The names of the figures that pages show."""
    found = (re.findall(rf"\({FIGURES}/([\w.-]+)\)", path.read_text(encoding="utf-8")) for path in page_paths(folder))
    return sorted({name for names in found for name in names})


def main(words: Sequence[str] | None = None) -> None:
    """Renew the pages, or list those that are stale."""
    parser = argparse.ArgumentParser(prog="python -m ranktron_papers.pages", description="Write measured numbers into pages.")
    parser.add_argument("folder", type=Path, help="the folder of the pages, with a folder results")
    parser.add_argument(
        "--take", type=Path, metavar="OUT", help="first copy the results from OUT, a folder that ranktron reproduce has written"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page or the results are stale")
    given = parser.parse_args(words)
    try:
        if given.take is not None:
            copy_results(given.take, given.folder)
        stale = stale_pages(given.folder)
        wrong = [f"{path} is stale" for path in stale] + disagreements(given.folder / RESULTS) if given.check else []
    except ValueError as error:
        parser.exit(1, f"{error}\n")
    if wrong:
        parser.exit(1, "".join(f"{line}\n" for line in [*wrong, f"To renew them run {MAKE}"]))
    for path, text in {}.items() if given.check else stale.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
