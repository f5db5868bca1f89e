"""Tries things from the appliance VM, by plain commands that every Azure Linux has."""

import asyncio
import re
import secrets
import shlex
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from sickbay.collect.appliance_dns import answer_of, question_for
from sickbay.collect.host_net import any_answer, is_address
from sickbay.collect.host_proxies import ProxyAddress
from sickbay.collect.host_told import Told
from sickbay.collect.ssh import Output, Shell
from sickbay.model.probe import Result

# Long, for a busy VM takes seconds to start a program; most answers come at once.
_SECONDS: Final = 8
_OVERHEAD: Final = 10
_MOMENT: Final = 0.02
# What curl writes of each URL; the words come last, for they have blanks in them.
_WRITTEN: Final = "%{url_effective} %{exitcode} %{http_code} %{http_connect} %{errormsg}\\n"
_FIELDS: Final = 5
_TIMED_OUT: Final = 124
_CURL_SAYS: Final = {
    6: Result.UNKNOWN_NAME,
    7: Result.REFUSED,
    28: Result.TIMED_OUT,
    35: Result.TLS_FAILED,
    # Some servers want more than a request; that they proved who they are is enough.
    52: Result.OK,
    56: Result.OK,
    60: Result.UNTRUSTED,
}
_NO_PROXY_NAME: Final = 5
_WANTS_LOGIN: Final = 407
_MET: Final = 200
# The words of libc for what a connection ran into.
_WORDS: Final = (
    ("refused", Result.REFUSED),
    ("No route", Result.UNREACHABLE),
    ("unreachable", Result.UNREACHABLE),
    ("prohibited", Result.UNREACHABLE),
    ("Temporary failure in name resolution", Result.SERVER_SILENT),
    ("Name or service not known", Result.UNKNOWN_NAME),
    ("No address associated", Result.UNKNOWN_NAME),
    ("Could not resolve", Result.UNKNOWN_NAME),
)
# The URL of the proxy may hold a password: it comes over the input, and no list of processes shows
# it.
_PROXY: Final = (
    "unset HTTPS_PROXY ALL_PROXY all_proxy NO_PROXY no_proxy; "
    "IFS= read -r https_proxy; export https_proxy;"
)
_HOST: Final = r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:.]+"


