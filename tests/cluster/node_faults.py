"""Faults of nodes and of the cluster's own parts: made one at a time, seen, and mended again."""

import json
import re
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.cluster.control_plane import kubeconfig_with, start_controllers, start_scheduler
from tests.cluster.nodes import Node
from tests.cluster.processes import stop, wait_for
from tests.cluster.running import Cluster

_BUSY = "localhost/busybox:1"
# How the ids of containers begin that hold an address and never were.
_GONE = "deadbeef"
_PRESSED = {"memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%"}


@dataclass(frozen=True)
class NodeFault:
    """What is done to a cluster, by which words it shows, and how it is undone."""

    name: str
    expect: str
    subject: str
    strike: Callable[[Cluster], None]
    # Arguments of kubectl, and the words that its answer must have.
    until: tuple[str, str]
    mend: Callable[[Cluster], None]
    # How long it must last before it is one.
    settle: float = 0
    # More flags of the live run: a fault that only a look from inside shows.
    flags: tuple[str, ...] = ()
    # What a person would have saved beside the lists: files by their path.
    saved: Callable[[Cluster], dict[str, str]] = lambda _: {}

    def wait(self, cluster: Cluster) -> None:
        look, words = self.until
        wait_for(self.name, lambda: words in cluster.kubectl(*look.split(), check=False), 180)
        time.sleep(self.settle)


def mended(cluster: Cluster) -> None:
    """Wait until all nodes and CoreDNS are well again."""
    # Of the pods that looked from inside.
    cluster.kubectl("delete", "events", "-n", "default", "--all")
    for node in cluster.nodes:
        cluster.kubectl("uncordon", node.name)
    cluster.kubectl("delete", "namespace", "shop", "--ignore-not-found", "--timeout=300s")
    cluster.kubectl("wait", "--for=condition=Ready", "node", "--all", "--timeout=120s")
    names = ("deployment/coredns", "-n", "kube-system", "--timeout=120s")
    cluster.kubectl("rollout", "status", *names)


def _second(cluster: Cluster) -> Node:
    return cluster.nodes[1]


def _run_pods(cluster: Cluster, replicas: int = 1, node: str = "") -> None:
    """Run pods of a shop, on one node when it is named."""
    pod = {
        "nodeName": node or None,
        "terminationGracePeriodSeconds": 1,
        "containers": [{"name": "web", "image": _BUSY, "command": ["sleep", "3600"]}],
    }
    labels = {"app": "web"}
    spec = {
        "replicas": replicas,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    metadata = {"name": "web", "namespace": "shop"}
    cluster.apply([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}])
    made = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
    cluster.apply([made], "shop")


def _stop(part: str) -> Callable[[Cluster], None]:
    return lambda cluster: _second(cluster).stop_part(part)


def _press(threshold: dict[str, str]) -> Callable[[Cluster], None]:
    def strike(cluster: Cluster) -> None:
        _restart_kubelet(cluster, evictionHard=_PRESSED | threshold)

    return strike


def _restart_kubelet(cluster: Cluster, **settings: object) -> None:
    node = _second(cluster)
    node.stop_part("kubelet")
    node.write_kubelet(**settings)
    node.start_kubelet()


def _taint(cluster: Cluster) -> None:
    cluster.kubectl("taint", "node", "--all", "team=data:NoSchedule")
    _run_pods(cluster)


def _untaint(cluster: Cluster) -> None:
    cluster.kubectl("taint", "node", "--all", "team-")


def _cordon(cluster: Cluster) -> None:
    for node in cluster.nodes:
        cluster.kubectl("cordon", node.name)
    _run_pods(cluster)


def _scale_dns(replicas: int) -> Callable[[Cluster], None]:
    names = ("deployment/coredns", "-n", "kube-system")

    def strike(cluster: Cluster) -> None:
        cluster.kubectl("scale", *names, f"--replicas={replicas}")

    return strike


def _write_corefile(old: str, new: str) -> Callable[[Cluster], None]:
    def strike(cluster: Cluster) -> None:
        held = cluster.get("configmap", "coredns", "-n", "kube-system")
        text = held["data"]["Corefile"].replace(old, new)
        patch = json.dumps({"data": {"Corefile": text}})
        cluster.kubectl("patch", "configmap", "coredns", "-n", "kube-system", "-p", patch)
        cluster.kubectl("delete", "pods", "-n", "kube-system", "-l", "k8s-app=kube-dns")

    return strike


