"""HTTP as servers and proxies speak it, well and badly."""

import asyncio
import gzip
import ssl
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from kube_server import Api, serving  # type: ignore[import-not-found]
from proxy_kit import connects, proxy  # type: ignore[import-not-found]

from sickbay.collect.connections import Connections, Response

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Work = Callable[[Connections], Awaitable[Any]]
WELL = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


class Host:
    """Says what it was told to say, one text for each question, and notes what it was asked."""

    def __init__(self, *answers: bytes, closes: bool = False) -> None:
        self._answers: Iterator[bytes] = iter(answers)
        self._closes = closes
        self.asked: list[bytes] = []
        self.connections = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                self.asked.append(await reader.readuntil(b"\r\n\r\n"))
                writer.write(next(self._answers, b""))
                await writer.drain()
                if self._closes:
                    return
        except (EOFError, ConnectionError):
            pass
        finally:
            writer.close()


def talk(host: Host, work: Work, scheme: str = "http") -> Any:
    async def both() -> Any:
        server = await asyncio.start_server(host.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        connections = Connections(f"{scheme}://127.0.0.1:{port}", ssl.create_default_context())
        try:
            async with asyncio.timeout(5):
                return await work(connections)
        finally:
            await connections.close()
            server.close()

    return asyncio.run(both())


def ask(*answers: bytes, closes: bool = False, path: str = "/x") -> Response:
    found: Response = talk(Host(*answers, closes=closes), lambda one: one.ask("GET", path, {}))
    return found


def test_an_answer_has_a_status_headers_in_lower_case_and_what_it_holds() -> None:
    found = ask(b"HTTP/1.1 429 Too Many\r\nX-Wait:  3 \r\nContent-Length: 2\r\n\r\n{}")
    assert (found.status, found.headers["x-wait"], found.content) == (429, "3", b"{}")


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;a\r\nhell\r\n1\r\no\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nSum: 1\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n"
        + gzip.compress(b"hello", mtime=0),
        b"HTTP/1.1 200\r\ncontent-length:5\r\n\r\nhello",
    ],
)
def test_what_an_answer_holds_ends_where_its_headers_say(answer: bytes) -> None:
    assert ask(answer).content == b"hello"


def test_what_has_no_length_ends_with_its_connection() -> None:
    assert ask(b"HTTP/1.1 200 OK\r\n\r\nhello", closes=True).content == b"hello"


def test_nothing_is_waited_for_where_there_is_no_content() -> None:
    assert ask(b"HTTP/1.1 204 No Content\r\n\r\n").content == b""


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nwhat\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        b"HTTP/1.1 what\r\n\r\n",
        b"<html>busy</html>",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 3_000_000 + b"\r\n\r\n",
    ],
)
def test_what_is_no_whole_answer_is_an_error_that_a_caller_knows(answer: bytes) -> None:
    with pytest.raises((OSError, ValueError)):
        ask(answer, closes=True)


def test_a_connection_is_used_again() -> None:
    host = Host(WELL, WELL, WELL)

    async def thrice(connections: Connections) -> list[bytes]:
        return [(await connections.ask("GET", f"/{at}", {})).content for at in range(3)]

    assert talk(host, thrice) == [b"ok"] * 3
    assert host.connections == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ],
)
def test_a_connection_that_is_to_end_is_not_used_again(answer: bytes) -> None:
    host = Host(answer, answer)

    async def twice(connections: Connections) -> None:
        await connections.ask("GET", "/", {})
        await connections.ask("GET", "/", {})

    talk(host, twice)
    assert host.connections == 2


@pytest.mark.parametrize("pause", [0.0, 0.05])
def test_a_connection_that_was_closed_while_it_lay_idle_is_no_failure(pause: float) -> None:
    host = Host(WELL, WELL, closes=True)

    async def twice(connections: Connections) -> bytes:
        await connections.ask("GET", "/", {})
        await asyncio.sleep(pause)
        found: bytes = (await connections.ask("GET", "/", {})).content
        return found

    assert talk(host, twice) == b"ok"


def test_what_may_act_is_sent_once() -> None:
    host = Host(WELL, b"")

    async def twice(connections: Connections) -> None:
        await connections.ask("GET", "/", {})
        host._closes = True
        await connections.ask("POST", "/act", {})

    with pytest.raises(ConnectionError):
        talk(host, twice)
    assert [line.split()[0] for line in host.asked] == [b"GET", b"POST"]


