"""Streams: any file or pipe of graded examples as blocks of rows, in constant memory."""

from .._lines import BadDataFile
from .blocks import BadLines, Block, Place
from .opening import open_stream
from .stream import Stream

__all__ = ["BadDataFile", "BadLines", "Block", "Place", "Stream", "open_stream"]
