"""From a model file back to a model that goes on learning."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..scorers.sizes import columnwise
from .features import Features
from .files import BadModelFile, labels_of, read
from .labels import Labels
from .learner import Learner
from .ordinal import OrdinalModel
from .parameters import check_parameters


def load(path: str | Path, algorithms: Mapping[str, type[OrdinalModel]]) -> Any:
    """The model in a file, as the class of its name among ``algorithms``."""
    header, arrays = read(path)
    try:
        return _model(header, arrays, algorithms)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise BadModelFile(f"{path}: the file does not describe a model this version knows ({error})") from None


def _model(header: dict[str, Any], arrays: dict[str, np.ndarray], algorithms: Mapping[str, type[OrdinalModel]]) -> Any:
    model = algorithms[header["algorithm"]](**header["parameters"])
    check_parameters(model)
    labels = Labels(labels_of(header["classes"]), header["closed"])
    features = Features(**header["features"])
    columns = arrays[columnwise(model._parts(1, len(labels)).scorer)[0]].shape[-1]
    parts = model._parts(columns, len(labels))
    learner = Learner(parts, features, labels, model._plan())
    for name, part in {"counts": learner.counts, **learner.arrays()}.items():
        part[...] = _fitting(name, arrays[name], part)
    _check_features(features, columns)
    model._learner = learner
    return model


def _check_features(features: Features, columns: int) -> None:
    if not 0 <= features.count <= columns:
        raise ValueError(f"{features.count} features in {columns} columns")
    if features.names is not None and len(set(features.names)) != features.count:
        raise ValueError("a feature name occurs twice, or not at all")


def _fitting(name: str, array: np.ndarray, like: np.ndarray) -> np.ndarray:
    if array.shape != like.shape or array.dtype != like.dtype:
        raise ValueError(f"{name} should be {like.dtype} of shape {like.shape}, not {array.dtype} of shape {array.shape}")
    return array
