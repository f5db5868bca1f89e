from sickbay.model.fabric import InternalNetwork
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(InternalNetwork)
def peer_equals_fabric(network: InternalNetwork, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    bgp = network.bgp_configuration
    if bgp is None or bgp.peer_asn is None or bgp.fabric_asn is None:
        return None
    if bgp.peer_asn != bgp.fabric_asn:
        return Clear(f"{network.name} peers from ASN {bgp.peer_asn} with {bgp.fabric_asn}")
    return Match(
        f"{network.name} has peer ASN {bgp.peer_asn}, which is the ASN of the fabric itself",
        facts={"asn": str(bgp.peer_asn)},
        cites=(
            network.cite("properties.bgpConfiguration.peerASN", bgp.peer_asn),
            network.cite("properties.bgpConfiguration.fabricASN", bgp.fabric_asn),
        ),
    )


RULE = Rule(
    title="The BGP peer ASN of an internal network equals the ASN of the fabric",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(peer_equals_fabric,),
    why="The fabric peers with workload over external BGP, which needs two different autonomous system numbers. With equal numbers the domain does not become enabled, or the sessions stay idle.",
    remedy=(
        Step(
            "Give the internal network another peer ASN than {asn}, within 1 to 65535.",
            run=("az", "networkfabric", "internalnetwork", "show", "--ids", "{subject}"),
            risk=Risk.READ,
        ),
        Step(
            "Update the network, commit the fabric configuration and enable the domain again.",
            risk=Risk.DISRUPTIVE,
            verify="az networkfabric internalnetwork show wants administrativeState Enabled",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-isolation-domain",),
    leads_to=(
        "nexus.isolation_domain_disabled",
        "nexus.fabric_failed",
    ),
)
