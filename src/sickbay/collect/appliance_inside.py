"""What the appliance VM tells of itself once we are in: addresses, clock, etcd, and its logs."""

import io
import re
import shlex
import time
from typing import Final

from sickbay.bundle.foreign import read
from sickbay.bundle.intake import Evidence
from sickbay.bundle.sink import Sink
from sickbay.collect.ssh import Output, Shell
from sickbay.model.evidence import Gap, Reason
from sickbay.record import NamedTuple

_SECONDS: Final = 20.0
_MOST_BYTES: Final = 2_000_000
_MOST_LOGS: Final = 40
# Rights of the administrator where the login has them, and plain ones where not.
_SUDO: Final = "$(sudo -n true 2>/dev/null && echo sudo -n)"
_LOGS: Final = (
    "/var/log/kva.log",
    "/var/log/kva/*.log",
    "/var/log/keepalived*.log",
    "/var/log/cloud-init*.log",
    "/var/log/messages",
    "/var/log/pods/*etcd*/*/*.log",
    "/var/log/pods/*kube-apiserver*/*/*.log",
    "/var/log/pods/*keepalived*/*/*.log",
    "/var/log/pods/*appliance*/*/*.log",
)
_UNITS: Final = ("kubelet", "containerd", "systemd-networkd", "keepalived")
_METRIC: Final = "etcd_disk_wal_fsync_duration_seconds_bucket"
_BUCKET: Final = rf'(?m)^{_METRIC}\{{[^}}\n]*le="([^"]+)"[^}}\n]*\}}\s+([0-9.e+]+)'
_MOST: Final = 0.99
_FEWEST: Final = 100


class Inside(NamedTuple):
    """What the VM says of itself."""

    addresses: list[str] | None
    ahead: float | None
    etcd_sync_milliseconds: float | None


async def inside(shell: Shell) -> Inside:
    """Ask the VM for its addresses, its time and the sync times of etcd."""
    before = time.time()
    clock = await shell.run("date -u +%s", _SECONDS)
    between = (before + time.time()) / 2
    addresses = await shell.run("ip -o addr show scope global", _SECONDS)
    metrics = await shell.run(
        f"curl -s -m 5 http://127.0.0.1:2381/metrics | grep -F {_METRIC}", _SECONDS
    )
    told = clock.out.decode("ascii", "replace").strip()
    return Inside(
        _addresses(addresses),
        round(int(told) - between, 1) if told.isdecimal() else None,
        sync_milliseconds(metrics.out.decode("utf-8", "replace")),
    )


async def note_logs(shell: Shell, sink: Sink) -> int:
    """Hand in the ends of the logs; return how many there were."""
    noted = 0
    for path in await _logs(shell):
        command = f"{_SUDO} tail -c {_MOST_BYTES} {shlex.quote(path)}"
        noted += _note(f"appliance{path}", await shell.run(command, _SECONDS), sink)
    for unit in _UNITS:
        command = f"{_SUDO} journalctl -u {unit} -o short-iso --no-pager -n 5000 2>/dev/null"
        noted += _note(f"appliance/journal/{unit}.log", await shell.run(command, _SECONDS), sink)
    if not noted:
        what = "the login succeeded, but no log could be read"
        hint = "let the login read /var/log, or run az arcappliance logs"
        sink.gap(Gap("appliance", what, Reason.FORBIDDEN, hint))
    return noted


async def _logs(shell: Shell) -> list[str]:
    command = shlex.quote(f"ls -1d {' '.join(_LOGS)}")
    listed = await shell.run(f"{_SUDO} sh -c {command}", _SECONDS)
    paths = listed.out.decode("utf-8", "replace").splitlines()
    return [path for path in paths if path.startswith("/var/log/")][:_MOST_LOGS]


def _note(source: str, output: Output, sink: Sink) -> bool:
    data = output.out
    if output.code or not data.strip() or data.startswith(b"-- No entries --"):
        return False
    read(Evidence(source, len(data), lambda: io.BytesIO(data)), sink)
    return True


def _addresses(output: Output) -> list[str] | None:
    text = output.out.decode("utf-8", "replace")
    found = re.findall(r"\binet6? ([0-9a-fA-F.:]+)/", text)
    return sorted(set(found)) if output.code == 0 and found else None


def sync_milliseconds(metrics: str) -> float | None:
    """The time within which 99 of 100 writes were done, from the buckets of etcd."""
    buckets = sorted(
        (float("inf") if bound == "+Inf" else float(bound), float(count))
        for bound, count in re.findall(_BUCKET, metrics)
    )
    if not buckets or buckets[-1][1] < _FEWEST:
        return None
    wanted = buckets[-1][1] * _MOST
    lower, below = 0.0, 0.0
    for bound, count in buckets:
        if count >= wanted:
            if bound == float("inf"):
                return round(lower * 1000, 1)
            share = (wanted - below) / (count - below) if count > below else 1.0
            return round((lower + (bound - lower) * share) * 1000, 1)
        lower, below = bound, count
    return None
