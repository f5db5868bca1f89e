from sickbay.model.fabric import (
    BgpConfiguration,
    ExternalNetwork,
    InternalNetwork,
    L3IsolationDomain,
    NetworkFabric,
    OptionA,
)
from sickbay.model.ids import arm
from sickbay.model.nexus import NexusEntity, same_word
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

_LARGEST = 65535


def _fabric_asn(network: NexusEntity, snapshot: Snapshot) -> int | None:
    """The number of the fabric, when the network itself does not show it."""
    domain = snapshot.find(arm(network.ref.parent))
    home = domain.network_fabric_id if isinstance(domain, L3IsolationDomain) else None
    fabric = snapshot.find(arm(home)) if home else None
    return fabric.fabric_asn if isinstance(fabric, NetworkFabric) else None


def asn_is_wrong(
    network: InternalNetwork | ExternalNetwork, snapshot: Snapshot
) -> Match | Clear | None:
    if isinstance(network, InternalNetwork):
        bgp: BgpConfiguration | OptionA | None = network.bgp_configuration
        path = "bgpConfiguration"
    else:
        bgp, path = network.option_a_properties, "optionAProperties"
    if bgp is None or bgp.peer_asn is None:
        return None
    own = bgp.fabric_asn if bgp.fabric_asn is not None else _fabric_asn(network, snapshot)
    cites = (network.cite(f"properties.{path}.peerASN", bgp.peer_asn),)
    if bgp.peer_asn == own:
        says = f"{network.name} has peer ASN {bgp.peer_asn}, which is the ASN of the fabric itself"
        return Match(says, facts={"asn": str(own)}, cites=cites)
    is_up = same_word(network.administrative_state, "Enabled")
    if not is_up and not 0 < bgp.peer_asn <= _LARGEST:
        says = f"{network.name} has peer ASN {bgp.peer_asn}, outside 1 to {_LARGEST}"
        return Match(says, facts={"asn": str(bgp.peer_asn)}, cites=cites, weight=TYPICAL)
    if own is None:
        snapshot.require(NetworkFabric, f"/subscriptions/{network.ref.subscription}")
    return Clear(f"{network.name} peers from ASN {bgp.peer_asn} with {own}")


RULE = Rule(
    title="The BGP peer ASN of a network equals the ASN of the fabric, or is out of range",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        each(InternalNetwork)(asn_is_wrong),
        each(ExternalNetwork)(asn_is_wrong),
        Signature(
            pattern=r"(?i)\bpeer ?ASNs?\b\W{0,3}(?P<asn>\d{1,10})?.{0,80}?(?:(?:must|should|can) ?(?:not|n't) be (?:the same|same|equal|identical)|can't be (?:the same|equal)|must differ|(?:must|should) be (?:different|unique)|same as|equals?|matches|identical to|is (?:invalid|not valid|not allowed|out of range|out of bounds)|(?:allowed|valid|permitted|supported) (?:range|values?)|(?:must|should) be (?:between|in (?:the )?range|within)|not (?:with)?in (?:the )?(?:allowed |valid )?range)|(?:local|fabric|own) ?ASN\b.{0,40}?peer ?ASN\b.{0,40}?(?:identical|the same|equal)|fabric ?ASN\b.{0,60}?(?:(?:must|can) ?not be (?:the same|equal)|same as|equals?|identical to|conflicts? with).{0,40}?peer ?ASN",
            says="the peer ASN {asn} is refused",
            sample="Enabling the L3 isolation domain failed: peerASN 65048 must not be the same as the fabric ASN.",
            near_miss="Enabling the L3 isolation domain done: peerASN 65048, fabric ASN 65050.",
            unless=r"(?i)can be set anywhere",
            weight=TYPICAL,
        ),
    ),
    why="The fabric peers with workload and provider over external BGP, which needs two different autonomous system numbers within 1 to 65535. With equal numbers, or one out of range, the domain does not become enabled, or the sessions stay idle.",
    remedy=(
        Step(
            "See the values of the network.",
            run=("az", "resource", "show", "--ids", "{subject}", "--query", "properties"),
            risk=Risk.READ,
        ),
        Step(
            "Update the network with a peer ASN other than {asn}, within 1 to 65535, commit the fabric configuration and enable the domain again.",
            risk=Risk.DISRUPTIVE,
            verify="az resource show --ids {subject} wants administrativeState Enabled",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-isolation-domain",),
    leads_to=(
        "nexus.isolation_domain_disabled",
        "nexus.fabric_failed",
        "nexus.bgp_not_established",
    ),
)
