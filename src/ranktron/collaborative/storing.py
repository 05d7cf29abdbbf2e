"""A recommender as a header and arrays, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..models import files
from ..models.labels import Labels
from ..models.learned import plain_parameter
from ..models.loading import parameters_of, restored
from ..models.parameters import check_parameters
from .community import Community
from .ids import Ids
from .raters import Raters
from .tastes import ITEM, PERSON, PERSONS_LAST, RANK

_SIDES = ("people", "items")


def stored(model: Any, community: Community, raters: Raters) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """What a file holds."""
    arrays = _arrays(community)
    described = {}
    for name, rater in raters.all():
        described[name], own = rater._content()
        arrays |= {f"rater.{name}.{part}": array for part, array in own.items()}
    header = {
        "algorithm": type(model).__name__,
        "parameters": {field.name: plain_parameter(getattr(model, field.name)) for field in dataclasses.fields(model)},
        "classes": files.label_record(community.labels.values),
        "closed": community.labels.closed,
        "raters": described,
    }
    return header, arrays


def _arrays(community: Community) -> dict[str, np.ndarray]:
    """All arrays by name, without room to spare."""
    arrays = {
        "past": community.past[: community.age],
        "level": community.level,
        "counts": community.counts,
        "seed": community.seed,
    }
    for which, names, side in zip(_SIDES, community.names, community.sides):
        arrays[f"{which}.names"] = names.packed()
        arrays |= {f"{which}.{name}": array[: len(names)] for name, array in side._asdict().items()}
    return arrays


def unstored(cls: Any, header: dict[str, Any], arrays: dict[str, np.ndarray], algorithms: Mapping[str, Any]) -> Any:
    """The model of class ``cls`` that a file describes."""
    model = cls(**parameters_of(header, algorithms))
    check_parameters(model)
    labels = Labels(files.labels_of(header["classes"]), header["closed"])
    community, raters = model._fresh(labels)
    _fill(community, arrays)
    for name, described in header["raters"].items():
        start = f"rater.{name}."
        own = {part.removeprefix(start): array for part, array in arrays.items() if part.startswith(start)}
        raters.put(name, restored(described, own, algorithms))
    model._community, model._raters = community, raters
    return model


def _fill(community: Community, arrays: dict[str, np.ndarray]) -> None:
    names = [Ids.unpacked(ids.what, arrays[f"{which}.names"]) for which, ids in zip(_SIDES, community.names)]
    community.names = names[0], names[1]
    for name in ("level", "counts", "seed"):
        _copy(name, arrays[name], getattr(community, name))
    kept = arrays["past"]
    community.make_room(0)
    _copy("past", kept, community.past[: len(kept)])
    for which, ids, side in zip(_SIDES, community.names, community.sides):
        for name, array in side._asdict().items():
            _copy(f"{which}.{name}", arrays[f"{which}.{name}"], array[: len(ids)])
    _check(community, len(kept))


def _copy(name: str, array: np.ndarray, into: np.ndarray) -> None:
    if array.shape != into.shape or array.dtype != into.dtype:
        raise ValueError(f"{name} should be {into.dtype} of shape {into.shape}, not {array.dtype} of shape {array.shape}")
    into[...] = array


def _check(community: Community, kept: int) -> None:
    """Refuse numbers that would lead kernels outside of their arrays."""
    past, age = community.past[:kept], community.age
    limits = {PERSON: len(community.names[0]), ITEM: len(community.names[1]), RANK: len(community.labels)}
    chains = past[:, PERSONS_LAST:]
    inside = age >= 0 and kept == min(age, len(community.past)) and bool(((chains >= -1) & (chains < age)).all())
    inside = inside and all(((past[:, column] >= 0) & (past[:, column] < limit)).all() for column, limit in limits.items())
    lasts = all(((side.marks >= -1) & (side.marks <= age)).all() for side in community.sides)
    if not (inside and lasts):
        raise ValueError("ratings that are kept tell of people, items or ratings that are not there")
