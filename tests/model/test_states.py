"""Each word that Azure has for a state, and what it means for a thing."""

from typing import Any

import pytest

from sickbay.bundle.shape import flat
from sickbay.bundle.tolerant import convert
from sickbay.model.entity import ArmEntity
from sickbay.model.ids import arm_type
from sickbay.model.kinds import arm_class
from sickbay.model.state_words import FIELDS, Standing, worst
from sickbay.model.states import parts_of, states_of

GROUP = "/subscriptions/s/resourceGroups/rg/providers"
CLUSTER = f"{GROUP}/Microsoft.ContainerService/managedClusters/prod"
INSTANCE = f"{GROUP}/Microsoft.Compute/virtualMachineScaleSets/np/virtualMachines/3"
CONNECTED = f"{GROUP}/Microsoft.Kubernetes/connectedClusters/plant"
APPLIANCE = f"{GROUP}/Microsoft.ResourceConnector/appliances/bridge"
HYBRID = f"{GROUP}/Microsoft.HybridContainerService/provisionedClusters/apps"
MACHINE = f"{GROUP}/Microsoft.NetworkCloud/bareMetalMachines/rack1"
NAKS = f"{GROUP}/Microsoft.NetworkCloud/kubernetesClusters/naks"
DOMAIN = f"{GROUP}/Microsoft.ManagedNetworkFabric/l3IsolationDomains/l3"


def entity(id: str, **properties: Any) -> ArmEntity:
    body = flat({"id": id, "name": id.rpartition("/")[2], "properties": properties})
    made: ArmEntity = convert(body, arm_class(arm_type(id))).value
    return made


def standing(id: str, **properties: Any) -> Standing:
    return worst([state.standing for state in states_of(entity(id, **properties))])


def view(*codes: str, **more: Any) -> dict[str, Any]:
    return {"statuses": [{"code": code, "level": "Info"} for code in codes], **more}


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("Succeeded", Standing.HEALTHY),
        ("succeeded", Standing.HEALTHY),
        ("Failed", Standing.UNHEALTHY),
        ("Canceled", Standing.UNHEALTHY),
        ("Creating", Standing.CHANGING),
        ("Upgrading", Standing.CHANGING),
        ("UpgradingNodeImageVersion", Standing.CHANGING),
        ("Deleting", Standing.CHANGING),
        ("In Progress", Standing.CHANGING),
        ("FluxCapacitorReady", Standing.UNKNOWN),
        ("Unknown", Standing.UNKNOWN),
    ],
)
def test_a_provisioning_state_means_what_its_word_means(word: str, wanted: Standing) -> None:
    assert standing(CLUSTER, provisioningState=word) is wanted


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_a_word_that_azure_made_up_yesterday_is_never_health(field: str) -> None:
    assert FIELDS[field].standing("Wobbling") is Standing.UNKNOWN


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_no_word_of_a_field_means_two_things(field: str) -> None:
    words = FIELDS[field]
    lists = (words.healthy, words.unhealthy, words.changing, words.off)
    every = [word for one in lists for word in set(one.split())]
    assert len(every) == len(set(every))


def test_a_cluster_without_a_state_is_not_healthy() -> None:
    assert standing(CLUSTER, powerState={"code": "Running"}) is Standing.UNKNOWN


@pytest.mark.parametrize(
    ("properties", "wanted"),
    [
        ({"powerState": {"code": "Running"}}, Standing.HEALTHY),
        ({"powerState": {"code": "Stopped"}}, Standing.OFF),
        ({"powerState": {"code": "Dreaming"}}, Standing.UNKNOWN),
    ],
)
def test_power_is_a_state_of_its_own(properties: dict[str, Any], wanted: Standing) -> None:
    assert standing(CLUSTER, provisioningState="Succeeded", **properties) is wanted


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("ProvisioningState/succeeded", Standing.HEALTHY),
        ("ProvisioningState/failed/AllocationFailed", Standing.UNHEALTHY),
        ("ProvisioningState/failed/0", Standing.UNHEALTHY),
        ("ProvisioningState/updating", Standing.CHANGING),
        ("PowerState/running", Standing.HEALTHY),
        ("PowerState/deallocated", Standing.OFF),
        ("PowerState/stopped", Standing.OFF),
        ("PowerState/starting", Standing.CHANGING),
        ("PowerState/floating", Standing.UNKNOWN),
        ("HealthState/healthy", Standing.HEALTHY),
        ("HealthState/unhealthy", Standing.UNHEALTHY),
    ],
)
def test_the_view_of_an_instance_is_read(code: str, wanted: Standing) -> None:
    found = standing(INSTANCE, provisioningState="Succeeded", instanceView=view(code))
    assert found is wanted


