"""Where Azure is: the endpoint of Resource Manager, of its login, and of the portal."""

from typing import Final
from urllib.parse import urlsplit

from sickbay.errors import SickbayError
from sickbay.record import NamedTuple

_PORTS: Final = {"https": 443, "http": 80}


class Cloud(NamedTuple):
    name: str
    endpoint: str
    authority: str
    portal: str = ""
    # Where the tables of workspaces are asked.
    logs: str = ""
    # How the names of storage end; a cloud of one's own keeps it at its endpoint.
    storage: tuple[str, ...] = ()

    @property
    def scope(self) -> str:
        """What a token is asked for."""
        return f"{self.endpoint}/.default"


CLOUDS: Final = {
    "public": Cloud(
        "public",
        "https://management.azure.com",
        "https://login.microsoftonline.com",
        "https://portal.azure.com",
        "https://api.loganalytics.io",
        (".blob.core.windows.net", ".blob.storage.azure.net"),
    ),
    "china": Cloud(
        "china",
        "https://management.chinacloudapi.cn",
        "https://login.chinacloudapi.cn",
        "https://portal.azure.cn",
        "https://api.loganalytics.azure.cn",
        (".blob.core.chinacloudapi.cn",),
    ),
    "usgovernment": Cloud(
        "usgovernment",
        "https://management.usgovcloudapi.net",
        "https://login.microsoftonline.us",
        "https://portal.azure.us",
        "https://api.loganalytics.us",
        (".blob.core.usgovcloudapi.net",),
    ),
}


def cloud_of(name: str, endpoint: str = "", authority: str = "") -> Cloud:
    """A cloud by its name, or one of one's own by its endpoint."""
    if endpoint:
        origin_of(endpoint)
        own = endpoint.rstrip("/")
        return Cloud(name or "custom", own, (authority or own).rstrip("/"))
    found = CLOUDS.get(name.casefold() or "public")
    if found is None:
        known = ", ".join(CLOUDS)
        raise SickbayError(f"there is no cloud {name}", f"use one of {known}, or --endpoint URL")
    return found


def is_storage(cloud: Cloud, url: str) -> bool:
    """Whether a link leads to storage of the cloud, encrypted."""
    try:
        scheme, host, port = origin_of(url)
    except SickbayError:
        return False
    if not cloud.storage:
        return (scheme, host, port) == origin_of(cloud.endpoint)
    return scheme == "https" and port == _PORTS["https"] and host.endswith(cloud.storage)


def origin_of(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of a URL; SickbayError if it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise SickbayError(f"{url} is no address of a server", "use https://HOST") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise SickbayError(f"{url} is no address of a server", "use https://HOST")
    return parts.scheme, parts.hostname.casefold(), port or _PORTS[parts.scheme]
