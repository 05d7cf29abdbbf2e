"""Every format gives what a reader has to, and a test of that can fail."""

from __future__ import annotations

import pkgutil
from typing import Any, ClassVar

import pytest

from ranktron.data.streams import formats, open_stream
from ranktron.data.streams.formats import FORMATS, Format, reader_class
from ranktron.data.streams.reader import Reader
from ranktron.data.streams.text_files import TextReader
from tests.data.streams.reading import labels, write


def missing(reader: type) -> list[str]:
    """What a reader lacks, a sentence for each member."""
    if Reader not in reader.__mro__:
        return [f"reader {reader.__name__} does not derive from Reader or TextReader: see data/streams/reader.py"]
    lacking = [f"{name}()" for name in sorted(getattr(reader, "__abstractmethods__", ()))]
    lacking += [] if hasattr(reader, "format") else ["format"]
    return [f"reader {reader.__name__} lacks {name}: see data/streams/reader.py" for name in lacking]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_complete(name: str) -> None:
    reader = reader_class(name)
    assert missing(reader) == []
    assert reader.format == name


def test_every_file_of_formats_is_registered() -> None:
    files = {module.name for module in pkgutil.iter_modules(formats.__path__)}
    assert {form.place.partition(":")[0] for form in FORMATS.values()} == files


def test_no_ending_means_two_formats() -> None:
    endings = [ending for form in FORMATS.values() for ending in form.endings]
    assert len(set(endings)) == len(endings)


class Lacking(TextReader):
    """A reader that was begun."""

    def settle(self, text: Any) -> None: ...

    def parse(self, part: Any, skip: bool) -> Any: ...


def test_a_lacking_member_is_named() -> None:
    where = "see data/streams/reader.py"
    assert missing(Lacking) == [f"reader Lacking lacks {name}: {where}" for name in ("key()", "schema()", "to_block()", "format")]
    assert missing(dict) == [f"reader dict does not derive from Reader or TextReader: {where}"]
    with pytest.raises(TypeError, match="abstract"):
        Lacking(None, [])  # type: ignore[abstract, arg-type]


class Semicolons(reader_class("csv")):  # type: ignore[misc]
    """A new format: what a file in ``formats`` would hold."""

    format: ClassVar[str] = "semicolons"
    records = type(reader_class("csv").records)(";")  # type: ignore[attr-defined]


def test_a_new_format_is_a_class_and_a_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setitem(FORMATS, "semicolons", Format("semicolons:Semicolons", ()))
    monkeypatch.setattr(formats, "found_at", lambda place: Semicolons if place.endswith("semicolons:Semicolons") else None)
    stream = open_stream([write(tmp_path / "file", "y;a\n1;2\n3;4\n")], format="semicolons", target="y")
    assert (labels(stream), stream.names, stream.format) == ([1, 3], ["a"], "semicolons")
