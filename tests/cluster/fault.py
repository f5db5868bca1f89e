"""The faults that are made in the real cluster: what each is, how it shows, what it is called."""

import json
import re
import time
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from tests.cluster.running import Cluster
from tests.cluster.webhook import make_webhook

FOLDER = Path(__file__).parent / "faults"
_VERSIONS = {
    "Deployment": "apps/v1",
    "StatefulSet": "apps/v1",
    "DaemonSet": "apps/v1",
    "Job": "batch/v1",
    "CronJob": "batch/v1",
    "Ingress": "networking.k8s.io/v1",
    "NetworkPolicy": "networking.k8s.io/v1",
    "HorizontalPodAutoscaler": "autoscaling/v2",
    "PodDisruptionBudget": "policy/v1",
    "IngressClass": "networking.k8s.io/v1",
    "EndpointSlice": "discovery.k8s.io/v1",
    "StorageClass": "storage.k8s.io/v1",
    "CSIDriver": "storage.k8s.io/v1",
    "ValidatingAdmissionPolicy": "admissionregistration.k8s.io/v1",
    "ValidatingAdmissionPolicyBinding": "admissionregistration.k8s.io/v1",
    "RoleBinding": "rbac.authorization.k8s.io/v1",
    "Role": "rbac.authorization.k8s.io/v1",
    "APIService": "apiregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration": "admissionregistration.k8s.io/v1",
    "CustomResourceDefinition": "apiextensions.k8s.io/v1",
}


@dataclass(frozen=True)
class Fault:
    """One fault, in a namespace of its own that bears its name."""

    name: str
    expect: str
    subject: str
    # What to look at, and the words in it by which the symptom is seen.
    until: dict[str, str]
    objects: list[dict[str, Any]] = field(default_factory=list)
    deployments: dict[str, dict[str, Any]] = field(default_factory=dict)
    pods: dict[str, dict[str, Any]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    # Arguments of kubectl, once everything is there.
    then: list[str] = field(default_factory=list)
    # How long the symptom must last before it is one.
    settle: float = 0
    # It is felt outside its namespace, so it is made when the others are over.
    alone: bool = False
    # The kind of certificate that a webhook of its own has: valid, expired or foreign.
    certificate: str = ""

    @property
    def manifests(self) -> list[dict[str, Any]]:
        whole = [
            *self.objects,
            *(_deployment(name, spec) for name, spec in self.deployments.items()),
            *({"kind": "Pod", "metadata": {"name": n}, "spec": s} for n, s in self.pods.items()),
        ]
        return [{"apiVersion": _VERSIONS.get(each["kind"], "v1"), **each} for each in whole]

    @property
    def namespace(self) -> dict[str, Any]:
        metadata = {"name": self.name, "labels": self.labels}
        return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}

    @property
    def is_healthy(self) -> bool:
        return not self.expect

    def make(self, cluster: Cluster) -> None:
        cluster.apply([self.namespace])
        if self.certificate:
            make_webhook(cluster, self.name, self.certificate)
        bundle = b64encode(cluster.authority.certificate.read_bytes()).decode()
        filled = json.dumps(self.manifests).replace("{ca}", bundle)
        filled = filled.replace("{dns}", cluster.layout.dns)
        cluster.apply(json.loads(filled), self.name)

    def strike(self, cluster: Cluster) -> None:
        """Do what only has an effect once everything is there."""
        if self.then:
            scope = () if self.then[1] == "namespace" else ("-n", self.name)
            cluster.kubectl(*self.then, *scope)

    def shows(self, listed: "Listed") -> bool:
        """Whether its symptom is there."""
        return all(
            re.search(words, listed.text(kind, self.name)) for kind, words in self.until.items()
        )


class Listed:
    """What a cluster holds at one moment: each kind is asked for once, for all namespaces."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._items: dict[str, list[dict[str, Any]]] = {}

    def text(self, kind: str, namespace: str) -> str:
        """The objects of a kind in a namespace, or outside of all; one of them by KIND/NAME."""
        plural, _, name = kind.partition("/")
        if plural not in self._items:
            self._items[plural] = self._cluster.get(plural, "-A")["items"]
        found = [
            one
            for one in self._items[plural]
            if one["metadata"].get("namespace", namespace) == namespace
            and name in ("", one["metadata"]["name"])
        ]
        return json.dumps(found)


def faults(file: str = "*") -> list[Fault]:
    return [
        Fault(**entry)
        for path in sorted(FOLDER.glob(f"{file}.yaml"))
        for entry in yaml.safe_load(path.read_text())
    ]


def wait_for_all(cluster: Cluster, made: list[Fault], patience: float = 600) -> list[str]:
    """Wait until every fault shows and has lasted; give those that never did."""
    end = time.monotonic() + patience
    left = list(made)
    seen: dict[str, float] = {}
    while left and time.monotonic() < end:
        listed = Listed(cluster)
        for fault in left:
            if fault.name not in seen and fault.shows(listed):
                seen[fault.name] = time.monotonic()
        left = [f for f in made if time.monotonic() < seen.get(f.name, end * 2) + f.settle]
        time.sleep(1)
    return [fault.name for fault in left]


def _deployment(name: str, spec: dict[str, Any]) -> dict[str, Any]:
    labels = {"app": name}
    pod = {key: value for key, value in spec.items() if key != "replicas"}
    template = {"metadata": {"labels": labels}, "spec": pod}
    whole = {
        "replicas": spec.get("replicas", 1),
        "selector": {"matchLabels": labels},
        "template": template,
    }
    return {"kind": "Deployment", "metadata": {"name": name}, "spec": whole}
