"""The store, API server, controllers and scheduler of a test cluster, and who may ask them."""

import datetime
from pathlib import Path

from tests.cluster.build import Built
from tests.cluster.certificates import Authority, Subject, make_token_keys, write_kubeconfig
from tests.cluster.layout import Layout, Place
from tests.cluster.processes import start, succeeds, wait_for

_USERS = {
    "admin": Subject("admin", "system:masters"),
    "controller": Subject("system:kube-controller-manager"),
    "scheduler": Subject("system:kube-scheduler"),
    "proxy": Subject("system:kube-proxy"),
}
_AUDIT = """apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata, userGroups: [sickbay:audited]}, {level: None}]
"""


def make_credentials(layout: Layout, places: tuple[Place, ...]) -> Authority:
    """Make the authorities, and a certificate and kubeconfig for everyone who takes part."""
    authority = Authority(layout.keys, "ca")
    front = Authority(layout.keys, "front")
    names = ("", ".default", ".default.svc", ".default.svc.cluster.local")
    service = f"{layout.prefix}.128.1"
    hosts = ("127.0.0.1", service, layout.host, "localhost", *(f"kubernetes{n}" for n in names))
    authority.issue("apiserver", Subject("kube-apiserver", hosts=hosts))
    authority.issue("apiserver-kubelet", Subject("apiserver-kubelet", "system:masters"))
    front.issue("front-client", Subject("front-proxy-client"))
    for name, subject in _USERS.items():
        kubeconfig_of(layout, authority, name, subject)
    for place in places:
        kubeconfig_with(layout, authority, place)
    make_token_keys(layout.keys)
    return authority


def kubeconfig_with(layout: Layout, authority: Authority, place: Place, days: int = 30) -> None:
    """Give the kubelet of a node a certificate of so many days; negative ones are over."""
    hosts = (place.name, place.address)
    subject = Subject(f"system:node:{place.name}", "system:nodes", hosts)
    kubeconfig_of(layout, authority, f"kubelet-{place.name}", subject, days)


def kubeconfig_of(
    layout: Layout, authority: Authority, name: str, subject: Subject, days: int = 30
) -> Path:
    """Issue a certificate for a user, and write the kubeconfig that uses it."""
    certificate = authority.issue(name, subject, datetime.timedelta(days=days))
    user = (
        f"client-certificate: '{certificate}'",
        f"client-key: '{certificate.with_suffix('.key')}'",
    )
    path = layout.state / f"{name}.conf"
    return write_kubeconfig(path, layout.server, authority.certificate, user)


def start_store(layout: Layout) -> None:
    client, peer = (f"http://{layout.host}:{port}" for port in (2379, 2380))
    start(
        layout,
        "etcd",
        (
            "etcd",
            f"--data-dir={layout.state / 'etcd'}",
            f"--listen-client-urls={client}",
            f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
            # A test cluster need not survive a power cut; waiting for the disk is most of its time.
            "--unsafe-no-fsync",
        ),
    )
    wait_for("etcd answers", lambda: succeeds(("curl", "-sf", f"{client}/health")))


def start_server(layout: Layout, built: Built) -> None:
    """Start the API server, and return when it is ready."""
    keys = layout.keys
    (layout.state / "audit.yaml").write_text(_AUDIT)
    flags = {
        "etcd-servers": f"http://{layout.host}:2379",
        "bind-address": layout.host,
        "advertise-address": layout.host,
        "secure-port": "6443",
        "tls-cert-file": keys / "apiserver.crt",
        "tls-private-key-file": keys / "apiserver.key",
        "client-ca-file": keys / "ca.crt",
        "kubelet-client-certificate": keys / "apiserver-kubelet.crt",
        "kubelet-client-key": keys / "apiserver-kubelet.key",
        "kubelet-certificate-authority": keys / "ca.crt",
        "kubelet-preferred-address-types": "InternalIP",
        "service-account-key-file": keys / "sa.pub",
        "service-account-signing-key-file": keys / "sa.key",
        "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
        "requestheader-client-ca-file": keys / "front.crt",
        "requestheader-allowed-names": "front-proxy-client",
        "requestheader-extra-headers-prefix": "X-Remote-Extra-",
        "requestheader-group-headers": "X-Remote-Group",
        "requestheader-username-headers": "X-Remote-User",
        "proxy-client-cert-file": keys / "front-client.crt",
        "proxy-client-key-file": keys / "front-client.key",
        # The server itself is no node: it reaches webhooks in pods by their addresses.
        "enable-aggregator-routing": "true",
        "service-cluster-ip-range": f"{layout.prefix}.128.0/17",
        "authorization-mode": "Node,RBAC",
        "enable-admission-plugins": "NodeRestriction",
        "allow-privileged": "true",
        "audit-policy-file": layout.state / "audit.yaml",
        "audit-log-path": layout.logs / "audit.log",
    }
    start(layout, "apiserver", (built.program("kube-apiserver"), *_spelled(flags)))
    ready = (built.program("kubectl"), f"--kubeconfig={layout.admin}", "get", "--raw", "/readyz")
    wait_for("the API server is ready", lambda: succeeds(ready))


def start_controllers(layout: Layout, built: Built) -> None:
    keys = layout.keys
    flags = {
        "kubeconfig": layout.state / "controller.conf",
        "bind-address": layout.host,
        "service-account-private-key-file": keys / "sa.key",
        "root-ca-file": keys / "ca.crt",
        "use-service-account-credentials": "true",
        "cluster-signing-cert-file": keys / "ca.crt",
        "cluster-signing-key-file": keys / "ca.key",
        "leader-elect": "false",
        # Faults are waited for: a node is given up, and its pods evicted, sooner than by default.
        "node-monitor-grace-period": "20s",
        "horizontal-pod-autoscaler-sync-period": "5s",
        **_HURRY,
    }
    start(layout, "controller", (built.program("kube-controller-manager"), *_spelled(flags)))


def start_scheduler(layout: Layout, built: Built) -> None:
    flags = {
        "kubeconfig": layout.state / "scheduler.conf",
        "bind-address": layout.host,
        "leader-elect": "false",
        **_HURRY,
    }
    start(layout, "scheduler", (built.program("kube-scheduler"), *_spelled(flags)))


_HURRY: dict[str, object] = {"kube-api-qps": 1000, "kube-api-burst": 2000}


def _spelled(flags: dict[str, object]) -> list[str]:
    return [f"--{name}={value}" for name, value in flags.items()]
