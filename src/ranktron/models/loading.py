"""From a model file back to a model that goes on learning."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .. import kernels
from ..scorers.state import arrays_of
from ..steps import AdaGrad
from .features import Features
from .files import BadModelFile, read
from .learner import Learner
from .model import Model
from .parameters import check_parameters
from .trail import trail_in

LATER = {"intervals": (0, 7)}
"""What files of versions before that do not hold: it begins when learning goes on."""


def load(path: str | Path, algorithms: Mapping[str, Any]) -> Any:
    """The model in a file, as the class of its name among ``algorithms``."""
    return found_in(path, *read(path), algorithms)


def found_in(path: str | Path, header: dict[str, Any], arrays: dict[str, np.ndarray], algorithms: Mapping[str, Any]) -> Any:
    """The same of a file that has been read."""
    try:
        return restored(header, arrays, algorithms)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise BadModelFile(f"{path}: the file does not describe a model this version knows ({error})") from None


def restored(header: dict[str, Any], arrays: dict[str, np.ndarray], algorithms: Mapping[str, Any]) -> Any:
    """The model that a header and arrays describe; a class that is made of several models knows best."""
    from_file = getattr(algorithms[header["algorithm"]], "_from_file", None)
    return from_file(header, arrays, algorithms) if from_file else _model(header, arrays, algorithms)


def _model(header: dict[str, Any], arrays: dict[str, np.ndarray], algorithms: Mapping[str, type[Model]]) -> Any:
    model = algorithms[header["algorithm"]](**parameters_of(header, algorithms))
    check_parameters(model)
    labels = model._labels_in(header)
    features = Features(**header["features"])
    probe = model._sketched(features.count, len(labels or (None,)))
    columns = features.count if probe.lens else arrays[_first_with_columns(probe.scorer).name].shape[-1]
    _check_features(features, columns)
    learner = model._new_learner(columns, features, labels)
    _make_room(learner, arrays)
    for name, part in (learner.tallies | learner.arrays()).items():
        if name in arrays or not _written_before(header, LATER.get(name, ())):
            part[...] = _fitting(name, arrays[name], part)
    learner.trail = trail_in(arrays)
    model._learner = learner
    if "about" in header:
        model._about = dict(header["about"])
    return model


def _written_before(header: dict[str, Any], version: tuple[int, ...]) -> bool:
    written = header.get("library", "").removeprefix("ranktron ").split(".")[:2]
    return all(map(str.isdigit, written)) and tuple(map(int, written)) < version


def parameters_of(described: dict[str, Any], algorithms: Mapping[str, type[Model]]) -> dict[str, Any]:
    """The parameters of a model, kernels, steps and estimators among them."""
    parameters: dict[str, Any] = described["parameters"]
    for name, value in parameters.items():
        if isinstance(value, dict) and "algorithm" in value:
            parameters[name] = algorithms[value["algorithm"]](**parameters_of(value, algorithms))
        elif isinstance(value, dict) and "task" in value:
            from .. import tasks

            parameters[name] = {kind.__name__: kind for kind in tasks.OURS}[value["task"]](**value["parameters"])
        elif isinstance(value, dict) and value.get("step") == "AdaGrad":
            parameters[name] = AdaGrad(**value["parameters"])
        elif isinstance(value, dict) and "kernel" in value:
            parameters[name] = {kind.__name__: kind for kind in kernels.KINDS}[value["kernel"]](**value["parameters"])
    return parameters


def _first_with_columns(scorer: Any) -> Any:
    return next(one for one in arrays_of(scorer) if one.has_columns)


def _make_room(learner: Learner, arrays: dict[str, np.ndarray]) -> None:
    """Room for as many rows of the support and as many hypotheses as the file holds."""
    learner.reserve(max(len(arrays.get("support.born", ())), len(arrays.get("survived", ()))))
    for name in ("support.counts", "state"):
        part = learner.arrays().get(name)
        if part is not None:
            part[...] = _fitting(name, arrays[name], part)


def _check_features(features: Features, columns: int) -> None:
    if not 0 <= features.count <= columns:
        raise ValueError(f"{features.count} features in {columns} columns")
    if features.names is not None and len(set(features.names)) != features.count:
        raise ValueError("a feature name occurs twice, or not at all")


def _fitting(name: str, array: np.ndarray, like: np.ndarray) -> np.ndarray:
    if array.shape != like.shape or array.dtype != like.dtype:
        raise ValueError(f"{name} should be {like.dtype} of shape {like.shape}, not {array.dtype} of shape {array.shape}")
    return array
