"""What a person calls the things in a tree of states, one of them or many."""

from typing import Any, Final

from sickbay.report.columns import visible
from sickbay.report.labels import noun as plain

Document = dict[str, Any]

_NOUNS: Final = {
    "microsoft.compute/virtualmachinescalesets/virtualmachines": "instance",
    "microsoft.networkcloud/clusters": "site",
    "microsoft.networkcloud/kubernetesclusters": "nexus cluster",
    "microsoft.hybridcontainerservice/provisionedclusters": "hybrid cluster",
    "microsoft.hybridcontainerservice/provisionedclusterinstances": "hybrid cluster",
    "microsoft.hybridcontainerservice/virtualnetworks": "hybrid vnet",
    "microsoft.managedidentity/userassignedidentities": "identity",
    "microsoft.network/publicipaddresses": "public ip",
    "microsoft.network/publicipprefixes": "public ip prefix",
    "microsoft.network/networkinterfaces": "nic",
    "microsoft.network/privatednszones/virtualnetworklinks": "zone link",
    "microsoft.network/virtualnetworks/virtualnetworkpeerings": "peering",
    "microsoft.network/firewallpolicies": "firewall policy",
    "microsoft.managednetworkfabric/networkfabrics": "fabric",
    "microsoft.managednetworkfabric/networkfabriccontrollers": "fabric controller",
    "microsoft.managednetworkfabric/networkdevices": "device",
    "microsoft.managednetworkfabric/networkfabrics/networktonetworkinterconnects": "interconnect",
    "microsoft.managednetworkfabric/routepolicies": "route policy",
    "microsoft.managednetworkfabric/l3isolationdomains": "l3 domain",
    "microsoft.managednetworkfabric/l2isolationdomains": "l2 domain",
    "microsoft.networkcloud/baremetalmachines": "machine",
    "microsoft.networkcloud/cloudservicesnetworks": "services network",
    "microsoft.networkcloud/defaultcninetworks": "cni network",
    "microsoft.networkcloud/l3networks": "l3 network",
    "microsoft.networkcloud/l2networks": "l2 network",
    "microsoft.extendedlocation/customlocations": "custom location",
    "microsoft.kubernetes/connectedclusters": "connected cluster",
    "microsoft.operationalinsights/workspaces": "workspace",
    "microsoft.resourceconnector/appliances": "appliance",
}
_DEFAULT: Final = "default"
_ABOVE: Final = -4  # …/connectedClusters/NAME/providers/…/provisionedClusterInstances/default


def noun(kind: str) -> str:
    """The everyday word for a kind."""
    return _NOUNS.get(kind.casefold()) or plain(kind)


def name(subject: Document) -> str:
    """The name of a thing; where all are called `default`, that of what it belongs to."""
    own = str(subject["name"])
    parts = str(subject["id"]).rstrip("/").split("/")
    if own == _DEFAULT and len(parts) > -_ABOVE:
        return visible(parts[_ABOVE - 1])
    return visible(own)


def label(subject: Document) -> str:
    return f"{noun(subject['kind'])} {name(subject)}".strip()


def many(number: int, kind: str) -> str:
    """A number of things: `20 instances`, `2 identities`."""
    word = noun(kind)
    if number == 1:
        return f"1 {word}"
    if word.endswith("y") and not word.endswith(("ay", "ey", "oy")):
        return f"{number} {word[:-1]}ies"
    return f"{number} {word}{'es' if word.endswith(('x', 's')) else 's'}"
