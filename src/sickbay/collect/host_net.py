"""Tries things over the network from this machine."""

import asyncio
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from sickbay.collect.host_dns import ask
from sickbay.collect.host_machine import Run
from sickbay.collect.host_proxies import ProxyAddress
from sickbay.collect.host_tls import Web
from sickbay.collect.host_told import Told
from sickbay.model.probe import Result

SECONDS: Final = 5.0
# Many names are asked for at once, and each may keep a thread until the system gives up.
_THREADS: Final = 32
_SILENT_SERVER: Final = frozenset({socket.EAI_AGAIN, socket.EAI_FAIL})


class Here:
    """This machine as a vantage point."""

    def __init__(self, system: str, run: Run, ca_file: str = "", seconds: float = SECONDS) -> None:
        self._system = system
        self._run = run
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(_THREADS, "names")
        self._known: dict[str, asyncio.Future[Told]] = {}
        self._web = Web(self.resolve, ca_file, seconds)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def reach(self, address: str, ports: Sequence[int]) -> Told:
        pinged = await self._ping(address)
        if pinged.is_ok:
            return pinged
        tried = await asyncio.gather(*(self.tcp(address, port) for port in ports))
        return any_answer((pinged, *tried))

    async def tcp(self, host: str, port: int) -> Told:
        known = await self.resolve(host)
        if not known.is_ok:
            return known
        told = Told(Result.TIMED_OUT)
        for address in known.addresses:
            told = await connected(address, port, self._seconds)
            if told.is_ok:
                break
        return told

    async def resolve(self, name: str, server: str = "") -> Told:
        if is_address(name):
            return Told(addresses=(name,), detail="an address, and no name")
        if server:
            return await ask(server, name)
        if name not in self._known:
            self._known[name] = asyncio.ensure_future(self._resolved(name))
        told = await self._known[name]
        if told.result is Result.SERVER_SILENT:
            # Whoever asks again shall not be told what was true a while ago.
            self._known.pop(name, None)
        return told

    async def https(self, host: str, proxy: ProxyAddress | None) -> Told:
        return await self._web.ask(host, proxy)

    async def _resolved(self, name: str) -> Told:
        loop = asyncio.get_running_loop()

        def look() -> list[Any]:
            return socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)

        try:
            rows = await loop.run_in_executor(self._threads, look)
        except socket.gaierror as error:
            is_silent = error.errno in _SILENT_SERVER
            result = Result.SERVER_SILENT if is_silent else Result.UNKNOWN_NAME
            return Told(result, error.strerror or "")
        except UnicodeError:
            return Told(Result.UNKNOWN_NAME, "no name of a host")
        return Told(addresses=tuple(dict.fromkeys(str(row[4][0]) for row in rows)))

    async def _ping(self, address: str) -> Told:
        code, out = await self._run(ping_command(self._system, address), self._seconds)
        return pinged(self._system, code, out)


def ping_command(system: str, address: str) -> tuple[str, ...]:
    """One ping that waits two seconds, as each system spells it."""
    if system == "windows":
        return ("ping", "-n", "1", "-w", "2000", address)
    wait = ("-t", "2") if system == "darwin" else ("-W", "2")
    return ("ping", "-n", "-c", "1", *wait, address)


def pinged(system: str, code: int, out: str) -> Told:
    """What a ping told. On Windows one that nobody answers can succeed too."""
    words = out.casefold()
    if code == 0 and (system != "windows" or "ttl=" in words):
        return Told()
    if "unreachable" in words or "prohibited" in words or "filtered" in words:
        return Told(Result.UNREACHABLE)
    return Told(Result.SILENT)


def any_answer(tries: Sequence[Told]) -> Told:
    """Whether an address is there: a closed port is an answer too."""
    if any(one.result in (Result.OK, Result.REFUSED) for one in tries):
        return Told()
    unreachable = [one for one in tries if one.result is Result.UNREACHABLE]
    return unreachable[0] if unreachable else Told(Result.TIMED_OUT)


def is_address(word: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, word)
        except (OSError, ValueError):
            continue
        return True
    return False


async def connected(address: str, port: int, seconds: float) -> Told:
    """Whether an address accepts a connection on a port."""
    try:
        async with asyncio.timeout(seconds):
            _, writer = await asyncio.open_connection(address, port)
    except TimeoutError:
        return Told(Result.TIMED_OUT)
    except ConnectionRefusedError:
        return Told(Result.REFUSED)
    except OSError as error:
        return Told(Result.UNREACHABLE, error.strerror or "")
    writer.close()
    return Told()
