"""A real admission webhook in a namespace, with a certificate that is valid, expired or foreign."""

import datetime
from base64 import b64encode

from tests.cluster.certificates import Authority, Subject
from tests.cluster.running import Cluster

_DAY = datetime.timedelta(days=1)


def make_webhook(cluster: Cluster, namespace: str, kind: str) -> None:
    """Start the webhook, and return when it is ready."""
    authority = cluster.authority
    if kind == "foreign":
        authority = Authority(cluster.layout.keys / namespace, "foreign")
    valid = -_DAY if kind == "expired" else 30 * _DAY
    subject = Subject("hook", hosts=(f"hook.{namespace}.svc",))
    certificate = authority.issue(f"hook-{namespace}", subject, valid)
    files = {"tls.crt": certificate, "tls.key": certificate.with_suffix(".key")}
    data = {name: b64encode(path.read_bytes()).decode() for name, path in files.items()}
    serve = ["webhook", "--tls-cert-file=/tls/tls.crt", "--tls-private-key-file=/tls/tls.key"]
    container = {
        "name": "hook",
        "image": "localhost/agnhost:1",
        "args": [*serve, "--port=8443"],
        "ports": [{"containerPort": 8443}],
        "readinessProbe": {"tcpSocket": {"port": 8443}, "periodSeconds": 1},
        "volumeMounts": [{"name": "tls", "mountPath": "/tls"}],
    }
    volume = {"name": "tls", "secret": {"secretName": "hook-tls"}}
    labels = {"app": "hook"}
    pod = {"metadata": {"labels": labels}, "spec": {"containers": [container], "volumes": [volume]}}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "hook-tls"}, "data": data}
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "hook"},
        "spec": {"selector": labels, "ports": [{"port": 443, "targetPort": 8443}]},
    }
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "hook"},
        "spec": {"selector": {"matchLabels": labels}, "template": pod},
    }
    cluster.apply([secret, service, deployment], namespace)
    cluster.kubectl("rollout", "status", "deployment/hook", "-n", namespace, "--timeout=120s")
