"""Loaders of public data sets: each reads the user's copy, looks whether it is whole, and says where to get it if it is missing.

No data set comes with the library. A loader takes the path of a file or of its folder; without one it looks in the folder that
RANKTRON_DATA names in the environment.
"""

from ._finding import MissingData
from ._kinds import Fold, Judgements, Lists, Ratings
from .collaboration import Collaboration, Rows, collaborative_rows, people_with
from .contests import load_yahoo, load_yandex
from .cystic_fibrosis import load_cystic_fibrosis
from .eachmovie import load_eachmovie
from .jester import load_jester
from .letor import load_letor, load_mslr
from .movielens import load_movielens, load_movielens_titles
from .ohsumed import load_ohsumed

__all__ = [
    "Collaboration",
    "Fold",
    "Judgements",
    "Lists",
    "MissingData",
    "Ratings",
    "Rows",
    "collaborative_rows",
    "load_cystic_fibrosis",
    "load_eachmovie",
    "load_jester",
    "load_letor",
    "load_movielens",
    "load_movielens_titles",
    "load_mslr",
    "load_ohsumed",
    "load_yahoo",
    "load_yandex",
    "people_with",
]
