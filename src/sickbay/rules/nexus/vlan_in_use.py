from sickbay.model.fabric import (
    ExternalNetwork,
    InternalNetwork,
    L2IsolationDomain,
    L3IsolationDomain,
)
from sickbay.model.ids import arm
from sickbay.model.nexus import NexusEntity
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

_KINDS: tuple[type[NexusEntity], ...] = (InternalNetwork, ExternalNetwork, L2IsolationDomain)


def _vlan(part: NexusEntity) -> int | None:
    if isinstance(part, ExternalNetwork):
        return part.option_a_properties.vlan_id if part.option_a_properties else None
    return part.vlan_id if isinstance(part, InternalNetwork | L2IsolationDomain) else None


def _fabric(part: NexusEntity, snapshot: Snapshot) -> str:
    if isinstance(part, L2IsolationDomain):
        return (part.network_fabric_id or "").casefold()
    domain = snapshot.get(arm(part.ref.parent), L3IsolationDomain)
    return ((domain and domain.network_fabric_id) or "").casefold()


def vlan_is_taken(part: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:
    vlan = _vlan(part)
    # Two that are both up have been accepted by the fabric, whatever their numbers say.
    if not part.is_unwell or vlan is None:
        return None
    fabric = _fabric(part, snapshot)
    kinds = [kind for kind in _KINDS if snapshot.holds(kind.kind)]
    rivals = [one for kind in kinds for one in snapshot.some(kind) if _vlan(one) == vlan]
    for other in sorted(rivals, key=lambda one: one.ref):
        if fabric and other.ref != part.ref and _fabric(other, snapshot) == fabric:
            return Match(
                f"VLAN {vlan} of {part.name} is used by {other.name}",
                facts={"vlan": str(vlan), "other": other.name},
                cites=(
                    part.cite("properties.vlanId", vlan),
                    other.cite("properties.vlanId", vlan),
                ),
            )
    snapshot.require(type(part), f"/subscriptions/{part.ref.subscription}")
    return Clear(f"{part.name} is alone with VLAN {vlan} on its fabric")


RULE = Rule(
    title="The VLAN of a network or isolation domain is already used on the same fabric",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        each(InternalNetwork)(vlan_is_taken),
        each(ExternalNetwork)(vlan_is_taken),
        each(L2IsolationDomain)(vlan_is_taken),
        Signature(
            pattern=r"(?i)\bvlan(?: ?ids?)?\W{0,3}(?P<vlan>\d{1,4})\b.{0,80}?(?:already (?:in use|used|exists|being used|allocated|assigned|taken|configured|consumed|associated|present)|(?:is|are) (?:being |currently )?(?:in use|taken|used|allocated|consumed) (?:by|in|on)|(?:is|are) not unique|conflicts? with|duplicates? )|\b(?:duplicate|conflicting) vlan(?: ?ids?)?\W{0,3}(?P<twice>\d{1,4})\b",
            says="VLAN {vlan} is already in use",
            sample="Internal network creation failed: VLAN ID 700 is already in use in the network fabric.",
            near_miss="Internal network creation failed: VLAN ID 400 is reserved for infrastructure use.",
            weight=TYPICAL,
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
