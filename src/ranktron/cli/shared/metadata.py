"""What commands store in a model file beside the model: how its data were read, and the state of a run."""

from __future__ import annotations

from typing import Any

from ...models.files import BadModelFile

_COUNTS = {"seen": int, "updates": int, "loss": (int, float)}
_FIGURES = {str: (int, float, None)}

# The schema of a stream: see ``ranktron.data.streams``.
DATA = {
    "format": str,
    "target": (str, None),
    "query": (str, None),
    "header": bool,
    "hash_bits": (int, None),
    "zero_based": bool,
    "n_columns": (int, None),
    **{columns: [str] for columns in ("drop", "numbers", "flags", "text", "as_text")},
}

# The state of a run: see ``ranktron.cli.learn.run``.
RUN = {
    "settings": {str: object},
    "files": [{"path": str, "size": int, "mtime_ns": int}],
    "taught": bool,
    "epoch": int,
    "place": ([int], None),
    "rows": int,
    "figures": (
        {"counts": [[bool, int, float, str]], "rejected": int},
        {"sums": {str: [int, float]}, "lists": int, "skipped": int},
    ),
    "passes": [_FIGURES],
    "curve": [_FIGURES],
    "bad": [int, [str]],
    "start": _COUNTS,
    "pass_start": _COUNTS,
    "seconds": (int, float),
}


def check_about(path: str, about: dict[str, Any]) -> None:
    """Raise BadModelFile unless the metadata are of the kind that commands write, with or without a run."""
    place = about.get("run")
    is_whole = place is None or (_is_like(place, RUN) and place.keys() == RUN.keys() and _counts(place))
    if not (_is_like(about.get("data", {}), DATA) and is_whole):
        raise BadModelFile(f"{path}: the metadata of the data or of the run are damaged or missing")


def _is_like(value: Any, kind: Any) -> bool:
    """Whether plain data are of a kind: a type or None, one of several, a list of such, or a mapping to such."""
    if isinstance(kind, tuple):
        return any(_is_like(value, one) for one in kind)
    if isinstance(kind, list):
        return isinstance(value, list) and all(_is_like(one, tuple(kind)) for one in value)
    if isinstance(kind, dict):
        return isinstance(value, dict) and all(_is_like(one, kind.get(name, kind.get(str, ()))) for name, one in value.items())
    return value is None if kind is None else kind is object or type(value) is kind


def _counts(place: dict[str, Any]) -> bool:
    """Whether lists are as long as they should be, and counts not negative."""
    where, figures = place["place"], place["figures"]
    numbers = [place["epoch"], place["rows"], place["seconds"], *(where or ()), *(one["size"] for one in place["files"])]
    return (
        (where is None or len(where) == 4)
        and all(number >= 0 for number in numbers)
        and all(len(triple) == 3 and type(triple[2]) is int for triple in figures.get("counts", ()))
        and all(len(pair) == 2 for pair in figures.get("sums", {}).values())
        and all(counts.keys() == _COUNTS.keys() for counts in (place["start"], place["pass_start"]))
        and [type(one) for one in place["bad"]] == [int, list]
    )
