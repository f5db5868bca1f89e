"""Runs `sickbay` as a user does, on the test cluster or on what was saved of it."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from tests.cluster.fault import Fault
from tests.cluster.running import Cluster

T = TypeVar("T")
_A_MOMENT: Final = 15.0


@dataclass(frozen=True)
class Told:
    """What a run said."""

    code: int
    diagnosis: dict[str, Any]

    @property
    def found(self) -> list[dict[str, Any]]:
        """The causes that are more than a note, and more than a possibility."""
        return [c for c in self.diagnosis["causes"] if c["severity"] != "info" and c["evidence"]]

    def first_of(self, fault: Fault) -> str:
        """The first cause in the namespace of a fault, as rule and subject; or nothing."""
        for cause in self.found:
            for subject in [cause["subject"], *cause["also"]]:
                if _is_in(fault, subject["id"], cause["says"]):
                    return f"{cause['rule']} {subject['name']}"
        return ""


def _is_in(fault: Fault, id: str, says: str) -> bool:
    """Whether a subject is in the namespace of a fault, or is what it has outside of it."""
    is_outside = id.endswith(f"/{fault.subject}") and fault.name in says
    return fault.name in id.split("/") or is_outside


def sickbay(*arguments: str, cluster: Cluster | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program; with a cluster, as its administrator."""
    environment = dict(os.environ)
    environment.pop("KUBECONFIG", None)
    if cluster:
        environment["KUBECONFIG"] = str(cluster.kubeconfig)
    command = [sys.executable, "-m", "sickbay", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def diagnosed(*arguments: str, cluster: Cluster | None = None) -> Told:
    done = sickbay("diagnose", *arguments, "-o", "json", "--quiet", cluster=cluster)
    if done.returncode not in {0, 1, 3}:
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr}")
    return Told(done.returncode, json.loads(done.stdout))


def diagnosed_folder(folder: Path) -> Told:
    return diagnosed("--from", str(folder))


def in_the_end(ask: Callable[[], T], wanted: Callable[[T], bool], tries: int = 3) -> T:
    """What is told, asked again while it is not as wanted.

    A container that ends again and again is up for a moment each time, and events come late:
    whoever looks in that moment sees something else, and looks again.
    """
    told = ask()
    for _ in range(tries - 1):
        if wanted(told):
            break
        time.sleep(_A_MOMENT)
        told = ask()
    return told


def missed(told: Told, faults: Sequence[Fault]) -> dict[str, str]:
    """The faults whose first cause is another one, with that."""
    return {
        fault.name: f"{told.first_of(fault) or 'nothing'}, wanted {fault.expect}"
        for fault in faults
        if not _is_right(told.first_of(fault), fault)
    }


def _is_right(first: str, fault: Fault) -> bool:
    rule, _, subject = first.partition(" ")
    return rule == fault.expect and subject.startswith(fault.subject)
