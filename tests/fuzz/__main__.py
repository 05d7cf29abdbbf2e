"""Load and use changed model files of one kind: ``python -m tests.fuzz KIND FIRST LAST FOLDER``.

Prints the number of each case before it runs, so that whoever reads it knows which one ended the process. A model file that is
refused is refused in a sentence; a model that is loaded may refuse rows, and nothing else may go wrong.
"""

from __future__ import annotations

import faulthandler
import resource
import signal
import sys
import time
import warnings
from pathlib import Path

import numba
import numpy as np

from ranktron.models import files
from tests.fuzz.changes import changed
from tests.fuzz.kinds import KINDS, is_refused, use

# Seconds of this process and kilobytes that a small file may cost.
LONGEST, MOST_MEMORY = 60.0, 200_000


def main(kind: str, first: str, last: str, folder: str) -> None:
    """Run some cases."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    path = Path(folder) / "model"
    KINDS[kind]().save(path)
    header, arrays = files.read(path)
    use(path)  # all that is compiled and imported once
    numba.njit(lambda number: number + 1)(1)  # the compiler, too: a case may need another loop
    refused = 0
    for number in range(int(first), int(last)):
        print(number, flush=True)
        path.write_bytes(changed(f"{kind} {number}", header, arrays))
        start, before = time.process_time(), peak()
        signal.alarm(600)  # a case that never ends
        refused += is_refused(path)
        signal.alarm(0)
        assert time.process_time() - start < LONGEST, "it took too long"
        assert peak() - before < MOST_MEMORY, f"{peak() - before} kB more than before"
    print("refused", refused, flush=True)


def peak() -> int:
    """The most memory that this process has held, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main(*sys.argv[1:])
