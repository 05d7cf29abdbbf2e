"""Which tests run, and how: interpreted, where they are quick, but for those marked ``compiled``, which compile at once."""

from __future__ import annotations

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings
from tests.covering import mark_full

# Rows that no test has: nothing is compiled, here or in programs that tests start.
NEVER = 10**15
os.environ["RANKTRON_PATIENCE"] = str(NEVER)

# A job in the background of a shell ignores Ctrl-C, and so would the programs that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

for name, examples in (("gate", 25), ("all", 100)):
    checks = [HealthCheck.too_slow]
    settings.register_profile(name, deadline=None, suppress_health_check=checks, derandomize=True, max_examples=examples)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="every case, and what takes minutes or gigabytes (make test-all)")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("all" if config.getoption("--all") else "gate")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all") or any("::" in arg for arg in config.args):  # a test that is named runs with all its cases
        return
    mark_full(items)
    left_out = [item for item in items if item.get_closest_marker("full")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("full")]


def pytest_collection_finish() -> None:
    gc.freeze()  # or tests that collect garbage would look through all the tests there are


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    from ranktron.compile import policy

    policy.PATIENCE = 0 if item.get_closest_marker("compiled") else NEVER
    os.environ["RANKTRON_PATIENCE"] = str(policy.PATIENCE)


@pytest.fixture
def everything(request: pytest.FixtureRequest) -> bool:
    """Whether everything runs, and not only the gate."""
    return bool(request.config.getoption("--all"))


@pytest.fixture(autouse=True)
def _examples_write_elsewhere(request: pytest.FixtureRequest) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))
