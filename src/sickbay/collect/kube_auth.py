"""Who asks a Kubernetes API server: tokens, client certificates, and programs that give them."""

import json
import os
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from sickbay.collect.kubeconfig import Access, Cluster, Plugin, User
from sickbay.errors import SickbayError
from sickbay.record import NamedTuple

_GROUP: Final = "client.authentication.k8s.io"
_VERSIONS: Final = (f"{_GROUP}/v1", f"{_GROUP}/v1beta1")
_SECONDS: Final = 90
# A token file is read again after this long: kubelets renew what is mounted.
_FRESH: Final = 60.0
_EARLY: Final = 30.0
_OPEN_FILES: Final = "/proc/self/fd"
_CLUSTER_KEYS: Final = {
    "server": "server",
    "tls-server-name": "tls-server-name",
    "insecure-skip-tls-verify": "insecure-skip-tls-verify",
    "certificate-authority-data": "certificate-authority-data",
    "proxy-url": "proxy-url",
}


class Given(NamedTuple):
    """What a plugin gave, and until when it holds (by the clock of this machine)."""

    token: str = ""
    certificate: bytes = b""
    key: bytes = b""
    until: float = float("inf")


class Credential:
    """Gives the headers and the certificate of a user; asks a plugin only when it must."""

    def __init__(self, access: Access) -> None:
        self._user: User = access.user
        self._cluster: Cluster = access.cluster
        self._lock = threading.Lock()
        self._given: Given | None = None
        self._read_at = 0.0
        self._token = access.user.token

    def headers(self) -> dict[str, str]:
        """What every request carries; a plugin may be asked, so not for the loop's own thread."""
        headers = dict(self._user.headers)
        if self._user.basic:
            headers["Authorization"] = f"Basic {self._user.basic}"
        elif token := self._current():
            headers["Authorization"] = f"Bearer {token}"
        return headers

    @property
    def generation(self) -> object:
        """Changes when the credential does, so that connections are made anew."""
        return self._given

    def refresh(self, headers: Mapping[str, str]) -> bool:
        """After a refusal: whether another credential than the refused one could be had."""
        refused = headers.get("Authorization", "")
        with self._lock:
            if self._user.plugin is not None:
                if f"Bearer {self._given.token if self._given else ''}" == refused or not refused:
                    self._given = None
            elif self._user.token_file:
                self._read_at = 0.0
            else:
                return False
        return self._user.plugin is not None or f"Bearer {self._current()}" != refused

    def context(self) -> ssl.SSLContext:
        """Whom to trust, and the certificate of the user."""
        # Not the default context: authorities of clusters leave out what its strict rules ask for.
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        made.set_alpn_protocols(["http/1.1"])
        if not self._cluster.authority:
            made.load_default_certs()
        else:
            try:
                made.load_verify_locations(cadata=self._cluster.authority.decode("ascii", "ignore"))
            except (ssl.SSLError, ValueError):
                raise SickbayError(
                    "the certificate authority of the kubeconfig cannot be read", "it is no PEM"
                ) from None
        if self._cluster.is_insecure:
            made.check_hostname = False
            made.verify_mode = ssl.CERT_NONE
        certificate, key = self._user.certificate, self._user.key
        if self._user.plugin is not None:
            given = self._asked()
            certificate, key = given.certificate or certificate, given.key or key
        if certificate and key:
            _load(made, certificate, key)
        return made

    def _current(self) -> str:
        if self._user.plugin is not None:
            return self._asked().token or self._user.token
        if self._user.token_file:
            with self._lock:
                if time.monotonic() - self._read_at > _FRESH or not self._token:
                    self._token = _token_in(self._user.token_file) or self._user.token
                    self._read_at = time.monotonic()
        return self._token

    def _asked(self) -> Given:
        with self._lock:
            if self._given is None or time.time() > self._given.until - _EARLY:
                assert self._user.plugin is not None  # noqa: S101 - asked only of such users
                self._given = ask(self._user.plugin, self._cluster)
            return self._given


