"""A failure mode, declared in one place."""

from enum import StrEnum
from typing import Any

from sickbay.model.finding import Severity
from sickbay.record import NamedTuple
from sickbay.rulekit.check import Check
from sickbay.rulekit.signature import Signature


class Risk(StrEnum):
    """What running a step can do to the estate."""

    READ = "read"
    SAFE = "safe"
    DISRUPTIVE = "disruptive"
    DESTRUCTIVE = "destructive"


class Category(StrEnum):
    """The kind of trouble a user would say they have."""

    CREATION = "creation"
    UPGRADE = "upgrade"
    SCALING = "scaling"
    CONNECTIVITY = "connectivity"
    NODES = "nodes"
    STORAGE = "storage"
    IDENTITY = "identity"
    WORKLOAD = "workload"


class Step(NamedTuple):
    """One action.

    `run` is an argv, never a shell line; each `{fact}` fills one word; empty means a person does
    it.
    """

    text: str
    run: tuple[str, ...] = ()
    risk: Risk = Risk.SAFE
    # What shows that the step worked: a command, and what to expect of it.
    verify: str = ""


class Rule(NamedTuple):
    """Its id is its module path below `rules`: it is written nowhere else."""

    title: str
    severity: Severity
    categories: tuple[Category, ...]
    detect: tuple[Signature | Check[Any], ...]
    why: str
    remedy: tuple[Step, ...]
    docs: tuple[str, ...]
    leads_to: tuple[str, ...] = ()
    # The command that would settle it when the evidence does not; a rule with a check may leave
    # it to the kind that was not read.
    ask: str = ""
    # Its effects are not confined to what its subject is linked to: the whole cluster can feel it.
    spreads: bool = False
    # It says only that something failed: whatever else the same record says explains it.
    wraps: bool = False
    # It says in general words what others say better: beside one in the same record it is left out.
    vague: bool = False
    formerly: tuple[str, ...] = ()
