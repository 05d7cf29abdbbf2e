"""Commands are for rows and lists: a file that holds a recommender gets one sentence, which says what opens it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranktron.collaborative import Recommender
from tests.cli.asking import fails, ratings, svmlight

COMMANDS = {
    "inspect": ("inspect", "{model}"),
    "evaluate": ("evaluate", "{model}", "{data}"),
    "predict": ("predict", "{model}", "{data}"),
    "export": ("export", "{model}", "--to", "json"),
    "learn": ("learn", "{data}", "--resume", "{model}"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_recommender_is_for_the_library(tmp_path: Path, words: tuple[str, ...]) -> None:
    model, data = tmp_path / "m.ranktron", svmlight(tmp_path / "a.svm", *ratings(20))
    Recommender().fit(["ann", "ann", "bob"], ["Up", "Heat", "Up"], [1, 3, 2]).save(model)
    sentence = fails(*(word.format(model=model, data=data) for word in words))
    told = (
        f"{model} holds a Recommender, but commands are for rows and lists; open it in Python with ranktron.load({str(model)!r})"
    )
    assert sentence == told
