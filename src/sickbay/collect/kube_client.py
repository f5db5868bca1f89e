"""Asks a Kubernetes API server: reads only, within limits, until a deadline.

Threads fetch, for the library of the language is the fastest there is; whoever asks stays in the
loop. A refusal is an answer: it is neither hidden nor asked again.
"""

import asyncio
import http.client
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeGuard

import msgspec

from sickbay import __version__
from sickbay.collect.kube_answers import (
    BROKEN,
    BUSY,
    PASSING,
    UNAUTHORISED,
    Answer,
    Failure,
    failed,
)
from sickbay.collect.kube_auth import Credential
from sickbay.collect.kube_turns import Turns
from sickbay.collect.kube_wire import UnreachableError, Wire, broken, place_of
from sickbay.collect.kubeconfig import Access
from sickbay.collect.threads import Threads
from sickbay.model.evidence import Reason
from sickbay.record import NamedTuple

JSON: Final = "application/json"
METADATA: Final = f"{JSON};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,{JSON}"
RULES_REVIEW: Final = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"
ACCESS_REVIEW: Final = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_AT_ONCE: Final = 6
_TRIES: Final = 5
_SECONDS: Final = 60.0
_LONGEST_WAIT: Final = 10.0
_FIRST_WAIT: Final = 0.25
_MOST_BYTES: Final = 1 << 30
_OK: Final = 400
_STORAGE: Final = ("etcd", "storage", "cache")

Permit = Callable[[str, str], bool]


class RefusedError(Exception):
    """Something tried to write. It never leaves the process."""


def only_reads(method: str, path: str) -> bool:
    """What a look may send: questions, of which two are asked by POST and leave nothing behind."""
    if method == "POST":
        return path in (RULES_REVIEW, ACCESS_REVIEW)
    return method == "GET"


class Ask(NamedTuple):
    """One question."""

    path: str
    method: str = "GET"
    body: bytes | None = None
    accept: str = JSON
    headers: tuple[tuple[str, str], ...] = ()
    # How often it may be tried, and how long one answer may take.
    tries: int = _TRIES
    seconds: float = _SECONDS


