"""Tests run interpreted (NUMBA_DISABLE_JIT=1), where they are quick; those marked ``compiled`` compile at once."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("RANKTRON_PATIENCE", "0")

# A job in the background of a shell ignores Ctrl-C, and so would the programs that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("ranktron", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("ranktron")


SELDOM = ("SiPRank", "WidrowHoff", "MulticlassPerceptron", "AROWPRank", "MinimaxRank", "OAP-bagging", "OAP-voting")
"""Of what is wide, or takes the compiler's time, these are left to ``make test-all``: others stand for their kind."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.DoctestItem) and item.path.suffix == ".md":
            item.add_marker(pytest.mark.wide)
        takes_long = item.get_closest_marker("wide") or item.get_closest_marker("compiled")
        if takes_long and any(f"[{name}" in item.name or f"-{name}" in item.name for name in SELDOM):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def _examples_write_elsewhere(request: pytest.FixtureRequest) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))
