"""The smallest role with which a run sees everything, ready to apply."""

import asyncio
from collections.abc import Iterable
from typing import Final

from sickbay.collect.kube_answers import Failure
from sickbay.collect.kube_client import Client
from sickbay.collect.kube_kinds import TABLE, discover, is_aso
from sickbay.collect.kubeconfig import Access

NAME: Final = "sickbay-reader"
_SECONDS: Final = 20.0
_HEAD: Final = f"""\
# What sickbay reads, and no more. Bind it to whoever runs it, for example:
#   kubectl create clusterrolebinding {NAME} --clusterrole={NAME} --user=NAME
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {NAME}
rules:"""
_TAIL: Final = """\
  # Logs of containers that a first look suspects.
  - apiGroups: [""]
    resources: [pods/log]
    verbs: [get]
  # Logs of nodes that are not well. This opens all of a kubelet's API: leave it out if that is too
  # much, and these logs will be missing.
  - apiGroups: [""]
    resources: [nodes/proxy]
    verbs: [get]"""
_SECRETS: Final = """\
  # Names and keys of secrets. Kubernetes cannot allow these without the values; sickbay drops the
  # values as it reads. Leave it out if that is too much, and absent secrets will not be seen."""


def offered(access: Access | None) -> str:
    """The role, for what the cluster serves if it can be asked, else for all that is known."""
    pairs = asyncio.run(_served(access)) if access else []
    return written(pairs or [(group, resource) for group, resource, _ in TABLE])


def written(pairs: Iterable[tuple[str, str]]) -> str:
    """The role for some groups and resources."""
    groups: dict[str, list[str]] = {}
    for group, resource in pairs:
        if resource != "secrets":
            groups.setdefault(group, []).append(resource)
    lines = [_HEAD]
    for group, resources in groups.items():
        lines += _rule(group, resources, "list")
    lines += _rule("", ["configmaps"], "get")
    lines += [_SECRETS, *_rule("", ["secrets"], "get, list"), _TAIL]
    return "\n".join(lines) + "\n"


def _rule(group: str, resources: list[str], verbs: str) -> list[str]:
    return [
        f'  - apiGroups: ["{group}"]',
        f"    resources: [{', '.join(resources)}]",
        f"    verbs: [{verbs}]",
    ]


async def _served(access: Access) -> list[tuple[str, str]]:
    client = Client(access, _SECONDS)
    try:
        served = await discover(client)
    finally:
        client.close()
    if isinstance(served, Failure):
        return []
    known = [(group, resource) for group, resource, _ in TABLE]
    own = [(kind.group, kind.resource) for kind in served.kinds]
    # What is installed later is asked for as well; groups of ASO are as many as were installed.
    return [*known, *(pair for pair in own if is_aso(pair[0]))]