class Client:
    """A few connections to one API server."""

    def __init__(self, access: Access, seconds: float, permit: Permit = only_reads) -> None:
        self.place = place_of(access.cluster)
        self.access = access
        self._credential = Credential(access)
        self._permit = permit
        self._until = time.monotonic() + seconds
        self._threads = Threads(_AT_ONCE)
        self._turns = Turns(_AT_ONCE)
        self._lock = threading.Lock()
        self._idle: list[tuple[object, Wire]] = []
        self._busy: set[Wire] = set()
        self._is_closed = False
        # Why a server that answered before is not asked any more.
        self.lost = ""
        self._ahead = timedelta()
        self._has_answered = False

    @property
    def now(self) -> datetime:
        """What time it is at the server."""
        return datetime.now(UTC) + self._ahead

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self._until - time.monotonic()

    def hurry(self, seconds: float) -> None:
        """Wait no longer than this for all that is still to come."""
        self._until = min(self._until, time.monotonic() + seconds)

    async def get(self, path: str, **how: Any) -> Answer | Failure:
        """Ask for something."""
        return await self.send(Ask(path, **how))

    async def review(self, path: str, spec: Mapping[str, Any]) -> Answer | Failure:
        """Ask what this user may do."""
        kind = "SelfSubjectRulesReview" if path == RULES_REVIEW else "SelfSubjectAccessReview"
        body = {"apiVersion": "authorization.k8s.io/v1", "kind": kind, "spec": dict(spec)}
        return await self.send(Ask(path, "POST", msgspec.json.encode(body)))

    async def send(self, ask: Ask) -> Answer | Failure:
        """Ask, and again where that helps; a server that is gone is not asked for each thing."""
        async with self._turns.places:
            found = None if self._turns.is_busy else await self._tried(ask)
            if found is None or (_is_busy(found) and ask.tries > 1):
                found = await self._tried_alone(ask)
        if isinstance(found, Failure) and not found.status and not found.is_slow and ask.tries > 1:
            self.lost = self.lost or found.says
        return found

    async def _tried_alone(self, ask: Ask) -> Answer | Failure:
        """Ask a busy server, with nobody else asking meanwhile."""
        async with self._turns.alone():
            found = await self._tried(ask)
            for attempt in range(1, ask.tries):
                if not _is_busy(found) or self._turns.is_hopeless:
                    break
                await asyncio.sleep(self._rest(found, attempt))
                found = await self._tried(ask)
            if _is_busy(found):
                self._turns.gave_up()
            else:
                self._turns.answered()
        return found

    async def _tried(self, ask: Ask) -> Answer | Failure:
        """Ask until there is an answer, a refusal that will not pass, or a busy server."""
        for attempt in range(1, ask.tries + 1):
            if self.lost:
                return Failure(ask.path, Reason.UNREACHABLE, self.lost)
            if self.left <= 0:
                return Failure(ask.path, Reason.UNREACHABLE, "the time for this run was over")
            found = await self._sent(ask)
            if _is_busy(found):
                self._turns.refused(self._rest(found, 1))
                break
            if isinstance(found, Answer) or not _passes(found) or attempt == ask.tries:
                break
            if not found.status and not self._has_answered:
                break
            await asyncio.sleep(self._rest(found, attempt))
        return found

    def _rest(self, found: Failure, attempt: int) -> float:
        """How long to wait after so many attempts."""
        wait = max(found.wait, _FIRST_WAIT * 2.0 ** (attempt - 1))
        return min(wait, _LONGEST_WAIT, max(0.0, self.left))

    async def _sent(self, ask: Ask) -> Answer | Failure:
        try:
            async with asyncio.timeout(max(0.01, self.left)):
                return await self._threads.run(lambda: self._fetched(ask))
        except TimeoutError:
            says = "no answer before the deadline"
            return Failure(ask.path, Reason.UNREACHABLE, says, is_slow=True)

    def close(self) -> None:
        """Let go of everything, also of what a thread waits for."""
        with self._lock:
            self._is_closed = True
            wires = [wire for _, wire in self._idle] + list(self._busy)
            self._idle.clear()
        for wire in wires:
            wire.hang_up()
        self._threads.close()
        for wire in wires:
            if wire not in self._busy:
                wire.close()

    # What follows runs in threads.

    def _fetched(self, ask: Ask) -> Answer | Failure:
        if not self._permit(ask.method, ask.path.partition("?")[0]):
            raise RefusedError(f"refused: {ask.method} {ask.path}")
        headers = self._credential.headers()
        found = self._exchanged(ask, headers)
        is_refused = isinstance(found, Failure) and found.status == UNAUTHORISED
        if is_refused and self._credential.refresh(headers):
            found = self._exchanged(ask, self._credential.headers())
        return found

    def _exchanged(self, ask: Ask, headers: Mapping[str, str]) -> Answer | Failure:
        try:
            wire = self._idle_wire()
            if wire is not None:
                try:
                    return self._asked(wire, ask, headers)
                except UnreachableError as error:
                    # A connection that lay idle may be gone; a fresh one is worth a second look.
                    if error.is_slow:
                        raise
            return self._asked(self._made(), ask, headers)
        except UnreachableError as error:
            return Failure(ask.path, Reason.UNREACHABLE, str(error), is_slow=error.is_slow)

    def _asked(self, wire: Wire, ask: Ask, headers: Mapping[str, str]) -> Answer | Failure:
        try:
            found = self._answered(wire, ask, headers)
        except BaseException:
            self._dropped(wire)
            raise
        self._kept(wire)
        return found

    def _answered(self, wire: Wire, ask: Ask, headers: Mapping[str, str]) -> Answer | Failure:
        wire.allow(max(0.1, min(ask.seconds, self.left)))
        sent = {
            "Accept": ask.accept,
            "User-Agent": f"sickbay/{__version__}",
            **({"Content-Type": JSON} if ask.body is not None else {}),
            **headers,
            **dict(ask.headers),
        }
        try:
            if wire.sock is None:
                wire.connect()
            # Next door, packing only costs the server time.
            sent["Accept-Encoding"] = "gzip" if wire.is_far else "identity"
            wire.request(ask.method, self.place.prefix + ask.path, ask.body, sent)
            answer = wire.getresponse()
            body = answer.read(_MOST_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise broken(self.place, error) from None
        self._has_answered = True
        with suppress(ValueError, TypeError):
            self._ahead = parsedate_to_datetime(answer.getheader("Date", "")) - datetime.now(UTC)
        if answer.getheader("Content-Encoding", "") == "gzip":
            body = zlib.decompress(body, 16 + zlib.MAX_WBITS)
        if answer.status >= _OK:
            return failed(ask.path, answer.status, answer.getheader("Retry-After", ""), body)
        return Answer(ask.path, body)

    def _idle_wire(self) -> Wire | None:
        with self._lock:
            generation = self._credential.generation
            while self._idle:
                made_for, wire = self._idle.pop()
                if made_for is generation:
                    self._busy.add(wire)
                    return wire
                wire.close()
        return None

    def _made(self) -> Wire:
        context = self._credential.context() if self.place.is_secure else None
        wire = Wire(self.place, context, _SECONDS)
        with self._lock:
            if self._is_closed:
                raise UnreachableError("stopped")
            self._busy.add(wire)
        return wire

    def _kept(self, wire: Wire) -> None:
        with self._lock:
            self._busy.discard(wire)
            if not self._is_closed and wire.sock is not None:
                self._idle.append((self._credential.generation, wire))
                return
        wire.close()

    def _dropped(self, wire: Wire) -> None:
        with self._lock:
            self._busy.discard(wire)
        wire.close()


def _is_busy(found: Answer | Failure) -> TypeGuard[Failure]:
    return isinstance(found, Failure) and found.status == BUSY


def _passes(failure: Failure) -> bool:
    """Whether the same question may be answered a moment later."""
    if failure.status == BROKEN:
        return any(word in failure.says for word in _STORAGE)
    return failure.status in PASSING or (not failure.status and not failure.is_slow)