def test_whoever_gives_up_leaves_no_half_answer_to_the_next() -> None:
    host = Host(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nold", WELL)

    async def impatient(connections: Connections) -> bytes:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await connections.ask("GET", "/slow", {})
        found: bytes = (await connections.ask("GET", "/", {})).content
        return found

    assert talk(host, impatient) == b"ok"
    assert host.connections == 2


def test_an_answer_that_stops_is_waited_for_until_a_time() -> None:
    host = Host(WELL, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nold", WELL)

    async def until(connections: Connections) -> bytes:
        now = asyncio.get_running_loop().time
        # The clock of a connection is set by its first question, and moved by the next.
        await connections.ask("GET", "/", {}, until=now() + 0.05)
        begun = now()
        with pytest.raises(TimeoutError):
            await connections.ask("GET", "/slow", {}, until=begun + 0.2)
        assert now() - begun >= 0.2
        found: bytes = (await connections.ask("GET", "/", {}, until=now() + 4)).content
        return found

    assert talk(host, until) == b"ok"
    assert host.connections == 2


def test_a_clock_that_was_set_for_later_rings_for_who_has_less_time() -> None:
    host = Host(WELL, b"")

    async def until(connections: Connections) -> None:
        now = asyncio.get_running_loop().time
        await connections.ask("GET", "/", {}, until=now() + 60)
        await connections.ask("GET", "/", {}, until=now() + 0.1)

    with pytest.raises(TimeoutError):
        talk(host, until)


def test_what_a_host_says_unasked_is_no_answer() -> None:
    host = Host(WELL + WELL.replace(b"ok", b"no"), WELL)

    async def twice(connections: Connections) -> bytes:
        await connections.ask("GET", "/", {})
        found: bytes = (await connections.ask("GET", "/", {})).content
        return found

    assert talk(host, twice) == b"ok"
    assert host.connections == 2


@pytest.mark.parametrize("size", [1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_long_answer_is_whole(size: int) -> None:
    body = bytes(range(256)) * (size // 256 + 1)
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode()
    assert ask(head + body[:size]).content == body[:size]


def test_nothing_in_a_link_can_become_a_header() -> None:
    host = Host(WELL)
    talk(host, lambda one: one.ask("GET", "/a b\r\nX-Evil: 1?q='x'&$f=%2F", {}))
    assert host.asked[0].startswith(b"GET /a%20b%0D%0AX-Evil:%201?q='x'&$f=%2F HTTP/1.1\r\n")


def test_a_host_that_nobody_is_at_is_named() -> None:
    async def nowhere(connections: Connections) -> None:  # noqa: ARG001
        await Connections("http://127.0.0.1:9", ssl.create_default_context()).ask("GET", "/", {})

    with pytest.raises(ConnectionError, match=r"127\.0\.0\.1:9"):
        talk(Host(), nowhere)


def test_a_proxy_is_told_where_to_and_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = Host(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")

    async def through(connections: Connections) -> None:
        port = connections._port
        monkeypatch.setenv("HTTPS_PROXY", f"http://sam:w%40rd@127.0.0.1:{port}")
        azure = Connections("https://management.azure.example", ssl.create_default_context())
        await azure.ask("GET", "/", {})

    with pytest.raises(ConnectionError, match=r"proxy 127\.0\.0\.1 answers HTTP 407"):
        talk(proxy, through)
    [asked] = proxy.asked
    assert asked.startswith(b"CONNECT management.azure.example:443 HTTP/1.1\r\n")
    assert b"Proxy-Authorization: Basic c2FtOndAcmQ=\r\n" in asked


def test_a_proxy_for_what_is_not_encrypted_gets_the_whole_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proxy = Host(WELL)

    async def through(connections: Connections) -> bytes:
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{connections._port}")
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{connections._port}")
        trust = ssl.create_default_context()
        lab = Connections("http://lab.example", trust)
        found: bytes = (await lab.ask("GET", "/x", {})).content
        await lab.close()
        return found

    assert talk(proxy, through) == b"ok"
    assert proxy.asked[0].startswith(b"GET http://lab.example/x HTTP/1.1\r\nHost: lab.example\r\n")


def test_what_is_encrypted_passes_a_proxy_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bytes] = []
    with serving(Api()) as served:
        port, thread = proxy(served.port, connects(), seen)
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{port}")
        trust = ssl.create_default_context(cadata=served.authority.certificate.decode())

        async def through() -> Response:
            azure = Connections(served.url, trust)
            try:
                headers = {"Authorization": "Bearer good"}
                return await azure.ask("GET", "/api/v1/pods?limit=1", headers)
            finally:
                await azure.close()

        assert asyncio.run(through()).status == 200
        thread.join(5)
    assert [asked.split()[0] for asked in seen] == [b"CONNECT"]
