"""What an API server says of its own health."""

import re
from typing import Final

from sickbay.bundle.sink import Sink
from sickbay.collect.kube_answers import FORBIDDEN, UNAUTHORISED, Failure
from sickbay.collect.kube_client import Client
from sickbay.model.evidence import Origin, Text

_PATH: Final = "/readyz"
_FAILED: Final = r"\[-\](\S{1,100}) failed"
_SECONDS: Final = 10.0
_PATIENCE: Final = 30.0
_MOST: Final = 10
_STORE: Final = "etcd"


async def ask_health(client: Client, sink: Sink) -> None:
    """Say which of its own checks the server fails; a healthy one says nothing.

    One that is not well may hang on everything: it is then not waited for as long.
    """
    found = await client.get(f"{_PATH}?verbose", tries=1, seconds=_SECONDS)
    if not isinstance(found, Failure) or found.status in (0, UNAUTHORISED, FORBIDDEN):
        return
    client.hurry(_PATIENCE)
    for check in list(dict.fromkeys(re.findall(_FAILED, found.says)))[:_MOST]:
        why = ""
        if check == _STORE:
            # Only this one is told without rights of an administrator.
            told = await client.get(f"{_PATH}/{check}", tries=1, seconds=_SECONDS)
            why = f": {told.says}" if isinstance(told, Failure) else ""
        says = f"the API server at {client.place.named} fails its check {check}{why}"
        sink.text(Text(says, Origin("kubernetes", _PATH), None, "health"))
