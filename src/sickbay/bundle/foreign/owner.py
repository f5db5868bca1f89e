"""Whose a log is and of what kind.

From its path, as the collectors lay it out, and from its first lines.
"""

import re
from typing import Final

from sickbay.bundle.foreign.node_logs import kind_of, node_in
from sickbay.model.ids import Ref, kube
from sickbay.record import NamedTuple


class Owner(NamedTuple):
    about: Ref | None
    channel: str


# Patterns stay as text: what is quick to look for decides whether one is asked.
_NODE: Final = (
    r"(?:^|[/_.-])((?:aks|akswin|aksnpwin)[a-z0-9-]*(?:vmss|win)[0-9a-z]{5,8})(?=$|[/_.-])"
)
# A folder for each node, as must-gather has it for nodes of any name.
_NODE_FOLDER: Final = r"(?:^|/)(?:nodes|node-logs|nodelogs)/([a-z0-9][a-z0-9.-]*[a-z0-9])/"
# Each with the group `pod`, and `ns` where the path tells it.
_POD_PATHS: Final = (
    # The node's own: /var/log/pods/NS_POD_UID/CONTAINER/0.log, /var/log/containers/POD_NS_CONTAINER-ID.log
    r"(?:^|/)(?P<ns>[a-z0-9-]+)_(?P<pod>[a-z0-9.-]+)_[0-9a-f-]{32,36}/[\w.-]+/\d+\.log(?:\.[\w.-]+)?$",
    r"(?:^|/)(?P<pod>[a-z0-9.-]+)_(?P<ns>[a-z0-9-]+)_[\w.-]+-[0-9a-f]{64}\.log$",
    # must-gather: namespaces/NS/pods/POD/CONTAINER/CONTAINER/logs/current.log
    r"(?:^|/)namespaces/(?P<ns>[a-z0-9-]+)/pods/(?P<pod>[a-z0-9.-]+)/",
    # Support bundles: cluster-resources/pods/logs/NS/POD/CONTAINER.log
    r"(?:^|/)pods/logs/(?P<ns>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)/[\w.-]+\.log$",
    # The diagnoser of connectedk8s: arc_agents_logs/POD/CONTAINER.txt
    r"(?:^|/)arc_agents?_logs/(?P<pod>[a-z0-9.-]+)/[\w.-]+\.txt$",
    # kubectl cluster-info dump: NS/POD/logs.txt
    r"(?:^|/)(?P<ns>[a-z0-9-]+)/(?P<pod>[a-z0-9.-]+)/logs?\.txt$",
)
# In lower case.
_CHANNELS: Final = (
    ("log/kubelet", ("kubelet",)),
    ("log/containerd", ("containerd",)),
    ("log/cse", ("cluster-provision", "cse_output", "cse-output", "cseoutput", "cse_log", "cse-log", "cselog", "customdatasetupscript")),
    ("log/cloud-init", ("cloud-init",)),
    ("log/appliance", ("kva.log", "appliance")),
    ("log/aso", ("azureserviceoperator", "aso-controller")),
    ("log/kernel", ("dmesg", "kern.log")),
    ("log/coredns", ("coredns",)),
    ("log/kube-proxy", ("kube-proxy",)),
    ("log/arc", ("arc_agent_logs/", "arc_agents_logs/")),
)  # fmt: skip
_BY_CONTENT: Final = (
    ("log/aso", ("generic_reconciler.go", "logger=", "Encountered error impacting Ready"), r"generic_reconciler\.go|logger=\"?\w+_\w+\"?|Encountered error impacting Ready"),
    ("log/kubelet", ("kubelet[", "kuberuntime_manager.go", "pod_workers.go", "reconciler_common.go"), r"kubelet\[\d+\]|kuberuntime_manager\.go|pod_workers\.go|reconciler_common\.go"),
    ("log/containerd", ("containerd[", "level="), r"containerd\[\d+\]|level=\w+ msg=\"(?:RunPodSandbox|PullImage)"),
    ("log/cse", ("provision", "retrycmd", "ERR_", "[stdout]"), r"(?m)^\+ .*(?:provision|retrycmd)|ERR_[A-Z_]+_?TIMEOUT|\[stdout\]"),
)  # fmt: skip
_COMMAND_WITHIN: Final = 2_000
# What `kubectl logs` takes and whose name a log can be told by.
_LOGGED: Final = frozenset({"Pod", "Deployment", "StatefulSet", "DaemonSet", "Job", "ReplicaSet"})


def owner_of(source: str, head: str = "") -> Owner:
    """Say what the path and the first lines tell of a log."""
    return Owner(_about(source, head), _channel(source, head))


def channel_of(source: str) -> str:
    """The kind of a log, by its path alone."""
    path = source.casefold()
    for channel, words in _CHANNELS:
        if any(word in path for word in words):
            return channel
    return "log/aso" if "aso" in path and re.search(r"\baso\b", path) else "log"


def _about(source: str, head: str) -> Ref | None:
    # A pasted text has no path, and asking the patterns takes time.
    for pattern in _POD_PATHS if "/" in source or "_" in source else ():
        if found := re.search(pattern, source):
            parts = found.groupdict()
            # The diagnoser of connectedk8s looks into one namespace.
            return kube("Pod", parts.get("ns") or "azure-arc", found["pod"])
    node = re.search(_NODE, source) if "aks" in source else None
    if node is None and "/" in source:
        node = re.search(_NODE_FOLDER, source)
    if node:
        return kube("Node", "", node[1])
    return _logged(head) or _host(head)


def _logged(head: str) -> Ref | None:
    """The pod or workload that a command above the text asked the logs of."""
    line = head[:_COMMAND_WITHIN].lstrip().partition("\n")[0]
    if "logs" not in line or "kubectl" not in line:
        return None
    from sickbay.bundle.foreign.kubectl_commands import command_in  # noqa: PLC0415 - few have one

    command = command_in(line)
    if command is None or command.verb != "logs" or not command.resource:
        return None
    if command.kind in _LOGGED and command.names:
        return kube(command.kind, command.scope, command.names[0])
    return kube("Pod", command.scope, command.resource)


def _host(head: str) -> Ref | None:
    name = node_in(head)
    return kube("Node", "", name) if name else None


def _channel(source: str, head: str) -> str:
    found = channel_of(source)
    if found != "log":
        return found
    for channel, marks, pattern in _BY_CONTENT:
        if any(mark in head for mark in marks) and re.search(pattern, head):
            return channel
    return kind_of(head) or "log"
