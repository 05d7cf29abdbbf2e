"""Options that several commands have, in groups, and how a group becomes options of a command."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from .messages import be_quiet, sentences

if TYPE_CHECKING:
    from ...data.streams import Stream

Paths = Annotated[
    list[str], typer.Argument(metavar="DATA...", help="Files, read one after the other; - is standard input.", show_default=False)
]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model file.", show_default=False)]


def option(panel: str, *names: str, **about: Any) -> Any:
    """An option in a panel of the help."""
    return typer.Option(*names, rich_help_panel=panel, **about)


_data = functools.partial(option, "Data")
_output = functools.partial(option, "Output")


@dataclasses.dataclass
class DataOptions:
    """How the data are read."""

    format: Annotated[
        str | None, _data(help="svmlight (LETOR too), csv, tsv, parquet or jsonl; guessed from name and content.", metavar="WORD")
    ] = None
    target: Annotated[str | None, _data("--target", "-t", help="The column of the labels.", metavar="NAME")] = None
    query: Annotated[str | None, _data("--query", "-q", help="The column that says which list a row is in.", metavar="NAME")] = (
        None
    )
    drop: Annotated[list[str], _data(help="Columns to leave out, separated by commas.", metavar="NAMES")] = dataclasses.field(
        default_factory=list
    )
    text: Annotated[list[str], _data(help="Columns to take as text though they look like numbers.", metavar="NAMES")] = (
        dataclasses.field(default_factory=list)
    )
    header: Annotated[bool, _data("--header/--no-header", help="Whether the first line names the columns; it does.")] = True
    zero_based: Annotated[bool, _data("--zero-based", help="svmlight: features are counted from 0, not from 1.")] = False
    hash_bits: Annotated[
        int | None,
        _data(
            help="Hash names, or the indices of svmlight, into 2^N columns: bounded memory whatever comes.",
            metavar="N",
            min=1,
            max=30,
        ),
    ] = None
    max_features: Annotated[
        int | None,
        _data(help="The most features; otherwise 16,777,216, or what makes 2 GB of weights.", metavar="N", min=1),
    ] = None
    missing: Annotated[str, _data(help="What an empty number is: an error, or zero.", metavar="WORD")] = "error"
    on_error: Annotated[str, _data(help="A malformed line: stop there, or skip and count it.", metavar="WORD")] = "stop"

    def __post_init__(self) -> None:
        self.drop, self.text = listed(self.drop), listed(self.text)
        for name, options in (("missing", ("error", "zero")), ("on_error", ("stop", "skip"))):
            if getattr(self, name) not in options:
                raise ValueError(f"--{name.replace('_', '-')} should be {' or '.join(options)}, not {getattr(self, name)!r}")


@dataclasses.dataclass
class OutputOptions:
    """How results are told."""

    json: Annotated[bool, _output("--json", help="One JSON object; the default where stdout is no terminal.")] = False
    csv: Annotated[bool, _output("--csv", help="Comma-separated lines below a header.")] = False
    quiet: Annotated[bool, _output("--quiet", help="No progress, no notes.")] = False

    def __post_init__(self) -> None:
        if self.json and self.csv:
            raise ValueError("give --json or --csv, not both")
        be_quiet(self.quiet)


def listed(given: Sequence[str]) -> list[str]:
    """What an option that may be repeated, or hold several separated by commas, says.

    >>> listed(["a,b", "c"])
    ['a', 'b', 'c']
    """
    return [one.strip() for text in given for one in text.split(",") if one.strip()]


def opened(paths: Sequence[str], data: DataOptions, **more: Any) -> Stream:
    """The stream of these files; ``more`` is what else ``open_stream`` takes."""
    from ...data.streams import open_stream

    settings = {
        "format": data.format,
        "target": data.target,
        "query": data.query,
        "drop": data.drop,
        "text": data.text,
        "header": data.header,
        "zero_based": data.zero_based,
        "hash_bits": data.hash_bits,
        "max_features": data.max_features,
        "on_error": data.on_error,
    }
    return open_stream(list(paths), **(settings | more))


def limit_features(stream: Stream, data: DataOptions, models: Iterable[Any], known: int = 0) -> None:
    """Refuse data that would make these models, which have ``known`` features already, too large."""
    from ...models.width import most_features

    most = most_features(models) if data.max_features is None else data.max_features
    stream.limit_features(max(most, known))


def spread(function: Callable[..., None]) -> Callable[..., None]:
    """The command whose options are the function's parameters, those of a group of options one by one.

    It says in a sentence what is wrong with the input.
    """
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if dataclasses.is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        parameters += _parameters_of(groups[name]) if name in groups else [parameter.replace(annotation=hints[name])]

    @functools.wraps(function)
    def command(**given: Any) -> None:
        with sentences():
            for name, kind in groups.items():
                given[name] = kind(**{field.name: given.pop(field.name) for field in dataclasses.fields(kind)})
            function(**given)

    ordered = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    command.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in ordered}
    del command.__wrapped__
    return command


def _parameters_of(group: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=_default(field), annotation=hints[field.name])
        for field in dataclasses.fields(group)
    ]


def _default(field: Any) -> Any:
    return field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
