from sickbay.model.hybrid import HybridNetwork, is_canonical, is_cloud_network
from sickbay.model.ids import arm, arm_type
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


def _facts(vnet: HybridNetwork, network: str) -> dict[str, str]:
    return {
        "vnet": vnet.name,
        "network": network,
        "custom_location": vnet.custom_location or "<custom-location>",
    }


def _unusual(vnet: HybridNetwork, snapshot: Snapshot) -> Match | None:
    """Where the network itself was not read, words in other letters than Azure's still tell."""
    written = vnet.network_id
    was_read = snapshot.find(arm(written)) or snapshot.has_seen(arm_type(written), written)
    if was_read or is_canonical(written):
        return None
    return Match(
        f"{vnet.name} names {written}, whose words are not in the letters that Azure uses",
        facts=_facts(vnet, written),
        cites=(vnet.cite("properties.infraVnetProfile.networkCloud.networkId", written),),
        weight=TYPICAL,
    )


@each(HybridNetwork)
def differs_only_in_case(vnet: HybridNetwork, snapshot: Snapshot) -> Match | Clear | None:
    written = vnet.network_id
    if not is_cloud_network(written):
        return None
    if unusual := _unusual(vnet, snapshot):
        return unusual
    network = vnet.network(snapshot)
    if network is None:
        return None
    if network.id == written:
        return Clear(f"{vnet.name} names its network byte for byte")
    return Match(
        f"{vnet.name} names {written}, but the id of that network is {network.id}",
        facts=_facts(vnet, network.id),
        cites=(
            vnet.cite("properties.infraVnetProfile.networkCloud.networkId", written),
            network.cite("id", network.id),
        ),
    )


RULE = Rule(
    title="AKS hybrid VNet id case mismatch: the network id differs from the real one in upper and lower case",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        differs_only_in_case,
        Signature(
            pattern=r"(?i)\b(?:vnet|network|aods|hybrid ?aks)\b.{0,300}?\b(?:case|casing|upper ?-?case|lower ?-?case)\b.{0,40}?(?:mismatch|does not match|doesn't match|differs?|different|not the same)|\bcase (?:mismatch|difference)\b.{0,120}?\b(?:vnet|network|aods|resource) ?-?ids?\b(?P<network>)(?P<vnet>)(?P<custom_location>)",
            says="the network id differs in case",
            sample="hybridaks vnet: the id case does not match: /resourcegroups/RG1/ in the vnet, /resourceGroups/rg1/ in Azure",
            near_miss="hybridaks vnet: the id matches",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)networkcloud/(?:l[23]|trunked|defaultcni|cloudservices)networks/[\w-]+\W{0,3} (?:does not|doesn't|did not) (?:match|equal)\b.{0,30}?/subscriptions/\S{1,200}networkcloud/(?P<network>)(?P<vnet>)(?P<custom_location>)",
            says="one id of the network does not match the other",
            sample="network id '/subscriptions/0b1f6471-1bf0-4dda-aec3-111122223333/resourceGroups/rg/providers/microsoft.networkcloud/L3Networks/OAM' does not match '/subscriptions/0b1f6471-1bf0-4dda-aec3-111122223333/resourceGroups/rg/providers/Microsoft.NetworkCloud/l3Networks/oam'",
            near_miss="network id '/subscriptions/0b1f6471-1bf0-4dda-aec3-111122223333/resourceGroups/rg/providers/Microsoft.NetworkCloud/l3Networks/oam' matches its isolation domain",
            weight=TYPICAL,
        ),
    ),
    why="Azure ignores the case of letters in resource ids, but the site compares the network id of an AKS hybrid virtual network with the Azure id byte for byte. An id with other capitals is accepted on creation and then never found.",
    remedy=(
        Step(
            "Take the id from Azure itself instead of writing it.",
            run=("az", "resource", "show", "--ids", "{network}", "--query", "id", "-o", "tsv"),
            risk=Risk.READ,
        ),
        Step(
            "Delete the virtual network that holds the wrong spelling.",
            run=("az", "hybridaks", "vnet", "delete", "-g", "{resource_group}", "-n", "{vnet}"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Create it again with the exact id, then create the cluster again.",
            run=(
                "az",
                "hybridaks",
                "vnet",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{vnet}",
                "--custom-location",
                "{custom_location}",
                "--aods-vnet-id",
                "{network}",
            ),
            risk=Risk.SAFE,
            verify="az hybridaks vnet show -g {resource_group} -n {vnet} wants networkId {network}",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("hybrid.vnet_failed", "hybrid.cluster_failed", "hybrid.agent_never_reported"),
    ask="az resource show --ids {network} --query id -o tsv",
)
