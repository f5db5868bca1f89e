"""One connection to an API server: straight or through a proxy, and why there is none.

What goes wrong is told in the words of kubectl, which is what the rules and the web know.
"""

import errno
import http.client
import socket
import ssl
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from sickbay.collect.kube_tunnel import PORTS, Straight, TunnelError, Way, tunnel
from sickbay.collect.kubeconfig import Cluster
from sickbay.errors import SickbayError
from sickbay.record import NamedTuple

CONNECT_SECONDS: Final = 10.0
_HTTPS: Final = 443
KINDS: Final = ", ".join(PORTS)
_FAR: Final = 0.01
_UNABLE: Final = "Unable to connect to the server: "
_EXPIRED: Final = (9, 10)
_OTHER_NAME: Final = (62, 64)


class UnreachableError(Exception):
    """There is no connection, or it broke; the text is what kubectl would print."""

    is_slow = False


class Place(NamedTuple):
    """Where a connection leads."""

    host: str
    port: int
    is_secure: bool
    prefix: str
    tls_name: str
    proxy: str

    @property
    def named(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def place_of(cluster: Cluster) -> Place:
    """Where a cluster is reached; the proxy is the kubeconfig's, else that of the environment."""
    try:
        parts = urlsplit(cluster.server)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    if not host:
        raise SickbayError(f"{cluster.server[:200]} is no address of a server", "https://HOST:PORT")
    is_secure = parts.scheme == "https"
    proxy = cluster.proxy
    if not proxy and not proxy_bypass(host):
        proxy = getproxies().get(parts.scheme, "")
    return Place(
        host,
        port or (_HTTPS if is_secure else 80),
        is_secure,
        parts.path.rstrip("/"),
        cluster.tls_name or host,
        _proxy_url(proxy),
    )


def _proxy_url(proxy: str) -> str:
    """The address of a proxy in full; environments often leave the http away."""
    if not proxy:
        return ""
    url = proxy if "://" in proxy else f"http://{proxy}"
    try:
        parts = urlsplit(url)
        is_known = parts.scheme in PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_known = False
    if not is_known:
        # Its name and password are nobody's business.
        shown = url.rpartition("@")[2][:200]
        raise SickbayError(
            f"{shown} is no proxy that can be used", f"KIND://HOST:PORT with {KINDS}"
        )
    return url


class Wire(http.client.HTTPConnection):
    """A connection that says at which step it failed."""

    def __init__(self, place: Place, context: ssl.SSLContext | None, seconds: float) -> None:
        super().__init__(place.host, place.port, timeout=seconds)
        self._place = place
        self._tls = context
        self.is_far = True

    def connect(self) -> None:
        """Open the way, step by step."""
        place, began = self._place, time.monotonic()
        way = _opened(place, self._tls, CONNECT_SECONDS)
        self.is_far = bool(place.proxy) or time.monotonic() - began > _FAR
        try:
            way.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls is not None:
                way = _shaken(way, place, self._tls)
            way.socket.settimeout(self.timeout)
        except BaseException:
            way.close()
            raise
        self.sock = way.socket

    def allow(self, seconds: float) -> None:
        """How long an answer may take from now on."""
        self.timeout = seconds
        if self.sock is not None:
            self.sock.settimeout(seconds)

    def hang_up(self) -> None:
        """Break off at once, also what another thread waits for."""
        if self.sock is not None:
            # TLS inside TLS is no socket, but has one.
            below = getattr(self.sock, "socket", self.sock)
            with suppress(OSError):
                below.shutdown(socket.SHUT_RDWR)


def broken(place: Place, error: Exception) -> UnreachableError:
    """What a connection that was there died of."""
    if isinstance(error, UnreachableError):
        return error
    if isinstance(error, TimeoutError):
        slow = UnreachableError(
            f"{_UNABLE}net/http: request canceled (Client.Timeout exceeded while awaiting headers)"
        )
        slow.is_slow = True
        return slow
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return UnreachableError(f"{_UNABLE}read tcp {place.named}: read: connection reset by peer")
    if isinstance(error, ssl.SSLError):
        return UnreachableError(f"{_UNABLE}remote error: tls: {_spelled(error)}")
    return UnreachableError(f"{_UNABLE}EOF")


def _opened(place: Place, tls: ssl.SSLContext | None, seconds: float) -> Way:
    """The way to the server, through its proxy where it has one."""
    if not place.proxy:
        return Straight(_dialled(place, time.monotonic() + seconds))
    try:
        return tunnel(place.proxy, place.host, place.port, tls=tls, seconds=seconds)
    except TunnelError as error:
        raise UnreachableError(f"{_UNABLE}{error}") from None


def _dialled(place: Place, until: float) -> socket.socket:
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        is_unknown = error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", 0))
        why = "no such host" if is_unknown else "server misbehaving"
        raise UnreachableError(f"{_UNABLE}dial tcp: lookup {place.host}: {why}") from None
    except UnicodeError:
        raise UnreachableError(f"{_UNABLE}dial tcp: lookup {place.host}: no such host") from None
    last = UnreachableError(f"{_UNABLE}dial tcp: lookup {place.host}: no such host")
    for family, kind, protocol, _, address in found:
        sock = socket.socket(family, kind, protocol)
        sock.settimeout(max(1.0, until - time.monotonic()))
        try:
            sock.connect(address)
        except OSError as error:
            sock.close()
            last = _refused(place, str(address[0]), error)
            continue
        return sock
    raise last


def _refused(place: Place, address: str, error: OSError) -> UnreachableError:
    if isinstance(error, ConnectionRefusedError):
        return UnreachableError(
            f"The connection to the server {place.named} was refused - "
            "did you specify the right host or port?"
        )
    at = f"{_UNABLE}dial tcp {address if ':' not in address else f'[{address}]'}:{place.port}: "
    if isinstance(error, TimeoutError):
        return UnreachableError(f"{at}i/o timeout")
    known = {errno.EHOSTUNREACH: "no route to host", errno.ENETUNREACH: "network is unreachable"}
    return UnreachableError(f"{at}connect: {known.get(error.errno or 0, error.strerror or '')}")


def _shaken(way: Way, place: Place, context: ssl.SSLContext) -> Way:
    try:
        return way.start_tls(place.tls_name, context)
    except ssl.SSLCertVerificationError as error:
        raise UnreachableError(
            f"{_UNABLE}tls: failed to verify certificate: x509: {_distrusted(place, error)}"
        ) from None
    except TimeoutError:
        raise UnreachableError(f"{_UNABLE}net/http: TLS handshake timeout") from None
    except ConnectionError as error:
        raise broken(place, error) from None
    except ssl.SSLEOFError:
        raise UnreachableError(f"{_UNABLE}EOF") from None
    except ssl.SSLError as error:
        if "WRONG_VERSION_NUMBER" in str(error) or "HTTP_REQUEST" in str(error):
            says = "http: server gave HTTP response to HTTPS client"
            raise UnreachableError(f"{_UNABLE}{says}") from None
        raise UnreachableError(f"{_UNABLE}remote error: tls: {_spelled(error)}") from None


def _distrusted(place: Place, error: ssl.SSLCertVerificationError) -> str:
    """Why the certificate of the server is not trusted, as Go says it."""
    if error.verify_code in _EXPIRED:
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        shown = shown_certificate(place)
        side = "before" if error.verify_code == _EXPIRED[0] else "after"
        bound = shown and (shown.begins if side == "before" else shown.ends)
        says = "certificate has expired or is not yet valid: "
        return f"{says}current time {now} is {side} {bound}" if bound else says.rstrip(": ")
    if error.verify_code in _OTHER_NAME:
        shown = shown_certificate(place)
        names = ", ".join(shown.names) if shown else "other names"
        return f"certificate is valid for {names}, not {place.tls_name}"
    return "certificate signed by unknown authority"


class Shown(NamedTuple):
    """What a certificate says of itself."""

    names: tuple[str, ...]
    begins: str
    ends: str


def shown_certificate(place: Place) -> Shown | None:
    """The certificate that a server shows, trusted or not; None if it shows none now."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        way = _opened(place, None, 5.0)
        try:
            way = way.start_tls(place.tls_name, context)
            shown = way.socket.getpeercert(binary_form=True)
        finally:
            way.close()
    except (UnreachableError, OSError):
        return None
    return read_certificate(shown) if shown else None


def read_certificate(data: bytes) -> Shown | None:
    """Names and dates of a certificate."""
    from cryptography import x509  # noqa: PLC0415 - only a failure asks

    try:
        is_text = data.lstrip().startswith(b"-----")
        found = (
            x509.load_pem_x509_certificate(data)
            if is_text
            else x509.load_der_x509_certificate(data)
        )
        try:
            san = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
            names = tuple(str(one.value) for one in san)
        except x509.ExtensionNotFound:
            names = ()
        begins, ends = found.not_valid_before_utc, found.not_valid_after_utc
    except (ValueError, TypeError):
        return None
    form = "%Y-%m-%dT%H:%M:%SZ"
    return Shown(names[:12], begins.strftime(form), ends.strftime(form))


def _spelled(error: ssl.SSLError) -> str:
    return (error.reason or str(error)).replace("_", " ").lower()
