"""Fresh processes that import the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import ranktron

PACKAGE = Path(ranktron.__file__).parent


def run(code: str, folder: Path | str = PACKAGE.parent, **environment: str) -> str:
    """What a fresh process prints that imports the package from ``folder``."""
    settings = {"PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "0", "RANKTRON_PATIENCE": "50_000", **environment}
    process = subprocess.run([sys.executable, "-c", code], env=os.environ | settings, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


# Prints which of the libraries that take long to import a program has imported.
LOADED = "; import sys; print(*(name for name in ('numba', 'sklearn', 'scipy', 'pandas', 'rich') if name in sys.modules))"
