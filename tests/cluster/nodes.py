"""The nodes of a test cluster: each a network with its own containerd, kubelet and kube-proxy."""

import json
import subprocess
from pathlib import Path

from tests.cluster.build import Built
from tests.cluster.layout import Layout, Place
from tests.cluster.processes import pid_of, start, stop, succeeds, wait_for

_CGROUPS = Path("/sys/fs/cgroup")
_CONTROLLERS = "cpu cpuacct cpuset memory devices freezer blkio pids systemd".split()


def make_bridge(layout: Layout) -> None:
    """One bridge joins all nodes and the control plane; nothing is forwarded beyond it."""
    _run("ip", "link", "add", layout.bridge, "type", "bridge")
    _run("ip", "addr", "add", f"{layout.host}/24", "dev", layout.bridge)
    _run("ip", "link", "set", layout.bridge, "up")


def make_namespace_folder(layout: Layout) -> None:
    """A folder that can hold mount namespaces: it is apart from the machine's other mounts."""
    layout.namespaces.mkdir()
    _run("mount", "--bind", str(layout.namespaces), str(layout.namespaces))
    _run("mount", "--make-private", str(layout.namespaces))


class Node:
    """One node, whose parts can be started and stopped for themselves."""

    def __init__(self, place: Place, built: Built) -> None:
        self.place, self.built, self.layout = place, built, place.layout
        self.name = place.name

    def make(self, others: tuple[Place, ...]) -> None:
        """Lay out its network, files and control groups."""
        for folder in (self.place.logs, self.place.lib, self.place.etc, self.place.folder / "work"):
            folder.mkdir(parents=True)
        self._join_network(others)
        self._make_cgroups()
        self.write_network()
        self._write_runtime()
        self.write_kubelet()
        self._mount()
        self.run("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")

    def start_runtime(self) -> None:
        self._start("containerd", "containerd", "--config", "/etc/containerd/node.toml")
        version = (*self.place.enter, "ctr", "version")
        wait_for(f"containerd of {self.name} answers", lambda: succeeds(version))

    def import_images(self) -> None:
        for image in self.built.images:
            self.run("ctr", "-n", "k8s.io", "images", "import", str(image))

    def start_kubelet(self) -> None:
        self._start(
            "kubelet",
            self.built.program("kubelet"),
            f"--kubeconfig={self.layout.state / f'kubelet-{self.name}.conf'}",
            "--config=/etc/kubernetes/kubelet.yaml",
            f"--hostname-override={self.name}",
            f"--node-ip={self.place.address}",
            "--v=2",
        )

    def start_proxy(self, *more: str) -> None:
        self._start(
            "kube-proxy",
            self.built.program("kube-proxy"),
            f"--kubeconfig={self.layout.state / 'proxy.conf'}",
            f"--hostname-override={self.name}",
            "--proxy-mode=iptables",
            f"--cluster-cidr={self.layout.prefix}.0.0/17",
            # The machine's own table is not ours to size.
            "--conntrack-max-per-core=0",
            "--healthz-bind-address=0.0.0.0:10256",
            *more,
        )

    def start(self) -> None:
        self.start_runtime()
        self.import_images()
        self.start_kubelet()
        self.start_proxy()

    def stop_part(self, part: str) -> None:
        """Stop its kubelet, containerd or kube-proxy."""
        stop(self.layout, f"{self.name}-{part}")

    def pid_of_part(self, part: str) -> int:
        return pid_of(self.layout, f"{self.name}-{part}")

    def run(self, *command: str) -> str:
        """Run a command on the node: in its network, with its files."""
        return _run(*self.place.enter, *command)

    def write_network(self, subnet: str = "") -> None:
        """Configure its network plugin, by default with the whole range of the node."""
        ranges = [[{"subnet": self.place.pods} | ({"rangeEnd": subnet} if subnet else {})]]
        bridge = {
            "type": "bridge",
            "bridge": "cni0",
            "isGateway": True,
            "ipMasq": False,
            "hairpinMode": True,
            "ipam": {
                "type": "host-local",
                "ranges": ranges,
                "routes": [{"dst": "0.0.0.0/0"}],
            },
        }
        ports = {"type": "portmap", "capabilities": {"portMappings": True}}
        plugins = {"cniVersion": "0.4.0", "name": "pods", "plugins": [bridge, ports]}
        self._write("cni/net.d/10-bridge.conflist", json.dumps(plugins))

    def write_kubelet(self, **changed: object) -> None:
        """Write its kubelet's configuration, with other values than usual where asked."""
        place, keys = self.place, self.layout.keys
        settings: dict[str, object] = {
            "apiVersion": "kubelet.config.k8s.io/v1beta1",
            "kind": "KubeletConfiguration",
            "authentication": {
                "anonymous": {"enabled": False},
                "webhook": {"enabled": True},
                "x509": {"clientCAFile": str(keys / "ca.crt")},
            },
            "authorization": {"mode": "Webhook"},
            "clusterDomain": "cluster.local",
            "clusterDNS": [self.layout.dns],
            "cgroupDriver": "cgroupfs",
            "cgroupRoot": f"/{place.cgroup}",
            "cgroupsPerQOS": True,
            "enforceNodeAllocatable": ["pods"],
            "failSwapOn": False,
            "containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock",
            "tlsCertFile": str(keys / f"kubelet-{place.name}.crt"),
            "tlsPrivateKeyFile": str(keys / f"kubelet-{place.name}.key"),
            "resolvConf": "/etc/resolv.conf",
            "nodeStatusUpdateFrequency": "4s",
            "imageGCHighThresholdPercent": 100,
            # A fault that was mended is over at once, not after five minutes.
            "evictionPressureTransitionPeriod": "2s",
            "enableSystemLogHandler": True,
            "enableSystemLogQuery": True,
            "featureGates": {"NodeLogQuery": True},
            "evictionHard": {
                "memory.available": "100Mi",
                "nodefs.available": "1%",
                "imagefs.available": "1%",
            },
        }
        self._write("kubernetes/kubelet.yaml", json.dumps(settings | changed))
        # Nobody listens there: what is no name of the cluster is not looked up anywhere.
        self._write("resolv.conf", "nameserver 127.0.0.1\n")

    def _write(self, path: str, text: str) -> None:
        """Write a file of its /etc; from inside once it is mounted, so that watchers notice."""
        if not self.place.mounts.exists():
            (self.place.etc / path).parent.mkdir(parents=True, exist_ok=True)
            (self.place.etc / path).write_text(text)
            return
        command = [*self.place.enter, "tee", f"/etc/{path}"]
        subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.DEVNULL)

    def _start(self, part: str, *command: str) -> None:
        log = self.place.logs / f"{part}.log"
        start(self.layout, f"{self.name}-{part}", (*self.place.enter, *command), log)

    def _mount(self) -> None:
        """Give it a view of the file system in which what a node writes is its own."""
        place = self.place
        layers = f"lowerdir=/etc,upperdir={place.etc},workdir={place.folder / 'work'}"
        mounts = (
            "mount --make-rshared /",
            f"mount -t overlay overlay -o {layers} /etc",
            f"mount --bind {place.lib} /var/lib",
            f"mount --bind {place.logs} /var/log",
            "mount -t tmpfs tmpfs /run",
            "mkdir -p /run/netns /run/lock",
        )
        place.mounts.touch()
        apart = ("unshare", f"--mount={place.mounts}", "--propagation=private")
        _run(*apart, "sh", "-ec", "; ".join(mounts))

    def _join_network(self, others: tuple[Place, ...]) -> None:
        place, name = self.place, self.place.netns
        _run("ip", "netns", "add", name)
        _run("ip", "link", "add", place.link, "type", "veth", "peer", "name", "eth0", "netns", name)
        _run("ip", "link", "set", place.link, "master", self.layout.bridge, "up")
        _run("ip", "-n", name, "addr", "add", f"{place.address}/24", "dev", "eth0")
        for link in ("eth0", "lo"):
            _run("ip", "-n", name, "link", "set", link, "up")
        # The host does not forward: what goes beyond the bridge ends there.
        _run("ip", "-n", name, "route", "add", "default", "via", self.layout.host)
        for other in others:
            _run("ip", "-n", name, "route", "add", other.pods, "via", other.address)
        _run("ip", "route", "replace", place.pods, "via", place.address)

    def _make_cgroups(self) -> None:
        if (_CGROUPS / "cgroup.controllers").exists():
            (_CGROUPS / self.place.cgroup).mkdir(exist_ok=True)
            return
        for controller in _CONTROLLERS:
            if (_CGROUPS / controller).is_dir():
                (_CGROUPS / controller / self.place.cgroup).mkdir(exist_ok=True)
        sets = _CGROUPS / "cpuset"
        for name in ("cpuset.cpus", "cpuset.mems"):
            (sets / self.place.cgroup / name).write_text((sets / name).read_text())

    def _write_runtime(self) -> None:
        place = self.place
        for host, address in self.layout.registries.items():
            # Known by name without asking a name server.
            folder = place.etc / "containerd" / "certs.d" / host
            folder.mkdir(parents=True)
            (folder / "hosts.toml").write_text(
                f'server = "http://{address}"\n[host."http://{address}"]\n'
                'capabilities = ["pull", "resolve"]\n'
            )
        plugin = 'plugins."io.containerd.grpc.v1.cri"'
        (place.etc / "containerd" / "node.toml").write_text(f"""version = 2
[{plugin}]
  sandbox_image = "localhost/pause:1"
  # The machine may not allow a lower score than ours.
  restrict_oom_score_adj = true
  [{plugin}.cni]
    bin_dir = "/usr/lib/cni"
  [{plugin}.registry]
    config_path = "/etc/containerd/certs.d"
""")


def _run(*command: str) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout
