"""What a planted fault is: one small change in one file, and the tests that should notice it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Fault(NamedTuple):
    """A mistake as an engineer makes them: ``new`` in the place of ``old``."""

    file: str  # in src
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]  # those of the gate that are about it, in tests

    def plant(self, sources: Path) -> None:
        """Make the change in a copy of the sources."""
        path = sources / self.file
        text = path.read_text() if path.exists() else ""
        if text.count(self.old) != 1:
            raise ValueError(
                f"the fault {self.breaks!r} cannot be planted: {self.file} holds its text {text.count(self.old)} times; "
                "write the fault again for the code as it is now"
            )
        path.write_text(text.replace(self.old, self.new))
