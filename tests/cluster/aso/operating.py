"""Azure Service Operator at work in the test cluster, with the lab in Azure's place."""

import base64
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cluster.aso.build import IMAGE, build
from tests.cluster.processes import start, stop
from tests.cluster.running import Cluster

from sickbay.lab.place import SUBSCRIPTION, TENANT
from sickbay.lab.server import Lab, running
from sickbay.lab.world import World, load

NAMESPACE = "azureserviceoperator-system"
# Names of Azure that lead to the lab, for this one pod.
AZURE = ("login.microsoftonline.com", "management.azure.com")
CLIENT = "5b1c7c3e-0f0a-4a39-9c41-6a6f2a0c9d11"
WORLD = Path(__file__).parent / "world.yaml"


@dataclass(frozen=True)
class Operating:
    """The operator, the cluster that it runs in, and its Azure."""

    cluster: Cluster
    lab: Lab

    def conditions(self, namespace: str) -> dict[str, dict[str, Any]]:
        """The Ready conditions of the operator's objects in a namespace, by kind and name."""
        kinds = "resourcegroups.resources.azure.com,managedclusters.containerservice.azure.com"
        kinds += ",roleassignments.authorization.azure.com"
        listed = self.cluster.get(kinds, "-n", namespace)["items"]
        return {
            f"{one['kind']}/{one['metadata']['name']}": condition
            for one in listed
            for condition in one.get("status", {}).get("conditions", ())
            if condition["type"] == "Ready"
        }

    def wait(self, wanted: dict[str, dict[str, str]], patience: float = 180) -> None:
        """Wait until the objects of namespaces show these reasons; `Succeeded` is one."""
        end = time.monotonic() + patience
        while left := [name for name, reasons in wanted.items() if not self._shows(name, reasons)]:
            if time.monotonic() > end:
                shown = {name: self.conditions(name) for name in left}
                raise TimeoutError(f"wanted {wanted}, and {shown} is shown")
            time.sleep(1)

    def _shows(self, namespace: str, reasons: dict[str, str]) -> bool:
        shown = self.conditions(namespace)
        return all(shown.get(name, {}).get("reason") == why for name, why in reasons.items())

    def log(self) -> str:
        return self.cluster.kubectl("logs", "-n", NAMESPACE, "deployment/aso", "--tail=400")


@contextmanager
def operating(cluster: Cluster) -> Iterator[Operating]:
    """Install the operator, and take it away at the end."""
    built = build()
    world: World = load(str(WORLD))
    with tempfile.TemporaryDirectory() as folder, running(world, folder=folder, speed=240) as lab:
        _lead_to(cluster, lab)
        node = cluster.nodes[0]
        node.run("ctr", "-n", "k8s.io", "images", "import", str(built.image))
        for definition in built.definitions:
            cluster.kubectl("create", "-f", str(definition))
        labels = [
            f"app.kubernetes.io/{one}" for one in ("name=azure-service-operator", "version=v2.20.0")
        ]
        cluster.kubectl("label", "crd", "--all", *labels)
        cluster.apply([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}])
        cluster.apply(_objects(cluster, Path(lab.ca_file).read_text(), node.name), NAMESPACE)
        rollout = ("rollout", "status", "deployment/aso", "-n", NAMESPACE, "--timeout=120s")
        cluster.kubectl(*rollout)
        try:
            yield Operating(cluster, lab)
        finally:
            stop(cluster.layout, "azure")


def _lead_to(cluster: Cluster, lab: Lab) -> None:
    """Open the lab, which listens on this machine alone, to the network of the nodes."""
    port = lab.endpoint.rpartition(":")[2]
    way = f"TCP-LISTEN:443,bind={cluster.layout.host},fork,reuseaddr"
    start(cluster.layout, "azure", ("socat", way, f"TCP:127.0.0.1:{port}"))


def _objects(cluster: Cluster, authority: str, node: str) -> list[dict[str, Any]]:
    keys = _webhook_keys()
    aliases = [{"ip": cluster.layout.host, "hostnames": list(AZURE)}]
    settings = {
        "OPERATOR_MODE": "watchers",
        "POD_NAMESPACE": NAMESPACE,
        "AZURE_SUBSCRIPTION_ID": SUBSCRIPTION,
        "AZURE_TENANT_ID": TENANT,
        "AZURE_CLIENT_ID": CLIENT,
        "AZURE_CLIENT_SECRET": "lab",
        "SSL_CERT_FILE": "/trust/ca.pem",
    }
    container = {
        "name": "manager",
        "image": IMAGE,
        "imagePullPolicy": "Never",
        "args": ["--crd-management=none", "--webhook-cert-dir=/keys", "--v=2"],
        "env": [{"name": name, "value": value} for name, value in settings.items()],
        "volumeMounts": [
            {"name": "trust", "mountPath": "/trust"},
            {"name": "keys", "mountPath": "/keys"},
        ],
    }
    labels = {"app": "aso", "control-plane": "controller-manager"}
    pod = {
        "nodeName": node,
        "serviceAccountName": "aso",
        "hostAliases": aliases,
        "containers": [container],
        "volumes": [
            {"name": "trust", "configMap": {"name": "trust"}},
            {"name": "keys", "secret": {"secretName": "keys"}},
        ],
    }
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}
    subject = {"kind": "ServiceAccount", "name": "aso", "namespace": NAMESPACE}
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "aso"}},
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": "aso"},
            "roleRef": role,
            "subjects": [subject],
        },
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "trust"},
            "data": {"ca.pem": authority},
        },
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "keys"}, "data": keys},
        {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "aso", "labels": labels},
            "spec": {
                "selector": {"matchLabels": {"app": "aso"}},
                "template": {"metadata": {"labels": labels}, "spec": pod},
            },
        },
    ]


def _webhook_keys() -> dict[str, str]:
    """A certificate that the operator wants to see although its webhooks are not used."""
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = Path(folder, "tls.key"), Path(folder, "tls.crt")
        wanted = ("-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=aso")
        files = ("-keyout", str(key), "-out", str(certificate))
        command = ("openssl", "req", "-x509", *wanted, *files)
        subprocess.run(command, check=True, capture_output=True)
        return {one.name: base64.b64encode(one.read_bytes()).decode() for one in (key, certificate)}
