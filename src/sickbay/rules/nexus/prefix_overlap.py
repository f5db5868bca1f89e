from typing import NamedTuple

from sickbay.model.ids import Ref
from sickbay.model.nexus import DefaultCniNetwork, L3Network, Layer3Network
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import overlaps
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


class Clash(NamedTuple):
    """A network whose prefix was taken already, and the one that has it."""

    prefix: str
    existing: str
    other: Layer3Network


def clashes(snapshot: Snapshot) -> dict[Ref, Clash]:
    """Every network at fault, found in one sweep over the prefixes of each site."""
    sites: dict[str, list[tuple[str, Layer3Network]]] = {}
    for network in (*_networks(snapshot, DefaultCniNetwork), *_networks(snapshot, L3Network)):
        site = (network.cluster_id or network.custom_location or "").casefold()
        if site:
            sites.setdefault(site, []).extend((prefix, network) for prefix in network.prefixes)
    found: dict[Ref, Clash] = {}
    for prefixes in sites.values():
        for outer, holder, inner, held in overlaps(prefixes):
            if holder is held:
                continue
            if held.is_at_fault_beside(holder):
                found.setdefault(held.ref, Clash(inner, outer, holder))
            else:
                found.setdefault(holder.ref, Clash(outer, inner, held))
    return found


def _networks(snapshot: Snapshot, kind: type[Layer3Network]) -> tuple[Layer3Network, ...]:
    return snapshot.some(kind) if snapshot.holds(kind.kind) else ()


def _overlap(network: Layer3Network, snapshot: Snapshot) -> Match | Clear | None:
    if not network.prefixes or not (network.cluster_id or network.custom_location):
        return None
    clash = snapshot.once(clashes).get(network.ref)
    if clash is not None:
        return Match(
            f"prefix {clash.prefix} of {network.name} overlaps with {clash.existing} of {clash.other.name}",
            facts={"prefix": clash.prefix, "existing": clash.existing, "other": clash.other.name},
            cites=(
                network.cite("properties.ipv4ConnectedPrefix", clash.prefix),
                clash.other.cite("properties.ipv4ConnectedPrefix", clash.existing),
            ),
        )
    for kind in (DefaultCniNetwork, L3Network):
        snapshot.require(kind, f"/subscriptions/{network.ref.subscription}")
    return Clear(f"{', '.join(network.prefixes)} overlaps with no other network of the site")


@each(DefaultCniNetwork)
def default_cni_prefix_is_taken(
    network: DefaultCniNetwork, snapshot: Snapshot
) -> Match | Clear | None:
    return _overlap(network, snapshot)


@each(L3Network)
def l3_prefix_is_taken(network: L3Network, snapshot: Snapshot) -> Match | Clear | None:
    return _overlap(network, snapshot)


RULE = Rule(
    title="The prefix of a Nexus network overlaps with the prefix of another network of the site",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)specified ipv[46] ?connected ?prefix (?P<prefix>[0-9a-f.:/]+) overlaps with\b(?: existing prefix (?P<existing>[0-9a-f.:/]+)(?: from (?P<other>[\w.-]+))?)?",
            says="prefix {prefix} overlaps with {existing} of {other}",
            sample='admission webhook "vdefaultcninetwork.kb.io" denied the request: Specified IPv4Connected Prefix 10.0.88.0/24 overlaps with existing prefix 10.0.88.0/24 from example-dcn',
            near_miss='admission webhook "vdefaultcninetwork.kb.io" denied the request: Specified IPv4Connected Prefix 10.0.88.0/33 is not a valid prefix',
        ),
        default_cni_prefix_is_taken,
        l3_prefix_is_taken,
    ),
    why="The connected prefix must be unique across all default CNI networks and L3 networks of one Nexus cluster; an admission webhook on the site refuses a network whose prefix overlaps with an existing one, and Azure shows it as Failed.",
    remedy=(
        Step(
            "List the prefixes that are in use.",
            run=(
                "az",
                "networkcloud",
                "l3network",
                "list",
                "--query",
                "[].{name:name,v4:ipv4ConnectedPrefix,v6:ipv6ConnectedPrefix,vlan:vlan}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "List those of the default CNI networks too.",
            run=(
                "az",
                "networkcloud",
                "defaultcninetwork",
                "list",
                "--query",
                "[].{name:name,v4:ipv4ConnectedPrefix,vlan:vlan}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the new network an internal network of its own in the isolation domain, with a prefix that is free instead of {prefix}."
        ),
        Step(
            "Delete the failed network and create it again with that VLAN and prefix.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=("nexus.network_failed", "kubernetes.admission_denied", "kubernetes.webhook_denied"),
)
