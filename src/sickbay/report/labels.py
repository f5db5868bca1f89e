"""What a person calls the things in a report: subjects, counts and times."""

import re
from collections.abc import Iterable
from typing import Any, Final

_SHORT_NAMES: Final = {
    "PodDisruptionBudget": "pdb",
    "PersistentVolumeClaim": "pvc",
    "PersistentVolume": "pv",
    "HorizontalPodAutoscaler": "hpa",
    "agentPools": "pool",
    "managedClusters": "cluster",
    "connectedClusters": "connected cluster",
    "virtualMachineScaleSets": "scale set",
    "virtualMachines": "vm",
    "networkSecurityGroups": "nsg",
    "virtualNetworks": "vnet",
}
# Kinds that say no more than the name beside them.
_NAMELESS: Final = frozenset({"", "text", "snapshot", "evidence", "scope"})
_WORDS: Final = r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+"
_NAMESPACED: Final = 3
_LONGEST_ID: Final = 1_000
_DAY: Final = len("2026-01-01")
_MINUTE: Final = len("2026-01-01T00:00")


def noun(kind: str) -> str:
    """The everyday word for a kind: `Microsoft.Network/virtualNetworks/subnets` is a `subnet`."""
    last = kind.rpartition("/")[2]
    if last in _SHORT_NAMES:
        return _SHORT_NAMES[last]
    words = " ".join(re.findall(_WORDS, last)).lower() or last
    is_plural = "/" in kind and words.endswith("s") and not words.endswith("ss")
    return words[:-1] if is_plural else words


def name(subject: dict[str, Any]) -> str:
    """The name of a subject, with its namespace when it has one."""
    id = str(subject.get("id", ""))[:_LONGEST_ID]
    parts = id.split("/")
    if len(parts) == _NAMESPACED and not id.startswith("/"):
        return f"{parts[1]}/{parts[2]}"
    return str(subject.get("name") or (parts[-1] if id.startswith("/") else id))[:_LONGEST_ID]


def label(subject: dict[str, Any]) -> str:
    """A subject in two words: `pdb shop/cart`."""
    kind = str(subject.get("kind", ""))
    return name(subject) if kind in _NAMELESS else f"{noun(kind)} {name(subject)}"


def counted(number: int, word: str) -> str:
    """A number and its noun: `1 file`, `2 files`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def listed(names: Iterable[str], most: int = 3) -> str:
    """The first few names and how many more there are."""
    every = list(names)
    shown = ", ".join(every[:most])
    return shown if len(every) <= most else f"{shown} and {len(every) - most} more"


def moment(at: str) -> str:
    """A time to the minute: `2026-01-01 10:32`."""
    return at[:_MINUTE].replace("T", " ")


def day(at: str) -> str:
    return at[:_DAY]


def clock(at: str) -> str:
    """The time of day: `10:32`."""
    return at[_DAY + 1 : _MINUTE]


def span(first: str, last: str) -> str:
    """From when to when, the day only once."""
    if not first and not last:
        return ""
    if not first or not last or moment(first) == moment(last):
        return f"{moment(first or last)} UTC"
    end = clock(last) if day(first) == day(last) else moment(last)
    return f"{moment(first)} to {end} UTC"