def test_an_instance_that_succeeded_with_a_mute_agent_is_not_healthy() -> None:
    mute = {"statuses": [{"code": "ProvisioningState/Unavailable", "displayStatus": "Not Ready"}]}
    found = view("PowerState/running", vmAgent=mute)
    assert standing(INSTANCE, provisioningState="Succeeded", instanceView=found) is (
        Standing.UNHEALTHY
    )


def test_the_agent_of_a_machine_that_is_off_cannot_be_ready() -> None:
    mute = {"statuses": [{"code": "ProvisioningState/Unavailable", "displayStatus": "Not Ready"}]}
    found = view("PowerState/deallocated", vmAgent=mute)
    assert standing(INSTANCE, provisioningState="Succeeded", instanceView=found) is Standing.OFF


def test_an_extension_is_judged_by_its_resource_and_by_its_view() -> None:
    failed = {"code": "ProvisioningState/failed/0", "message": "exit status=50", "time": "t"}
    machine = entity(
        INSTANCE,
        resources=[
            {"name": "billing", "properties": {"provisioningState": "Failed"}},
            {"name": "vmssCSE", "properties": {"provisioningState": "Succeeded"}},
        ],
        instanceView=view(extensions=[{"name": "vmssCSE", "statuses": [failed]}]),
    )
    found = {part.name: worst([s.standing for s in part.states]) for part in parts_of(machine)}
    assert found == {"billing": Standing.UNHEALTHY, "vmssCSE": Standing.UNHEALTHY}


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("Connected", Standing.HEALTHY),
        ("Connecting", Standing.CHANGING),
        ("Offline", Standing.UNHEALTHY),
        ("Expired", Standing.UNHEALTHY),
        ("AgentNotInstalled", Standing.UNHEALTHY),
        ("Humming", Standing.UNKNOWN),
        ("", Standing.UNKNOWN),
    ],
)
def test_a_connected_cluster_is_as_well_as_its_connection(word: str, wanted: Standing) -> None:
    found = standing(CONNECTED, provisioningState="Succeeded", connectivityStatus=word)
    assert found is wanted


def test_a_cluster_that_is_being_connected_has_no_agents_yet() -> None:
    found = standing(
        CONNECTED, provisioningState="Accepted", connectivityStatus="AgentNotInstalled"
    )
    assert found is Standing.CHANGING


@pytest.mark.parametrize(
    ("now", "wanted"),
    [
        ("2026-01-01T00:00:00Z", Standing.HEALTHY),
        ("2026-03-01T00:00:00Z", Standing.UNHEALTHY),
        ("", Standing.HEALTHY),
    ],
)
def test_a_certificate_ends_when_it_says(now: str, wanted: Standing) -> None:
    cluster = entity(
        CONNECTED,
        provisioningState="Succeeded",
        connectivityStatus="Connected",
        managedIdentityCertificateExpirationTime="2026-02-01T00:00:00.0000000Z",
    )
    assert worst([state.standing for state in states_of(cluster, now)]) is wanted


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("Running", Standing.HEALTHY),
        ("Offline", Standing.UNHEALTHY),
        ("UpgradeFailed", Standing.UNHEALTHY),
        ("ETCDSnapshotFailed", Standing.UNHEALTHY),
        ("NetworkProxyUpdateFailed", Standing.UNHEALTHY),
        ("UpgradeClusterExtensionFailedToDelete", Standing.UNHEALTHY),
        ("WaitingForHeartbeat", Standing.CHANGING),
        ("ImageDownloading", Standing.CHANGING),
        ("None", Standing.UNKNOWN),
    ],
)
def test_an_appliance_is_as_well_as_its_status(word: str, wanted: Standing) -> None:
    assert standing(APPLIANCE, provisioningState="Succeeded", status=word) is wanted


