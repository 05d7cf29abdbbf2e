"""What the program does not load, so that it starts at once; and what shells are told to complete."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.cli.program import environment, lists, process, ratings

HEAVY = {"numba", "llvmlite", "sklearn", "scipy", "river", "matplotlib", "pandas", "polars", "pydantic", "rich"}

NOT_NEEDED = ("ranktron.estimators", "ranktron.river", "ranktron.collaborative", "ranktron.cli.compare.command")


# What the help of the program needs of ours.
_STARTUP = ("", ".help", ".commands", ".completion")
OURS = {
    "ranktron.cli",
    "ranktron.cli.shared",
    "ranktron.cli.shared.messages",
    *(f"ranktron.cli.startup{one}" for one in _STARTUP),
}


def loaded(*words, **settings):
    """The modules that a command imports."""
    answer = process(*words, env=environment(PYTHONPROFILEIMPORTTIME="1"), **settings)
    assert answer.returncode == 0, answer.stderr
    found = set(re.findall(r"^import time:.*\| +([\w.]+)$", answer.stderr, re.MULTILINE))
    assert "click" in found
    return found


def packages(modules):
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_help_loads_no_command_and_not_even_numpy(words):
    modules = loaded(*words)
    assert not packages(modules) & (HEAVY | {"numpy", "safetensors"})
    ours = {module for module in modules if module.startswith("ranktron.")}
    assert ours <= OURS


@pytest.mark.parametrize("write", [ratings, lists])
def test_a_small_file_is_learned_with_numpy_alone(tmp_path, write):
    write(tmp_path / "a.svm", 60)
    words = ["learn", tmp_path / "a.svm", "-m", tmp_path / "m", "--test", tmp_path / "a.svm", "--checkpoint", tmp_path / "c"]
    modules = loaded(*words)
    assert not packages(modules) & HEAVY
    assert not {module for module in modules if module.startswith(NOT_NEEDED)}


ENDING = """
import atexit
from ranktron.cli import main
atexit.register(lambda: print("the end"))
main()
"""


@pytest.mark.parametrize(("words", "status"), [(["learn", "a.svm"], 0), (["learn", "b.svm"], 1), (["lern"], 2)])
def test_a_command_runs_its_exit_handlers(tmp_path, words, status):
    ratings(tmp_path / "a.svm", 60)
    program = [sys.executable, "-c", ENDING, *words]
    told = subprocess.run(program, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert told.returncode == status, told.stderr
    assert told.stdout.splitlines()[-1] == "the end"


def test_the_help_of_learn_is_not_slow_either():
    assert not packages(loaded("learn", "--help")) & HEAVY


def completions(shell, *words):
    """What a shell is offered for the last word."""
    line = {"COMP_WORDS": " ".join(["ranktron", *words]), "COMP_CWORD": words[-1] if shell == "fish" else str(len(words))}
    told = process(env=environment(_RANKTRON_COMPLETE=f"{shell}_complete", **line))
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    if shell == "zsh":
        return set(lines[1::3])  # a type, the word, its help
    return {line.partition(",")[2].partition("\t")[0] for line in lines}


@pytest.mark.gate(1)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_options_and_algorithms(shell):
    assert completions(shell, "") >= {"learn", "predict", "evaluate", "compare", "inspect", "export", "warmup"}
    assert completions(shell, "le") == {"learn"}
    assert completions(shell, "learn", "--check") == {"--checkpoint", "--checkpoint-rows", "--checkpoint-seconds"}
    assert completions(shell, "learn", "-a", "s") == {"siprank", "slam"}


def test_shells_complete_files():
    told = process(env=environment(_RANKTRON_COMPLETE="bash_complete", COMP_WORDS="ranktron learn a", COMP_CWORD="2"))
    assert told.stdout == "file,a\n"


@pytest.mark.parametrize(("shell", "place"), [("bash", ".bashrc"), ("zsh", ".zshrc"), ("fish", None)])
def test_completion_is_installed_once(tmp_path, shell, place):
    home = environment(HOME=str(tmp_path), SHELL=f"/bin/{shell}")
    shown = process("--show-completion", env=home)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert f"_RANKTRON_COMPLETE={shell}_complete" in shown.stdout
    if place is not None:
        (tmp_path / place).write_text("# mine")
    for _ in range(2):
        told = process("--install-completion", shell, env=home)
        assert told.returncode == 0, told.stderr
    [script] = [path for path in tmp_path.rglob("*ranktron*") if path.is_file()]
    assert str(script) in told.stdout
    assert script.read_text() == shown.stdout
    if place is not None:
        mine, line, *more = (tmp_path / place).read_text().splitlines()
        assert (mine, more) == ("# mine", [])
        assert script.parent.name in line


def test_an_unknown_shell_is_refused():
    told = process("--show-completion", "tcsh")
    assert told.returncode == 2
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in told.stderr


def test_a_command_that_is_almost_there():
    answer = process("lern")
    assert answer.returncode == 2
    assert "Did you mean 'learn'?" in answer.stderr
