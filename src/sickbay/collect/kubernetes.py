"""A Kubernetes cluster as a source: from a context of the kubeconfig to all that rules read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sickbay.bundle.sink import Sink
from sickbay.collect.kubeconfig import Access
from sickbay.collect.source import Look, Source
from sickbay.progress import Observer, Stage
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from sickbay.collect.probe_pod import Wish

SECONDS: Final = 120.0


class About(NamedTuple):
    """What a run is about: a namespace or all, for how long, and what else it may do."""

    namespace: str = ""
    seconds: float = SECONDS
    # Only where the user allows a pod of ours.
    wish: "Wish | None" = None
    # Who else knows something of a cluster that cannot be asked itself.
    instead: tuple[Source, ...] = ()


EVERYTHING: Final = About()


class Kubernetes:
    """Reads what the API server of a cluster knows."""

    name = "kubernetes"

    def __init__(self, access: Access, about: About = EVERYTHING) -> None:
        self._access = access
        self.about = about

    def plan(self) -> Sequence[Look]:
        from sickbay.collect.kube_plan import looks  # noqa: PLC0415 - only a dry run tells

        return looks(self._access, self.about.namespace, self.about.wish)

    async def read(self, sink: Sink, observer: Observer) -> None:
        from sickbay.collect.kube_client import Client  # noqa: PLC0415 - live runs only
        from sickbay.collect.kube_run import run  # noqa: PLC0415

        about = self.about
        client = Client(self._access, about.seconds)
        observer(Stage(f"asking {client.place.host}"))
        try:
            is_read = await run(client, sink, observer, about)
        finally:
            client.close()
        for source in () if is_read else about.instead:
            observer(Stage("asking Azure instead"))
            await source.read(sink, observer)
