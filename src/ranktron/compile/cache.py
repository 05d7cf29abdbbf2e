"""Files of compiled code: where they are kept, and which of them may be run.

Machine code and pickles run whatever somebody put into them, and a cache must never raise an error for its user. So a file is
used only if nobody but this user or root can have written it, and if Ranktron wrote it for exactly this use.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")

# Folders of the package that no code is compiled from: its digest does not look at them.
NOT_COMPILED = ("__pycache__", "bounds", "cli", "exports", "report", "sets", "streams")

# The digest of each file is keyed. A plain digest would prove nothing: anybody can compute it for any content.
KEY = "ranktron.key"
_KEY_SIZE = _DIGEST_SIZE = 32
LARGEST = 1 << 26  # bytes; a loop takes some 100 kB
_FAILED = "%s failed (%s: %s), so the cache of compiled code is not used"
_HAS_OWNERS = hasattr(os, "geteuid")
_READ = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):  # not every system has all of them
    _READ |= getattr(os, _flag, 0)

_unwritable: set[Path] = set()


class Unsafe(ValueError):
    """A file or folder of the cache that somebody else can have written."""


def attempt(what: str, step: Callable[..., Result], *args: Any) -> Result | None:
    """The result of ``step(*args)``, or None if it fails: the failure is logged, and the caller does without the cache."""
    try:
        return step(*args)
    except Exception as error:
        import logging  # here, because it takes as long to import as many a command takes to run

        reason = str(error).partition("\n")[0]  # LLVM quotes the whole function on further lines
        logging.getLogger("ranktron").warning(_FAILED, what, type(error).__name__, reason)
        return None


def code_folder() -> Path:
    """The folder for compiled code: NUMBA_CACHE_DIR, or beside the package, or in the user's cache.

    Raises ``Unsafe`` if other users can write to it, and ``ValueError`` if the user has no home.
    """
    named, package = os.environ.get("NUMBA_CACHE_DIR"), Path(__file__).parents[1]
    if named:
        return _checked(Path(named).absolute())
    beside = package / "__pycache__"
    if _HAS_OWNERS and os.access(beside if beside.exists() else package, os.W_OK):
        with contextlib.suppress(Unsafe):  # a virtual environment made under umask 002 is writable by a group
            return _checked(beside)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    if not cache.is_absolute():
        raise ValueError("the user has no home folder; set NUMBA_CACHE_DIR to a folder")
    return _checked(cache / "ranktron")


def _checked(folder: Path) -> Path:
    """The folder without symbolic links, if nobody else can write to it or replace a folder on the way to it."""
    folder = Path(os.path.realpath(folder))
    for place in (folder, *folder.parents) if _HAS_OWNERS else ():
        with contextlib.suppress(FileNotFoundError):
            found = os.lstat(place)
            # In a sticky folder such as /tmp, only the owner of an entry can replace it.
            _check(found, place, is_sticky=place != folder and bool(found.st_mode & stat.S_ISVTX))
    return folder


def _check(found: os.stat_result, place: Path, is_sticky: bool = False) -> None:
    if found.st_uid not in (0, os.geteuid()):
        raise Unsafe(f"{place} belongs to another user; set NUMBA_CACHE_DIR to a folder of your own")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not is_sticky:
        raise Unsafe(f"{place} is writable by other users; run chmod go-w on it, or set NUMBA_CACHE_DIR to a private folder")


def _permissions() -> int:
    """What others may do with folders that are made here: read what root made, as for an image of a container; else nothing."""
    return 0o700 if _HAS_OWNERS and os.geteuid() else 0o755


class CodeFiles:
    """The files of one version of the package in a folder."""

    def __init__(self, folder: Path, stamp: str) -> None:
        self.folder, self._stamp = Path(os.path.realpath(folder)), stamp

    @property
    def is_writable(self) -> bool:
        """Whether this process has not failed to write there: it logs one failure, not one for each loop."""
        return self.folder not in _unwritable

    def name(self, loop: str, about: str, suffix: str) -> str:
        """The name of the file for a loop that was compiled under the circumstances ``about``."""
        return f"{loop}-{self._stamp}-{hashlib.blake2b(about.encode(), digest_size=12).hexdigest()}{suffix}"

    def read(self, name: str) -> bytes | None:
        """The content of a file; None if there is none. Raises ``Unsafe`` unless Ranktron wrote it there under that name."""
        _checked(self.folder)
        key, content = self._read(KEY), self._read(name)
        if key is None or content is None:
            return None
        if len(key) != _KEY_SIZE or _digest(key, name, content[_DIGEST_SIZE:]) != content[:_DIGEST_SIZE]:
            raise Unsafe(f"{self.folder / name} is damaged, or Ranktron did not write it")
        return content[_DIGEST_SIZE:]

    def write(self, name: str, content: bytes) -> None:
        """Write a file, completely or not at all, and delete those of other versions. After a failure nothing more is written."""
        try:
            self._make_folder()
            self._replace(name, _digest(self._key(), name, content) + content)
            self._delete_stale(Path(name).suffix)
        except Exception:
            _unwritable.add(self.folder)
            raise

    def count(self, suffix: str) -> int:
        """How many files there are."""
        return len(list(self.folder.glob(f"*-{self._stamp}-*{suffix}")))

    def _read(self, name: str) -> bytes | None:
        path = self.folder / name
        try:
            file = os.open(path, _READ)
        except FileNotFoundError:
            return None
        try:
            found = os.fstat(file)
            if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
                raise Unsafe(f"{path} is not a regular file of at most {LARGEST >> 20} MB; delete it")
            if _HAS_OWNERS:
                _check(found, path)
            return os.read(file, found.st_size)
        finally:
            os.close(file)

    def _make_folder(self) -> None:
        for place in (*reversed(self.folder.parents), self.folder):
            with contextlib.suppress(FileExistsError):
                if not place.exists():
                    place.mkdir(_permissions())
        _checked(self.folder)

    def _key(self) -> bytes:
        """The key of the folder; a new one if there is none, or a damaged one."""
        key = self._read(KEY)
        if key is None or len(key) != _KEY_SIZE:
            # Of several processes that start together the first one sets the key, and the others find it.
            self._replace(KEY, os.urandom(_KEY_SIZE), os.link if key is None else os.replace)
            key = self._read(KEY)
            if key is None:
                raise FileNotFoundError(f"{self.folder / KEY} was deleted by another process")
        return key

    def _replace(self, name: str, content: bytes, put: Callable[[str, Path], None] = os.replace) -> None:
        import tempfile

        file, temporary = tempfile.mkstemp(prefix=f"{name}.", dir=self.folder)
        try:
            with open(file, "wb") as stream:
                stream.write(content)
            os.chmod(temporary, _permissions() & 0o666)
            with contextlib.suppress(FileExistsError):
                put(temporary, self.folder / name)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)

    def _delete_stale(self, suffix: str) -> None:
        for stale in self.folder.glob(f"*-*-*{suffix}*"):
            if f"-{self._stamp}-" not in stale.name:
                with contextlib.suppress(OSError):
                    stale.unlink(missing_ok=True)


def _digest(key: bytes, name: str, content: bytes) -> bytes:
    # The name is part of it: code for other arguments is valid code too, and would write anywhere.
    return hashlib.blake2b(name.encode() + b"\0" + content, key=key, digest_size=_DIGEST_SIZE).digest()


@functools.cache
def package_digest() -> str:
    """SHA-256 of the package's sources, but for the folders that no compiled loop is in or looks into."""
    sources = sorted(_sources(os.path.dirname(os.path.dirname(__file__))))
    return hashlib.sha256(b"".join(map(_content, sources))).hexdigest()


def _sources(folder: str) -> Iterator[str]:  # every command waits for this: pathlib would take three times as long
    for entry in os.scandir(folder):
        if entry.name.endswith(".py"):
            yield entry.path
        elif entry.name not in NOT_COMPILED and entry.is_dir():
            yield from _sources(entry.path)


def _content(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return os.read(file, os.fstat(file).st_size)
    finally:
        os.close(file)
