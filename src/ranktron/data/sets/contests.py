"""Judged documents that search engines published for contests: Yahoo's of 2010 and Yandex's of 2009."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..svmlight.line import BadDataFile
from ..svmlight.reader import read_letor, read_svmlight
from .files import DataSet, PathLike
from .lists import Sizes, check_fold, check_sizes
from .types import Fold, Lists

YAHOO = DataSet(
    "Yahoo's Learning to Rank Challenge",
    "yahoo",
    "Yahoo's Webscope programme as data set C14, https://webscope.sandbox.yahoo.com/",
)
YANDEX = DataSet(
    "Yandex's Internet Mathematics 2009",
    "yandex",
    "the page of the contest, http://imat2009.yandex.ru/academic/mathematic/2009/en/",
)
YAHOO_FEATURES, YANDEX_FEATURES = 700, 245
# The numbers of rows and of queries in all three parts.
YAHOO_SIZES: dict[int, Sizes] = {1: {"set 1": (709_877, 29_921)}, 2: {"set 2": (172_870, 6_330)}}
YANDEX_SIZES: Sizes = {"the learning set": (97_290, 9_124)}


def load_yahoo(path: PathLike | None = None, part: int = 1, *, partial: bool = False) -> Fold:
    """Read set 1 or 2 of Yahoo's Learning to Rank Challenge: grades 0 to 4 and 700 sparse features.

    The folder holds ``set1.train.txt``, ``set1.valid.txt`` and ``set1.test.txt``, and those of set 2. X is a CSR matrix.

    Parameters
    ----------
    path : str or path, optional
        The folder; by default ``yahoo`` in ``$RANKTRON_DATA``.
    part : {1, 2}
        The number of the set.
    partial : bool
        Accept an incomplete copy.
    """
    if part not in (1, 2):
        raise ValueError(f"part={part!r} should be 1 or 2")
    root = YAHOO.root(path)
    parts = Fold(*(_yahoo_part(root, f"set{part}.{name}.txt") for name in ("train", "valid", "test")))
    check_fold(root, parts, 4.0)
    check_sizes(YAHOO, root, parts, YAHOO_SIZES[part], partial)
    return parts


def _yahoo_part(root: Path, name: str) -> Lists:
    found = next((place for place in (root / name, *sorted(root.rglob(name))) if place.is_file()), None)
    if found is None:
        raise YAHOO.missing(root, name)
    return Lists(*read_letor(found, n_features=YAHOO_FEATURES))


def load_yandex(path: PathLike | None = None, *, partial: bool = False) -> Fold:
    """Read the data of Yandex's contest Internet Mathematics 2009: grades from 0 to 4 and 245 features.

    A line of ``imat2009_learning.txt`` is a grade, features and, as its comment, the query. The whole file is ``train``, and
    ``valid`` is empty. ``test`` holds ``imat2009_test.txt`` if that file exists; the contest did not publish its grades.

    Parameters
    ----------
    path : str or path, optional
        The folder; by default ``yandex`` in ``$RANKTRON_DATA``.
    partial : bool
        Accept an incomplete copy.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("imat2009_learning.txt").write_text("0 1:0.000023 8:0.75 245:1 # 1\\n3 1:0.5 # 1\\n1 9:1 # 2\\n")
    >>> X, y, qid = load_yandex(".", partial=True).train
    >>> X.shape, y, qid
    ((3, 245), array([0., 3., 1.]), array([1, 1, 2]))
    """
    root = YANDEX.root(path)
    folder = root if root.is_dir() else root.parent
    place = next(iter(sorted(folder.rglob("imat2009_learning.txt"))), None)
    if place is None:
        raise YANDEX.missing(root, "imat2009_learning.txt")
    train, nothing = _yandex_part(place), Lists(np.empty((0, YANDEX_FEATURES)), np.empty(0), np.empty(0, np.int64))
    if not (np.all(train.y >= 0.0) and np.all(train.y <= 4.0)):
        raise BadDataFile(f"{place}: grades should be from 0 to 4, but are from {train.y.min():g} to {train.y.max():g}")
    check_sizes(YANDEX, place, Fold(train, nothing, nothing), YANDEX_SIZES, partial)
    test = place.with_name("imat2009_test.txt")
    return Fold(train, nothing, _yandex_part(test) if test.exists() else nothing)


def _yandex_part(path: Path) -> Lists:
    X, y = read_svmlight(path, zero_based=False, n_features=YANDEX_FEATURES, dense=True)
    with path.open("rb") as file:
        comments = [(place, line.rpartition(b"#")[2].strip()) for place, line in enumerate(file, 1) if line.strip()]
    for place, comment in comments:
        if not comment.isdigit():
            raise BadDataFile(f"{path}, line {place}: expected the number of the query after a #")
    return Lists(X, y, np.array([int(comment) for _, comment in comments], np.int64))
