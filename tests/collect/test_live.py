"""A live run, and what it is worth: the same as one over what it collected."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web
from arm_server import Server, Token  # type: ignore[import-not-found]
from test_walk import CLUSTER, GROUP, estate  # type: ignore[import-not-found]

from sickbay.app import Settings, collect_azure, diagnose_azure, diagnose_saved
from sickbay.collect.clouds import Cloud
from sickbay.collect.run import Account
from sickbay.collect.target import Wanted, default_subscription
from sickbay.errors import SickbayError

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that runs beside the test."""
    made = Server(*estate())
    made.documents[CLUSTER.casefold()]["properties"]["powerState"] = {"code": "Stopped"}
    listed = {"id": CLUSTER, "name": "prod", "type": "Microsoft.ContainerService/managedClusters"}

    async def resources(request: web.Request) -> web.Response:  # noqa: ARG001
        return web.json_response({"value": [listed]})

    made.special[f"{GROUP}/resources".casefold()] = resources
    loop = asyncio.new_event_loop()

    async def start() -> web.AppRunner:
        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", made.answer)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        made.endpoint = f"http://127.0.0.1:{port}"
        return runner

    runner = loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield made
    asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def account(server: Server) -> Account:
    cloud = Cloud("test", server.endpoint, server.endpoint)
    return Account(cloud, seconds=20, credential=Token())


def test_a_cluster_is_found_by_its_name(server: Server) -> None:
    wanted = Wanted(subscription="s", group="rg", name="PROD")
    assert diagnose_azure(account(server), wanted, Settings()).target.id == CLUSTER


def test_a_live_run_says_what_a_run_over_its_bundle_says(server: Server, tmp_path: Path) -> None:
    wanted = Wanted(CLUSTER)
    live = diagnose_azure(account(server), wanted, Settings())
    bundle = str(tmp_path / "case.sickbay")
    collect_azure(account(server), wanted, bundle, pseudonyms=False)
    saved = diagnose_saved(bundle, Settings())
    assert [(one.rule, one.certainty, one.subject) for one in live.causes] == [
        (one.rule, one.certainty, one.subject) for one in saved.causes
    ]


def test_the_token_is_in_no_bundle(server: Server, tmp_path: Path) -> None:
    bundle = tmp_path / "case.sickbay"
    collect_azure(account(server), Wanted(CLUSTER), str(bundle), pseudonyms=False)
    assert b"secret-token" not in bundle.read_bytes()


def test_nothing_is_written(server: Server) -> None:
    diagnose_azure(account(server), Wanted(CLUSTER), Settings())
    assert server.writes == []


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (Wanted("/nonsense"), "no id of a resource"),
        (Wanted(subscription="s", group="rg"), "no target"),
        (Wanted(subscription="s", group="rg", name="other"), "there is no other"),
    ],
)
def test_a_target_that_cannot_be_found_is_told(server: Server, wanted: Wanted, says: str) -> None:
    with pytest.raises(SickbayError, match=says):
        diagnose_azure(account(server), wanted, Settings())


def test_the_subscription_is_the_one_that_az_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [{"id": "a", "isDefault": False}, {"id": "b", "isDefault": True}]
    text = json.dumps({"subscriptions": known})
    (tmp_path / "azureProfile.json").write_text(text, encoding="utf-8-sig")
    monkeypatch.setenv("AZURE_CONFIG_DIR", str(tmp_path))
    assert default_subscription() == "b"
