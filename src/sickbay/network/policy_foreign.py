"""Policies that only Cilium or Calico enforce: whether one may select an end, not what it says.

Cilium adds up what its own policies and the NetworkPolicies allow, and its deny rules win over
both. Calico asks its policies in order; a NetworkPolicy is one of order 1000 in the tier `default`
that only allows, and what is selected and not allowed by the end of a tier is dropped. Hence, in
both, a policy with rules that allow can let in what a NetworkPolicy leaves out, before or after it;
and only a deny that is asked earlier can stop what a NetworkPolicy lets in.
"""

from typing import Any, Final, NamedTuple

from sickbay.model import policies as written
from sickbay.model.entity import KubeEntity
from sickbay.model.ids import Ref
from sickbay.model.snapshot import Snapshot
from sickbay.network.policy_ends import End
from sickbay.network.policy_foreign_selectors import calico_fit, cilium_fit, node_fit
from sickbay.network.selectors import Fit

_NETWORK_POLICY_ORDER: Final = 1000
# The same policy as a NetworkPolicy, as Calico shows it among its own.
_MIRRORED: Final = "knp.default."
_PASSING: Final = frozenset({"allow", "pass"})
_CILIUM_HINT: Final = "cilium monitor --type drop on the node shows what is dropped"
_CALICO_HINT: Final = "a rule of action Log in it writes what it meets to the node's kernel log"
_OPPOSITE: Final = {"ingress": "egress", "egress": "ingress"}


class Foreign(NamedTuple):
    """A policy that is not evaluated, and what it can do to one direction of an end."""

    kind: str
    name: str
    ref: Ref
    is_certain: bool
    can_allow: bool
    can_deny: bool
    can_isolate: bool
    to_open: str
    hint: str


class _Powers(NamedTuple):
    can_allow: bool
    can_deny: bool
    can_isolate: bool


def foreign_at(snapshot: Snapshot, end: End, direction: str) -> tuple[Foreign, ...]:
    """The foreign policies that may have a say at an end, in the order of their names."""
    if end.has_ended or (end.pod is None and not end.is_host):
        return ()
    found = []
    for entity in snapshot.once(_gather):
        for spec in _specs(entity):
            fit = _fit(entity, spec, end)
            powers = _powers(entity, spec, direction)
            if fit is not Fit.NO and powers is not None:
                found.append(_foreign(entity, end, fit, powers))
    return tuple(found)


def has_foreign(snapshot: Snapshot) -> bool:
    """Whether any policy is in evidence that is not evaluated."""
    return bool(snapshot.once(_gather))


def _gather(snapshot: Snapshot) -> tuple[written.Policy, ...]:
    kinds = (
        written.CiliumNetworkPolicy,
        written.CiliumClusterwideNetworkPolicy,
        written.CalicoNetworkPolicy,
        written.CalicoStoredNetworkPolicy,
        written.CalicoGlobalNetworkPolicy,
    )
    found = [
        entity
        for kind in kinds
        if snapshot.holds(kind.kind)
        for entity in snapshot.some(kind)
        if not entity.name.startswith(_MIRRORED)
    ]
    return tuple(sorted(found, key=lambda entity: (entity.kind, _name(entity))))


def _specs(entity: written.Policy) -> list[dict[str, Any]]:
    several = entity.specs if isinstance(entity, written.CiliumPolicy) else None
    listed = several if isinstance(several, list) else []
    return [spec for spec in [entity.spec, *listed] if isinstance(spec, dict)]


def _fit(entity: written.Policy, spec: dict[str, Any], end: End) -> Fit:
    if isinstance(entity, written.CiliumPolicy):
        if "nodeSelector" in spec:
            return node_fit(spec["nodeSelector"], end)
        return cilium_fit(spec.get("endpointSelector"), end, entity.namespace)
    return calico_fit(spec, end, entity.namespace)


def _powers(entity: written.Policy, spec: dict[str, Any], direction: str) -> _Powers | None:
    if isinstance(entity, written.CiliumPolicy):
        return _cilium_powers(spec, direction)
    return _calico_powers(spec, direction)


def _cilium_powers(spec: dict[str, Any], direction: str) -> _Powers | None:
    allows, denies = spec.get(direction) is not None, bool(spec.get(f"{direction}Deny"))
    if not allows and not denies:
        return None
    default = spec.get("enableDefaultDeny")
    isolates = not isinstance(default, dict) or default.get(direction) is not False
    return _Powers(allows, denies, isolates)


def _calico_powers(spec: dict[str, Any], direction: str) -> _Powers | None:
    if not _is_about(spec, direction):
        return None
    rules = spec.get(direction)
    actions = {
        str(rule.get("action", "")).casefold() if isinstance(rule, dict) else "pass"
        for rule in (rules if isinstance(rules, list) else [])
    }
    tier, order = spec.get("tier") or "default", spec.get("order")
    # Without an order a policy is asked after all that have one.
    is_earlier = isinstance(order, int | float) and order <= _NETWORK_POLICY_ORDER
    can_deny = tier != "default" or (is_earlier and "deny" in actions)
    return _Powers(bool(actions & _PASSING), can_deny, can_isolate=True)


def _is_about(spec: dict[str, Any], direction: str) -> bool:
    types = spec.get("types")
    if isinstance(types, list) and types:
        return direction in {str(type).casefold() for type in types}
    if spec.get(direction):
        return True
    return direction == "ingress" and not spec.get(_OPPOSITE[direction])


def _foreign(entity: written.Policy, end: End, fit: Fit, powers: _Powers) -> Foreign:
    hint = _CILIUM_HINT if isinstance(entity, written.CiliumPolicy) else _CALICO_HINT
    to_open = _how_to_see(entity, end)
    return Foreign(entity.kind, _name(entity), entity.ref, fit is Fit.YES, *powers, to_open, hint)


def _how_to_see(entity: written.Policy, end: End) -> str:
    if isinstance(entity, written.CiliumPolicy):
        about = f"--pod {end.label}" if end.pod is not None else f"--node-name {end.node_name}"
        return f"hubble observe --verdict DROPPED {about}"
    scope = f"-n {entity.namespace} " if entity.namespace else ""
    kind = entity.kind if "." in entity.kind else "globalnetworkpolicies.crd.projectcalico.org"
    return f"kubectl get {kind.lower()} {scope}{entity.name} -o yaml".replace("  ", " ")


def _name(entity: KubeEntity) -> str:
    return f"{entity.namespace}/{entity.name}" if entity.namespace else entity.name