def _shrink_range(cluster: Cluster) -> None:
    node = _second(cluster)
    node.write_network(f"{cluster.layout.prefix}.{node.place.number}.8")
    _run_pods(cluster, 10, node.name)


def _leak(cluster: Cluster) -> None:
    """Let the plugin hand out addresses to containers that never were, and not take them back."""
    node = _second(cluster)
    node.write_network(f"{cluster.layout.prefix}.{node.place.number}.12")
    plugins = json.loads((node.place.etc / "cni/net.d/10-bridge.conflist").read_text())
    bridge = plugins["plugins"][0]
    given = json.dumps({"cniVersion": "0.4.0", "name": "pods", "ipam": bridge["ipam"]})
    for number in range(16):
        names = {"CNI_COMMAND": "ADD", "CNI_CONTAINERID": f"{_GONE}{number:056x}"}
        where = {"CNI_NETNS": "/proc/self/ns/net", "CNI_IFNAME": "eth0", "CNI_PATH": "/usr/lib/cni"}
        command = [*node.place.enter, "/usr/lib/cni/host-local"]
        subprocess.run(
            command, input=given, text=True, env=names | where, check=False, capture_output=True
        )
    _run_pods(cluster, 2, node.name)


def _restore_network(cluster: Cluster) -> None:
    node = _second(cluster)
    node.write_network()
    for file in (node.place.lib / "cni/networks/pods").glob("*"):
        if file.read_text().startswith(_GONE):
            file.unlink()


def _serve(cluster: Cluster) -> None:
    """Run a pod and a service in front of it."""
    _run_pods(cluster, node=cluster.nodes[0].name)
    spec = {"selector": {"app": "web"}, "ports": [{"port": 80}]}
    metadata = {"name": "web", "namespace": "shop"}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}
    cluster.apply([service], "shop")


def _stop_proxy(cluster: Cluster) -> None:
    """Stop kube-proxy on a node, then make a service: the node never hears of it."""
    _second(cluster).stop_part("kube-proxy")
    _serve(cluster)


def _flush_rules(cluster: Cluster) -> None:
    """Empty the chain of services on a node, whose kube-proxy does not look after it for hours."""
    node = _second(cluster)
    _serve(cluster)
    cluster.kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout=120s")
    node.stop_part("kube-proxy")
    node.start_proxy("--iptables-sync-period=3h")
    has_begun = "-A KUBE-SVC-(?s:.*)shop/web -> "
    listed = ("iptables-save", "-t", "nat")
    wait_for("kube-proxy has begun", lambda: bool(re.search(has_begun, node.run(*listed))))
    wait_for("its chain stays empty", lambda: _is_flushed_for_good(node))


def _is_flushed_for_good(node: Node) -> bool:
    """Empty the chain; whether nothing that kube-proxy had yet to write has filled it again."""
    node.run("iptables", "-t", "nat", "-F", "KUBE-SERVICES")
    time.sleep(5)
    return "-A KUBE-SERVICES" not in node.run("iptables-save", "-t", "nat")


def _restart_proxy(cluster: Cluster) -> None:
    node = _second(cluster)
    node.stop_part("kube-proxy")
    node.start_proxy()


def _rules(cluster: Cluster) -> dict[str, str]:
    nodes = cluster.nodes
    return {f"nodes/{node.name}/iptables-save.txt": node.run("iptables-save") for node in nodes}


def _addresses(cluster: Cluster) -> dict[str, str]:
    node = _second(cluster)
    listed = node.run("sh", "-c", "cd / && grep -r . var/lib/cni/networks")
    return {f"nodes/{node.name}/ipam.txt": listed}


def _drain(cluster: Cluster) -> None:
    """Drain a node whose pods a budget keeps there, and keep what kubectl prints."""
    node = _second(cluster)
    _run_pods(cluster, 2, node.name)
    cluster.kubectl("rollout", "status", "deployment/web", "-n", "shop", "--timeout=120s")
    spec = {"maxUnavailable": 0, "selector": {"matchLabels": {"app": "web"}}}
    metadata = {"name": "web", "namespace": "shop"}
    budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": metadata}
    cluster.apply([{**budget, "spec": spec}], "shop")
    flags = ("--ignore-daemonsets", "--delete-emptydir-data", "--timeout=12s")
    printed = cluster.kubectl("drain", node.name, *flags, check=False)
    (cluster.layout.state / "drain.txt").write_text(printed)


def _printed(cluster: Cluster) -> dict[str, str]:
    return {"drain.txt": (cluster.layout.state / "drain.txt").read_text()}


