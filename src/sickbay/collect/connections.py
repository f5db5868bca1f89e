"""Connections to one host: HTTP/1.1, kept and used again.

Of HTTP only what it takes to read an API: no redirects, no cookies, one question at a time on each
connection. A client that can do all the rest takes longer for a page than reading it does.
"""

import asyncio
import ssl
import sys
import zlib
from base64 import b64encode
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from sickbay import __version__
from sickbay.collect.clouds import origin_of
from sickbay.collect.wire import Wire
from sickbay.errors import SickbayError
from sickbay.record import NamedTuple

_BLOCK: Final = 1 << 20
_EVERYTHING: Final = sys.maxsize
_NEVER: Final = float("inf")
# How long an address of a host may keep silent before its next one is tried as well.
_NEXT_ADDRESS: Final = 0.25
_END: Final = b"\r\n\r\n"
_FINAL: Final = 200
_OPEN: Final = 200
_WITHOUT_CONTENT: Final = (204, 304)
_GZIP_OR_ZLIB: Final = zlib.MAX_WBITS | 32
# What can stand in the line of a question stays: Azure signs links as it wrote them.
_AS_WRITTEN: Final = "".join(map(chr, range(0x21, 0x7F)))


class Response(NamedTuple):
    """What a host answers; its headers by their names in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class _UnheardError(ConnectionError):
    """The host closed the connection without a word of an answer."""


def trusted(ca_file: str) -> ssl.SSLContext:
    """Whose certificates are trusted: those of the machine, or of a file."""
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except OSError as error:
        problem = error.strerror or str(error)
        raise SickbayError(f"{ca_file} holds no certificates", problem) from None


class Connections:
    """As many connections to a host as are asked for at once; OSError or ValueError where it fails.

    Of what an answer holds, the last bytes are kept, `most` of them. A proxy is looked up once, for
    the one host that is ever asked.
    """

    def __init__(self, endpoint: str, trust: ssl.SSLContext, most: int = _EVERYTHING) -> None:
        self._most = most
        scheme, self._host, self._port = origin_of(endpoint)
        self._trust = trust if scheme == "https" else None
        self._named = urlsplit(endpoint).netloc.rpartition("@")[2]
        self._proxy = "" if proxy_bypass(self._host) else getproxies().get(scheme, "")
        # A proxy that is not asked for a way through wants to know where to.
        self._before = f"{scheme}://{self._named}" if self._proxy and not self._trust else ""
        self._always = (
            f" HTTP/1.1\r\nHost: {self._named}\r\nUser-Agent: sickbay/{__version__}\r\n"
            "Accept: application/json\r\n"
        )
        self._idle: list[Wire] = []

    async def ask(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes = b"",
        until: float = _NEVER,
    ) -> Response:
        """Ask for a path with its query; TimeoutError at a time of the loop."""
        if not target.isascii() or not target.isprintable() or " " in target:
            target = quote(target, _AS_WRITTEN)
        target = self._before + target
        lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
        length = f"Content-Length: {len(body)}\r\n" if body or method != "GET" else ""
        question = f"{method} {target}{self._always}{lines}{length}\r\n".encode("latin-1") + body
        while self._idle:
            wire = self._idle.pop()
            if not wire.is_open:
                wire.transport.abort()
                continue
            wire.expect(until)
            try:
                return await self._exchanged(wire, question)
            except _UnheardError:
                # It was closed while it lay idle. What may act is not sent twice unseen.
                if method != "GET":
                    raise
        async with asyncio.timeout_at(until if until < _NEVER else None):
            wire = await self._dialled()
        wire.expect(until)
        return await self._exchanged(wire, question)

    async def close(self) -> None:
        """Let go of what is kept."""
        for wire in self._idle:
            wire.transport.abort()
        self._idle.clear()
        await asyncio.sleep(0)

    async def _exchanged(self, wire: Wire, question: bytes) -> Response:
        content, is_reusable = b"", False
        try:
            wire.transport.write(question)
            status, headers = await _head(wire)
            if status not in _WITHOUT_CONTENT:
                content = await _content(wire, headers, self._most)
            is_reusable = _is_kept(status, headers)
        except EOFError:
            raise ConnectionError("the answer broke off") from None
        finally:
            if is_reusable:
                self._idle.append(wire)
            else:
                wire.transport.abort()
        return Response(status, headers, _unpacked(headers, content))

    async def _dialled(self) -> Wire:
        loop = asyncio.get_running_loop()
        try:
            if self._proxy:
                return await self._through_proxy(loop)
            _, wire = await loop.create_connection(
                Wire,
                self._host,
                self._port,
                ssl=self._trust,
                happy_eyeballs_delay=_NEXT_ADDRESS,
            )
        except OSError as error:
            problem = f"no connection to {self._named}: {error.strerror or error}"
            raise ConnectionError(problem) from None
        return wire

    async def _through_proxy(self, loop: asyncio.AbstractEventLoop) -> Wire:
        proxy = urlsplit(self._proxy if "://" in self._proxy else f"http://{self._proxy}")
        is_secure = proxy.scheme == "https"
        _, wire = await loop.create_connection(
            Wire,
            proxy.hostname or "",
            proxy.port or (443 if is_secure else 80),
            ssl=is_secure or None,
        )
        if self._trust is None:
            return wire
        where = f"{self._host}:{self._port}"
        known = _signed(proxy.username, proxy.password) if proxy.username else ""
        is_through = False
        try:
            question = f"CONNECT {where} HTTP/1.1\r\nHost: {where}\r\n{known}\r\n"
            wire.transport.write(question.encode())
            status, _ = await _head(wire)
            is_through = status == _OPEN
        finally:
            if not is_through:
                wire.transport.abort()
        if not is_through:
            raise ConnectionError(f"the proxy {proxy.hostname} answers HTTP {status}")
        inside = await loop.start_tls(wire.transport, wire, self._trust, server_hostname=self._host)
        if inside is not None:
            wire.connection_made(inside)
        return wire


def _signed(user: str, password: str | None) -> str:
    pair = f"{unquote(user)}:{unquote(password or '')}"
    return f"Proxy-Authorization: Basic {b64encode(pair.encode()).decode()}\r\n"


async def _head(wire: Wire) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer; what only announces one is passed over."""
    status = 0
    while status < _FINAL:
        try:
            told = await wire.until(_END)
        except EOFError:
            if not wire.is_silent:
                raise
            raise _UnheardError("the host closed the connection without an answer") from None
        first, *lines = told[: -len(_END)].decode("latin-1").split("\r\n")
        version, _, rest = first.partition(" ")
        if not version.startswith("HTTP/1."):
            raise ValueError("the answer is no HTTP")
        status = int(rest[:3])
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    if version == "HTTP/1.0":
        headers["connection"] = "close"
    return status, headers


