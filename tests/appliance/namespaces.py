"""Machines of the tests: network namespaces on one bridge, all removed at the end."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

PREFIX = "sba-"
SUBNET = "10.77.0"


def run(*command: str, check: bool = True) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert not check or done.returncode == 0, (command, done.stderr)
    return done.stdout


class Machines:
    """Some namespaces of one run, each with an interface on the bridge of the first."""

    def __init__(self, tag: str) -> None:
        self._tag = tag
        self._processes: dict[str, subprocess.Popen[str]] = {}

    def name(self, machine: str) -> str:
        return f"{PREFIX}{self._tag}-{machine}"

    def up(self, addresses: Mapping[str, Sequence[int]]) -> None:
        """Make a machine for each name, with its addresses."""
        remove_stale()
        run("ip", "netns", "add", self.name("net"))
        self.ip("net", "link", "add", "br0", "type", "bridge")
        self.ip("net", "link", "set", "br0", "up")
        for machine, numbers in addresses.items():
            run("ip", "netns", "add", self.name(machine))
            peer = ("peer", "name", "eth0", "netns", self.name(machine))
            self.ip("net", "link", "add", f"p-{machine}", "type", "veth", *peer)
            self.ip("net", "link", "set", f"p-{machine}", "master", "br0", "up")
            self.ip(machine, "link", "set", "lo", "up")
            self.ip(machine, "link", "set", "eth0", "up")
            for number in numbers:
                self.ip(machine, "addr", "add", f"{SUBNET}.{number}/24", "dev", "eth0")

    def down(self) -> None:
        for process in self._processes.values():
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()
        _remove(f"{PREFIX}{self._tag}-")

    def ip(self, machine: str, *words: str, check: bool = True) -> str:
        return run("ip", "-n", self.name(machine), *words, check=check)

    def command(self, machine: str, *words: str) -> list[str]:
        """A command that runs on a machine."""
        return ["ip", "netns", "exec", self.name(machine), *words]

    def start(self, label: str, machine: str, *words: str, says: str = "") -> None:
        """Start a program on a machine, and wait for what it says once it is ready."""
        self.stop(label)
        process = subprocess.Popen(
            self.command(machine, *words),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if says else subprocess.DEVNULL,
            text=True,
        )
        self._processes[label] = process
        assert process.stdout
        while says:
            line = process.stdout.readline()
            assert line, f"{label} ended before it was ready"
            if re.search(says, line):
                break

    def stop(self, label: str) -> None:
        process = self._processes.pop(label, None)
        if process:
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()

    def resolver(self, machine: str, server: str) -> None:
        """Let a machine ask a DNS server: what is started on it later sees its own resolv.conf."""
        folder = Path("/etc/netns", self.name(machine))
        folder.mkdir(parents=True, exist_ok=True)
        text = f"nameserver {server}\noptions timeout:2 attempts:2\n"
        (folder / "resolv.conf").write_text(text)

    def wall(self, machine: str, *rule: str) -> None:
        run(*self.command(machine, "iptables", "-w", "-A", *rule))

    def open_walls(self, machine: str) -> None:
        run(*self.command(machine, "iptables", "-w", "-F"))


def remove_stale() -> None:
    """Remove what runs left that were killed."""
    for name in _names():
        owner = name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdecimal() and not Path("/proc", owner).exists():
            _remove(name)


def _names() -> list[str]:
    rows = run("ip", "netns", "list", check=False).splitlines()
    return [row.split()[0] for row in rows if row.startswith(PREFIX)]


def _remove(prefix: str) -> None:
    for name in _names():
        if name.startswith(prefix):
            for process in run("ip", "netns", "pids", name, check=False).split():
                run("kill", "-9", process, check=False)
            run("ip", "netns", "del", name, check=False)
            shutil.rmtree(f"/etc/netns/{name}", ignore_errors=True)


def tag() -> str:
    return str(os.getpid())
