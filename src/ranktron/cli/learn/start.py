"""How a run of ``learn`` starts: with a new model, with a model that learns more, or from a checkpoint."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..shared.algorithms import DEFAULTS, load_model, make, name_of, ranks_lists
from ..shared.messages import note
from ..shared.options import known_columns, limit_features, opened, option_of
from .checkpoint import Settings, check_same
from .run import Run, RunPlan

if TYPE_CHECKING:
    from ...data.streams import Stream
    from ..shared.options import DataOptions, OutputOptions
    from .command import CurveOptions, PassOptions, SavingOptions

# Parameters of models that the command has options of its own for, and those that do not change results.
_NO_SETTINGS = ("epochs", "shuffle", "random_state", "n_jobs", "missing", "hash_bits", "classes")


@dataclasses.dataclass
class LearnRequest:
    """One call of the command: all that it gets."""

    data: Sequence[str]
    algorithm: str | None
    model: str | None
    test: Sequence[str]
    passes: PassOptions
    reading: DataOptions
    saving: SavingOptions
    curve: CurveOptions
    output: OutputOptions
    parameters: dict[str, str | bool]

    def run(self) -> Run:
        """The run, at its start or continued from a checkpoint."""
        run = self._found()
        if not run.stream.rereadable and self.passes.epochs > 1:
            raise ValueError(f"a pipe can be read only once; --epochs {self.passes.epochs} needs files")
        return run

    def _found(self) -> Run:
        path, checkpoint = self.saving.resume, self.saving.checkpoint
        if path is None:
            return self._new()
        if not os.path.exists(path) and checkpoint is not None and os.path.abspath(path) == os.path.abspath(checkpoint):
            note(f"{path} does not exist yet; starting from the beginning")
            return self._new()
        model = load_model(path)
        place = model._metadata.get("run")
        return self._continued(path, model, place) if place and place["files"] else self._rows_to_learn(path, model)

    # Three ways to start

    def _new(self) -> Run:
        model = None if self.algorithm is None else self._made(self.algorithm)
        stream = self._opened(lists=None if model is None else ranks_lists(model))
        model = model or self._made(DEFAULTS[stream.lists])
        limit_features(stream, self.reading, [model])
        return Run(model, stream, self._plan())

    def _rows_to_learn(self, path: str, model: Any) -> Run:
        self._check_parameters(path, model)
        if self.reading.missing != "error":
            model.missing = self.reading.missing
        unit = "lists" if ranks_lists(model) else "examples"
        note(f"{path} has learned {model.n_seen_:,} {unit} before these")
        return Run(model, self._opened_for(model), self._plan(), taught=True)

    def _continued(self, path: str, model: Any, place: dict[str, Any]) -> Run:
        run = Run(model, self._opened_for(model), self._plan(), place["taught"])
        if not run.stream.rereadable:
            raise ValueError(f"{path} is a checkpoint of a run over files; a pipe cannot be continued")
        if run.taught:
            self._check_parameters(path, model)
        requested = None if run.taught else self._made(self.algorithm or DEFAULTS[ranks_lists(model)])
        check_same(path, place, self.settings(requested), run.stream.fingerprint())
        run.restore(place)
        done = f"{path} holds a complete run; nothing is left to learn"
        note(done if run.is_over else f"continuing after {run.rows:,} rows")
        return run

    # Parts

    def _made(self, algorithm: str) -> Any:
        fixed: dict[str, Any] = {"missing": self.reading.missing, "hash_bits": self.reading.hash_bits}
        fixed |= {"classes": classes_of(self.passes.classes), "random_state": self.passes.seed}
        return make(algorithm, self.parameters, **fixed)

    def _plan(self) -> RunPlan:
        seed = (self.passes.seed or 0) if self.passes.shuffle else None
        return RunPlan(self.passes.epochs, seed, self.curve.every, self.reading.on_error == "skip")

    def _opened(self, **more: Any) -> Stream:
        rows = None if self.saving.checkpoint is None else self.saving.checkpoint_rows
        return opened(self.data, self.reading, block_rows=rows, **more)

    def _opened_for(self, model: Any) -> Stream:
        stream = self._opened(lists=ranks_lists(model), **known_columns(model))
        limit_features(stream, self.reading, [model], model._learned.features.count)
        return stream

    def settings(self, model: Any) -> Settings:
        """The settings that must be the same for a run to continue; a model that learned before has its own: then it is None."""
        own = {} if model is None else {"algorithm": name_of(model), **model._described()}
        given = {name: value for name, value in own.items() if name not in _NO_SETTINGS}
        reading = {name: value for name, value in vars(self.reading).items() if name != "max_features"}
        given |= {**reading, **vars(self.passes), "every": self.curve.every, "checkpoint_rows": self.saving.checkpoint_rows}
        return {option_of(name): value for name, value in given.items()}

    def _check_parameters(self, path: str, model: Any) -> None:
        name, known = name_of(model), model._described()
        if self.algorithm is not None and type(self._made(self.algorithm)) is not type(model):
            raise ValueError(f"{path} holds {name} and cannot continue as {self.algorithm}; leave --algorithm out")
        given = self._made(name)._described()
        given_names = [*self.parameters, *(one for one in ("classes", "hash_bits") if given.get(one) is not None)]
        for parameter in given_names:
            if given[parameter] != known[parameter]:
                found = f"{path} was made with {parameter}={known[parameter]!r}"
                raise ValueError(f"{found}; leave out {option_of(parameter)}, or start again")


def classes_of(text: str | None) -> list[Any] | None:
    """The labels in a text, as numbers if all of them are numbers.

    >>> classes_of("1,2,3"), classes_of("bad, fair, good")
    ([1, 2, 3], ['bad', 'fair', 'good'])
    """
    if text is None:
        return None
    words = [word.strip() for word in text.split(",")]
    for kind in (int, float):
        try:
            return [kind(word) for word in words]
        except ValueError:
            continue
    return words
