"""Where a test cluster is: its number gives it folders, addresses and names of its own."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

MOST = 10
# What every process of a cluster carries in its environment, so that it is found after any crash.
MARK = "SICKBAY_CLUSTER_STATE"


@dataclass(frozen=True)
class Layout:
    """The names of the cluster with this number; everything that it makes bears one of them."""

    number: int = 0

    @property
    def state(self) -> Path:
        return Path(tempfile.gettempdir()) / f"sickbay-cluster-{self.number}"

    @property
    def keys(self) -> Path:
        return self.state / "pki"

    @property
    def logs(self) -> Path:
        return self.state / "log"

    @property
    def namespaces(self) -> Path:
        return self.state / "namespaces"

    @property
    def bridge(self) -> str:
        return f"sickbay{self.number}"

    @property
    def prefix(self) -> str:
        """How its addresses begin: nodes are in .0, pods of node N in .N, services above .128."""
        return f"10.{210 + self.number}"

    @property
    def host(self) -> str:
        return f"{self.prefix}.0.1"

    @property
    def dns(self) -> str:
        return f"{self.prefix}.128.10"

    @property
    def server(self) -> str:
        return f"https://{self.host}:6443"

    @property
    def registries(self) -> dict[str, str]:
        """Registries by the name that images give them: open, locked, and one that is down."""
        names = ("registry", "locked", "down")
        ports = range(5000, 5003)
        return {f"{n}.contoso.test": f"{self.host}:{p}" for n, p in zip(names, ports, strict=True)}

    @property
    def admin(self) -> Path:
        return self.state / "admin.conf"

    @property
    def mark(self) -> dict[str, str]:
        return {MARK: str(self.state)}


@dataclass(frozen=True)
class Place:
    """The names of one node."""

    layout: Layout
    number: int

    @property
    def name(self) -> str:
        return f"node{self.number}"

    @property
    def address(self) -> str:
        return f"{self.layout.prefix}.0.{10 + self.number}"

    @property
    def pods(self) -> str:
        return f"{self.layout.prefix}.{self.number}.0/24"

    @property
    def folder(self) -> Path:
        return self.layout.state / self.name

    @property
    def netns(self) -> str:
        return f"{self.layout.bridge}-{self.name}"

    @property
    def cgroup(self) -> str:
        return f"{self.layout.bridge}-{self.name}"

    @property
    def link(self) -> str:
        return f"sb{self.layout.number}n{self.number}"

    @property
    def mounts(self) -> Path:
        """The file that holds its view of the file system."""
        return self.layout.namespaces / self.name

    @property
    def logs(self) -> Path:
        """What the node has as /var/log."""
        return self.folder / "log"

    @property
    def lib(self) -> Path:
        """What the node has as /var/lib."""
        return self.folder / "lib"

    @property
    def etc(self) -> Path:
        """What the node has in /etc beside what the machine has there."""
        return self.folder / "etc"

    @property
    def enter(self) -> tuple[str, ...]:
        # Not `ip netns exec`: that mounts another /sys, in which a kubelet finds no control groups.
        return ("nsenter", f"--net=/run/netns/{self.netns}", f"--mount={self.mounts}")


def chosen() -> Layout:
    """The cluster of `make cluster-up`."""
    return Layout(int(os.environ.get("SICKBAY_CLUSTER", "0")))
