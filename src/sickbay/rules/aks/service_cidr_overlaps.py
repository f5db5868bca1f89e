from sickbay.model.aks import ManagedCluster
from sickbay.model.azure import Subnet
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.network.cluster_ranges import networks_of, overlap
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


@each(ManagedCluster, TYPICAL)
def covers_its_own_network(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    profile = cluster.network_profile
    if not cluster.is_unwell or profile is None:
        return None
    ids = networks_of(cluster, snapshot)
    subnets = [x for id in ids for x in snapshot.grouped(Subnet, "parent_key", arm(id).key)]
    for role, range in (("service", profile.service_cidr or ""), ("pod", profile.pod_cidr or "")):
        for subnet in sorted(subnets, key=lambda one: one.ref.key):
            taken = next((prefix for prefix in subnet.prefixes if overlap(range, prefix)), "")
            if taken:
                return Match(
                    f"the {role} range {range} of {cluster.name}, which failed, overlaps {taken} of subnet {subnet.ref.name}",
                    facts={"service": range, "subnet": taken},
                    cites=(cluster.cite(f"networkProfile.{role}Cidr", range),),
                )
    if not subnets:
        return None
    return Clear(f"the ranges of {cluster.name} are free in the subnets of its network")


RULE = Rule(
    title="The service or pod CIDR overlaps a subnet of the network",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        covers_its_own_network,
        Signature(
            pattern=r"\b(?:SubnetCidrOverlap\w+|DockerBridgeIn(?:Subnet|Pod|Service)Cidr|VnetPeerCidrOverlapping)\b|\bServiceCidrOverlapExistingSubnetsCidr\b|\b(?:NetworkProfile|Service|Pod)C(?:IDR|idr)Overlap\w*|(?i:NetworkProfile CIDR (?P<pods>[\w./-]+) overlaps with)|(?i:service CIDR '?(?P<service>[\w./<>-]+)'? is conflicted with an existing subnet CIDR '?(?P<subnet>[\w./<>-]+))",
            says="the service CIDR overlaps a subnet",
            sample="(ServiceCidrOverlapExistingSubnetsCidr) The specified service CIDR 10.0.0.0/16 is conflicted with an existing subnet CIDR 10.0.1.0/24",
            near_miss="The specified service CIDR 172.16.0.0/16 is free in the network",
        ),
    ),
    why="Addresses of services (and of pods with an overlay) exist only inside the cluster, so their range must not be in use by any subnet of the network or by what is reached through it: traffic to those subnets would never leave the node.",
    remedy=(
        Step(
            "See the prefixes of the network.",
            run=(
                "az",
                "network",
                "vnet",
                "show",
                "--ids",
                "<vnet-id>",
                "--query",
                "subnets[].addressPrefix",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create the cluster with a service CIDR that nothing uses, and a DNS service address inside of it.",
            run=(
                "az",
                "aks",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--service-cidr",
                "<free-prefix>",
                "--dns-service-ip",
                "<address-in-it>",
            ),
            risk=Risk.SAFE,
            verify="az aks show -g {resource_group} -n {cluster} --query provisioningState wants Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/servicecidroverlapexistingsubnetscidr-error",
    ),
    leads_to=(
        "aks.operation_failed",
        "network.cluster_ranges_overlap",
    ),
    ask="az network vnet show --ids <vnet-id> -o json",
)
