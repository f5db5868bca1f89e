"""`sickbay status` against a server that answers as Azure does."""

from typing import Any

import pytest
from aiohttp import web
from arm_server import Server  # type: ignore[import-not-found]
from test_live import account, server  # type: ignore[import-not-found] # noqa: F401 - a fixture
from test_walk import CLUSTER, GROUP, SCALE_SET, TABLE  # type: ignore[import-not-found]

from sickbay.collect.azure import Azure
from sickbay.collect.target import Wanted
from sickbay.collect.transport import READING_POSTS
from sickbay.engine.estate import Status
from sickbay.errors import SickbayError
from sickbay.model.state_words import Standing
from sickbay.progress import ignore
from sickbay.report.status import document
from sickbay.states import status_live, status_saved

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
NOW = "2026-01-01T00:00:00Z"


def status(made: Server, wanted: Wanted | None = None) -> Status:
    return status_live([Azure(account(made), wanted or Wanted(CLUSTER))], "prod", NOW, ignore)


def data(found: Status) -> dict[str, Any]:
    return document(found, "sickbay diagnose")


def test_the_tree_of_a_live_cluster_reaches_its_instances(server: Server) -> None:  # noqa: F811
    every = {one.ref.key for one in status(server).estate.roots[0].every()}
    assert f"{SCALE_SET}/virtualMachines/0".casefold() in every


def test_all_clusters_of_a_group_have_a_tree(server: Server) -> None:  # noqa: F811
    found = status(server, Wanted(subscription="s", group="rg", is_all=True))
    assert [root.ref.name for root in found.estate.roots] == ["prod"]


def test_a_refusal_is_a_gap_and_no_health(server: Server) -> None:  # noqa: F811
    server.special[f"{CLUSTER}/agentPools".casefold()] = _forbidden
    found = data(status(server))
    assert found["health"] == "unknown"
    assert [gap["reason"] for gap in found["gaps"]] == ["forbidden"]


def test_a_failed_pool_is_seen_and_nothing_is_written(server: Server) -> None:  # noqa: F811
    pool = server.documents[f"{CLUSTER}/agentPools/np".casefold()]
    pool["properties"]["provisioningState"] = "Failed"
    every = list(status(server).estate.roots[0].every())
    assert [one.ref.name for one in every if one.own is Standing.UNHEALTHY] == ["np"]
    # A question that only a POST can ask writes nothing.
    assert [one for one in server.writes if not one.casefold().endswith(READING_POSTS)] == []


def test_what_was_collected_shows_the_same_states(server: Server, tmp_path: Any) -> None:  # noqa: F811
    from sickbay.live import collect_live

    bundle = str(tmp_path / "case.sickbay")
    collect_live([Azure(account(server), Wanted(CLUSTER))], bundle, pseudonyms=False)
    live, saved = data(status(server)), data(status_saved(bundle))
    assert GROUP in str(live["trees"])
    assert live["trees"] == saved["trees"]


async def _forbidden(request: web.Request) -> web.Response:  # noqa: ARG001
    error = {"code": "AuthorizationFailed", "message": "no"}
    return web.json_response({"error": error}, status=403)


def test_no_look_that_was_refused_leaves_it_healthy(server: Server) -> None:  # noqa: F811
    pool = server.documents[f"{CLUSTER}/agentPools/np".casefold()]
    pool["properties"]["provisioningState"] = "Succeeded"
    # This server refuses one look already.
    server.special.pop(TABLE.casefold(), None)
    assert data(status(server))["health"] == "healthy"
    paths = sorted({path.partition("?")[0].casefold() for path in server.asked})
    assert len(paths) > 10
    # Every fifth, for time's sake; the target is among them.
    for path in {*paths[::5], CLUSTER.casefold()}:
        kept = server.special.get(path)
        server.special[path] = _forbidden
        try:
            assert data(status(server))["health"] != "healthy", path
        except SickbayError:
            # The target itself was refused.
            assert path == CLUSTER.casefold()
        server.special.pop(path)
        if kept:
            server.special[path] = kept
