"""What a run is about: an id, a name in a group, or everything in a group or a subscription."""

import json
import os
from typing import Any, Final

from sickbay.collect.answers import Failure
from sickbay.collect.transport import Transport
from sickbay.errors import SickbayError
from sickbay.model.ids import arm
from sickbay.record import NamedTuple

_RESOURCES: Final = "2021-04-01"
_TYPES: Final = (
    "microsoft.containerservice/managedclusters",
    "microsoft.kubernetes/connectedclusters",
    "microsoft.hybridcontainerservice/provisionedclusters",
    "microsoft.networkcloud/kubernetesclusters",
    "microsoft.networkcloud/clusters",
    "microsoft.resourceconnector/appliances",
)


class Wanted(NamedTuple):
    """What the user named; `is_all` means every cluster and appliance in the scope."""

    id: str = ""
    subscription: str = ""
    group: str = ""
    name: str = ""
    is_all: bool = False

    @property
    def scope(self) -> str:
        """What the run is about, in a word."""
        return self.id or self.name or self.group or self.subscription or "Azure"


async def resolve(transport: Transport, wanted: Wanted) -> tuple[str, ...]:
    """The ids of the targets; SickbayError says what to name instead."""
    if wanted.id:
        if not arm(wanted.id).is_arm:
            raise SickbayError(
                f"{wanted.id} is no id of a resource", "use /subscriptions/…, or -g and -n"
            )
        return (wanted.id,)
    subscription = wanted.subscription or default_subscription()
    if not subscription:
        raise SickbayError("no subscription is chosen", "az account set -s NAME, or -s ID")
    scope = f"/subscriptions/{subscription}"
    if wanted.group:
        scope += f"/resourceGroups/{wanted.group}"
    if not wanted.is_all and not wanted.name:
        raise SickbayError("no target", "name an id, or -g GROUP -n NAME, or --all")
    return await _found(transport, scope, wanted)


async def _found(transport: Transport, scope: str, wanted: Wanted) -> tuple[str, ...]:
    ids: list[str] = []
    async for page in transport.pages(f"{scope}/resources", _RESOURCES):
        if isinstance(page, Failure):
            raise SickbayError(f"{scope} cannot be read", page.says)
        ids += [str(item["id"]) for item in page.items if _is_wanted(item, wanted.name)]
    if not ids:
        what = wanted.name or "cluster or appliance"
        raise SickbayError(f"there is no {what} in {scope}", "look with: az resource list -o table")
    return tuple(sorted(ids))


def _is_wanted(item: Any, name: str) -> bool:
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        return False
    ref = arm(item["id"])
    is_named = not name or ref.name.casefold() == name.casefold()
    return is_named and ref.kind.casefold() in _TYPES


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