async def _content(wire: Wire, headers: Mapping[str, str], most: int) -> bytes:
    """The last bytes of what an answer holds, read to the end that its headers tell."""
    kept = bytearray()
    if "transfer-encoding" in headers:
        while size := int((await wire.until(b"\n")).partition(b";")[0], 16):
            kept += (await wire.exactly(size + 2))[:-2]
            del kept[:-most]
        while (await wire.until(b"\n")).strip():
            pass
    elif "content-length" in headers:
        left = int(headers["content-length"])
        if left <= min(_BLOCK, most):
            return await wire.exactly(left)
        while left > 0:
            size = min(left, _BLOCK)
            kept += await wire.exactly(size)
            del kept[:-most]
            left -= size
    else:
        while block := await wire.some():
            kept += block
            del kept[:-most]
    return bytes(kept)


def _is_kept(status: int, headers: Mapping[str, str]) -> bool:
    """Whether a connection can carry another question: its end is not that of the answer."""
    has_end = "content-length" in headers or "transfer-encoding" in headers
    is_told = headers.get("connection", "").lower() == "close"
    return (has_end or status in _WITHOUT_CONTENT) and not is_told


def _unpacked(headers: Mapping[str, str], content: bytes) -> bytes:
    if not content or headers.get("content-encoding", "identity") == "identity":
        return content
    try:
        return zlib.decompress(content, _GZIP_OR_ZLIB)
    except zlib.error:
        raise ValueError("the answer is packed, and broke off") from None
