"""The door to Resource Manager: reads, and cannot write.

Its own client on purpose. The library's client for Resource Manager registers providers by itself,
sends its token to whatever host a link names, and takes as long for a request as the request
itself; of the library only what signs in is used.
"""

import asyncio
import itertools
import time
import uuid
from collections.abc import AsyncIterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlsplit

import msgspec
from azure.core.credentials import AccessToken
from azure.core.credentials_async import AsyncTokenCredential
from azure.core.exceptions import AzureError, ClientAuthenticationError

from sickbay.collect.answers import Answer, Asked, Failure, judged
from sickbay.collect.clouds import Cloud, is_storage, origin_of
from sickbay.collect.connections import Connections, trusted
from sickbay.collect.patience import TRIES, Gate, counted_for, pause
from sickbay.errors import SickbayError
from sickbay.model.evidence import Reason
from sickbay.model.ids import arm_type

_READING: Final = "GET"
# Questions that are too long for a URL; they change nothing.
READING_POSTS: Final = (
    "/providers/microsoft.resourcegraph/resources",
    "/policystates/latest/queryresults",
    # It makes a link to a log that is there already.
    "/retrievebootdiagnosticsdata",
)
_MOST_PAGES: Final = 2_000
_LONGEST_ANSWER: Final = 60.0
_LONGEST_LOG: Final = 2 * 1024 * 1024
_RENEWED_BEFORE: Final = 300
_UNKNOWN_CALLER: Final = 401
_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SAFE: Final = "$'/:,"


class WriteRefusedError(Exception):
    """Something tried to write, or to send a token elsewhere. It never leaves the process."""


class ReadOnly:
    """Lets pass only what reads, and only to the endpoint that the token is for."""

    def __init__(self, endpoint: str, posts: tuple[str, ...] = READING_POSTS) -> None:
        self._origin = origin_of(endpoint)
        self._posts = posts
        self._start = f"{endpoint.rstrip('/')}/"
        scheme, host, _ = self._origin
        if scheme != "https" and host not in _THIS_MACHINE:
            raise SickbayError(f"{endpoint} is not encrypted", "a token is sent by https only")

    def check(self, asked: Asked) -> None:
        """Raise WriteRefusedError for anything else."""
        reads = asked.method == _READING
        if reads and asked.url.startswith(self._start):
            return
        parts = urlsplit(asked.url)
        path = parts.path.casefold().rstrip("/")
        reads = reads or (asked.method == "POST" and path.endswith(self._posts))
        if not reads or origin_of(asked.url) != self._origin:
            raise WriteRefusedError(f"refused: {asked.method} {parts.hostname}{path}")


