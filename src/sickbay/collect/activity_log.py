"""Asks the activity log of a subscription: within 90 days, by one filter beside the time."""

from typing import Final

from sickbay.bundle.sink import Sink
from sickbay.collect.answers import Failure
from sickbay.collect.transport import Transport
from sickbay.model.evidence import Gap, Origin, Reason
from sickbay.progress import FileRead, Observer, ignore
from sickbay.record import NamedTuple

DAYS: Final = 90
_VERSION: Final = "2015-04-01"
_PATH: Final = "/subscriptions/{}/providers/Microsoft.Insights/eventtypes/management/values"
# Without claims and httpRequest: they tell who called, with which groups, and from where.
_SELECT: Final = (
    "eventDataId,eventTimestamp,submissionTimestamp,operationName,operationId,correlationId,"
    "status,subStatus,level,category,caller,resourceId,resourceGroupName,resourceProviderName,"
    "eventName,description,properties,subscriptionId"
)


class Question(NamedTuple):
    """What is asked of the log; Azure takes one of the last three, the narrowest that there is."""

    subscription: str
    since: str
    until: str
    correlation: str = ""
    resource: str = ""
    group: str = ""
    # The one event that is looked for; reading ends when it was found.
    event: str = ""

    @property
    def filter(self) -> str:
        parts = [f"eventTimestamp ge '{self.since}'", f"eventTimestamp le '{self.until}'"]
        narrow = (
            ("correlationId", self.correlation),
            ("resourceUri", self.resource),
            ("resourceGroupName", self.group),
        )
        parts += [f"{name} eq '{_quoted(value)}'" for name, value in narrow if value][:1]
        return " and ".join(parts)


async def read_log(
    transport: Transport, question: Question, sink: Sink, observer: Observer = ignore
) -> None:
    """Hand every event of the answer to a sink; what could not be read is a gap there."""
    params = {"$filter": question.filter, "$select": _SELECT}
    path = _PATH.format(question.subscription)
    number = 0
    async for page in transport.pages(path, _VERSION, **params):
        if isinstance(page, Failure):
            sink.gap(page.gap())
            return
        if not isinstance(page.value, dict) or not isinstance(page.value.get("value"), list):
            what = "the answer is no page of a log"
            sink.gap(Gap(page.asked.place, what, Reason.MALFORMED, asked_for=True))
            return
        number += 1
        source = f"activity log, page {number}"
        for index, body in enumerate(page.items):
            if isinstance(body, dict):
                sink.event(body, Origin(source, f"$.value[{index}]"))
        observer(FileRead(source, len(page.raw)))
        if question.event and any(_is(body, question.event) for body in page.items):
            return


def _is(body: object, id: str) -> bool:
    found = body.get("eventDataId") if isinstance(body, dict) else None
    return isinstance(found, str) and found.casefold() == id.casefold()


def _quoted(value: str) -> str:
    return value.replace("'", "''")
