"""The way to an API server through a proxy: http, https and socks5, as kubectl knows them.

The only module that imports the library for proxies, and only when there is one.
"""

import socket
import ssl
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from python_socks.sync.v2 import Proxy

PORTS: Final = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}


class TunnelError(Exception):
    """A proxy did not open the way; the text is what kubectl would print behind `Unable …`."""


class Way(Protocol):
    """What leads to a server; over an https proxy it is encrypted once already."""

    @property
    def socket(self) -> Any: ...
    def start_tls(self, hostname: str, ssl_context: ssl.SSLContext) -> "Way": ...
    def close(self) -> None: ...


class Straight:
    """A way without a proxy."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock

    def start_tls(self, hostname: str, ssl_context: ssl.SSLContext) -> "Straight":
        return Straight(ssl_context.wrap_socket(self.socket, server_hostname=hostname))

    def close(self) -> None:
        self.socket.close()


def tunnel(proxy: str, host: str, port: int, *, tls: ssl.SSLContext | None, seconds: float) -> Way:
    """The way through a proxy."""
    from python_socks import ProxyError, ProxyTimeoutError  # noqa: PLC0415 - few have a proxy

    step = "socks connect tcp" if proxy.startswith("socks") else "proxyconnect tcp"
    try:
        return _proxy(proxy, tls).connect(host, port, timeout=seconds)
    except ProxyTimeoutError:
        raise TunnelError(f"{step}: i/o timeout") from None
    except ProxyError as error:
        raise TunnelError(f"{step}: {error or 'EOF'}") from None
    except ssl.SSLError as error:
        why = (error.reason or str(error)).replace("_", " ").lower()
        raise TunnelError(f"{step}: tls: {why}") from None
    except OSError as error:
        raise TunnelError(f"{step}: {_undialled(proxy, error)}") from None


def _proxy(url: str, tls: ssl.SSLContext | None) -> "Proxy":
    from python_socks import ProxyType  # noqa: PLC0415
    from python_socks.sync.v2 import Proxy  # noqa: PLC0415

    parts = urlsplit(url)
    # The server's name is asked for where the proxy is, as kubectl has it.
    is_socks = parts.scheme.startswith("socks")
    return Proxy(
        ProxyType.SOCKS5 if is_socks else ProxyType.HTTP,
        parts.hostname or "",
        parts.port or PORTS[parts.scheme],
        unquote(parts.username or "") or None,
        unquote(parts.password or ""),
        rdns=True if is_socks else None,
        proxy_ssl=(tls or ssl.create_default_context()) if parts.scheme == "https" else None,
    )


def _undialled(url: str, error: OSError) -> str:
    """Why the proxy itself is not reached."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    cause = error.__cause__ or error
    if isinstance(cause, socket.gaierror):
        return f"dial tcp: lookup {host}: no such host"
    if isinstance(cause, TimeoutError):
        return f"dial tcp {host}:{port}: i/o timeout"
    if isinstance(cause, ConnectionRefusedError):
        return f"dial tcp {host}:{port}: connect: connection refused"
    return f"dial tcp {host}:{port}: {getattr(cause, 'strerror', '') or 'EOF'}"
