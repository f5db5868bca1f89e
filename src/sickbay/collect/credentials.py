"""The door to Azure's identity library: who asks, chosen by the user or tried in turn."""

from typing import TYPE_CHECKING, Any, Final

from sickbay.collect.clouds import CLOUDS, Cloud
from sickbay.errors import SickbayError

if TYPE_CHECKING:
    from azure.core.credentials_async import AsyncTokenCredential

WAYS: Final = ("cli", "environment", "workload", "managed")
_HELP: Final = {
    "cli": "az login",
    "environment": "set AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET",
    "workload": "run it in a pod with workload identity",
    "managed": "run it on a machine with a managed identity",
}


def credential(cloud: Cloud, way: str = "", ca_file: str = "") -> "AsyncTokenCredential":
    """A credential; which ones are tried is the user's choice, or all in turn."""
    if way and way not in WAYS:
        raise SickbayError(f"there is no way {way} to sign in", f"use one of {', '.join(WAYS)}")
    # The library brings cryptography along: a quarter of a second that only live commands pay.
    from azure.identity.aio import ChainedTokenCredential  # noqa: PLC0415

    chosen = [_made(one, cloud, ca_file) for one in ([way] if way else WAYS)]
    found = [one for one in chosen if one is not None]
    if not found:
        raise SickbayError("there is no credential for Azure", _HELP.get(way, _HELP["cli"]))
    return ChainedTokenCredential(*found)


def is_at_hand(way: str = "") -> bool:
    """Whether somebody is signed in, as far as this machine tells without asking anybody."""
    import os  # noqa: PLC0415

    default = os.path.join("~", ".azure")  # noqa: PTH118
    folder = os.path.expanduser(os.environ.get("AZURE_CONFIG_DIR") or default)  # noqa: PTH111
    has_profile = os.path.exists(os.path.join(folder, "azureProfile.json"))  # noqa: PTH110, PTH118
    return bool(way) or has_profile or bool(os.environ.get("AZURE_CLIENT_ID"))


def help_for(way: str) -> str:
    """The command that gives a credential."""
    return _HELP.get(way, _HELP["cli"])


def _made(way: str, cloud: Cloud, ca_file: str) -> Any:
    import os  # noqa: PLC0415

    from azure.identity import aio  # noqa: PLC0415

    verify: dict[str, Any] = {"connection_verify": ca_file} if ca_file else {}
    if cloud not in CLOUDS.values():
        # An authority of one's own is not known to Microsoft's list of authorities.
        verify["disable_instance_discovery"] = True
    if way == "cli":
        return aio.AzureCliCredential()
    if way == "environment":
        return aio.EnvironmentCredential(authority=cloud.authority, **verify)
    if way == "workload":
        needed = ("AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_FEDERATED_TOKEN_FILE")
        if not all(os.environ.get(name) for name in needed):
            return None
        return aio.WorkloadIdentityCredential(authority=cloud.authority, **verify)
    return aio.ManagedIdentityCredential()
