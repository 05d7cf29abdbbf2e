"""Builds the wheel; with RANKTRON_PRECOMPILE=1, as in ``make wheel``, it carries compiled loops, for one kind of machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledLoops(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the common loops and puts them into the wheel."""

    @property
    def _is_wanted(self) -> bool:
        return self.target_name == "wheel" and os.environ.get("RANKTRON_PRECOMPILE") == "1"

    def dependencies(self) -> list[str]:
        """Compiling needs all that running needs."""
        return list(self.metadata.core.dependencies) if self._is_wanted else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless this is an installation for development."""
        if not self._is_wanted or version == "editable":
            return
        root = Path(self.root)
        folder = root / "build" / "loops"
        subprocess.run([sys.executable, str(root / "tools" / "precompile.py"), str(folder)], check=True)
        build_data["force_include"].update({str(path): f"ranktron/compile/loops/{path.name}" for path in folder.iterdir()})
        build_data["pure_python"] = False
        build_data["tag"] = subprocess.run(
            [sys.executable, str(root / "tools" / "precompile.py"), "--tag", str(folder)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
