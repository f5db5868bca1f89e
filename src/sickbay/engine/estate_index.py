"""Who belongs to whom among Azure resources: looked up once for all trees."""

from collections.abc import Iterable, Iterator
from typing import Final

from sickbay.model.aks import AgentPool, ManagedCluster
from sickbay.model.arc import CustomLocation
from sickbay.model.azure import ScaleSet, ScaleSetInstance, Subnet, VirtualMachine, VirtualNetwork
from sickbay.model.entity import ArmEntity
from sickbay.model.fabric import L2IsolationDomain, L3IsolationDomain
from sickbay.model.ids import Ref, arm
from sickbay.model.nexus import (
    BareMetalMachine,
    NexusCluster,
    NexusEntity,
    NexusNetwork,
    StorageAppliance,
)
from sickbay.model.snapshot import Snapshot

_POOL_TAGS: Final = ("aks-managed-poolname", "poolname")
# Kinds that come before others below one parent; the rest follows by kind and name.
_FIRST: Final = (
    "agentpools",
    "virtualmachinescalesets",
    "virtualmachines",
    "extensions",
    "customlocations",
    "virtualnetworks",
    "subnets",
)
# Shown where they are used: a network has subnets of others too, and records have no states.
_SHOWN_BY_USE: Final = (Subnet.kind.casefold(), "microsoft.network/privatednszones/a")


