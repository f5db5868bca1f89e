"""What the user of a kubeconfig may read, asked before anything else is."""

from collections.abc import Iterable
from typing import Final

import msgspec

from sickbay.collect.kube_answers import Failure
from sickbay.collect.kube_client import RULES_REVIEW, Client
from sickbay.record import NamedTuple

# What gives a user the rights that a run needs, and no others.
ROLE: Final = "sickbay collect --print-role | kubectl apply -f -"
_ANY: Final = "*"


class _Rule(msgspec.Struct, frozen=True, rename="camel"):
    verbs: list[str] = []
    api_groups: list[str] | None = None
    resources: list[str] | None = None
    resource_names: list[str] | None = None


class _Status(msgspec.Struct, frozen=True, rename="camel"):
    resource_rules: list[_Rule] | None = None
    incomplete: bool = False


class _Review(msgspec.Struct, frozen=True):
    status: _Status = _Status()


class Rights(NamedTuple):
    """The rules that apply to a user in a namespace, from bindings of the cluster or of it.

    Where an authoriser does not list its rules (Azure's does not), only trying tells.
    """

    rules: tuple[_Rule, ...] = ()
    is_whole: bool = False

    def forbid(self, verb: str, group: str, resource: str) -> bool:
        """Whether it is certain that something is not allowed here, nor in the whole cluster."""
        return self.is_whole and not any(
            _has(rule.verbs, verb)
            and _has(rule.api_groups, group)
            and _has(rule.resources, resource)
            and not rule.resource_names
            for rule in self.rules
        )


async def rights_in(client: Client, namespace: str) -> Rights:
    """Ask what the user may do in a namespace; no answer forbids nothing."""
    answer = await client.review(RULES_REVIEW, {"namespace": namespace})
    if isinstance(answer, Failure):
        return Rights()
    try:
        status = msgspec.json.decode(answer.body, type=_Review).status
    except msgspec.DecodeError:
        return Rights()
    return Rights(tuple(status.resource_rules or ()), not status.incomplete)


def _has(words: Iterable[str] | None, wanted: str) -> bool:
    given = tuple(words or ())
    _, slash, part = wanted.partition("/")
    return wanted in given or _ANY in given or (bool(slash) and f"{_ANY}/{part}" in given)
