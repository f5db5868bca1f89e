"""A whole test cluster: made, asked, and taken away."""

import fcntl
import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cluster import cleanup, control_plane
from tests.cluster.build import HERE, Built, build
from tests.cluster.certificates import Authority, write_kubeconfig
from tests.cluster.layout import MOST, Layout, Place
from tests.cluster.nodes import Node, make_bridge, make_namespace_folder
from tests.cluster.processes import succeeds, wait_for
from tests.cluster.registry import start_registries

NODES = 2


@dataclass(frozen=True)
class Cluster:
    """A cluster that runs, and its parts."""

    layout: Layout
    built: Built
    authority: Authority
    nodes: tuple[Node, ...]

    @property
    def kubeconfig(self) -> Path:
        return self.layout.admin

    def kubectl(self, *arguments: str, given: str | None = None, check: bool = True) -> str:
        """Run kubectl as the administrator, and give what it printed, errors included."""
        command = (self.built.program("kubectl"), f"--kubeconfig={self.kubeconfig}", *arguments)
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
        if check and done.returncode:
            raise RuntimeError(f"kubectl {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout + (done.stderr if not check else "")

    def get(self, *arguments: str) -> Any:
        return json.loads(self.kubectl("get", *arguments, "-o", "json"))

    def apply(self, objects: Sequence[object], namespace: str = "default") -> None:
        listed = {"apiVersion": "v1", "kind": "List", "items": list(objects)}
        self.kubectl("apply", "-n", namespace, "-f", "-", given=json.dumps(listed))

    def create(self, one: object, namespace: str) -> None:
        self.kubectl("create", "-n", namespace, "-f", "-", given=json.dumps(one))

    def kubeconfig_of(self, account: str, namespace: str) -> Path:
        """A kubeconfig with which one acts as a service account, and has only its rights."""
        token = self.kubectl("create", "token", account, "-n", namespace, "--duration=2h").strip()
        path = self.layout.state / f"{namespace}-{account}.conf"
        authority = self.authority.certificate
        return write_kubeconfig(path, self.layout.server, authority, [f"token: '{token}'"])

    def down(self) -> None:
        cleanup.remove(self.layout)


def up(layout: Layout) -> Cluster:
    """Make a cluster under a number that is free."""
    built = build()
    places = tuple(Place(layout, number) for number in range(1, NODES + 1))
    layout.logs.mkdir(parents=True)
    authority = control_plane.make_credentials(layout, places)
    make_bridge(layout)
    make_namespace_folder(layout)
    control_plane.start_store(layout)
    control_plane.start_server(layout, built)
    control_plane.start_controllers(layout, built)
    control_plane.start_scheduler(layout, built)
    nodes = tuple(Node(place, built) for place in places)
    for node in nodes:
        node.make(tuple(place for place in places if place is not node.place))
        node.start()
    cluster = Cluster(layout, built, authority, nodes)
    start_registries(layout)
    _wait_until_ready(cluster)
    return cluster


def owned() -> Layout:
    """A number that is free, and is taken back when this process is gone."""
    lock = Path(tempfile.gettempdir()) / "sickbay-cluster.lock"
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        cleanup.remove_orphans()
        for layout in map(Layout, range(1, MOST)):
            if not layout.state.exists():
                cleanup.remove(layout)
                layout.state.mkdir()
                owner = layout.state / cleanup.OWNER
                owner.write_text(cleanup.signature(os.getpid()))
                return layout
    raise RuntimeError(f"{MOST - 1} test clusters run already")


def _wait_until_ready(cluster: Cluster) -> None:
    def kubectl(*arguments: str) -> Sequence[str]:
        return (cluster.built.program("kubectl"), f"--kubeconfig={cluster.kubeconfig}", *arguments)

    for node in cluster.nodes:
        there = kubectl("get", "node", node.name)
        wait_for(f"{node.name} is registered", lambda there=there: succeeds(there))  # type: ignore[misc]
    manifest = (HERE / "manifests" / "coredns.yaml").read_text()
    cluster.kubectl("apply", "-f", "-", given=manifest.replace("{dns}", cluster.layout.dns))
    cluster.kubectl("wait", "--for=condition=Ready", "node", "--all", "--timeout=60s")
    names = ("deployment/coredns", "-n", "kube-system", "--timeout=90s")
    cluster.kubectl("rollout", "status", *names)
