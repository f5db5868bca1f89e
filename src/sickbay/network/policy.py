"""Whether network policies let traffic pass between two places, and which of them decide."""

from collections.abc import Iterator
from typing import NamedTuple

from sickbay.model.evidence import Gap
from sickbay.model.ids import Ref
from sickbay.model.kubernetes import Pod
from sickbay.model.policies import NetworkPolicy
from sickbay.model.snapshot import Snapshot
from sickbay.network.policy_classes import port_tests, representatives
from sickbay.network.policy_crowd import NONE, Crowd, Mask
from sickbay.network.policy_ends import End, end_of, families_in, pod_end
from sickbay.network.policy_rules import Direction, Tier
from sickbay.network.policy_says import decision_of
from sickbay.network.policy_tiers import InPlay, Side, in_play, rule_on
from sickbay.network.selectors import Fit
from sickbay.network.traffic import ALLOWED, Decider, Decision, Place, Traffic, Verdict, all_of

_DEFAULT_FAMILY = frozenset({4})
_BEST_FIRST = (Verdict.ALLOWED, Verdict.UNKNOWN, Verdict.BLOCKED)


class Selecting(NamedTuple):
    """A policy that has a say at a pod; not `is_certain` when it only may select the pod."""

    kind: str
    name: str
    ref: Ref
    tier: Tier | None
    is_certain: bool


def decide(snapshot: Snapshot, source: Place, target: Place, traffic: Traffic) -> Decision:
    """What the policies at both ends say of traffic from one place to another.

    Always a decision: where nobody read the policies of a namespace, only those in evidence count
    and a gap says so. Of two address families that both ends share, one that passes is enough.
    """
    traffic = traffic._replace(protocol=traffic.protocol.upper())
    start, finish = end_of(snapshot, source), end_of(snapshot, target)
    gaps = tuple(_unread(snapshot, start, finish))
    if start.pod is not None and finish.pod is not None and start.pod.ref == finish.pod.ref:
        return ALLOWED._replace(gaps=gaps)
    egress = in_play(snapshot, start, Direction.EGRESS)
    ingress = in_play(snapshot, finish, Direction.INGRESS)
    found = []
    for family in sorted(shared_families(snapshot, start, finish)):
        out = _side(start, finish, Direction.EGRESS, (egress, traffic, family))
        into = _side(finish, start, Direction.INGRESS, (ingress, traffic, family))
        found.append(all_of(decision_of(rule_on(side), side) for side in (out, into)))
    best = _best(found)
    return best._replace(
        by=tuple(dict.fromkeys(best.by)), gaps=tuple(dict.fromkeys(best.gaps + gaps))
    )


def ports_that_matter(
    snapshot: Snapshot, source: Place, target: Place, protocol: str
) -> tuple[int, ...]:
    """Ports that stand for all others: policies treat every port like one of these.

    Every number at which a rule of a policy at either end begins or ends, and one of which no rule
    speaks, if there is one.
    """
    start, finish = end_of(snapshot, source), end_of(snapshot, target)
    tests = [
        *port_tests(in_play(snapshot, start, Direction.EGRESS), Direction.EGRESS),
        *port_tests(in_play(snapshot, finish, Direction.INGRESS), Direction.INGRESS),
    ]
    return representatives(tests, finish, protocol.upper())


def policies_selecting(snapshot: Snapshot, pod: Pod, direction: str) -> tuple[Selecting, ...]:
    """The policies that have a say over a pod's `ingress` or `egress`, in the order of asking."""
    found = in_play(snapshot, pod_end(snapshot, pod), Direction(direction))
    evaluated = [
        Selecting(policy.kind, policy.name, policy.ref, policy.tier, fit is Fit.YES)
        for policy, fit in found.policies
    ]
    foreign = [Selecting(f.kind, f.name, f.ref, None, f.is_certain) for f in found.foreign]
    return tuple(evaluated + foreign)


def shared_families(snapshot: Snapshot, start: End, finish: End) -> frozenset[int]:
    """The address families that traffic between two ends can have."""
    one, other = start.families, finish.families
    if one and other:
        return (one & other) or (one | other)
    return one or other or families_in(snapshot) or _DEFAULT_FAMILY


def own_node(pod: End, other: End) -> Fit:
    """Whether one end is the node that runs the pod at the other: that traffic always passes."""
    if pod.pod is None or not other.is_host:
        return Fit.NO
    if not pod.node_name or not other.node_name:
        return Fit.MAYBE
    return Fit.YES if pod.node_name == other.node_name else Fit.NO


def _side(end: End, other: End, direction: Direction, asked: tuple[InPlay, Traffic, int]) -> Side:
    found, traffic, family = asked
    fit = own_node(end, other)
    exempt = NONE if fit is Fit.NO else Mask(int(fit is Fit.YES), int(fit is Fit.MAYBE))
    return Side(end, direction, Crowd([other], family), traffic, found, exempt)


def _best(decisions: list[Decision]) -> Decision:
    """The one that lets most pass; what the other family says of it is kept for the reader."""
    ranked = sorted(decisions, key=lambda decision: _BEST_FIRST.index(decision.verdict))
    best, others = ranked[0], ranked[1:]
    differing = [other for other in others if other.verdict is not best.verdict]
    said = tuple(
        Decider(by.kind, by.name, f"{by.says} (in the other address family)", by.ref)
        for other in differing
        for by in other.by
    )
    return best._replace(considered=best.considered + said)


def unread(snapshot: Snapshot, namespace: str) -> Iterator[Gap]:
    """That nobody read the policies of a namespace to their end."""
    if not snapshot.has_seen(NetworkPolicy.kind, namespace):
        yield Gap(
            NetworkPolicy.kind,
            f"whether namespace {namespace} has other network policies",
            to_open=f"kubectl get networkpolicies -n {namespace} -o json",
        )


def _unread(snapshot: Snapshot, *ends: End) -> Iterator[Gap]:
    for end in ends:
        if end.has_ended:
            yield Gap("Pod", f"{end.label} has ended: it neither sends nor receives")
        if end.pod is not None:
            yield from unread(snapshot, end.namespace)
