"""Azure as a source: from what the user named to everything near it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sickbay.bundle.sink import Sink
from sickbay.collect.clouds import Cloud
from sickbay.collect.credentials import credential, help_for
from sickbay.collect.source import Look
from sickbay.errors import SickbayError
from sickbay.model.evidence import Gap, Reason
from sickbay.model.snapshot import TARGET
from sickbay.progress import Observer, Stage
from sickbay.record import NamedTuple

if TYPE_CHECKING:
    from azure.core.credentials_async import AsyncTokenCredential

    from sickbay.collect.target import Wanted

SECONDS: Final = 120.0


class Account(NamedTuple):
    """Where Azure is, who asks, and for how long."""

    cloud: Cloud
    way: str = ""
    ca_file: str = ""
    seconds: float = SECONDS
    # One that is there already, instead of one that is looked for.
    credential: "AsyncTokenCredential | None" = None


class Azure:
    """Reads what Azure knows of a target."""

    name = "azure"

    def __init__(self, account: Account, wanted: "Wanted") -> None:
        self._account = account
        self._wanted = wanted

    def plan(self) -> Sequence[Look]:
        from sickbay.collect.types import looks  # noqa: PLC0415 - only a dry run tells

        return looks(self._wanted.scope)

    async def read(self, sink: Sink, observer: Observer) -> None:
        try:
            await self._read(sink, observer)
        except SickbayError as error:
            if not self._wanted.is_optional:
                raise
            sink.gap(Gap("azure", error.message, Reason.NOT_COLLECTED, error.hint))

    async def _read(self, sink: Sink, observer: Observer) -> None:
        # The library is slow to import; a run that only says what it would read has no use for it.
        from sickbay.collect.target import resolve  # noqa: PLC0415
        from sickbay.collect.transport import Transport  # noqa: PLC0415
        from sickbay.collect.walk import Walk  # noqa: PLC0415

        account = self._account
        who = account.credential or credential(account.cloud, account.way, account.ca_file)
        transport = Transport(account.cloud, who, seconds=account.seconds, ca_file=account.ca_file)
        try:
            await transport.sign_in(help_for(account.way))
            observer(Stage("looking for the target"))
            targets = await resolve(transport, self._wanted)
            for gap in targets.gaps:
                sink.gap(gap)
            for id in targets.ids:
                sink.seen(TARGET, id)
            await Walk(transport, sink, observer).start(*targets.ids)
        finally:
            await transport.close()
