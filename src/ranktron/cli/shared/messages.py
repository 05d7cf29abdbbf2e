"""Notes and errors on stderr, one sentence each."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Iterator
from typing import NoReturn

# The exit status after Ctrl-C.
INTERRUPTED = 130

_is_quiet = False


def be_quiet(quiet: bool) -> None:
    """Turn notes off or on."""
    global _is_quiet
    _is_quiet = quiet


def is_quiet() -> bool:
    """Whether notes are turned off."""
    return _is_quiet


def note(sentence: str) -> None:
    """Print a note, unless --quiet."""
    if not _is_quiet:
        _say(sentence)


def fail(sentence: str, status: int = 1) -> NoReturn:
    """Print an error and end the program."""
    _say(f"ranktron: {sentence}")
    raise SystemExit(status)


def _say(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # stderr is closed
        print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def sentences() -> Iterator[None]:
    """Bad input ends the program with an error of one sentence; warnings become notes; a bug keeps its traceback."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.simplefilter("default", RuntimeWarning)
            warnings.showwarning = lambda message, *_: note(str(message))
            yield
        sys.stdout.flush()
    except BrokenPipeError:  # the reader closed the pipe, as head does
        _leave_stdout()
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        fail("interrupted", INTERRUPTED)
    except OSError as error:
        _leave_stdout()
        fail(of_system(error))
    except (ValueError, ModuleNotFoundError) as error:
        if os.environ.get("RANKTRON_TRACEBACK"):
            raise
        fail(" ".join(str(error).split()))


def _leave_stdout() -> None:
    """Discard what stdout does not accept: at exit Python would try again and print an error."""
    try:
        sys.stdout.flush()
    except OSError:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


def of_system(error: OSError) -> str:
    """An error of the operating system as a sentence."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{(error.strerror or str(error)).lower()}"
