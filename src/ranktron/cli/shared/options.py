"""Options that several commands have. A group of options is a dataclass, whose fields become options of a command."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..startup.help import Argument, Option
from .messages import be_quiet

if TYPE_CHECKING:
    from ...data.streams import Stream

Function = Callable[..., None]


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "whole number"


# A file by its name, which shells complete. Commands check files themselves: their messages say what to do.
FILE = click.Path(readable=False)
DATA_HELP = "Files, read one after the other; - is standard input."

data_argument = click.argument("data", cls=Argument, nargs=-1, required=True, type=FILE, metavar="DATA...", help=DATA_HELP)
model_argument = click.argument("model", cls=Argument, type=FILE, metavar="MODEL", help="A model file.")
option = functools.partial(click.option, cls=Option)


def field(*names: str, default: Any = None, **settings: Any) -> Any:
    """A field of a group of options; ``names`` and ``settings`` are those of ``click.option``."""
    return dataclasses.field(default=default, metadata={"names": names, "settings": settings})


def options(**groups: type) -> Callable[[Function], Function]:
    """Gives a command the options of these groups; the command gets an object of each group."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def command(**given: Any) -> None:
            made = {
                name: group(**{one.name: given.pop(one.name) for one in dataclasses.fields(group)})
                for name, group in groups.items()
            }
            function(**given, **made)

        decorated: Function = command
        for one in reversed([one for group in groups.values() for one in dataclasses.fields(group)]):
            names = one.metadata["names"] or (option_of(one.name),)
            decorated = option(*names, one.name, default=one.default, **one.metadata["settings"])(decorated)
        return decorated

    return decorate


_data = functools.partial(field, section="Data")
_output = functools.partial(field, section="Output")


@dataclasses.dataclass
class DataOptions:
    """How the data are read."""

    format: str | None = _data(
        help="svmlight (LETOR too), csv, tsv, parquet or jsonl; guessed from name and content.", metavar="WORD"
    )
    target: str | None = _data("--target", "-t", help="The column of the labels.", metavar="NAME")
    query: str | None = _data("--query", "-q", help="The column with the list of each row.", metavar="NAME")
    drop: Sequence[str] = _data(default=(), multiple=True, help="Columns to leave out, separated by commas.", metavar="NAMES")
    text: Sequence[str] = _data(
        default=(), multiple=True, help="Columns that are text even if they look like numbers.", metavar="NAMES"
    )
    header: bool = _data(
        "--header/--no-header", default=True, help="Whether the first line names the columns; by default it does."
    )
    zero_based: bool = _data(is_flag=True, default=False, help="svmlight: features are counted from 0, not from 1.")
    hash_bits: int | None = _data(
        type=WholeNumber(1, 30),
        help="Hash names, or the indices of svmlight, into 2^N columns: memory stays bounded.",
        metavar="N",
    )
    max_features: int | None = _data(
        type=WholeNumber(1),
        help="The largest number of features; by default 16,777,216, or as many as make 2 GB of weights.",
        metavar="N",
    )
    missing: str = _data(default="error", help="Treat an empty number as error or zero.", metavar="WORD")
    on_error: str = _data(default="stop", help="On a malformed line, stop, or skip and count it.", metavar="WORD")

    def __post_init__(self) -> None:
        self.drop, self.text = listed(self.drop), listed(self.text)
        check_words(self, missing=("error", "zero"), on_error=("stop", "skip"))


@dataclasses.dataclass
class OutputOptions:
    """How results are printed."""

    json: bool = _output(is_flag=True, default=False, help="Print one JSON object; the default if stdout is not a terminal.")
    csv: bool = _output(is_flag=True, default=False, help="Print comma-separated lines with a header.")
    quiet: bool = _output(is_flag=True, default=False, help="Print no progress and no notes.")

    def __post_init__(self) -> None:
        if self.json and self.csv:
            raise ValueError("use --json or --csv, not both")
        be_quiet(self.quiet)


def listed(given: Sequence[str]) -> list[str]:
    """The values of an option that may be repeated, or hold several separated by commas.

    >>> listed(["a,b", "c"])
    ['a', 'b', 'c']
    """
    return [one.strip() for text in given for one in text.split(",") if one.strip()]


def opened(paths: Sequence[str], data: DataOptions, **more: Any) -> Stream:
    """The stream of these files; ``more`` is what else ``open_stream`` takes."""
    from ...data.streams import open_stream

    settings = {name: value for name, value in vars(data).items() if name != "missing"}
    return open_stream(list(paths), **(settings | more))


def known_columns(model: Any) -> dict[str, Any]:
    """What ``open_stream`` takes to read the columns that a model knows in the same way again."""
    features = model._learned.features
    return {"schema": model._metadata.get("data"), "names": features.names, "hash_bits": features.hash_bits}


def check_words(options: Any, **words: Sequence[str]) -> None:
    """Refuse options with other values than these two words; None stands for an option that is not given."""
    for name, (first, second) in words.items():
        value = getattr(options, name)
        if value not in (first, second, None):
            raise ValueError(f"{option_of(name)} should be {first} or {second}, not {value!r}")


def option_of(parameter: str) -> str:
    """The option for a parameter."""
    return f"--{parameter.replace('_', '-')}"


def limit_features(stream: Stream, data: DataOptions, models: Iterable[Any], known: int = 0) -> None:
    """Set the largest number of features, so that these models, which have ``known`` features, stay small enough."""
    from ...models.sizes import most_features

    most = most_features(models) if data.max_features is None else data.max_features
    stream.limit_features(max(most, known))
