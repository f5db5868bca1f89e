"""Which services a workload is told to call, by the values of its variables."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from sickbay.model.guards import Namespace
from sickbay.model.ids import kube
from sickbay.model.snapshot import Snapshot
from sickbay.model.templates import TemplateSpec
from sickbay.model.workloads import Deployment, Service, StatefulSet

_LONGEST: Final = 500
_HOST: Final = r"(?P<host>[a-z][a-z0-9.-]{0,252})"
_CALLS: Final = (
    re.compile(
        rf"[a-z][a-z0-9+.-]{{0,20}}://(?:[^/@\s]*@)?{_HOST}(?::(?P<port>\d{{1,5}}))?(?:[/?].*)?"
    ),
    re.compile(rf"{_HOST}:(?P<port>\d{{1,5}})"),
    re.compile(r"(?P<host>[a-z][a-z0-9-]*\.[a-z0-9-]+\.svc(?:\.cluster\.local)?)(?P<port>)"),
)
_ITSELF: Final = "localhost"


class Call(NamedTuple):
    """A service by its name, as a variable of a container tells it."""

    container: str
    variable: str
    host: str
    service: str
    namespace: str
    port: int | None

    @property
    def hosts(self) -> str:
        """The names under which whoever calls it may complain of it."""
        short = f"{self.service}.{self.namespace}"
        names = (self.host, self.service, short, f"{short}.svc", f"{short}.svc.cluster.local")
        return " ".join(dict.fromkeys(names))


def calls(work: Deployment | StatefulSet, snapshot: Snapshot) -> Iterator[Call]:
    """The services of the cluster that the pods of a workload are told to call."""
    spec = work.spec.template.spec if work.spec.template else TemplateSpec()
    aliases = {name for alias in spec.host_aliases or () for name in alias.hostnames or ()}
    for container in (*(spec.init_containers or ()), *spec.containers):
        for variable in container.env or ():
            told = _told(variable.value or "")
            if told is None or told[0] in aliases:
                continue
            found = _service(told[0], work.namespace, snapshot)
            if found:
                yield Call(container.name, variable.name, told[0], *found, told[1])


def service_of(call: Call, snapshot: Snapshot) -> Service | None:
    """The service that is called, or None if there is none of this name."""
    return snapshot.get(kube(Service.kind, call.namespace, call.service), Service)


def _told(value: str) -> tuple[str, int | None] | None:
    """The host and the port in the value of a variable, if it is an address."""
    text = value.strip()[:_LONGEST].casefold()
    for form in _CALLS:
        if found := form.fullmatch(text):
            port = found["port"]
            return found["host"].rstrip("."), int(port) if port else None
    return None


def _service(host: str, namespace: str, snapshot: Snapshot) -> tuple[str, str] | None:
    """The name and the namespace of the service that a host stands for; None for other hosts."""
    short = host.removesuffix(".cluster.local")
    name, _, rest = short.removesuffix(".svc").partition(".")
    if short == _ITSELF or not name or "." in rest:
        return None
    is_within = short.endswith(".svc") or snapshot.find(kube(Namespace.kind, "", rest))
    if not rest:
        return name, namespace
    return (name, rest) if is_within else None
