from collections.abc import Iterator

from sickbay.model.ids import arm
from sickbay.model.nexus import L3Network, NexusKubernetesCluster, same_word
from sickbay.model.nexus_parts import NetworkConfiguration
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import parse
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

_SHORTEST_SERVICE = 108


def _wrong(networks: NetworkConfiguration, cni: L3Network | None) -> Iterator[str]:
    for what, prefixes in (
        ("podCidrs", networks.pod_cidrs),
        ("serviceCidrs", networks.service_cidrs),
    ):
        sixes = sum(":" in prefix for prefix in prefixes or ())
        if not prefixes or sixes != 1 or len(prefixes) - sixes != 1:
            yield f"{what} needs one IPv4 and one IPv6 prefix and has {', '.join(prefixes or ['none'])}"
    for text in networks.service_cidrs or ():
        prefix = parse(text)
        if ":" in text and prefix and prefix.length < _SHORTEST_SERVICE:
            yield f"the IPv6 service prefix {text} is larger than /108"
    if cni and cni.ip_allocation_type and not same_word(cni.ip_allocation_type, "DualStack"):
        yield f"its CNI network {cni.name} is {cni.ip_allocation_type}"


@each(NexusKubernetesCluster)
def stacks_do_not_fit(cluster: NexusKubernetesCluster, snapshot: Snapshot) -> Match | Clear | None:
    networks = cluster.network_configuration
    if networks is None:
        return None
    prefixes = [*(networks.pod_cidrs or ()), *(networks.service_cidrs or ())]
    if not any(":" in prefix for prefix in prefixes):
        return Clear(f"{cluster.name} is IPv4 only")
    cni = snapshot.get(arm(networks.cni_network_id), L3Network) if networks.cni_network_id else None
    wrong = list(_wrong(networks, cni))
    if not wrong:
        return Clear(f"{cluster.name} is dual stack throughout")
    return Match(
        f"{cluster.name} wants dual stack, but {'; '.join(wrong)}",
        facts={"problem": "; ".join(wrong)},
        cites=(
            cluster.cite("properties.networkConfiguration.serviceCidrs", networks.service_cidrs),
        ),
    )


RULE = Rule(
    title="A Nexus Kubernetes cluster is dual stack only in part: CIDRs and network do not fit",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        stacks_do_not_fit,
        Signature(
            pattern=r"(?i)\bdual ?-?stack\b.{0,160}?(?P<problem>must be|requires?|mismatch|invalid|(?:is|are) not (?:valid|supported|configured)|(?:does|do) not (?:match|support|have)|missing|only (?:one|an?) )|(?:service|pod) ?cidrs?\b.{0,120}?(?:must|should|prefix|at least|longer|shorter)\b.{0,40}?/108\b|(?:service|pod) ?cidrs?\b.{0,160}?(?:mismatch|must (?:have|contain|be)|invalid).{0,60}?\bdual ?-?stack\b",
            says="the ranges of the cluster are not dual stack: {problem}",
            sample="KubernetesCluster naks2 failed: serviceCidrs fd96::/64 IPv6 prefix must be /108 or longer for dual stack",
            near_miss="KubernetesCluster naks2: serviceCidrs 10.96.0.0/16, fd96::/108, dual stack",
            unless=r"(?i)managedClusters|az aks\b|Microsoft\.Network/",
            weight=TYPICAL,
        ),
    ),
    why="A dual-stack cluster needs a CNI network of allocation type DualStack, one IPv4 and one IPv6 entry in both podCidrs and serviceCidrs, and an IPv6 service prefix of /108 or longer. If one of these is missing, IPv6 does not work, or the cluster fails to be created.",
    remedy=(
        Step(
            "See what was asked for.",
            run=(
                "az",
                "networkcloud",
                "kubernetescluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "networkConfiguration",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the cluster; its ranges cannot be changed.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Create it again with what was wrong corrected[: {problem}].",
            verify="az networkcloud kubernetescluster show -g {resource_group} -n {name} wants provisioningState Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-kubernetes-cluster-dual-stack-configuration",
    ),
    leads_to=("nexus.kubernetes_cluster_failed",),
)
