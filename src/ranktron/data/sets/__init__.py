"""Loaders of public data sets. Each reads the user's copy and checks that it is complete; if it is missing, the error says where
to get it.

No data set comes with the library. A loader takes the path of a file or of its folder. By default it looks in the folder that the
environment variable RANKTRON_DATA names.
"""

from .collaboration import Collaboration, Rows, collaborative_rows, people_with
from .cystic_fibrosis import load_cystic_fibrosis
from .eachmovie import load_eachmovie
from .files import MissingData
from .jester import load_jester
from .judgements import Judgements
from .lists import Fold, Lists
from .movielens import load_movielens, load_movielens_titles
from .ohsumed import load_ohsumed
from .ratings import Ratings
from .search_engines import load_letor, load_mslr, load_yahoo, load_yandex

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
