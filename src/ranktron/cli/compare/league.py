"""The league: many models in several repeats learn from one reading of the data, and predict every row before it."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...compile.compiled_loop import slow_runs
from ...data.streams.block import Block
from ...models import streaming
from ...statistics import means_of
from ..shared.figures import figures_of, plain_label
from .orders import StreamOrders

# A curve has a point whenever the rows have grown by this factor, and by at least this number.
GROWTH, FIRST = 1.03, 25


Call = Callable[[], None]


class Entry(NamedTuple):
    """An entry: its name, its algorithm, the parameters that were set, and those of them that a grid varies."""

    name: str
    algorithm: str
    settings: dict[str, Any]
    point: dict[str, Any]
    family: str
    make: Callable[..., Any]


class Player:
    """One entry in one repeat: a model and its figures."""

    def __init__(self, model: Any) -> None:
        self.model, self.figures = model, figures_of(model)
        self._rows, self._seconds = 0, 0.0  # of blocks that compiled loops learned

    def meet(self, block: Block, labels: np.ndarray | None) -> None:
        """Predict the rows, then learn them."""
        began, slow = time.perf_counter(), slow_runs.count
        if labels is not None and self.model._learner is None:
            known = streaming.checked_labels(self.model, labels)
            self.model._learner = streaming.begun(self.model, streaming.as_table(block), known)
        predicted = streaming.feed(self.model, block)
        if slow_runs.count == slow:
            self._rows, self._seconds = self._rows + len(block), self._seconds + time.perf_counter() - began
        self.figures.update(block.y, predicted, block.qid)

    @property
    def speed(self) -> float:
        """Rows a second; NaN if all of them ran interpreted, or waited for the compiler."""
        return self._rows / self._seconds if self._rows else math.nan


class League:
    """All entries in all repeats; ``push`` blocks, then ``close``."""

    def __init__(self, entries: Sequence[Entry], repeats: int, seed: int, lists: bool, **settings: Any) -> None:
        self.entries, self.repeats, self.lists = list(entries), repeats, lists
        self.orders = StreamOrders(repeats, seed, lists)
        self.players = {
            entry.name: [Player(entry.make(random_state=seed + repeat, **settings)) for repeat in range(repeats)]
            for entry in entries
        }
        self.now = ""  # the name of the entry that is learning
        self.out: dict[str, str] = {}
        self.warned: dict[str, str] = {}
        self.seen = self.rows = 0
        self.at: list[int] = []
        self.losses: dict[str, list[list[float]]] = {entry.name: [] for entry in entries}
        self._next = FIRST
        self._labels: dict[Any, int] = {}

    @property
    def unit(self) -> str:
        """The unit that is counted."""
        return "lists" if self.lists else "rows"

    def push(self, block: Block, watch: Call, between: Call) -> None:
        """Let all models learn what a block releases; ``watch`` is called often, ``between`` after each step of all."""
        self._count_labels(block)
        self.orders.push(block)
        self._play(watch, between)

    def close(self, watch: Call, between: Call) -> None:
        """Let all models learn the rest."""
        self.orders.close()
        self._play(watch, between)
        self.stop()

    def stop(self) -> None:
        """Add a last point to the curves."""
        if self.seen and (not self.at or self.at[-1] < self.seen):
            self._mark()

    def labels(self, classes: Sequence[Any] | None = None) -> dict[Any, int]:
        """The number of rows of each label, in the order of ``classes`` or in ascending order."""
        if classes is not None:
            return {label: self._labels.get(label, 0) for label in classes}
        return dict(sorted(self._labels.items(), key=lambda pair: (isinstance(pair[0], str), pair[0])))

    def _count_labels(self, block: Block) -> None:
        names, counts = np.unique(np.asarray(block.y), return_counts=True)
        for label, count in zip(map(plain_label, names.tolist()), counts.tolist()):
            self._labels[label] = self._labels.get(label, 0) + count

    def _play(self, watch: Call, between: Call) -> None:
        while ready := self.orders.ready:
            count = min(ready, self._next - self.seen)
            blocks = self.orders.take(count)
            self._meet(blocks, watch)
            self.seen += count
            self.rows += len(blocks[0])
            if self.seen == self._next:
                self._mark()
            between()

    def _mark(self) -> None:
        """Add a point to every curve."""
        self.at.append(self.seen)
        for name in self.players:
            self.losses[name].append([player.figures.loss() for player in self.players[name]])
        self._next = self.seen + max(FIRST, int(self.seen * (GROWTH - 1.0)))

    def _meet(self, blocks: list[Block], watch: Call) -> None:
        """Let every model of every repeat learn that repeat's block; an entry that cannot is removed, unless none can."""
        has_words = any(isinstance(label, str) for label in self._labels)
        labels = None if self.lists else np.array(list(self._labels), object if has_words else None)
        refused: dict[str, ValueError] = {}
        for name, players in self.players.items():
            self.now = name
            watch()
            try:
                self._meet_all(name, players, blocks, labels)
            except ValueError as bad:
                refused[name] = bad
        if len(refused) == len(self.players):
            raise next(iter(refused.values()))
        for name, error in refused.items():
            del self.players[name], self.losses[name]
            self.out[name] = error.reason if isinstance(error, streaming.BadRow) else str(error)
        self.entries = [entry for entry in self.entries if entry.name in self.players]

    def _meet_all(self, name: str, players: list[Player], blocks: list[Block], labels: np.ndarray | None) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for player, block in zip(players, blocks):
                player.meet(block, labels)
        for one in caught:
            self.warned.setdefault(name, str(one.message))

    def standings(self) -> list[tuple[str, float]]:
        """Names and mean losses so far, best first."""
        means = {name: float(np.mean(points[-1])) for name, points in self.losses.items() if points}
        return sorted(means.items(), key=lambda pair: (math.isnan(pair[1]), pair[1]))

    def curves(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """For every entry: the mean loss at each point of ``at``, and half its interval."""
        return {name: means_of(np.array(points).T.reshape(self.repeats, -1)) for name, points in self.losses.items()}
