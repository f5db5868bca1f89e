"""Byte streams out of compressed ones: metered, and ended with a note where they break."""

import io
import zlib
from typing import Any, BinaryIO, Final, Protocol

from sickbay.bundle.intake import Limits, Opener, Place, Total, UnreadableError
from sickbay.bundle.magic import HEAD, packing_of
from sickbay.model.evidence import Reason

_CHUNK: Final = 32 << 10
_BUFFER: Final = 64 << 10
# Four bytes of zstd can stand for 128 KiB: small bites bound what one call may give.
_ZSTD_BITE: Final = 256
_LZMA_MEMORY: Final = 256 << 20


class Decoder(Protocol):
    """What the standard library's decompressors have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Zlib:
    """zlib in the manners of bz2 and lzma."""

    def __init__(self, window: int) -> None:
        self._inner = zlib.decompressobj(window)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


class _Zstd:
    """One zstd frame in the manners of bz2 and lzma."""

    def __init__(self, before: "_Zstd | None" = None) -> None:
        import zstandard  # noqa: PLC0415 - only who meets a zstd stream pays for it

        self._error = zstandard.ZstdError
        # Made once for a stream: a hostile one has a million empty frames.
        self.context: Any = before.context if before else zstandard.ZstdDecompressor()
        self._inner = self.context.decompressobj()
        self._fed = b""
        self._at = 0
        self._ready = b""
        self._given = 0

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof) and self._given >= len(self._ready)

    @property
    def needs_input(self) -> bool:
        return self._given >= len(self._ready) and self._at >= len(self._fed)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._inner.unused_data) + self._fed[self._at :]

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if data:
            self._fed, self._at = self._fed[self._at :] + data, 0
        while self._given >= len(self._ready) and self._at < len(self._fed) and not self._inner.eof:
            bite = self._fed[self._at : self._at + _ZSTD_BITE]
            self._at += len(bite)
            try:
                self._ready, self._given = self._inner.decompress(bite), 0
            except self._error as failure:
                raise ValueError(str(failure)) from failure
        part = self._ready[self._given : self._given + max_length]
        self._given += len(part)
        return part


def decoder(name: str, before: Decoder | None = None) -> Decoder:
    """A decompressor, next to the one before; `deflate` is the bare form that zip archives hold."""
    if name == "gzip":
        return _Zlib(31)
    if name == "deflate":
        return _Zlib(-15)
    if name == "zstd":
        return _Zstd(before if isinstance(before, _Zstd) else None)
    if name == "xz":
        import lzma  # noqa: PLC0415 - rare

        return lzma.LZMADecompressor(memlimit=_LZMA_MEMORY)
    import bz2  # noqa: PLC0415 - rare

    return bz2.BZ2Decompressor()


def _errors_of(packing: str) -> tuple[type[Exception], ...]:
    errors = (OSError, ValueError, EOFError, MemoryError, zlib.error)
    if packing != "xz":
        return errors
    import lzma  # noqa: PLC0415 - rare

    return (*errors, lzma.LZMAError)


class Meter:
    """What a compressed stream gave so far, however often it is opened; says when it is a bomb."""

    def __init__(self, limits: Limits, total: Total) -> None:
        self._limits = limits
        self._total = total
        self._high = 0

    def refuses(self, taken: int, given: int) -> str:
        """Why no more may be read, or an empty string."""
        if given > self._high:
            self._total.spent += given - self._high
            self._high = given
        if self._total.spent > self._limits.total:
            return f"unpacks to more than {self._limits.total >> 30} GiB"
        if given > self._limits.ratio_from and given > taken * self._limits.ratio:
            return f"unpacks to more than {self._limits.ratio} times its size"
        return ""


class Unpacked(io.RawIOBase):
    """The decompressed form of a stream. Damage ends it and is noted at its place."""

    def __init__(
        self,
        raw: BinaryIO,
        packing: str,
        place: Place,
        meter: Meter,
        broken: Reason = Reason.TRUNCATED,
    ) -> None:
        super().__init__()
        self._raw = raw
        self._packing = packing
        self._place = place
        self._meter = meter
        self._decoder = decoder(packing)
        self._errors = _errors_of(packing)
        self._early_end = broken
        self._taken = 0
        self._given = 0
        self._over = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        if self._over or not len(view):
            return 0
        try:
            data = self._more(len(view))
        except UnreadableError:
            raise
        except self._errors as failure:
            data = self._broken(Reason.MALFORMED, f"damaged {self._packing} data ({failure})")
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()

    def _more(self, wanted: int) -> bytes:
        while True:
            feed = b""
            if self._decoder.eof:
                feed = self._next_part()
                if not feed:
                    return self._end()
            elif self._decoder.needs_input:
                feed = self._take()
                if not feed:
                    return self._broken(self._early_end, f"the {self._packing} data break off")
            data = self._decoder.decompress(feed, wanted)
            if data:
                return self._metered(data)

    def _take(self) -> bytes:
        data = self._raw.read(_CHUNK)
        self._taken += len(data)
        return data

    def _next_part(self) -> bytes:
        """Compressed files may be several end to end; what is none ends the stream."""
        rest = self._decoder.unused_data
        if self._packing == "deflate":
            return b""
        while len(rest) < HEAD:
            more = self._take()
            if not more:
                break
            rest += more
        if not rest.strip(b"\0"):
            return b""
        if packing_of(rest[:HEAD]) != self._packing:
            self._place.note(Reason.MALFORMED, f"something else follows the {self._packing} data")
            return b""
        self._decoder = decoder(self._packing, self._decoder)
        return rest

    def _metered(self, data: bytes) -> bytes:
        self._given += len(data)
        refusal = self._meter.refuses(self._taken, self._given)
        return self._broken(Reason.REFUSED, refusal) if refusal else data

    def _broken(self, reason: Reason, what: str) -> bytes:
        self._end()
        self._place.note(reason, what)
        return b""

    def _end(self) -> bytes:
        self._over = True
        return b""


def unpacked(opener: Opener, packing: str, place: Place) -> Opener:
    """An opener for what a compressed stream holds."""
    meter = Meter(place.limits, place.total)
    return lambda: io.BufferedReader(Unpacked(opener(), packing, place, meter), _BUFFER)


def head_of(opener: Opener) -> bytes:
    """The first bytes of a stream: enough to tell what it is."""
    with opener() as reader:
        return reader.read(HEAD)
