"""What an Azure load balancer does with the traffic for a service: rule, probe, backend pool."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sickbay.model.azure import Reference
from sickbay.model.evidence import Gap
from sickbay.model.ids import arm, kube
from sickbay.model.kubernetes import Node
from sickbay.model.routing import (
    BackendPool,
    IpConfiguration,
    LoadBalancer,
    LoadBalancingRule,
    Probe,
    PublicIPAddress,
)
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Service
from sickbay.network.services_backends import Backend
from sickbay.network.services_steps import blocks, cannot_tell, passes
from sickbay.network.traffic import Decider, Decision, Verdict

# kube-proxy answers for its own health here; shared probes of all services ask it.
_PROXY_HEALTH: Final = 10256
_LONGEST_NAME: Final = 32
_NOTES: Final = "service.beta.kubernetes.io/port_"


class Frontage(NamedTuple):
    """A service as a load balancer should serve it: at these addresses, on this port."""

    snapshot: Snapshot
    service: Service
    addresses: tuple[str, ...]
    port: int
    protocol: str

    def note(self, name: str) -> str:
        """What an annotation says of this one port."""
        return self.service.annotations.get(f"{_NOTES}{self.port}_{name}", "")


class _Found(NamedTuple):
    balancer: LoadBalancer
    frontend: IpConfiguration
    address: str

    def by(self, says: str) -> Decider:
        return Decider("LoadBalancer", self.balancer.name, says, self.balancer.ref)


def of_balancer(front: Frontage, backends: Sequence[Backend]) -> Iterator[Decision]:
    """Each thing that the load balancer needs for the service, up to the first that is missing."""
    snapshot = front.snapshot
    balancers = snapshot.some(LoadBalancer) if snapshot.holds(LoadBalancer.kind) else ()
    if not balancers:
        name = f"{front.service.namespace}/{front.service.name}"
        gap = Gap(LoadBalancer.kind, f"the load balancer of {name}", to_open=LoadBalancer.look)
        yield passes(Decider("LoadBalancer", name, "was not read"), gap)
        return
    found = _frontend(front)
    if found is None:
        yield _no_frontend(front, balancers)
        return
    rule = _rule(front, found)
    if rule is None:
        yield blocks(found.by(_why_no_rule(front, found)))
        return
    says = f"has rule {rule.name} for {front.protocol} {front.port} at {found.address}"
    yield passes(found.by(says))
    for step in (_of_probe(front, found, rule), _of_pool(front, found, rule, backends)):
        if step is not None:
            yield step
            if step.verdict is Verdict.BLOCKED:
                return


def _frontend(front: Frontage) -> _Found | None:
    known = front.snapshot.once(_frontends)
    for address in front.addresses:
        if address in known:
            return known[address]
    # Kubernetes names the frontend after the service, whatever address it has.
    uid = front.service.metadata.uid.replace("-", "")
    name = f"a{uid}"[:_LONGEST_NAME].casefold() if uid else ""
    return front.snapshot.once(_by_name).get(name) if name else None


def _no_frontend(front: Frontage, balancers: Sequence[LoadBalancer]) -> Decision:
    shown = ", ".join(front.addresses)
    names = ", ".join(sorted(balancer.name for balancer in balancers))
    decider = Decider("LoadBalancer", names, f"has no frontend with {shown}")
    # Others may have it: only a list of all proves that none has.
    open_ones = front.snapshot.once(_unresolved)
    if open_ones:
        gap = Gap(
            PublicIPAddress.kind,
            f"the address of {open_ones[0]}",
            to_open="az network public-ip list -g {node_resource_group} -o json",
        )
        return cannot_tell(decider, gap)
    groups = {balancer.ref.id.partition("/providers/")[0] for balancer in balancers}
    if all(front.snapshot.has_seen(LoadBalancer.kind, group) for group in groups):
        return blocks(decider)
    gap = Gap(LoadBalancer.kind, "all load balancers", to_open=LoadBalancer.look)
    return cannot_tell(decider, gap)


def _rule(front: Frontage, found: _Found) -> LoadBalancingRule | None:
    for rule in _rules_of(found):
        is_port = rule.frontend_port in (front.port, 0)
        if is_port and (rule.protocol or "").casefold() in (front.protocol.casefold(), "all"):
            return rule
    return None


def _rules_of(found: _Found) -> list[LoadBalancingRule]:
    rules = [
        rule
        for rule in found.balancer.load_balancing_rules or ()
        if _means(rule.frontend_ip_configuration, found.frontend)
    ]
    return sorted(rules, key=lambda rule: (rule.frontend_port or 0, rule.name or ""))


def _why_no_rule(front: Frontage, found: _Found) -> str:
    says = f"has no rule for {front.protocol} {front.port} at {found.address}"
    if front.note("no_lb_rule").casefold() == "true":
        return f"{says}: an annotation of the service asks for none"
    others = [f"{(rule.protocol or '').upper()} {rule.frontend_port}" for rule in _rules_of(found)]
    return f"{says}, only {', '.join(others)}" if others else f"{says}, and no other"


def _of_probe(front: Frontage, found: _Found, rule: LoadBalancingRule) -> Decision | None:
    probe = _probe(found, rule)
    if probe is None:
        return None
    protocol = (probe.protocol or "Tcp").upper()
    path = probe.request_path if protocol != "TCP" else ""
    what = f"probes {protocol} {probe.port}{f' {path}' if path else ''} of each node"
    spec = front.service.spec
    health = spec.health_check_node_port
    if spec.external_traffic_policy == "Local" and health:
        if probe.port != health and not front.note("health-probe_port"):
            says = f"{what}, while the nodes tell at {health} whether they have a pod"
            return blocks(found.by(says))
        return passes(found.by(f"{what}: only nodes with a ready pod answer"))
    ports = {one.node_port for one in spec.ports or () if one.node_port}
    is_known = probe.port in ports or probe.port == _PROXY_HEALTH
    if ports and not is_known and not front.note("health-probe_port"):
        return blocks(found.by(f"{what}, which is no node port of the service"))
    if not path or probe.port == _PROXY_HEALTH:
        return passes(found.by(what))
    return passes(found.by(f"{what}, and wants 200 for an answer"), _answer_gap(front, path))


def _answer_gap(front: Frontage, path: str) -> Gap:
    name, namespace = front.service.name, front.service.namespace
    return Gap(
        "probe",
        f"whether the pods of {namespace}/{name} answer {path} with 200, as the load balancer asks",
        to_open=f"kubectl port-forward service/{name} -n {namespace} 8080:{front.port}",
    )


def _probe(found: _Found, rule: LoadBalancingRule) -> Probe | None:
    return next((one for one in found.balancer.probes or () if _means(rule.probe, one)), None)


def _means(reference: Reference | None, part: IpConfiguration | Probe | BackendPool) -> bool:
    """Whether a reference is to a part of the same load balancer: names are unique in it."""
    name = part.name or (part.id or "").rpartition("/")[2]
    wanted = ((reference and reference.id) or "").rpartition("/")[2]
    return bool(wanted) and wanted.casefold() == name.casefold()


def _of_pool(
    front: Frontage, found: _Found, rule: LoadBalancingRule, backends: Sequence[Backend]
) -> Decision | None:
    pools = found.balancer.backend_address_pools or ()
    pool = next((one for one in pools if _means(rule.backend_address_pool, one)), None)
    if pool is None:
        return None
    members = len(pool.backend_ip_configurations or pool.load_balancer_backend_addresses or ())
    if not members:
        return blocks(found.by(f"has no member in its backend pool {pool.name}"))
    if front.service.spec.external_traffic_policy != "Local":
        return passes(found.by(f"spreads over {members} members of its backend pool {pool.name}"))
    return _of_local(front.snapshot, found, pool, backends)


def _of_local(
    snapshot: Snapshot, found: _Found, pool: BackendPool, backends: Sequence[Backend]
) -> Decision | None:
    """With traffic that stays on its node, a node with a ready pod must be a member."""
    names = sorted({backend.node for backend in backends if backend.ready and backend.node})
    nodes = [snapshot.find(kube("Node", "", name)) for name in names]
    known = [node for node in nodes if isinstance(node, Node)]
    if not known or len(known) < len(names):
        return None
    inside = [node.name for node in known if _is_member(node, pool)]
    if inside:
        return passes(found.by(f"has {', '.join(inside)} in its backend pool {pool.name}"))
    says = f"has none of the nodes with a ready pod in its backend pool {pool.name}: "
    return blocks(found.by(f"{says}{', '.join(names)}"))


def _is_member(node: Node, pool: BackendPool) -> bool:
    instance = node.instance_id.casefold()
    members = [(one.id or "").casefold() for one in pool.backend_ip_configurations or ()]
    if instance and any(member.startswith(f"{instance}/") for member in members):
        return True
    own = {one.address for one in node.status.addresses or ()}
    listed = {one.ip_address for one in pool.load_balancer_backend_addresses or ()}
    # Members that are interfaces of single machines do not tell whose they are.
    is_told = bool(listed - {None}) or any("/virtualmachines/" in member for member in members)
    return not is_told or bool(own & listed)


def _frontends(snapshot: Snapshot) -> dict[str, _Found]:
    """The frontends of all load balancers by their addresses."""
    return {
        address: _Found(balancer, frontend, address)
        for balancer, frontend in _all_frontends(snapshot)
        for address in [_address(snapshot, frontend)]
        if address
    }


def _by_name(snapshot: Snapshot) -> dict[str, _Found]:
    return {
        (frontend.name or "").casefold(): _Found(balancer, frontend, frontend.name or "")
        for balancer, frontend in _all_frontends(snapshot)
    }


def _unresolved(snapshot: Snapshot) -> list[str]:
    """The public addresses behind frontends that were not read."""
    return sorted(
        frontend.public_ip_address.id or ""
        for _, frontend in _all_frontends(snapshot)
        if frontend.public_ip_address and not _address(snapshot, frontend)
    )


def _all_frontends(snapshot: Snapshot) -> Iterator[tuple[LoadBalancer, IpConfiguration]]:
    for balancer in sorted(snapshot.some(LoadBalancer), key=lambda one: one.ref):
        for frontend in balancer.frontend_ip_configurations or ():
            yield balancer, frontend


def _address(snapshot: Snapshot, frontend: IpConfiguration) -> str:
    if frontend.private_ip_address:
        return frontend.private_ip_address
    public = frontend.public_ip_address
    found = snapshot.find(arm(public.id)) if public and public.id else None
    return (found.ip_address or "") if isinstance(found, PublicIPAddress) else ""
