"""What would have to be known for a policy to decide, and how to read it."""

from collections.abc import Iterator
from typing import Final

from sickbay.model.evidence import Gap, Reason
from sickbay.network.policy_ends import End
from sickbay.network.policy_foreign import Foreign
from sickbay.network.policy_rules import Direction, Policy
from sickbay.network.policy_tests import BlockTest, DomainTest, NodeTest, PodTest, Test
from sickbay.network.policy_tiers import Side, Step, Tie
from sickbay.network.selectors import Fit

_MOST_NAMES: Final = 3


def gaps_of_step(step: Step, side: Side) -> Iterator[Gap]:
    """Why it is not known whether a rule holds."""
    policy, rule, other = step.policy, step.rule, side.crowd.ends[0]
    if rule is None:
        yield _invalid(policy)
        return
    if policy.subject.fit(side.end, 0) is Fit.MAYBE:
        yield _labels(policy, side.end)
    for test in rule.peers or ():
        if test.fit(other, side.crowd.family) is Fit.MAYBE:
            yield _peer(policy, test, other)
    if side.traffic.port is None and rule.ports is not None:
        what = f"the port: {policy.kind} {policy.name} tells ports of {side.traffic} apart"
        yield Gap("Traffic", what, to_open="sickbay reach SRC DST --port N")


def named(names: list[str]) -> str:
    """Some names in a sentence; the first few of many."""
    shown = " and ".join(names[:_MOST_NAMES])
    return shown if len(names) <= _MOST_NAMES else f"{shown} and {len(names) - _MOST_NAMES} others"


def tie_gap(tie: Tie) -> Gap:
    first = tie.policies[0]
    names = named([policy.name for policy in tie.policies])
    what = f"{names} have the same priority {first.priority} and disagree; the API leaves it open"
    to_open = f"kubectl get {first.kind.lower()} {first.name} -o yaml"
    return Gap(first.kind, what, Reason.CONTRADICTED, to_open)


def foreign_gap(foreign: Foreign, side: Side) -> Gap:
    what = f"{foreign.kind} {foreign.name} may decide the {side.direction} of {side.end.label}"
    return Gap(foreign.kind, what, Reason.NOT_UNDERSTOOD, foreign.to_open)


def node_gap(side: Side) -> Gap:
    pods = [end for end in (side.end, side.crowd.ends[0]) if not end.node_name]
    names = " and ".join(end.label for end in pods)
    return Gap("Pod", f"the node that runs {names}", to_open="kubectl get pods -A -o json")


def protocol_gap(side: Side) -> Gap:
    protocol = side.traffic.protocol
    what = f"what isolation means for {protocol}: the API of NetworkPolicy leaves it open"
    return Gap("NetworkPolicy", what, Reason.NOT_UNDERSTOOD, _try(side))


def _try(side: Side) -> str:
    source, target = side.end, side.crowd.ends[0]
    if side.direction is Direction.INGRESS:
        source, target = target, source
    namespace, _, name = source.label.partition("/")
    address = target.fqdn or "ADDRESS"
    return f"kubectl exec -n {namespace} {name} -- ping -c 1 {address}"


def _invalid(policy: Policy) -> Gap:
    namespace, slash, name = policy.name.rpartition("/")
    scope = f"-n {namespace} " if slash else ""
    to_open = f"kubectl get {policy.kind.lower()} {scope}{name} -o yaml"
    return Gap(policy.kind, f"{policy.name}: {policy.problem}", Reason.MALFORMED, to_open)


def _peer(policy: Policy, test: Test, other: End) -> Gap:
    if isinstance(test, PodTest):
        return _labels(policy, other)
    if isinstance(test, BlockTest):
        return _address(policy, other)
    if isinstance(test, NodeTest):
        what = f"the labels of node {other.node_name}, by which {policy.kind} {policy.name} selects"
        return Gap("Node", what, to_open=f"kubectl get node {other.node_name} -o json")
    if isinstance(test, DomainTest):
        what = f"the name of {other.label}: {policy.kind} {policy.name} goes by names"
        return Gap("Traffic", what, to_open="sickbay reach SRC FQDN")
    what = f"{policy.kind} {policy.name} names a peer of a form that is not known"
    return Gap(
        policy.kind, what, Reason.NOT_UNDERSTOOD, f"kubectl get {policy.kind.lower()} -o yaml"
    )


def _labels(policy: Policy, end: End) -> Gap:
    what = f"the labels of namespace {end.namespace}, by which {policy.kind} {policy.name} selects"
    return Gap("Namespace", what, to_open=f"kubectl get namespace {end.namespace} -o json")


def _address(policy: Policy, end: End) -> Gap:
    by = f"{policy.kind} {policy.name} goes by addresses"
    if end.is_internet:
        what = f"which public address is meant: {by}"
        return Gap("Traffic", what, to_open="sickbay reach SRC ip:ADDRESS")
    if end.fqdn:
        return Gap("Traffic", f"the address of {end.fqdn}: {by}", to_open=f"nslookup {end.fqdn}")
    if end.is_host and end.node_name:
        to_open = f"kubectl get node {end.node_name} -o json"
        return Gap("Node", f"the address of node {end.node_name}: {by}", to_open=to_open)
    namespace, _, name = end.label.rpartition("/")
    to_open = f"kubectl get pod -n {namespace} {name} -o json"
    return Gap("Pod", f"the address of {end.label}: {by}", to_open=to_open)
