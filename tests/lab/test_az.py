"""The real Azure CLI takes the lab for Azure, and what it prints leads to the same cause."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from az import Cli  # type: ignore[import-not-found]
from live import expected, live  # type: ignore[import-not-found]

from sickbay.app import Settings, diagnose_saved
from sickbay.lab.server import Lab, running

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1", "::1"]),
    pytest.mark.usefixtures("rules"),
    pytest.mark.timeout(1500),
]
AT_LEAST = 30
NODES = ("-g", "MC_shop_prod_westeurope")
SET = (*NODES, "-n", "aks-apps-31415926-vmss")
READS = [
    tuple(line.split())
    for line in """
    account show
    account list-locations
    group list
    group exists -n shop
    aks show -g shop -n prod
    aks list
    aks nodepool list -g shop --cluster-name prod
    aks nodepool show -g shop --cluster-name prod -n apps
    vmss list -g MC_shop_prod_westeurope
    vmss list-instances -g MC_shop_prod_westeurope -n aks-apps-31415926-vmss --expand instanceView
    vmss list-instances -g MC_shop_prod_westeurope -n aks-system-31415926-vmss --expand instanceView
    vmss get-instance-view -g MC_shop_prod_westeurope -n aks-apps-31415926-vmss
    vmss get-instance-view -g MC_shop_prod_westeurope -n aks-apps-31415926-vmss --instance-id 0
    vm list-usage -l westeurope
    vm list-skus -l westeurope
    network vnet list
    network vnet subnet list -g shop --vnet-name shop-net
    network nsg list
    network nsg show -g shop -n nodes-nsg
    network route-table list -g shop
    network lb list -g MC_shop_prod_westeurope
    network public-ip list
    network nat gateway list
    network private-dns zone list
    network private-endpoint list
    network list-usages -l westeurope
    lock list
    role assignment list --all --fill-principal-name false --fill-role-definition-name false
    role definition list --name Contributor
    policy assignment list --disable-scope-strict-match
    policy exemption list --disable-scope-strict-match
    policy state list
    capacity reservation group list
    disk list -g MC_shop_prod_westeurope
    provider show -n Microsoft.Compute
    monitor activity-log list -g shop --offset 1d
    resource list -g shop
    identity list
    """.strip().splitlines()
]


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with running("aks-quota") as lab:
        yield lab


@pytest.fixture(scope="module")
def cli(lab: Lab, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    return Cli(lab, tmp_path_factory.mktemp("az"))


def test_what_the_cli_prints_leads_to_the_cause_that_a_live_run_finds(
    lab: Lab, cli: Cli, tmp_path: Path
) -> None:
    printed = cli.each(READS)
    assert len(printed) >= AT_LEAST
    for number, (words, text) in enumerate(zip(READS, printed, strict=True)):
        assert json.loads(text) is not None
        name = "-".join(words[:3]).replace("/", "-")
        (tmp_path / f"{number:02}-{name}.json").write_bytes(text)
    top = diagnose_saved(str(tmp_path), Settings()).causes[0]
    wanted = expected()["aks-quota"]
    found = live(lab, wanted["target"]).causes[0]
    assert (top.rule, top.subject) == (found.rule, found.subject)
    assert top.rule == wanted["rule"]


def test_the_cli_makes_changes_and_removes_things(lab: Lab, cli: Cli) -> None:
    base = f"{lab.endpoint}{lab.estate.place.id('@fresh')}"
    table = f"{base}/providers/Microsoft.Network/routeTables/made?api-version=2024-05-01"
    cli.done("group", "create", "-n", "fresh", "-l", "westeurope")
    body = '{"location": "westeurope"}'
    cli.done("rest", "--method", "put", "--url", table, "--body", body)
    assert json.loads(cli.done("rest", "--method", "get", "--url", table))["name"] == "made"
    network = ("-g", "fresh", "-n", "net", "--address-prefixes", "10.9.0.0/16")
    cli.done("network", "vnet", "create", *network)
    cli.done("rest", "--method", "delete", "--url", table)
    cli.done("group", "delete", "-n", "fresh", "--yes", "--no-wait")


def test_the_cli_shows_a_refusal_in_its_own_words(cli: Cli) -> None:
    pool = ("-g", "shop", "--cluster-name", "prod", "-n", "system", "--node-count", "9")
    refused = cli.run("aks", "nodepool", "scale", *pool)
    assert refused.returncode == 1
    assert b"(QuotaExceeded)" in refused.stderr
    missing = cli.run("aks", "show", "-g", "shop", "-n", "nobody")
    assert missing.returncode == 3
    assert b"ResourceNotFound" in missing.stderr
