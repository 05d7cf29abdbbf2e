"""Judged documents of search engines: LETOR 3 and 4 and MSLR-WEB of Microsoft Research, and the contests of Yahoo and Yandex."""

from __future__ import annotations

import operator
import os
from pathlib import Path

import numpy as np

from ..svmlight.line import BadDataFile
from ..svmlight.reader import read_letor, read_svmlight
from .files import VARIABLE, DataSet, PathLike
from .lists import Fold, Lists, Sizes, check_fold, check_sizes, read_lists

LETOR = DataSet(
    "LETOR",
    "letor",
    "Microsoft Research, https://www.microsoft.com/en-us/research/project/letor-learning-rank-information-retrieval/",
)
MSLR = DataSet("MSLR-WEB", "mslr", "Microsoft Research, https://www.microsoft.com/en-us/research/project/mslr/")
PARTS_FOLDER = "letor_mq2008"
FOLDS = 5
# The numbers of rows, if known, and of queries.
LETOR_SIZES: Sizes = {
    "MQ2007": (69_623, 1_692),
    "MQ2008": (15_211, 784),
    "OHSUMED": (16_140, 106),
    "TD2003": (None, 50),
    "TD2004, NP2004 and HP2004": (None, 75),
    "NP2003 and HP2003": (None, 150),
}
MSLR_SIZES: Sizes = {"WEB10K": (1_200_192, 10_000), "WEB30K": (3_771_125, 31_531)}
MSLR_FEATURES = 136
_NAMES = (("train.txt", "trainingset.txt"), ("vali.txt", "validationset.txt"), ("test.txt", "testset.txt"))
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


def load_letor(path: PathLike | None = None, fold: int = 1, *, null: str = "nan", partial: bool = False) -> Fold:
    """Read one of the five folds of a data set of LETOR 3 or 4: grades 0 to 2.

    The folder holds ``Fold1`` to ``Fold5``, each with ``train.txt``, ``vali.txt`` and ``test.txt``, or it holds the five parts
    ``S1.txt`` to ``S5.txt`` that MQ2007 and MQ2008 are made of. A folder above it is accepted if it holds no other data set.

    Parameters
    ----------
    path : str or path, optional
        The folder; by default ``letor`` in ``$RANKTRON_DATA``, or ``letor_mq2008`` if ``letor`` does not exist.
    fold : int
        1 to 5.
    null : {"nan", "minimum"}
        How to read NULL, which the files have in place of minus infinity: as NaN, or as the least value of the feature among the
        documents of the query (0 if there is none), as in the files that LETOR calls MIN.
    partial : bool
        Accept an incomplete copy.

    Examples
    --------
    >>> from pathlib import Path
    >>> for part in range(1, 6):
    ...     _ = Path(f"S{part}.txt").write_text(f"{part % 3} qid:{part} 1:0.{part} 2:NULL #docid = GX000-00-000000{part}\\n")
    >>> train, valid, test = load_letor(".", fold=2, partial=True)
    >>> train.qid, valid.qid, test.qid
    (array([2, 3, 4]), array([5]), array([1]))
    >>> train.X
    array([[0.2, nan],
           [0.3, nan],
           [0.4, nan]])
    """
    if null not in ("nan", "minimum"):
        raise ValueError(f'null={null!r} should be "nan" or "minimum"')
    above = os.environ.get(VARIABLE)
    if path is None and above and not Path(above, LETOR.folder).exists() and Path(above, PARTS_FOLDER).exists():
        path = Path(above, PARTS_FOLDER)
    root = LETOR.root(path)
    parts = Fold(*(read_lists(paths, dense=True) for paths in _places(LETOR, root, fold)))
    check_fold(root, parts, 2.0, least=-1.0)  # -1 means not judged, in the sets for semi-supervised learning
    check_sizes(LETOR, root, parts, LETOR_SIZES, partial)
    return Fold(*map(without_null, parts)) if null == "minimum" else parts


def load_mslr(path: PathLike | None = None, fold: int = 1, *, partial: bool = False) -> Fold:
    """Read one of the five folds of MSLR-WEB10K or WEB30K: grades 0 to 4 and 136 features.

    The folder holds ``Fold1`` to ``Fold5``, each with ``train.txt``, ``vali.txt`` and ``test.txt``. A fold of WEB10K takes 1.3 GB
    of memory, one of WEB30K 4.1 GB; ``ranktron.data.iter_letor`` reads such files in constant memory.

    Parameters
    ----------
    path : str or path, optional
        The folder; by default ``mslr`` in ``$RANKTRON_DATA``.
    fold : int
        1 to 5.
    partial : bool
        Accept an incomplete copy.
    """
    root = MSLR.root(path)
    parts = Fold(*(read_lists(paths, n_features=MSLR_FEATURES, dense=True) for paths in _places(MSLR, root, fold)))
    check_fold(root, parts, 4.0)
    check_sizes(MSLR, root, parts, MSLR_SIZES, partial)
    return parts


def _places(data_set: DataSet, root: Path, fold: int) -> tuple[list[Path], list[Path], list[Path]]:
    """The files for training, for validation and for the test."""
    if not 1 <= operator.index(fold) <= FOLDS:
        raise ValueError(f"fold={fold} should be 1 to {FOLDS}")
    parts = [root / f"S{(fold - 1 + step) % FOLDS + 1}.txt" for step in range(FOLDS)]
    if any(part.exists() for part in parts):
        missing = [part for part in parts if not part.exists()]
        if missing:
            raise data_set.missing(missing[0])
        return parts[:3], parts[3:4], parts[4:]
    folder = _folder(data_set, root, fold)
    train, valid, test = (next((folder / name for name in names if (folder / name).exists()), None) for names in _NAMES)
    if train is None or valid is None or test is None:
        raise data_set.missing(folder, "train.txt, vali.txt and test.txt")
    return [train], [valid], [test]


def _folder(data_set: DataSet, root: Path, fold: int) -> Path:
    """The folder of this fold; there should be only one."""
    name = f"Fold{fold}"
    folders = [root / name] if (root / name).is_dir() else sorted(place for place in root.rglob(name) if place.is_dir())
    if not folders:
        raise data_set.missing(root, f"{name} with train.txt, vali.txt and test.txt")
    if len(folders) > 1:
        some = ", ".join(str(folder.parent.relative_to(root)) for folder in folders)
        raise ValueError(f"{root} holds several data sets: pass the path of one of {some}")
    return folders[0]


def without_null(lists: Lists) -> Lists:
    """Every NaN replaced by the least value of its feature among the documents of its query, or by 0.

    >>> X = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan], [np.nan, 5.0]])
    >>> without_null(Lists(X, np.zeros(4), np.array([1, 1, 1, 2]))).X
    array([[1., 0.],
           [3., 0.],
           [1., 0.],
           [0., 5.]])
    """
    starts = np.flatnonzero(np.append(True, lists.qid[1:] != lists.qid[:-1]))
    least = np.fmin.reduceat(lists.X, starts)  # NaN only if all values are NaN
    sizes = np.diff(np.append(starts, len(lists.y)))
    least = np.repeat(np.where(np.isnan(least), 0.0, least), sizes, axis=0)
    return lists._replace(X=np.where(np.isnan(lists.X), least, lists.X))


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
