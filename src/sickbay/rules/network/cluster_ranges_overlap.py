from sickbay.model.aks import ManagedCluster
from sickbay.model.snapshot import Snapshot
from sickbay.network.cluster_ranges import networks_of, overlap, reached
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


@each(ManagedCluster)
def hides_a_network(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    profile = cluster.network_profile
    pods, services = (profile and profile.pod_cidr) or "", (profile and profile.service_cidr) or ""
    networks = networks_of(cluster, snapshot)
    if not networks or not (pods or services):
        return None
    for role, range in (("pod", pods), ("service", services)):
        for prefix, where in reached(networks, snapshot):
            if overlap(range, prefix):
                return Match(
                    f"the {role} range {range} of {cluster.name} overlaps {prefix} of {where}",
                    facts={"range": range, "role": role, "other": prefix},
                    cites=(cluster.cite(f"networkProfile.{role}Cidr", range),),
                    # Only addresses of services that exist are taken away from the network.
                    weight=TYPICAL if role == "service" else None,
                )
    return Clear(
        f"{pods or 'no pod range'} and {services or 'no service range'} are free in the networks in evidence"
    )


RULE = Rule(
    title="The pod or service range of the cluster overlaps a subnet or a peered network",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY,),
    detect=(
        hides_a_network,
        Signature(
            pattern=r"(?i)\b(?:pods?|services?|cluster)\b(?: cidr| range| network| address\w*)? ?\(?\d+\.\d+\.\d+\.\d+/\d+\)? .{0,40}?overlap\w*|\b(?:pod|service|cluster) ?(?:cidr|range)s?\b.{0,60}?overlap\w* .{0,60}?(?:on-?prem|vnet|network|peer|subnet|vpn)",
            says="ranges of the cluster overlap another network",
            sample="pods 10.244.0.0/16 overlap with on-prem network 10.244.0.0/16",
            near_miss="pods 10.244.0.0/16 and on-prem network 10.9.0.0/16 are apart",
            weight=TYPICAL,
            unless=r"ServiceCidrOverlap|is conflicted with|cannot be peered",
        ),
    ),
    why="What pods send to an address of the pod range or to the address of a service never leaves the cluster. Machines in a subnet, a peered or an on-premises network that have such addresses cannot be reached from pods, and their answers may go to the wrong place; Azure checks this only against the cluster's own subnet, and only at creation.",
    remedy=(
        Step(
            "See the ranges of the cluster.",
            run=(
                "az",
                "aks",
                "show",
                "--resource-group",
                "{resource_group}",
                "--name",
                "{cluster}",
                "--query",
                "networkProfile",
            ),
            risk=Risk.READ,
        ),
        Step(
            "A {role} range cannot be changed: create a cluster with one that nothing uses (not {range}) and move the workloads, or give the network {other} another range.",
            run=(
                "az",
                "aks",
                "create",
                "--resource-group",
                "{resource_group}",
                "--name",
                "<new-cluster>",
                "--pod-cidr",
                "<free-range>",
                "--service-cidr",
                "<free-range>",
                "--dns-service-ip",
                "<address-in-it>",
            ),
            risk=Risk.SAFE,
            verify="a pod reaches a machine in {other}",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/concepts-network-ip-address-planning",
        "https://learn.microsoft.com/azure/aks/azure-cni-overlay",
    ),
    leads_to=("network.connection_times_out",),
    ask="az network vnet list -o json",
)
