"""A live run, and what it is worth: the same as one over what it collected."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web
from arm_server import Server, account, running  # type: ignore[import-not-found]
from test_walk import CLUSTER, GROUP, SCALE_SET, TABLE, estate  # type: ignore[import-not-found]

from sickbay.app import Settings, diagnose_saved
from sickbay.collect.azure import Account, Azure
from sickbay.collect.target import Wanted, default_subscription
from sickbay.errors import SickbayError
from sickbay.live import collect_live, diagnose_live
from sickbay.model.diagnosis import Diagnosis
from sickbay.report.render import render
from sickbay.rulekit import Severity

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
    made.refuse(TABLE)
    with running(made):
        yield made


def diagnose_azure(account: Account, wanted: Wanted, settings: Settings) -> Diagnosis:
    return diagnose_live([Azure(account, wanted)], wanted.scope, settings)


def collect_azure(account: Account, wanted: Wanted, to: str) -> None:
    collect_live([Azure(account, wanted)], to, pseudonyms=False)


def test_a_cluster_is_found_by_its_name(server: Server) -> None:
    wanted = Wanted(subscription="s", group="rg", name="PROD")
    assert diagnose_azure(account(server), wanted, Settings()).target.id == CLUSTER


def test_a_live_run_says_what_a_run_over_its_bundle_says(server: Server, tmp_path: Path) -> None:
    wanted = Wanted(CLUSTER)
    live = diagnose_azure(account(server), wanted, Settings())
    bundle = str(tmp_path / "case.sickbay")
    collect_azure(account(server), wanted, bundle)
    saved = diagnose_saved(bundle, Settings())
    assert render(saved, "json", colour=False) == render(live, "json", colour=False)


def test_it_makes_no_difference_which_answer_comes_first(server: Server) -> None:
    reports = set()
    for seed in range(4):
        server.shuffle(seed)
        found = diagnose_azure(account(server), Wanted(CLUSTER), Settings())
        reports.add(render(found, "json", colour=False))
    assert len(reports) == 1


def test_machines_that_were_stopped_alike_are_one_cause() -> None:
    found = {one["id"]: one for one in estate()}
    found[SCALE_SET]["tags"] = {"aks-managed-poolName": "np"}
    off = {"statuses": [{"code": "PowerState/deallocated"}]}
    for number in range(30):
        id = f"{SCALE_SET}/virtualMachines/{number}"
        found[id] = {"id": id, "name": f"np_{number}", "properties": {"instanceView": off}}
    with running(Server(*found.values())) as server:
        diagnosis = diagnose_azure(account(server), Wanted(CLUSTER), Settings())
    [cause] = [one for one in diagnosis.causes if one.severity is Severity.ERROR]
    assert (cause.rule, cause.times, len(cause.also)) == ("aks.node_machine_stopped", 30, 29)
    assert "30 vms: 0, 1, 10 and 27 more" in render(diagnosis, "text", colour=False)


def test_the_token_is_in_no_bundle(server: Server, tmp_path: Path) -> None:
    bundle = tmp_path / "case.sickbay"
    collect_azure(account(server), Wanted(CLUSTER), str(bundle))
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
