"""Compresses what we write."""

from typing import BinaryIO

import zstandard

_LEVEL = 6


def compressed(file: BinaryIO) -> BinaryIO:
    """A writer whose bytes reach a file compressed; closing it ends the stream, not the file."""
    writer: BinaryIO = zstandard.ZstdCompressor(level=_LEVEL).stream_writer(file, closefd=False)
    return writer
