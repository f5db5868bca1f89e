"""What more nodes would take: cores of the quota, sizes that a region offers, addresses."""

from typing import Final, NamedTuple

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.azure import RegionUsages, Subnet, usages_of
from sickbay.model.evidence import UnseenError
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.model.vmsize import VmSize, VmSku, stand_ins, vm_size

REGIONAL: Final = "cores"
SPOT: Final = "lowPriorityCores"
_MOST_NAMED: Final = 3


class Counter(NamedTuple):
    """One limit of the quota: its name, what is used of it, and what is allowed."""

    name: str
    used: int
    limit: int

    @property
    def free(self) -> int:
        return max(0, self.limit - self.used)


def counters(usages: RegionUsages, size: VmSize, *, is_spot: bool = False) -> tuple[Counter, ...]:
    """The limits that a machine of a size counts against: its family first, then the region."""
    names = (SPOT,) if is_spot else (*size.families, REGIONAL)
    found = ((name, usages.counter(name)) for name in names)
    return tuple(Counter(name, *counter) for name, counter in found if counter is not None)


class Need(NamedTuple):
    """What one surge step of an ailing pool takes of a limit."""

    region: str
    machines: int
    cores: int
    limit: Counter
    usages: RegionUsages

    @property
    def is_met(self) -> bool:
        return self.limit.free >= self.cores

    @property
    def is_met_for_one(self) -> bool:
        """Whether a single machine would still do."""
        return self.limit.free >= self.cores // self.machines

    @property
    def in_words(self) -> str:
        limit = self.limit
        return f"{limit.name} in {self.region}: {limit.used} of {limit.limit} cores are used"


def needs(snapshot: Snapshot, pool: AgentPool) -> tuple[Need, ...]:
    """What a pool that is failed, or whose cluster is, needs of each limit that it counts for."""
    size = pool.size
    cluster = snapshot.get(arm(pool.ref.parent), ManagedCluster)
    if size is None or cluster is None or pool.is_stopped:
        return ()
    if not (pool.is_unwell or cluster.is_unwell):
        return ()
    region, machines = cluster.location or "", max(1, pool.surge)
    usages = usages_of(snapshot.some(RegionUsages), region, REGIONAL)
    return tuple(
        Need(region, machines, size.cores * machines, limit, usages)
        for limit in counters(usages, size, is_spot=pool.is_spot)
    )


def in_region(snapshot: Snapshot, region: str) -> bool:
    """Whether the sizes of a region are in evidence."""
    return snapshot.holds(VmSku.kind) and any(one.is_in(region) for one in snapshot.some(VmSku))


def offer(snapshot: Snapshot, name: str, region: str) -> VmSku | None:
    """A size as a region offers it, if it does."""
    found = snapshot.grouped(VmSku, "key", name.casefold())
    return next((one for one in found if one.is_in(region)), None)


def sizes_that_fit(snapshot: Snapshot, pool: AgentPool, region: str, machines: int) -> str:
    """Other sizes with as many cores for so many machines, as far as the evidence tells."""
    usages = _usages(snapshot, region)
    is_listed = in_region(snapshot, region)
    if usages is None and not is_listed:
        return ""
    fitting = []
    for name in stand_ins(pool.vm_size):
        size = vm_size(name)
        if size is None or (is_listed and not _is_offered(snapshot, name, region, pool)):
            continue
        if usages is not None and not _is_covered(usages, size, pool, machines):
            continue
        fitting.append(name)
    return ", ".join(fitting[:_MOST_NAMED])


def _usages(snapshot: Snapshot, region: str) -> RegionUsages | None:
    try:
        return usages_of(snapshot.some(RegionUsages), region, REGIONAL)
    except UnseenError:
        return None


def _is_offered(snapshot: Snapshot, name: str, region: str, pool: AgentPool) -> bool:
    found = offer(snapshot, name, region)
    if found is None or found.withheld(region):
        return False
    return set(pool.availability_zones or ()) <= set(found.zones(region))


def _is_covered(usages: RegionUsages, size: VmSize, pool: AgentPool, machines: int) -> bool:
    limits = counters(usages, size, is_spot=pool.is_spot)
    # A family that the list does not have is one that the subscription never used.
    is_known = pool.is_spot or any(limit.name != REGIONAL for limit in limits)
    return is_known and all(limit.free >= size.cores * machines for limit in limits)


def addresses_at_most(subnet: Subnet, cluster: ManagedCluster, snapshot: Snapshot) -> int:
    """All nodes that the pools in a subnet may have, one surge step, and what else is there now."""
    pools = [
        (pool, pool.addresses_of_node(cluster.network_profile))
        for pool in snapshot.grouped(AgentPool, "parent_key", cluster.ref.key)
        if arm(pool.vnet_subnet_id or "") == subnet.ref
    ]
    now = sum((pool.count or 0) * each for pool, each in pools)
    most = sum(pool.most_nodes * each for pool, each in pools)
    surge = max((max(1, pool.surge) * each for pool, each in pools), default=0)
    return most + surge + max(0, len(subnet.ip_configurations or ()) - now)
