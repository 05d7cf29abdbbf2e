"""Ranktron compared with other libraries and with the limits of the machine: ``python -m benchmarks [SECTION...]``."""

import os

SETTINGS = {
    "RANKTRON_PATIENCE": "0",  # compile at once
    "OMP_NUM_THREADS": "1",  # one core for everything; batch regression is faster with it, too
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
os.environ.update(SETTINGS)  # before numpy and ranktron are imported
