"""Reading while another thread learns: each answer is of one state of the learner, between two examples or batches."""

from __future__ import annotations

import contextlib
import copy
import functools
import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from ...core.rows import CSR
from ..features import Features

Method = TypeVar("Method", bound=Callable[..., Any])

# A copy of the learner pays from this many multiplications on, if these are also FAR_MORE times the numbers to copy: then copying
# takes a few per cent of the time.
MANY, FAR_MORE = 1_600_000, 32

# Seconds after which a thread that waits for a lock looks again whether a copy answers in place of the learner.
TURN = 0.01


def reads(method: Method) -> Method:
    """Let ``method`` of a model see one state of its learner, whatever other threads do meanwhile.

    The method runs on a copy of the model that stays with one learner, which is locked. A long answer locks it only while it is
    copied; while a long batch is learned, the learner as it was before the batch answers at once.
    """

    @functools.wraps(method)
    def answer(self: Any, *args: Any, **named: Any) -> Any:
        if self._frozen:
            return method(self, *args, **named)
        learner = self._learner
        if learner is None:
            return method(bound(self, None), *args, **named)
        if not learner.lock.acquire(False):
            learner = waited(learner)
        try:
            if not args or not learner.takes_long(args[0]):
                return method(bound(self, learner), *args, **named)
            copied = still(learner)
        finally:
            learner.lock.release()
        return method(bound(self, copied), *args, **named)

    return cast(Method, answer)


def waited(learner: Any) -> Any:
    """Wait for a locked learner; returns it, locked, or what answers in its place meanwhile."""
    while learner.view is None:
        if learner.lock.acquire(timeout=TURN):
            return learner
    return learner.view or waited(learner)  # the batch may have ended just now


class NoLock(contextlib.nullcontext[None]):
    """The lock of a copy, which nothing changes: it never waits."""

    def acquire(self, blocking: bool = True, timeout: float = -1.0) -> bool:
        """Nothing to wait for."""
        return True

    def release(self) -> None:
        """Nothing to release."""


def bound(model: Any, learner: Any) -> Any:
    """A copy of ``model`` that stays with ``learner`` and only answers, so that its own answers need no more care."""
    copied = object.__new__(type(model))
    copied.__dict__.update(model.__dict__)
    copied.__dict__["_learner"], copied.__dict__["_frozen"] = learner, True
    return copied


def still(learner: Any) -> Any:
    """A copy that stays as ``learner`` is now, and that any number of threads may use without a lock."""
    twin = object.__new__(type(learner))
    twin.__setstate__({**learner.__getstate__(), "is_still": True})
    return twin


def takes_long(learner: Any, X: Any) -> bool:
    """Whether rows ``X`` take far longer to learn or to answer than ``learner`` takes to copy."""
    work = _extent(X) * (learner.facts.work if learner.kernel_view is None else learner.kernel_view.support.points.shape[1])
    if work < MANY or learner.is_still:
        return False
    return bool(work >= FAR_MORE * sum(part.size for part in learner.arrays().values()))


def _extent(X: Any) -> int:
    """How many numbers an array, a sparse matrix or a data frame holds; 0 for anything else."""
    size = getattr(X.values if isinstance(X, CSR) else X, "size", None)
    return int(size) if isinstance(size, int | np.integer) else math.prod(getattr(X, "shape", (0,)))


def copy_of(part: Any, done: dict[int, Any]) -> Any:
    """A part of a learner for another one: what learning changes in place is copied, all else is shared.

    ``done`` has the copies so far by what they were made of: an array that two parts share stays one array.
    """
    if hasattr(part, "_asdict"):
        return type(part)(*(copy_of(one, done) for one in part))
    if not isinstance(part, np.ndarray | Features):
        return part
    if id(part) not in done:
        done[id(part)] = part.copy(order="K") if isinstance(part, np.ndarray) else copy.copy(part)
    return done[id(part)]
