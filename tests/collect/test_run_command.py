"""A cluster that cannot be reached is looked into by Azure, where a probe is allowed."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from arm_server import Server, Token, running  # type: ignore[import-not-found]

from sickbay.app import Settings
from sickbay.collect.azure import Account
from sickbay.collect.clouds import Cloud
from sickbay.collect.run_command import COMMAND, RunCommand
from sickbay.collect.target import Wanted
from sickbay.live import diagnose_live
from sickbay.model.diagnosis import Diagnosis

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
CLUSTER = (
    "/subscriptions/s/resourceGroups/rg/providers/Microsoft.ContainerService/managedClusters/prod"
)
HOST = "shop-1.privatelink.westeurope.azmk8s.io"
PRINTED = """\
=== sickbay get pods -A -o wide
NAMESPACE   NAME    READY   STATUS             RESTARTS   AGE   IP           NODE
shop        web-1   0/1     ImagePullBackOff   0          5m    10.244.0.5   n1
=== sickbay get events -A
NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT      MESSAGE
shop        2m          Warning   Failed   pod/web-1   Failed to pull image "contoso.example/w:2": \
rpc error: code = NotFound desc = failed to pull and unpack image "contoso.example/w:2": \
failed to resolve reference "contoso.example/w:2": contoso.example/w:2: not found
"""


def azure(*, has_entra: bool = False, logs: str = PRINTED) -> Server:
    """Azure with one cluster, whose command takes a moment."""
    properties: dict[str, Any] = {"aadProfile": {"managed": True}} if has_entra else {}
    made = Server({"id": CLUSTER, "name": "prod", "properties": properties})
    polls: list[int] = []

    async def graph(request: web.Request) -> web.Response:  # noqa: ARG001
        return web.json_response({"data": [{"id": CLUSTER}], "totalRecords": 1})

    async def start(request: web.Request) -> web.Response:
        made.bodies.append(await request.text())
        where = f"{made.endpoint}{CLUSTER}/commandResults/7?api-version=1"
        return web.Response(status=202, headers={"Location": where})

    async def result(request: web.Request) -> web.Response:  # noqa: ARG001
        polls.append(1)
        if len(polls) < 2:
            return web.Response(status=202)
        body = {"exitCode": 0, "logs": logs, "provisioningState": "Succeeded"}
        return web.json_response({"id": "7", "properties": body})

    made.special["/providers/microsoft.resourcegraph/resources"] = graph
    made.special[f"{CLUSTER}/runCommand".casefold()] = start
    made.special[f"{CLUSTER}/commandResults/7".casefold()] = result
    return made


def looked(server: Server) -> Diagnosis:
    cloud = Cloud("test", server.endpoint, server.endpoint)
    account = Account(cloud, seconds=20, credential=Token())
    source = RunCommand(account, Wanted(fqdn=HOST, is_optional=True), pause=0.01)
    return diagnose_live([source], "prod", Settings())


def test_what_kubectl_prints_in_the_cluster_is_read_as_a_saved_file() -> None:
    with running(azure()) as server:
        found = looked(server)
    assert found.causes[0].rule == "kubernetes.image_not_found"
    assert [gap for gap in found.gaps if gap.source == "run-command"] == []


@pytest.mark.parametrize("has_entra", [True, False])
def test_a_cluster_of_entra_id_is_given_a_token(has_entra: bool) -> None:
    with running(azure(has_entra=has_entra)) as server:
        looked(server)
        sent = json.loads(server.bodies[-1])
    assert ("clusterToken" in sent) is has_entra


def test_a_command_that_printed_nothing_is_a_gap() -> None:
    with running(azure(logs="sh: kubectl: not found")) as server:
        found = looked(server)
    assert any("printed nothing: sh: kubectl" in gap.what for gap in found.gaps)


def test_a_cluster_that_azure_does_not_know_is_a_gap() -> None:
    with running(Server()) as server:
        found = looked(server)
    assert any(gap.source in ("run-command", HOST) or HOST in gap.what for gap in found.gaps)


@pytest.mark.skipif(
    any(shutil.which(name) is None for name in ("sh", "awk", "head")),
    reason="there is no sh, awk or head on this machine",
)
def test_the_commands_only_read_and_ask_more_of_what_is_not_well(tmp_path: Path) -> None:
    kubectl = tmp_path / "kubectl"
    states = ("web-1 0/1 CrashLoopBackOff", "job-1 0/1 Completed", "ok-1 1/1 Running")
    rows = "\\n".join(f"shop {state} 0 5m" for state in states)
    kubectl.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\nprintf "{rows}\\n"\n')
    kubectl.chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run(["sh", "-c", COMMAND], env=env, check=True, capture_output=True, timeout=60)
    asked = (tmp_path / "asked").read_text().splitlines()
    assert {line.split()[0] for line in asked} == {"get", "describe", "logs"}
    assert "describe pod web-1 -n shop" in asked
    assert not any("ok-1" in line or "job-1" in line for line in asked)
