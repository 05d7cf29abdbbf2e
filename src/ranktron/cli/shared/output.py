"""Results on stdout, as a table in a terminal, otherwise as JSON or CSV; and output files, complete or not there at all."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ...files import replacing

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from .options import OutputOptions

Draw = Callable[["Console"], None]
Rows = Sequence[Mapping[str, Any]]

_began = time.perf_counter()


def in_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout.isatty()


def peak_memory() -> int:
    """The peak memory of this process, in bytes."""
    if sys.platform.startswith("linux"):  # there, ru_maxrss includes the memory of the parent process
        with contextlib.suppress(OSError, ValueError, StopIteration), open("/proc/self/status", encoding="ascii") as file:
            return 1024 * next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def console(stderr: bool = False) -> Console:
    """A rich console."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def grid(*justified: Any) -> Table:
    """A table without lines: a column for each of these, "left" or "right", with two spaces between them."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for place in justified:
        table.add_column(justify=place, no_wrap=True)
    return table


def format_of(output: OutputOptions) -> str:
    """ "json", "csv", or "table" for a terminal."""
    return "csv" if output.csv else "json" if output.json or not in_terminal() else "table"


def write_json(record: Mapping[str, Any]) -> None:
    """Print one JSON object on a line; NaN and infinity become null."""
    print(json.dumps(plain(record), ensure_ascii=False), flush=True)


def write_csv(rows: Rows, header: bool = True) -> None:
    """Print a header and rows; nested values get names such as ``test.loss``."""
    import csv

    flat = [flattened(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if header:
        writer.writerow(names)
    for row in flat:
        writer.writerow([row.get(name, "") for name in names])
    sys.stdout.flush()


def write_result(command: str, values: Mapping[str, Any], output: OutputOptions, draw: Draw, rows: Rows | None = None) -> None:
    """Print the result of a command: ``draw`` does it in a terminal, and ``rows`` are the lines of CSV, by default one."""
    record = {"command": command, **values, "seconds": elapsed(), "peak_memory_bytes": peak_memory()}
    write(record, [record] if rows is None else rows, output, draw)


def write(record: Mapping[str, Any], rows: Rows, output: OutputOptions, draw: Draw) -> None:
    """Print a record as JSON, rows as CSV, or what ``draw`` prints in a terminal."""
    kind = format_of(output)
    if kind == "table":
        draw(console())
    elif kind == "csv":
        write_csv(rows)
    else:
        write_json(record)


def elapsed() -> float:
    """Seconds since the program started."""
    return round(time.perf_counter() - _began, 6)


def plain(value: Any) -> Any:
    """Plain JSON data, with None for NaN and infinity."""
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def flattened(record: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested mappings as one mapping, lists as JSON.

    >>> flattened({"loss": 0.5, "test": {"loss": 1}, "classes": [1, 2]})
    {'loss': 0.5, 'test.loss': 1, 'classes': '[1, 2]'}
    """
    flat: dict[str, Any] = {}
    for name, value in plain(record).items():
        if isinstance(value, dict):
            flat |= flattened(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
    return flat


@contextlib.contextmanager
def written(path: str | None) -> Iterator[IO[bytes]]:
    """A file to write to, which gets its name when it is complete; without a path, or for -, standard output.

    A pipe or a device is written to directly.
    """
    if path is None or path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(path))
    with _named(path):
        if target.exists() and not target.is_file():
            with open(target, "wb") as file:
                yield file
        else:
            with replacing(target) as file:
                yield file


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    """Errors of the operating system name the path as the user typed it, unless they are about another file."""
    try:
        yield
    except OSError as error:
        ours = Path(os.path.realpath(path))
        of_ours = ours.with_name(f".{ours.name}.")
        if error.filename is None or str(error.filename).startswith((str(of_ours), str(ours))):
            error.filename, error.filename2 = path, None
        raise
