"""Parts and copies of files: a stretch, a checked member, a copy that can be read from anywhere."""

import io
import tempfile
import threading
import zlib
from typing import Any, BinaryIO, Final

from sickbay.bundle.intake import Limits, Opener, Place
from sickbay.model.evidence import Reason

_BUFFER: Final = 64 << 10
_STEP: Final = 256 << 10


class Section(io.RawIOBase):
    """A stretch of a seekable file."""

    def __init__(self, file: BinaryIO, start: int, length: int) -> None:
        super().__init__()
        file.seek(start)
        self._file = file
        self._left = length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        data = self._file.read(min(len(view), self._left))
        view[: len(data)] = data
        self._left -= len(data)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


class Joined(io.RawIOBase):
    """What was read of a stream already, and then the rest of it."""

    def __init__(self, begin: bytes, rest: BinaryIO) -> None:
        super().__init__()
        self._begin = memoryview(begin)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        data = self._begin[: len(view)] or self._rest.read(len(view))
        self._begin = self._begin[len(data) :]
        view[: len(data)] = data
        return len(data)


class Checked(io.RawIOBase):
    """A member of a zip archive, compared with what the archive says of it when read to its end."""

    def __init__(
        self, raw: io.RawIOBase, checksum: int | None, place: Place, broken: Reason
    ) -> None:
        super().__init__()
        self._raw = raw
        self._claimed = checksum
        self._place = place
        self._broken = broken
        self._sum = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        got = self._raw.readinto(view) or 0
        self._sum = zlib.crc32(view[:got], self._sum)
        if len(view) and not got:
            self._compare()
        return got

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()

    def _compare(self) -> None:
        if self._claimed in (None, self._sum) or self._place.notes.knows(self._place.source):
            return
        is_cut = self._broken is Reason.TRUNCATED
        self._place.note(self._broken, "breaks off" if is_cut else "damaged: its checksum differs")


def seekable(opener: Opener, limits: Limits) -> Opener | None:
    """An opener of something that can be read from any place: the stream itself or a copy of it.

    None when the copy would be larger than the limits allow.
    """
    with opener() as reader:
        if reader.seekable():
            return opener
        spool = _Spool(limits.spool_memory)
        size = 0
        while data := reader.read(_STEP):
            size += len(data)
            if size > limits.spool_total:
                return None
            spool.append(data)
    return lambda: io.BufferedReader(_SpoolView(spool, size), _BUFFER)


class _Spool:
    """A copy of a nested archive, gone when its last reader is."""

    def __init__(self, memory: int) -> None:
        self._file = tempfile.SpooledTemporaryFile(memory)  # noqa: SIM115 - closed in __del__
        self._lock = threading.Lock()

    def append(self, data: bytes) -> None:
        self._file.write(data)

    def read_at(self, position: int, size: int) -> bytes:
        with self._lock:
            self._file.seek(position)
            return self._file.read(size)

    def __del__(self) -> None:
        self._file.close()


class _SpoolView(io.RawIOBase):
    """One reader of a spool, with a place of its own."""

    def __init__(self, spool: _Spool, size: int) -> None:
        super().__init__()
        self._spool = spool
        self._size = size
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = max(0, offset + (0, self._at, self._size)[whence])
        return self._at

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        data = self._spool.read_at(self._at, len(view))
        view[: len(data)] = data
        self._at += len(data)
        return len(data)
