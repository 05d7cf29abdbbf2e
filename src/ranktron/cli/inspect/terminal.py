"""The result of `inspect` in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ...models.drift import REFERENCES
from ..shared.drift import farthest
from ..shared.output import grid
from .bars import EMPTY, intervals, short_number, signed_bars

# The largest width of a picture, in characters.
WIDEST = 40

LONGEST_NAME = 28
WIDEST_NUMBER = 10

# With more labels than this, intervals are numbers without a picture.
MOST_LABELS = 24

VOTES = "; the mean of all hypotheses, which predict by votes"

IN_GENERAL = "its weight times the difference of the rows"
# What adds up to the difference of two scores, for models that scale within lists.
IN_LIST = "its weights times the differences of its value and its rank, both scaled within the list"

# What the weights of two features say about each other, by the unit of a weight.
SCALES = {
    "unit": "A weight is per unit of its feature, and the model does not know the scales of the features: "
    "weights show which feature matters more only if all features were scaled alike.",
    "deviation": "A weight is per unit of its feature; beside it is what one standard deviation of the feature adds, "
    "by which features are sorted and bars drawn.",
    "list": "Values and ranks are scaled within each list, so weights show which of them matters more.",
}


def draw_portrait(console: Console, result: dict[str, Any]) -> None:
    """Print the description of a model."""
    console.print(Text(result["algorithm"], style="bold"))
    console.print(Text(f"{result['model']} · {_size(result['bytes'])} · written by {result['library']}", style="dim"))
    console.print()
    facts = Table.grid(padding=(0, 2))  # long facts are wrapped
    for name, text in _facts(result).items():
        facts.add_row(Text(name, style="dim"), Text(text))
    console.print(facts)
    if result["thresholds"]:
        _draw_thresholds(console, result["labels"], result["thresholds"], result["votes"])
    if result["strongest"]:
        _draw_weights(console, result)
    if result["drift"] and len(result["drift"]["movements"]) > REFERENCES:
        _draw_drift(console, result["drift"])


def _facts(result: dict[str, Any]) -> dict[str, str]:
    facts = {"learned": _history(result), "loss": _loss(result)}
    if result["labels"] is not None:
        between = " < " if result["task"] == "ratings" else ", "
        facts["labels"] = _listed([str(label) for label in result["labels"]], between)
    facts["features"] = _features(result["features"])
    facts |= {name: f"{result[name]:,}" for name in ("members", "hypotheses") if name in result}
    if "noted" in result:
        right = f"of the last ones the prediction alone was right for {result['right']:.0%}"
        facts["intervals"] = f"by {result['noted']:,} rows; {right}"
    if "support" in result:
        facts["support"] = f"{result['support']:,} rows" + (f", at most {result['budget']:,}" if result["budget"] else "")
    changed = {name: value for name, value in result["changed"].items() if name != "classes"}
    facts["parameters"] = _settings(changed) or "all defaults"
    facts["data"] = _settings({name: value for name, value in (result["data"] or {}).items() if value})
    return {name: text for name, text in facts.items() if text}


def _history(result: dict[str, Any]) -> str:
    unit = "lists" if result["task"] == "lists" else "examples"
    share = f" ({result['updates'] / result['examples']:.0%})" if result["examples"] and "members" not in result else ""
    return f"{result['examples']:,} {unit}, {result['updates']:,} updates{share}"


def _loss(result: dict[str, Any]) -> str:
    if result["loss"] is None:
        return ""
    what = {"lists": f"1 - {result['parameters'].get('measure')}", "ratings": "ranks off", "classes": "cost"}[result["task"]]
    return f"{result['loss']:.4f} ({what}, mean while learning, of the current hypothesis)"


def _settings(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} {_value(value)}" for name, value in values.items())


def _features(features: dict[str, Any]) -> str:
    if features["hash_bits"] is not None:
        return f"hashed into 2^{features['hash_bits']} columns"
    without = f", {features['without_weight']:,} of them with weight 0" if features["without_weight"] else ""
    return f"{features['count']:,}{' with names' if features['named'] else ', by number'}{without}"


def _value(value: Any) -> str:
    """A parameter as it is typed."""
    if isinstance(value, dict) and "parameters" in value:
        kind = next(value[name] for name in ("algorithm", "task", "step", "kernel") if name in value)
        return f"{kind}({', '.join(f'{name}={_value(one)}' for name, one in value['parameters'].items() if one is not None)})"
    if isinstance(value, list):
        return _listed([_value(one) for one in value], " ")
    return {None: "none", True: "yes", False: "no"}[value] if value is None or isinstance(value, bool) else str(value)


def _listed(names: Sequence[str], between: str) -> str:
    return between.join(names if len(names) <= MOST_LABELS else [*names[:10], "…", *names[-10:]])


def _draw_thresholds(console: Console, labels: Sequence[Any], thresholds: Sequence[float], votes: bool) -> None:
    _heading(
        console, "Thresholds", "of the mean hypothesis" if votes else "a row gets the label in whose interval its score falls"
    )
    ends = ["-∞", *map(short_number, thresholds), "∞"]
    names = [str(label) for label in labels]
    shown = min(20, max(map(len, names)))
    lines, axis = intervals(thresholds, _room(console, shown + max(map(len, ends)) * 2 + 6))
    rows: list[Any] = [*zip(names, ends, ends[1:], lines)]
    table = grid("left", "right", "right", "left")
    for name, low, high, line in rows if len(rows) <= MOST_LABELS else [*rows[:10], ("…", "", "", ""), *rows[-10:]]:
        table.add_row(_cropped(name, shown), low, high, Text(line, style="dim" if EMPTY in line else "cyan", no_wrap=True))
    table.add_row("", "", "", Text(axis, style="dim", no_wrap=True))
    console.print(table)
    if any(EMPTY in line for line in lines):
        console.print(Text(f"{EMPTY} an empty interval: no row gets this label", style="dim"))


def _draw_weights(console: Console, result: dict[str, Any]) -> None:
    strongest = result["strongest"]
    _heading(console, "Strongest features", _how_many(result) + (VOTES if result["votes"] else ""))
    names = [_named(one) for one in strongest]
    shown = min(32, max(map(len, names)))
    kinds = [kind for kind in ("weight", "per_deviation") if kind in strongest[0]]
    numbers = [[short_number(one[kind]) for kind in kinds] for one in strongest]
    table = grid("left", *["right"] * len(kinds), "left")
    widths = [max(map(len, column)) + 2 for column in zip(*numbers)]
    bars = signed_bars([one[kinds[-1]] for one in strongest], _room(console, shown + sum(widths) + 2))
    for name, beside, bar in zip(names, numbers, bars):
        table.add_row(_cropped(name, shown), *beside, _coloured(bar))
    console.print(table)
    console.print(Text(SCALES[result["weights_per"]], style="dim"))


def _how_many(result: dict[str, Any]) -> str:
    shown, count = result["strongest"], result["features"]["count"]
    if "label" in shown[0]:
        return "every label has its own weights"
    return f"{len(shown)} of {2 * count:,}, values and ranks" if result["weights_per"] == "list" else f"{len(shown)} of {count:,}"


def _draw_drift(console: Console, drift: dict[str, Any]) -> None:
    _heading(console, "Drift", "turns of the direction and shifts of thresholds, in widths of a rank, beside those by chance")
    table = grid("right", *["right"] * 4)
    table.add_row(*(Text(head, style="dim") for head in (f"since {drift['unit']}", "turn", "by chance", "shift", "by chance")))
    for one in drift["movements"]:
        turn, shift = (("bold" if one[sign] else "") for sign in ("turned", "moved"))
        table.add_row(
            f"{one['since']:,}",
            Text(f"{one['turn']:.1f}°", style=turn),
            _number(one["turn_by_chance"], ".1f", "dim"),
            _number(farthest(one), ".2f", shift),
            _number(one["shift_by_chance"] if one["shifts"] else None, ".2f", "dim"),
        )
    console.print(table)
    console.print(Text(drift["told"], style="bold" if drift["found"] else "dim"))


def _number(value: float | None, form: str, style: str) -> Text:
    return Text("" if value is None else format(value, form), style=style)


def _named(one: dict[str, Any]) -> str:
    return str(one["feature"]) + (f" for {one['label']}" if "label" in one else "")


def draw_reasons(console: Console, result: dict[str, Any]) -> None:
    """Print why one row is above another."""
    (first, second), (high, low) = result["rows"], result["scores"]
    how = "above" if high > low else "below" if high < low else "level with"
    console.print(Text(f"Row {first} is {how} row {second}", style="bold"))
    for number, place, score, label in zip(result["rows"], result["places"], result["scores"], result["labels"] or (None, None)):
        says = "" if label is None else f", label {label}"
        console.print(Text(f"row {number}: score {score!r}{says} · {place}", style="dim"))
    console.print()
    console.print(_reasons(console, result))
    rounding = f", but for a rounding of {result['rounding']:.1g}" if result["rounding"] else " exactly"
    how = IN_LIST if any(term["weight"] is None for term in result["terms"]) else IN_GENERAL
    console.print(Text(f"Each feature adds {how}; that makes {result['difference']!r}{rounding}.", style="dim"))


def _reasons(console: Console, result: dict[str, Any]) -> Table:
    lines = [
        (str(term["feature"]), *map(_maybe, (*term["values"], term["weight"])), term["contribution"]) for term in result["terms"]
    ]
    if result["n_others"]:
        lines.append((f"{result['n_others']:,} more", "", "", "", result["others"]))
    bars = [*_bars_beside(console, lines), ""]
    lines.append(("difference", "", "", "", result["difference"]))
    table = grid("left", *["right"] * 4, "left")
    weight = "weight" if any(line[3] for line in lines) else ""
    heads = ("feature", f"row {result['rows'][0]}", f"row {result['rows'][1]}", weight, "adds", "")
    table.add_row(*(Text(head, style="dim") for head in heads))
    for (name, *numbers, adds), bar in zip(lines, bars):
        style = "" if bar else "bold"
        cells = (Text(one, style=style) for one in (*numbers, short_number(adds)))
        table.add_row(_cropped(name, LONGEST_NAME, style), *cells, _coloured(bar))
    return table


def _maybe(number: float | None) -> str:
    return "" if number is None else short_number(number)


def _bars_beside(console: Console, lines: list[tuple[Any, ...]]) -> list[str]:
    """Bars of what each line adds, in the width that the other columns leave."""
    taken = min(LONGEST_NAME, max((len(line[0]) for line in lines), default=0)) + 4 * WIDEST_NUMBER + 10
    return signed_bars([line[-1] for line in lines], _room(console, taken)) if lines else []


def _heading(console: Console, title: str, remark: str) -> None:
    console.print()
    console.print(Text.assemble((title, "bold"), (f"  {remark}", "dim")))


def _room(console: Console, taken: int) -> int:
    return max(8, min(WIDEST, console.width - taken - 2))


def _cropped(name: str, width: int, style: str = "") -> Text:
    return Text(name if len(name) <= width else name[: width - 1] + "…", style=style, no_wrap=True)


def _coloured(bar: str) -> Text:
    left, axis, right = bar.partition("│")
    return Text.assemble((left, "magenta"), (axis, "dim"), (right, "cyan"), no_wrap=True)


def _size(count: int) -> str:
    """A number of bytes in a readable unit.

    >>> _size(2_345), _size(12_000_000)
    ('2.3 kB', '12.0 MB')
    """
    value, units = float(count), ["bytes", "kB", "MB", "GB"]
    while value >= 1000 and len(units) > 1:
        value, units = value / 1000, units[1:]
    return f"{count} bytes" if units[0] == "bytes" else f"{value:.1f} {units[0]}"
