"""Proxies on the way to an API server: every kind that kubectl knows, and what they refuse."""

import asyncio
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from kube_server import Api, Authority, Served, _load, serving  # type: ignore[import-not-found]
from proxy_kit import Greeting, connects, proxy, socks  # type: ignore[import-not-found]

from sickbay.collect.kube_answers import Answer, Failure
from sickbay.collect.kube_client import Client
from sickbay.collect.kubeconfig import access
from sickbay.errors import SickbayError

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(Api()) as made:
        yield made


def get(path: Path) -> Answer | Failure:
    found = access(str(path))
    assert found is not None

    async def run() -> Answer | Failure:
        client = Client(found, 20.0)
        try:
            return await client.get("/api/v1/pods?limit=1")
        finally:
            client.close()

    return asyncio.run(run())


def encrypting(authority: Authority) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _load(context, *authority.pair("proxy", sans=("127.0.0.1",)))
    return context


def config(served: Served, folder: Path, url: str) -> Path:
    made: Path = served.config(folder, **{"proxy-url": url})
    return made


def test_an_http_proxy_is_asked_by_name_and_word(served: Served, tmp_path: Path) -> None:
    seen: list[bytes] = []
    port, thread = proxy(served.port, connects(), seen)
    assert isinstance(get(config(served, tmp_path, f"http://sam:word@127.0.0.1:{port}")), Answer)
    thread.join(5)
    assert seen[0].startswith(f"CONNECT 127.0.0.1:{served.port} ".encode())
    assert b"Proxy-Authorization: Basic c2FtOndvcmQ=" in seen[0]


def test_a_way_through_an_https_proxy_is_encrypted_twice(served: Served, tmp_path: Path) -> None:
    seen: list[bytes] = []
    port, thread = proxy(served.port, connects(), seen, encrypting(served.authority))
    assert isinstance(get(config(served, tmp_path, f"https://127.0.0.1:{port}")), Answer)
    thread.join(5)
    assert seen[0].startswith(b"CONNECT ")


def test_an_https_proxy_that_nobody_vouches_for_is_told(served: Served, tmp_path: Path) -> None:
    port, thread = proxy(served.port, connects(), [], encrypting(Authority("other")))
    found = get(config(served, tmp_path, f"https://127.0.0.1:{port}"))
    thread.join(5)
    assert isinstance(found, Failure)
    assert "proxyconnect tcp: tls: certificate verify failed" in found.says


@pytest.mark.parametrize("kind", ["socks5", "socks5h"])
def test_a_socks_proxy_opens_the_way(served: Served, tmp_path: Path, kind: str) -> None:
    seen: list[bytes] = []
    port, thread = proxy(served.port, socks(), seen)
    assert isinstance(get(config(served, tmp_path, f"{kind}://127.0.0.1:{port}")), Answer)
    thread.join(5)
    assert seen[0].endswith(served.port.to_bytes(2, "big"))


def test_a_socks_proxy_is_told_name_and_word(served: Served, tmp_path: Path) -> None:
    seen: list[bytes] = []
    port, thread = proxy(served.port, socks(), seen)
    assert isinstance(get(config(served, tmp_path, f"socks5://sam:word@127.0.0.1:{port}")), Answer)
    thread.join(5)
    assert seen[0] == b"\x01\x03sam\x04word"


@pytest.mark.parametrize(
    ("kind", "greet", "says"),
    [
        (
            "http",
            connects(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
            "proxyconnect tcp: 407 Proxy Authentication Required",
        ),
        ("socks5", socks(2), "socks connect tcp: "),
    ],
)
def test_a_proxy_that_refuses_is_told(
    served: Served, tmp_path: Path, kind: str, greet: Greeting, says: str
) -> None:
    port, thread = proxy(served.port, greet, [])
    found = get(config(served, tmp_path, f"{kind}://127.0.0.1:{port}"))
    thread.join(5)
    assert isinstance(found, Failure)
    assert says in found.says


def test_a_proxy_that_is_not_there_is_told(served: Served, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    found = get(config(served, tmp_path, f"http://127.0.0.1:{port}"))
    assert isinstance(found, Failure)
    assert f"proxyconnect tcp: dial tcp 127.0.0.1:{port}: connect: connection refused" in found.says


@pytest.mark.parametrize("url", ["ftp://sam:word@127.0.0.1:1", "http://", "http://h:99999"])
def test_what_is_no_proxy_is_one_line_without_its_word(
    served: Served, tmp_path: Path, url: str
) -> None:
    with pytest.raises(SickbayError) as told:
        get(config(served, tmp_path, url))
    assert "no proxy that can be used" in str(told.value)
    assert "word" not in str(told.value)
