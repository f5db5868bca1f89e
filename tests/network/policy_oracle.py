"""A second evaluator of policies, straight from the words of the API, over raw documents.

It shares no code with the product. As a script it compares both over random clusters:
`python tests/network/policy_oracle.py --pairs 100000`.
"""

import argparse
import itertools
import sys
from pathlib import Path
from typing import Any

from policy_random import NUMBERS, PROTOCOLS, Random  # type: ignore[import-not-found]
from policy_world import (  # type: ignore[import-not-found]
    End,
    World,
    families,
    in_cidr,
    is_host,
    is_ordinary,
    label_selector,
    node_of,
    of_family,
)

Document = dict[str, Any]


def pods_match(world: World, end: End, namespaces: Document | None, pods: Document | None) -> bool:
    if not is_ordinary(world, end):
        return False
    document = world.pod(end[1])
    around = world.namespace_labels(document["metadata"]["namespace"])
    if namespaces is not None and not label_selector(namespaces, around):
        return False
    return pods is None or label_selector(pods, document["metadata"]["labels"])


def peer_matches(world: World, peer: Document, home: str, other: End, family: int) -> bool:
    if "ipBlock" in peer:
        block = peer["ipBlock"]
        return any(
            in_cidr(address, block["cidr"])
            and not any(in_cidr(address, cidr) for cidr in block.get("except") or [])
            for address in of_family(world, other, family)
        )
    if "namespaceSelector" in peer:
        return pods_match(world, other, peer["namespaceSelector"], peer.get("podSelector"))
    in_home = other[0] == "pod" and other[1].split("/")[0] == home
    return in_home and pods_match(world, other, None, peer["podSelector"])


def named_numbers(world: World, destination: End, name: str, protocol: str) -> set[int]:
    if not is_ordinary(world, destination):
        return set()
    spec = world.pod(destination[1])["spec"]
    sidecars = [c for c in spec.get("initContainers") or [] if c.get("restartPolicy") == "Always"]
    return {
        port["containerPort"]
        for container in spec["containers"] + sidecars
        for port in container.get("ports") or []
        if port.get("name") == name and (port.get("protocol") or "TCP") == protocol
    }


def port_matches(world: World, entry: Document, destination: End, protocol: str, port: int) -> bool:
    if (entry.get("protocol") or "TCP") != protocol:
        return False
    wanted = entry.get("port")
    if wanted is None:
        return True
    if isinstance(wanted, str):
        return port in named_numbers(world, destination, wanted, protocol)
    return int(wanted) <= port <= int(entry.get("endPort") or wanted)


def admin_port_matches(
    world: World, entry: Document, destination: End, protocol: str, port: int
) -> bool:
    if "namedPort" in entry or "destinationNamedPort" in entry:
        name = entry.get("namedPort") or entry.get("destinationNamedPort")
        return port in named_numbers(world, destination, str(name), protocol)
    for known in ("tcp", "udp", "sctp"):
        if known in entry:
            at = entry[known].get("destinationPort")
            if known.upper() != protocol:
                return False
            if at is None:
                return True
            bounds = at.get("range") or {"start": at.get("number"), "end": at.get("number")}
            return bool(bounds["start"] <= port <= bounds["end"])
    spec = entry.get("portNumber") or entry["portRange"]
    if (spec.get("protocol") or "TCP") != protocol:
        return False
    first, last = ("port", "port") if "portNumber" in entry else ("start", "end")
    return bool(spec[first] <= port <= spec[last])


def admin_peer_matches(world: World, peer: Document, other: End, family: int) -> bool:
    if "namespaces" in peer:
        return pods_match(world, other, peer["namespaces"], None)
    if "pods" in peer:
        selectors = peer["pods"]
        return pods_match(world, other, selectors["namespaceSelector"], selectors["podSelector"])
    if "nodes" in peer:
        if not is_host(world, other):
            return False
        labels = world.node(node_of(world, other))["metadata"]["labels"]
        return bool(label_selector(peer["nodes"], labels))
    return any(
        in_cidr(address, cidr)
        for address in of_family(world, other, family)
        for cidr in peer["networks"]
    )


def admin_policies(world: World, tier: str) -> list[Document]:
    plain = {"Admin": "AdminNetworkPolicy", "Baseline": "BaselineAdminNetworkPolicy"}[tier]
    successors = [d for d in world.kind("ClusterNetworkPolicy") if d["spec"]["tier"] == tier]
    return [*world.kind(plain), *successors]


def subject_matches(world: World, subject: Document, me: End) -> bool:
    if "namespaces" in subject:
        return pods_match(world, me, subject["namespaces"], None)
    pods = subject["pods"]
    return pods_match(world, me, pods["namespaceSelector"], pods["podSelector"])


def admin_outcomes(
    world: World, tier: str, ends: tuple[End, End], direction: str, asked: tuple[str, int, int]
) -> set[str]:
    """What a tier can decide: more than one thing only where equal priorities disagree."""
    me, other = ends
    protocol, port, family = asked
    destination = me if direction == "ingress" else other
    by_priority: dict[int, set[str]] = {}
    for policy in admin_policies(world, tier):
        spec = policy["spec"]
        if not subject_matches(world, spec["subject"], me):
            continue
        for rule in spec.get(direction) or []:
            peers = rule["from" if direction == "ingress" else "to"]
            ports = rule.get("ports") or rule.get("protocols")
            if not any(admin_peer_matches(world, peer, other, family) for peer in peers):
                continue
            if ports and not any(
                admin_port_matches(world, entry, destination, protocol, port) for entry in ports
            ):
                continue
            action = {"Accept": "Allow"}.get(rule["action"], rule["action"])
            by_priority.setdefault(spec.get("priority", 5000), set()).add(action)
            break
    return by_priority[min(by_priority)] if by_priority else {"Pass"}


