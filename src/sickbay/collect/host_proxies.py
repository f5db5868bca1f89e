"""Which proxy stands between a machine and a host."""

import base64
import ipaddress
from collections.abc import Mapping
from typing import Final
from urllib.parse import unquote, urlsplit

from sickbay.record import NamedTuple

_PLAIN_PORT: Final = 80
_SECURE_PORT: Final = 443
VARIABLES: Final = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")


class ProxyAddress(NamedTuple):
    """Where a proxy is; who logs in to it never leaves this process."""

    host: str
    port: int
    user: str = ""
    password: str = ""
    is_secure: bool = False

    def __repr__(self) -> str:
        return f"ProxyAddress({self.shown})"

    @property
    def shown(self) -> str:
        """The URL without its credentials."""
        return f"{'https' if self.is_secure else 'http'}://{self.host}:{self.port}"

    @property
    def login(self) -> str:
        """What the proxy wants in a header, or an empty string."""
        if not self.user:
            return ""
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()


def proxy_address(url: str) -> ProxyAddress | None:
    """The proxy of a URL, or None for one that no client could use."""
    text = url.strip() if "://" in url else f"http://{url.strip()}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname or text.count("://") != 1 or " " in text:
        return None
    is_secure = parts.scheme == "https"
    return ProxyAddress(
        parts.hostname,
        port or (_SECURE_PORT if is_secure else _PLAIN_PORT),
        unquote(parts.username or ""),
        unquote(parts.password or ""),
        is_secure,
    )


def shown(url: str) -> str:
    """A URL of a proxy as it may be told: without its credentials."""
    address = proxy_address(url)
    return address.shown if address else "no URL of a proxy"


def is_exempt(host: str, no_proxy: str) -> bool:
    """Whether a host is on a no_proxy list: by name, by domain, by address or by prefix."""
    name = host.casefold().rstrip(".")
    for item in no_proxy.casefold().split(","):
        entry = item.strip()
        if entry == "*" or (entry and _covers(entry, name)):
            return True
    return False


def _covers(entry: str, name: str) -> bool:
    try:
        return ipaddress.ip_address(name) in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        domain = entry.lstrip("*").lstrip(".")
        return name == domain or name.endswith(f".{domain}")


def variables_of(environment: Mapping[str, str]) -> dict[str, str]:
    """The proxy variables that are set, by their names in capitals; small letters come first."""
    found = {}
    for name in VARIABLES:
        value = environment.get(name.lower()) or environment.get(name)
        if value:
            found[name] = value
    return found


def proxy_for(host: str, variables: Mapping[str, str]) -> ProxyAddress | None:
    """The proxy that a client takes to a host, by what the variables say."""
    url = variables.get("HTTPS_PROXY") or variables.get("ALL_PROXY") or ""
    if not url or is_exempt(host, variables.get("NO_PROXY", "")):
        return None
    return proxy_address(url)
