"""A server on this machine that answers as a Kubernetes API server does, over TLS."""

import base64
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

Document = dict[str, Any]
KINDS = {
    ("", "pods"): ("Pod", True),
    ("", "nodes"): ("Node", False),
    ("", "events"): ("Event", True),
    ("", "namespaces"): ("Namespace", False),
    ("", "services"): ("Service", True),
    ("", "configmaps"): ("ConfigMap", True),
    ("", "secrets"): ("Secret", True),
    ("apps", "deployments"): ("Deployment", True),
    ("networking.k8s.io", "networkpolicies"): ("NetworkPolicy", True),
    ("discovery.k8s.io", "endpointslices"): ("EndpointSlice", True),
    ("apiextensions.k8s.io", "customresourcedefinitions"): ("CustomResourceDefinition", False),
    ("resources.azure.com", "resourcegroups"): ("ResourceGroup", True),
}


class Reply(NamedTuple):
    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


class Asked(NamedTuple):
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def token(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")


def status(code: int, message: str, reason: str = "", **metadata: str) -> Reply:
    body = {"kind": "Status", "apiVersion": "v1", "metadata": metadata, "status": "Failure"}
    return Reply(
        code, json.dumps({**body, "message": message, "reason": reason, "code": code}).encode()
    )


class Api:
    """Objects by group and resource; a test adds what goes wrong."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str], list[Document]] = {key: [] for key in KINDS}
        self.asked: list[Asked] = []
        self.tokens = {"good"}
        self.forbidden: set[tuple[str, str]] = set()
        self.rules: list[Document] = [{"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}]
        self.logs: dict[str, bytes] = {}
        # Asked before anything else; the first that gives a reply is heard.
        self.special: list[Callable[[Asked], Reply | None]] = []
        self.has_new_discovery = True
        self.drops = 0
        self.ready = Reply(200, b"ok")

    def add(self, resource: str, *objects: Document, group: str = "") -> None:
        kind, _ = KINDS[group, resource]
        version = f"{group}/v1" if group else "v1"
        for at, one in enumerate(objects):
            body = {"apiVersion": version, "kind": kind, **one}
            body["metadata"] = {
                "uid": f"{resource}-{at}-{len(self.objects[group, resource])}",
                **one["metadata"],
            }
            self.objects[group, resource].append(body)

    def answer(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        if asked.token not in self.tokens:
            return status(401, "Unauthorized", "Unauthorized")
        for special in self.special:
            if (reply := special(asked)) is not None:
                return reply
        if asked.method == "POST" and asked.path.endswith("selfsubjectrulesreviews"):
            body = {"status": {"resourceRules": self.rules, "incomplete": False}}
            return Reply(201, json.dumps(body).encode())
        if asked.method != "GET":
            return status(405, "only reads")
        if asked.path in ("/api", "/apis"):
            return self._discovered(asked)
        return self.ready if asked.path.startswith("/readyz") else self._listed(asked)

    def _discovered(self, asked: Asked) -> Reply:
        is_core = asked.path == "/api"
        if not self.has_new_discovery:
            groups = sorted({group for group, _ in KINDS if group})
            listed = [
                {"name": g, "versions": [{"groupVersion": f"{g}/v1", "version": "v1"}]}
                for g in groups
            ]
            old = {"versions": ["v1"]} if is_core else {"groups": listed}
            return Reply(200, json.dumps(old).encode())
        items = []
        for group in sorted({group for group, _ in KINDS}):
            if (group == "") != is_core:
                continue
            resources = [
                {
                    "resource": resource,
                    "responseKind": {"kind": kind},
                    "scope": "Namespaced" if scoped else "Cluster",
                    "verbs": ["get", "list"],
                }
                for (g, resource), (kind, scoped) in KINDS.items()
                if g == group
            ]
            items.append(
                {
                    "metadata": {"name": group},
                    "versions": [{"version": "v1", "resources": resources}],
                }
            )
        return Reply(200, json.dumps({"kind": "APIGroupDiscoveryList", "items": items}).encode())

    def _listed(self, asked: Asked) -> Reply:
        words = asked.path.strip("/").split("/")
        group, rest = ("", words[2:]) if words[0] == "api" else (words[1], words[3:])
        if not rest:
            found = [
                {"name": r, "kind": k, "namespaced": s, "verbs": ["list"]}
                for (g, r), (k, s) in KINDS.items()
                if g == group
            ]
            return Reply(200, json.dumps({"resources": found}).encode())
        namespace = ""
        if rest[0] == "namespaces" and len(rest) > 2:
            namespace, rest = rest[1], rest[2:]
        if (group, rest[0]) not in self.objects:
            return status(404, "the server could not find the requested resource", "NotFound")
        if rest[-1] == "log":
            life = "/previous" if asked.query.get("previous") else ""
            log = self.logs.get(f"{namespace}/{rest[1]}/{asked.query['container']}{life}")
            return (
                Reply(200, log) if log is not None else status(400, "container is waiting to start")
            )
        if (group, rest[0]) in self.forbidden or (
            f"{namespace}:{group}",
            rest[0],
        ) in self.forbidden:
            return status(
                403,
                f'{rest[0]} is forbidden: User "sam" cannot list resource "{rest[0]}"',
                "Forbidden",
            )
        return self._page(asked, group, rest, namespace)

    def _page(self, asked: Asked, group: str, rest: list[str], namespace: str) -> Reply:
        kind, _ = KINDS[group, rest[0]]
        every = [
            one
            for one in self.objects[group, rest[0]]
            if not namespace or one["metadata"].get("namespace") == namespace
        ]
        if len(rest) > 1:
            one = next((one for one in every if one["metadata"]["name"] == rest[1]), None)
            return (
                Reply(200, json.dumps(one).encode())
                if one
                else status(404, f'"{rest[1]}" not found')
            )
        limit, start = int(asked.query["limit"]), int(asked.query.get("continue") or 0)
        page = every[start : start + limit]
        if "PartialObjectMetadataList" in asked.headers.get("accept", ""):
            page = [{"metadata": one["metadata"]} for one in page]
        metadata = {"continue": str(start + limit)} if start + limit < len(every) else {}
        body = {"kind": f"{kind}List", "apiVersion": "v1", "metadata": metadata, "items": page}
        return Reply(200, json.dumps(body).encode())


class Authority:
    """Makes certificates."""

    def __init__(self, name: str = "test authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        self.certificate = self._signed(self._name, self._key.public_key(), is_authority=True)

    def pair(self, name: str, *, sans: tuple[str, ...] = (), days: int = 1) -> tuple[bytes, bytes]:
        """A certificate and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        made = self._signed(subject, key.public_key(), sans=sans, days=days)
        pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        return made, key.private_bytes(pem, pkcs8, serialization.NoEncryption())

    def _signed(
        self,
        subject: x509.Name,
        key: Any,
        *,
        sans: tuple[str, ...] = (),
        days: int = 1,
        is_authority: bool = False,
    ) -> bytes:
        now = datetime.now(UTC)
        names = [
            x509.IPAddress(ip_address(san)) if san[0].isdigit() else x509.DNSName(san)
            for san in sans
        ]
        made = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=9))
            .not_valid_after(now + timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        )
        if names:
            made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return made.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


