"""The program: ``python -m ranktron``, and what the command ``ranktron`` runs.

Ctrl-C ends it with a status of its own and without a traceback, also while modules are imported. Only while Python starts, before
this module, Python answers by itself.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130  # as in cli/shared/messages.py, of which nothing may be imported yet


def main() -> None:
    """Run the program."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # otherwise whoever started us has Ctrl-C ignored
        signal.signal(signal.SIGINT, _interrupt)
    try:
        from .cli import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _interrupt(number: int, frame: FrameType | None) -> None:
    """A command that runs gets a KeyboardInterrupt; before and after that there is nothing to clean up.

    An import may swallow a KeyboardInterrupt and print its traceback, so none is raised there.
    """
    if getattr(sys.modules.get("ranktron.cli.startup.commands"), "is_running", False):
        signal.default_int_handler(number, frame)
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
