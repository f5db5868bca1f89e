"""A server on this machine that answers as Resource Manager does, and fails on any write."""

import asyncio
import random
import re
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web
from azure.core.credentials import AccessToken

from sickbay.collect.azure import Account
from sickbay.collect.clouds import Cloud
from sickbay.collect.transport import Transport

Document = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


# What is always there: subscriptions, groups, providers, and the tags of services.
CONTAINERS = (
    r"/subscriptions/[^/]+(?:/resourcegroups/[^/]+|/providers/[^/]+"
    r"|/providers/microsoft.network/locations/[^/]+/servicetags)?"
)


class Token:
    """A credential that never asks anybody."""

    async def get_token(self, *scopes: str, **options: Any) -> AccessToken:  # noqa: ARG002
        return AccessToken("secret-token", int(time.time()) + 3600)

    async def close(self) -> None:
        pass

    async def __aenter__(self) -> "Token":
        return self

    async def __aexit__(self, *args: object) -> None:
        pass


class Server:
    """Resources by their ids; lists are made of what lies below a path."""

    def __init__(self, *documents: Document, page: int = 100) -> None:
        self.documents = {one["id"].casefold(): one for one in documents}
        self.page = page
        self.asked: list[str] = []
        self.asked_last = 0.0
        self.writes: list[str] = []
        self.bodies: list[str] = []
        self.special: dict[str, Handler] = {}
        self.versions: dict[str, str] = {}
        self.endpoint = ""
        self._slowness: random.Random | None = None

    def shuffle(self, seed: int) -> None:
        """Answer after a while that depends on the seed, so that answers overtake each other."""
        self._slowness = random.Random(seed)  # noqa: S311 - a seed, to be run again

    def refuse(self, id: str) -> None:
        """Answer as to somebody who may not read this."""

        async def refused(request: web.Request) -> web.Response:  # noqa: ARG001
            body = {"error": {"code": "AuthorizationFailed", "message": "no"}}
            return web.json_response(body, status=403)

        self.special[id.casefold()] = refused

    def only_version(self, type: str, version: str) -> None:
        """Serve what is of a type, or below it, with one version alone."""
        self.versions[type.casefold()] = version

    def _outdated(self, request: web.Request) -> web.Response | None:
        asked = request.query.get("api-version", "")
        for type, version in self.versions.items():
            if f"/{type}" in request.path.casefold() and asked != version:
                message = f"The api-version '{asked}' is invalid. The supported versions are "
                error = {
                    "code": "InvalidApiVersionParameter",
                    "message": f"{message}'2019-01-01,{version},2032-01-01-preview'.",
                }
                return web.json_response({"error": error}, status=400)
        return None

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path_qs)
        self.asked_last = time.monotonic()
        if self._slowness:
            await asyncio.sleep(self._slowness.random() * 0.02)
        if request.method not in ("GET", "HEAD"):
            self.writes.append(f"{request.method} {request.path}")
        key = request.path.casefold()
        if outdated := self._outdated(request):
            return outdated
        if key in self.special:
            return await self.special[key](request)
        if key in self.documents:
            return web.json_response(self.documents[key])
        if re.fullmatch(CONTAINERS, key):
            state = {"state": "Enabled", "registrationState": "Registered"}
            name = request.path.rpartition("/")[2]
            return web.json_response({"id": request.path, "name": name, "namespace": name, **state})
        return self._listed(request, key)

    def _listed(self, request: web.Request, key: str) -> web.StreamResponse:
        found = [
            one
            for id, one in sorted(self.documents.items())
            if id.rpartition("/")[0] == key.rstrip("/")
        ]
        if not found and "/providers/" in key.rpartition("/")[0] and key.count("/") % 2 == 0:
            missing = {"error": {"code": "ResourceNotFound", "message": "There is no such thing."}}
            return web.json_response(missing, status=404)
        start = int(request.query.get("$skiptoken", "0"))
        body: Document = {"value": found[start : start + self.page]}
        if start + self.page < len(found):
            link = f"{self.endpoint}{request.path}?api-version=1&$skiptoken={start + self.page}"
            body["nextLink"] = link
        return web.json_response(body)


def serve(
    server: Server, work: Callable[[Transport], Coroutine[Any, Any, Any]], seconds: float = 20.0
) -> Any:
    """Run some work against the server."""

    async def both() -> Any:
        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", server.answer)
        runner = web.AppRunner(app, shutdown_timeout=0.2)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        server.endpoint = f"http://127.0.0.1:{port}"
        cloud = Cloud("test", server.endpoint, server.endpoint)
        transport = Transport(cloud, Token(), seconds=seconds)
        try:
            return await work(transport)
        finally:
            await transport.close()
            await runner.cleanup()

    return asyncio.run(both())


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """A server that runs beside the test, for work that has a loop of its own."""
    loop = asyncio.new_event_loop()

    async def start() -> web.AppRunner:
        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", server.answer)
        runner = web.AppRunner(app, shutdown_timeout=0.2)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        server.endpoint = f"http://127.0.0.1:{port}"
        return runner

    runner = loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def account(server: Server, seconds: float = 20.0) -> Account:
    """Who asks the server."""
    cloud = Cloud("test", server.endpoint, server.endpoint)
    return Account(cloud, seconds=seconds, credential=Token())
