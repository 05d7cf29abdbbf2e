"""Checkpoints: model files that also hold the state of a run, so that it can continue however the program ended."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...files import on_its_way
from ..shared.messages import of_system

if TYPE_CHECKING:
    from .run import Run

Settings = dict[str, Any]


class Checkpoint:
    """Saves a run to one file, every given number of rows or seconds."""

    def __init__(self, path: str, rows: int, seconds: float | None, settings: Settings, begun: int) -> None:
        self.path, self.rows, self.seconds, self.settings = path, rows, seconds, settings
        self._rows_then, self._then = begun, time.monotonic()

    def save_if_due(self, run: Run) -> None:
        """Save if enough rows or seconds have passed."""
        is_late = self.seconds is not None and time.monotonic() - self._then >= self.seconds
        if is_late or run.rows - self._rows_then >= self.rows:
            self.save(run)

    def save(self, run: Run) -> None:
        """Save now; the previous file stays until the new one is complete."""
        place = {"settings": self.settings, "files": run.stream.fingerprint(), **run.state()}
        save_model(run.model, self.path, {"data": run.stream.schema, "run": place})
        self._rows_then, self._then = run.rows, time.monotonic()


def save_model(model: Any, path: str, about: dict[str, Any]) -> None:
    """Write a model file; the error says what is left."""
    model._metadata = about
    try:
        model.save(path)
    except OSError as error:
        kept = "; the previous file is still there" if os.path.exists(path) else ""
        raise ValueError(f"{path} could not be written: {of_system(OSError(error.errno, error.strerror))}{kept}") from None


def check_writable(path: str, option: str) -> None:
    """Refuse a path that cannot be written, before any work is done."""
    target = Path(path)
    if target.exists() and not target.is_file():
        raise ValueError(f"{option} {path}: not a regular file")
    if not target.parent.is_dir():
        raise ValueError(f"{option} {path}: no such folder {target.parent}")
    try:
        with on_its_way(target):
            pass
    except OSError as error:
        raise ValueError(f"{option} {path} cannot be written: {of_system(OSError(error.errno, error.strerror))}") from None


# Continuing


def check_same(path: str, place: dict[str, Any], settings: Settings, files: list[dict[str, Any]]) -> None:
    """Refuse to continue with other settings or other data than those of the checkpoint."""
    before = place["settings"]
    for name in dict.fromkeys([*before, *settings]):
        was, now = before.get(name), settings.get(name)
        if was != now:
            raise ValueError(
                f"{path} was made {_with(name, was)}, but this command is {_with(name, now)}; "
                "repeat the command with the same settings, or start again without --resume"
            )
    if len(files) != len(place["files"]):
        raise ValueError(f"{path} was made from {len(place['files'])} files, not {len(files)}; give the same DATA")
    for was, now in zip(place["files"], files):
        if (was["size"], was["mtime_ns"]) != (now["size"], now["mtime_ns"]):
            raise ValueError(f"{now['path']} has changed since {path} was made from it; start again without --resume")


def _with(name: str, value: Any) -> str:
    if value is None or value is False:
        return f"without {name}"
    return f"with {name}" if value is True else f"with {name} {value if isinstance(value, str) else _shown(value)}"[:120]


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, dict) and "parameters" in value:
        kind = next(one for name, one in value.items() if name != "parameters")
        return f"{kind}({', '.join(f'{name}={_shown(one)}' for name, one in value['parameters'].items())})"
    return str(value)


def command_to_continue(checkpoint: str) -> str:
    """The command line that continues from a checkpoint."""
    command, skip = ["ranktron"], False
    for word in sys.argv[1:]:
        if not skip and word != "--resume" and not word.startswith("--resume="):
            command.append(word)
        skip = word == "--resume"
    return shlex.join([*command, "--resume", checkpoint])