class FromAppliance:
    """The appliance VM as a vantage point."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._waiting: dict[ProxyAddress | None, dict[str, asyncio.Future[Told]]] = {}
        self._batches: set[asyncio.Task[None]] = set()

    async def reach(self, address: str, ports: Sequence[int]) -> Told:
        pinged = await self._ping(address)
        if pinged.is_ok:
            return pinged
        tried = await asyncio.gather(*(self.tcp(address, port) for port in ports))
        found = any_answer((pinged, *tried))
        is_silent = found.result is Result.TIMED_OUT
        return Told(Result.SILENT) if is_silent else found

    async def tcp(self, host: str, port: int) -> Told:
        if not is_plain(host):
            return Told(Result.UNKNOWN_NAME, "no name of a host")
        inner = shlex.quote(f"exec 3<>/dev/tcp/{host}/{port}")
        output = await self._run(f"timeout {_SECONDS} bash -c {inner}")
        return _connected(output)

    async def resolve(self, name: str, server: str = "") -> Told:
        if is_address(name):
            return Told(addresses=(name,), detail="an address, and no name")
        if not is_plain(name) or (server and not is_address(server)):
            return Told(Result.UNKNOWN_NAME, "no name of a host")
        if not server:
            return _looked_up(await self._run(f"timeout {2 * _SECONDS} getent ahosts {name}"))
        number = secrets.randbits(16)
        octets = "".join(f"\\x{octet:02x}" for octet in question_for(name, number))
        # Bash would send what stands before a line end, which can be the length of a label, on its
        # own: so one write sends the question whole, and one read takes the answer whole.
        inner = (
            f"exec 3<>/dev/udp/{server}/53; "
            f"printf '{octets}' | dd bs=512 iflag=fullblock count=1 2>/dev/null >&3; "
            "dd bs=4096 count=1 <&3 2>/dev/null | od -An -v -tx1"
        )
        command = f"timeout {_SECONDS} bash -c {shlex.quote(inner)}"
        output = await self._run(command)
        return answer_of(output.out.decode("ascii", "replace"), number)

    async def https(self, host: str, proxy: ProxyAddress | None) -> Told:
        if not is_plain(host):
            return Told(Result.UNKNOWN_NAME, "no name of a host")
        told = await self._asked(host, proxy)
        if told.result is Result.UNTRUSTED:
            return told._replace(issuer=await self._issuer(host, proxy))
        if proxy and told.result is Result.PROXY_REFUSES and told.detail[:1] == "5":
            return await self._told_apart(host, proxy, told)
        return told

    def _asked(self, host: str, proxy: ProxyAddress | None) -> "asyncio.Future[Told]":
        """One program asks for all URLs that are wanted at a time: starting one is dear."""
        if proxy not in self._waiting:
            self._waiting[proxy] = {}
            self._batches.add(asyncio.create_task(self._ask_all(proxy)))
        future = asyncio.get_running_loop().create_future()
        return self._waiting[proxy].setdefault(host, future)

    async def _ask_all(self, proxy: ProxyAddress | None) -> None:
        await asyncio.sleep(_MOMENT)
        waiting = self._waiting.pop(proxy)
        told = await self._curl(list(waiting), proxy)
        for host, future in waiting.items():
            if not future.done():
                future.set_result(told.get(host, Told(Result.TIMED_OUT)))

    async def _curl(
        self, hosts: Sequence[str], proxy: ProxyAddress | None, extra: str = ""
    ) -> dict[str, Told]:
        urls = " ".join(f"-o /dev/null https://{host}/" for host in hosts)
        output = await self._run(
            f"{_PROXY} curl -s -I -Z --parallel-immediate --connect-timeout {_SECONDS} "
            f"-m {2 * _SECONDS} -w '{_WRITTEN}' {extra} {urls}",
            _given(proxy),
        )
        rows = [row.split(" ", 4) for row in output.out.decode("utf-8", "replace").splitlines()]
        return {
            row[0].removeprefix("https://").strip("/"): _curled(row, has_proxy=proxy is not None)
            for row in rows
            if len(row) == _FIELDS
        }

    async def _issuer(self, host: str, proxy: ProxyAddress | None) -> str:
        """Who signed a certificate that is not trusted; nothing but a request is sent."""
        output = await self._run(
            f"{_PROXY} curl -sSkv -I -o /dev/null --connect-timeout {_SECONDS} "
            f"-m {2 * _SECONDS} https://{host}/ 2>&1 | grep -i 'issuer:' | head -n 1",
            _given(proxy),
        )
        found = re.search(r"(?:CN ?= ?|O ?= ?)([^,;/\n]+)", output.out.decode("utf-8", "replace"))
        return found[1].strip() if found else ""

    async def _told_apart(self, host: str, proxy: ProxyAddress, told: Told) -> Told:
        """A proxy that reaches the address but not the name has no DNS server that knows it."""
        known = await self.resolve(host)
        for address in known.addresses[:2]:
            told_of = await self._curl([address], proxy, "-k")
            by_address = told_of.get(address, told)
            if by_address.result not in (Result.PROXY_REFUSES, Result.PROXY_UNREACHABLE):
                return Told(Result.PROXY_BLIND, told.detail)
        return told

    async def _ping(self, address: str) -> Told:
        if not is_address(address):
            return Told(Result.SILENT)
        output = await self._run(f"ping -n -c 1 -W 2 {address} 2>&1")
        if output.code == 0:
            return Told()
        return _by_words(output.out.decode("utf-8", "replace"), Result.SILENT)

    async def _run(self, command: str, given: bytes = b"") -> Output:
        return await self._shell.run(command, 2 * _SECONDS + _OVERHEAD, given)


def is_plain(host: str) -> bool:
    """Whether a word is a name or an address, and nothing that a shell could take otherwise."""
    return re.fullmatch(_HOST, host) is not None


def _given(proxy: ProxyAddress | None) -> bytes:
    """The URL of the proxy for one command; an empty line means none."""
    if proxy is None:
        return b"\n"
    login = f"{quote(proxy.user)}:{quote(proxy.password)}@" if proxy.user else ""
    scheme, _, place = proxy.shown.partition("://")
    return f"{scheme}://{login}{place}\n".encode()


def _connected(output: Output) -> Told:
    if output.code == 0:
        return Told()
    if output.code == _TIMED_OUT:
        return Told(Result.TIMED_OUT)
    return _by_words(output.errors, Result.TIMED_OUT)


def _looked_up(output: Output) -> Told:
    rows = output.out.decode("utf-8", "replace").splitlines()
    addresses = tuple(dict.fromkeys(row.split()[0] for row in rows if row.split()))
    if output.code == 0 and addresses:
        return Told(addresses=addresses)
    return Told(Result.SERVER_SILENT if output.code == _TIMED_OUT else Result.UNKNOWN_NAME)


def _curled(row: Sequence[str], *, has_proxy: bool) -> Told:
    """What curl wrote of one URL: its own exit code, two codes of HTTP, and its words."""
    code, status, tunnel = (int(word) if word.isdecimal() else 0 for word in row[1:4])
    if has_proxy and tunnel != _MET:
        return _refused(code, tunnel, row[4])
    if code == 0:
        return Told(Result.PROXY_LOGIN if status == _WANTS_LOGIN else Result.OK, str(status))
    known = _CURL_SAYS.get(code, Result.TLS_FAILED)
    if known in (Result.REFUSED, Result.UNKNOWN_NAME):
        known = _by_words(row[4], known).result
    return Told(known, _shortened(row[4]))


def _refused(code: int, tunnel: int, words: str) -> Told:
    """What a proxy said to CONNECT, or that it said nothing."""
    if tunnel == _WANTS_LOGIN:
        return Told(Result.PROXY_LOGIN)
    if tunnel:
        return Told(Result.PROXY_REFUSES, str(tunnel))
    if code == _NO_PROXY_NAME:
        return Told(Result.PROXY_UNKNOWN)
    return Told(Result.PROXY_UNREACHABLE, _shortened(words))


def _by_words(words: str, otherwise: Result) -> Told:
    for word, result in _WORDS:
        if word.casefold() in words.casefold():
            return Told(result)
    return Told(otherwise)


def _shortened(errors: str) -> str:
    """The last line of an error, which never repeats the URL of a proxy with its login."""
    last = errors.strip().splitlines()[-1] if errors.strip() else ""
    return re.sub(r"//[^@/\s]*@", "//", last)[:120]
