"""The steps of ``ranktron compare``: run the league, write the report, print the result."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from ..shared.messages import INTERRUPTED, note
from ..shared.output import console, elapsed, format_of, peak_memory, plain, write, written
from .report.page import page

if TYPE_CHECKING:
    from ..shared.options import OutputOptions
    from .command import PictureOptions
    from .tournament import Tournament

# Fields that are not numbers, which CSV leaves out.
_NESTED = ("settings", "parameters", "losses", "drift")


def run(tournament: Tournament, pictures: PictureOptions, output: OutputOptions) -> None:
    """Run the league, write the report and print the result."""
    path = pictures.report
    with contextlib.ExitStack() as stack:
        file = None if path is None else stack.enter_context(written(path))  # a bad path is refused before any work
        result = _played(tournament, format_of(output) == "table" and not output.quiet, pictures.log)
        if file is not None:
            file.write(page(result).encode())
    _print(result, output, pictures.log)
    if path is not None:
        note(f"The report is in {path}.")
    if result["stopped"]:
        note(f"Stopped after {tournament.league.seen:,} {tournament.league.unit}; this is the result so far.")
        raise SystemExit(INTERRUPTED)


def _played(tournament: Tournament, is_watched: bool, log: bool) -> dict[str, Any]:
    """The result, after all rows or after Ctrl-C; a terminal shows it while it grows."""
    if is_watched:
        from .terminal import LiveLeague

        with LiveLeague(console(), tournament, log) as live:
            stopped = tournament.play(live.watch)
    else:
        stopped = tournament.play()
    found: dict[str, Any] = plain(
        tournament.result() | {"stopped": stopped, "seconds": elapsed(), "peak_memory_bytes": peak_memory()}
    )
    return found


def _print(result: dict[str, Any], output: OutputOptions, log: bool) -> None:
    def draw(console: Any) -> None:
        from .terminal import show

        show(console, result, log)

    rows = [{name: value for name, value in one.items() if name not in _NESTED} for one in result["league"]]
    write(result, rows, output, draw)