class Index:
    """The resources of a snapshot by parent, group, pool, host and site."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        found = (snapshot.find(ref) for ref in snapshot.refs() if ref.is_arm)
        self.entities = [entity for entity in found if isinstance(entity, ArmEntity)]
        self._children: dict[str, list[Ref]] = {}
        self._groups: dict[str, list[Ref]] = {}
        self._pools: dict[tuple[str, str], list[Ref]] = {}
        self._on_site: dict[tuple[str, bool], list[Ref]] = {}
        self._needed: set[str] = set()
        for entity in self.entities:
            self._add_by_id(entity.ref)
            self._add_by_content(entity)
        for ref in {arm(one.ref.parent) for one in self.entities if _is_instance(one)}:
            if snapshot.find(ref) is None:
                self._add_unread(ref)

    def _add_by_id(self, ref: Ref) -> None:
        group, parent = _group_of(ref), ref.parent.casefold()
        if parent == group:
            self._groups.setdefault(group, []).append(ref)
        elif ref.kind.casefold() not in _SHOWN_BY_USE:
            self._children.setdefault(parent, []).append(ref)

    def _add_by_content(self, entity: ArmEntity) -> None:
        ref = entity.ref
        if isinstance(entity, ScaleSet | VirtualMachine):
            self._pools.setdefault((_group_of(ref), _pool_of(entity)), []).append(ref)
        elif isinstance(entity, CustomLocation) and entity.host_resource_id:
            self._children.setdefault(arm(entity.host_resource_id).key, []).append(ref)
        elif isinstance(entity, BareMetalMachine | StorageAppliance | NexusNetwork):
            place = ((entity.cluster_id or "").casefold(), isinstance(entity, NexusNetwork))
            self._on_site.setdefault(place, []).append(ref)
        if isinstance(entity, NexusEntity):
            self._needed |= {arm(id).key for id in entity.stands_on() if id}

    def _add_unread(self, ref: Ref) -> None:
        """A scale set of which only the instances were read; its name tells its pool."""
        group = _group_of(ref)
        self._groups.setdefault(group, []).append(ref)
        _, _, rest = ref.name.casefold().partition("-")
        self._pools.setdefault((group, rest.partition("-")[0]), []).append(ref)

    def is_needed(self, entity: ArmEntity) -> bool:
        """Whether a domain carries a network: then it must be enabled."""
        is_domain = isinstance(entity, L2IsolationDomain | L3IsolationDomain)
        return is_domain and entity.ref.key in self._needed

    def below(self, ref: Ref, root: Ref) -> list[Ref]:
        """What a resource has, then what it stands on, in an order that does not change."""
        entity = self._snapshot.find(ref)
        own = dict.fromkeys(sorted(self._children.get(ref.key, ()), key=_rank))
        if isinstance(entity, ArmEntity):
            own |= dict.fromkeys(sorted(self._machines(entity, root), key=_rank))
            own |= dict.fromkeys(sorted(self._stands_on(entity, root), key=_rank))
        return list(own)

    def _machines(self, entity: ArmEntity, root: Ref) -> Iterable[Ref]:
        if isinstance(entity, AgentPool):
            cluster = self._snapshot.find(arm(entity.ref.parent))
            group = cluster.node_group_id if isinstance(cluster, ManagedCluster) else ""
            return self._pools.get((group.casefold(), _word(entity.ref)), ())
        if isinstance(entity, NexusCluster):
            key = entity.ref.key
            # Networks that a cluster does not use are nothing that it stands on.
            networks = self._on_site.get((key, True), ()) if entity.ref == root else ()
            return [*self._on_site.get((key, False), ()), *networks]
        return ()

    def _stands_on(self, entity: ArmEntity, root: Ref) -> Iterator[Ref]:
        if isinstance(entity, ManagedCluster):
            yield from self._of_cluster(entity)
        elif isinstance(entity, VirtualNetwork):
            used = (arm(id) for id in self._subnets(root))
            yield from (ref for ref in used if ref.parent.casefold() == entity.ref.key)
        elif isinstance(entity, Subnet):
            links = entity.links(self._snapshot)
            yield from (ref for ref in links if ref.key != entity.ref.parent.casefold())
        elif isinstance(entity, NexusEntity | CustomLocation):
            yield from (ref for ref in entity.links(self._snapshot) if ref.is_arm)

    def _of_cluster(self, cluster: ManagedCluster) -> Iterator[Ref]:
        subnets = [arm(id) for id in self._subnets(cluster.ref)]
        networks = [arm(ref.parent) for ref in subnets]
        for subnet, network in zip(subnets, networks, strict=True):
            # Below a network that nobody read, the subnet would not be shown.
            yield network if self._snapshot.find(network) else subnet
        access = cluster.api_server_access_profile
        identity = cluster.identity
        given = (identity and identity.user_assigned_identities) or {}
        named = [one.resource_id for one in (cluster.identity_profile or {}).values() if one]
        named += [*given, access.private_dns_zone if access else "", *_workspaces(cluster)]
        yield from (arm(id) for id in named if id and id.startswith("/"))
        nodes = arm(cluster.node_group_id)
        # Its group tells nothing as long as it is there, but everything stands on it.
        if cluster.node_group_id and self._snapshot.has_seen(nodes.kind, nodes.id):
            yield nodes
        group = cluster.node_group_id.casefold()
        pools = self._children.get(cluster.ref.key, ())
        of_pools = {ref for pool in pools for ref in self._pools.get((group, _word(pool)), ())}
        yield from (ref for ref in self._groups.get(group, ()) if ref not in of_pools)

    def _subnets(self, cluster: Ref) -> Iterator[str]:
        """The ids of the subnets that a cluster uses."""
        for ref in self._children.get(cluster.key, ()):
            pool = self._snapshot.find(ref)
            if isinstance(pool, AgentPool):
                yield from (id for id in (pool.vnet_subnet_id, pool.pod_subnet_id) if id)
        found = self._snapshot.find(cluster)
        access = found.api_server_access_profile if isinstance(found, ManagedCluster) else None
        if access and access.subnet_id:
            yield access.subnet_id


def _group_of(ref: Ref) -> str:
    return f"/subscriptions/{ref.subscription}/resourcegroups/{ref.group}".casefold()


def _workspaces(cluster: ManagedCluster) -> Iterator[str]:
    """Where the monitoring add-on sends its logs."""
    for name, addon in (cluster.addon_profiles or {}).items():
        if name.casefold() == "omsagent" and addon and addon.enabled:
            yield addon.setting("logAnalyticsWorkspaceResourceID")


def _is_instance(entity: ArmEntity) -> bool:
    return isinstance(entity, ScaleSetInstance)


def _word(ref: Ref) -> str:
    return ref.name.casefold()


def _pool_of(entity: ArmEntity) -> str:
    tags = {key.casefold(): value or "" for key, value in (entity.tags or {}).items()}
    return next((tags[tag].casefold() for tag in _POOL_TAGS if tags.get(tag)), "")


def _rank(ref: Ref) -> tuple[int, str, Ref]:
    last = ref.kind.rpartition("/")[2].casefold()
    return (_FIRST.index(last) if last in _FIRST else len(_FIRST), ref.kind.casefold(), ref)