def test_a_hybrid_cluster_that_never_connected_is_not_healthy() -> None:
    never = {"featuresStatus": {"arcAgentStatus": {"deploymentState": "pending"}}}
    assert standing(HYBRID, provisioningState="Succeeded", status=never) is Standing.UNHEALTHY


def test_a_hybrid_cluster_that_succeeded_with_an_error_is_not_healthy() -> None:
    status = {"errorMessage": "helm upgrade failed"}
    found = states_of(
        entity(HYBRID, provisioningState="Succeeded", status=status, lastConnectivityTime="t")
    )
    assert [s.says for s in found if s.standing is Standing.UNHEALTHY] == ["helm upgrade failed"]


def test_the_components_of_a_hybrid_cluster_are_its_parts() -> None:
    components = [
        {"name": "ArcAgent", "phase": "failed", "ready": False, "errorMessage": "no way"},
        {"name": "Telemetry", "phase": "provisioning", "ready": False},
        {"name": "CloudProvider", "phase": "provisioned", "ready": True},
    ]
    cluster = entity(HYBRID, status={"controlPlaneStatus": components})
    found = [worst([s.standing for s in part.states]) for part in parts_of(cluster)]
    assert found == [Standing.UNHEALTHY, Standing.CHANGING, Standing.HEALTHY]


@pytest.mark.parametrize(
    ("status", "wanted"),
    [("Provisioned", Standing.UNHEALTHY), ("Available", Standing.OFF)],
)
def test_a_spare_machine_may_be_off_and_one_in_use_may_not(status: str, wanted: Standing) -> None:
    found = standing(
        MACHINE,
        provisioningState="Succeeded",
        detailedStatus=status,
        powerState="Off",
        readyState="False",
        cordonStatus="Uncordoned",
    )
    assert found is wanted


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("Available", Standing.HEALTHY),
        ("Error", Standing.UNHEALTHY),
        ("Degraded", Standing.UNHEALTHY),
        ("Disconnected", Standing.UNHEALTHY),
        ("Deploying", Standing.CHANGING),
    ],
)
def test_succeeded_is_not_health_where_a_detailed_status_is(word: str, wanted: Standing) -> None:
    assert standing(NAKS, provisioningState="Succeeded", detailedStatus=word) is wanted


def test_nodes_and_features_of_a_nexus_cluster_are_its_parts() -> None:
    cluster = entity(
        NAKS,
        nodes=[{"name": "n1", "detailedStatus": "Error", "powerState": "On"}],
        featureStatuses=[{"name": "csi", "detailedStatus": "Failed"}],
    )
    assert [(part.kind, part.name) for part in parts_of(cluster)] == [
        ("node", "n1"),
        ("feature", "csi"),
    ]


@pytest.mark.parametrize(
    ("administrative", "configuration", "wanted"),
    [
        ("Enabled", "Succeeded", Standing.HEALTHY),
        ("Disabled", "Succeeded", Standing.OFF),
        ("EnabledDegraded", "Succeeded", Standing.UNHEALTHY),
        ("Enabled", "ErrorProvisioning", Standing.UNHEALTHY),
        ("Enabled", "PendingCommit", Standing.CHANGING),
    ],
)
def test_a_domain_is_enabled_and_configured(
    administrative: str, configuration: str, wanted: Standing
) -> None:
    found = standing(
        DOMAIN,
        provisioningState="Succeeded",
        administrativeState=administrative,
        configurationState=configuration,
    )
    assert found is wanted


def test_an_error_stays_whole_for_whoever_unwraps_it() -> None:
    error = {"code": "Outer", "message": "m", "details": [{"code": "Inner", "message": "deep"}]}
    found = states_of(
        entity(CLUSTER, provisioningState="Failed", status={"provisioningError": error})
    )
    assert '"code":"Inner"' in found[0].says
