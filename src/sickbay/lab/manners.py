"""How each service of Azure goes about a long operation: its words, its links and its time."""

from collections.abc import Mapping
from typing import Any, Final

from sickbay.record import NamedTuple

AKS: Final = "microsoft.containerservice"
_HUB_NAMESPACES: Final = (
    "microsoft.networkcloud",
    "microsoft.managednetworkfabric",
    "microsoft.kubernetes",
    "microsoft.kubernetesconfiguration",
    "microsoft.hybridcontainerservice",
    "microsoft.resourceconnector",
    "microsoft.extendedlocation",
    "microsoft.azurestackhci",
)
_AT_ONCE: Final = (
    "microsoft.authorization/",
    "microsoft.insights/",
    "microsoft.managedidentity/",
    "microsoft.resources/tags",
    "microsoft.network/privatednszones/a",
    "microsoft.operationsmanagement/",
)
# How long the work takes in Azure, in seconds; the longest match counts.
_SECONDS: Final = {
    "microsoft.containerservice/managedclusters": 240,
    "microsoft.containerservice/managedclusters/agentpools": 150,
    "microsoft.compute/": 60,
    "microsoft.network/": 10,
    "microsoft.network/azurefirewalls": 300,
    "microsoft.hybridcontainerservice/provisionedclusters": 1200,
    "microsoft.hybridcontainerservice/provisionedclusterinstances": 1200,
    "microsoft.managednetworkfabric/": 300,
    "microsoft.networkcloud/": 30,
    "microsoft.networkcloud/kubernetesclusters": 1200,
    "microsoft.resources/resourcegroups": 30,
}
_DEFAULT: Final = 20


class Manner(NamedTuple):
    """How one service names its operations and the states of a resource in between."""

    # The segment of the link under `Azure-AsyncOperation`.
    segment: str
    creating: tuple[str, ...]
    updating: str
    # What an operation under way is called, one after the other.
    running: tuple[str, ...]
    # Seconds that the service asks a client to wait between two looks.
    pace: int | None = None
    is_hub: bool = False


_AKS: Final = Manner(
    "operations",
    ("Creating",),
    "Updating",
    (
        "InProgress",
        "ProvisioningControlPlane",
        "CreatingAgentPools: 1/3 nodes completed",
        "CreatingAgentPools: 2/3 nodes completed",
        "ReconcilingAddons",
    ),
)
_HUB: Final = Manner(
    "operationStatuses",
    ("Accepted", "Provisioning"),
    "Updating",
    ("Accepted", "Provisioning"),
    is_hub=True,
)
_PLAIN: Final = Manner("operations", ("Creating",), "Updating", ("InProgress",), pace=10)


def manner_of(type: str) -> Manner:
    namespace = type.casefold().partition("/")[0]
    if namespace == AKS:
        return _AKS
    return _HUB if namespace in _HUB_NAMESPACES else _PLAIN


def is_at_once(type: str) -> bool:
    """A write that is done when it is answered."""
    folded = type.casefold()
    return folded.startswith(_AT_ONCE) or folded == "microsoft.resources/resourcegroups"


def seconds_of(type: str) -> int:
    folded = type.casefold()
    found = [
        key for key in _SECONDS if folded == key or (key[-1] == "/" and folded.startswith(key))
    ]
    return _SECONDS[max(found, key=len)] if found else _DEFAULT


def failed(body: Mapping[str, Any], error: Mapping[str, Any]) -> dict[str, Any]:
    """A body after an operation that failed: where its service writes down why."""
    type = str(body.get("type", "")).casefold()
    inner = {**body.get("properties", {}), "provisioningState": "Failed"}
    message = str(error.get("message", ""))
    if type.startswith(AKS):
        inner["status"] = {"provisioningError": error}
    elif type.startswith("microsoft.networkcloud/"):
        inner |= {"detailedStatus": "Error", "detailedStatusMessage": message}
    elif type == "microsoft.hybridcontainerservice/provisionedclusters":
        status = {
            "errorMessage": message,
            "provisioningStatus": {"status": "Failed", "error": error},
        }
        inner["status"] = {**inner.get("status", {}), **status}
    elif type.startswith("microsoft.hybridcontainerservice/provisionedclusterinstances"):
        inner["status"] = {**inner.get("status", {}), "errorMessage": message}
    return {**body, "properties": inner}
