"""The kubeconfig as kubectl reads it: several files merged, one context chosen."""

import base64
import binascii
import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

from sickbay.errors import SickbayError
from sickbay.record import NamedTuple

_DEFAULT: Final = os.path.join("~", ".kube", "config")  # noqa: PTH118
_MOST_BYTES: Final = 8 << 20
_ACCOUNT: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
_SECTIONS: Final = {"clusters": "cluster", "users": "user", "contexts": "context"}
_PATHS: Final = ("certificate-authority", "client-certificate", "client-key", "tokenFile")


class Cluster(NamedTuple):
    """Where the API server is, and whom to trust there."""

    server: str
    authority: bytes = b""
    is_insecure: bool = False
    tls_name: str = ""
    proxy: str = ""
    # As the kubeconfig has it, for plugins that ask for it.
    given: Mapping[str, Any] = {}


class Plugin(NamedTuple):
    """A program that gives a credential."""

    command: str
    version: str
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    mode: str = "IfAvailable"
    wants_cluster: bool = False
    hint: str = ""


class User(NamedTuple):
    """Who asks."""

    token: str = ""
    token_file: str = ""
    certificate: bytes = b""
    key: bytes = b""
    basic: str = ""
    plugin: Plugin | None = None
    headers: tuple[tuple[str, str], ...] = ()


class Access(NamedTuple):
    """A context: a cluster, a user, and the namespace that is meant when none is named."""

    context: str
    cluster: Cluster
    user: User
    namespace: str = "default"


def access(path: str = "", context: str = "") -> Access | None:
    """The chosen context, or None where nothing on this machine names a cluster."""
    files = [path] if path else _files()
    merged = _merged(files, is_asked_for=bool(path))
    if not merged["contexts"] and not path:
        return None if context else _in_cluster()
    name = context or merged["current-context"]
    if not name:
        raise SickbayError("no context is chosen", "name one with --context, or: " + _USE)
    chosen = merged["contexts"].get(name)
    if chosen is None:
        known = ", ".join(sorted(merged["contexts"])) or "none"
        raise SickbayError(f"there is no context {name}", f"the kubeconfig has {known}")
    cluster = _part(merged, "clusters", chosen, "cluster")
    user = _part(merged, "users", chosen, "user")
    return Access(name, _cluster(cluster), _user(user), chosen.get("namespace") or "default")


_USE: Final = "kubectl config use-context NAME"


def _files() -> list[str]:
    named = [path for path in os.environ.get("KUBECONFIG", "").split(os.pathsep) if path]
    return named or [os.path.expanduser(_DEFAULT)]  # noqa: PTH111


def _merged(files: list[str], *, is_asked_for: bool) -> dict[str, Any]:
    """All files as one; of two entries with one name the first counts."""
    merged: dict[str, Any] = {section: {} for section in _SECTIONS} | {"current-context": ""}
    for path in files:
        body = _loaded(path, is_asked_for=is_asked_for)
        merged["current-context"] = merged["current-context"] or str(
            body.get("current-context") or ""
        )
        for section, key in _SECTIONS.items():
            for name, entry in _entries(body, section, key, path):
                merged[section].setdefault(name, _placed(entry, path))
    return merged


