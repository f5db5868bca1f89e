"""Asks a web server over TLS, directly or through a proxy, and sees who signed what arrives."""

import asyncio
import email.utils
import socket
import ssl
import time
from collections.abc import Awaitable, Callable
from typing import Final

from sickbay.collect.host_certificates import issuer_of, trusting
from sickbay.collect.host_proxies import ProxyAddress
from sickbay.collect.host_told import Told
from sickbay.model.probe import Result

_PORT: Final = 443
_HEAD: Final = 65_536
_MET: Final = 200
_WANTS_LOGIN: Final = 407


class _Stopped(Exception):  # noqa: N818 - it carries an answer, not an error
    """Something on the way ended the try."""

    def __init__(self, told: Told) -> None:
        super().__init__(told.result)
        self.told = told


class Web:
    """Web servers as this machine sees them."""

    def __init__(
        self,
        resolve: Callable[[str], Awaitable[Told]],
        ca_file: str,
        seconds: float,
        port: int = _PORT,
    ) -> None:
        self._port = port
        self._resolve = resolve
        self._seconds = seconds
        self._trusting = trusting(ca_file)
        self._curious = ssl.create_default_context()
        # Nothing is sent over such a connection: it only shows who signed.
        self._curious.check_hostname = False
        self._curious.verify_mode = ssl.CERT_NONE

    async def ask(self, host: str, proxy: ProxyAddress | None) -> Told:
        try:
            return await self._asked(host, proxy)
        except _Stopped as stopped:
            told = stopped.told
        if proxy and told.result is Result.PROXY_REFUSES and told.detail[:1] == "5":
            return await self._told_apart(host, proxy, told)
        return told

    async def _asked(self, host: str, proxy: ProxyAddress | None) -> Told:
        reached = await self._way(host, proxy)
        try:
            async with asyncio.timeout(self._seconds):
                reader, writer = await asyncio.open_connection(
                    sock=reached, ssl=self._trusting, server_hostname=host
                )
        except ssl.SSLCertVerificationError as error:
            issuer = await self._issuer(host, proxy)
            return Told(Result.UNTRUSTED, error.verify_message, issuer)
        except TimeoutError:
            return Told(Result.TLS_FAILED, "no answer to the handshake")
        except (OSError, ssl.SSLError) as error:
            return Told(Result.TLS_FAILED, getattr(error, "reason", "") or str(error))
        try:
            return await self._answer(host, reader, writer)
        finally:
            writer.transport.abort()

    async def _answer(
        self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> Told:
        der = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.write(f"HEAD / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        try:
            async with asyncio.timeout(self._seconds):
                head = await reader.readuntil(b"\r\n\r\n")
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            # Some servers want more than a request; that they proved who they are is enough.
            return Told(detail="no answer to a request", issuer=issuer_of(der))
        status = _status(head)
        result = Result.PROXY_LOGIN if status == _WANTS_LOGIN else Result.OK
        return Told(result, str(status), issuer_of(der), ahead=_ahead(head))

    async def _issuer(self, host: str, proxy: ProxyAddress | None) -> str:
        """Who signed a certificate that is not trusted."""
        try:
            reached = await self._way(host, proxy)
            async with asyncio.timeout(self._seconds):
                _, writer = await asyncio.open_connection(
                    sock=reached, ssl=self._curious, server_hostname=host
                )
        except (_Stopped, OSError, TimeoutError):
            return ""
        der = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.transport.abort()
        return issuer_of(der)

    async def _way(self, host: str, proxy: ProxyAddress | None) -> socket.socket:
        """A connection to the host, through the proxy where there is one."""
        if proxy is None:
            return await self._connect(host, self._port)
        try:
            reached = await self._connect(proxy.host, proxy.port)
        except _Stopped as stopped:
            known = stopped.told.result
            is_name = known in (Result.UNKNOWN_NAME, Result.SERVER_SILENT)
            result = Result.PROXY_UNKNOWN if is_name else Result.PROXY_UNREACHABLE
            raise _Stopped(Told(result, known.value)) from None
        await self._tunnel(reached, host, proxy)
        return reached

    async def _connect(self, host: str, port: int) -> socket.socket:
        known = await self._resolve(host)
        if not known.is_ok:
            raise _Stopped(known)
        told = Told(Result.TIMED_OUT)
        for address in known.addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            opened = socket.socket(family, socket.SOCK_STREAM)
            opened.setblocking(False)
            told = await self._opened(opened, address, port)
            if told.is_ok:
                return opened
            opened.close()
        raise _Stopped(told)

    async def _opened(self, opened: socket.socket, address: str, port: int) -> Told:
        try:
            async with asyncio.timeout(self._seconds):
                await asyncio.get_running_loop().sock_connect(opened, (address, port))
        except TimeoutError:
            return Told(Result.TIMED_OUT)
        except ConnectionRefusedError:
            return Told(Result.REFUSED)
        except OSError as error:
            return Told(Result.UNREACHABLE, error.strerror or "")
        return Told()

    async def _tunnel(self, reached: socket.socket, host: str, proxy: ProxyAddress) -> None:
        loop = asyncio.get_running_loop()
        login = f"Proxy-Authorization: {proxy.login}\r\n" if proxy.login else ""
        wish = f"CONNECT {host}:{_PORT} HTTP/1.1\r\nHost: {host}:{_PORT}\r\n{login}\r\n"
        head = b""
        try:
            async with asyncio.timeout(2 * self._seconds):
                await loop.sock_sendall(reached, wish.encode())
                while b"\r\n\r\n" not in head and len(head) < _HEAD:
                    block = await loop.sock_recv(reached, 4096)
                    if not block:
                        break
                    head += block
        except (TimeoutError, OSError) as error:
            reached.close()
            detail = str(error) or "no answer to CONNECT"
            raise _Stopped(Told(Result.PROXY_UNREACHABLE, detail)) from None
        status = _status(head)
        if status != _MET:
            reached.close()
            raise _Stopped(_refusal(status, head))

    async def _told_apart(self, host: str, proxy: ProxyAddress, told: Told) -> Told:
        """A proxy that reaches the address but not the name has no DNS server that knows it."""
        known = await self._resolve(host)
        for address in known.addresses[:2]:
            try:
                (await self._way(address, proxy)).close()
            except _Stopped:
                continue
            return Told(Result.PROXY_BLIND, told.detail)
        return told


def _status(head: bytes) -> int:
    parts = head.split(b"\r\n", 1)[0].split(b" ", 2)
    is_http = len(parts) > 1 and parts[0].startswith(b"HTTP/") and parts[1].isdigit()
    return int(parts[1]) if is_http else 0


def _refusal(status: int, head: bytes) -> Told:
    if status == _WANTS_LOGIN:
        return Told(Result.PROXY_LOGIN)
    if not status:
        return Told(Result.PROXY_UNREACHABLE, "what answers is no web proxy")
    words = head.split(b"\r\n", 1)[0].decode("latin-1").partition(" ")[2]
    return Told(Result.PROXY_REFUSES, words[:80])


def _ahead(head: bytes) -> float | None:
    """By how much this clock is ahead of the server's, from its Date header."""
    for line in head.decode("latin-1").splitlines():
        name, _, value = line.partition(":")
        if name.strip().casefold() == "date":
            try:
                return time.time() - email.utils.parsedate_to_datetime(value.strip()).timestamp()
            except ValueError:
                return None
    return None
