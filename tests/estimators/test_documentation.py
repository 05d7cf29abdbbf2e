"""Every estimator's docstring documents every parameter of its signature in full, inherited ones too."""

from __future__ import annotations

import inspect
import re

import pytest

import ranktron
from ranktron import estimators
from ranktron.models.parameters import help_text

# The sections of numpydoc, in their order.
SECTIONS = ["Parameters", "Attributes", "Examples", "References"]


def sections(doc: str) -> dict[str, str]:
    """The text of each section by its heading; the summary and the story have none."""
    parts = re.split(r"\n\n(\w+)\n(-{3,})\n", f"{doc}\n")
    assert all(len(line) == len(heading) for heading, line in zip(parts[1::3], parts[2::3]))
    return {"": parts[0], **dict(zip(parts[1::3], parts[3::3]))}


def entries(section: str) -> dict[str, tuple[str, str]]:
    """The type and the text of each parameter."""
    found = re.findall(r"^(\w[^\n]*) : ([^\n]+)\n((?: {4}\S[^\n]*\n?)+)", section, re.MULTILINE)
    assert section.strip() == "\n".join(f"{names} : {kind}\n{text}".rstrip() for names, kind, text in found)
    return {name: (kind, " ".join(text.split())) for names, kind, text in found for name in names.split(", ")}


@pytest.mark.parametrize("name", list(estimators.ESTIMATORS))
def test_every_parameter_is_documented(name: str) -> None:
    cls = getattr(ranktron, name)
    parts = sections(inspect.cleandoc(cls.__doc__))
    assert [part for part in parts if part] == [part for part in SECTIONS if part in parts]
    assert re.match(r"[^\n]+\.(\n\n|$)", parts[""])
    documented = entries(parts["Parameters"])
    assert documented.keys() == inspect.signature(cls).parameters.keys()
    for parameter, (kind, text) in documented.items():
        assert len(kind) >= 3, parameter
        assert re.match(r".+ .+ .+\.( |$)", text), parameter
        assert help_text(cls, parameter) == text


@pytest.mark.parametrize("name", list(estimators.ESTIMATORS))
def test_the_documented_default_is_the_one_of_the_signature(name: str) -> None:
    cls = getattr(ranktron, name)
    documented = entries(sections(inspect.cleandoc(cls.__doc__))["Parameters"])
    for parameter in inspect.signature(cls).parameters.values():
        kind, _ = documented[parameter.name]
        shown = f'"{parameter.default}"' if isinstance(parameter.default, str) else repr(parameter.default)
        assert kind == "not supported" or kind.endswith(f", default={shown}"), parameter.name


def test_own_parameters_come_first() -> None:
    documented = list(entries(sections(ranktron.PRank.__doc__)["Parameters"]))
    assert documented[:3] == ["ties", "classes", "average"]
    assert documented[-1] == "forget"


def test_kernels_are_not_offered_where_there_are_none() -> None:
    documented = entries(sections(ranktron.MuPRank.__doc__)["Parameters"])
    assert documented["kernel"][0] == "not supported"
    assert "no kernel version" in help_text(ranktron.MuPRank, "budget")