def _lose_network_settings(cluster: Cluster) -> None:
    _second(cluster).run("rm", "/etc/cni/net.d/10-bridge.conflist")


def _cut_off(cluster: Cluster) -> None:
    subprocess.run(["ip", "link", "set", _second(cluster).place.link, "down"], check=True)


def _join_again(cluster: Cluster) -> None:
    subprocess.run(["ip", "link", "set", _second(cluster).place.link, "up"], check=True)


def _allow_few_pods(cluster: Cluster) -> None:
    """Let a node run two pods, close the other one, and want more."""
    _restart_kubelet(cluster, maxPods=2)
    wanted = '"pods": "2"'
    wait_for(
        "the node says so", lambda: wanted in cluster.kubectl("get", "node", "node2", "-o", "json")
    )
    cluster.kubectl("cordon", "node1")
    _run_pods(cluster, 6)


def _stop_scheduler(cluster: Cluster) -> None:
    stop(cluster.layout, "scheduler")
    _run_pods(cluster)


def _stop_controllers(cluster: Cluster) -> None:
    stop(cluster.layout, "controller")
    _run_pods(cluster)


def _select_for_dns(name: str) -> Callable[[Cluster], None]:
    """Let the service of the cluster's DNS select other pods than those of CoreDNS."""

    def strike(cluster: Cluster) -> None:
        patch = json.dumps({"spec": {"selector": {"k8s-app": name}}})
        cluster.kubectl("patch", "service", "kube-dns", "-n", "kube-system", "-p", patch)

    return strike


def _forbid_dns(cluster: Cluster) -> None:
    """Take its rights away from CoreDNS, and make it ask for them again."""
    cluster.kubectl("delete", "clusterrolebinding", "system:coredns")
    cluster.kubectl("delete", "pods", "-n", "kube-system", "-l", "k8s-app=kube-dns")


def _allow_dns(cluster: Cluster) -> None:
    account = "--serviceaccount=kube-system:coredns"
    names = ("system:coredns", "--clusterrole=system:coredns", account)
    cluster.kubectl("create", "clusterrolebinding", *names)
    cluster.kubectl("delete", "pods", "-n", "kube-system", "-l", "k8s-app=kube-dns")


def _expire_kubelet(cluster: Cluster) -> None:
    kubeconfig_with(cluster.layout, cluster.authority, _second(cluster).place, days=-1)
    _restart_kubelet(cluster)


def _renew_kubelet(cluster: Cluster) -> None:
    kubeconfig_with(cluster.layout, cluster.authority, _second(cluster).place, days=30)
    _restart_kubelet(cluster)


_READY = "get node node2 -o jsonpath={.status.conditions[?(@.type=='Ready')]}"
_EVENTS = "get events -n shop -o json"
_IMAGE = ("--probe-image", "localhost/busybox:1")
_FROM_INSIDE = ("--probe", "--probe-host", "--probe-node", "node2", *_IMAGE)

