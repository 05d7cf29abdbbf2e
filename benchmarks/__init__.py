"""Ranktron beside its peers and beside the limits of the machine: ``python -m benchmarks``, or some sections of it by name."""

import os

SETTINGS = {
    "RANKTRON_PATIENCE": "0",  # compile at once
    "OMP_NUM_THREADS": "1",  # nobody gets more than one core; batch regression is quicker for it, too
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
os.environ.update(SETTINGS)  # before numpy and ranktron are imported
