"""Tables of `az … -o table`: rows of known commands are documents, the rest is prose."""

import json

import pytest
from evidence_kit import made, made_of  # type: ignore[import-not-found]

from sickbay.bundle.foreign.az_rows import tables
from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import (
    Lock,
    Provider,
    RegionUsages,
    ScaleSetInstance,
    Subscription,
    VirtualMachine,
    VirtualNetwork,
)
from sickbay.model.entity import ArmEntity
from sickbay.model.fabric import L3IsolationDomain
from sickbay.model.nexus import BareMetalMachine

CLUSTERS = """\
Name    Location    ResourceGroup    KubernetesVersion    CurrentKubernetesVersion    ProvisioningState    Fqdn
------  ----------  ---------------  -------------------  --------------------------  -------------------  ------
aks1    westeurope  rg1              1.28.5               1.28.5                      Failed               a.b.io
aks2    westeurope  rg1              1.28.5               1.28.5                      Succeeded
"""  # noqa: E501
POOLS = """\
Name       OsType    KubernetesVersion    VmSize           Count    MaxPods    ProvisioningState    Mode
---------  --------  -------------------  ---------------  -------  ---------  -------------------  ------
nodepool1  Linux     1.28.5               Standard_DS2_v2  3        110        Failed               System
"""  # noqa: E501
INSTANCES = """\
InstanceId    LatestModelApplied    Location    Name      ProvisioningState    ResourceGroup    VmId
------------  --------------------  ----------  --------  -------------------  ---------------  ------
0             True                  westus      vmss_0    Failed               MC_rg            x
"""  # noqa: E501
VMS = """\
Name    ResourceGroup    PowerState      PublicIps    Fqdns    Location    Zones
------  ---------------  --------------  -----------  -------  ----------  -------
vm1     rg1              VM running                            westus
"""
NETWORKS = """\
Name    ResourceGroup    Location    NumSubnets    Prefixes                 DnsServers    DDOSProtection
------  ---------------  ----------  ------------  -----------------------  ------------  ----------------
v1      rg1              westus      2             10.0.0.0/16, 10.1.0.0/16  10.0.0.4      False
"""  # noqa: E501
PROVIDERS = """\
Namespace                   RegistrationPolicy    RegistrationState
--------------------------  --------------------  -------------------
Microsoft.ExtendedLocation  RegistrationRequired  NotRegistered
"""
LOCKS = """\
Level     Name    ResourceGroup
--------  ------  ---------------
ReadOnly  l1      rg1
"""
ACCOUNTS = """\
Name    CloudName    SubscriptionId                        TenantId    State     IsDefault
------  -----------  ------------------------------------  ----------  --------  -----------
dev     AzureCloud   11111111-1111-1111-1111-111111111111  t           Disabled  True
"""
USAGES = """\
Name                        CurrentValue    Limit
--------------------------  --------------  -------
Total Regional vCPUs        10              10
Standard DSv3 Family vCPUs  4               20
"""
MACHINES = """\
Name            PowerState    ProvisioningState    ReadyState    CordonStatus    DetailedStatusMessage
--------------  ------------  -------------------  ------------  --------------  ---------------------
rack1compute01  On            Succeeded            True          Cordoned        Degraded: port down
"""  # noqa: E501
GENERIC = """\
Location    Name    ProvisioningState    ResourceGroup
----------  ------  -------------------  ---------------
westus      n1      Failed               rg1
"""


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (CLUSTERS, ManagedCluster),
        (POOLS, AgentPool),
        (INSTANCES, ScaleSetInstance),
        (VMS, VirtualMachine),
        (NETWORKS, VirtualNetwork),
        (PROVIDERS, Provider),
        (LOCKS, Lock),
        (ACCOUNTS, Subscription),
        (USAGES, RegionUsages),
        (MACHINES, BareMetalMachine),
    ],
)
def test_columns_tell_the_kind_of_the_rows(table: str, kind: type[ArmEntity]) -> None:
    found = made(table, "saved.txt")
    assert found.snapshot.some(kind)
    assert found.snapshot.gaps == ()
    assert found.logs == []


def test_a_row_keeps_its_values() -> None:
    [pool] = made(POOLS).snapshot.some(AgentPool)
    assert (pool.count, pool.max_pods, pool.provisioning_state) == (3, 110, "Failed")
    assert pool.orchestrator_version == "1.28.5"


def test_a_list_in_a_cell_is_a_list() -> None:
    [network] = made(NETWORKS).snapshot.some(VirtualNetwork)
    assert network.address_space
    assert network.address_space.address_prefixes == ["10.0.0.0/16", "10.1.0.0/16"]


def test_words_of_a_counter_are_its_key() -> None:
    [usages] = made(USAGES).snapshot.some(RegionUsages)
    assert usages.counter("cores") == (10, 10)
    assert usages.counter("standardDSv3Family") == (4, 20)


def test_names_that_are_not_told_are_stand_ins() -> None:
    [pool] = made(POOLS).snapshot.some(AgentPool)
    assert pool.id.startswith("/subscriptions/<subscription>/resourceGroups/<resource-group>/")