NODE_FAULTS = (
    NodeFault(
        "kubelet-stopped",
        "kubernetes.kubelet_silent",
        "node2",
        _stop("kubelet"),
        (_READY, "NodeStatusUnknown"),
        lambda cluster: _second(cluster).start_kubelet(),
    ),
    NodeFault(
        "runtime-stopped",
        "kubernetes.runtime_down",
        "node2",
        _stop("containerd"),
        (_READY, "container runtime is down"),
        lambda cluster: _second(cluster).start_runtime(),
    ),
    NodeFault(
        "kubelet-certificate-expired",
        "kubernetes.kubelet_silent",
        "node2",
        _expire_kubelet,
        (_READY, "NodeStatusUnknown"),
        _renew_kubelet,
    ),
    NodeFault(
        "disk-pressure",
        "kubernetes.node_disk_pressure",
        "node2",
        _press({"nodefs.available": "99%"}),
        ("get node node2 -o json", "KubeletHasDiskPressure"),
        _restart_kubelet,
    ),
    NodeFault(
        "pid-pressure",
        "kubernetes.node_pid_pressure",
        "node2",
        _press({"pid.available": "99.99%"}),
        ("get node node2 -o json", "KubeletHasInsufficientPID"),
        _restart_kubelet,
    ),
    NodeFault(
        "memory-pressure",
        "kubernetes.node_memory_pressure",
        "node2",
        _press({"memory.available": "99.9%"}),
        ("get node node2 -o json", "KubeletHasInsufficientMemory"),
        _restart_kubelet,
    ),
    NodeFault(
        "taint-not-tolerated",
        "kubernetes.untolerated_taint",
        "web",
        _taint,
        (_EVENTS, "FailedScheduling"),
        _untaint,
    ),
    NodeFault(
        "all-nodes-cordoned",
        "kubernetes.no_nodes",
        "web",
        _cordon,
        (_EVENTS, "FailedScheduling"),
        lambda _: None,
    ),
    NodeFault(
        "dns-scaled-to-nothing",
        "kubernetes.coredns_down",
        "coredns",
        _scale_dns(0),
        ("get deployment coredns -n kube-system", "0/0"),
        _scale_dns(2),
    ),
    NodeFault(
        "corefile-broken",
        "network.corefile_invalid",
        "coredns",
        _write_corefile("cache 30", "cachee 30"),
        ("get pods -n kube-system", "CrashLoopBackOff"),
        _write_corefile("cachee 30", "cache 30"),
    ),
    NodeFault(
        "pod-range-too-small",
        "kubernetes.cni_addresses_exhausted",
        "web",
        _shrink_range,
        (_EVENTS, "no IP addresses available"),
        _restore_network,
    ),
    NodeFault(
        "addresses-leaked",
        "kubernetes.ipam_leak",
        "node2",
        _leak,
        (_EVENTS, "no IP addresses available"),
        _restore_network,
        flags=_FROM_INSIDE,
        saved=_addresses,
    ),
    NodeFault(
        "proxy-stopped",
        "kubernetes.kube_proxy_down",
        "node2",
        _stop_proxy,
        ("get endpointslices -n shop -o json", '"ready": true'),
        lambda cluster: _second(cluster).start_proxy(),
        saved=_rules,
    ),
    NodeFault(
        "service-rules-flushed",
        "kubernetes.kube_proxy_down",
        "node2",
        _flush_rules,
        ("get nodes", "node2"),
        _restart_proxy,
        flags=_FROM_INSIDE,
        saved=_rules,
    ),
    NodeFault(
        "drain-fails",
        "kubernetes.pdb_blocks_drain",
        "web",
        _drain,
        ("get node node2 -o json", '"unschedulable": true'),
        lambda _: None,
        saved=_printed,
    ),
    NodeFault(
        "network-plugin-without-settings",
        "kubernetes.cni_not_ready",
        "node2",
        _lose_network_settings,
        (_READY, "cni plugin not initialized"),
        _restore_network,
    ),
    NodeFault(
        "node-cut-off",
        "kubernetes.kubelet_silent",
        "node2",
        _cut_off,
        (_READY, "NodeStatusUnknown"),
        _join_again,
    ),
    NodeFault(
        "too-many-pods",
        "kubernetes.too_many_pods",
        "web",
        _allow_few_pods,
        (_EVENTS, "Too many pods"),
        _restart_kubelet,
    ),
    NodeFault(
        "dns-without-rights",
        "kubernetes.coredns_down",
        "coredns",
        _forbid_dns,
        ("get pods -n kube-system", "0/1"),
        _allow_dns,
    ),
    NodeFault(
        "corefile-of-another-zone",
        "network.cluster_zone_unserved",
        "coredns",
        _write_corefile("cluster.local", "cluster.lokal"),
        ("get configmap coredns -n kube-system -o yaml", "cluster.lokal"),
        _write_corefile("cluster.lokal", "cluster.local"),
    ),
    NodeFault(
        "dns-service-selects-nothing",
        "kubernetes.selector_matches_nothing",
        "kube-dns",
        _select_for_dns("coredns"),
        ("get endpointslices -n kube-system -l kubernetes.io/service-name=kube-dns", "<unset>"),
        _select_for_dns("kube-dns"),
    ),
)
# A document does not tell how old it is, so only a live look knows these.
UNTIMED = (
    NodeFault(
        "scheduler-stopped",
        "kubernetes.scheduler_down",
        "web",
        _stop_scheduler,
        ("get pods -n shop", "Pending"),
        lambda cluster: start_scheduler(cluster.layout, cluster.built),
        settle=35,
    ),
    NodeFault(
        "controllers-stopped",
        "kubernetes.controllers_down",
        "web",
        _stop_controllers,
        ("get deployment web -n shop", "web"),
        lambda cluster: start_controllers(cluster.layout, cluster.built),
        settle=35,
    ),
)
# Made last: when all the others are mended, nothing of them may be heard.
NOTHING = NodeFault(
    "nothing", "nothing", "", lambda _: None, ("get nodes", "node2"), lambda _: None
)
