"""What the world of the tests is made of: packages, and the simulated vCenter, built once."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

from tests.once import absent, alone, cache, construct, install

HERE = Path(__file__).parent
PACKAGES = "openssh-server dnsmasq-base tinyproxy-bin iputils-ping curl iptables iproute2".split()
COMMANDS = "sshd ssh-keygen dnsmasq tinyproxy ping curl iptables ip unshare bash".split()


def missing() -> str:
    """Why this machine cannot hold the world, or an empty string."""
    if sys.platform != "linux":
        return "network namespaces are a matter of Linux"
    if os.geteuid() != 0:
        return "making network namespaces needs root"
    if lacking := absent(COMMANDS):
        return f"these programs are not installed: {' '.join(lacking)}"
    if not vcsim().exists() and shutil.which("go") is None:
        return "the simulated vCenter is not built, and there is no Go to build it"
    return ""


def prepare() -> None:
    """Install what is missing, and build the vCenter."""
    if absent(COMMANDS) and os.geteuid() == 0 and shutil.which("apt-get"):
        install(PACKAGES)
    build()


def build() -> None:
    """Build the vCenter, unless this version of it is there."""
    program = vcsim()
    if program.exists():
        return
    with alone(program.name):
        if program.exists():
            return
        unfinished = program.with_suffix(".unfinished")
        command = ["go", "build", "-ldflags=-s -w", "-o", str(unfinished), "."]
        construct(command, HERE / "vcsim", {})
        unfinished.replace(program)


def vcsim() -> Path:
    """The program, by the content of what it is built from, outside the checkout."""
    digest = hashlib.sha256()
    for path in sorted((HERE / "vcsim").iterdir()):
        digest.update(path.read_bytes())
    return cache() / f"vcsim-{digest.hexdigest()[:12]}"
