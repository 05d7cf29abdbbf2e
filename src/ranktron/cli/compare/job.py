"""The steps of ``ranktron compare``: read, run the league, report."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..learn.start import classes_of
from ..shared.messages import INTERRUPTED, note
from ..shared.options import limit_features, opened
from ..shared.output import console, elapsed, format_of, peak_memory, plain, write_csv, write_json
from ..shared.output_file import written
from .entries import grids, parts, ranks
from .report.page import page
from .sources import ROWS, SYNTHETIC, Synthetic
from .tournament import Rules, Tournament, all_models

if TYPE_CHECKING:
    from ..shared.options import DataOptions, OutputOptions
    from .command import LeagueOptions, PictureOptions

# Fields that are not numbers, which CSV leaves out.
_NESTED = ("settings", "parameters", "losses", "drift")


@dataclasses.dataclass
class Comparison:
    """One call of ``ranktron compare``."""

    data: Sequence[str]
    playing: LeagueOptions
    reading: DataOptions
    pictures: PictureOptions
    output: OutputOptions

    def do(self) -> None:
        """Run the league, write the report and print the result."""
        tournament = self._tournament()
        with contextlib.ExitStack() as stack:
            path = self.pictures.report
            file = None if path is None else stack.enter_context(written(path))  # a bad path is refused before any work
            result = self._played(tournament)
            if file is not None:
                file.write(page(result).encode())
        self._print(result)
        if path is not None:
            note(f"The report is in {path}.")
        if result["stopped"]:
            note(f"Stopped after {tournament.league.seen:,} {tournament.league.unit}; this is the result so far.")
            raise SystemExit(INTERRUPTED)

    def _tournament(self) -> Tournament:
        playing, reading = self.playing, self.reading
        named = [one for text in playing.algorithms for one in parts(text)]
        rules = Rules(
            algorithms=named,
            sweeps=grids(playing.sweep),
            repeats=playing.repeats,
            seed=playing.seed,
            limit=playing.limit,
            classes=classes_of(playing.classes),
            missing=reading.missing,
            hash_bits=reading.hash_bits,
        )
        paths, lists = list(self.data) or [SYNTHETIC], ranks(named)
        if paths == [SYNTHETIC]:
            stream: Any = Synthetic(playing.limit or ROWS, playing.seed, lists)
        else:
            stream = opened(paths, reading, lists=lists)
            limit_features(stream, reading, all_models(rules, stream.lists))
        return Tournament(stream, paths, rules, skip=reading.on_error == "skip")

    @property
    def _is_watched(self) -> bool:
        return format_of(self.output) == "table" and not self.output.quiet

    def _played(self, tournament: Tournament) -> dict[str, Any]:
        """The result, after all rows or after Ctrl-C; a terminal shows it while it grows."""
        if self._is_watched:
            from .terminal import LiveLeague

            with LiveLeague(console(), tournament, self.pictures.log) as live:
                stopped = tournament.play(live.watch)
        else:
            stopped = tournament.play()
        found = tournament.result() | {"stopped": stopped, "seconds": elapsed(), "peak_memory_bytes": peak_memory()}
        return {name: plain(value) for name, value in found.items()}

    def _print(self, result: dict[str, Any]) -> None:
        kind = format_of(self.output)
        if kind == "json":
            write_json(result)
        elif kind == "csv":
            write_csv([{name: value for name, value in one.items() if name not in _NESTED} for one in result["league"]])
        else:
            from .terminal import show

            show(console(), result, self.pictures.log)
