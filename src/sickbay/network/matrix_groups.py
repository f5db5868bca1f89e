"""Pods that no policy in play can tell apart, so that one of them stands for all."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.network.policy_ends import listening, named_ports, pod_addresses
from sickbay.network.policy_foreign import has_foreign
from sickbay.network.policy_rules import Policy, policies_of
from sickbay.network.policy_tests import BlockTest, NodeTest, PodTest
from sickbay.network.prefixes import parse

Declared = tuple[tuple[str, int], ...]


class Group(NamedTuple):
    """Pods that are alike: the first in the order of names stands for the others."""

    pod: Pod
    members: list[Pod]
    declared: Declared
    named: object


class _Traits(NamedTuple):
    """What the policies in play look at; no label keys stand for all of them."""

    keys: frozenset[str] | None
    names: frozenset[str]
    addresses: "_Addresses"
    by_node: bool


def groups_of(snapshot: Snapshot, pods: Iterable[Pod], *, by_ports: bool) -> list[Group]:
    """The groups of some pods, which are in the order of their names."""
    listed = list(pods)
    traits = _traits(snapshot, {pod.namespace or "default" for pod in listed})
    found: dict[object, Group] = {}
    labels: dict[int, object] = {}
    ports: dict[tuple[int, int], tuple[Declared, object]] = {}
    for pod in listed:
        # Pods of one workload share their labels and containers as the same objects.
        own, spec = pod.labels, pod.spec
        kept = labels.get(id(own)) if own else ()
        if kept is None:
            kept = labels[id(own)] = _kept(own, traits.keys)
        at = (id(spec.containers), id(spec.init_containers))
        known = ports.get(at)
        if known is None:
            known = ports[at] = _ports(pod, traits.names)
        declared, named = known
        key = (
            pod.namespace,
            bool(spec.host_network),
            kept,
            named,
            declared if by_ports else (),
            traits.addresses.where(pod),
            pod.node if traits.by_node and spec.host_network else "",
        )
        group = found.get(key)
        if group is None:
            found[key] = Group(pod, [pod], declared if by_ports else (), named)
        else:
            group.members.append(pod)
    return list(found.values())


class _Addresses:
    """Tells addresses apart by the blocks that rules name, and by nothing else."""

    def __init__(self, blocks: set[BlockTest]) -> None:
        self._cuts: dict[int, list[int]] = {}
        for test in blocks:
            for prefix in (test.block, *test.excepts):
                cuts = self._cuts.setdefault(prefix.version, [])
                cuts += (prefix.first, prefix.last + 1)
        for cuts in self._cuts.values():
            cuts.sort()

    def where(self, pod: Pod) -> tuple[tuple[int, int], ...]:
        if not self._cuts:
            return ()
        found = []
        for text in pod_addresses(pod):
            prefix = parse(text)
            if prefix is not None:
                cuts = self._cuts.get(prefix.version, [])
                found.append((prefix.version, bisect_right(cuts, prefix.first)))
        return tuple(found)


def policies_in_play(snapshot: Snapshot, namespaces: Iterable[str]) -> Iterator[Policy]:
    """The policies that can select a pod of some namespaces."""
    policies = policies_of(snapshot)
    yield from policies.admin
    for namespace in sorted(namespaces):
        yield from policies.by_namespace.get(namespace, ())
    yield from policies.baseline


def _traits(snapshot: Snapshot, namespaces: set[str]) -> _Traits:
    keys: set[str] = set()
    names: set[str] = set()
    blocks: set[BlockTest] = set()
    by_node = False
    for policy in policies_in_play(snapshot, namespaces):
        keys |= policy.subject.pods.keys
        for rule in (rule for rules in policy.rules.values() for rule in rules):
            names |= {port.name for port in rule.ports or () if port.name}
            for test in rule.peers or ():
                if isinstance(test, PodTest):
                    keys |= test.pods.keys
                elif isinstance(test, BlockTest):
                    blocks.add(test)
                by_node = by_node or isinstance(test, NodeTest)
    is_foreign = has_foreign(snapshot)
    return _Traits(
        None if is_foreign else frozenset(keys),
        frozenset(names),
        _Addresses(blocks),
        by_node or is_foreign,
    )


def _kept(labels: dict[str, str], keys: frozenset[str] | None) -> object:
    return tuple(sorted(item for item in labels.items() if keys is None or item[0] in keys))


def _ports(pod: Pod, names: frozenset[str]) -> tuple[Declared, object]:
    declared = {
        (port.protocol or "TCP", port.container_port)
        for container in listening(pod)
        for port in container.ports or ()
        if port.container_port is not None
    }
    named = [
        (name, protocol, tuple(sorted(numbers)))
        for (name, protocol), numbers in named_ports(pod).items()
        if name in names
    ]
    return tuple(sorted(declared)), tuple(sorted(named))
