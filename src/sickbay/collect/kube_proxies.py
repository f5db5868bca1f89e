"""Whether kube-proxy runs on the nodes: it is no pod everywhere, but answers on a port of its own.

Clusters that do without it have nobody there, so a node counts only beside others that do answer.
"""

import asyncio
from typing import Final

from sickbay.bundle.sink import Sink
from sickbay.collect.kube_answers import Failure
from sickbay.collect.kube_client import Client
from sickbay.collect.kube_rights import Rights
from sickbay.model.evidence import Origin, Text
from sickbay.model.ids import kube

_PORT: Final = 10256
_SECONDS: Final = 4.0
_REFUSED: Final = "connection refused"
_MOST: Final = 24


async def ask_proxies(client: Client, sink: Sink, rights: Rights, nodes: list[str]) -> None:
    """Say on which nodes nobody answers where kube-proxy answers on others."""
    asked = nodes[:_MOST]
    if len(asked) < 2 or rights.forbid("get", "", "nodes/proxy"):  # noqa: PLR2004
        return
    said = await asyncio.gather(*(_ask(client, node) for node in asked))
    answering = said.count("")
    if not answering:
        return
    for node, why in zip(asked, said, strict=True):
        if why == _REFUSED:
            others = "that of another node does" if answering == 1 else f"{answering} others do"
            says = f"kube-proxy of node {node} does not answer on port {_PORT}: {why}, though "
            about = kube("Node", "", node)
            sink.text(Text(says + others, Origin("kubernetes", "kube-proxy"), about, "health"))


async def _ask(client: Client, node: str) -> str:
    """Nothing where it answers, else why it does not."""
    path = f"/api/v1/nodes/{node}:{_PORT}/proxy/healthz"
    answer = await client.get(path, tries=1, seconds=_SECONDS)
    if not isinstance(answer, Failure):
        return ""
    return _REFUSED if _REFUSED in answer.says else "silence"
