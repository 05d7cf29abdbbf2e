"""Runs a league on a stream, and collects its result."""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...data.streams.block import Block
from ..learn.start import classes_of
from ..shared.options import limit_features, opened
from ..shared.reading import accepted
from ..shared.stopping import Stopped, Stopper
from .entries import RANKERS, entries, grids, parts, ranks, usual_raters
from .league import League
from .orders import BUFFER
from .sources import ROWS, SYNTHETIC, Synthetic, check_rows, limited, sizes
from .standings import curves, headline, sweeps, table

if TYPE_CHECKING:
    from ..shared.options import DataOptions
    from .command import LeagueOptions


class Tournament:
    """A league and the stream that it learns from."""

    def __init__(self, paths: Sequence[str], playing: LeagueOptions, reading: DataOptions) -> None:
        self.paths, self.playing, self.classes = paths, playing, classes_of(playing.classes)
        named = [one for text in playing.algorithms for one in parts(text)]
        grid, requested = grids(playing.sweep), ranks(named)
        self.stream = self._opened(named, grid, requested, reading)
        blocks = iter(self.stream.blocks())
        first = next(blocks, None)
        if first is None:
            raise ValueError("there are no rows to learn from")
        self.lists = first.qid is not None if requested is None else requested
        found = entries(named, grid, self._usual(first))
        self.entries = [entry.name for entry in found]
        classes = None if self.lists else self.classes or getattr(self.stream, "labels", None)
        settings = {"missing": reading.missing, "hash_bits": reading.hash_bits, "classes": classes}
        self.league = League(found, playing.repeats, playing.seed, self.lists, **settings)
        check = functools.partial(check_rows, lists=self.lists, model=next(iter(self.league.players.values()))[0].model)
        good = accepted(chain([first], blocks), self.stream.bad, check, reading.on_error == "skip")
        self._blocks = limited((block for block, _ in good), playing.limit)
        self._block: Block = first
        self._columns = first.n_columns

    def _opened(self, named: Sequence[str], grid: dict[str, list[str]], lists: bool | None, reading: DataOptions) -> Any:
        playing = self.playing
        if self.paths == [SYNTHETIC]:
            return Synthetic(playing.limit or ROWS, playing.seed, lists)
        stream = opened(self.paths, reading, lists=lists)
        # The models of all entries and repeats, as far as they are known before the data.
        usual = RANKERS if stream.lists else usual_raters(1.0, 1.0)
        models = [entry.make() for entry in entries(named, grid, usual)] * playing.repeats
        limit_features(stream, reading, models)
        return stream

    def _usual(self, first: Block) -> Sequence[str]:
        if self.lists:
            return RANKERS
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
        while (block := stopper.next(self._blocks)) is not None:
            self._block, self._columns = block, max(self._columns, block.n_columns)
            self.league.push(block, watch, stopper.check)
        self.league.close(watch, stopper.check)

    # The result

    def result(self) -> dict[str, Any]:
        """The result as plain data."""
        league, playing = self.league, self.playing
        records = table(league)
        grids = sweeps(league, records)
        figures = next(iter(league.players.values()))[0].figures
        return {
            "command": "compare",
            "version": __version__,
            "line": shlex.join(["ranktron", *sys.argv[1:]]),
            "unit": league.unit,
            "measure": figures.titles["loss"],
            "headline": headline(records, playing.repeats),
            "repeats": playing.repeats,
            "seed": playing.seed,
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
        labels = league.labels(self.classes)
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
        league, repeats = self.league, self.playing.repeats
        if repeats == 1:
            return f"The {league.unit} were read once, in the order of the data."
        text = f"The same {repeats} shuffles of the {league.unit} for all"
        if league.orders.rows <= BUFFER:
            return f"{text}, each a random permutation by seed {self.playing.seed}."
        return f"{text}, each through a random buffer of {BUFFER:,} rows by seed {self.playing.seed}."

    def _notes(self, grids: Sequence[dict[str, Any]]) -> list[str]:
        league = self.league
        found = [f"{name} was removed: {reason}." for name, reason in league.out.items()]
        found += [f"{name}: {warning}." for name, warning in league.warned.items() if name in league.players]
        found += [_sentence(warning) for grid in grids for warning in grid["warnings"]]
        if self.stream.bad.count:
            found.append(f"{self.stream.bad.count:,} malformed lines were skipped; the first: {self.stream.bad.first[0]}.")
        names = [label for label in league.labels() if isinstance(label, str)]
        if names and self.classes is None:
            found.append(f"Labels in order: {' < '.join(names)}; use --classes for another order.")
        return found


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