class Served(NamedTuple):
    api: Api
    authority: Authority
    port: int

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def config(self, folder: Path, *, user: Document | None = None, **cluster: Any) -> Path:
        """A kubeconfig that leads here."""
        data = base64.b64encode(self.authority.certificate).decode()
        body = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "lab",
            "clusters": [
                {
                    "name": "c",
                    "cluster": {"server": self.url, "certificate-authority-data": data, **cluster},
                }
            ],
            "users": [{"name": "u", "user": {"token": "good"} if user is None else user}],
            "contexts": [
                {"name": "lab", "context": {"cluster": "c", "user": "u", "namespace": "shop"}}
            ],
        }
        path = folder / "config"
        path.write_text(yaml.safe_dump(body))
        return path


@contextmanager
def serving(
    api: Api,
    *,
    sans: tuple[str, ...] = ("127.0.0.1",),
    days: int = 1,
    client_authority: Authority | None = None,
) -> Iterator[Served]:
    """Serve an API beside the test."""
    authority = Authority()
    certificate, key = authority.pair("server", sans=sans, days=days)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _do(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(int(headers.get("content-length", "0")))
            if api.drops > 0 and "continue" in query:
                api.drops -= 1
                self.close_connection = True
                return
            reply = api.answer(Asked(self.command, parts.path, query, headers, body))
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = _do  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _load(context, certificate, key)
    if client_authority:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=client_authority.certificate.decode())
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield Served(api, authority, server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _load(context: ssl.SSLContext, certificate: bytes, key: bytes) -> None:
    import tempfile

    with tempfile.NamedTemporaryFile() as file:
        file.write(certificate + key)
        file.flush()
        context.load_cert_chain(file.name)


def pod(name: str, namespace: str = "shop", **status: Any) -> Document:
    """A pod that runs, unless told otherwise."""
    ready = {"conditions": [{"type": "Ready", "status": "True"}], "phase": "Running"}
    return {
        "metadata": {"name": name, "namespace": namespace, "resourceVersion": "7"},
        "spec": {
            "nodeName": "n1",
            "containers": [{"name": "app", "image": "contoso.example/app:1"}],
        },
        "status": {**ready, **status},
    }


def until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def permits(rules: list[Document], verb: str, group: str, resource: str) -> bool:
    """Whether a role's rules allow something."""
    return any(
        verb in rule["verbs"] and group in rule["apiGroups"] and resource in rule["resources"]
        for rule in rules
    )


def held_to(rules: list[Document]) -> Callable[[Asked], Reply | None]:
    """An authoriser that allows what some rules do, and what everybody may."""

    def judge(asked: Asked) -> Reply | None:
        words = asked.path.strip("/").split("/")
        if asked.method == "POST" or len(words) < 3:
            return None
        group, rest = ("", words[2:]) if words[0] == "api" else (words[1], words[3:])
        if rest[:1] == ["namespaces"] and len(rest) > 2:
            rest = rest[2:]
        verb = "list" if len(rest) == 1 else "get"
        resource = "/".join([rest[0], *rest[2:3]])
        if permits(rules, verb, group, resource):
            return None
        return status(403, f'User "sam" cannot {verb} resource "{resource}"', "Forbidden")

    return judge
