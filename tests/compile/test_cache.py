"""Files of compiled code: only what Ranktron wrote, where nobody else can write, is ever read."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ranktron.compile import cache
from ranktron.compile.cache import KEY, CodeFiles, Unsafe, attempt, code_folder
from tests.processes import PACKAGE

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
NAME = "loop-0123-4567.native"
NOBODY = 65534


@pytest.fixture
def files(tmp_path: Path) -> CodeFiles:
    """A folder with one file in it."""
    files = CodeFiles(tmp_path / "cache", "0123")
    files.write(NAME, b"code")
    return files


@pytest.fixture
def no_umask() -> Iterator[None]:
    umask = os.umask(0)
    yield
    os.umask(umask)


def give_away(path: Path, patch: pytest.MonkeyPatch) -> None:
    """Have a file belong to another user: root can give it away, others become another user."""
    if os.geteuid() == 0:
        os.chown(path, NOBODY, -1, follow_symlinks=False)
    else:
        patch.setattr(os, "geteuid", lambda: NOBODY)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


# What is written


def test_what_is_written_is_read(files: CodeFiles) -> None:
    assert files.read(NAME) == b"code"
    assert CodeFiles(files.folder, "0123").read(NAME) == b"code"
    assert files.read("other-0123-4567.native") is None
    assert files.count(".native") == 1
    assert CodeFiles(files.folder / "nothing", "0123").read(NAME) is None


@pytest.mark.usefixtures("no_umask")
def test_nobody_else_may_enter_what_a_user_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() or NOBODY)  # files of root may be used by everybody
    files = CodeFiles(tmp_path / "a" / "b", "0123")
    files.write(NAME, b"code")
    assert [mode(place) for place in (tmp_path / "a", files.folder)] == [0o700, 0o700]
    assert [mode(file) for file in files.folder.iterdir()] == [0o600, 0o600]


@pytest.mark.usefixtures("no_umask")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes files for everybody")
def test_everybody_may_read_what_root_makes_and_nobody_may_write_it(tmp_path: Path) -> None:
    files = CodeFiles(tmp_path / "a" / "b", "0123")
    files.write(NAME, b"code")
    assert [mode(place) for place in (tmp_path / "a", files.folder)] == [0o755, 0o755]
    assert [mode(file) for file in files.folder.iterdir()] == [0o644, 0o644]


def test_a_full_disk_leaves_nothing_behind(files: CodeFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import resource, sys; from pathlib import Path; from ranktron.compile.cache import CodeFiles\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        f"CodeFiles(Path({str(files.folder)!r}), '0123').write('large-0123-4567.native', bytes(5000))"
    )
    process = subprocess.run([sys.executable, "-c", code], env=surroundings(), capture_output=True, text=True, check=False)
    assert "OSError" in process.stderr
    assert sorted(file.name for file in files.folder.iterdir()) == [NAME, KEY]
    assert files.read(NAME) == b"code"


def test_after_a_failure_nothing_more_is_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    files = CodeFiles(tmp_path / "file" / "deeper", "0123")
    assert files.is_writable
    with pytest.raises(NotADirectoryError):
        files.write(NAME, b"code")
    assert not files.is_writable


# What is refused


def plain(content: bytes) -> bytes:
    """A digest that anybody can compute."""
    return hashlib.blake2b(content, digest_size=32).digest() + content


CONTENTS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda whole: b"",
    "cut": lambda whole: whole[:-1],
    "longer": lambda whole: whole + b"\0",
    "garbage": lambda whole: whole[:32] + b"garbage",
    "garbage under a digest without a key": lambda whole: plain(b"garbage"),
    "the code under a digest without a key": lambda whole: plain(whole[32:]),
}


@pytest.mark.parametrize("content", CONTENTS)
def test_what_ranktron_did_not_write_is_refused_until_it_is_written_again(content: str, files: CodeFiles) -> None:
    path = files.folder / NAME
    path.write_bytes(CONTENTS[content](path.read_bytes()))
    with pytest.raises(Unsafe, match="is damaged, or Ranktron did not write it"):
        files.read(NAME)
    files.write(NAME, b"code")
    assert files.read(NAME) == b"code"


def test_code_for_another_loop_is_refused(files: CodeFiles) -> None:
    shutil.copy(files.folder / NAME, files.folder / "other-0123-4567.native")
    with pytest.raises(Unsafe):
        files.read("other-0123-4567.native")


def test_code_from_another_folder_is_refused(files: CodeFiles, tmp_path: Path) -> None:
    other = CodeFiles(tmp_path / "other", "0123")
    other.write(NAME, b"other")
    shutil.copy(other.folder / NAME, files.folder / NAME)
    with pytest.raises(Unsafe):
        files.read(NAME)


KEYS: dict[str, Callable[[Path], Any]] = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "short": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "long": lambda path: path.write_bytes(path.read_bytes() * 3),
    "another": lambda path: path.write_bytes(bytes(32)),
}


@pytest.mark.parametrize("key", KEYS)
def test_without_the_key_nothing_is_read_until_it_is_written_again(key: str, files: CodeFiles) -> None:
    KEYS[key](files.folder / KEY)
    assert attempt("reading", files.read, NAME) is None
    files.write(NAME, b"again")
    assert files.read(NAME) == b"again"
    assert len((files.folder / KEY).read_bytes()) == 32


def to_device(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def to_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def to_link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def to_giant(path: Path) -> None:
    os.truncate(path, cache.LARGEST + 1)


PLACES: dict[str, Callable[[Path], Any]] = {
    "fifo": to_fifo,
    "symbolic link": to_link,
    "device": to_device,
    "giant": to_giant,
    "writable by a group": lambda path: path.chmod(0o620),
    "writable by all": lambda path: path.chmod(0o602),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", [NAME, KEY])
def test_only_regular_files_of_which_nobody_else_is_the_author_are_read(place: str, name: str, files: CodeFiles) -> None:
    PLACES[place](files.folder / name)
    with pytest.raises((Unsafe, OSError)):
        files.read(NAME)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_not_read_is_replaced(place: str, files: CodeFiles) -> None:
    PLACES[place](files.folder / NAME)
    files.write(NAME, b"again")
    assert files.read(NAME) == b"again"


@pytest.mark.parametrize("name", [".", NAME, KEY])
def test_what_belongs_to_another_user_is_not_read(name: str, files: CodeFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    give_away(files.folder / name, monkeypatch)
    with pytest.raises(Unsafe, match="belongs to another user; set NUMBA_CACHE_DIR"):
        files.read(NAME)


@pytest.mark.parametrize("permissions", [0o777, 0o775, 0o702, 0o1777])
@pytest.mark.parametrize("depth", ["folder", "parent"])
def test_a_folder_that_others_can_write_to_is_not_used(permissions: int, depth: str, tmp_path: Path) -> None:
    files = CodeFiles(tmp_path / "parent" / "folder", "0123")
    files.write(NAME, b"code")
    place = files.folder if depth == "folder" else files.folder.parent
    place.chmod(permissions)
    if depth == "parent" and permissions == 0o1777:  # as /tmp: others cannot replace our folder
        assert files.read(NAME) == b"code"
        return
    before = {file.name: file.read_bytes() for file in files.folder.iterdir()}
    for step in (lambda: files.read(NAME), lambda: files.write(NAME, b"again")):
        with pytest.raises(Unsafe, match=rf"{place} is writable by other users; run chmod go-w"):
            step()
    assert {file.name: file.read_bytes() for file in files.folder.iterdir()} == before


def test_a_link_to_a_safe_folder_is_followed_and_one_to_an_unsafe_folder_is_not(tmp_path: Path) -> None:
    for name in ("safe", "unsafe"):
        (tmp_path / name).mkdir()
        (tmp_path / f"to {name}").symlink_to(tmp_path / name)
    (tmp_path / "unsafe").chmod(0o777)
    CodeFiles(tmp_path / "to safe", "0123").write(NAME, b"code")
    assert (tmp_path / "safe" / NAME).exists()
    with pytest.raises(Unsafe):
        CodeFiles(tmp_path / "to unsafe", "0123").write(NAME, b"code")


# Where


def test_a_folder_that_is_named_is_used_or_none_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "named"))
    assert code_folder() == tmp_path / "named"
    (tmp_path / "named").mkdir()
    (tmp_path / "named").chmod(0o777)
    with pytest.raises(Unsafe):
        code_folder()


def test_the_user_has_a_folder_if_others_can_write_beside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    (package / "__pycache__").mkdir(parents=True)
    monkeypatch.setattr(cache, "__file__", str(package / "compile" / "cache.py"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert code_folder() == package / "__pycache__"
    package.chmod(0o775)  # as under umask 002
    assert code_folder() == tmp_path / "user" / "ranktron"


# Failures


def test_a_failure_is_logged_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    def fail(text: str) -> None:
        raise RuntimeError(text)

    assert attempt("adding", lambda a, b: a + b, 1, 2) == 3
    assert caplog.messages == []
    assert attempt("loading a loop", fail, "no such pass\nand much more") is None
    [record] = caplog.records
    assert (record.name, record.levelname) == ("ranktron", "WARNING")
    expected = "loading a loop failed (RuntimeError: no such pass), so the cache of compiled code is not used"
    assert record.getMessage() == expected


def test_nobody_is_kept_from_interrupting() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempt("waiting", interrupt)


# Together

TOGETHER = """
import sys, time
from pathlib import Path
from ranktron.compile.cache import CodeFiles, Unsafe
files, start = CodeFiles(Path(sys.argv[1]), "0123"), float(sys.argv[2])
time.sleep(max(0.0, start - time.time()))
for name in "abc":
    files.write(f"{name}-0123-4567.native", name.encode() * 100_000)
    for known in "abc":
        try:
            assert files.read(f"{known}-0123-4567.native") in (None, known.encode() * 100_000)
        except Unsafe as error:  # another process has replaced a damaged key meanwhile
            assert sys.argv[3] == "damaged" and "is damaged" in str(error), error
"""


def surroundings() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}


@pytest.mark.gate(1)
@pytest.mark.parametrize("state", ["empty", "damaged"])
def test_twenty_processes_start_together(state: str, tmp_path: Path) -> None:
    files = CodeFiles(tmp_path / "cache", "0123")
    if state == "damaged":
        for name in "abc":
            files.write(f"{name}-0123-4567.native", b"old")
            (files.folder / f"{name}-0123-4567.native").write_bytes(b"damaged")
        (files.folder / KEY).write_bytes(b"damaged")
    words = [sys.executable, "-c", TOGETHER, str(files.folder), str(time.time() + 2), state]
    processes = [subprocess.Popen(words, env=surroundings(), stderr=subprocess.PIPE, text=True) for _ in range(20)]
    assert [process.communicate()[1] for process in processes] == [""] * 20
    if state == "empty":  # the key was set once, so all that was written is right
        assert [files.read(f"{name}-0123-4567.native") for name in "abc"] == [name.encode() * 100_000 for name in "abc"]
    assert len(list(files.folder.iterdir())) == 4
    for name in "abc":
        files.write(f"{name}-0123-4567.native", b"new")
        assert files.read(f"{name}-0123-4567.native") == b"new"
