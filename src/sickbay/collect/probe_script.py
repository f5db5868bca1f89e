"""What a probe runs: plain shell with what every small image has, and marks between answers."""

from collections.abc import Iterable
from typing import Final

from sickbay.collect.probe_targets import End, Target
from sickbay.record import NamedTuple

MARK: Final = "=== sickbay "
_SECONDS: Final = 3
_NAME: Final = "kubernetes.default.svc.cluster.local"
_OUTSIDE: Final = ("mcr.microsoft.com", "management.azure.com", "login.microsoftonline.com")
# Signs that mean nothing to a shell; names of Kubernetes and addresses have no others.
_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.:/-_")
# Answers come side by side: each is written in one piece.
_HEAD: Final = f"""\
say() {{ printf '%s\\n%s\\n' "{MARK}$1" "$said"; }}
try() {{
  said=$(nc -w {_SECONDS} "$2" "$3" </dev/null 2>&1 >/dev/null); code=$?
  say "$1 $2 $3 $code"
}}
ask() {{
  said=$(nslookup "$@" 2>&1); code=$?
  say "lookup $1 ${{2:-default}} $code"
}}
api() {{
  token=$(cat /var/run/secrets/kubernetes.io/serviceaccount/token 2>/dev/null)
  url="https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/version"
  said=$(wget -q -T {_SECONDS} --no-check-certificate -O - \\
    --header "Authorization: Bearer $token" "$url" 2>&1); code=$?
  say "api - - $code"
}}
echo "{MARK}resolv.conf - - 0"; cat /etc/resolv.conf
api &
"""
_NODE: Final = f"""\
export PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/bin
root=chroot; command -v chroot >/dev/null || root="busybox chroot"
host() {{ $root /host "$@" 2>/dev/null; }}
echo "{MARK}time - - 0"; date -u +%s
echo "{MARK}node/resolv.conf - - 0"; cat /host/etc/resolv.conf
echo "{MARK}node/routes.txt - - 0"; ip route show table all || host ip route show table all
echo "{MARK}node/iptables-save.txt - - 0"; host iptables-save
echo "{MARK}node/nft.txt - - 0"; host nft list ruleset
echo "{MARK}node/ipam.txt - - 0"; cd /host && grep -r . var/lib/cni/networks 2>/dev/null
echo "{MARK}node/sandboxes.txt - - 0"; host crictl pods
"""


class Section(NamedTuple):
    """One answer: what was tried, where, how it ended, and what was said."""

    what: str
    first: str
    second: str
    code: int
    said: str


def network_script(targets: Iterable[Target], *, is_azure: bool) -> str:
    """Look at names, services, the pods behind them, and the world outside, side by side."""
    lines = [f"ask {_NAME} &"]
    ends = [end for target in targets for end in (target.service, *target.backends)]
    lines += [f"try tcp {end.address} {end.port} &" for end in _plain(ends)]
    if is_azure:
        lines += [f"ask {name} &\ntry outside {name} 443 &" for name in _OUTSIDE]
    return _HEAD + "\n".join(lines) + "\nwait\n"


def node_script() -> str:
    """Look at a node: routes, rules of services, names, addresses of pods, sandboxes, the clock."""
    return _NODE


def sections(text: str) -> list[Section]:
    """The answers in what a probe printed; side by side, but each in one piece."""
    found: list[Section] = []
    for part in text.split(MARK)[1:]:
        head, _, said = part.partition("\n")
        words = head.split()
        if len(words) == 4 and words[3].isdecimal():  # noqa: PLR2004
            found.append(Section(words[0], words[1], words[2], int(words[3]), said.strip()))
    return found


def _plain(ends: Iterable[End]) -> list[End]:
    """Those that can stand in a script as they are, each once."""
    return [end for end in dict.fromkeys(ends) if end.port and set(end.address) <= _PLAIN]
