"""The door to Azure's client library: reads from Resource Manager, and cannot write.

Our own list of policies: the library's own client for Resource Manager registers providers by
itself, and sends its token to whatever host a link names.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from azure.core import AsyncPipelineClient
from azure.core.credentials_async import AsyncTokenCredential
from azure.core.exceptions import (
    AzureError,
    ClientAuthenticationError,
    HttpResponseError,
    IncompleteReadError,
)
from azure.core.pipeline import PipelineRequest, policies
from azure.core.rest import HttpRequest

from sickbay import __version__
from sickbay.collect.answers import Answer, Asked, Failure, judged
from sickbay.collect.clouds import Cloud, origin_of
from sickbay.errors import SickbayError
from sickbay.model.evidence import Reason

_READING: Final = frozenset({"GET", "HEAD"})
# Questions that are too long for a URL; they change nothing.
_READING_POSTS: Final = (
    "/providers/microsoft.resourcegraph/resources",
    "/policystates/latest/queryresults",
)
_AT_ONCE: Final = 8
_MOST_PAGES: Final = 2_000
_RETRIES: Final = 4
_LONGEST_WAIT: Final = 30
_ENOUGH_LEFT: Final = 20
_SAFE: Final = "$'/:,"


class WriteRefusedError(Exception):
    """Something tried to write, or to send a token elsewhere. It never leaves the process."""


class ReadOnly(policies.SansIOHTTPPolicy[Any, Any]):
    """Lets pass only what reads, and only to the endpoint that the token is for."""

    def __init__(self, endpoint: str) -> None:
        super().__init__()
        self._origin = origin_of(endpoint)

    def on_request(self, request: PipelineRequest[Any]) -> None:
        asked = request.http_request
        path = urlsplit(asked.url).path.casefold().rstrip("/")
        reads = asked.method in _READING or (
            asked.method == "POST" and path.endswith(_READING_POSTS)
        )
        if not reads or origin_of(asked.url) != self._origin:
            host = urlsplit(asked.url).hostname
            raise WriteRefusedError(f"refused: {asked.method} {host}{path}")


class Transport:
    """Asks Resource Manager, side by side within limits, until a deadline."""

    def __init__(
        self,
        cloud: Cloud,
        credential: AsyncTokenCredential,
        *,
        seconds: float = 120.0,
        ca_file: str = "",
    ) -> None:
        self.cloud = cloud
        self._credential = credential
        self._until = time.monotonic() + seconds
        self._gates: dict[str, asyncio.Semaphore] = {}
        # Tests may talk to this machine without encryption; the library refuses it otherwise.
        self._options = {} if cloud.endpoint.startswith("https") else {"enforce_https": False}
        verify: dict[str, Any] = {"connection_verify": ca_file} if ca_file else {}
        self._client: AsyncPipelineClient[Any, Any] = AsyncPipelineClient(
            cloud.endpoint, policies=self._policies(), **verify
        )

    def _policies(self) -> list[Any]:
        return [
            policies.RequestIdPolicy(),
            policies.UserAgentPolicy(f"sickbay/{__version__}"),
            ReadOnly(self.cloud.endpoint),
            policies.AsyncRetryPolicy(retry_total=_RETRIES, retry_backoff_max=_LONGEST_WAIT),
            policies.AsyncBearerTokenCredentialPolicy(self._credential, self.cloud.scope),
        ]

    async def sign_in(self, hint: str) -> None:
        """Without a token nothing can be read: say so once, and what helps."""
        try:
            await self._credential.get_token(self.cloud.scope)
        except ClientAuthenticationError:
            raise SickbayError("there is no credential for Azure", hint) from None

    async def get(self, path: str, version: str = "", **params: str) -> Answer | Failure:
        """Ask once; a link that Azure gave is used as it is."""
        return await self._send("GET", self._url(path, version, params), None)

    async def query(self, path: str, version: str, body: Mapping[str, Any]) -> Answer | Failure:
        """Ask by one of the few POSTs that only read."""
        return await self._send("POST", self._url(path, version, {}), body)

    async def pages(
        self, path: str, version: str = "", **params: str
    ) -> AsyncIterator[Answer | Failure]:
        """Every page of a list; a page may be empty and still have a successor."""
        link, seen = self._url(path, version, params), set[str]()
        for _ in range(_MOST_PAGES):
            seen.add(link)
            answer = await self._send("GET", link, None)
            yield answer
            link = answer.next_link if isinstance(answer, Answer) else ""
            if not link:
                return
            if link in seen:
                yield Failure(Asked("GET", link), Reason.MALFORMED, "the list leads back to itself")
                return
        yield Failure(Asked("GET", link), Reason.TRUNCATED, f"more than {_MOST_PAGES} pages")

    async def close(self) -> None:
        await self._client.close()
        await self._credential.close()

    def _url(self, path: str, version: str, params: Mapping[str, str]) -> str:
        if not version and not params:
            return path if "://" in path else self.cloud.endpoint + path
        asked = {"api-version": version, **params} if version else dict(params)
        words = urlencode(asked, quote_via=quote, safe=_SAFE)
        return f"{self.cloud.endpoint}{path}{'&' if '?' in path else '?'}{words}"

    async def _send(self, method: str, url: str, body: Any) -> Answer | Failure:
        asked = Asked(method, url)
        left = self._until - time.monotonic()
        if left <= 0:
            return Failure(asked, Reason.UNREACHABLE, "the time for this run was over")
        async with self._gate(url):
            try:
                async with asyncio.timeout(left):
                    return await self._answered(asked, body)
            except TimeoutError:
                return Failure(asked, Reason.UNREACHABLE, "no answer before the deadline")
            except (WriteRefusedError, AzureError) as error:
                return Failure(asked, _why(error), _first_line(error))

    async def _answered(self, asked: Asked, body: Any) -> Answer | Failure:
        request = HttpRequest(asked.method, asked.url, json=body)
        response = await self._client.send_request(request, **self._options)
        content = await response.read()
        found = judged(asked, response.status_code, dict(response.headers), content)
        if isinstance(found, Answer) and found.remaining is not None:
            await _pace(found.remaining)
        return found

    def _gate(self, url: str) -> asyncio.Semaphore:
        """Azure counts requests for each subscription; so do we."""
        parts = urlsplit(url).path.casefold().split("/")
        key = parts[2] if parts[1:2] == ["subscriptions"] and len(parts) > 2 else ""  # noqa: PLR2004
        return self._gates.setdefault(key, asyncio.Semaphore(_AT_ONCE))


async def _pace(remaining: int) -> None:
    """Slow down before Azure refuses: others use the same allowance."""
    if remaining < _ENOUGH_LEFT:
        await asyncio.sleep(1.0)


def _why(error: Exception) -> Reason:
    if isinstance(error, WriteRefusedError):
        return Reason.REFUSED
    if isinstance(error, ClientAuthenticationError):
        return Reason.FORBIDDEN
    if isinstance(error, HttpResponseError) and not isinstance(error, IncompleteReadError):
        return Reason.MALFORMED
    return Reason.UNREACHABLE


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:300]
