"""What the program does not load, so that it starts at once; and what shells are told to complete."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.cli.program import environment, lists, process, ratings

HEAVY = {"numba", "llvmlite", "sklearn", "scipy", "river", "matplotlib", "pandas", "polars", "pydantic", "rich"}

NOT_NEEDED = ("ranktron.estimators", "ranktron.river", "ranktron.collaborative", "ranktron.cli.compare.command")


def loaded(*words, **settings):
    """The modules that a command imports."""
    answer = process(*words, env=environment(PYTHONPROFILEIMPORTTIME="1"), **settings)
    assert answer.returncode == 0, answer.stderr
    found = set(re.findall(r"^import time:.*\| +([\w.]+)$", answer.stderr, re.MULTILINE))
    assert "typer" in found
    return found


def packages(modules):
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_help_loads_no_command_and_not_even_numpy(words):
    modules = loaded(*words)
    assert not packages(modules) & (HEAVY | {"numpy", "safetensors"})
    ours = {module for module in modules if module.startswith("ranktron")}
    assert ours <= {
        "ranktron",
        "ranktron.cli",
        "ranktron.cli.startup",
        "ranktron.cli.startup.help",
        "ranktron.cli.startup._quick",
    }


@pytest.mark.parametrize("write", [ratings, lists])
def test_a_small_file_is_learned_with_numpy_alone(tmp_path, write):
    write(tmp_path / "a.svm", 60)
    words = ["learn", tmp_path / "a.svm", "-m", tmp_path / "m", "--test", tmp_path / "a.svm", "--checkpoint", tmp_path / "c"]
    modules = loaded(*words)
    assert not packages(modules) & HEAVY
    assert not {module for module in modules if module.startswith(NOT_NEEDED)}


ENDING = """
import atexit, sys
from ranktron.cli import main
atexit.register(lambda: print("the end", *(name for name in sys.modules if name.startswith("ranktron."))))
main()
"""


def ended(*words):
    """What a command tells, and the modules of ours that are there in the end."""
    told = subprocess.run([sys.executable, "-c", ENDING, *map(str, words)], env=environment(), capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    told, _, modules = told.stdout.partition("the end")
    return told, set(modules.split())


@pytest.mark.parametrize("name", ["prank", "slam", "multiclassperceptron"])
def test_of_the_algorithms_one_is_loaded(tmp_path, name):
    (ratings if name != "slam" else lists)(tmp_path / "a.svm", 60)
    told, of_learning = ended("learn", tmp_path / "a.svm", "-a", name, "-m", tmp_path / "m")
    assert re.fullmatch(r'\{"command": "learn".*\}\n', told)
    told, of_predicting = ended("predict", tmp_path / "m", tmp_path / "a.svm")
    assert told.count("\n") == (tmp_path / "a.svm").read_text().count("\n")
    for modules in (of_learning, of_predicting):
        algorithms = {module.rpartition(".")[2] for module in modules if module.startswith("ranktron.algorithms.")}
        assert {algorithm.replace("_", "") for algorithm in algorithms} == {name}
        assert not {module for module in modules if module.startswith(("ranktron.doors.", "ranktron.tasks"))}


def test_the_help_of_learn_is_not_slow_either():
    assert not packages(loaded("learn", "--help")) & HEAVY


def completions(*words):
    """What bash is offered for the last word."""
    asked = environment(_RANKTRON_COMPLETE="complete_bash", COMP_WORDS=" ".join(["ranktron", *words]), COMP_CWORD=str(len(words)))
    return set(process(env=asked).stdout.split())


def test_shells_complete_commands_options_and_algorithms():
    assert completions("") >= {"learn", "predict", "evaluate", "compare", "inspect", "export", "warmup"}
    assert completions("le") == {"learn"}
    assert completions("learn", "--check") == {"--checkpoint", "--checkpoint-rows", "--checkpoint-seconds"}
    assert completions("learn", "-a", "s") == {"siprank", "slam"}


def test_a_command_that_is_almost_there():
    answer = process("lern")
    assert answer.returncode == 2
    assert "Did you mean 'learn'?" in answer.stderr
