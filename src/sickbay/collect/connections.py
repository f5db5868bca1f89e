"""Connections to one host: HTTP/1.1 over the streams of the language, kept and used again.

Of HTTP only what it takes to read an API: no redirects, no cookies, one question at a time on each
connection. A client that can do all the rest takes longer for a page than reading it does.
"""

import asyncio
import re
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
from sickbay.errors import SickbayError
from sickbay.record import NamedTuple

_BLOCK: Final = 1 << 20
_EVERYTHING: Final = sys.maxsize
# How long an address of a host may keep silent before its next one is tried as well.
_NEXT_ADDRESS: Final = 0.25
_END: Final = b"\r\n\r\n"
_FINAL: Final = 200
_OPEN: Final = 200
_WITHOUT_CONTENT: Final = (204, 304)
_GZIP_OR_ZLIB: Final = zlib.MAX_WBITS | 32
# What cannot stand in the line of a question. The rest stays: Azure signs links as it wrote them.
_UNWRITABLE: Final = re.compile("[^!-~]")
_AS_WRITTEN: Final = "".join(map(chr, range(0x21, 0x7F)))

_Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]


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

    A proxy is looked up once, for the one host that is ever asked.
    """

    def __init__(self, endpoint: str, trust: ssl.SSLContext) -> None:
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
        self._idle: list[_Wire] = []

    async def ask(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes = b"",
        most: int = _EVERYTHING,
    ) -> Response:
        """Ask for a path with its query; of what the answer holds, the last bytes are kept."""
        if _UNWRITABLE.search(target):
            target = quote(target, _AS_WRITTEN)
        target = self._before + target
        lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
        length = f"Content-Length: {len(body)}\r\n" if body or method != "GET" else ""
        question = f"{method} {target}{self._always}{lines}{length}\r\n".encode("latin-1") + body
        while self._idle:
            wire = self._idle.pop()
            if not _is_open(wire):
                continue
            try:
                return await self._exchanged(wire, question, most)
            except _UnheardError:
                # It was closed while it lay idle. What may act is not sent twice unseen.
                if method != "GET":
                    raise
        return await self._exchanged(await self._dialled(), question, most)

    async def close(self) -> None:
        """Let go of what is kept."""
        for _, writer in self._idle:
            writer.transport.abort()
        self._idle.clear()
        await asyncio.sleep(0)

    async def _exchanged(self, wire: _Wire, question: bytes, most: int) -> Response:
        reader, writer = wire
        content, is_reusable = b"", False
        try:
            writer.write(question)
            status, headers = await _head(reader)
            if status not in _WITHOUT_CONTENT:
                content = await _content(reader, headers, most)
            is_reusable = _is_kept(status, headers)
        except (EOFError, asyncio.LimitOverrunError):
            raise ConnectionError("the answer broke off") from None
        finally:
            if is_reusable:
                self._idle.append(wire)
            else:
                writer.transport.abort()
        return Response(status, headers, _unpacked(headers, content))

    async def _dialled(self) -> _Wire:
        try:
            if self._proxy:
                return await self._through_proxy()
            return await asyncio.open_connection(
                self._host,
                self._port,
                ssl=self._trust,
                limit=_BLOCK,
                happy_eyeballs_delay=_NEXT_ADDRESS,
            )
        except OSError as error:
            problem = f"no connection to {self._named}: {error.strerror or error}"
            raise ConnectionError(problem) from None

    async def _through_proxy(self) -> _Wire:
        proxy = urlsplit(self._proxy if "://" in self._proxy else f"http://{self._proxy}")
        is_secure = proxy.scheme == "https"
        reader, writer = await asyncio.open_connection(
            proxy.hostname, proxy.port or (443 if is_secure else 80), ssl=is_secure, limit=_BLOCK
        )
        if self._trust is None:
            return reader, writer
        where = f"{self._host}:{self._port}"
        known = _signed(proxy.username, proxy.password) if proxy.username else ""
        is_through = False
        try:
            writer.write(f"CONNECT {where} HTTP/1.1\r\nHost: {where}\r\n{known}\r\n".encode())
            status, _ = await _head(reader)
            is_through = status == _OPEN
        finally:
            if not is_through:
                writer.transport.abort()
        if not is_through:
            raise ConnectionError(f"the proxy {proxy.hostname} answers HTTP {status}")
        await writer.start_tls(self._trust, server_hostname=self._host)
        return reader, writer


def _signed(user: str, password: str | None) -> str:
    pair = f"{unquote(user)}:{unquote(password or '')}"
    return f"Proxy-Authorization: Basic {b64encode(pair.encode()).decode()}\r\n"


def _is_open(wire: _Wire) -> bool:
    reader, writer = wire
    if reader.at_eof():
        writer.transport.abort()
    return not writer.is_closing()


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer; what only announces one is passed over."""
    status = 0
    while status < _FINAL:
        try:
            told = await reader.readuntil(_END)
        except asyncio.IncompleteReadError as error:
            if error.partial:
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


async def _content(reader: asyncio.StreamReader, headers: Mapping[str, str], most: int) -> bytes:
    """The last bytes of what an answer holds, read to the end that its headers tell."""
    kept = bytearray()
    if "transfer-encoding" in headers:
        while size := int((await reader.readuntil(b"\n")).partition(b";")[0], 16):
            kept += (await reader.readexactly(size + 2))[:-2]
            del kept[:-most]
        while (await reader.readuntil(b"\n")).strip():
            pass
    elif "content-length" in headers:
        left = int(headers["content-length"])
        while left > 0:
            size = min(left, _BLOCK)
            kept += await reader.readexactly(size)
            del kept[:-most]
            left -= size
    else:
        while block := await reader.read(_BLOCK):
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
