"""One run over a cluster: whether it answers, what it serves, what may be read, then all of it."""

from typing import Final

from sickbay.bundle.sink import Sink
from sickbay.collect.kube_answers import UNAUTHORISED, Failure
from sickbay.collect.kube_client import Client
from sickbay.collect.kube_contents import Contents
from sickbay.collect.kube_health import ask_health
from sickbay.collect.kube_idle import tell_idle
from sickbay.collect.kube_kinds import discover
from sickbay.collect.kube_logs import Logs
from sickbay.collect.kube_proxies import ask_proxies
from sickbay.collect.kube_rights import rights_in
from sickbay.collect.kube_walk import Walk
from sickbay.collect.kube_wire import read_certificate
from sickbay.collect.kubernetes import About
from sickbay.collect.probe import Prober
from sickbay.model.evidence import Gap, Origin, Reason, Text
from sickbay.progress import Observer

_SOURCE: Final = "kubernetes"


async def run(client: Client, sink: Sink, observer: Observer, about: About) -> bool:
    """Read a cluster, or say why it cannot be read; whether it could."""
    only = about.namespace
    served = await discover(client)
    if isinstance(served, Failure):
        tell_failure(client, served, sink)
        return False
    await ask_health(client, sink)
    rights = await rights_in(client, only or client.access.namespace)
    walk = Walk(client, sink, observer, only)
    await walk.read(served, rights)
    tell_idle(walk.suspects.idle, client.now, sink)
    await ask_proxies(client, sink, rights, walk.suspects.ready_nodes)
    contents = Contents(client, sink)
    await contents.maps(sorted(walk.suspects.maps))
    await contents.credentials(walk.suspects.secrets)
    await Logs(client, sink, observer, rights).read(walk.suspects)
    if about.wish is not None:
        targets = walk.suspects.targets
        prober = Prober(client.access, about.wish, sink, observer)
        await prober.look(targets.chosen(walk.suspects.ill, only), is_azure=targets.is_azure)
    if client.lost:
        sink.text(Text(client.lost, Origin(_SOURCE, client.access.cluster.server), None, "pasted"))
    return True


def tell_failure(client: Client, failure: Failure, sink: Sink) -> None:
    """Say why nothing could be read, in the words that rules know, and that it was not."""
    server = client.access.cluster.server
    sink.text(Text(failure.says, Origin(_SOURCE, server), channel="pasted"))
    if failure.status == UNAUTHORISED and (ended := _ended(client)):
        sink.text(Text(ended, Origin(_SOURCE, "client certificate"), channel="pasted"))
    what = f"nothing of {server} could be read: {failure.says}"
    to_open = f"kubectl --context {client.access.context} get --raw /version"
    reason = Reason.FORBIDDEN if failure.status else Reason.UNREACHABLE
    sink.gap(Gap(_SOURCE, what, reason, to_open, asked_for=True))


def _ended(client: Client) -> str:
    """What is wrong with the dates of the client's own certificate, if anything is."""
    from datetime import UTC, datetime  # noqa: PLC0415

    own = client.access.user.certificate
    shown = read_certificate(own) if own else None
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if shown is None or shown.begins <= now <= shown.ends:
        return ""
    side, bound = ("after", shown.ends) if now > shown.ends else ("before", shown.begins)
    says = "x509: certificate has expired or is not yet valid"
    return f"client certificate of the kubeconfig: {says}: current time {now} is {side} {bound}"
