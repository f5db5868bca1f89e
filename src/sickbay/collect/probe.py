"""Looks from inside a cluster: starts a short-lived pod, reads what it says, and removes it.

The only part of a run over Kubernetes that writes; it can create and delete pods of its own name in
one namespace, and nothing else.
"""

import asyncio
import signal
import time
from contextlib import suppress
from typing import Any, Final

import msgspec

from sickbay.bundle.sink import Sink
from sickbay.collect.kube_answers import ABSENT, Answer, Failure
from sickbay.collect.kube_client import Ask, Client, Permit
from sickbay.collect.kubeconfig import Access
from sickbay.collect.probe_pod import LABEL, PREFIX, Wish, manifest, pod_name
from sickbay.collect.probe_read import take_network, take_node
from sickbay.collect.probe_script import Section, network_script, node_script, sections
from sickbay.collect.probe_targets import Target
from sickbay.model.evidence import Gap, Reason
from sickbay.progress import Observer, Stage

_SECONDS: Final = 75.0
_SECONDS_TO_CLEAN: Final = 20.0
_PAUSE: Final = 0.5
_OVER: Final = ("Succeeded", "Failed")


def only_own(namespace: str) -> Permit:
    """What a probe may send: pods of its own name, in one namespace, made and removed."""
    pods = f"/api/v1/namespaces/{namespace}/pods"

    def permit(method: str, path: str) -> bool:
        if method == "POST":
            return path == pods
        return method == "GET" or (method == "DELETE" and path.startswith(f"{pods}/{PREFIX}"))

    return permit


class Prober:
    """One look from inside."""

    def __init__(self, access: Access, wish: Wish, sink: Sink, observer: Observer) -> None:
        self._client = Client(access, _SECONDS + _SECONDS_TO_CLEAN, only_own(wish.namespace))
        self._wish = wish
        self._sink = sink
        self._observer = observer
        self._pods = f"/api/v1/namespaces/{wish.namespace}/pods"
        self._made: list[str] = []

    async def look(self, targets: list[Target], *, is_azure: bool) -> None:
        """Look at the network, and at the node if that was asked for."""
        self._observer(Stage("looking from inside the cluster"))
        _heed_termination()
        try:
            await self._clear()
            script = network_script(targets, is_azure=is_azure)
            found, node = await self._ran(script, self._wish._replace(is_host=False))
            take_network(found, targets, node, self._sink)
            if self._wish.is_host:
                # At the same node, where the user named none.
                wish = self._wish._replace(node=self._wish.node or node)
                began = time.time()
                found, node = await self._ran(node_script(), wish)
                take_node(found, node, (began + time.time()) / 2, self._sink)
        finally:
            for name in self._made:
                await self._remove(name)
            self._client.close()

    async def _ran(self, script: str, wish: Wish) -> tuple[list[Section], str]:
        """What a pod said, and the node that it ran on; a pod that did not run is a gap."""
        name = pod_name()
        # Noted before it is there: a stop while it is being made must find it.
        self._made.append(name)
        body = msgspec.json.encode(manifest(name, script, wish))
        made = await self._client.send(Ask(self._pods, "POST", body, tries=1))
        if isinstance(made, Failure):
            self._note(f"no pod could be made: {made.says}", made.reason)
            return [], wish.node
        pod = await self._over(name)
        node = str(pod.get("spec", {}).get("nodeName") or wish.node)
        answer = await self._client.get(
            f"{self._pods}/{name}/log?container=probe&limitBytes={16 << 20}", tries=1
        )
        if isinstance(answer, Failure):
            self._note(f"the pod did not run on {node or 'any node'}: {_why(pod) or answer.says}")
            return [], node
        return sections(answer.body.decode("utf-8", "replace")), node

    async def _over(self, name: str) -> dict[str, Any]:
        """Wait until a pod is over, or for as long as is patient."""
        until, pod = time.monotonic() + _SECONDS / 2, {}
        while time.monotonic() < until:
            answer = await self._client.get(f"{self._pods}/{name}")
            if isinstance(answer, Answer):
                pod = msgspec.json.decode(answer.body)
                if pod.get("status", {}).get("phase") in _OVER:
                    break
            await asyncio.sleep(_PAUSE)
        return pod

    async def _clear(self) -> None:
        """Remove what an earlier run left, because it was killed."""
        answer = await self._client.get(f"{self._pods}?limit=500&labelSelector={LABEL}")
        if isinstance(answer, Failure):
            return
        for pod in msgspec.json.decode(answer.body).get("items") or []:
            # One of another run may still be at work.
            if pod.get("status", {}).get("phase") in _OVER:
                await self._remove(str(pod["metadata"]["name"]))

    async def _remove(self, name: str) -> None:
        gone = await self._client.send(Ask(f"{self._pods}/{name}?gracePeriodSeconds=0", "DELETE"))
        if isinstance(gone, Failure) and gone.status != ABSENT:
            self._note(f"pod {name} could not be removed: {gone.says}")

    def _note(self, what: str, reason: Reason = Reason.UNREACHABLE) -> None:
        hint = f"kubectl get pods -n {self._wish.namespace} -l {LABEL}"
        self._sink.gap(Gap("probe", what, reason, hint, asked_for=True))


def _heed_termination() -> None:
    """Whoever ends the program by a signal ends it as Ctrl-C does: the pod is removed."""
    # Windows has no such signal, and only the main thread may listen.
    with suppress(NotImplementedError, RuntimeError, ValueError):
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, signal.raise_signal, signal.SIGINT)


def _why(pod: dict[str, Any]) -> str:
    """What a pod that did not run says of itself."""
    status = pod.get("status", {})
    for one in status.get("containerStatuses") or []:
        waiting = one.get("state", {}).get("waiting") or {}
        if waiting:
            return f"{waiting.get('reason')}: {waiting.get('message', '')}"
    told = [c.get("message") for c in status.get("conditions") or [] if c.get("message")]
    return str(status.get("message") or (told[0] if told else ""))
