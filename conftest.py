"""Tests run interpreted (NUMBA_DISABLE_JIT=1), where they are quick; those marked ``compiled`` compile at once."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("RANKTRON_PATIENCE", "0")

settings.register_profile("ranktron", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("ranktron")


@pytest.fixture(autouse=True)
def _examples_write_elsewhere(request: pytest.FixtureRequest) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))
