"""Whose a log is and of what kind.

From its path, as the collectors lay it out, and from its first lines.
"""

import re
from typing import Final, NamedTuple

from sickbay.bundle.foreign.kubectl_columns import UNTOLD_NAMESPACE, kind_called
from sickbay.bundle.foreign.kubectl_commands import command_in
from sickbay.bundle.foreign.node_logs import kind_of, node_in
from sickbay.model.ids import Ref, kube


class Owner(NamedTuple):
    about: Ref | None
    channel: str


_NODE: Final = re.compile(
    r"(?:^|[/_.-])((?:aks|akswin|aksnpwin)[a-z0-9-]*(?:vmss|win)[0-9a-z]{5,8})(?=$|[/_.-])"
)
# A folder for each node, as must-gather and Periscope have it for nodes of any name.
_NODE_FOLDER: Final = re.compile(
    r"(?:^|/)(?:nodes|node-logs|host-collectors|nodelogs)/([a-z0-9][a-z0-9.-]*[a-z0-9])/"
)
# Each with the groups `ns` (not always) and `pod`.
_POD_PATHS: Final = (
    # The node's own: /var/log/pods/NS_POD_UID/CONTAINER/0.log, /var/log/containers/POD_NS_CONTAINER-ID.log
    r"(?:^|/)(?P<ns>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_[0-9a-f-]{32,36}/[\w.-]+/\d+\.log(?:\.[\w.-]+)?$",
    r"(?:^|/)(?P<pod>[a-z0-9.-]+)_(?P<ns>[a-z0-9-]+)_[\w.-]+-[0-9a-f]{64}\.log$",
    # must-gather: namespaces/NS/pods/POD/CONTAINER/CONTAINER/logs/current.log
    r"(?:^|/)namespaces/(?P<ns>[a-z0-9-]+)/pods/(?P<pod>[a-z0-9.-]+)/",
    # Support bundles: cluster-resources/pods/logs/NS/POD/CONTAINER.log
    r"(?:^|/)pods/logs/(?P<ns>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)/[\w.-]+\.log$",
    # The diagnoser of connectedk8s: arc_agents_logs/POD/CONTAINER.txt
    r"(?:^|/)(?P<arc>arc_agents?_logs)/(?P<pod>[a-z0-9.-]+)/[\w.-]+\.txt$",
    # kubectl cluster-info dump: NS/POD/logs.txt
    r"(?:^|/)(?P<ns>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)/logs?\.txt$",
)
_CHANNELS: Final = (
    ("log/kubelet", re.compile(r"(?i)kubelet")),
    ("log/containerd", re.compile(r"(?i)containerd")),
    ("log/cse", re.compile(r"(?i)cluster-provision|cse[_-]?(?:output|log)|customdatasetupscript")),
    ("log/cloud-init", re.compile(r"(?i)cloud-init")),
    ("log/appliance", re.compile(r"(?i)kva\.log|arcappliance|appliance")),
    ("log/aso", re.compile(r"(?i)azureserviceoperator|aso-controller|\baso\b")),
    ("log/kernel", re.compile(r"(?i)dmesg|kern\.log")),
    ("log/coredns", re.compile(r"(?i)coredns")),
    ("log/kube-proxy", re.compile(r"(?i)kube-proxy")),
    ("log/arc", re.compile(r"(?i)arc_agents?_logs/")),
)
_BY_CONTENT: Final = (
    ("log/aso", re.compile(r"(?m)generic_reconciler\.go|logger=\"?\w+_\w+\"?|Encountered error impacting Ready")),
    ("log/kubelet", re.compile(r"(?m)kubelet\[\d+\]|kuberuntime_manager\.go|pod_workers\.go|reconciler_common\.go")),
    ("log/containerd", re.compile(r"(?m)containerd\[\d+\]|level=\w+ msg=\"(?:RunPodSandbox|PullImage)")),
    ("log/cse", re.compile(r"(?m)^\+ .*(?:provision|retrycmd)|ERR_[A-Z_]+_?TIMEOUT|\[stdout\]")),
)  # fmt: skip
_COMMAND_WITHIN: Final = 2_000
# What `kubectl logs` takes and whose name a log can be told by.
_LOGGED: Final = frozenset({"Pod", "Deployment", "StatefulSet", "DaemonSet", "Job", "ReplicaSet"})


def owner_of(source: str, head: str = "") -> Owner:
    """Say what the path and the first lines tell of a log."""
    return Owner(_about(source, head), _channel(source, head))


def channel_of(source: str) -> str:
    """The kind of a log, by its path alone."""
    return next((channel for channel, pattern in _CHANNELS if pattern.search(source)), "log")


def _about(source: str, head: str) -> Ref | None:
    # A pasted text has no path, and asking the patterns takes time.
    for pattern in _POD_PATHS if "/" in source or "_" in source else ():
        if found := re.search(pattern, source):
            parts = found.groupdict()
            namespace = "azure-arc" if parts.get("arc") else parts.get("ns") or UNTOLD_NAMESPACE
            return kube("Pod", namespace, found["pod"])
    node = _NODE.search(source) or _NODE_FOLDER.search(source)
    if node:
        return kube("Node", "", node[1])
    return _logged(head) or _host(head)


def _logged(head: str) -> Ref | None:
    """The pod or workload that a command above the text asked the logs of."""
    lines = head[:_COMMAND_WITHIN].lstrip().partition("\n")
    command = command_in(lines[0]) if "logs" in lines[0] else None
    if command is None or command.verb != "logs" or not command.resource:
        return None
    namespace = command.namespace or UNTOLD_NAMESPACE
    kind = kind_called(command.resource) if command.names else "Pod"
    name = command.names[0] if kind in _LOGGED and command.kind else command.resource
    return kube(kind if command.kind and command.names else "Pod", namespace, name)


def _host(head: str) -> Ref | None:
    name = node_in(head)
    return kube("Node", "", name) if name else None


def _channel(source: str, head: str) -> str:
    found = channel_of(source)
    if found != "log":
        return found
    for channel, pattern in _BY_CONTENT:
        if pattern.search(head):
            return channel
    return kind_of(head) or "log"
