"""What the test cluster runs, built once and kept outside the checkout by version."""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.images import make_images
from tests.once import absent, alone, cache, construct, install

HERE = Path(__file__).parent
MODULE = HERE / "go"
KUBERNETES = "v1.34.4"
COREDNS = "v1.12.4"
PACKAGES = (
    "etcd-server containerd runc containernetworking-plugins iptables ipset conntrack socat "
    "iproute2 busybox-static docker-registry"
).split()
# What the packages bring; asked for by name, so that other systems than Debian can have them too.
COMMANDS = (
    "etcd containerd ctr runc iptables ipset conntrack socat ip busybox nsenter unshare curl "
    "docker-registry"
).split()
PROGRAMS = (
    *(
        f"k8s.io/kubernetes/cmd/{name}"
        for name in (
            "kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl"
        ).split()
    ),
    "k8s.io/kubernetes/test/images/agnhost",
)
_VERSION = "k8s.io/component-base/version"


@dataclass(frozen=True)
class Built:
    """A folder with the programs and the images of one version."""

    folder: Path

    @property
    def image_folder(self) -> Path:
        return self.folder / f"images-{digest_of(HERE / 'images.py')}"

    @property
    def images(self) -> tuple[Path, ...]:
        return tuple(sorted(self.image_folder.glob("*.tar")))

    def program(self, name: str) -> str:
        return str(self.folder / "bin" / name)

    @property
    def is_complete(self) -> bool:
        return (self.folder / "complete").exists()


def built() -> Built:
    """Where the programs of this version are, or will be."""
    return Built(cache() / f"kubernetes-{KUBERNETES}-{digest_of(*sorted(MODULE.iterdir()))}")


def missing() -> str:
    """Why no cluster can be made here, or nothing."""
    if sys.platform != "linux":
        return "a test cluster needs Linux (network namespaces and control groups)"
    if os.geteuid() != 0:
        return "a test cluster needs root (network namespaces and control groups)"
    lacking = absent(COMMANDS)
    if lacking and not shutil.which("apt-get"):
        return f"a test cluster needs these programs: {' '.join(lacking)}"
    if not built().is_complete:
        lacking = absent(("go", "gcc"))
        if lacking:
            return f"the programs of the test cluster need building, and so {' '.join(lacking)}"
    return ""


def build() -> Built:
    """Build what is not built yet; ten minutes when nothing is cached, nothing otherwise."""
    result = built()
    _install_packages()
    with alone(result.folder.name):
        if not result.is_complete:
            _build_programs(result)
        if not result.images:
            say("packing images")
            make_images(result.folder / "bin", result.image_folder)
    return result


def _build_programs(result: Built) -> None:
    (result.folder / "bin").mkdir(parents=True, exist_ok=True)
    say(f"building Kubernetes {KUBERNETES} (minutes when cold)")
    major, minor = KUBERNETES.removeprefix("v").split(".")[:2]
    stamps = {"gitVersion": KUBERNETES, "gitMajor": major, "gitMinor": minor}
    flags = " ".join(["-s -w", *(f"-X {_VERSION}.{key}={value}" for key, value in stamps.items())])
    _go(result, "build", f"-ldflags={flags}", "-o", str(result.folder / "bin") + "/", *PROGRAMS)
    say(f"building CoreDNS {COREDNS}")
    _go(result, "install", "-ldflags=-s -w", f"github.com/coredns/coredns@{COREDNS}")
    pause = (str(MODULE / "pause.c"), "-o", result.program("pause"))
    subprocess.run(["gcc", "-static", "-Os", "-s", *pause], check=True)
    (result.folder / "complete").touch()


def _go(result: Built, *arguments: str) -> None:
    settings = {"GOBIN": str(result.folder / "bin"), "GOFLAGS": "-mod=mod"}
    # A copy, because the tool may write to it, and the checkout stays as it is.
    module = result.folder / "module"
    shutil.copytree(MODULE, module, dirs_exist_ok=True)
    where = module if arguments[0] == "build" else result.folder
    construct(["go", *arguments], where, settings)


def _install_packages() -> None:
    if not absent(COMMANDS) and Path("/usr/lib/cni/host-local").exists():
        return
    say(f"installing {' '.join(PACKAGES)}")
    install(PACKAGES)


def digest_of(*files: Path) -> str:
    """What tells one set of files from another."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.read_bytes())
    return whole.hexdigest()[:12]


def say(text: str) -> None:
    """Tell what goes on, to whoever waits."""
    print(f"cluster: {text}", file=sys.stderr, flush=True)  # noqa: T201
