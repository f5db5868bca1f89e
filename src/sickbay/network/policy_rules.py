"""Policies of every kind in one form: whom they are about, and their rules in order."""

from enum import StrEnum
from typing import Final, NamedTuple

from sickbay.model import policies as written
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot
from sickbay.network.policy_ports import admin_ports, ports_of
from sickbay.network.policy_tests import (
    BlockTest,
    DomainTest,
    NodeTest,
    PodTest,
    PortTest,
    Test,
    UnknownTest,
    prefix_of,
)
from sickbay.network.selectors import InvalidPolicyError, selector_of


class Direction(StrEnum):
    INGRESS = "ingress"
    EGRESS = "egress"


class Tier(StrEnum):
    ADMIN = "admin"
    NAMESPACE = "namespace"
    BASELINE = "baseline"


class Action(StrEnum):
    ALLOW = "allow"
    DENY = "deny"
    PASS = "pass"  # noqa: S105 - the action of a rule


class Rule(NamedTuple):
    """What is done with traffic of these peers to these ports; None stands for all of them."""

    place: str
    action: Action
    peers: tuple[Test, ...] | None
    ports: tuple[PortTest, ...] | None


class Policy(NamedTuple):
    """A policy; `problem` says why it cannot be what the API server took."""

    kind: str
    name: str
    ref: Ref
    tier: Tier
    priority: int
    subject: PodTest
    directions: frozenset[Direction]
    rules: dict[Direction, tuple[Rule, ...]]
    problem: str = ""


_BOTH: Final = frozenset(Direction)
_TYPES: Final = {"Ingress": Direction.INGRESS, "Egress": Direction.EGRESS}
_TIERS: Final = {"Admin": Tier.ADMIN, "Baseline": Tier.BASELINE}
_ACTIONS: Final = {
    "Allow": Action.ALLOW,
    "Accept": Action.ALLOW,
    "Deny": Action.DENY,
    "Pass": Action.PASS,
}
# There is one of these in a cluster, and whatever has a number comes before it.
UNRANKED: Final = 1001


class Policies(NamedTuple):
    """Every policy in evidence that is evaluated, in the order of their names."""

    by_namespace: dict[str, tuple[Policy, ...]]
    admin: tuple[Policy, ...]
    baseline: tuple[Policy, ...]


def policies_of(snapshot: Snapshot) -> Policies:
    """Every policy in evidence that is evaluated."""
    return snapshot.once(_gather)


def _gather(snapshot: Snapshot) -> Policies:
    by_namespace: dict[str, list[Policy]] = {}
    for entity in _some(snapshot, written.NetworkPolicy):
        by_namespace.setdefault(entity.namespace or "default", []).append(_namespaced(entity))
    wide = [
        _wide(entity)
        for kind in (
            written.AdminNetworkPolicy,
            written.BaselineAdminNetworkPolicy,
            written.ClusterNetworkPolicy,
        )
        for entity in _some(snapshot, kind)
    ]
    wide.sort(key=lambda policy: (policy.priority, policy.name, policy.kind))
    return Policies(
        {name: tuple(sorted(some, key=lambda p: p.name)) for name, some in by_namespace.items()},
        tuple(policy for policy in wide if policy.tier is Tier.ADMIN),
        tuple(policy for policy in wide if policy.tier is Tier.BASELINE),
    )


def _some(snapshot: Snapshot, kind: type[written.Policy]) -> tuple[written.Policy, ...]:
    return snapshot.some(kind) if snapshot.holds(kind.kind) else ()


def _namespaced(entity: written.Policy) -> Policy:
    namespace = entity.namespace or "default"
    name = f"{namespace}/{entity.name}"
    # Until its selector is read, a policy may be about every pod of its namespace.
    policy = Policy(entity.kind, name, entity.ref, Tier.NAMESPACE, 0, PodTest(namespace), _BOTH, {})
    spec = entity.read(written.PolicySpec)
    if isinstance(spec, str):
        return _unreadable(policy, entity, spec)
    try:
        return policy._replace(
            subject=PodTest(namespace, pods=selector_of(spec.pod_selector)),
            directions=_directions(spec),
            rules={
                Direction.INGRESS: _rules(spec.ingress, Direction.INGRESS, namespace),
                Direction.EGRESS: _rules(spec.egress, Direction.EGRESS, namespace),
            },
        )
    except InvalidPolicyError as error:
        return _unreadable(policy, entity, str(error))


def _unreadable(policy: Policy, entity: written.Policy, problem: str) -> Policy:
    """A policy that makes no sense as a whole, with its subject if that does."""
    policy = policy._replace(problem=problem)
    whom = entity.read(written.WhomOnly)
    if isinstance(whom, str):
        return policy
    try:
        if policy.tier is Tier.NAMESPACE:
            subject = policy.subject._replace(pods=selector_of(whom.pod_selector))
            return policy._replace(subject=subject, directions=_directions(whom))
        return policy._replace(subject=_subject(whom.subject)) if whom.subject else policy
    except InvalidPolicyError:
        return policy


