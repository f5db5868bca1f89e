from sickbay.model.fabric import (
    L2IsolationDomain,
    L3IsolationDomain,
    NetworkFabric,
    NetworkFabricController,
    RoutePolicy,
)
from sickbay.model.nexus import NexusCluster, NexusEntity
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

_NAMED = 4


def is_held(entity: NexusEntity, snapshot: Snapshot) -> Match | Clear | None:
    if (entity.provisioning_state or "").casefold() != "deleting":
        return Clear(f"{entity.name} is not being deleted") if entity.is_succeeded else None
    holders = sorted(
        ref
        for ref in snapshot.dependents(entity.ref)
        if isinstance(snapshot.find(ref), NexusEntity)
    )
    if not holders:
        return None
    names = ", ".join(f"{ref.kind.rpartition('/')[2]}/{ref.name}" for ref in holders[:_NAMED])
    return Match(
        f"{entity.name} is Deleting, and {len(holders)} resource(s) still use it: {names}",
        facts={"holders": names, "first": holders[0].id},
        cites=(entity.cite("properties.provisioningState", entity.provisioning_state),),
    )


RULE = Rule(
    title="A Nexus resource cannot be deleted, or hangs in Deleting, while others still use it",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        each(L3IsolationDomain)(is_held),
        each(L2IsolationDomain)(is_held),
        each(NetworkFabric)(is_held),
        each(NetworkFabricController)(is_held),
        each(RoutePolicy)(is_held),
        each(NexusCluster)(is_held),
        Signature(
            pattern=r"(?i)(?:Microsoft\.(?:ManagedNetworkFabric|NetworkCloud)|route ?polic(?:y|ies)|ip ?prefix(?:es)?\b|ip ?communit(?:y|ies)|access ?control ?lists?|isolation ?domains?|network ?fabric(?: controller)?|neighbou?r ?groups?|cloud ?services ?networks?|default ?cni ?networks?|trunked ?networks?|l[23] ?networks?|internal ?networks?|external ?networks?|cluster ?managers?)\b.{0,200}?(?:cannot be deleted|can't be deleted|delet(?:e|ion)[\w ]{0,20} failed|unable to delete).{0,160}?(?P<holders>referenced by|is (?:still )?(?:in use|referenced|used|attached|associated|consumed)|are (?:still )?(?:using|attached|associated)|associated (?:with|to)|dependent resources?|has (?:associated|connected|dependent))",
            says="a resource is still in use, so it is not deleted",
            sample="Route policy rcf-import deletion failed as it is referenced by l3IsolationDomains/l3-apps.",
            near_miss="Route policy rcf-import deletion done; it was not referenced.",
            unless=r"(?i)internal request to get",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?:network ?fabric ?controllers?|network ?fabrics?|isolation ?-?domains?|cluster ?managers?|(?:network ?cloud|nexus) clusters?|route ?polic(?:y|ies)|neighbou?r ?groups?|l[23] ?networks?|trunked ?networks?|cloud ?services ?networks?|default ?cni ?networks?|racks?)\b.{0,160}?(?P<holders>(?:still )?(?:has|have|contains?) (?:associated|dependent|attached|existing|active|child|running) [\w ]{2,40}|(?:is|are) (?:still )?(?:referenced|used|consumed|attached) by|(?:dependent|associated|consuming) resources?).{0,120}?\b(?:delet\w+|remov\w+)|\b(?:delet\w+|remov\w+)\b.{0,100}?(?P<first>(?:dependent|consuming|associated|child|tenant) (?:resources?|workloads?|networks?)).{0,100}?\b(?:network ?fabric|isolation ?-?domain|cluster ?manager|(?:network ?cloud|nexus) cluster|Microsoft\.(?:NetworkCloud|ManagedNetworkFabric))",
            says="others still use it: {holders}",
            sample="BadRequest: Network Fabric Controller nfc-1 has associated Network Fabrics [nf-1]. Delete them before deleting the controller.",
            near_miss="Network Fabric Controller nfc-1 was deleted",
            unless=r"(?i)internal request to get",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?:isolation ?-?domains?|network ?fabrics?(?: controllers?)?|internal ?networks?|external ?networks?|route ?polic(?:y|ies)|l[23] ?networks?|trunked ?networks?|cloud ?services ?networks?|default ?cni ?networks?|(?:network ?cloud|nexus) clusters?|cluster ?managers?|kubernetes ?clusters?)\b.{0,80}?(?:stuck|hangs?|hung|remains?|stays?) (?:in|at|on)? ?(?:the )?(?:state )?\W{0,2}Deleting\b(?P<holders>)",
            says="it hangs in Deleting",
            sample="Isolation domain l2-mgmt stuck in Deleting for 3 hours",
            near_miss="Isolation domain l2-mgmt deleted",
            weight=TYPICAL,
        ),
    ),
    why="The fabric and the site keep a resource until nothing refers to it: an isolation domain its networks, a route policy, IP prefix or ACL the domains and interconnects that name it, a fabric controller its fabrics, a cluster its workloads. Deleting from the bottom leaves it stuck in Deleting.",
    remedy=(
        Step(
            "Delete what uses it first, from the workload down: machines and clusters, then networks of the site, then internal and external networks, then the domain ({holders}).",
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Commit the fabric when references were removed in it, and delete the resource again.",
            run=("az", "resource", "delete", "--ids", "{subject}"),
            risk=Risk.DESTRUCTIVE,
            verify="az resource show --ids {subject} wants ResourceNotFound",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-isolation-domain",
        "https://learn.microsoft.com/azure/operator-nexus/howto-configure-network-fabric-controller",
    ),
)
