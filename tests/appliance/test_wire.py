"""What goes over the wire: questions to DNS servers, tunnels through proxies, handshakes."""

import asyncio
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.appliance.certificates import Authority
from tests.appliance.servers import Web as Handler

from sickbay.collect.appliance_dns import answer_of, question_for
from sickbay.collect.appliance_inside import sync_milliseconds
from sickbay.collect.appliance_shell import _curled, is_plain
from sickbay.collect.host_proxies import ProxyAddress
from sickbay.collect.host_tls import Web
from sickbay.collect.host_told import Told
from sickbay.model.probe import Result

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


def hexed(data: bytes) -> str:
    return " ".join(f"{octet:02x}" for octet in data)


def reply(question: bytes, code: int, *addresses: str) -> bytes:
    number = struct.unpack(">H", question[:2])[0]
    head = struct.pack(">HHHHHH", number, 0x8180 | code, 1, len(addresses), 0, 0)
    rows = b"".join(
        b"\xc0\x0c" + struct.pack(">HHIH", 1, 1, 60, 4) + bytes(map(int, one.split(".")))
        for one in addresses
    )
    return head + question[12:] + rows


@pytest.mark.parametrize(
    ("code", "addresses", "result"),
    [
        (0, ("10.0.0.5",), Result.OK),
        (0, (), Result.UNKNOWN_NAME),
        (3, (), Result.UNKNOWN_NAME),
        (2, (), Result.SERVER_FAILED),
        (5, (), Result.SERVER_FAILED),
    ],
)
def test_an_answer_is_read_by_its_code(
    code: int, addresses: tuple[str, ...], result: Result
) -> None:
    question = question_for("vc01.contoso.com", 7)
    told = answer_of(hexed(reply(question, code, *addresses)), 7)
    assert (told.result, told.addresses) == (result, addresses)


@pytest.mark.parametrize("octets", ["", "zz", "00 07 81", hexed(b"\xc0" * 40)])
def test_what_is_no_answer_is_none(octets: str) -> None:
    assert not answer_of(octets, 7).is_ok


@pytest.mark.parametrize("word", ["a;reboot", "$(id)", "a b", "-x", "a'b", "", "a\nb", "a/b"])
def test_a_word_that_a_shell_could_take_otherwise_is_no_host(word: str) -> None:
    assert not is_plain(word)


@pytest.mark.parametrize(
    ("row", "has_proxy", "result"),
    [
        ("https://x/ 0 404 000 ", False, Result.OK),
        ("https://x/ 6 000 000 Could not resolve host: x", False, Result.UNKNOWN_NAME),
        ("https://x/ 7 000 000 Failed to connect: Connection refused", False, Result.REFUSED),
        ("https://x/ 7 000 000 Failed: No route to host", False, Result.UNREACHABLE),
        ("https://x/ 28 000 000 Connection timed out", False, Result.TIMED_OUT),
        ("https://x/ 60 000 000 SSL certificate problem", False, Result.UNTRUSTED),
        ("https://x/ 0 200 200 ", True, Result.OK),
        ("https://x/ 56 000 407 CONNECT tunnel failed", True, Result.PROXY_LOGIN),
        ("https://x/ 56 000 403 CONNECT tunnel failed", True, Result.PROXY_REFUSES),
        ("https://x/ 5 000 000 Could not resolve proxy", True, Result.PROXY_UNKNOWN),
        ("https://x/ 7 000 000 Failed to connect", True, Result.PROXY_UNREACHABLE),
    ],
)
def test_what_curl_writes_is_told_apart(row: str, has_proxy: bool, result: Result) -> None:
    assert _curled(row.split(" ", 4), has_proxy=has_proxy).result is result


def test_the_sync_time_of_etcd_is_worked_out_from_its_buckets() -> None:
    name = "etcd_disk_wal_fsync_duration_seconds_bucket"
    rows = [f'{name}{{le="{b}"}} {n}' for b, n in (("0.008", 500), ("0.064", 980), ("0.128", 1000))]
    assert sync_milliseconds("\n".join(rows)) == 96.0
    assert sync_milliseconds(f'{name}{{le="0.008"}} 5') is None
    assert sync_milliseconds("nothing") is None


class Proxy(BaseHTTPRequestHandler):
    """A proxy that answers every CONNECT alike, and remembers what it was given."""

    status = 403
    seen: list[str] = []  # noqa: RUF012 - of the class, for the test to read

    def do_CONNECT(self) -> None:
        self.seen.append(f"{self.path} {self.headers.get('Proxy-Authorization', '')}")
        self.send_error(self.status)

    def log_message(self, format: str, *args: object) -> None:  # noqa: ARG002
        return


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler], pair: tuple[Path, Path] | None) -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if pair:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*map(str, pair))
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def here(name: str) -> Told:  # noqa: ARG001
    return Told(addresses=("127.0.0.1",))


@pytest.mark.parametrize(
    ("status", "result"),
    [
        (403, Result.PROXY_REFUSES),
        (407, Result.PROXY_LOGIN),
        (502, Result.PROXY_REFUSES),
    ],
)
def test_a_proxy_that_answers_for_azure_is_no_connection(status: int, result: Result) -> None:
    handler = type("Handler", (Proxy,), {"status": status, "seen": []})
    with serving(handler, None) as port:
        proxy = ProxyAddress("127.0.0.1", port, "arc", "hush")
        told = asyncio.run(Web(here, "", 5).ask("mcr.microsoft.com", proxy))
    assert told.result is result
    assert handler.seen[0] == "mcr.microsoft.com:443 Basic YXJjOmh1c2g="  # type: ignore[attr-defined]
    assert "hush" not in repr(told)


@pytest.mark.parametrize("is_trusted", [True, False])
def test_who_signed_is_told_and_a_stranger_is_not_trusted(tmp_path: Path, is_trusted: bool) -> None:
    ca, other = Authority(tmp_path, "Contoso CA"), Authority(tmp_path, "Other CA")
    trusted = str((ca if is_trusted else other).path)
    with serving(Handler, ca.sign("mcr", ["mcr.microsoft.com"])) as port:
        web = Web(here, trusted, 5, port)
        told = asyncio.run(web.ask("mcr.microsoft.com", None))
    wanted = Result.OK if is_trusted else Result.UNTRUSTED
    assert (told.result, told.issuer) == (wanted, "Contoso CA")
    assert (told.ahead is not None and abs(told.ahead) < 60) is is_trusted
