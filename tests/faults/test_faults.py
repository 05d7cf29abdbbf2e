"""Every fault can be planted in the code as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults import FAULTS
from tests.faults.fault import Fault

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.breaks for fault in FAULTS])
def test_it_can_be_planted(fault: Fault, tmp_path: Path) -> None:
    copy = tmp_path / fault.file
    copy.parent.mkdir(parents=True)
    copy.write_text((ROOT / "src" / fault.file).read_text())
    fault.plant(tmp_path)
    compile(copy.read_text(), fault.file, "exec")
    assert all((ROOT / "tests" / place).exists() for place in fault.tests), f"tests moved: {fault.tests}"
    with pytest.raises(ValueError, match="holds its text 0 times"):
        Fault(fault.file, "no such text", "", fault.breaks, fault.tests).plant(tmp_path)


def test_faults_are_in_all_parts_of_the_library() -> None:
    assert len(FAULTS) >= 45
    assert len({fault.breaks for fault in FAULTS}) == len(FAULTS)
    assert {fault.file.split("/")[1] for fault in FAULTS} >= {
        *("algorithms", "core", "models", "estimators", "metrics", "bounds", "exports", "data", "cli", "compile"),
    }
