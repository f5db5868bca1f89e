from collections.abc import Callable
from typing import NamedTuple

from sickbay.model.fabric import L2IsolationDomain, L3IsolationDomain, NetworkFabric, RoutePolicy
from sickbay.model.ids import arm
from sickbay.model.nexus import (
    CloudServicesNetwork,
    L2Network,
    L3Network,
    NexusCluster,
    NexusEntity,
    TrunkedNetwork,
)
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Check,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


class Limit(NamedTuple):
    """How many of a kind one thing can hold, and where the things say to whom they belong."""

    kind: type[NexusEntity]
    most: int
    what: str
    home: str


_LIMITS = (
    Limit(CloudServicesNetwork, 200, "cloud services networks", "cluster_id"),
    Limit(L3Network, 200, "L3 networks", "cluster_id"),
    Limit(L2Network, 3500, "L2 networks", "cluster_id"),
    Limit(TrunkedNetwork, 3500, "trunked networks", "cluster_id"),
    Limit(L3IsolationDomain, 200, "L3 isolation domains", "network_fabric_id"),
    Limit(L2IsolationDomain, 3500, "L2 isolation domains", "network_fabric_id"),
    Limit(RoutePolicy, 400, "route policies", "network_fabric_id"),
    Limit(NetworkFabric, 10, "network fabrics", "network_fabric_controller_id"),
    Limit(NexusCluster, 10, "clusters", "cluster_manager_id"),
)
Answer = Match | Clear | None
Groups = dict[str, list[NexusEntity]]


def _grouping(limit: Limit) -> Callable[[Snapshot], Groups]:
    def group(snapshot: Snapshot) -> Groups:
        """The things of each home, the one that came last at the end."""
        homes: Groups = {}
        for one in sorted(snapshot.some(limit.kind), key=lambda one: (one.is_unwell, one.ref)):
            homes.setdefault((getattr(one, limit.home) or "").casefold(), []).append(one)
        return homes

    return group


def _reached(limit: Limit) -> Check[NexusEntity]:
    group = _grouping(limit)
    _, family, command, *_ = limit.kind.look.split()

    def limit_is_reached(one: NexusEntity, snapshot: Snapshot) -> Answer:
        home = getattr(one, limit.home) or ""
        if not home:
            return None
        there = snapshot.once(group)[home.casefold()]
        if len(there) < limit.most:
            snapshot.require(limit.kind, f"/subscriptions/{one.ref.subscription}")
            return Clear(f"{arm(home).name} has {len(there)} of at most {limit.most} {limit.what}")
        # It is told once, of the last that came.
        if one.ref != there[-1].ref:
            return None
        return Match(
            f"{arm(home).name} has {len(there)} {limit.what}, and {limit.most} is the limit",
            facts={"what": limit.what, "family": family, "command": command},
            cites=(one.cite("id", one.id),),
            subject=arm(home),
        )

    return each(limit.kind)(limit_is_reached)


RULE = Rule(
    title="A Nexus limit is reached: too many networks, isolation domains, route policies, fabrics or clusters",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        *(_reached(limit) for limit in _LIMITS),
        Signature(
            pattern=r"(?i)(?:maximum|max|limit)[\w ]{0,30}? (?:number )?(?:of|for) (?:(?P<limit>\d+) )?(?P<what>cloud ?services ?networks?|l[23] ?networks?|trunked ?networks?|l[23] ?isolation ?domains?|route ?policies|network ?fabrics)\b.{0,80}?(?:reached|exceeded)",
            says="the limit of {what} is reached",
            sample="Creation refused: the maximum number of cloud services networks for the cluster has been reached.",
            near_miss="Creation done: the number of cloud services networks for the cluster is 12.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\b(?P<what>cloud ?services ?networks?|l[23] ?networks?|trunked ?networks?|l[23] ?isolation ?domains?|route ?policies|network ?fabrics)\b.{0,60}?(?:reached|exceed(?:s|ed)?|hit) (?:its |the )?(?:max\w* (?:number|count)|limit)(?: of (?P<limit>\d+))?",
            says="the limit of {what} is reached",
            sample="the number of cloud services networks has reached the limit of 200",
            near_miss="the number of cloud services networks is 20, the limit is 200",
        ),
    ),
    why="A Nexus instance holds at most 200 cloud services networks, 200 L3, 3500 L2 and 3500 trunked networks, 200 L3 and 3500 L2 isolation domains and 400 route policies, a fabric controller 10 fabrics, and a cluster manager 10 clusters. The next one is refused, or stays Failed.",
    remedy=(
        Step(
            "List what there is ({what}), with what uses it: associatedResourceIds is empty where nothing does.",
            run=("az", "{family}", "{command}", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Delete those that nothing uses, or share one between clusters; for fabrics and clusters use another controller or manager.",
            risk=Risk.DESTRUCTIVE,
            verify="the same list wants fewer entries than the limit",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/operator-nexus/reference-limits-and-quotas",),
    leads_to=("nexus.network_failed", "nexus.fabric_failed", "nexus.cluster_failed"),
)
