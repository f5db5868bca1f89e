"""Looks into a cluster of AKS whose API server is out of reach, by the run-command of Azure.

Azure starts a pod of its own in the cluster, runs kubectl there, and removes the pod; so this is
done only where the user allows a probe. The commands only read.
"""

import asyncio
import io
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from sickbay.bundle.foreign import read
from sickbay.bundle.intake import Evidence
from sickbay.bundle.sink import Sink
from sickbay.collect.answers import Answer, Failure
from sickbay.collect.azure import Account
from sickbay.collect.credentials import credential, help_for
from sickbay.collect.source import Look
from sickbay.collect.target import Wanted, resolve
from sickbay.errors import SickbayError
from sickbay.model.evidence import Gap, Reason
from sickbay.progress import FileRead, Observer, Stage

_SOURCE: Final = "run-command"
_VERSION: Final = "2025-05-01"
_POST: Final = "/runcommand"
# The application of every API server that takes tokens of Entra ID.
_SERVER_APP: Final = "6dae42f8-4368-4678-94ff-3960e28e3630/.default"
_PAUSE: Final = 2.0
MARK: Final = "=== sickbay "
# Azure hands out half a megabyte: the tables first, then what is not well, in full.
COMMAND: Final = f"""\
show() {{ echo "{MARK}$*"; kubectl "$@" 2>&1 | head -c 90000; }}
show get nodes -o wide
show get pods -A -o wide
show get events -A
show describe nodes
kubectl get pods -A --no-headers | awk '$4 != "Completed" {{ split($3, r, "/"); \
if (r[1] != r[2]) print $1, $2 }}' | head -8 | while read space name; do
  show describe pod "$name" -n "$space"
  show logs "$name" -n "$space" --all-containers --tail=60
done
"""


class RunCommand:
    """Reads what kubectl prints inside a cluster."""

    name = _SOURCE

    def __init__(self, account: Account, wanted: Wanted, pause: float = _PAUSE) -> None:
        self._account = account
        self._wanted = wanted
        self._pause = pause

    def plan(self) -> Sequence[Look]:
        return (Look(_SOURCE, "kubectl by Azure", self._wanted.scope, "runCommand/action"),)

    async def read(self, sink: Sink, observer: Observer) -> None:
        try:
            await self._read(sink, observer)
        except SickbayError as error:
            sink.gap(Gap(_SOURCE, error.message, Reason.NOT_COLLECTED, error.hint))

    async def _read(self, sink: Sink, observer: Observer) -> None:
        from sickbay.collect.transport import READING_POSTS, Transport  # noqa: PLC0415 - slow to import

        account = self._account
        who = account.credential or credential(account.cloud, account.way, account.ca_file)
        transport = Transport(
            account.cloud,
            who,
            seconds=account.seconds,
            ca_file=account.ca_file,
            posts=(*READING_POSTS, _POST),
        )
        try:
            await transport.sign_in(help_for(account.way))
            for id in (await resolve(transport, self._wanted)).ids:
                observer(Stage("running kubectl by Azure"))
                body = {"command": COMMAND, "context": ""}
                if await _takes_tokens(transport, id):
                    body["clusterToken"] = (await who.get_token(_SERVER_APP)).token
                answer = await self._ran(transport, f"{id}/runCommand", body)
                _take(answer, sink, observer)
        finally:
            await transport.close()

    async def _ran(self, transport: Any, path: str, body: dict[str, str]) -> Answer | Failure:
        """Start a command, and wait for what it prints."""
        answer: Answer | Failure = await transport.query(path, _VERSION, body)
        where = answer.location if isinstance(answer, Answer) else ""
        while where and isinstance(answer, Answer) and not _result(answer):
            await asyncio.sleep(self._pause)
            answer = await transport.get(where)
        return answer


async def _takes_tokens(transport: Any, id: str) -> bool:
    """Whether a cluster signs users in by Entra ID."""
    answer = await transport.get(id, _VERSION)
    value = answer.value if isinstance(answer, Answer) else None
    return isinstance(value, dict) and bool((value.get("properties") or {}).get("aadProfile"))


def _result(answer: Answer) -> dict[str, Any]:
    """What a command came to; nothing while it runs."""
    value = answer.value if isinstance(answer.value, dict) else {}
    found = value.get("properties")
    if not isinstance(found, dict) or found.get("exitCode") is None:
        return {}
    return found


def _take(answer: Answer | Failure, sink: Sink, observer: Observer) -> None:
    """Hand in each output as what a person would have saved of it."""
    if isinstance(answer, Failure):
        sink.gap(answer.gap())
        return
    logs = str(_result(answer).get("logs") or "")
    parts = logs.split(MARK)[1:]
    if not parts:
        sink.gap(Gap(_SOURCE, f"kubectl printed nothing: {logs[:200]}", Reason.NOT_UNDERSTOOD))
    for number, part in enumerate(parts, 1):
        data = f"$ kubectl {part}".encode()
        source = f"run-command/{number:02d}.txt"
        read(Evidence(source, len(data), partial(io.BytesIO, data)), sink)
        observer(FileRead(source, len(data)))
