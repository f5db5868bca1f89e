"""Tells the command in a look from what is expected of it: rules write both as one sentence."""

from typing import Final

from sickbay.report.columns import shorten, visible
from sickbay.report.shell import literal

# A text that starts with one of these is a command; any other is a sentence.
_PROGRAMS: Final = frozenset(
    (
        *("arp", "az", "azcmagent", "bicep", "cat", "chronyc", "cilium", "crictl", "curl", "dig"),
        *("docker", "etcdctl", "getent", "govc", "grep", "helm", "journalctl", "jq", "kubectl"),
        *("kubelogin", "nc", "netstat", "nslookup", "openssl", "ping", "resolvectl", "sickbay"),
        *("ssh", "sudo", "systemctl", "terraform", "timedatectl", "traceroute", "wget"),
    )
)
# What stands between a command and what it should give.
_VERBS: Final = (
    *("wants", "wants:", "shows", "gives", "lists", "ends with", "answers", "finds", "leaves"),
    *("names", "prints", "returns", "reports", "says", "holds"),
)
_LONGEST: Final = 4_000


def parted(look: str) -> tuple[str, str]:
    """The command of a look, safe to paste, and the expectation; a sentence is all expectation."""
    text = look if len(look) <= _LONGEST else shorten(look, _LONGEST)
    if not is_command(text):
        return "", visible(text)
    found = [at for verb in _VERBS if (at := f"{text} ".find(f" {verb} ")) > 0]
    end = min(found, default=len(text))
    return literal(text[:end]), visible(text[end:]).strip()


def is_command(text: str) -> bool:
    """Whether a text reads as a command and not as a sentence."""
    first = text.partition(" ")[0]
    return first in _PROGRAMS or first.startswith(("./", "/"))
