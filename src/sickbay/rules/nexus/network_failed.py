from sickbay.model.nexus import (
    CloudServicesNetwork,
    DefaultCniNetwork,
    L2Network,
    L3Network,
    NexusNetwork,
    TrunkedNetwork,
    same_word,
)
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Match, Risk, Rule, Severity, Step, each


def _failed(network: NexusNetwork) -> Match | None:
    if not network.is_unwell and not same_word(network.detailed_status, "Error"):
        return None
    reason = network.detailed_status_message
    return Match(
        f"network {network.name} is {network.provisioning_state} ({network.detailed_status or 'no detailed status'})"
        + (f": {reason[:200]}" if reason else ""),
        cites=(
            network.cite("properties.provisioningState", network.provisioning_state),
            network.cite("properties.detailedStatus", network.detailed_status),
        ),
    )


@each(DefaultCniNetwork, SYMPTOM)
def default_cni_network_failed(network: DefaultCniNetwork, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(network)


@each(L3Network, SYMPTOM)
def l3_network_failed(network: L3Network, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(network)


@each(CloudServicesNetwork, SYMPTOM)
def cloud_services_network_failed(
    network: CloudServicesNetwork,
    snapshot: Snapshot,  # noqa: ARG001
) -> Match | None:
    return _failed(network)


@each(L2Network, SYMPTOM)
def l2_network_failed(network: L2Network, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(network)


@each(TrunkedNetwork, SYMPTOM)
def trunked_network_failed(network: TrunkedNetwork, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    return _failed(network)


RULE = Rule(
    title="Nexus network provisioning failed, so no cluster can use the network",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        default_cni_network_failed,
        l3_network_failed,
        cloud_services_network_failed,
        l2_network_failed,
        trunked_network_failed,
    ),
    why="A network cloud network must reach provisioning state Succeeded before a cluster or a virtual machine can attach to it. Why it did not is written in its detailed status message and in the activity log, not in its state.",
    remedy=(
        Step(
            "Read the reason from the activity log of the network.",
            run=(
                "az",
                "monitor",
                "activity-log",
                "list",
                "--resource-id",
                "{subject}",
                "--query",
                "[].properties.statusMessage",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct what it names, delete the network and create it again.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=(
        "hybrid.vnet_failed",
        "hybrid.cluster_failed",
        "nexus.kubernetes_cluster_failed",
        "aks.operation_failed",
    ),
)