class Transport:
    """Asks Resource Manager, side by side within limits, until a deadline."""

    def __init__(
        self,
        cloud: Cloud,
        credential: AsyncTokenCredential,
        *,
        seconds: float = 120.0,
        ca_file: str = "",
        posts: tuple[str, ...] = READING_POSTS,
    ) -> None:
        self.cloud = cloud
        self._credential = credential
        self._until = time.monotonic() + seconds
        self._gates: dict[str, Gate] = {}
        # The version that answers for a type, where the pinned one is no longer served.
        self._served: dict[str, str] = {}
        self._ca_file = ca_file
        self._only = ReadOnly(cloud.endpoint, posts)
        self._trust = trusted(ca_file)
        self._host = Connections(cloud.endpoint, self._trust)
        # Each question has an id of its own, by which support finds it: that of the run, counted.
        self._run, self._count = str(uuid.uuid4())[:-12], itertools.count()
        self._token: AccessToken | None = None
        self._signing_in = asyncio.Lock()

    @property
    def left(self) -> float:
        """How many seconds this run still has."""
        return self._until - time.monotonic()

    async def sign_in(self, hint: str) -> None:
        """Without a token nothing can be read: say so once, and what helps."""
        try:
            await self._bearer(self._until)
        except ClientAuthenticationError:
            raise SickbayError("there is no credential for Azure", hint) from None
        except (AzureError, TimeoutError, OSError) as error:
            problem = f"nobody signs in at {self.cloud.authority} ({_first_line(error)})"
            raise SickbayError(problem, hint) from None

    async def get(self, path: str, version: str = "", **params: str) -> Answer | Failure:
        """Ask once; a link that Azure gave is used as it is."""
        if not version:
            return await self._send("GET", self._url(path, version, params), None)
        used = version
        if self._served:
            used = self._served.get(arm_type(path).casefold(), version)
        found = await self._send("GET", self._url(path, used, params), None)
        if isinstance(found, Failure) and found.versions and found.versions[0] != used:
            self._served[arm_type(path).casefold()] = found.versions[0]
            return await self._send("GET", self._url(path, found.versions[0], params), None)
        return found

    async def query(
        self, path: str, version: str, body: Mapping[str, Any], **params: str
    ) -> Answer | Failure:
        """Ask by one of the few POSTs that only read."""
        return await self._send("POST", self._url(path, version, params), body)

    async def signed(self, link: str) -> bytes | Failure:
        """The end of a log behind a signed link, which is its own key.

        No token goes to storage, and the link goes nowhere else: into no answer and no message.
        """
        place = Asked("GET", link.partition("?")[0])
        if not is_storage(self.cloud, link):
            return Failure(place, Reason.REFUSED, "refused: the link leads to no storage of Azure")
        storage = Connections(link, self._trust, most=_LONGEST_LOG)
        try:
            until = min(self._until, time.monotonic() + _LONGEST_ANSWER)
            response = await storage.ask("GET", Asked("GET", link).target, {}, until=until)
        except (TimeoutError, OSError, ValueError) as error:
            return Failure(
                place, Reason.UNREACHABLE, f"no answer of storage: {type(error).__name__}"
            )
        finally:
            await storage.close()
        if response.status != HTTPStatus.OK:
            return Failure(place, Reason.UNREACHABLE, f"storage answers HTTP {response.status}")
        return response.content

    async def pages(
        self, path: str, version: str = "", **params: str
    ) -> AsyncIterator[Answer | Failure]:
        """Every page of a list; a page may be empty and still have a successor."""
        answer = await self.get(path, version, **params)
        seen = set[str]()
        for _ in range(_MOST_PAGES):
            yield answer
            link = answer.next_link if isinstance(answer, Answer) else ""
            if not link:
                return
            if link in seen or link == answer.asked.url:
                yield Failure(Asked("GET", link), Reason.MALFORMED, "the list leads back to itself")
                return
            seen.add(link)
            answer = await self._send("GET", link, None)
        yield Failure(answer.asked, Reason.TRUNCATED, f"more than {_MOST_PAGES} pages")

    def beside(self, endpoint: str, *posts: str) -> "Transport":
        """One for another endpoint: with a token of its own, and the same time to the end."""
        cloud = self.cloud._replace(endpoint=endpoint)
        kept = _Kept(self._credential)
        return Transport(cloud, kept, seconds=self.left, ca_file=self._ca_file, posts=posts)

    async def __aenter__(self) -> "Transport":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._host.close()
        await self._credential.close()

    async def _bearer(self, until: float) -> str:
        """The token, asked for again before it ends."""
        token = self._token
        if token is None or token.expires_on - time.time() < _RENEWED_BEFORE:
            async with asyncio.timeout_at(until), self._signing_in:
                token = self._token
                if token is None or token.expires_on - time.time() < _RENEWED_BEFORE:
                    token = self._token = await self._credential.get_token(self.cloud.scope)
        return token.token

    def _url(self, path: str, version: str, params: Mapping[str, str]) -> str:
        if not version and not params:
            return path if "://" in path else self.cloud.endpoint + path
        asked = {"api-version": version, **params} if version else params
        words = "&".join([f"{name}={_quoted(value)}" for name, value in asked.items()])
        return f"{self.cloud.endpoint}{path}{'&' if '?' in path else '?'}{words}"

    async def _send(self, method: str, url: str, body: Any) -> Answer | Failure:
        """Ask until there is an answer, or it is of no use, or the time is over."""
        asked = Asked(method, url)
        found: Answer | Failure | None = None
        gate = self._gate(url)
        for tries in range(1, TRIES + 1):
            async with gate:
                # Whoever waited here until the end has not asked.
                if self.left <= 0:
                    break
                found = await self._asked_once(asked, body)
            if isinstance(found, Answer):
                gate.spare(found.remaining)
                return found
            seconds = pause(found, tries)
            if seconds is None or seconds >= self.left:
                return found
            gate.heed(found, seconds)
            await asyncio.sleep(seconds)
        return found or Failure(asked, Reason.UNREACHABLE, "the time for this run was over")

    async def _asked_once(self, asked: Asked, body: Any) -> Answer | Failure:
        limit = min(self.left, _LONGEST_ANSWER)
        # The clock of the loop is the one that runs for this run.
        until = time.monotonic() + limit
        try:
            self._only.check(asked)
            headers = {
                "Authorization": f"Bearer {await self._bearer(until)}",
                "x-ms-client-request-id": f"{self._run}{next(self._count):012x}",
                "Accept-Encoding": "gzip",
            }
            sent = b""
            if body is not None:
                sent, headers["Content-Type"] = msgspec.json.encode(body), "application/json"
            response = await self._host.ask(asked.method, asked.target, headers, sent, until)
        except TimeoutError:
            return Failure(asked, Reason.UNREACHABLE, f"no answer within {limit:.0f} s")
        except (WriteRefusedError, SickbayError) as error:
            return Failure(asked, Reason.REFUSED, _first_line(error))
        except ClientAuthenticationError as error:
            return Failure(asked, Reason.FORBIDDEN, _first_line(error), _UNKNOWN_CALLER)
        except (AzureError, OSError, ValueError) as error:
            return Failure(asked, Reason.UNREACHABLE, _first_line(error))
        return judged(asked, *response)

    def _gate(self, url: str) -> Gate:
        key = counted_for(url)
        found = self._gates.get(key)
        if found is None:
            found = self._gates[key] = Gate()
        return found


class _Kept:
    """A credential that somebody else closes."""

    def __init__(self, credential: AsyncTokenCredential) -> None:
        self._credential = credential

    async def get_token(self, *scopes: str, **options: Any) -> AccessToken:
        return await self._credential.get_token(*scopes, **options)

    async def close(self) -> None:
        pass

    async def __aenter__(self) -> "_Kept":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


# The same few versions and filters are asked for all over an estate.
@lru_cache(maxsize=1024)
def _quoted(value: str) -> str:
    return quote(value, _SAFE)


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).partition("\n")[0][:300]
