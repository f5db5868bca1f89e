"""What a probe tries to reach: services, and the pods behind them, those in trouble first."""

from collections.abc import Iterable
from typing import Any, Final

from sickbay.record import NamedTuple

_MOST_SERVICES: Final = 12
_MOST_BACKENDS: Final = 4
# What everything else in a cluster stands on.
_FIRST: Final = (("default", "kubernetes"), ("kube-system", "kube-dns"))


class End(NamedTuple):
    """One address and port, and whose it is: a service, or a pod behind one."""

    kind: str
    name: str
    address: str
    port: int


class Target(NamedTuple):
    """A service with some of the pods behind it, as its slices name them."""

    service: End
    backends: tuple[End, ...]
    is_guarded: bool = False
    # Whether these are all: a service sends a part of its callers to each.
    is_whole: bool = True


class Targets:
    """Gathers services and slices while their lists come in."""

    def __init__(self) -> None:
        self._services: dict[tuple[str, str], dict[str, Any]] = {}
        self._slices: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self.is_azure = False
        # Where policies are, silence can be meant.
        self._guarded: set[str] = set()

    def note(self, kind: str, body: dict[str, Any]) -> None:
        """Look at an object of a list."""
        metadata = _part(body, "metadata")
        namespace, name = str(metadata.get("namespace", "")), str(metadata.get("name", ""))
        if "Policy" in kind:
            self._guarded.add(namespace)
        elif kind == "Service":
            self._services[namespace, name] = _part(body, "spec")
        elif kind == "EndpointSlice":
            owner = str(_part(metadata, "labels").get("kubernetes.io/service-name", ""))
            self._slices.setdefault((namespace, owner), []).append(body)

    def chosen(self, ill: Iterable[str], only: str = "") -> list[Target]:
        """The services to try: the cluster's own, then those of namespaces that are not well."""
        near = {only} if only else set(ill)
        rest = sorted(key for key in self._services if key not in _FIRST)
        wanted = [*_FIRST, *(key for key in rest if key[0] in near)]
        if not only:
            wanted += [key for key in rest if key[0] not in near]
        found = [target for key in wanted if (target := self._target(key)) is not None]
        return found[:_MOST_SERVICES]

    def _target(self, key: tuple[str, str]) -> Target | None:
        spec = self._services.get(key, {})
        address, ports = str(spec.get("clusterIP") or ""), spec.get("ports") or []
        port = next((one for one in ports if one.get("protocol", "TCP") == "TCP"), None)
        if address in ("", "None") or port is None:
            return None
        name = "/".join(key)
        service = End("Service", name, address, int(port.get("port") or 0))
        backends = list(self._backends(key, str(port.get("name") or "")))
        is_guarded = key[0] in self._guarded or "" in self._guarded
        some = tuple(backends[:_MOST_BACKENDS])
        return Target(service, some, is_guarded, is_whole=len(some) == len(backends))

    def _backends(self, key: tuple[str, str], port_name: str) -> Iterable[End]:
        for one in self._slices.get(key, []):
            ports = [p for p in one.get("ports") or [] if (p.get("name") or "") == port_name]
            number = int(ports[0].get("port") or 0) if ports else 0
            for endpoint in one.get("endpoints") or []:
                is_ready = _part(endpoint, "conditions").get("ready") is not False
                if number and is_ready and endpoint.get("addresses"):
                    pod = str(_part(endpoint, "targetRef").get("name") or "")
                    name = f"{key[0]}/{pod}" if pod else ""
                    yield End("Pod", name, str(endpoint["addresses"][0]), number)


def _part(body: dict[str, Any], key: str) -> dict[str, Any]:
    found = body.get(key)
    return found if isinstance(found, dict) else {}
