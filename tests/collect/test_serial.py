"""The console of a failed machine: the link to it is a key, which goes nowhere but to storage."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, serve  # type: ignore[import-not-found]
from test_walk import CLUSTER, SCALE_SET, estate, resource  # type: ignore[import-not-found]

from sickbay.bundle.build import Builder, Deaf
from sickbay.bundle.frame import Frame
from sickbay.collect.answers import Failure
from sickbay.collect.clouds import CLOUDS, is_storage
from sickbay.collect.transport import Transport
from sickbay.collect.walk import Walk
from sickbay.model.evidence import Reason
from sickbay.model.snapshot import Snapshot

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

KEY = "c2lnbmVkLWJ5LWF6dXJl"
AT_MOST = 3
LOG = b"[    3.2] Kernel panic - not syncing: VFS"


class Heard(Builder):
    """A builder that keeps the logs that it is handed."""

    def __init__(self) -> None:
        super().__init__(Deaf())
        self.logs: list[tuple[Frame, bytes]] = []

    def log(self, blocks: Iterator[bytes], frame: Frame) -> None:
        self.logs.append((frame, b"".join(blocks)))


class Azure(Server):  # type: ignore[misc]  # the kit of these tests has no types outside of them
    """One that hands out signed links, and keeps what lies behind them."""

    def __init__(self, machines: int, state: str = "Failed") -> None:
        ids = [f"{SCALE_SET}/virtualMachines/{number}" for number in range(machines)]
        known = [one for one in estate() if "/virtualMachines/" not in one["id"]]
        super().__init__(*known, *(resource(id, provisioningState=state) for id in ids))
        self.to_storage: list[dict[str, str]] = []
        self.host = ""
        self.status = 200
        for id in ids:
            self.special[f"{id}/retrieveBootDiagnosticsData".casefold()] = self._links
        self.special["/blob/serial.log"] = self._log

    async def _links(self, request: web.Request) -> web.Response:
        assert request.query["sasUriExpirationTimeInMinutes"] == "1"
        link = f"{self.host or self.endpoint}/blob/serial.log?sv=1&sig={KEY}"
        return web.json_response({"serialConsoleLogBlobUri": link})

    async def _log(self, request: web.Request) -> web.Response:
        self.to_storage.append(dict(request.headers))
        return web.Response(body=LOG, status=self.status)


def walked(server: Azure) -> tuple[Snapshot, Heard]:
    heard = Heard()

    async def work(transport: Transport) -> None:
        await Walk(transport, heard).start(CLUSTER)

    serve(server, work)
    return heard.finish(), heard


def gaps(snapshot: Snapshot) -> list[Any]:
    return [gap for gap in snapshot.gaps if gap.source.endswith("serial.log")]


def test_the_console_of_a_failed_machine_is_read_as_a_log_about_it() -> None:
    _, heard = walked(Azure(1))
    [(frame, text)] = heard.logs
    assert text == LOG
    assert frame.about
    assert frame.about.id == f"{SCALE_SET}/virtualMachines/0"
    assert frame.channel == "log/serial"


def test_no_token_goes_to_storage() -> None:
    server = Azure(1)
    walked(server)
    [headers] = server.to_storage
    assert not {"authorization", "cookie"} & {name.casefold() for name in headers}


def test_a_machine_that_is_well_is_not_asked() -> None:
    server = Azure(2, "Succeeded")
    walked(server)
    assert server.writes == []


def test_of_many_machines_that_failed_a_few_are_asked() -> None:
    server = Azure(40)
    _, heard = walked(server)
    assert len(heard.logs) == len(server.writes) == AT_MOST


@pytest.mark.parametrize("status", [403, 404, 302, 500])
def test_what_storage_refuses_is_a_gap_without_the_key(status: int) -> None:
    server = Azure(1)
    server.status = status
    snapshot, heard = walked(server)
    [gap] = gaps(snapshot)
    assert not heard.logs
    assert KEY not in json.dumps([str(part) for one in snapshot.gaps for part in one])
    assert gap.asked_for


def test_a_link_to_another_host_is_not_followed() -> None:
    server = Azure(1)
    server.host = "http://127.0.0.1:9"
    [gap] = gaps(walked(server)[0])
    assert (gap.reason, server.to_storage) == (Reason.REFUSED, [])


def test_without_the_right_the_gap_names_the_smallest_role() -> None:
    server = Azure(1)
    server.refuse(f"{SCALE_SET}/virtualMachines/0/retrieveBootDiagnosticsData")
    [gap] = gaps(walked(server)[0])
    assert gap.reason is Reason.FORBIDDEN
    assert "Virtual Machine Contributor" in gap.to_open
    assert f"{SCALE_SET}/virtualMachines/0 " in gap.to_open


@pytest.mark.parametrize(
    ("link", "is_one"),
    [
        ("https://md-1.blob.core.windows.net/serial.log?sig=x", True),
        ("https://md-1.z12.blob.storage.azure.net/serial.log?sig=x", True),
        ("http://md-1.blob.core.windows.net/serial.log?sig=x", False),
        ("https://md-1.blob.core.windows.net:8443/serial.log?sig=x", False),
        ("https://blob.core.windows.net.example.com/serial.log", False),
        ("https://evil.example/.blob.core.windows.net", False),
        ("", False),
    ],
)
def test_storage_is_told_by_its_name(link: str, is_one: bool) -> None:
    assert is_storage(CLOUDS["public"], link) is is_one


def test_only_the_end_of_a_long_log_is_kept() -> None:
    server = Server()

    async def long(request: web.Request) -> web.Response:  # noqa: ARG001
        return web.Response(body=b"a" * 3_000_000 + b"end")

    server.special["/blob"] = long

    async def work(transport: Transport) -> bytes | Failure:
        return await transport.signed(f"{server.endpoint}/blob?sig=x")

    found = serve(server, work)
    assert isinstance(found, bytes)
    assert len(found) == 2 * 1024 * 1024
    assert found.endswith(b"aend")
