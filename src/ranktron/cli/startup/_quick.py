"""Values of options read without typer's own machinery, which loads pydantic: a quarter of a small job's time."""

from __future__ import annotations

from typing import Any, get_args, get_origin

_KINDS = (str, int, float, bool)


class Quick:
    """Reads the values of one option: plain ones, or lists of them."""

    def __init__(self, kind: type, low: Any, high: Any) -> None:
        self._kind, self._low, self._high = kind, low, high

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value, or a usage error."""
        if param.multiple or param.nargs == -1:
            return [self._one(each, param, ctx) for each in value or ()]
        return value if value is None else self._one(value, param, ctx)

    def _one(self, text: Any, param: Any, ctx: Any) -> Any:
        try:
            value = self._kind(text)
            if (self._low is None or value >= self._low) and (self._high is None or value <= self._high):
                return value
        except ValueError:
            pass
        ctx.fail(f"Invalid value for {'/'.join(param.opts)}: {text!r} is not {self._wanted()}.")

    def _wanted(self) -> str:
        noun = "a whole number" if self._kind is int else "a number"
        low = "" if self._low is None else f" from {self._low}"
        return noun + low + (f" to {self._high}" if self._high is not None else " on" if low else "")


def quickened(param: Any) -> Any:
    """The same option, read by ``Quick`` if it is a plain one and this version of typer lets us."""
    about = getattr(param, "type_descriptor", None)
    if about is not None and getattr(param, "_runtime_param", False) is None:
        kind = get_args(about.annotation)[0] if get_origin(about.annotation) is list else about.annotation
        if kind in _KINDS:
            param._runtime_param = Quick(kind, about.parameter_info.min, about.parameter_info.max)
    return param
