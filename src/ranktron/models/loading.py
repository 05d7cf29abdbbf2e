"""From a model file back to a model that goes on learning.

A file is not trusted. What its header says is checked first, then the shapes of its arrays, which follow from the
header; only then is a model of that size made, so memory is bounded by the length of the file. What the arrays hold is checked
before any loop runs, for loops use some of it as indices.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .. import kernels
from ..steps import AdaGrad
from .features import Features
from .files import LONGEST_REASON, BadModelFile, fitting, read, said
from .history import TRAIL, trail_in
from .kinds.model import Model
from .labels import cut
from .learners.learner import Learner
from .parameters import check_parameters, check_sizes
from .sizes import expected_shapes

# What files of versions before that do not hold: it begins when learning goes on.
LATER = {"intervals": (0, 7)}

# The value of a parameter in files written before it existed, where that is not its default.
OLD_DEFAULTS: dict[str, dict[str, Any]] = {"OrdinalLogit": {"calibrate": False}}


def load(path: str | Path, algorithms: Mapping[str, Any]) -> Any:
    """The model in a file, as the class of its name among ``algorithms``."""
    return found_in(path, *read(path), algorithms)


def found_in(path: str | Path, header: dict[str, Any], arrays: dict[str, np.ndarray], algorithms: Mapping[str, Any]) -> Any:
    """The model in a file that has been read."""
    try:
        return restored(header, arrays, algorithms)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        reason = cut(str(error), LONGEST_REASON)
        raise BadModelFile(f"{path}: the file does not describe a model this version knows ({reason})") from None


def restored(header: dict[str, Any], arrays: dict[str, np.ndarray], algorithms: Mapping[str, Any]) -> Any:
    """The model that a header and arrays describe; a class that is made of several models knows best."""
    from_file = getattr(algorithms[header["algorithm"]], "_from_file", None)
    return from_file(header, arrays, algorithms) if from_file else _model(header, arrays, algorithms)


def _model(header: dict[str, Any], arrays: dict[str, np.ndarray], algorithms: Mapping[str, type[Model]]) -> Any:
    model = made_of(header, algorithms)
    # Sizes come first, so that no header can ask for more memory than the file is long.
    check_sizes(model, sum(array.size for array in arrays.values()))
    labels = model._labels_in(header)
    features = _features(said(header, "features", dict))
    n_columns = _check_shapes(model, features, labels, arrays, header)
    learner = model._new_learner(n_columns, features, labels)
    _reserve(learner, arrays)
    for name, part in (learner.tallies | learner.arrays()).items():
        if name in arrays:
            part[...] = fitting(name, arrays[name], part.shape, part.dtype)
    learner.check()
    learner.trail = trail_in(arrays, learner.age, features.count)
    model._learner = learner
    if "about" in header:
        model._metadata = said(header, "about", dict)
    return model


def made_of(described: dict[str, Any], algorithms: Mapping[str, Any]) -> Any:
    """A model with the parameters that a header gives, which has learned nothing."""
    model = algorithms[described["algorithm"]](**parameters_of(described, algorithms))
    check_parameters(model)
    return model


def parameters_of(described: dict[str, Any], algorithms: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a model, kernels, steps and estimators among them."""
    parameters: dict[str, Any] = OLD_DEFAULTS.get(described["algorithm"], {}) | said(described, "parameters", dict)
    for name, value in parameters.items():
        if isinstance(value, dict) and "algorithm" in value:
            parameters[name] = made_of(value, algorithms)
        elif isinstance(value, dict) and "task" in value:
            from .. import tasks

            parameters[name] = {kind.__name__: kind for kind in tasks.OURS}[value["task"]](**value["parameters"])
        elif isinstance(value, dict) and value.get("step") == "AdaGrad":
            parameters[name] = AdaGrad(**value["parameters"])
        elif isinstance(value, dict) and "kernel" in value:
            parameters[name] = {kind.__name__: kind for kind in kernels.KINDS}[value["kernel"]](**value["parameters"])
    return parameters


def _features(given: dict[str, Any]) -> Features:
    count, names, bits = given["count"], given["names"], given["hash_bits"]
    if type(count) is not int or count < 0:
        raise ValueError(f"there are {count!r} features")
    if bits is not None and (type(bits) is not int or not 1 <= bits <= 30 or count != 1 << bits):
        raise ValueError(f"{count} features are hashed by hash_bits={bits!r}")
    if names is not None:
        said(given, "names", list)
        if len(names) != count or any(isinstance(name, list | dict) for name in names) or len(set(names)) != count:
            raise ValueError(f"{count} features have {len(names)} names, which should differ and be plain values")
    return Features(count, names, bits, said(given, "may_grow", bool))


def _check_shapes(model: Model, features: Features, labels: Any, arrays: dict[str, np.ndarray], header: dict[str, Any]) -> int:
    """Raise ValueError unless the file holds the arrays of the model, each in its shape; returns how many columns there are."""
    expected, n_columns = expected_shapes(model, features.count, labels, arrays)
    for name, (shape, dtype) in expected.items():
        if name in arrays or not _written_before(header, LATER.get(name, ())):
            fitting(name, arrays[name], shape, dtype)
    unknown = arrays.keys() - expected.keys() - set(TRAIL)
    if unknown:
        raise ValueError(f"a {type(model).__name__} has no array {min(unknown)!r:.80}")
    return n_columns


def _written_before(header: dict[str, Any], version: tuple[int, ...]) -> bool:
    written = said(header, "library", str).removeprefix("ranktron ").split(".")[:2]
    return all(map(str.isdecimal, written)) and tuple(map(int, written)) < version


def _reserve(learner: Learner, arrays: dict[str, np.ndarray]) -> None:
    """Reserve for as many rows of the support and as many hypotheses as the file holds."""
    learner.reserve(max(len(arrays.get("support.born", ())), len(arrays.get("survived", ()))))
    for name in ("support.counts", "state"):
        part = learner.arrays().get(name)
        if part is not None:
            part[...] = fitting(name, arrays[name], part.shape, part.dtype)
