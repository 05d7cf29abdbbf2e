"""Model files that tell commands wrong things of how data were read and where a run stands: a sentence, never a traceback."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest

from ranktron.models import files
from tests.cli.asking import run
from tests.fuzz.changes import change_header, content_of, with_digest


def checkpoint(folder: Path, name: str, data: str, *more: str) -> tuple[Path, Path]:
    """Data, and the checkpoint of a run that has learned them once of twice."""
    (folder / name).write_text(data)
    path = folder / "run.ckpt"
    done = run("learn", folder / name, "--checkpoint", path, "--epochs", "2", *more)
    assert done.status == 0, done.err
    return folder / name, path


KINDS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "table": ("a.csv", "stars,price,city\n" + "1,2,Rome\n3,1.5,Paris\n2,1,Rome\n" * 8, ("--target", "stars")),
    "lists": ("a.txt", "".join(f"{t % 3} qid:{t // 4} 1:{t % 5} 3:{t * t % 7}\n" for t in range(24)), ()),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore")
def test_what_a_file_tells_commands_is_checked(kind: str, tmp_path: Path) -> None:
    name, text, more = KINDS[kind]
    data, path = checkpoint(tmp_path, name, text, *more)
    header, arrays = files.read(path)
    assert run("learn", data, "--resume", path, "--epochs", "2", *more).status == 0
    refused = 0
    for number in range(80):
        changed = copy.deepcopy(header)
        part: Any = {"about": changed["about"]}
        change_header(random.Random(f"{kind} {number}"), part)
        path.write_bytes(with_digest(content_of({**changed, **part}, arrays)))
        for words in (("learn", data, "--resume", path, "--epochs", "2", *more), ("predict", path, data), ("inspect", path)):
            told = run(*words)
            assert told.status in (0, 1, 2)
            assert len(told.err.splitlines()) <= 3, told.err
            assert len(told.err) < 2000
            refused += told.status != 0
    assert 30 < refused < 240
