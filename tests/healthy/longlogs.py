"""Writes the long logs of the healthy folders: hours of what programs print while all is well.

`python tests/healthy/longlogs.py` writes them anew. What a program prints stands in `phrases/`, in
blocks: one under `@start` is printed once, one under `@3x` three times, one under `@3` three times
as often as one under `@1`. The same phrases always give the same bytes, and a test holds that what
is stored is what they give.
"""

import gzip
import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

HERE: Final = Path(__file__).parent
_START: Final = datetime(2026, 11, 16, 8, 15, tzinfo=UTC)
_PLACE: Final = re.compile(r"\{([a-z]+\d*)\}")
_CLOCKS: Final = {
    "iso": "%Y-%m-%dT%H:%M:%S.%fZ",
    "klog": "%m%d %H:%M:%S.%f",
    "syslog": "%b %d %H:%M:%S",
    "nginx": "%d/%b/%Y:%H:%M:%S +0000",
    "slashed": "%Y/%m/%d %H:%M:%S",
    "plain": "%Y-%m-%d %H:%M:%S",
    "comma": "%Y-%m-%d %H:%M:%S.%f",
    "ss": "%S",
}


class Log(NamedTuple):
    """A log to write: where to, in whose words, how long, and the seconds between two lines."""

    path: str
    phrases: str
    lines: int
    pace: float


NODE: Final = "aks-np1-31415926-vmss000000"
LOGS: Final = (
    Log(f"long-node/evidence/{NODE}/kubelet.log.gz", "kubelet", 4000, 6),
    Log(f"long-node/evidence/{NODE}/containerd.log.gz", "containerd", 3000, 8),
    Log(f"long-node/evidence/{NODE}/syslog.gz", "node", 4000, 6),
    Log("long-windows-node/evidence/aksnpwin000001/kubelet.log.gz", "windows", 3000, 8),
    Log("long-kube-system/evidence/logs/coredns-6f776c8fb5-9nq4t.log.gz", "coredns", 8000, 2),
    Log("long-kube-system/evidence/logs/kube-proxy-h4t5w.log.gz", "kube-proxy", 2000, 12),
    Log("long-kube-system/evidence/logs/konnectivity-agent-x2x8k.log.gz", "konnectivity", 2000, 12),
    Log(
        "long-kube-system/evidence/logs/metrics-server-6b7d-c4xk2.log.gz",
        "metrics-server",
        1500,
        15,
    ),
    Log("long-kube-system/evidence/logs/csi-azuredisk-controller-0.log.gz", "csi", 3000, 8),
    Log("long-network/evidence/logs/azure-cns-zk2vq.log.gz", "azure-net", 2500, 10),
    Log("long-network/evidence/logs/cilium-8xkqp.log.gz", "cilium", 3000, 8),
    Log("long-network/evidence/logs/calico-node-7rrtm.log.gz", "calico", 2500, 10),
    Log("long-addons/evidence/logs/ama-logs-4kzzp.log.gz", "monitor-agent", 2500, 10),
    Log("long-addons/evidence/logs/gatekeeper-audit-66b6.log.gz", "policy", 2000, 12),
    Log("long-addons/evidence/logs/istio-proxy-cart.log.gz", "mesh", 3000, 8),
    Log("long-addons/evidence/logs/autoscaler.log.gz", "autoscaler", 4000, 6),
    Log("long-operators/evidence/logs/operators.log.gz", "operators", 3000, 8),
    Log("long-operators/evidence/logs/aso-controller-manager.log.gz", "aso", 3000, 8),
    Log("long-ingress/evidence/ingress-nginx-controller.log.gz", "ingress-nginx", 10000, 2),
    Log("long-apps/evidence/apps.log.gz", "apps", 5000, 5),
    Log("long-arc-agents/evidence/azure-arc.log.gz", "arc", 3000, 8),
    Log("long-control-plane/evidence/control-plane.log.gz", "control-plane", 4000, 6),
)


def text_of(log: Log) -> str:
    """A log as it reads."""
    return "\n".join(_lines(log)) + "\n"


def write(log: Log, root: Path = HERE) -> None:
    path = root / log.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text_of(log).encode(), mtime=0))


def _lines(log: Log) -> Iterator[str]:
    chance = random.Random(log.path)  # noqa: S311 - the same each time is what is wanted
    first, few, blocks, weights = _phrases(log.phrases)
    # Some happen a few times a day: not near the end, for then they might go on.
    turns = {chance.randrange(log.lines * 9 // 10): block for block in few}
    now, written = _START, 0
    block = first
    while written < log.lines:
        names: dict[str, str] = {}
        for line in block:
            now += timedelta(seconds=chance.uniform(0.1, 2 * log.pace))
            yield _filled(line, now, names, chance)
            written += 1
        due = min(turns, default=written)
        block = turns.pop(due) if due < written else chance.choices(blocks, weights)[0]


def _phrases(name: str) -> tuple[list[str], list[list[str]], list[list[str]], list[int]]:
    first: list[str] = []
    few: list[list[str]] = []
    blocks, weights = [], []
    for block in (HERE / "phrases" / f"{name}.txt").read_text(encoding="utf-8").split("\n@"):
        head, *lines = block.strip("\n@").split("\n")
        if head == "start":
            first = lines
        elif head.endswith("x"):
            few += [lines] * int(head[:-1])
        else:
            blocks.append(lines)
            weights.append(int(head))
    return first, few, blocks, weights


def _filled(line: str, now: datetime, names: dict[str, str], chance: random.Random) -> str:
    """A line with this moment's time; a name stays the same throughout its block."""

    def value(found: re.Match[str]) -> str:
        place = found[1]
        if place in _CLOCKS:
            return now.strftime(_CLOCKS[place])
        if place == "epoch":
            return str(int(now.timestamp()))
        if place not in names:
            names[place] = _name(place, chance)
        return names[place] or found[0]

    return _PLACE.sub(value, line)


def _name(place: str, chance: random.Random) -> str:
    def some(length: int) -> str:
        # Out of a few, as in life: the same names come again, and the file stays small.
        return sha256(f"{place}{chance.randrange(60)}".encode()).hexdigest()[:length]

    if place.startswith("hex"):
        return some(int(place[3:]))
    makers: dict[str, Callable[[], str]] = {
        "node": lambda: NODE,
        "ns": lambda: chance.choice(("shop", "payments", "monitoring", "staging")),
        "pod": lambda: f"{chance.choice(('cart', 'orders', 'search', 'web'))}-{some(9)}-{some(5)}",
        "guid": lambda: str(UUID(some(32))),
        "ip": lambda: f"10.244.{chance.randrange(8)}.{chance.randrange(4, 250)}",
        "port": lambda: str(chance.randrange(32768, 60999)),
        "n": lambda: str(chance.randrange(2, 97)),
    }
    return makers[place]() if place in makers else ""


if __name__ == "__main__":
    for one in LOGS:
        write(one)
