from sickbay.model.fabric import InternalNetwork
from sickbay.model.ids import arm
from sickbay.model.nexus import DefaultCniNetwork, L3Network, Layer3Network
from sickbay.model.snapshot import Snapshot
from sickbay.network.prefixes import is_same
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


def _fits(network: Layer3Network, internal: InternalNetwork) -> bool:
    if (
        network.vlan is not None
        and internal.vlan_id is not None
        and network.vlan != internal.vlan_id
    ):
        return False
    return all(
        any(is_same(prefix, subnet) for subnet in internal.prefixes) for prefix in network.prefixes
    )


def _offered(domain: str, snapshot: Snapshot) -> list[InternalNetwork]:
    parts = (snapshot.find(ref) for ref in snapshot.dependents(arm(domain)))
    return [part for part in parts if isinstance(part, InternalNetwork)]


def _matches_none(network: Layer3Network, snapshot: Snapshot) -> Match | Clear | None:
    domain = network.l3_isolation_domain_id
    if not domain or network.vlan is None:
        return None
    internals = _offered(domain, snapshot)
    is_complete = snapshot.has_seen(InternalNetwork.kind, domain)
    if not internals:
        snapshot.require(InternalNetwork, domain)
        return None
    if any(_fits(network, internal) for internal in internals):
        return Clear(f"{network.name} matches an internal network of its isolation domain")
    offered = "; ".join(
        f"{i.name}: VLAN {i.vlan_id}, {' '.join(i.prefixes) or 'no prefix'}"
        for i in sorted(internals, key=lambda i: i.ref)[:4]
    )
    return Match(
        f"{network.name} has VLAN {network.vlan} and {' '.join(network.prefixes) or 'no prefix'}, but its isolation domain has {offered}",
        facts={
            "domain": domain.rstrip("/").rpartition("/")[2],
            "vlan": str(network.vlan),
            "prefix": " ".join(network.prefixes),
        },
        cites=(
            network.cite("properties.vlan", network.vlan),
            network.cite("properties.ipv4ConnectedPrefix", network.ipv4_connected_prefix),
            *(i.cite("properties.vlanId", i.vlan_id) for i in internals[:2]),
        ),
        weight=None if is_complete else TYPICAL,
    )


@each(DefaultCniNetwork)
def default_cni_network_matches_none(
    network: DefaultCniNetwork, snapshot: Snapshot
) -> Match | Clear | None:
    return _matches_none(network, snapshot)


@each(L3Network)
def l3_network_matches_none(network: L3Network, snapshot: Snapshot) -> Match | Clear | None:
    return _matches_none(network, snapshot)


RULE = Rule(
    title="VLAN and prefix of a Nexus network match no internal network of its L3 isolation domain",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        default_cni_network_matches_none,
        l3_network_matches_none,
        Signature(
            pattern=r"(?i)\b(?:vlan(?: ?id)?|(?:ipv[46] ?)?(?:connected ?)?prefix|subnet)\b.{0,120}?(?:(?:does not|doesn't|do not|don't) (?:match|belong|exist|correspond)|mismatch|matches no|matches none|not (?:found|present|configured|defined|part|within|in|on|associated|available)|no matching|differs? from|different from)\b.{0,100}?(?:internal ?networks?|isolation ?-?domains?)|\b(?:denied|error|failed|invalid|rejected|refused|BadRequest)\b.{0,160}?\bvlan\b.{0,60}?\bmust match\b.{0,60}?(?:internal ?networks?|isolation ?-?domains?)|\bno (?:matching )?internal ?networks?\b.{0,60}?(?:with|has|have|for|matching|matches)\b.{0,40}?(?:vlan|prefix|subnet)",
            says="VLAN and prefix are not those of an internal network",
            sample='admission webhook "vl3network.kb.io" denied the request: VLAN 1204 and prefix 10.4.0.0/24 do not match any internal network of the L3 isolation domain',
            near_miss="VLAN 1204 and prefix 10.4.0.0/24 belong to an internal network of the L3 isolation domain",
            weight=TYPICAL,
        ),
    ),
    why="The fabric carries only the VLANs and prefixes of the internal networks that its L3 isolation domain has. A Nexus DCN VLAN/prefix mismatch, or one of an L3 network, means that the hosts tag traffic that no switch port expects, so the network fails or stays mute.",
    remedy=(
        Step(
            "See what the domain {domain} offers.",
            run=(
                "az",
                "networkfabric",
                "internalnetwork",
                "list",
                "-g",
                "{resource_group}",
                "--l3-isolation-domain-name",
                "{domain}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Either add an internal network with VLAN {vlan} and {prefix} to the domain and commit it, or use the VLAN and prefix of one that is there."
        ),
        Step(
            "Delete the network and create it again with matching values; they cannot be changed in place.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants provisioningState Succeeded and the VLAN of the internal network",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-aks-hybrid-cluster",),
    leads_to=(
        "nexus.network_failed",
        "hybrid.cluster_failed",
        "hybrid.agent_never_reported",
        "hybrid.cluster_offline",
    ),
)
