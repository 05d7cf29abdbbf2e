"""EachMovie: people's votes on films, collected by DEC's Systems Research Center from 1995 to 1997."""

from __future__ import annotations

import numpy as np

from ..svmlight.line import BadDataFile
from .files import DataSet, File, PathLike
from .ratings import Ratings, check_levels, check_size, pair_keys, ratings_of, read_columns

DATA_SET = DataSet(
    "EachMovie",
    "eachmovie",
    "those who have a copy, as its publisher withdrew it in 2004; Wei Chu's page at the Gatsby Unit described one,"
    " http://www.gatsby.ucl.ac.uk/~chuwei/data/EachMovie/eachmovie.html",
)
VOTES, TRIPLES = 2_811_983, 2_811_718
_DELIMITERS = b"\t, /:"
# By the number of fields in a line: how many of them are the date.
_WIDTHS = {4: 0, 7: 3, 9: 5, 10: 6}


def load_eachmovie(path: PathLike | None = None, *, least_weight: float = 0.0, partial: bool = False) -> Ratings:
    """Read EachMovie: votes of 0, 0.2, 0.4, 0.6, 0.8 and 1.

    Two forms are read. DEC's ``Vote.txt`` has one line per vote, with person, film, score, weight and date, separated by tabs or
    commas. If it has a pair of a person and a film more than once, the last line counts. ``eachmovie_triple`` has film, person
    and a score from 1 to 6, without weights and dates.

    Parameters
    ----------
    path : str or path, optional
        The file or its folder; by default ``eachmovie`` in ``$RANKTRON_DATA``. It may be compressed by gzip.
    least_weight : float
        Leave out votes with a lower weight; the data set gives some votes less weight than others.
    partial : bool
        Accept an incomplete copy.

    Returns
    -------
    Ratings
        In the order of the file. The file has no time zone; dates are read as UTC.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("Vote.txt").write_text("1\\t18\\t0.8\\t1\\t1/8/97 0:00:00\\n1\\t22\\t0\\t0.5\\t1/8/97 0:00:00\\n")
    >>> ratings = load_eachmovie("Vote.txt", partial=True)
    >>> ratings.ratings, ratings.times
    (array([0.8, 0. ]), array([852681600, 852681600]))
    >>> load_eachmovie("Vote.txt", least_weight=1, partial=True).names_items
    array([18])
    """
    file = DATA_SET.first(path, ("vote.*", "eachmovie_triple*"), "Vote.txt or eachmovie_triple")
    is_triple = "triple" in file.parts[-1]
    columns = _triples(file) if is_triple else _votes(file)
    whole = TRIPLES if is_triple else VOTES
    if len(columns[0]) != whole and not partial:
        DATA_SET.refuse_part(file, f"EachMovie has {whole:,} votes in this form", f"{len(columns[0]):,}")
    people, items, scores, weights, times = columns
    keep = weights >= least_weight
    ratings = ratings_of(people[keep], items[keep], scores[keep], None if times is None else times[keep])
    check_size(DATA_SET, file, "EachMovie", None, ratings, partial)
    return _last_votes(ratings)


Columns = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]


def _votes(file: File) -> Columns:
    skip = int(next(file.texts(), b"")[:1].isalpha())  # a header
    width = _width(file, skip)
    types = (np.int64, np.int64, np.float64, np.float64, *[np.int64] * _WIDTHS[width])
    people, items, scores, weights, *dates = read_columns(file, file.texts(), _DELIMITERS, types, skip)
    check_levels(file, scores, 0.0, 1.0, 0.2)
    if len(weights) and not (weights.min() >= 0.0 and weights.max() <= 1.0):
        raise BadDataFile(f"{file}: weights should be 0 to 1, but are from {weights.min():g} to {weights.max():g}")
    return people, items, np.rint(5.0 * scores) / 5.0, weights, _seconds(file, dates) if dates else None


def _width(file: File, skip: int) -> int:
    """The number of fields in a line."""
    lines = next(file.texts(), b"").split(b"\n", skip + 1)
    line = lines[skip] if len(lines) > skip else b""
    width = len(line.translate(bytes.maketrans(_DELIMITERS, b" " * len(_DELIMITERS))).split())
    if width not in _WIDTHS:
        raise BadDataFile(
            f"{file}, line {skip + 1}: a vote is a person, a film, a score, a weight and a date like 1/8/97 0:00:00, with tabs or"
            f" commas between them, not {line[:60].decode(errors='replace')!r}"
        )
    return width


def _seconds(file: File, dates: list[np.ndarray]) -> np.ndarray:
    """Seconds since 1970, from months, days, years and, if the file has them, hours, minutes and seconds."""
    month, day, year, *clock = dates
    if len(month) and not (month.min() >= 1 and month.max() <= 12 and day.min() >= 1 and day.max() <= 31):
        raise BadDataFile(f"{file}: dates should be month/day/year, but months go up to {month.max()} and days up to {day.max()}")
    year = np.where(year < 100, year + 1900, year)
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    seconds: np.ndarray = (months.astype("datetime64[D]") + (day - 1)).astype("datetime64[s]").astype(np.int64)
    for part, worth in zip(clock, (3600, 60, 1)):
        seconds += worth * part
    return seconds


def _triples(file: File) -> Columns:
    items, people, scores = read_columns(file, file.texts(), b" \t", (np.int64, np.int64, np.float64))
    lowest = 0.0 if len(scores) and scores.min() == 0.0 else 1.0
    check_levels(file, scores, lowest, lowest + 5.0, 1.0)
    return people, items, (scores - lowest) / 5.0, np.ones(len(scores)), None


def _last_votes(ratings: Ratings) -> Ratings:
    """Each pair once, with its last vote."""
    _, from_end = np.unique(pair_keys(ratings)[::-1], return_index=True)
    if len(from_end) == len(ratings.ratings):
        return ratings
    rows = np.sort(len(ratings.ratings) - 1 - from_end)
    times = None if ratings.times is None else ratings.times[rows]
    people, items = ratings.names_people[ratings.people[rows]], ratings.names_items[ratings.items[rows]]
    return ratings_of(people, items, ratings.ratings[rows], times)
