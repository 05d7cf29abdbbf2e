"""Streams: any file or pipe of graded examples as blocks of rows, in constant memory."""

from ..svmlight.line import BadDataFile
from .block import BadLines, Block, Place
from .open import open_stream
from .stream import Stream

__all__ = ["BadDataFile", "BadLines", "Block", "Place", "Stream", "open_stream"]