def _directions(spec: written.PolicySpec | written.WhomOnly) -> frozenset[Direction]:
    if not spec.policy_types:
        return _BOTH if spec.egress else frozenset({Direction.INGRESS})
    wrong = [type for type in spec.policy_types if type not in _TYPES]
    if wrong:
        raise InvalidPolicyError(f"{wrong[0]!r} is no type of policy")
    return frozenset(_TYPES[type] for type in spec.policy_types)


def _rules(
    rules: list[written.PolicyRule | None] | None, direction: Direction, namespace: str
) -> tuple[Rule, ...]:
    found = []
    for index, rule in enumerate(rules or ()):
        peers = (rule.from_ if direction is Direction.INGRESS else rule.to) if rule else None
        found.append(
            Rule(
                f"{direction}[{index}]",
                Action.ALLOW,
                tuple(_peer(peer, namespace) for peer in peers) if peers else None,
                ports_of(rule.ports) if rule else None,
            )
        )
    return tuple(found)


def _peer(peer: written.PolicyPeer, namespace: str) -> Test:
    if peer.ip_block is not None:
        if peer.pod_selector is not None or peer.namespace_selector is not None:
            raise InvalidPolicyError("a peer has both an ipBlock and a selector")
        excepts = tuple(prefix_of(text) for text in peer.ip_block.except_ or ())
        return BlockTest(prefix_of(peer.ip_block.cidr), excepts)
    if peer.namespace_selector is not None:
        namespaces = selector_of(peer.namespace_selector)
        return PodTest(None, namespaces, selector_of(peer.pod_selector))
    if peer.pod_selector is None:
        raise InvalidPolicyError("a peer is empty")
    return PodTest(namespace, pods=selector_of(peer.pod_selector))


def _wide(entity: written.Policy) -> Policy:
    is_baseline = entity.kind == written.BaselineAdminNetworkPolicy.kind
    tier = Tier.BASELINE if is_baseline else Tier.ADMIN
    priority = UNRANKED if is_baseline else -1
    policy = Policy(entity.kind, entity.name, entity.ref, tier, priority, PodTest(), _BOTH, {})
    spec = entity.read(written.AdminSpec)
    if isinstance(spec, str):
        return _unreadable(policy, entity, spec)
    try:
        return _filled(policy, spec)
    except InvalidPolicyError as error:
        return _unreadable(policy, entity, str(error))


def _filled(policy: Policy, spec: written.AdminSpec) -> Policy:
    tier, priority = policy.tier, policy.priority
    if policy.kind == written.ClusterNetworkPolicy.kind:
        if spec.tier not in _TIERS:
            raise InvalidPolicyError(f"{spec.tier!r} is no tier")
        tier = _TIERS[spec.tier]
    if tier is Tier.ADMIN or policy.kind == written.ClusterNetworkPolicy.kind:
        if spec.priority is None:
            raise InvalidPolicyError("it has no priority")
        priority = spec.priority
    return policy._replace(
        tier=tier,
        priority=priority,
        subject=_subject(spec.subject),
        rules={
            Direction.INGRESS: _admin_rules(spec.ingress, Direction.INGRESS),
            Direction.EGRESS: _admin_rules(spec.egress, Direction.EGRESS),
        },
    )


def _subject(subject: written.AdminSubject) -> PodTest:
    if (subject.pods is None) == (subject.namespaces is None):
        raise InvalidPolicyError("its subject must be either namespaces or pods")
    if subject.pods is not None:
        return _pods(subject.pods)
    return PodTest(None, selector_of(subject.namespaces))


def _pods(pods: written.NamespacedPods) -> PodTest:
    return PodTest(None, selector_of(pods.namespace_selector), selector_of(pods.pod_selector))


def _admin_rules(rules: list[written.AdminRule] | None, direction: Direction) -> tuple[Rule, ...]:
    found = []
    for index, rule in enumerate(rules or ()):
        peers = rule.from_ if direction is Direction.INGRESS else rule.to
        if rule.action not in _ACTIONS:
            raise InvalidPolicyError(f"{rule.action!r} is no action")
        if not peers:
            raise InvalidPolicyError(f"{direction}[{index}] names no peer")
        tests = tuple(test for peer in peers for test in _admin_peer(peer))
        named = f" {rule.name!r}" if rule.name else ""
        found.append(
            Rule(f"{direction}[{index}]{named}", _ACTIONS[rule.action], tests, admin_ports(rule))
        )
    return tuple(found)


def _admin_peer(peer: written.AdminPeer) -> list[Test]:
    """The tests that a peer is, any of which is enough."""
    if peer.namespaces is not None:
        return [PodTest(None, selector_of(peer.namespaces))]
    if peer.pods is not None:
        return [_pods(peer.pods)]
    if peer.nodes is not None:
        return [NodeTest(selector_of(peer.nodes))]
    if peer.networks:
        return [BlockTest(prefix_of(text)) for text in peer.networks]
    return [DomainTest(tuple(peer.domain_names))] if peer.domain_names else [UnknownTest()]
