"""Streams: files and pipes of labelled rows as blocks of rows, in constant memory. `open_stream` opens them."""

from ..svmlight.line import BadDataFile
from .block import BadLines, Block, Place
from .open import open_stream
from .stream import Stream

__all__ = ["BadDataFile", "BadLines", "Block", "Place", "Stream", "open_stream"]
