"""Random clusters and policies of every shape that the API has, small enough that they meet."""

import random
from typing import Any

Document = dict[str, Any]
NAME = "kubernetes.io/metadata.name"
KEYS = {"app": ["a", "b", "c"], "tier": ["front", "back"], "pod": ["x", "y"]}
SPACES = ("x", "y", "z")
NUMBERS = (80, 81, 82, 443, 5432)
PROTOCOLS = ("TCP", "UDP", "SCTP")
NAMES = ("web", "dns", "serve-80")


class Random:
    """Random clusters that are small, so that what the policies say meets."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311 - tests, not secrets
        self.is_dual = self.chance(0.2)

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def labels(self) -> dict[str, str]:
        return {k: self.dice.choice(v) for k, v in KEYS.items() if self.chance(0.7)}

    def selector(self, keys: dict[str, list[str]]) -> Document:
        if self.chance(0.2):
            return {}
        selector: Document = {}
        key = self.dice.choice(list(keys))
        if self.chance(0.6):
            selector["matchLabels"] = {key: self.dice.choice(keys[key])}
        if not selector or self.chance(0.3):
            selector["matchExpressions"] = [self.expression(keys)]
        return selector

    def expression(self, keys: dict[str, list[str]]) -> Document:
        key = self.dice.choice(list(keys))
        operator = self.dice.choice(["In", "NotIn", "Exists", "DoesNotExist"])
        values = self.dice.sample(keys[key], self.dice.randint(1, len(keys[key])))
        with_values = {"values": values} if operator in {"In", "NotIn"} else {}
        return {"key": key, "operator": operator, **with_values}

    def pods(self) -> Document:
        return self.selector(KEYS)

    def namespaces(self) -> Document:
        return self.selector({"ns": [*SPACES], "team": ["red", "blue"], NAME: [*SPACES]})

    def cidr(self) -> str:
        if self.is_dual and self.chance(0.4):
            return self.dice.choice(["::/0", "fd00::/64", f"fd00::{self.dice.randint(1, 9)}/128"])
        last = self.dice.randint(0, 9)
        cidrs = ["0.0.0.0/0", "10.0.0.0/29", "10.0.0.4/30", f"10.0.0.{last}/32", "10.1.0.0/24"]
        return self.dice.choice([*cidrs, "192.0.2.0/25"])

    def peer(self) -> Document:
        choice = self.dice.randrange(4)
        if choice == 0:
            return {"podSelector": self.pods()}
        if choice == 1:
            return {"namespaceSelector": self.namespaces()}
        if choice == 2:
            return {"namespaceSelector": self.namespaces(), "podSelector": self.pods()}
        excepts = {"except": [self.cidr()]} if self.chance(0.4) else {}
        return {"ipBlock": {"cidr": self.cidr(), **excepts}}

    def port(self) -> Document:
        protocol = {"protocol": self.dice.choice(PROTOCOLS)} if self.chance(0.7) else {}
        choice = self.dice.randrange(6)
        if choice == 0:
            return protocol
        if choice in {1, 2}:
            return {**protocol, "port": self.dice.choice(NAMES)}
        if choice == 3:
            return {**protocol, "port": 80, "endPort": self.dice.choice([80, 81, 443])}
        return {**protocol, "port": self.dice.choice(NUMBERS)}

    def rule(self, word: str) -> Document:
        rule: Document = {}
        if self.chance(0.8):
            rule[word] = [self.peer() for _ in range(self.dice.randint(0, 2))]
        if self.chance(0.6):
            rule["ports"] = [self.port() for _ in range(self.dice.randint(0, 2))]
        return rule

    def rules(self, word: str) -> list[Document]:
        return [self.rule(word) for _ in range(self.dice.randint(0, 3))]

    def network_policy(self, number: int) -> Document:
        spec: Document = {"podSelector": self.pods()}
        if self.chance(0.7):
            spec["ingress"] = self.rules("from")
        if self.chance(0.5):
            spec["egress"] = self.rules("to")
        if self.chance(0.6):
            both = [["Ingress"], ["Egress"], ["Ingress", "Egress"]]
            spec["policyTypes"] = self.dice.choice(both)
        return {
            "apiVersion": "networking.k8s.io/v1",
            "kind": "NetworkPolicy",
            "metadata": {"name": f"np{number}", "namespace": self.dice.choice(SPACES)},
            "spec": spec,
        }

    def admin_peer(self, word: str) -> Document:
        choice = self.dice.randrange(4 if word == "to" else 2)
        if choice == 0:
            return {"namespaces": self.namespaces()}
        if choice == 1:
            pods = {"namespaceSelector": self.namespaces(), "podSelector": self.pods()}
            return {"pods": pods}
        if choice == 2:
            return {"nodes": self.selector({"zone": ["1", "2"]})}
        return {"networks": [self.cidr() for _ in range(self.dice.randint(1, 2))]}

    def admin_port(self, *, is_second: bool) -> Document:
        choice = self.dice.randrange(3)
        protocol = self.dice.choice(PROTOCOLS)
        number = self.dice.choice(NUMBERS)
        if choice == 0:
            key = "destinationNamedPort" if is_second else "namedPort"
            return {key: self.dice.choice(NAMES)}
        if is_second:
            at = {"number": number} if choice == 1 else {"range": {"start": 80, "end": 100}}
            return {protocol.lower(): {"destinationPort": at}}
        if choice == 1:
            return {"portNumber": {"protocol": protocol, "port": number}}
        return {"portRange": {"protocol": protocol, "start": 80, "end": 100}}

    def admin_rule(self, word: str, actions: list[str], *, is_second: bool) -> Document:
        peers = [self.admin_peer(word) for _ in range(self.dice.randint(1, 2))]
        rule: Document = {"action": self.dice.choice(actions), word: peers}
        if self.chance(0.5):
            ports = [self.admin_port(is_second=is_second) for _ in range(self.dice.randint(1, 2))]
            rule["protocols" if is_second else "ports"] = ports
        return rule

    def admin_spec(self, actions: list[str], *, is_second: bool) -> Document:
        subject = self.admin_peer("from")
        spec: Document = {"subject": subject}
        for direction, word in (("ingress", "from"), ("egress", "to")):
            if self.chance(0.7):
                rules = range(self.dice.randint(0, 3))
                spec[direction] = [
                    self.admin_rule(word, actions, is_second=is_second) for _ in rules
                ]
        return spec

    def admin_policy(self, number: int) -> Document:
        is_second = self.chance(0.4)
        allow = "Accept" if is_second else "Allow"
        spec = self.admin_spec([allow, "Deny", "Pass"], is_second=is_second)
        priority = {"priority": self.dice.randint(0, 3)}
        if is_second:
            tier = {"tier": self.dice.choice(["Admin", "Baseline"])}
            return self.wide("ClusterNetworkPolicy", f"cnp{number}", {**spec, **priority, **tier})
        return self.wide("AdminNetworkPolicy", f"anp{number}", {**spec, **priority})

    def wide(self, kind: str, name: str, spec: Document) -> Document:
        version = "v1alpha2" if kind == "ClusterNetworkPolicy" else "v1alpha1"
        return {
            "apiVersion": f"policy.networking.k8s.io/{version}",
            "kind": kind,
            "metadata": {"name": name},
            "spec": spec,
        }

    def pod(self, number: int) -> Document:
        on_host = self.chance(0.15)
        node = self.dice.choice((1, 2))
        ips = [f"10.0.0.{number}"]
        if self.is_dual and self.chance(0.8):
            ips.append(f"fd00::{number}")
        ips = [f"10.1.0.{node}"] if on_host else ips
        containers = [
            {"name": f"c{index}", "ports": self.container_ports()}
            for index in range(self.dice.randint(1, 2))
        ]
        spec: Document = {"nodeName": f"node{node}", "containers": containers}
        if self.chance(0.4):
            sidecar = {"restartPolicy": "Always"} if self.chance(0.5) else {}
            spec["initContainers"] = [{"name": "i", "ports": self.container_ports(), **sidecar}]
        if on_host:
            spec["hostNetwork"] = True
        metadata = {"namespace": self.dice.choice(SPACES), "labels": self.labels()}
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"p{number}", **metadata},
            "spec": spec,
            "status": {"phase": "Running", "podIP": ips[0], "podIPs": [{"ip": i} for i in ips]},
        }

    def container_ports(self) -> list[Document]:
        return [
            {
                "containerPort": self.dice.choice(NUMBERS),
                **({"name": self.dice.choice(NAMES)} if self.chance(0.7) else {}),
                **({"protocol": self.dice.choice(PROTOCOLS)} if self.chance(0.6) else {}),
            }
            for _ in range(self.dice.randint(0, 3))
        ]

    def node(self, number: int) -> Document:
        labels = {"zone": str(number)} if self.chance(0.8) else {}
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": f"node{number}", "labels": labels},
            "status": {"addresses": [{"type": "InternalIP", "address": f"10.1.0.{number}"}]},
        }

    def space(self, name: str) -> Document:
        labels = {"ns": name} if self.chance(0.8) else {}
        if self.chance(0.6):
            labels["team"] = self.dice.choice(["red", "blue"])
        return {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": name, "labels": labels},
        }

    def documents(self) -> list[Document]:
        found = [self.space(name) for name in SPACES] + [self.node(number) for number in (1, 2)]
        found += [self.pod(number) for number in range(1, 8)]
        found += [self.network_policy(number) for number in range(self.dice.randint(0, 9))]
        if self.chance(0.6):
            found += [self.admin_policy(number) for number in range(self.dice.randint(0, 6))]
            if self.chance(0.5):
                spec = self.admin_spec(["Allow", "Deny"], is_second=False)
                found.append(self.wide("BaselineAdminNetworkPolicy", "default", spec))
        self.dice.shuffle(found)
        return found
