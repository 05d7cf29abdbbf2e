"""Runs a league on a stream, and collects its result."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ... import __version__
from ...data.streams.block import Block
from ..shared.stopping import Stopped, Stopper
from .entries import RANKERS, entries, ranks, usual_raters
from .league import League
from .orders import BUFFER
from .sources import SYNTHETIC, checked, limited, peeked, sizes
from .standings import curves, headline, sweeps, table


class Rules(NamedTuple):
    """The settings of a league."""

    algorithms: Sequence[str]
    sweeps: dict[str, list[str]]
    repeats: int
    seed: int
    limit: int | None
    classes: list[Any] | None
    missing: str = "error"
    hash_bits: int | None = None


def all_models(rules: Rules, lists: bool) -> list[Any]:
    """The models of all entries and repeats, as far as they are known before the data."""
    usual = list(RANKERS) if lists else usual_raters(1.0, 1.0)
    return [entry.make() for entry in entries(rules.algorithms, rules.sweeps, usual)] * rules.repeats


class Tournament:
    """A league and the stream that it learns from."""

    def __init__(self, stream: Any, paths: Sequence[str], rules: Rules, skip: bool) -> None:
        self.stream, self.paths, self.rules = stream, paths, rules
        first, blocks = peeked(iter(stream.blocks()))
        if first is None:
            raise ValueError("there are no rows to learn from")
        requested = ranks(rules.algorithms)
        self.lists = first.qid is not None if requested is None else requested
        classes = None if self.lists else rules.classes or getattr(stream, "labels", None)
        settings = {"missing": rules.missing, "hash_bits": rules.hash_bits, "classes": classes}
        found = entries(rules.algorithms, rules.sweeps, self._usual(first))
        self.entries = [entry.name for entry in found]
        self.league = League(found, rules.repeats, rules.seed, self.lists, **settings)
        sample = next(iter(self.league.players.values()))[0].model
        self._blocks = limited(checked(blocks, stream.bad, skip, self.lists, sample), rules.limit)
        self._block: Block = first
        self._columns = first.n_columns

    def _usual(self, first: Block) -> list[str]:
        if self.lists:
            return list(RANKERS)
        is_ours = self.stream.format == SYNTHETIC
        return usual_raters(*((1.0, 1.0) if is_ours else sizes(first)), curved=is_ours)

    @property
    def share(self) -> float | None:
        """The share of the data that has been learned; None if it is not known."""
        read: float | None = self.stream.progress(self._block.place)
        league = self.league
        return None if read is None else read * league.seen / max(league.orders.units, 1)

    def play(self, watch: Callable[[], None] = lambda: None) -> bool:
        """Run the league; the result is whether Ctrl-C stopped it."""
        with Stopper() as stopper:
            try:
                self._play(watch, stopper)
            except Stopped:
                if not self.league.seen:
                    raise KeyboardInterrupt from None
                self.league.stop()
                return True
        self.stream.check_unchanged()
        return False

    def _play(self, watch: Callable[[], None], stopper: Stopper) -> None:
        stopper.waiting(True)
        for block in self._blocks:
            stopper.waiting(False)
            self._block, self._columns = block, max(self._columns, block.n_columns)
            self.league.push(block, watch, stopper.check)
            stopper.waiting(True)
        stopper.waiting(False)
        self.league.close(watch, stopper.check)

    # The result

    def result(self) -> dict[str, Any]:
        """The result as plain data."""
        league, rules = self.league, self.rules
        records = table(league)
        grids = sweeps(league, records)
        figures = next(iter(league.players.values()))[0].figures
        return {
            "command": "compare",
            "version": __version__,
            "line": shlex.join(["ranktron", *sys.argv[1:]]),
            "unit": league.unit,
            "measure": figures.titles["loss"],
            "headline": headline(records, rules.repeats),
            "repeats": rules.repeats,
            "seed": rules.seed,
            "data": self._data(),
            "entries": self.entries,
            "league": records,
            "sweeps": grids,
            "out": league.out,
            "notes": self._notes(grids),
            "curves": curves(league),
        }

    def _data(self) -> dict[str, Any]:
        league = self.league
        labels = league.labels(self.rules.classes)
        return {
            "files": list(self.paths),
            "told": getattr(self.stream, "told", ""),
            "format": self.stream.format,
            "rows": league.orders.rows,
            "lists": league.orders.units if self.lists else None,
            "features": self._columns,
            "labels": [{"label": label, "rows": count} for label, count in labels.items()],
            "encoding": self.stream.encoding,
            "order": self._order(),
            "bad_lines": self.stream.bad.count,
        }

    def _order(self) -> str:
        league, repeats = self.league, self.rules.repeats
        if repeats == 1:
            return f"The {league.unit} were read once, in the order of the data."
        text = f"The same {repeats} shuffles of the {league.unit} for all"
        if league.orders.rows <= BUFFER:
            return f"{text}, each a random permutation by seed {self.rules.seed}."
        return f"{text}, each through a random buffer of {BUFFER:,} rows by seed {self.rules.seed}."

    def _notes(self, grids: Sequence[dict[str, Any]]) -> list[str]:
        league = self.league
        found = [f"{name} was removed: {reason}." for name, reason in league.out.items()]
        found += [f"{name}: {warning}." for name, warning in league.warned.items() if name in league.players]
        found += [_sentence(warning) for grid in grids for warning in grid["warnings"]]
        if self.stream.bad.count:
            found.append(f"{self.stream.bad.count:,} malformed lines were skipped; the first: {self.stream.bad.first[0]}.")
        names = [label for label in league.labels() if isinstance(label, str)]
        if names and self.rules.classes is None:
            found.append(f"Labels in order: {' < '.join(names)}; use --classes for another order.")
        return found


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
