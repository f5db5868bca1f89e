"""What the tests of the scanner share: five signatures, and logs to hear them in."""

from collections.abc import Iterable
from functools import lru_cache
from types import ModuleType

from sickbay.bundle.frame import Frame
from sickbay.engine import hyper
from sickbay.engine.ear import Matcher
from sickbay.engine.patterns import candidates
from sickbay.engine.scan import Heard, Scanner
from sickbay.rulekit.signature import Signature

LOOKUP = r"lookup (?P<host>[\w.-]+)\b.*no such host"
FULL = r"SubnetIsFull: Subnet (?P<subnet>\S+) has"
PULL = r'Failed to pull image "(?P<image>[^"]+)"'
BUDGET = r"violate the pod's disruption budget"
EXIT = r"ExitCode=50: .*outbound"
ALL = (LOOKUP, FULL, PULL, BUDGET, EXIT)


@lru_cache(maxsize=4)
def matcher(engine: ModuleType) -> Matcher:
    found: Matcher = engine.Matcher(engine.compile(candidates(ALL)))
    return found


def scanner(engine: ModuleType = hyper, passing: Iterable[str] = (), ended_by: str = "") -> Scanner:
    signatures = [
        Signature(pattern, "", "", "", passes=pattern in passing, ended_by=ended_by)
        for pattern in ALL
    ]
    return Scanner(matcher(engine), signatures.__getitem__)


def heard(*blocks: str | bytes, channel: str = "log", engine: ModuleType = hyper) -> list[Heard]:
    one = scanner(engine)
    raw = [block.encode() if isinstance(block, str) else block for block in blocks]
    one.scan_blocks(iter(raw), Frame("kubelet.log", None, channel, 2026))
    return one.finish()


def klog(message: str, second: int = 0) -> str:
    return f"E0301 10:00:{second:02d}.000000    1 pod_workers.go:7] {message}\n"


def log(*messages: str) -> str:
    return "".join(klog(message, second) for second, message in enumerate(messages))


def facts(found: Iterable[Heard]) -> list[dict[str, str]]:
    return [dict(one.facts) for one in found]