def ask(plugin: Plugin, cluster: Cluster) -> Given:
    """Run a plugin once; SickbayError says why it gave nothing."""
    if plugin.version not in _VERSIONS:
        raise SickbayError(
            f"{plugin.command} speaks {plugin.version or 'no version'}, which is not supported",
            f"use {' or '.join(_VERSIONS)} in the kubeconfig",
        )
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    if plugin.mode == "Always" and not is_terminal:
        raise SickbayError(f"{plugin.command} must ask you", "run it in a terminal")
    is_interactive = is_terminal and plugin.mode != "Never"
    try:
        ran = subprocess.run(  # noqa: S603 - the program that the user's own kubeconfig names
            [plugin.command, *plugin.args],
            env={
                **os.environ,
                **dict(plugin.env),
                "KUBERNETES_EXEC_INFO": _info(plugin, cluster, is_interactive),
            },
            stdin=None if is_interactive else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if is_interactive else subprocess.PIPE,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        hint = plugin.hint or f"install {plugin.command}, or put it on the PATH"
        raise SickbayError(
            f"the kubeconfig signs in by {plugin.command}, which is not there", hint
        ) from None
    except subprocess.TimeoutExpired:
        raise SickbayError(
            f"{plugin.command} gave no credential in {_SECONDS} s", "run it by hand"
        ) from None
    except OSError as error:
        raise SickbayError(f"{plugin.command} cannot be run", error.strerror or "") from None
    if ran.returncode:
        raise SickbayError(
            f"{plugin.command} gave no credential (exit code {ran.returncode})",
            _last_line(ran.stderr) or "sign in again",
        )
    return _given(plugin, ran.stdout)


def _info(plugin: Plugin, cluster: Cluster, is_interactive: bool) -> str:
    spec: dict[str, Any] = {"interactive": is_interactive}
    if plugin.wants_cluster:
        given = {
            to: cluster.given[key] for key, to in _CLUSTER_KEYS.items() if key in cluster.given
        }
        extensions = cluster.given.get("extensions") or ()
        named = [one for one in extensions if isinstance(one, dict)]
        given["config"] = next(
            (one.get("extension") for one in named if one.get("name") == f"{_GROUP}/exec"), None
        )
        spec["cluster"] = given
    return json.dumps({"kind": "ExecCredential", "apiVersion": plugin.version, "spec": spec})


def _given(plugin: Plugin, output: bytes) -> Given:
    try:
        body = json.loads(output)
        status = body["status"]
        token, until = status.get("token") or "", status.get("expirationTimestamp") or ""
        certificate = (status.get("clientCertificateData") or "").encode()
        key = (status.get("clientKeyData") or "").encode()
        end = datetime.fromisoformat(until).timestamp() if until else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        # The output is never quoted: it may be a token all the same.
        raise SickbayError(f"{plugin.command} printed no credential", "run it by hand") from None
    if not token and not (certificate and key):
        raise SickbayError(f"{plugin.command} printed an empty credential", "sign in again")
    return Given(str(token), certificate, key, end if end is not None else float("inf"))


def _load(context: ssl.SSLContext, certificate: bytes, key: bytes) -> None:
    """Hand a certificate to the library, which takes files only."""
    try:
        with _file_of(certificate.rstrip() + b"\n" + key) as path:
            context.load_cert_chain(path, password="")  # none: it must not ask
    except (ssl.SSLError, ValueError, OSError):
        raise SickbayError(
            "the client certificate of the kubeconfig cannot be used",
            "certificate and key do not fit, or are no PEM",
        ) from None


@contextmanager
def _file_of(pem: bytes) -> Iterator[str]:
    """A path to read a key from; in memory where that can be, for a killed run removes no file."""
    if sys.platform == "linux" and os.path.isdir(_OPEN_FILES):  # noqa: PTH112
        with os.fdopen(os.memfd_create("sickbay"), "wb", buffering=0) as file:
            file.write(pem)
            yield f"{_OPEN_FILES}/{file.fileno()}"
        return
    handle, path = tempfile.mkstemp(prefix=".sickbay-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(pem)
        yield path
    finally:
        os.unlink(path)  # noqa: PTH108


def _token_in(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="ignore") as file:  # noqa: PTH123
            return file.read(1 << 20).strip()
    except OSError as error:
        raise SickbayError(
            f"the token file {path} cannot be read", error.strerror or str(error)
        ) from None


def _last_line(output: bytes | None) -> str:
    from sickbay.bundle.redact import text  # noqa: PLC0415 - only a failure is quoted

    lines = (output or b"").decode("utf-8", "replace").strip().splitlines()
    return text(lines[-1][:300]) if lines else ""
