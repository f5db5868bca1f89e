"""A session with Azure for commands that ask one question of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sickbay.collect.credentials import credential, help_for

if TYPE_CHECKING:
    from sickbay.collect.azure import Account
    from sickbay.collect.transport import Transport


@asynccontextmanager
async def session(account: "Account") -> "AsyncIterator[Transport]":
    """Somebody who is signed in; closed at the end, whatever happened."""
    from sickbay.collect.transport import Transport  # noqa: PLC0415 - slow to import

    who = account.credential or credential(account.cloud, account.way, account.ca_file)
    transport = Transport(account.cloud, who, seconds=account.seconds, ca_file=account.ca_file)
    try:
        await transport.sign_in(help_for(account.way))
        yield transport
    finally:
        await transport.close()
