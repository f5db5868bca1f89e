"""What the nodes of a cluster must reach outside, as AKS lists it."""

from typing import Any, Final

from sickbay.lab.answers import Asked, Reply, not_found
from sickbay.lab.estate import Estate

# Each category with its names, and the port and protocol that the list gives for them.
_LISTED: Final[tuple[tuple[str, tuple[str, ...], int, str], ...]] = (
    (
        "azure-resource-management",
        ("management.azure.com", "login.microsoftonline.com"),
        443,
        "Https",
    ),
    ("images", ("mcr.microsoft.com", "*.data.mcr.microsoft.com"), 443, "Https"),
    (
        "artifacts",
        ("packages.microsoft.com", "acs-mirror.azureedge.net", "packages.aks.azure.com"),
        443,
        "Https",
    ),
    ("time-sync", ("ntp.ubuntu.com",), 123, "Udp"),
    (
        "ubuntu-optional",
        ("security.ubuntu.com", "azure.archive.ubuntu.com", "changelogs.ubuntu.com"),
        80,
        "Http",
    ),
    (
        "gpu",
        ("nvidia.github.io", "us.download.nvidia.com", "download.docker.com"),
        443,
        "Https",
    ),
    ("windows", ("onegetcdn.azureedge.net", "go.microsoft.com"), 443, "Https"),
)


def outbound(estate: Estate, asked: Asked) -> Reply:
    """The list of one cluster, with the name of its API server."""
    cluster = asked.id.rpartition("/")[0]
    body = estate.store.get(cluster)
    if body is None:
        return not_found(cluster).reply()
    rows = [_category(*listed) for listed in _LISTED]
    if server := str(body.get("properties", {}).get("fqdn") or ""):
        rows.append(_category("apiserver", (server,), 443, "Https"))
    return Reply(200, {"value": rows})


def _category(name: str, names: tuple[str, ...], port: int, protocol: str) -> dict[str, Any]:
    details = [{"port": port, "protocol": protocol}]
    return {
        "category": name,
        "endpoints": [{"domainName": one, "endpointDetails": details} for one in names],
    }
