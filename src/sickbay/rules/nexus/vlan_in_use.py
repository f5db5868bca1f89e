from sickbay.model.fabric import InternalNetwork, L3IsolationDomain
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


def _fabric(network: InternalNetwork, snapshot: Snapshot) -> str:
    domain = snapshot.get(arm(network.ref.id.rsplit("/", 2)[0]), L3IsolationDomain)
    return ((domain and domain.network_fabric_id) or "").casefold()


@each(InternalNetwork)
def vlan_is_taken(network: InternalNetwork, snapshot: Snapshot) -> Match | Clear | None:
    # Two that are both up have been accepted by the fabric, whatever their numbers say.
    if not network.is_unwell or network.vlan_id is None:
        return None
    fabric = _fabric(network, snapshot)
    rivals = [one for one in snapshot.some(InternalNetwork) if one.vlan_id == network.vlan_id]
    for other in sorted(rivals, key=lambda one: one.ref):
        if fabric and other.ref != network.ref and _fabric(other, snapshot) == fabric:
            return Match(
                f"VLAN {network.vlan_id} of {network.name} is used by {other.name}",
                facts={"vlan": str(network.vlan_id), "other": other.name},
                cites=(
                    network.cite("properties.vlanId", network.vlan_id),
                    other.cite("properties.vlanId", other.vlan_id),
                ),
            )
    snapshot.require(InternalNetwork, f"/subscriptions/{network.ref.subscription}")
    return Clear(f"{network.name} is alone with VLAN {network.vlan_id} on its fabric")


RULE = Rule(
    title="The VLAN of an internal network is already used on the same fabric",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        vlan_is_taken,
        Signature(
            pattern=r"(?i)vlan(?: ?id)?\W{0,3}(?P<vlan>\d{1,4})\b.{0,60}?(?:is )?already (?:in use|used|exists|being used)",
            says="VLAN {vlan} is already in use",
            sample="Internal network creation failed: VLAN ID 700 is already in use in the network fabric.",
            near_miss="Internal network creation failed: VLAN ID 400 is reserved for infrastructure use.",
        ),
    ),
    why="A VLAN id can carry one internal, external or L2 network of a fabric. A second one with the same id is refused and stays Failed.",
    remedy=(
        Step(
            "List the VLANs of the L2 domains.",
            run=(
                "az",
                "networkfabric",
                "l2domain",
                "list",
                "--query",
                "[].{name:name,vlan:vlanId}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the failed network and create it with a VLAN that is free instead of {vlan}.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az networkfabric internalnetwork list wants provisioningState Succeeded for the new network",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/troubleshoot-isolation-domain",),
    leads_to=("nexus.fabric_failed",),
)
