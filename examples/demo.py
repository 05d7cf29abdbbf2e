"""The papers' synthetic problem, or any file that is named, streamed through the whole family: ``ranktron compare``."""

from __future__ import annotations

import os
import sys

os.environ.setdefault("RANKTRON_PATIENCE", "0")  # compile at once: this is about speed

from ranktron.cli import main

if __name__ == "__main__":
    sys.argv[:] = ["ranktron", "compare", *(sys.argv[1:] or ["synthetic"])]
    main()
