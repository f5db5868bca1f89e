"""Reads the few maps and secrets whose contents matter, and of a secret never a value.

Of the credential of Azure Service Operator the ids are kept: whose it is, and for what.
"""

import base64
import binascii
from typing import Final

import msgspec

from sickbay.bundle.sink import Sink
from sickbay.collect.kube_answers import FORBIDDEN, Failure
from sickbay.collect.kube_client import Client
from sickbay.collect.kube_seeds import NamedMetadata, Seed
from sickbay.model.evidence import Gap, Origin, Reason

_IDS: Final = ("AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_SUBSCRIPTION_ID")
_LONGEST_ID: Final = 64
_MOST: Final = 100


class _Secret(Seed, frozen=True, gc=False):
    """A secret whose values stay encoded, and are dropped with the answer."""

    metadata: NamedMetadata = NamedMetadata()
    type: str | None = None
    data: dict[str, msgspec.Raw] | None = None


_DECODER: Final = msgspec.json.Decoder(_Secret)


class Contents:
    """A second look at maps and secrets, by their names."""

    def __init__(self, client: Client, sink: Sink) -> None:
        self._client = client
        self._sink = sink

    async def maps(self, names: list[tuple[str, str]]) -> None:
        """Read the maps that evaluators know, those of CoreDNS."""
        for namespace, name in names[:_MOST]:
            path = f"/api/v1/namespaces/{namespace}/configmaps/{name}"
            answer = await self._client.get(path)
            if isinstance(answer, Failure):
                self._note(answer, f"configmap {namespace}/{name}")
                continue
            body = msgspec.json.decode(answer.body)
            self._sink.kube(body, Origin(f"kubernetes{path}.json", "$"))

    async def credentials(self, names: list[tuple[str, str]]) -> None:
        """Read which keys some secrets have, and the ids in them."""
        for namespace, name in names[:_MOST]:
            path = f"/api/v1/namespaces/{namespace}/secrets/{name}"
            answer = await self._client.get(path)
            if isinstance(answer, Failure):
                self._note(answer, f"keys of secret {namespace}/{name}")
                continue
            self._sink.kube(keys_of(answer.body), Origin(f"kubernetes{path}.json", "$"))

    def _note(self, failure: Failure, what: str) -> None:
        is_refused = failure.status == FORBIDDEN
        reason = Reason.FORBIDDEN if is_refused else failure.reason
        self._sink.gap(Gap("kubernetes", f"{what}: {failure.says}", reason))


def keys_of(body: bytes) -> dict[str, object]:
    """A secret with the names of its keys, the ids that it holds, and no value."""
    found = _DECODER.decode(body)
    ids = {key: _id(value) for key, value in (found.data or {}).items() if key in _IDS}
    metadata = {
        "name": found.metadata.name,
        "namespace": found.metadata.namespace,
        "resourceVersion": found.metadata.resource_version,
    }
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {key: value for key, value in metadata.items() if value},
        "type": found.type,
        "keys": sorted(found.data or {}),
        "ids": {key: value for key, value in ids.items() if value},
    }


def _id(raw: msgspec.Raw) -> str:
    """An id as it stands in a secret; anything longer or of other signs is none."""
    try:
        text = base64.b64decode(msgspec.json.decode(raw, type=str)).decode("ascii").strip()
    except (msgspec.DecodeError, binascii.Error, UnicodeDecodeError, ValueError):
        return ""
    is_id = len(text) <= _LONGEST_ID and text.replace("-", "").isalnum()
    return text if is_id else ""
