"""The built-in roles that an estate may assign, as role definitions show them."""

import re
from typing import Any, Final

_TYPE: Final = "Microsoft.Authorization/roleDefinitions"
# Name, GUID (the same in every Azure), and what the role may do.
_ROLES: Final = (
    ("Owner", "8e3af657-a8ff-443c-a75c-2fe8c4bcb635", ("*",)),
    ("Contributor", "b24988ac-6180-42a0-ab88-20f7382dd24c", ("*",)),
    ("Reader", "acdd72a7-3385-48ef-bd42-f606fba81ae7", ("*/read",)),
    ("Network Contributor", "4d97b98b-1d4f-4787-a291-c67834d212e7", ("Microsoft.Network/*",)),
    (
        "Private DNS Zone Contributor",
        "b12aa53e-6015-4669-85d0-8515ebb3ae7f",
        ("Microsoft.Network/privateDnsZones/*",),
    ),
    (
        "Managed Identity Operator",
        "f1a07417-d97a-45cb-824c-7a7467783830",
        ("Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action",),
    ),
    (
        "AcrPull",
        "7f951dda-4ed3-4680-a7ca-43fe172d538d",
        ("Microsoft.ContainerRegistry/registries/pull/read",),
    ),
    (
        "Azure Kubernetes Service Contributor Role",
        "ed7f3fbd-7b88-4dd4-9017-9adb7ce333f8",
        ("Microsoft.ContainerService/managedClusters/*",),
    ),
    (
        "Log Analytics Contributor",
        "92aaf0da-9dab-42b6-94a3-d43ce8d16293",
        ("Microsoft.OperationalInsights/*",),
    ),
)


def definitions(filter: str, subscription: str) -> list[dict[str, Any]]:
    """The roles whose name a filter asks for, or all."""
    wanted = re.search(r"roleName eq '([^']+)'", filter)
    return [
        _definition(name, guid, actions, subscription)
        for name, guid, actions in _ROLES
        if wanted is None or wanted[1] == name
    ]


def _definition(
    name: str, guid: str, actions: tuple[str, ...], subscription: str
) -> dict[str, Any]:
    not_actions = ["Microsoft.Authorization/*/Write"] if name == "Contributor" else []
    allowed = {"actions": list(actions), "notActions": not_actions}
    return {
        "id": f"/subscriptions/{subscription}/providers/{_TYPE}/{guid}",
        "type": _TYPE,
        "name": guid,
        "properties": {
            "roleName": name,
            "type": "BuiltInRole",
            "description": "",
            "assignableScopes": ["/"],
            "permissions": [{**allowed, "dataActions": [], "notDataActions": []}],
        },
    }
