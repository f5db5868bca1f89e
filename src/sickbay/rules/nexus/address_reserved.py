from collections.abc import Iterator

from sickbay.model.ids import arm
from sickbay.model.nexus import L3Network, NexusEntity, NexusKubernetesCluster, NexusVirtualMachine
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import Prefix, parse
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

# The fabric keeps the first eight addresses of every connected subnet.
_KEPT = 8


def _taken(text: str | None, network: L3Network | None) -> str:
    """The prefix in whose reserved part an address lies, if any."""
    address = parse((text or "").partition("-")[0].strip())
    for prefix in network.prefixes if network else ():
        whole = parse(prefix)
        if address and whole and whole.size > _KEPT and whole.contains(address):
            kept = Prefix(whole.version, whole.first, whole.first + _KEPT - 1)
            return prefix if address.overlaps(kept) else ""
    return ""


def _match(user: NexusEntity, address: str, prefix: str, path: str) -> Match:
    return Match(
        f"{user.name} uses {address}, one of the first eight addresses of {prefix}",
        facts={"address": address, "prefix": prefix},
        cites=(user.cite(f"properties.{path}", address),),
    )


@each(NexusVirtualMachine)
def vm_address_is_reserved(vm: NexusVirtualMachine, snapshot: Snapshot) -> Match | Clear | None:
    attached = [one for one in vm.network_attachments or () if one.attached_network_id]
    for one in attached:
        network = snapshot.find(arm(one.attached_network_id or ""))
        for address in (one.ipv4_address, one.ipv6_address):
            prefix = _taken(address, network if isinstance(network, L3Network) else None)
            if prefix:
                return _match(vm, address or "", prefix, "networkAttachments")
    if not attached:
        return None
    snapshot.require(L3Network, f"/subscriptions/{vm.ref.subscription}")
    return Clear(f"{vm.name} uses no reserved address")


def _pools(cluster: NexusKubernetesCluster) -> Iterator[str]:
    networks = cluster.network_configuration
    balancer = networks.l2_service_load_balancer_configuration if networks else None
    for pool in (balancer and balancer.ip_address_pools) or ():
        yield from pool.addresses or ()


@each(NexusKubernetesCluster)
def pool_is_reserved(cluster: NexusKubernetesCluster, snapshot: Snapshot) -> Match | None:
    networks = cluster.network_configuration
    ids = [id for id in (networks.network_ids() if networks else ()) if id]
    found = [snapshot.find(arm(id)) for id in ids]
    for address in _pools(cluster):
        for network in found:
            prefix = _taken(address, network if isinstance(network, L3Network) else None)
            if prefix:
                return _match(cluster, address, prefix, "networkConfiguration.ipAddressPools")
    return None


RULE = Rule(
    title="A workload uses an address that the fabric reserves: the first eight of a subnet",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(
        vm_address_is_reserved,
        pool_is_reserved,
        Signature(
            pattern=r"(?i)\baddress(?:es)?\b(?: '?(?P<address>[\d.:a-f]{7,45})'?)?.{0,100}?\breserved (?:for|by) (?:the )?(?:network ?)?(?:fabric|nexus)\b|first (?:eight|8|ten|10|three|3) (?:usable )?(?:ip )?addresses\b.{0,60}?\breserved\b",
            says="an address of the reserved range is used",
            sample="IP address 10.5.6.3 is reserved by the fabric for internal network int-oam",
            near_miss="IP address 10.5.6.30 is free in internal network int-oam",
            weight=TYPICAL,
        ),
    ),
    why="The fabric keeps the first eight addresses of every connected subnet of an internal network for its devices and gateways (workload IP in reserved range). A machine or service with one of them collides with a switch, and traffic is lost at random.",
    remedy=(
        Step(
            "Give the workload an address from the ninth of its subnet on[ ({prefix})][, instead of {address}].",
            risk=Risk.DISRUPTIVE,
            verify="the workload answers on its new address",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/reference-isolation-domain-technical-requirements",
    ),
    leads_to=("nexus.kubernetes_cluster_failed",),
)
