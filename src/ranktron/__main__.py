"""The program: ``python -m ranktron`` and the command ``ranktron``.

Ctrl-C ends it with status 130 and without a traceback, also while modules are imported. Before this module runs, Python itself
handles Ctrl-C.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130  # as in cli/shared/messages.py, which is not imported yet


def main() -> None:
    """Run the program."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # otherwise the parent process had Ctrl-C ignored
        signal.signal(signal.SIGINT, _interrupt)
    try:
        from .cli import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt in a running command; before and after it there is nothing to clean up, so exit at once.

    A KeyboardInterrupt in an import may be swallowed, or printed with its traceback.
    """
    if getattr(sys.modules.get("ranktron.cli.startup.commands"), "is_running", False):
        signal.default_int_handler(number, frame)
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
