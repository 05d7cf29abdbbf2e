"""What is said beside results: notes and errors, one sentence each, on stderr."""

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
    """Whether notes are left unsaid from now on."""
    global _is_quiet
    _is_quiet = quiet


def note(sentence: str) -> None:
    """Say something that is good to know."""
    if not _is_quiet:
        _say(sentence)


def fail(sentence: str, status: int = 1) -> NoReturn:
    """Say what is wrong and end the program."""
    _say(f"ranktron: {sentence}")
    raise SystemExit(status)


def _say(text: str) -> None:
    with contextlib.suppress(OSError, ValueError):  # nobody listens any more
        print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def sentences() -> Iterator[None]:
    """Bad input ends the program with its sentence, warnings are notes; a bug keeps its traceback."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default", UserWarning)
            warnings.simplefilter("default", RuntimeWarning)
            warnings.showwarning = lambda message, *_: note(str(message))
            yield
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has seen enough
        _leave_stdout()
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        fail("stopped at once", INTERRUPTED)
    except OSError as error:
        _leave_stdout()
        fail(of_system(error))
    except (ValueError, ModuleNotFoundError) as error:
        if os.environ.get("RANKTRON_TRACEBACK"):
            raise
        fail(" ".join(str(error).split()))


def _leave_stdout() -> None:
    """Drop what stdout does not take, or Python would try again in the end and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


def of_system(error: OSError) -> str:
    """What the operating system refused, as a sentence."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{(error.strerror or str(error)).lower()}"
