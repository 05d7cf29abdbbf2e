"""A recommender as a header and arrays, and back."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.checks import LARGEST_DOUBLE, MOST_ROWS, SMALLEST_DOUBLE, check_between, check_numbers
from ..models import files
from ..models.labels import Labels, given_labels
from ..models.loading import made_of, restored
from ..models.parameters import check_sizes, plain_parameter
from .community import Community
from .ids import Ids
from .tastes import COUNT, DOUBT, FEATURES, ITEM, LAST, NOISE, PERSON, PERSONS_LAST, RANK

_SIDES = ("people", "items")
_RATER = "rater."


def stored(model: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays of a file."""
    community = model._learned
    arrays, described = _arrays(community), {}
    for name, rater in community.raters.all():
        described[name], own = rater._content()
        arrays |= {f"{_RATER}{name}.{part}": array for part, array in own.items()}
    header = {
        "algorithm": type(model).__name__,
        "parameters": {field.name: plain_parameter(getattr(model, field.name)) for field in dataclasses.fields(model)},
        "classes": files.label_record(community.labels.values),
        "closed": community.labels.closed,
        "raters": described,
    }
    return header, arrays


def _arrays(community: Community) -> dict[str, np.ndarray]:
    """All arrays by name, without the unused part of the buffers."""
    arrays = {
        "past": community.past[: community.age],
        "level": community.level,
        "counts": community.counts,
        "seed": community.seed,
    }
    for which, names, side in zip(_SIDES, community.names, community.sides):
        arrays[f"{which}.names"] = names.packed()
        arrays |= {f"{which}.{name}": array[: len(names)] for name, array in side._asdict().items()}
    return {name: array.copy() for name, array in arrays.items()}


def unstored(header: dict[str, Any], arrays: dict[str, np.ndarray], algorithms: Mapping[str, Any]) -> Any:
    """The model that a file describes."""
    model = made_of(header, algorithms)
    check_sizes(model, sum(array.size for array in arrays.values()))
    if model.classes is not None:
        given_labels(model.classes)
    labels = Labels(files.labels_of(header["classes"]), files.said(header, "closed", bool))
    community = model._fresh(labels)
    own, of_raters = _sorted_out(arrays)
    _fill(community, own)
    described = files.said(header, "raters", dict)
    if of_raters.keys() != described.keys() or "shared" not in described:
        raise ValueError("the raters that it describes are not those that it holds")
    for name, rater in described.items():
        community.raters.put(name, _rater(name, rater, of_raters[name], algorithms, community, model.others))
    model._learner = community
    return model


def _rater(name: str, described: Any, arrays: Any, algorithms: Mapping[str, Any], community: Community, others: bool) -> Any:
    """A rater, if it is what the recommender would have made for everybody, or for this person."""
    is_shared, labels = name == "shared", set(community.labels.names)
    if not is_shared and not (name.isdecimal() and int(name) < len(community.names[0])):
        raise ValueError(f"there is no person {name!r:.60}")
    pattern = community.raters.shared if is_shared else community.raters.pattern
    if files.said(described, "algorithm", str) != type(pattern).__name__:
        raise ValueError(f"rater {name} is not a {type(pattern).__name__}")
    rater = restored(described, arrays, algorithms)
    knows = set(rater.classes_.tolist())
    if not (knows == labels if is_shared else knows <= labels) or (
        rater.n_features_in_ != len(FEATURES) and (is_shared or not others)
    ):
        raise ValueError(f"rater {name} has other labels or features than the recommender")
    return rater


def _sorted_out(arrays: dict[str, np.ndarray]) -> tuple[dict[str, np.ndarray], dict[str, dict[str, np.ndarray]]]:
    """The community's arrays by name, and those of each rater."""
    own, of_raters = {}, collections.defaultdict[str, dict[str, np.ndarray]](dict)
    for name, array in arrays.items():
        if name.startswith(_RATER):
            rater, _, part = name.removeprefix(_RATER).partition(".")
            of_raters[rater][part] = array
        else:
            own[name] = array
    return own, of_raters


def _fill(community: Community, arrays: dict[str, np.ndarray]) -> None:
    """Copy the arrays in; all their lengths are checked before anything is allocated."""
    names = [Ids.unpacked(ids.what, arrays[f"{which}.names"]) for which, ids in zip(_SIDES, community.names)]
    kept, age = len(arrays["past"]), _checked("counts", arrays["counts"], community.counts)
    check_between("counts", age, 0, MOST_ROWS)
    if kept != min(int(age[0]), community.memory or MOST_ROWS):
        raise ValueError(f"it holds {kept} ratings of {age[0]}")
    for which, ids, side in zip(_SIDES, names, community.sides):
        for name, array in side._asdict().items():
            _checked(f"{which}.{name}", arrays[f"{which}.{name}"], array, len(ids))
    community.names = names[0], names[1]
    for name in ("level", "counts", "seed"):
        getattr(community, name)[...] = _checked(name, arrays[name], getattr(community, name))
    _checked("past", arrays["past"], community.past, kept)
    community.make_room(0)
    community.past[:kept] = arrays["past"]
    for which, ids, side in zip(_SIDES, community.names, community.sides):
        for name, array in side._asdict().items():
            array[: len(ids)] = arrays[f"{which}.{name}"]
    _check(community, kept)
    if arrays.keys() - _arrays(community).keys():
        raise ValueError("it holds arrays that a recommender does not have")


def _checked(name: str, array: np.ndarray, like: np.ndarray, length: int | None = None) -> np.ndarray:
    return files.fitting(name, array, like.shape if length is None else (length, *like.shape[1:]), like.dtype)


def _check(community: Community, kept: int) -> None:
    """Refuse numbers that would lead kernels outside of their arrays."""
    past, age = community.past[:kept], community.age
    for column, count in ((PERSON, len(community.names[0])), (ITEM, len(community.names[1])), (RANK, len(community.labels))):
        check_between("past", past[:, column], 0, count - 1)
    ages = age - 1 - (age - 1 - np.arange(kept)) % max(kept, 1)
    if not ((past[:, PERSONS_LAST:] >= -1) & (past[:, PERSONS_LAST:] < ages[:, None])).all():
        raise ValueError("a rating in past should name earlier ones as those before it")
    check_numbers("level", community.level)
    check_between("level", community.level[NOISE], SMALLEST_DOUBLE, LARGEST_DOUBLE)
    for which, side in zip(_SIDES, community.sides):
        check_between(f"{which}.marks", side.marks[:, COUNT], 0, MOST_ROWS)
        check_between(f"{which}.marks", side.marks[:, LAST], -1, age - 1)
        check_between(f"{which}.offsets", side.offsets[:, DOUBT], 0.0, LARGEST_DOUBLE)
        check_numbers(f"{which}.offsets", side.offsets)
        check_numbers(f"{which}.tastes", side.tastes)