def test_the_command_above_tells_names() -> None:
    sub = "11111111-1111-1111-1111-111111111111"
    command = f"$ az aks nodepool list -g rg1 --cluster-name aks1 --subscription {sub} -o table\n"
    [pool] = made(command + POOLS, "saved.txt").snapshot.some(AgentPool)
    assert pool.id.endswith("/managedClusters/aks1/agentPools/nodepool1")
    assert pool.id.startswith(f"/subscriptions/{sub}/resourceGroups/rg1/")


@pytest.mark.parametrize(
    ("text", "source"),
    [("> az networkcloud l3network list -o table\n" + GENERIC, "x.txt"),
     (GENERIC, "out/az_networkcloud_l3network_list.txt")],
)  # fmt: skip
def test_the_command_or_the_file_tells_the_kind_that_columns_do_not(text: str, source: str) -> None:
    [ref] = made(text, source).snapshot.refs()
    assert ref.kind == "Microsoft.NetworkCloud/l3Networks"


def test_a_table_of_no_known_kind_is_prose() -> None:
    found = made(GENERIC, "saved.txt")
    assert (len(found.snapshot), len(found.logs)) == (0, 1)


def test_what_stands_around_a_table_is_still_read_at_its_line() -> None:
    [(text, _)] = made(f"$ az aks list -o table\n{CLUSTERS}\nERROR: (Conflict) no", "x.txt").logs
    assert text.split("\n")[6] == "ERROR: (Conflict) no"


def test_a_message_in_a_cell_is_about_its_row() -> None:
    [text] = made(MACHINES).texts
    assert text.text == "Degraded: port down"
    assert text.about
    assert text.about.name == "rack1compute01"


def test_a_bad_event_in_a_table_speaks_and_a_good_one_does_not() -> None:
    table = """\
Description      EventTimestamp        Level          ResourceId
---------------  --------------------  -------------  ------------------------
no cores left    2024-01-01T00:00:00Z  Error          /subscriptions/1/resourceGroups/rg
all went well    2024-01-01T00:00:00Z  Informational  /subscriptions/1/resourceGroups/rg
"""
    [text] = made(table, "log.txt").texts
    assert (text.text, text.at) == ("no cores left", "2024-01-01T00:00:00Z")


def test_rows_wider_than_the_dashes_are_split_by_their_spaces() -> None:
    [table] = tables("Name    Mode\n----  ----\nlonger-than-dashes  User\n")
    assert table.rows == [["longer-than-dashes", "User"]]


def test_an_empty_cell_is_found_by_its_place() -> None:
    [table] = tables("Name    Mode    State\n------  ------  ------\nn1              Failed\n")
    assert table.rows == [["n1", "", "Failed"]]


def test_a_table_cut_off_anywhere_is_survived() -> None:
    for end in range(0, len(CLUSTERS), 5):
        assert made(CLUSTERS[:end], "x.txt").not_understood == []


DOMAIN = """\
$ az networkfabric l3domain show -g fabric --resource-name l3 -o table
AdministrativeState    Name    ProvisioningState
---------------------  ------  -------------------
Disabled               l3      Succeeded
"""
_DOMAINS = "resourceGroups/fabric/providers/Microsoft.ManagedNetworkFabric/l3IsolationDomains"


@pytest.mark.parametrize(
    ("network", "named", "subscription"),
    [
        # The domain that the network names, also in another subscription.
        ("s1", f"/subscriptions/s2/{_DOMAINS}/l3", "s2"),
        # None is named: there is only one subscription to look in.
        ("s1", None, "s1"),
        ("s1", f"/subscriptions/s1/{_DOMAINS}/other", "s1"),
    ],
)
def test_a_row_is_what_other_documents_name(
    network: str, named: str | None, subscription: str
) -> None:
    group = f"/subscriptions/{network}/resourceGroups/rg"
    body = {
        "id": f"{group}/providers/Microsoft.NetworkCloud/l3Networks/n",
        "name": "n",
        "type": "microsoft.networkcloud/l3networks",
        "l3IsolationDomainId": named,
    }
    found = made_of({"saved.txt": DOMAIN, "net.json": json.dumps(body)})
    [domain] = found.snapshot.some(L3IsolationDomain)
    assert domain.id == f"/subscriptions/{subscription}/{_DOMAINS}/l3"


@pytest.mark.parametrize(
    ("columns", "type"),
    [
        ("RedistributeConnectedSubnets", "l3IsolationDomains"),
        ("VlanId", "l2IsolationDomains"),
    ],
)
def test_a_table_of_domains_is_known_without_its_command(columns: str, type: str) -> None:
    names = ("AdministrativeState", "Location", "Name", "ResourceGroup", columns)
    cells = ("Disabled", "eastus", "d1", "fabric", "501")
    width = max(map(len, names)) + 2
    rows = (names, tuple("-" * len(name) for name in names), cells)
    text = "".join("".join(cell.ljust(width) for cell in row).rstrip() + "\n" for row in rows)
    group = "/subscriptions/s1/resourceGroups/rg"
    beside = {
        "id": f"{group}/providers/Microsoft.NetworkCloud/l3Networks/n",
        "name": "n",
        "type": "microsoft.networkcloud/l3networks",
    }
    found = made_of({"saved.txt": text, "net.json": json.dumps(beside)}).snapshot
    assert [ref.name for ref in found.refs() if ref.kind.endswith(type)] == ["d1"]
