"""What a run is about: an id, a name in a group, an API server, or everything in a scope."""

import json
import os
import re
from typing import Any, Final
from urllib.parse import urlsplit

from sickbay.collect.answers import Answer, Failure
from sickbay.collect.transport import Transport
from sickbay.errors import SickbayError
from sickbay.model.evidence import Gap, Reason
from sickbay.model.ids import arm
from sickbay.record import NamedTuple

_RESOURCES: Final = "2021-04-01"
_GRAPH: Final = "/providers/Microsoft.ResourceGraph/resources"
_GRAPH_VERSION: Final = "2021-03-01"
_TYPES: Final = (
    "microsoft.containerservice/managedclusters",
    "microsoft.kubernetes/connectedclusters",
    "microsoft.hybridcontainerservice/provisionedclusters",
    "microsoft.networkcloud/kubernetesclusters",
    "microsoft.networkcloud/clusters",
    "microsoft.resourceconnector/appliances",
)
_ONLY_TYPES: Final = " or ".join(f"resourceType eq '{type}'" for type in _TYPES)
_HOST: Final = r"(?i)[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?"
_SERVER_FIELDS: Final = ("fqdn", "privateFQDN", "azurePortalFQDN")


class Wanted(NamedTuple):
    """What the user named.

    `is_all` means every cluster and appliance in the scope. `fqdn` is the host of an API server, by
    which its managed cluster is found (`Wanted.by_server` takes it out of a kubeconfig). With
    `is_optional` a target that cannot be found, or nobody who may look for it, is a gap of the run
    instead of its end: for Azure beside another source that was asked for.
    """

    id: str = ""
    subscription: str = ""
    group: str = ""
    name: str = ""
    is_all: bool = False
    fqdn: str = ""
    is_optional: bool = False

    @property
    def scope(self) -> str:
        """What the run is about, in a word."""
        words = (self.id, self.name, self.group, self.subscription, self.fqdn)
        return next((word for word in words if word), "Azure")

    @classmethod
    def by_server(cls, url: str, *, is_optional: bool = True) -> "Wanted | None":
        """The managed cluster whose API server a kubeconfig names; None if it is no name of one.

        An address, this machine, or a name without a dot is no server that Azure could know.
        """
        host = (urlsplit(url if "://" in url else f"https://{url}").hostname or "").rstrip(".")
        is_name = re.fullmatch(_HOST, host) and "." in host and not re.fullmatch(r"[\d.]+", host)
        return cls(fqdn=host.casefold(), is_optional=is_optional) if is_name else None


class Targets(NamedTuple):
    """The ids of what was named, and what could not be looked through for more."""

    ids: tuple[str, ...]
    gaps: tuple[Gap, ...] = ()


async def resolve(transport: Transport, wanted: Wanted) -> Targets:
    """The targets; SickbayError says what to name instead."""
    if wanted.id:
        if not arm(wanted.id).is_arm:
            raise SickbayError(
                f"{wanted.id} is no id of a resource", "use /subscriptions/…, or -g and -n"
            )
        return Targets((wanted.id.rstrip("/"),))
    if wanted.fqdn:
        return await _by_server(transport, wanted)
    subscription = wanted.subscription or default_subscription()
    if not subscription:
        raise SickbayError("no subscription is chosen", "az account set -s NAME, or -s ID")
    scope = f"/subscriptions/{subscription}"
    if wanted.group:
        scope += f"/resourceGroups/{wanted.group}"
    if not wanted.is_all and not wanted.name:
        raise SickbayError("no target", "name an id, or -g GROUP -n NAME, or --all")
    return await _found(transport, scope, wanted)


async def _found(transport: Transport, scope: str, wanted: Wanted) -> Targets:
    ids: list[str] = []
    gaps: list[Gap] = []
    # A subscription holds many times more than its clusters.
    only = f"name eq '{_quoted(wanted.name)}'" if wanted.name else _ONLY_TYPES
    async for page in transport.pages(f"{scope}/resources", _RESOURCES, **{"$filter": only}):
        if isinstance(page, Failure):
            gaps.append(_unseen(page, scope))
            break
        ids += [str(item["id"]) for item in page.items if _is_wanted(item, wanted.name)]
    if not ids and not gaps:
        what = wanted.name or "cluster or appliance"
        raise SickbayError(f"there is no {what} in {scope}", "look with: az resource list -o table")
    return Targets(tuple(sorted(ids)), tuple(gaps))


def _unseen(failure: Failure, scope: str) -> Gap:
    """A look that failed; raises where only the user can mend it."""
    if failure.is_absent:
        raise SickbayError(f"{scope} is not there", "look with: az group list -o table")
    gap = failure.gap(scope)
    if failure.reason is Reason.FORBIDDEN:
        raise SickbayError(f"{scope} cannot be read: {failure.says}", gap.to_open)
    return gap


async def _by_server(transport: Transport, wanted: Wanted) -> Targets:
    """The cluster of an API server, out of Resource Graph."""
    fields = " or ".join(f"properties.{field} =~ '{wanted.fqdn}'" for field in _SERVER_FIELDS)
    query = f"resources | where type =~ '{_TYPES[0]}' | where {fields} | project id | order by id"
    body: dict[str, Any] = {"query": query, "options": {"resultFormat": "objectArray"}}
    if wanted.subscription:
        body["subscriptions"] = [wanted.subscription]
    answer = await transport.query(_GRAPH, _GRAPH_VERSION, body)
    if isinstance(answer, Failure):
        return Targets((), (_unseen(answer, wanted.fqdn),))
    ids = _ids(answer)
    if not ids:
        hint = "name it: sickbay diagnose -g GROUP -n NAME, or look with: az aks list -o table"
        raise SickbayError(f"no cluster in Azure has the API server {wanted.fqdn}", hint)
    return Targets(ids)


def _ids(answer: Answer) -> tuple[str, ...]:
    rows = answer.value.get("data") if isinstance(answer.value, dict) else None
    found = [row.get("id") for row in rows or () if isinstance(row, dict)]
    return tuple(sorted(id for id in found if isinstance(id, str) and arm(id).is_arm))


def _is_wanted(item: Any, name: str) -> bool:
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        return False
    ref = arm(item["id"])
    is_named = not name or ref.name.casefold() == name.casefold()
    return is_named and ref.kind.casefold() in _TYPES


def _quoted(word: str) -> str:
    return word.replace("'", "''")


def default_subscription() -> str:
    """The subscription that `az` uses, out of its own file."""
    folder = os.environ.get("AZURE_CONFIG_DIR") or os.path.expanduser("~/.azure")  # noqa: PTH111
    try:
        with open(os.path.join(folder, "azureProfile.json"), encoding="utf-8-sig") as file:  # noqa: PTH118, PTH123
            profile = json.load(file)
    except (OSError, ValueError):
        return ""
    known = profile.get("subscriptions") if isinstance(profile, dict) else None
    chosen = [one for one in known or () if isinstance(one, dict) and one.get("isDefault")]
    return str(chosen[0].get("id") or "") if chosen else ""