def namespaced_outcome(
    world: World, ends: tuple[End, End], direction: str, asked: tuple[str, int, int]
) -> str:
    me, other = ends
    protocol, port, family = asked
    home = me[1].split("/")[0]
    destination = me if direction == "ingress" else other
    is_isolated = False
    for policy in world.kind("NetworkPolicy"):
        spec = policy["spec"]
        if policy["metadata"]["namespace"] != home:
            continue
        if not label_selector(spec["podSelector"], world.pod(me[1])["metadata"]["labels"]):
            continue
        types = spec.get("policyTypes") or ["Ingress", *(["Egress"] if spec.get("egress") else [])]
        if direction.capitalize() not in types:
            continue
        is_isolated = True
        for rule in spec.get(direction) or []:
            peers = rule.get("from" if direction == "ingress" else "to")
            ports = rule.get("ports")
            by_peer = [peer_matches(world, peer, home, other, family) for peer in peers or []]
            by_port = [port_matches(world, p, destination, protocol, port) for p in ports or []]
            if (not peers or any(by_peer)) and (not ports or any(by_port)):
                return "Allow"
    if is_isolated and is_host(world, other) and node_of(world, me) == node_of(world, other):
        return "Allow"
    return "Deny" if is_isolated else "Pass"


def end_outcomes(
    world: World, ends: tuple[End, End], direction: str, asked: tuple[str, int, int]
) -> set[str]:
    if not is_ordinary(world, ends[0]):
        return {"Allow"}
    outcomes = admin_outcomes(world, "Admin", ends, direction, asked)
    if "Pass" not in outcomes:
        return outcomes
    outcomes = outcomes - {"Pass"}
    middle = namespaced_outcome(world, ends, direction, asked)
    if middle != "Pass":
        return outcomes | {middle}
    last = admin_outcomes(world, "Baseline", ends, direction, asked)
    return outcomes | {"Allow" if outcome == "Pass" else outcome for outcome in last}


def reach(world: World, source: End, target: End, protocol: str, port: int) -> str:
    """`allowed`, `blocked`, or `unknown` where the API leaves it open."""
    if source == target and is_ordinary(world, source):
        return "allowed"
    one, other = families(world, source), families(world, target)
    verdicts = set()
    for family in (one & other) or (one | other):
        asked = (protocol, port, family)
        out = end_outcomes(world, (source, target), "egress", asked)
        into = end_outcomes(world, (target, source), "ingress", asked)
        if out == {"Deny"} or into == {"Deny"}:
            verdicts.add("blocked")
        elif out == {"Allow"} and into == {"Allow"}:
            verdicts.add("allowed")
        else:
            verdicts.add("unknown")
    return next(v for v in ("allowed", "unknown", "blocked") if v in verdicts)


def ends_of(documents: list[Document]) -> list[End]:
    pods = [
        ("pod", f"{d['metadata']['namespace']}/{d['metadata']['name']}")
        for d in documents
        if d["kind"] == "Pod"
    ]
    return [*sorted(pods), ("node", "node1"), ("ip", "192.0.2.9"), ("ip", "203.0.113.9")]


def declared(world: World, end: End) -> list[tuple[str, int]]:
    """The ports of all containers of a pod, for at those the names matter."""
    spec = world.pod(end[1])["spec"] if end[0] == "pod" else {}
    return [
        (port.get("protocol") or "TCP", port["containerPort"])
        for container in [*spec.get("containers", []), *spec.get("initContainers", [])]
        for port in container["ports"]
    ]


def any_port(generator: Random) -> tuple[str, int]:
    return generator.dice.choice(PROTOCOLS), generator.dice.choice(NUMBERS)


def disagreements(seed: int, budget: int) -> tuple[int, list[str]]:
    """Compare both evaluators over one random cluster: how many pairs, and where they differ."""
    from sickbay.engine.casebook import snapshot_of
    from sickbay.network.policy import decide
    from sickbay.network.traffic import Place, Traffic

    generator = Random(seed)
    documents = generator.documents()
    world = World(documents)
    snapshot = snapshot_of({"documents": documents, "seen": []})
    entities = {(e.kind.lower(), r.id.partition("/")[2]): e for r, e in _entities(snapshot)}

    def place(end: End) -> Place:
        if end[0] == "ip":
            return Place(end[1], (end[1],))
        return Place(end[1], **{end[0]: entities[end]})

    count, found = 0, []
    pairs = list(itertools.product(ends_of(documents), repeat=2))
    generator.dice.shuffle(pairs)
    for source, target in pairs:
        if source[0] != "pod" and target[0] != "pod":
            continue
        if count >= budget:
            break
        protocol, port = generator.dice.choice([*declared(world, target), any_port(generator)])
        expected = reach(world, source, target, protocol, port)
        got = decide(snapshot, place(source), place(target), Traffic(protocol, port))
        count += 1
        if str(got.verdict) != expected:
            asked = f"seed {seed}: {source} to {target}, {protocol} {port}"
            found.append(f"{asked}: expected {expected}, got {got.verdict}")
    return count, found


def _entities(snapshot: Any) -> list[tuple[Any, Any]]:
    return [(ref, snapshot.find(ref)) for ref in snapshot.refs() if ref.kind in {"Pod", "Node"}]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    options = parser.parse_args()
    done, seed = 0, 1
    while done < options.pairs:
        count, found = disagreements(seed, options.pairs - done)
        if found:
            sys.stdout.write("\n".join(found) + "\n")
            return 1
        done, seed = done + count, seed + 1
    sys.stdout.write(f"no disagreement in {done} random pairs\n")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
    raise SystemExit(main())
