"""``ranktron warmup``: compile everything now, so that nothing is compiled later."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..shared.options import OutputOptions, WholeNumber, option, options
from ..shared.output import console, elapsed, write_result
from ..startup.commands import Command

if TYPE_CHECKING:
    from .cases import Case

_JOBS = "The number of processes; by default one per core."


@click.command(cls=Command)
@option("--algorithms", "-a", multiple=True, metavar="NAMES", help='Only these: "prank,slam(soften=0.5)".')
@option("--kernels", is_flag=True, help="Also with a kernel in place of the inner product.")
@option("--jobs", "-j", type=WholeNumber(1), metavar="N", help=_JOBS)
@options(output=OutputOptions)
def warmup(algorithms: Sequence[str], kernels: bool, jobs: int | None, output: OutputOptions) -> None:
    """Compile all loops that commands run and store them on disk, so that nothing is compiled later: for container images.

    What came with the wheel is not compiled. Other code is stored beside the package, or in the user's cache if that folder
    cannot be written; NUMBA_CACHE_DIR names another folder. It is for this version and this kind of processor. Code that is
    there already is not compiled again. Algorithms are compiled with their default parameters; name those that lead to other
    code, such as a scaling.

    Examples:

        ranktron warmup
        ranktron warmup --algorithms "prank(scale=standard),listnet"
    """
    from ...compile import compiled_loop, policy
    from ...compile.cache import code_folder
    from ..shared.algorithms import CLASSES
    from .cases import cases, checked

    if not policy.may_compile():
        raise ValueError("NUMBA_DISABLE_JIT is set, so nothing can be compiled; unset it")
    code_folder()  # refuses a folder that other users can write to, where nothing is stored
    names = checked(algorithms) or list(CLASSES)
    cache = compiled_loop._object_cache()  # None where object code is not supported
    before = 0 if cache is None else len(cache)
    _run_all(list(cases(names, kernels)), jobs or os.cpu_count() or 1, output.quiet)
    folder = "numba's own cache" if cache is None else str(cache.folder)
    after = None if cache is None else len(cache)
    in_wheel = 0 if cache is None else cache.in_wheel
    if after == 0 and not in_wheel:
        raise ValueError(f"compiled code could not be stored: {folder} cannot be written; set NUMBA_CACHE_DIR to another folder")
    compiled = None if after is None else after - before
    result = {"folder": folder, "algorithms": names, "loops": after, "compiled": compiled, "in_wheel": in_wheel}
    write_result("warmup", result, output, lambda console: _draw(console, result))


def _run_all(steps: list[Case], jobs: int, quiet: bool) -> None:
    """Run everything in a pool of processes."""
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    from . import cases as _warming

    with (
        _progress(len(steps) + 2, quiet) as advance,
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(jobs, get_context("spawn"), _warming.compile_at_once) as pool,
    ):
        work = {pool.submit(_warming.read_lines, folder): "reading of lines", pool.submit(_warming.judge): "measures of lists"}
        work |= {pool.submit(_warming.run, case): str(case) for case in steps}
        for done in as_completed(work):
            done.result()
            advance(work[done])


@contextlib.contextmanager
def _progress(total: int, quiet: bool) -> Iterator[Callable[[str], None]]:
    """A function that counts a step, on a progress line on stderr if that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    bar = BarColumn(20, complete_style="cyan", finished_style="cyan")
    text_column = TextColumn("{task.description}", style="dim")
    with Progress(bar, MofNCompleteColumn(), text_column, console=console(stderr=True), transient=True) as line:
        task = line.add_task("", total=total)
        yield lambda text: line.update(task, advance=1, description=text)


def _draw(console: Any, result: dict[str, Any]) -> None:
    told = f"{result['in_wheel']:,} loops came with the wheel, " if result["in_wheel"] else ""
    if result["loops"] is not None:
        told += f"{result['loops']:,} {'more ' if told else 'loops '}are ready, {result['compiled']:,} of them compiled now, "
    console.print(f"{told}{elapsed():.0f} s: [dim]{result['folder']}[/dim]")
