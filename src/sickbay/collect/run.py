"""One run over Azure: from what the user named to evidence in a sink."""

import asyncio
from typing import TYPE_CHECKING, Final

from sickbay.bundle.sink import Sink
from sickbay.collect.clouds import Cloud
from sickbay.collect.credentials import credential, help_for
from sickbay.collect.target import Wanted, resolve
from sickbay.collect.transport import Transport
from sickbay.collect.walk import Walk
from sickbay.progress import Observer, Stage
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from azure.core.credentials_async import AsyncTokenCredential

SECONDS: Final = 120.0


class Account(NamedTuple):
    """Where Azure is, who asks, and for how long."""

    cloud: Cloud
    way: str = ""
    ca_file: str = ""
    seconds: float = SECONDS
    # One that is there already, instead of one that is looked for.
    credential: "AsyncTokenCredential | None" = None


def read_azure(
    account: Account,
    wanted: Wanted,
    sink: Sink,
    observer: Observer,
) -> tuple[str, ...]:
    """Read everything near the targets into a sink; return their ids."""
    who = account.credential or credential(account.cloud, account.way, account.ca_file)
    return asyncio.run(_read(account, wanted, sink, observer, who))


async def _read(
    account: Account,
    wanted: Wanted,
    sink: Sink,
    observer: Observer,
    who: "AsyncTokenCredential",
) -> tuple[str, ...]:
    transport = Transport(account.cloud, who, seconds=account.seconds, ca_file=account.ca_file)
    walk = Walk(transport, sink, observer)
    try:
        await transport.sign_in(help_for(account.way))
        observer(Stage("looking for the target"))
        ids = await resolve(transport, wanted)
        await walk.start(*ids)
        return ids
    finally:
        walk.stop()
        await transport.close()