def _loaded(path: str, *, is_asked_for: bool) -> dict[str, Any]:
    from sickbay.bundle.foreign.yaml_files import parsed  # noqa: PLC0415 - slow to import

    try:
        with open(path, encoding="utf-8-sig") as file:  # noqa: PTH123
            body = parsed(file.read(_MOST_BYTES))
    except FileNotFoundError:
        if is_asked_for:
            raise SickbayError(f"there is no file {path}", "name a kubeconfig") from None
        return {}
    except OSError as error:
        raise SickbayError(f"{path} cannot be read", error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        # What the parser says can quote the file, and with it a token.
        raise SickbayError(f"{path} is no kubeconfig", "it is no valid YAML") from None
    if body is None:
        return {}
    if not isinstance(body, dict) or body.get("kind") not in (None, "", "Config"):
        raise SickbayError(f"{path} is no kubeconfig", "it has no clusters, users and contexts")
    return body


def _entries(
    body: dict[str, Any], section: str, key: str, path: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    listed = body.get(section) or []
    if not isinstance(listed, list):
        raise SickbayError(f"{path} is no kubeconfig", f"{section} is no list")
    for entry in listed:
        if not isinstance(entry, dict) or not isinstance(entry.get(key) or {}, dict):
            raise SickbayError(f"{path} is no kubeconfig", f"an entry of {section} is no mapping")
        yield str(entry.get("name") or ""), entry.get(key) or {}


def _placed(entry: dict[str, Any], path: str) -> dict[str, Any]:
    """An entry whose files are meant from the folder of its own file."""
    folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
    placed = {**entry}
    for key in _PATHS:
        if isinstance(entry.get(key), str) and entry[key]:
            placed[key] = os.path.join(folder, entry[key])  # noqa: PTH118
    plugin = entry.get("exec")
    if isinstance(plugin, dict):
        command = str(plugin.get("command") or "")
        if os.path.basename(command) != command:  # noqa: PTH119
            placed["exec"] = {**plugin, "command": os.path.join(folder, command)}  # noqa: PTH118
    return placed


def _part(merged: dict[str, Any], section: str, chosen: dict[str, Any], key: str) -> dict[str, Any]:
    name = str(chosen.get(key) or "")
    if name not in merged[section]:
        if key == "user" and not name:
            return {}
        raise SickbayError(f"the context names the {key} {name or '(none)'}", "there is none")
    found: dict[str, Any] = merged[section][name]
    return found


def _cluster(entry: dict[str, Any]) -> Cluster:
    server = str(entry.get("server") or "")
    if not server.startswith(("https://", "http://")):
        raise SickbayError("the kubeconfig names no server", "clusters[].cluster.server is a URL")
    return Cluster(
        server.rstrip("/"),
        _data(entry, "certificate-authority"),
        bool(entry.get("insecure-skip-tls-verify")),
        str(entry.get("tls-server-name") or ""),
        str(entry.get("proxy-url") or ""),
        entry,
    )


def _user(entry: dict[str, Any]) -> User:
    if entry.get("auth-provider") and not entry.get("exec"):
        hint = "kubelogin convert-kubeconfig"
        raise SickbayError("the kubeconfig signs in by an auth-provider, which is gone", hint)
    name, password = entry.get("username"), entry.get("password")
    basic = base64.b64encode(f"{name}:{password or ''}".encode()).decode() if name else ""
    return User(
        str(entry.get("token") or ""),
        str(entry.get("tokenFile") or ""),
        _data(entry, "client-certificate"),
        _data(entry, "client-key"),
        basic,
        _plugin(entry.get("exec")),
        tuple(_impersonated(entry)),
    )


def _impersonated(entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if entry.get("as"):
        yield "Impersonate-User", str(entry["as"])
        if entry.get("as-uid"):
            yield "Impersonate-Uid", str(entry["as-uid"])
        for group in entry.get("as-groups") or ():
            yield "Impersonate-Group", str(group)


def _plugin(entry: Any) -> Plugin | None:
    if not isinstance(entry, dict):
        return None
    if not entry.get("command"):
        raise SickbayError("the kubeconfig names no program to sign in", "users[].user.exec")
    env = [one for one in entry.get("env") or () if isinstance(one, dict)]
    return Plugin(
        str(entry["command"]),
        str(entry.get("apiVersion") or ""),
        tuple(str(word) for word in entry.get("args") or ()),
        tuple((str(one.get("name")), str(one.get("value") or "")) for one in env),
        str(entry.get("interactiveMode") or "IfAvailable"),
        bool(entry.get("provideClusterInfo")),
        str(entry.get("installHint") or "").strip().partition("\n")[0],
    )


def _data(entry: dict[str, Any], key: str) -> bytes:
    """What stands in the kubeconfig itself, else in the file that it names."""
    if entry.get(f"{key}-data"):
        try:
            return base64.b64decode(str(entry[f"{key}-data"]), validate=False)
        except binascii.Error:
            raise SickbayError(f"{key}-data of the kubeconfig is broken", "no base64") from None
    if not entry.get(key):
        return b""
    return read_bytes(str(entry[key]))


def read_bytes(path: str) -> bytes:
    """A file that a kubeconfig names, or one line that says why not."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read(_MOST_BYTES)
    except OSError as error:
        problem = error.strerror or str(error)
        raise SickbayError(f"{path} of the kubeconfig cannot be read", problem) from None


def _in_cluster() -> Access | None:
    """What a pod knows of its own cluster."""
    host, port = (os.environ.get(f"KUBERNETES_SERVICE_{word}", "") for word in ("HOST", "PORT"))
    token = os.path.join(_ACCOUNT, "token")  # noqa: PTH118
    if not host or not os.path.exists(token):  # noqa: PTH110
        return None
    place = f"[{host}]" if ":" in host else host
    authority = read_bytes(os.path.join(_ACCOUNT, "ca.crt"))  # noqa: PTH118
    namespace = read_bytes(os.path.join(_ACCOUNT, "namespace")).decode().strip()  # noqa: PTH118
    cluster = Cluster(f"https://{place}:{port or '443'}", authority)
    return Access("in-cluster", cluster, User(token_file=token), namespace or "default")
