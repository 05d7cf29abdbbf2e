"""The machine and the versions of a report."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

import numba

import ranktron

PACKAGES = (
    *("numpy", "numba", "llvmlite", "scipy", "scikit-learn", "river", "vowpalwabbit", "mord"),
    *("skordinal", "lightgbm", "xgboost-cpu", "scikit-surprise", "polars", "matplotlib"),
)


def description() -> str:
    """A Markdown list of both."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    lines = [
        f"CPU: {cpu()} ({numba.core.config.CPU_NAME or host_cpu()} to the compiler), {os.cpu_count()} cores",
        f"Memory: {os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        f"System: {system()}; load before the run: {os.getloadavg()[0]:.1f}",
        f"Python {platform.python_version()}; ranktron {ranktron.__version__}; {versions}",
    ]
    return "\n".join(f"- {line}" for line in lines)


def cpu() -> str:
    """The CPU model, if the system reports it."""
    info = Path("/proc/cpuinfo")
    models = [line for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []
    return models[0].partition(":")[2].strip() if models else platform.processor() or platform.machine()


def host_cpu() -> str:
    """The CPU name that LLVM detects."""
    from llvmlite import binding

    return str(binding.get_host_cpu_name())


def system() -> str:
    """The distribution and architecture."""
    try:
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.machine()}"
    except OSError:
        return f"{platform.system()}, {platform.machine()}"
