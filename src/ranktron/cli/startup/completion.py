"""Shell completion: prints or installs the scripts that click generates."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

SHELLS = ("bash", "zsh", "fish")
# For each shell: the file with the script, and the line that loads it in the file that the shell reads when it starts.
_INSTALLED = {
    "bash": (".bash_completions/ranktron.sh", ".bashrc", "source ~/.bash_completions/ranktron.sh"),
    "zsh": (".zfunc/_ranktron", ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
    "fish": (".config/fish/completions/ranktron.fish", None, None),
}


def script(shell: str) -> str:
    """The script that makes a shell complete ``ranktron``."""
    from click.shell_completion import get_completion_class

    kind: Any = get_completion_class(shell)
    text: str = kind(click.Command("ranktron"), {}, "ranktron", "_RANKTRON_COMPLETE").source()
    return text


def install(shell: str) -> Path:
    """Write the script to where the shell finds it, and return the file."""
    place, start_up, line = _INSTALLED[shell]
    target = Path.home() / place
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(script(shell) + "\n", encoding="utf-8")
    if start_up is not None:
        file = Path.home() / start_up
        known = file.read_text(encoding="utf-8") if file.exists() else ""
        if line not in known.splitlines():
            with file.open("a", encoding="utf-8") as end:
                end.write(f"{'' if known.endswith(chr(10)) or not known else chr(10)}{line}\n")
    return target


def _report_installed(shell: str) -> str:
    return f"Completion is installed in {install(shell)}; it takes effect in new terminals."


def completion_options(function: Any) -> Any:
    """Gives the program the options ``--install-completion`` and ``--show-completion``."""
    shells = "bash, zsh or fish; by default the login shell."
    function = _option("--show-completion", script, f"Show the completion script of a shell: {shells}")(function)
    return _option("--install-completion", _report_installed, f"Install completion for a shell: {shells}")(function)


def _option(name: str, act: Callable[[str], str], help: str) -> Any:
    """An option that acts immediately and ends the program; its value is a shell and may be omitted."""

    def callback(ctx: click.Context, option: click.Parameter, shell: str | None) -> None:
        if shell is not None:
            click.echo(act(shell))
            ctx.exit()

    usual = Path(os.environ.get("SHELL", SHELLS[0])).name
    about: dict[str, Any] = {"is_flag": False, "flag_value": usual, "is_eager": True, "expose_value": False}
    return click.option(name, type=click.Choice(SHELLS), metavar="[SHELL]", callback=callback, help=help, **about)
