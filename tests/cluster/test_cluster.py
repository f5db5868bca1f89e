"""The test cluster itself: it works, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.cluster import cleanup
from tests.cluster.asking import diagnosed, diagnosed_folder
from tests.cluster.build import HERE
from tests.cluster.certificates import Subject
from tests.cluster.control_plane import kubeconfig_of
from tests.cluster.fault import faults
from tests.cluster.layout import Layout
from tests.cluster.running import Cluster

ROOT = HERE.parents[1]
# Begins a cluster as the tests do, says where, and waits to be killed.
_OWNER = """
import time
from tests.cluster.nodes import make_bridge, make_namespace_folder
from tests.cluster.control_plane import start_store
from tests.cluster.running import owned
layout = owned()
layout.logs.mkdir()
make_bridge(layout)
make_namespace_folder(layout)
start_store(layout)
print(layout.number, flush=True)
time.sleep(600)
"""


def test_no_two_faults_make_the_same_object_outside_a_namespace(cluster: Cluster) -> None:
    listed = cluster.kubectl("api-resources", "--namespaced=false", "--no-headers")
    outside = {line.split()[-1] for line in listed.splitlines()}
    made = [
        (each["kind"], each["metadata"]["name"])
        for fault in faults()
        for each in fault.manifests
        if each["kind"] in outside
    ]
    assert made
    assert len(made) == len(set(made))


def test_two_nodes_are_ready_and_run_pods(cluster: Cluster) -> None:
    nodes = cluster.get("nodes")["items"]
    ready = [
        c["status"] for node in nodes for c in node["status"]["conditions"] if c["type"] == "Ready"
    ]
    assert ready == ["True", "True"]
    pods = cluster.get("pods", "-n", "kube-system")["items"]
    assert {pod["spec"]["nodeName"] for pod in pods} == {"node1", "node2"}


def test_a_name_resolves_in_a_pod_and_its_service_answers(cluster: Cluster) -> None:
    ask = ("connect", "kubernetes.default.svc.cluster.local:443", "--timeout=10s")
    image = ("--image=localhost/agnhost:1", "--restart=Never")
    cluster.kubectl("run", "ask", "-n", "default", *image, "--", *ask)
    succeeded = "--for=jsonpath={.status.phase}=Succeeded"
    cluster.kubectl("wait", "-n", "default", "pod/ask", succeeded, "--timeout=60s")
    cluster.kubectl("delete", "pod", "ask", "-n", "default", "--wait=false")


def test_nothing_leaves_the_machine(cluster: Cluster) -> None:
    route = cluster.nodes[0].run("ip", "route", "get", "192.0.2.200")
    assert f"via {cluster.layout.host} dev eth0" in route
    assert Path("/proc/sys/net/ipv4/ip_forward").read_text().strip() == "0"


def test_a_restricted_account_has_only_its_rights(cluster: Cluster) -> None:
    path = cluster.kubeconfig_of("default", "kube-public")
    command = (cluster.built.program("kubectl"), f"--kubeconfig={path}", "get", "pods", "-A")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "system:serviceaccount:kube-public:default" in done.stderr
    assert "cannot list resource" in done.stderr


def test_an_expired_client_certificate_is_named_live_and_rejected_in_print(
    cluster: Cluster, tmp_path: Path
) -> None:
    admin = Subject("admin", "system:masters")
    late = kubeconfig_of(cluster.layout, cluster.authority, "late", admin, days=-1)
    told = diagnosed("--kubeconfig", str(late))
    assert told.found[0]["rule"] == "kubernetes.client_certificate_expired"
    command = (cluster.built.program("kubectl"), f"--kubeconfig={late}", "get", "pods")
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    (tmp_path / "printed.txt").write_text(printed)
    first = diagnosed_folder(tmp_path / "printed.txt").found[0]
    assert first["rule"] == "kubernetes.kubeconfig_rejected"


def test_a_cluster_whose_owner_was_killed_is_taken_away(cluster: Cluster) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", _OWNER], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert owner.stdout is not None
    layout = Layout(int(owner.stdout.readline()))
    assert layout != cluster.layout
    assert cleanup.leftovers(layout)
    os.kill(owner.pid, signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    cleanup.remove_orphans()
    assert cleanup.leftovers(layout) == []
    assert cleanup.leftovers(cluster.layout)
